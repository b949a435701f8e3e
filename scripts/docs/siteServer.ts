import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { basename, extname } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { readFolder } from "../command/files.ts";

/** Answers a request if it is for the site; returns `false`, and does nothing, if it is not. */
export type SiteHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface ServeOptions {
  readonly folder: string;
  /** First segments of paths that belong to somebody else, unless the site has a file there. */
  readonly foreignSegments: ReadonlySet<string>;
  /** Addresses in the site's text, and what is served in their stead. */
  readonly addresses: ReadonlyMap<string, string>;
}

type Coding = "br" | "gzip" | "identity";

interface ServedFile {
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string;
  readonly encode: (coding: Coding) => Promise<Buffer>;
}

const mediaTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".xml": "application/xml",
  ".yaml": "application/yaml",
};

/**
 * Reads a site into memory, and resolves to what serves it. A path is looked up among the files that were read, so none
 * can lead out of the folder, whatever it is made of.
 */
export async function loadSite({ folder, foreignSegments, addresses }: ServeOptions): Promise<SiteHandler> {
  const files = await readFiles(folder, addresses);
  const notFound = files.get("/404.html");
  return (request, response) => {
    const [path = "", query] = (request.url ?? "").split(/\?(.*)/s);
    // An absolute URL or `*` (RFC 9112, section 3.2) is no path of the site.
    if (!path.startsWith("/")) return false;
    const isRead = request.method === "GET" || request.method === "HEAD";
    const file = files.get(path) ?? files.get(`${path}index.html`);
    if (file !== undefined && isRead) {
      void send(request, response, 200, file);
      return true;
    }
    if (isRead && files.has(`${path}/index.html`)) {
      response.writeHead(308, { location: `${path}/${query === undefined ? "" : `?${query}`}` }).end();
      return true;
    }
    if (foreignSegments.has(path.split("/")[1] ?? "")) return false;
    if (file !== undefined) response.writeHead(405, { allow: "GET, HEAD" }).end();
    else if (notFound !== undefined) void send(request, response, 404, notFound);
    else response.writeHead(404).end();
    return true;
  };
}

async function readFiles(
  folder: string,
  addresses: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, ServedFile>> {
  const served = new Map<string, ServedFile>();
  for (const { path, content } of await readFolder(folder)) {
    let text = content;
    for (const [from, to] of addresses) text = text.replaceAll(from, to);
    if (!basename(path).startsWith(".")) served.set(`/${path}`, serve(path, Buffer.from(text)));
  }
  return served;
}

function serve(name: string, content: Buffer): ServedFile {
  const encoded = new Map<Coding, Promise<Buffer>>([["identity", Promise.resolve(content)]]);
  // A file with its digest in its name never changes; any other is requested again, mostly for a 304.
  const isImmutable = /-[0-9a-f]{12}\.\w+$/.test(name);
  return {
    headers: {
      "content-type": mediaTypes[extname(name)] ?? "application/octet-stream",
      "cache-control": isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
      "x-content-type-options": "nosniff",
      vary: "accept-encoding",
    },
    etag: createHash("sha256").update(content).digest("base64url").slice(0, 16),
    encode: (coding) => {
      const kept = encoded.get(coding) ?? compress(coding, content);
      encoded.set(coding, kept);
      return kept;
    },
  };
}

function compress(coding: Coding, content: Buffer): Promise<Buffer> {
  // Quality 11 takes 4 s for the renderer's script on one core; 6 takes 0.1 s, for 10 % more bytes.
  if (coding === "br") return promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } });
  return promisify(gzip)(content);
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: 200 | 404,
  { headers, etag, encode }: ServedFile,
): Promise<void> {
  const coding = chooseCoding(request.headers["accept-encoding"]);
  const body = await encode(coding);
  const entityTag = `"${etag}-${coding}"`;
  if (status === 200 && matches(request.headers["if-none-match"], entityTag)) {
    response.writeHead(304, { ...headers, etag: entityTag }).end();
    return;
  }
  response.writeHead(status, {
    ...headers,
    etag: entityTag,
    "content-length": body.byteLength,
    ...(coding !== "identity" && { "content-encoding": coding }),
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

/** The first of ours that the client accepts (RFC 9110, section 12.5.3; of weights, only 0 counts). */
function chooseCoding(accepted = ""): Coding {
  const names = accepted
    .toLowerCase()
    .split(",")
    .filter((item) => !/;\s*q=0(\.0*)?\s*$/.test(item))
    .map((item) => item.split(";")[0]?.trim());
  return (["br", "gzip"] as const).find((coding) => names.includes(coding)) ?? "identity";
}

/** RFC 9110, section 13.1.2: the comparison is weak. */
function matches(ifNoneMatch = "", entityTag: string): boolean {
  const tags = ifNoneMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes("*") || tags.includes(entityTag);
}

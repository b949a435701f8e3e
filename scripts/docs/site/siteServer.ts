import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import fresh from "fresh";
import { getMimeType, mimes } from "hono/utils/mime";
import Negotiator from "negotiator";
import type { Generation, Operation } from "../../contract/generation.ts";
import { splitOnce } from "../../values/text.ts";
import { readAddresses } from "../model/addresses.ts";
import { isControlTarget } from "../../mock/engine/controlApi.ts";
import { readTarget } from "../../exchange/requestTarget.ts";
import { findRoute, indexRoutes } from "../../exchange/routes.ts";
import { isRefusal } from "../../exchange/refusal.ts";
import { withoutAuthority } from "../../exchange/secrets.ts";
import { percentDecode } from "../../values/percentEncoding.ts";

/** Answers a request if it is for the site. Otherwise resolves to `false` without an effect. */
export type SiteHandler = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

type SiteFile = ReturnType<typeof readSiteFile>;
type SiteFiles = ReadonlyMap<string, SiteFile>;

interface ServeOptions {
  readonly folder: string;
  /** The generations of a mock beside the site. Default: no mock. */
  readonly generations?: readonly Generation[];
  /** HTML to insert into the head of each served page. */
  readonly head?: string;
}

/** The path of an operation's page on a server of the site. `undefined` if the site has none. */
export function findDocs(generation: Generation, operation: Operation): string | undefined {
  const path = readAddresses(generation).operations.get(operation);
  return path === undefined ? undefined : encodeURI(`/${path}`);
}

/**
 * Reads a site into memory, and returns a handler that serves it. Paths are looked up among the read files,
 * so none can leave the folder. Throws the system's error if the folder can't be read. Throws
 * {@link UserError} if two generations have the same operation.
 *
 * The site has its files, and folders with a trailing slash. The mock has precedence for other paths that
 * look like its own. For these, the site has redirects and pages only if the request accepts HTML by name, as
 * browsers do when they navigate. An operation with the same method and path always has precedence.
 */
export function loadSite({ folder, generations, head = "" }: ServeOptions): SiteHandler {
  const files = readSiteFiles(folder, head);
  const claimOf = generations === undefined ? () => undefined : createMockClaims(generations);
  const notFound = files.get("/404.html");
  return async (request, response) => {
    const { method = "", url = "" } = request;
    const [target] = splitOnce(withoutAuthority(url), "#");
    const [path, query] = splitOnce(target, "?");
    // `*` (RFC 9112, section 3.2.4) isn't a path of the site.
    if (!path.startsWith("/")) return false;
    const name = decodePath(path);
    const file = name?.endsWith("/") === true ? folderFile(request, files, name) : files.get(name ?? "");
    const isFolder = name !== undefined && files.has(`${name}/index.html`);
    const isRead = method === "GET" || method === "HEAD";
    const asksForPage = isRead && new Negotiator(request).mediaTypes().includes("text/html");
    const claim = claimOf(method, path);
    if (isRead && file !== undefined && (asksForPage || claim !== "operation" || !path.endsWith("/"))) {
      await send(request, response, 200, file);
      return true;
    }
    if (isRead && isFolder && (claim === undefined || (asksForPage && claim !== "operation"))) {
      const headers = {
        ...onlyHere,
        location: `${path}/${query === undefined ? "" : `?${query}`}`,
        "cache-control": "no-cache",
        vary: "accept",
      };
      response.writeHead(308, { ...headers, "content-length": 0 }).end();
      return true;
    }
    if (claim === "operation" || claim === "path") return false;
    if (file !== undefined || (isFolder && claim === undefined)) {
      response.writeHead(405, { ...onlyHere, allow: "GET, HEAD", "content-length": 0 }).end();
      return true;
    }
    if (claim === "prefix" && !asksForPage) return false;
    if (notFound === undefined) response.writeHead(404, { ...onlyHere, "content-length": 0 }).end();
    else await send(request, response, 404, notFound);
    return true;
  };
}

/** A folder's page, or its Markdown if the request prefers that (RFC 9110, section 12.5.1). */
function folderFile(request: IncomingMessage, files: SiteFiles, folder: string) {
  const [page, markdown] = [files.get(`${folder}index.html`), files.get(`${folder}index.md`)];
  if (page === undefined || markdown === undefined) return page;
  const [preferred] = new Negotiator(request).mediaTypes(["text/html", "text/markdown"]);
  const chosen = preferred === "text/markdown" ? markdown : page;
  return { ...chosen, headers: { ...chosen.headers, vary: "accept, accept-encoding" } };
}

/**
 * Decodes a path once, segment by segment. Returns `undefined` for malformed paths and for names with a
 * slash.
 */
function decodePath(path: string): string | undefined {
  const segments = path.split("/").map(percentDecode);
  return segments.some((segment) => segment?.includes("/") !== false) ? undefined : segments.join("/");
}

async function send(request: IncomingMessage, response: ServerResponse, status: 200 | 404, file: SiteFile) {
  const { headers, digest, content, compress } = file;
  const isCompressed = compress !== undefined && new Negotiator(request).encodings().includes("gzip");
  const tagged = { ...headers, etag: isCompressed ? `"${digest}-gzip"` : `"${digest}"` };
  if (status === 200 && fresh(request.headers, tagged)) {
    response.writeHead(304, tagged).end();
    return;
  }
  const body = isCompressed ? await compress() : content;
  response.writeHead(status, {
    ...tagged,
    "content-length": body.byteLength,
    ...(isCompressed && { "content-encoding": "gzip" }),
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

/**
 * Reads every file in a folder into memory, by its path with a leading slash. Hidden files and folders are
 * left out. `addition` is HTML for the end of each page's head.
 */
function readSiteFiles(folder: string, addition: string): SiteFiles {
  const files = new Map<string, SiteFile>();
  // In sequence, because thousands at once would exceed the limit of open files.
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, file).replaceAll(sep, "/")}`;
    if (entry.isFile() && !path.includes("/.")) files.set(path, readSiteFile(path, file, addition));
  }
  return files;
}

const mediaTypes = { ...mimes, md: "text/markdown; charset=utf-8", yaml: "application/yaml" };

function readSiteFile(path: string, file: string, addition: string) {
  const original = readFileSync(file);
  const isExtended = addition !== "" && path.endsWith(".html");
  const content = isExtended ? Buffer.from(original.toString().replace("</head>", `${addition}</head>`)) : original;
  const mediaType = getMimeType(path, mediaTypes) ?? "application/octet-stream";
  const isText = /^text\/|[/+](?:json|xml|yaml)\b/.test(mediaType);
  // A file with its digest in its name never changes. Other files are revalidated, mostly with a 304.
  const isImmutable = /\/assets\/[^/]+-[\da-f]{12}\.\w+$/.test(path);
  let compressed: Promise<Buffer> | undefined;
  const headers: Readonly<Record<string, string>> = {
    "content-type": mediaType,
    "cache-control": isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
    "last-modified": statSync(file).mtime.toUTCString(),
    "x-content-type-options": "nosniff",
    ...onlyHere,
    ...(isText && { vary: "accept-encoding" }),
    ...(mediaType.startsWith("text/html") && pageHeaders),
  };
  return {
    /** The headers that don't depend on the content coding (RFC 9110, section 8.4.1). */
    headers,
    /** The base of its entity tags. */
    digest: createHash("sha256").update(content).digest("base64url").slice(0, 16),
    content,
    /** Compresses the file. Resolves to `undefined` if that doesn't make it smaller. */
    compress: isText ? () => (compressed ??= promisify(gzip)(content)) : undefined,
  };
}

/** Pages of other origins could otherwise read a contract that isn't public with `<script src>`. */
export const onlyHere = { "cross-origin-resource-policy": "same-origin" };

/** A policy in a page's `meta` can't prevent framing, so it is a header. */
const pageHeaders = {
  "content-security-policy": "frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
};

/**
 * Creates a function that returns why a request is the mock's, by method and percent-encoded path: an
 * operation with both, operations with the path and other methods, or a path that begins as those of the API
 * do.
 */
function createMockClaims(generations: readonly Generation[]) {
  const routes = indexRoutes(generations);
  const paths = generations.flatMap(({ operations }) => operations.map(({ path }) => path));
  const prefixes = new Set(["-", ...paths.map((path) => path.split("/")[1] ?? "")]);
  // The operation with the path `/`, and those whose paths begin with two slashes.
  prefixes.delete("");
  return (method: string, path: string) => {
    if (isControlTarget(path)) return "operation";
    const target = readTarget(path);
    const segments = isRefusal(target) ? path.split("/").slice(1) : target.segments;
    const match = isRefusal(target) ? undefined : findRoute(routes, segments, method.toLowerCase());
    if (match !== undefined) return "others" in match ? "path" : "operation";
    return prefixes.has(segments[0] ?? "") ? "prefix" : undefined;
  };
}

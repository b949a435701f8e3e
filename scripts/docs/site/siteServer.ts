import type { IncomingMessage, ServerResponse } from "node:http";
import fresh from "fresh";
import Negotiator from "negotiator";
import type { Generation } from "../../contract/generation.ts";
import { percentDecode } from "../../spec/percentEncoding.ts";
import { withoutAuthority } from "../../mock/secrets.ts";
import { createMockClaims } from "./mockClaims.ts";
import { readSiteFiles, type SiteFile } from "./siteFiles.ts";

/** Answers a request if it is for the site, and resolves to `false`, having done nothing, if it is not. */
export type SiteHandler = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

interface ServeOptions {
  readonly folder: string;
  /** Those that a mock serves beside the site; by default, there is no mock. */
  readonly generations?: readonly Generation[];
  /** HTML to be added to the head of each page as it is served. */
  readonly head?: string;
}

/**
 * Reads a site into memory, and returns what serves it. A path is looked up among the files that were read, so none can
 * lead out of the folder, whatever it is made of. Throws the system's error if the folder cannot be read, and
 * `RouteConflictError` if two generations have the same operation.
 *
 * The site has its files, and its folders with a slash at their ends. For the rest of the paths that the mock has a claim
 * to, the site has a redirect or a page only for those who ask for HTML by name, as browsers do when they navigate, and
 * never where an operation has the method and the path.
 */
export function loadSite({ folder, generations, head = "" }: ServeOptions): SiteHandler {
  const files = readSiteFiles(folder, head);
  const claimOf = generations === undefined ? () => undefined : createMockClaims(generations);
  const notFound = files.get("/404.html");
  return async (request, response) => {
    const { method = "", url = "" } = request;
    const [, path = "", query = ""] = /^([^?#]*)(\?[^#]*)?/.exec(withoutAuthority(url)) ?? [];
    // `*` (RFC 9112, section 3.2.4) is no path of the site.
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
      const headers = { location: `${path}/${query}`, "cache-control": "no-cache", vary: "accept" };
      response.writeHead(308, { ...headers, "content-length": 0 }).end();
      return true;
    }
    if (claim === "operation" || claim === "path") return false;
    if (file !== undefined || (isFolder && claim === undefined)) {
      response.writeHead(405, { allow: "GET, HEAD", "content-length": 0 }).end();
      return true;
    }
    if (claim === "prefix" && !asksForPage) return false;
    if (notFound === undefined) response.writeHead(404, { "content-length": 0 }).end();
    else await send(request, response, 404, notFound);
    return true;
  };
}

/** A folder's page, or the same in Markdown for those who prefer that (RFC 9110, section 12.5.1). */
function folderFile(request: IncomingMessage, files: ReadonlyMap<string, SiteFile>, folder: string) {
  const [page, markdown] = [files.get(`${folder}index.html`), files.get(`${folder}index.md`)];
  if (page === undefined || markdown === undefined) return page;
  const [preferred] = new Negotiator(request).mediaTypes(["text/html", "text/markdown"]);
  const chosen = preferred === "text/markdown" ? markdown : page;
  return { ...chosen, headers: { ...chosen.headers, vary: "accept, accept-encoding" } };
}

/** Decodes a path once, and segment by segment; `undefined` if it cannot be: no name has a slash in it. */
function decodePath(path: string): string | undefined {
  const segments = path.split("/").map(percentDecode);
  return segments.some((segment) => segment?.includes("/") !== false) ? undefined : segments.join("/");
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: 200 | 404,
  file: SiteFile,
): Promise<void> {
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

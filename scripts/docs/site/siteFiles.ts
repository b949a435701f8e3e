import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { getMimeType, mimes } from "hono/utils/mime";

/** A file of the site, as it is served. */
export type SiteFile = ReturnType<typeof readSiteFile>;

/**
 * Reads every file in a folder into memory, by its path with a slash before it. One that is hidden, or in a hidden
 * folder, is no part of the site. `addition` is HTML for the end of each page's head. Throws the system's error if the folder cannot be read.
 */
export function readSiteFiles(folder: string, addition: string): ReadonlyMap<string, SiteFile> {
  const files = new Map<string, SiteFile>();
  // One after the other: thousands at once would be more than a process may have open.
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
  // A file with its digest in its name never changes; any other is requested again, mostly for a 304.
  const isImmutable = /\/assets\/[^/]+-[\da-f]{12}\.\w+$/.test(path);
  let compressed: Promise<Buffer> | undefined;
  const headers: Readonly<Record<string, string>> = {
    "content-type": mediaType,
    "cache-control": isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
    "last-modified": statSync(file).mtime.toUTCString(),
    "x-content-type-options": "nosniff",
    ...(isText && { vary: "accept-encoding" }),
    ...(mediaType.startsWith("text/html") && pageHeaders),
  };
  return {
    /** Those that do not depend on the content coding (RFC 9110, section 8.4.1). */
    headers,
    /** The base of its entity tags. */
    digest: createHash("sha256").update(content).digest("base64url").slice(0, 16),
    content,
    /** Compresses the file; `undefined` if it would not become smaller. */
    compress: isText ? () => (compressed ??= promisify(gzip)(content)) : undefined,
  };
}

/** What only headers can say: a policy in a page's `meta` cannot keep others from framing it. */
const pageHeaders = {
  "content-security-policy": "frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
};

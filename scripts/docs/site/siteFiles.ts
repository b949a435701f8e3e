import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { getMimeType, mimes } from "hono/utils/mime";

/** Content codings (RFC 9110, section 8.4.1). */
type Coding = "br" | "gzip" | "identity";

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
  const encoded = new Map<Coding, Promise<Buffer>>([["identity", Promise.resolve(content)]]);
  const codings: readonly Coding[] = isText ? ["br", "gzip", "identity"] : ["identity"];
  const headers: Readonly<Record<string, string>> = {
    "content-type": mediaType,
    "cache-control": isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
    "last-modified": statSync(file).mtime.toUTCString(),
    "x-content-type-options": "nosniff",
    ...(isText && { vary: "accept-encoding" }),
    ...(mediaType.startsWith("text/html") && pageHeaders(content)),
  };
  return {
    /** Those that do not depend on the coding. */
    headers,
    /** Content codings that the file can be sent in, the best first. */
    codings,
    /** The base of its entity tags. */
    digest: createHash("sha256").update(content).digest("base64url").slice(0, 16),
    encode: (coding: Coding) => {
      const kept = encoded.get(coding) ?? compress(coding, content);
      encoded.set(coding, kept);
      return kept;
    },
  };
}

/** The page's own policy, with what only a header can say: in `meta`, `frame-ancestors` is ignored. */
function pageHeaders(content: Buffer): Readonly<Record<string, string>> {
  const head = content.toString("utf8", 0, Math.max(0, content.indexOf("</head>")));
  const [, policy = ""] = /<meta\s+http-equiv="content-security-policy"\s+content="([^"]*)"/i.exec(head) ?? [];
  // Of what is escaped in HTML, a policy has only apostrophes.
  const directives = policy.replaceAll("&#39;", "'").split(";");
  return {
    "content-security-policy": [...directives, "frame-ancestors 'none'"]
      .map((directive) => directive.trim().replaceAll(/\s+/g, " "))
      .filter((directive) => directive !== "")
      .join("; "),
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
  };
}

function compress(coding: Coding, content: Buffer): Promise<Buffer> {
  // Quality 11 takes 40 times as long as 6, for 10 % fewer bytes.
  if (coding === "br") return promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } });
  return promisify(gzip)(content);
}

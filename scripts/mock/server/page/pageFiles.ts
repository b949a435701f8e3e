import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Answer } from "../../response/answer.ts";

/**
 * The files of the page, by name, with their media types. They are beside this module, also in the npm
 * package.
 */
const mediaTypes = new Map([
  ["page.html", "text/html; charset=utf-8"],
  ["page.css", "text/css; charset=utf-8"],
  ["page.js", "text/javascript; charset=utf-8"],
  ["mark.svg", "image/svg+xml"],
]);

/** The page loads nothing from other hosts, has no inline scripts or styles, and never parses text as markup. */
const policy = [
  "default-src 'none'",
  ...["script-src", "style-src", "img-src", "connect-src"].map((directive) => `${directive} 'self'`),
  ...["base-uri", "form-action", "frame-ancestors"].map((directive) => `${directive} 'none'`),
  "require-trusted-types-for 'script'",
].join("; ");

/** Answers with a file of the page, or with `undefined` if it has no file with that name. */
export async function answerPageFile(name: string): Promise<Answer | undefined> {
  const mediaType = mediaTypes.get(name);
  if (mediaType === undefined) return undefined;
  const headers = {
    "content-type": mediaType,
    "content-security-policy": policy,
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
  };
  // Not a URL object, because jsdom replaces the global URL.
  const file = join(dirname(fileURLToPath(import.meta.url)), name);
  return { status: 200, headers, body: await readFile(file, "utf8") };
}

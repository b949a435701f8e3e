import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Answer } from "../../response/answer.ts";

/** The files of the page for people, by name, with their media types. They are beside this module, in the npm package too. */
const mediaTypes = new Map([
  ["page.html", "text/html; charset=utf-8"],
  ["page.css", "text/css; charset=utf-8"],
  ["page.js", "text/javascript; charset=utf-8"],
  ["mark.svg", "image/svg+xml"],
]);

/** Nothing comes from another host, no script or style is in the page itself, and no script can make markup of text. */
const policy = [
  "default-src 'none'",
  ...["script-src", "style-src", "img-src", "connect-src"].map((directive) => `${directive} 'self'`),
  ...["base-uri", "form-action", "frame-ancestors"].map((directive) => `${directive} 'none'`),
  "require-trusted-types-for 'script'",
].join("; ");

/** Answers with a file of the page; `undefined` if it has none of that name. */
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
  // A path and no URL object: jsdom replaces the global URL.
  const file = join(dirname(fileURLToPath(import.meta.url)), name);
  return { status: 200, headers, body: await readFile(file, "utf8") };
}

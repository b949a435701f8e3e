import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ifAbsent } from "../../contract/failures.ts";
import type { Answer } from "../content/answer.ts";

const styles = "text/css; charset=utf-8";

/** The files of the page, with their media types. */
const mediaTypes = new Map([
  ["page.html", "text/html; charset=utf-8"],
  ["page.css", styles],
  ["base.css", styles],
  ["page.js", "text/javascript; charset=utf-8"],
  ["mark.svg", "image/svg+xml"],
  ["hanken-grotesk.woff2", "font/woff2"],
]);

/**
 * Where the files are, from this module. The npm package has all of them beside it. Here, the contract and the docs
 * have the mark, the font and the common styles.
 */
const folders = [".", "../../../openapi", "../../docs/site"];

/** The page loads nothing from other hosts, has no inline scripts or styles, and never parses text as markup. */
const policy = [
  "default-src 'none'",
  ...["script-src", "style-src", "img-src", "font-src", "connect-src"].map((directive) => `${directive} 'self'`),
  ...["base-uri", "form-action", "frame-ancestors"].map((directive) => `${directive} 'none'`),
  "require-trusted-types-for 'script'",
].join("; ");

/** Answers with a file of the page, or with `undefined` if it has no file with that name. */
export async function answerPageFile(name: string): Promise<Answer | undefined> {
  const mediaType = mediaTypes.get(name);
  if (mediaType === undefined) return undefined;
  const content = await (name === "page.js" ? readPageScript() : readPageFile(name));
  if (content === undefined) return undefined;
  const headers = {
    "content-type": mediaType,
    "content-security-policy": policy,
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
  };
  if (name !== "page.html") return { status: 200, headers, body: content };
  const mark = (await readPageFile("mark.svg")) ?? "";
  return { status: 200, headers, body: content.toString().replace("<!-- mark -->", () => mark.toString()) };
}

async function readPageScript(): Promise<string> {
  // Only a browser needs it, and here, it isn't made before.
  const { pageScript } = await import("./pageScript.ts");
  return pageScript;
}

async function readPageFile(name: string): Promise<Buffer | undefined> {
  // Not a URL object, because jsdom replaces the global URL.
  const here = dirname(fileURLToPath(import.meta.url));
  for (const folder of folders) {
    const content = await readFile(join(here, folder, name)).catch(ifAbsent(undefined));
    if (content !== undefined) return content;
  }
  return undefined;
}

import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { changeFolder, type TextFile } from "../../scripts/command/files.ts";
import { formatJson } from "../../scripts/contract/documentText.ts";
import { ifAbsent } from "../../scripts/contract/failures.ts";
import { parseJson, valueAt } from "../../scripts/spec/json.ts";

/** Where the README's pictures are in the current folder, and what says what they were made of. */
const pictures = ".github";
const record = "docs-pictures.json";

const size = { width: 1440, height: 900 };

/** Tells whether the README's pictures show a page of a site as it is now. */
export async function arePicturesCurrent(site: string, page: string): Promise<boolean> {
  const text = await readFile(resolve(pictures, record), "utf8").catch(ifAbsent(""));
  return valueAt(parseJson(text), ["digest"]) === (await digestOfPage(site, page));
}

/** Takes the README's pictures of a page of a site: what a reader sees first, in light and dark mode. */
export async function takePictures(browser: Browser, site: string, page: string): Promise<readonly string[]> {
  const written: TextFile[] = [{ path: record, content: formatJson({ page, digest: await digestOfPage(site, page) }) }];
  for (const colorScheme of ["light", "dark"] as const) {
    await using context = await browser.newContext({ viewport: size, colorScheme, reducedMotion: "reduce" });
    await using shown = await context.newPage();
    await shown.goto(pathToFileURL(join(site, page)).href);
    await shown.evaluate(showAll);
    // Playwright's own screenshots are PNG, which takes several times as much.
    const session = await context.newCDPSession(shown);
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 90 });
    written.push({ path: `docs-${colorScheme}.webp`, content: data, encoding: "base64" });
  }
  await changeFolder(resolve(pictures), { written, removed: [] });
  return written.map(({ path }) => path);
}

/** Runs in the page: shows at once what the styles leave for later, which is the font, and what is far below. */
export async function showAll(): Promise<void> {
  const font = new URL(document.documentElement.dataset["font"] ?? "", location.href);
  const styles = new CSSStyleSheet();
  styles.replaceSync(`* { content-visibility: visible !important; }
    @font-face { font-family: "Hanken Grotesk"; font-weight: 400 600; font-display: block; src: url("${font.href}"); }`);
  document.adoptedStyleSheets.push(styles);
  await document.fonts.ready;
}

/** A page names its styles, scripts and font by their digests: its text tells all that it shows, on any platform. */
async function digestOfPage(site: string, page: string): Promise<string> {
  return hash("sha256", await readFile(join(site, page), "utf8"));
}

import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { changeFolder, type TextFile } from "../../scripts/command/files.ts";
import { formatJson } from "../../scripts/contract/documentText.ts";
import { ifAbsent } from "../../scripts/contract/failures.ts";
import { parseJson, stringMembersOf } from "../../scripts/values/json.ts";

/** Where the README's pictures are in the current folder, and the file with the digests of what they show. */
const pictures = ".github/pictures";
const record = "digests.json";

/** A picture of the README: what a browser shows at a URL. */
export interface Picture {
  readonly name: string;
  readonly url: string;
  /** Everything that the page is made of. The picture is old once this differs. */
  readonly source: string;
  /** In pixels. The height is five eighths of it. */
  readonly width: number;
  /** Prepares the page before the picture is taken. */
  readonly prepare: (page: Page) => Promise<unknown>;
}

/** Returns the names of the pictures that don't show what they would show now. */
export async function findOldPictures(all: readonly Pick<Picture, "name" | "source">[]): Promise<readonly string[]> {
  const text = await readFile(resolve(pictures, record), "utf8").catch(ifAbsent("{}"));
  const digests = stringMembersOf(parseJson(text));
  return all.flatMap(({ name, source }) => (digests[name] === hash("sha256", source) ? [] : [name]));
}

/** Takes the old ones of the README's pictures, in light and dark mode. Resolves to the paths of the written files. */
export async function takePictures(browser: Browser, all: readonly Picture[]): Promise<readonly string[]> {
  const old = await findOldPictures(all);
  const digests = Object.fromEntries(all.map(({ name, source }) => [name, hash("sha256", source)]));
  const written: TextFile[] = [{ path: record, content: formatJson(digests) }];
  for (const colorScheme of ["light", "dark"] as const) {
    for (const { name, url, width, prepare } of all.filter(({ name }) => old.includes(name))) {
      const viewport = { width, height: (width * 5) / 8 };
      await using context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
      await using page = await context.newPage();
      await page.goto(url);
      await prepare(page);
      // A first screenshot of Playwright's waits until there is something to capture. It can't be WebP, though, and PNG takes
      // several times as much.
      await page.screenshot();
      const session = await context.newCDPSession(page);
      const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 75 });
      written.push({ path: `${name}-${colorScheme}.webp`, content: data, encoding: "base64" });
    }
  }
  await changeFolder(resolve(pictures), { written, removed: [] });
  return written.map(({ path }) => `${pictures}/${path}`);
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

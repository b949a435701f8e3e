import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";

export interface Watched extends AsyncDisposable {
  readonly page: Page;
  /** Errors in the console, uncaught exceptions, and requests to another place than `origin`. */
  readonly faults: string[];
}

/** A page in a fresh profile, of which all is noted that a reader should never meet. */
export async function watch(browser: Browser, origin: string, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: "reduce",
    ...options,
  });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => faults.push(`exception: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(origin)) faults.push(`request: ${request.url()}`);
  });
  return {
    page,
    faults,
    [Symbol.asyncDispose]: async () => {
      await context.close();
    },
  };
}

/** Each page compiles it anew, which takes twice as long with comments and long names. */
const axe = readFile("node_modules/axe-core/axe.min.js", "utf8");

/** Opens the form of an operation's page, and the choice of where its requests go. */
export async function openTryIt(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Try it" }).click();
  const receiver = page.locator(".try-it .receiver");
  await receiver.waitFor();
  if (!(await receiver.evaluate((details) => details.hasAttribute("open"))))
    await receiver.locator("summary").first().click();
}

const colorRules = ["color-contrast", "link-in-text-block"];

/** The rules of axe that depend on where things are, and on how large they are. */
export const layoutRules = ["target-size", "scrollable-region-focusable"];

/**
 * What axe finds on a page as it is now, or in a part of it, each with the element concerned: with all rules in light and
 * those of colours in dark mode, or with some rules in light mode.
 */
export async function findViolations(page: Page, some?: readonly string[], part?: string): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(await axe);
  await page.evaluate(layOutAll);
  const violations = [];
  for (const [colorScheme, rules] of [
    ["light", some],
    ["dark", colorRules], // All else is the same in both.
  ] as const) {
    if (colorScheme === "dark" && some !== undefined) break;
    await page.emulateMedia({ colorScheme });
    // axe leaves the size of targets out by default.
    const more = rules === undefined && { rules: { "target-size": { enabled: true } } };
    const options = { resultTypes: ["violations"], preload: false, runOnly: rules, ...more };
    const results = await page.evaluate<AxeResults>(
      `axe.run(${part === undefined ? "document" : JSON.stringify(part)}, ${JSON.stringify(options)})`,
    );
    violations.push(...results.violations.map((violation) => ({ colorScheme, ...violation })));
  }
  await page.emulateMedia({ colorScheme: null });
  return violations.flatMap(({ colorScheme, id, nodes }) =>
    nodes.map(({ html, failureSummary = "" }) => `${id}, ${colorScheme}: ${html} ${failureSummary}`),
  );
}

/** Runs in the page: axe takes what isn't laid out yet, which has a size that is guessed, for what lies over the rest. */
function layOutAll(): void {
  const styles = new CSSStyleSheet();
  styles.replaceSync("* { content-visibility: visible !important; }");
  document.adoptedStyleSheets.push(styles);
}

/**
 * Answers requests for an address with the files of a folder, as a static host does: with 404.html where there is none.
 * The headers are those of the host.
 */
export async function serveFolder(
  page: Page,
  address: string,
  folder: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  await page.route(`${address}**`, async (route) => {
    const path = new URL(route.request().url()).pathname.slice(new URL(address).pathname.length);
    const file = join(folder, path.endsWith("/") || path === "" ? `${path}index.html` : path);
    const body = await readFile(file).catch(() => undefined);
    if (body === undefined) {
      await route.fulfill({ status: 404, body: await readFile(join(folder, "404.html")), contentType: "text/html" });
    } else await route.fulfill({ body, headers: { ...headers, "content-type": types[extname(file)] ?? "text/plain" } });
  });
}

const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
};

import type { Browser, Page } from "playwright-core";
import { UserError } from "../../scripts/contract/failures.ts";

/** A mid-range phone with a poor connection: 1.6 Mbit/s, 150 ms round trip, a quarter of this CPU. */
const network = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const slowdown = 4;

export interface MeasuredPage {
  readonly address: string;
  /** Selector of the dialog that Ctrl K opens. `undefined` if operations can't be searched. */
  readonly searchDialog: string | undefined;
}

export interface SoughtTexts {
  readonly title: string;
  readonly path: string;
  /** Names of the operation's parameters and its body's properties. The first visible one counts. */
  readonly fields: readonly string[];
}

export const loadMetrics = {
  gzipped: { unit: "kB", goal: { ours: 30 } },
  brotli: { unit: "kB" },
  requests: { unit: "" },
  FCP: { unit: "ms" },
  LCP: { unit: "ms" },
  // The times until the path is readable, and until the name of a field is laid out, even below the visible
  // part.
  path: { unit: "ms", goal: { ours: 800 } },
  field: { unit: "ms", goal: { ours: 800 } },
  // The sum of the time that long tasks take above 50 ms each.
  blocking: { unit: "ms" },
  longestTask: { unit: "ms", goal: { ours: 50 } },
  shift: { unit: "", goal: { ours: 0 } },
  // From the first key until the title is among the results.
  search: { unit: "ms" },
};

declare global {
  interface Window {
    observed?: Record<"FCP" | "LCP" | "path" | "field" | "blocking" | "longestTask" | "shift", number>;
  }
}

/** Opens a page on a slow device in a fresh profile, and searches there. */
export async function loadPage(browser: Browser, host: string, measured: MeasuredPage, sought: SoughtTexts) {
  await using context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US" });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", network);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await page.addInitScript(observePage, sought);
  const urls: string[] = [];
  page.on("request", (request) => {
    if (request.url().startsWith(host)) urls.push(request.url());
  });
  await page.goto(host + measured.address, { waitUntil: "networkidle", timeout: 120_000 });
  // Pages keep working after loading, and late shifts and tasks count too.
  await page
    .waitForFunction(() => window.observed?.field !== Infinity, undefined, { timeout: 3e4 })
    .catch(() => undefined);
  await page.waitForTimeout(3000);
  const observed = await page.evaluate(() => window.observed);
  if (observed === undefined) throw new UserError(`${measured.address} was not observed`);
  const [gzipped, brotli] = [await sizeOf(urls, "gzip"), await sizeOf(urls, "br")];
  const search = await searchTime(page, measured, sought);
  // Nothing is visible before it is painted.
  const [path, field] = [Math.max(observed.path, observed.FCP), Math.max(observed.field, observed.FCP)];
  return { ...observed, path, field, gzipped, brotli, requests: urls.length, search };
}

/** The total kilobytes of some addresses, in the server's encoding. */
async function sizeOf(urls: readonly string[], coding: string): Promise<number> {
  const init = { method: "HEAD", headers: { "accept-encoding": coding } };
  const responses = await Promise.all(urls.map((url) => fetch(url, init)));
  return responses.reduce((sum, { headers }) => sum + Number(headers.get("content-length")), 0) / 1000;
}

/** Searches for a title as soon as the search accepts keys, including the time to load and build the search. */
async function searchTime(page: Page, { searchDialog }: MeasuredPage, { title }: SoughtTexts): Promise<number> {
  if (searchDialog === undefined) return NaN;
  const dialog = page.locator(searchDialog);
  await page.keyboard.press("Control+k");
  try {
    await dialog.locator("input").first().focus({ timeout: 10_000 });
    const start = performance.now();
    await page.keyboard.type(title);
    await dialog.getByText(title).filter({ visible: true }).first().waitFor({ timeout: 30_000 });
    return performance.now() - start;
  } catch {
    return Infinity;
  }
}

/** Runs in the page before its own scripts. */
function observePage({ path, fields }: SoughtTexts): void {
  if (window.top !== window) return;
  const observed = { FCP: 0, LCP: 0, path: Infinity, field: Infinity, blocking: 0, longestTask: 0, shift: 0 };
  window.observed = observed;
  const observe = (type: string, count: (entry: PerformanceEntry) => void) => {
    new PerformanceObserver((list) => void list.getEntries().map(count)).observe({ type, buffered: true });
  };
  observe("paint", ({ name, startTime }) => {
    if (name === "first-contentful-paint") observed.FCP = startTime;
  });
  observe("largest-contentful-paint", ({ startTime }) => {
    observed.LCP = startTime;
  });
  observe("longtask", ({ duration }) => {
    observed.blocking += duration - 50;
    observed.longestTask = Math.max(observed.longestTask, duration);
  });
  observe("layout-shift", (entry) => {
    if ("value" in entry && typeof entry.value === "number") observed.shift += entry.value;
  });

  // Renderers put zero-width spaces, and elements around parameters, into paths.
  const plain = (text: string | null) => (text ?? "").replaceAll(/[\s\u200b{}]/g, "");
  const lastSegment = path.split("/").findLast((segment) => segment !== "" && !segment.startsWith("{")) ?? "/";
  const isShown = (element: Element) =>
    element.getClientRects().length > 0 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const showsPath = (element: Element | null, levels = 6): boolean => {
    if (element === null || levels === 0) return false;
    if (!plain(element.textContent).endsWith(plain(path))) return showsPath(element.parentElement, levels - 1);
    const { top, bottom, left, right } = element.getBoundingClientRect();
    return isShown(element) && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
  };
  // Scripts are invisible, and names in samples are values.
  const filter = ({ nodeName }: Node) =>
    /^(?:head|script|style|pre|textarea)$/i.test(nodeName) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;
  const look = () => {
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, filter);
    const now = performance.now();
    let hasField = false;
    while (walker.nextNode()) {
      const { nodeValue: text, parentElement: element } = walker.currentNode;
      if (text === null || element === null) continue;
      if (observed.path === Infinity && text.includes(lastSegment) && showsPath(element)) observed.path = now;
      hasField ||= fields.includes(text.trim()) && isShown(element);
    }
    // Introductions also mention fields.
    if (observed.path !== Infinity && hasField) observed.field = now;
  };
  // Checking takes time itself. It runs after a frame is drawn, at most a fifth of the time.
  const lookAfterFrame = () => {
    requestAnimationFrame(() => {
      setTimeout(() => {
        const start = performance.now();
        look();
        if (observed.field === Infinity) setTimeout(lookAfterFrame, 4 * (performance.now() - start));
      });
    });
  };
  lookAfterFrame();
}

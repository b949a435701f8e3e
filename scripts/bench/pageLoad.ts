import type { Browser, Page } from "playwright-core";
import type { Operation } from "../contract/generation.ts";

/** What a telephone of the middle class has on a bad day: 1.6 Mbit/s, 150 ms there and back, a quarter of this CPU. */
const network = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const slowdown = 4;

/** What is looked for on an operation's page, as text. */
export interface SoughtTexts {
  readonly title: Operation["title"];
  readonly path: Operation["path"];
  /** Names of the operation's parameters, and of its body's properties: the first one to be seen counts. */
  readonly fields: readonly string[];
}

/** What loading a page was like. Times are in milliseconds. */
export interface PageLoad {
  /** What was loaded, from the same host. */
  readonly urls: readonly string[];
  readonly firstPaint: number;
  readonly largestPaint: number;
  /** Until the operation's path can be read in the window; `undefined` if that has not come about. */
  readonly path: number | undefined;
  /** Until the name of a field is laid out, too, even if one must scroll to it. */
  readonly field: number | undefined;
  /** The sum of what long tasks took beyond 50 ms each. */
  readonly blocking: number;
  readonly longestTask: number;
  /** The sum of all layout shifts. */
  readonly shift: number;
  /** From the first key to the title among the results; `undefined` if there is no search. */
  readonly search: number | undefined;
}

/** What the page's own clock has measured so far. */
type Observed = Omit<PageLoad, "urls" | "search">;

declare global {
  interface Window {
    observed?: () => Observed;
    /** When the title was found among the results of a search. */
    titleFound?: number;
  }
}

/**
 * Opens an address in a fresh profile of a slow device, and searches there by Ctrl K, which opens a dialog with a selector
 * of the renderer's own.
 */
export async function loadPage(
  browser: Browser,
  url: string,
  sought: SoughtTexts,
  searchDialog: string | undefined,
): Promise<PageLoad> {
  await using context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US" });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", network);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await page.addInitScript(observePage, sought);
  const { origin } = new URL(url);
  const urls: string[] = [];
  page.on("request", (request) => {
    if (request.url().startsWith(origin)) urls.push(request.url());
  });
  await page.goto(url, { waitUntil: "networkidle", timeout: 120_000 });
  // Pages go on working when they have loaded all, and a late shift or task counts too.
  const isSeen = () => {
    const { path, field } = window.observed?.() ?? {};
    return path !== undefined && field !== undefined;
  };
  await page.waitForFunction(isSeen, undefined, { timeout: 30_000 }).catch(() => undefined);
  await page.waitForTimeout(3000);
  const observed = await page.evaluate(() => window.observed?.());
  if (observed === undefined) throw new Error(`${url} was not observed`);
  const loaded = [...urls];
  const search = searchDialog === undefined ? undefined : await searchTime(page, searchDialog, sought.title);
  return { urls: loaded, ...observed, search };
}

/** Searches for a title as soon as the search takes keys. What it loads and builds for that counts. */
async function searchTime(page: Page, dialog: string, title: string): Promise<number | undefined> {
  await page.keyboard.press("Control+k");
  const input = page.locator(dialog).locator("input").first();
  try {
    await input.waitFor({ timeout: 10_000 });
    await input.focus();
    await page.evaluate(observeResults, { dialog, title });
    await page.keyboard.type(title);
    await page.waitForFunction(() => window.titleFound !== undefined, undefined, { timeout: 30_000 });
  } catch {
    return undefined;
  }
  return page.evaluate(() => window.titleFound);
}

/** Runs in the page before its own scripts. */
function observePage({ path, fields }: SoughtTexts): void {
  if (window.top !== window) return;
  const times: { path?: number; field?: number } = {};
  let largestPaint = 0;
  let blocking = 0;
  let longestTask = 0;
  let shift = 0;
  const observe = (type: string, count: (entry: PerformanceEntry) => void) => {
    new PerformanceObserver((list) => {
      list.getEntries().forEach(count);
    }).observe({ type, buffered: true });
  };
  observe("largest-contentful-paint", ({ startTime }) => {
    largestPaint = startTime;
  });
  observe("longtask", ({ duration }) => {
    blocking += duration - 50;
    longestTask = Math.max(longestTask, duration);
  });
  observe("layout-shift", (entry) => {
    if ("value" in entry && typeof entry.value === "number") shift += entry.value;
  });

  // Renderers put spaces without width, and marks around parameters, into paths.
  const plain = (text: string | null) => (text ?? "").replaceAll(/[\s\u200b{}]/g, "");
  const wholePath = plain(path);
  const lastSegment = path.split("/").findLast((segment) => segment !== "" && !segment.startsWith("{")) ?? "/";
  const isShown = (element: Element) =>
    element.getClientRects().length > 0 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const isInWindow = (element: Element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    return bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
  };
  const showsPath = (text: Node) => {
    let element = text.parentElement;
    for (let level = 0; level < 6 && element !== null; level += 1, element = element.parentElement) {
      const isWhole = plain(element.textContent).endsWith(wholePath);
      if (isWhole) return isShown(element) && isInWindow(element);
    }
    return false;
  };
  const showsField = (text: Text) =>
    fields.includes(text.data.trim()) && text.parentElement !== null && isShown(text.parentElement);
  const look = () => {
    const body = document.querySelector("body");
    if (body === null) return;
    // In scripts there is nothing to be seen, and in samples names are values.
    const walker = document.createTreeWalker(body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
      if (node instanceof Text) return NodeFilter.FILTER_ACCEPT;
      return /^(?:script|style|pre|textarea)$/i.test(node.nodeName) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
    });
    const now = performance.now();
    let hasField = false;
    while (walker.nextNode()) {
      const text = walker.currentNode;
      if (!(text instanceof Text)) continue;
      if (times.path === undefined && text.data.includes(lastSegment) && showsPath(text)) times.path = now;
      hasField ||= showsField(text);
    }
    // Introductions mention fields, too.
    if (times.path !== undefined && hasField) times.field ??= now;
  };
  // Looking costs time itself: it comes after a frame is drawn, and at most a fifth of the time.
  const lookAfterFrame = () => {
    requestAnimationFrame(() => {
      setTimeout(() => {
        const start = performance.now();
        look();
        if (times.path !== undefined && times.field !== undefined) return;
        setTimeout(lookAfterFrame, 4 * (performance.now() - start));
      });
    });
  };
  lookAfterFrame();

  window.observed = () => {
    const firstPaint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
    // Nothing is seen before it is painted.
    const seen = (time: number | undefined) => (time === undefined ? undefined : Math.max(time, firstPaint));
    return {
      firstPaint,
      largestPaint,
      path: seen(times.path),
      field: seen(times.field),
      blocking,
      longestTask,
      shift,
    };
  };
}

/** Runs in the page when its search is open. */
function observeResults({ dialog, title }: { readonly dialog: string; readonly title: string }): void {
  const plain = (text: string | null) => (text ?? "").replaceAll(/\s/g, "").toLowerCase();
  const sought = plain(title);
  // What is found may be marked letter by letter, or have words before and after it that only screen readers say.
  const showsTitle = (element: Element) =>
    [element, ...element.childNodes].some((node) => plain(node.textContent) === sought);
  let start: number | undefined;
  const look = () => {
    const isFound = [...document.querySelectorAll(`:is(${dialog}) *`)].some(
      (element) => showsTitle(element) && element.checkVisibility(),
    );
    if (isFound && start !== undefined) window.titleFound = performance.now() - start;
    else requestAnimationFrame(look);
  };
  addEventListener(
    "keydown",
    ({ timeStamp }) => {
      start ??= timeStamp;
    },
    true,
  );
  requestAnimationFrame(look);
}

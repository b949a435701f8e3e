import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import type { Generation, Operation } from "../../scripts/contract/generation.ts";
import { countOf } from "../../scripts/contract/text.ts";
import { readAddresses } from "../../scripts/docs/model/addresses.ts";
import { flattenFields } from "../../scripts/docs/model/fields.ts";
import { readOperationModel, type OperationModel } from "../../scripts/docs/model/operationModel.ts";
import { findViolations, layoutRules, serveFolder, watch } from "./browser.ts";
import { readHtml } from "./htmlPage.ts";
import { it } from "./it.ts";
import { siteUrl } from "./sharedDocs.ts";
import type { Docs } from "./start.ts";

let browser: Browser;
let docs: Docs;
let generations: readonly Generation[];
let operations: readonly OperationPage[];
let published: string;

interface OperationPage {
  readonly path: string;
  readonly content: OperationModel;
}

it.beforeAll(async ({ browser: launched, docs: started, published: folder }) => {
  [browser, docs, published] = [launched, started, folder];
  generations = await readBuiltGenerations();
  operations = generations.flatMap((generation) =>
    [...readAddresses(generation).operations].map(([operation, path]) => ({
      path,
      content: readOperationModel(generation, operation),
    })),
  );
});

/** One page of each type; of operations the one with the longest path and the one with the most fields. */
function pageTypes(): readonly string[] {
  const [newest] = generations.toReversed();
  if (newest === undefined) throw new Error("no generation");
  const { generation, groups, schemas } = readAddresses(newest);
  const longest = operations.toSorted((a, b) => b.content.operation.path.length - a.content.operation.path.length);
  const deepest = operations.toSorted((a, b) => fieldNames(b.content).length - fieldNames(a.content).length);
  const firstGroup = [...groups].find(([group]) => group.operations.length > 0)?.[1];
  return [
    ...["", generation, firstGroup, [...schemas.values()][0], longest[0]?.path, deepest[0]?.path],
    ...["guides/", "guides/authentication/", "guides/reschedule-booking/"],
    ...["authentication/", "errors/", "unspecified/", "downloads/", "404.html"],
  ].filter((path) => path !== undefined);
}

/** Nobody sends the requests of webhooks, so they have no samples. */
function isWebhook(operation: Operation): boolean {
  return generations.some(({ webhooks }) => webhooks.includes(operation));
}

function fieldNames({ parameters, requestBody, responses }: OperationModel): readonly string[] {
  const fields = [
    ...parameters.flatMap((list) => list.fields),
    ...[requestBody?.media ?? [], ...responses.map(({ media }) => media)].flat().map(({ field }) => field),
  ];
  return flattenFields(fields).flatMap(({ name }) => (name === "" ? [] : [name]));
}

const widths = [390, 768, 1280, 1440, 1920];

/** How much wider a page is than the window. */
const readOverflow = "document.documentElement.scrollWidth - innerWidth";

describe("every page", { timeout: 120_000 }, () => {
  it("has nothing that axe finds fault with, and loads nothing from another host", async () => {
    await using watched = await watch(browser, docs.url);
    const { page, faults } = watched;
    for (const path of pageTypes()) {
      await page.goto(`${docs.url}/${path}`);
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        // On a smaller screen, only what depends on the places and the sizes of things can be another.
        const found = await findViolations(page, width === 1440 ? undefined : layoutRules);
        expect([path, width, found, await page.evaluate(readOverflow)]).toEqual([path, width, [], 0]);
      }
      for (const width of [320, 640, 768, 1280, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        expect([path, width, await page.evaluate(readOverflow)]).toEqual([path, width, 0]);
      }
      await page.setViewportSize({ width: 390, height: 900 });
      await page.evaluate('document.documentElement.style.fontSize = "200%"');
      expect([path, "200 %", await page.evaluate(readOverflow)]).toEqual([path, "200 %", 0]);
      expect(faults.splice(0).filter((fault) => !fault.includes("404"))).toEqual([]);
      expect([path, await page.evaluate(loadFromOtherHost)]).toEqual([path, "https://other.example/pixel.png"]);
      faults.length = 0;
    }
  });

  it("has content that the first Tab leads to", async () => {
    await using watched = await watch(browser, docs.url);
    const { page } = watched;
    await page.goto(docs.url);
    await page.keyboard.press("Tab");
    expect(await page.locator(":focus").innerText()).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    expect(await page.locator(":focus").getAttribute("id")).toBe("content");
  });
});

/** Runs in the page: gives what its overview shows, and where that ends. */
function readOverview(): { readonly text: string; readonly end: number } {
  const overview = document.querySelector<HTMLElement>(".overview");
  const facts = overview?.querySelector(".facts");
  return {
    text: overview?.innerText.replaceAll(/\s+/g, " ") ?? "",
    end: facts?.getBoundingClientRect().bottom ?? Infinity,
  };
}

/** Runs in the page: gives the sections that do not stand in this order, one below another. */
function findMisplaced(): readonly string[] {
  const topOf = (id: string) => document.getElementById(id)?.closest("section, aside")?.getBoundingClientRect().top;
  const places = ["request-body", "examples", "responses"].map((id) => ({ id, top: topOf(id) ?? -Infinity }));
  return places
    .filter(({ top }, index) => places.slice(0, index).some((before) => before.top >= top))
    .map(({ id }) => id);
}

/** Runs in the page: resolves to the address that its Content-Security-Policy kept it from loading. */
function loadFromOtherHost(): Promise<string> {
  return new Promise((resolve) => {
    document.addEventListener("securitypolicyviolation", ({ blockedURI }) => {
      resolve(blockedURI);
    });
    new Image().src = "https://other.example/pixel.png";
  });
}

describe("an operation's page", { timeout: 120_000 }, () => {
  // One visit to each page, whose parts take longer than the checks.
  it("breaks no word of its samples, begins with the key facts, opens the targets of links, and prints completely", async () => {
    await using watched = await watch(browser, docs.url);
    const { page, faults } = watched;
    const types = pageTypes();
    for (const { path, content } of operations) {
      const { operation, unspecified, success } = content;
      // Where there is room for the words of samples, and long ones begin at the call.
      for (const width of types.includes(path) ? [1440, 1280] : [1280]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`${docs.url}/${path}`);
        expect([path, width, await page.evaluate(findBroken)]).toEqual([path, width, []]);
      }
      const count = unspecified.flatMap(({ gaps }) => gaps).length;
      const { title, method, path: template } = operation;
      // Between a phone and a desktop, the longest overviews stand for all.
      for (const width of types.includes(path) ? widths : [390, 1280]) {
        await page.setViewportSize({ width, height: 844 });
        const { text, end } = await page.evaluate(readOverview);
        for (const part of [title, method.toUpperCase(), template, ...success, String(count)]) {
          expect(text).toContain(part);
        }
        expect(end).toBeLessThan(844);
        if (width === 390) expect([path, await page.evaluate(findMisplaced)]).toEqual([path, []]);
      }
      const wide = await page
        .locator(".samples pre")
        .evaluateAll((blocks) => blocks.filter((block) => block.scrollWidth > block.clientWidth).length);
      expect([path, wide]).toEqual([path, 0]);
      await page.setViewportSize({ width: 320, height: 844 });
      expect([path, await page.evaluate(readOverflow)]).toEqual([path, 0]);
      const anchors = unspecified.map(({ anchor }) => anchor);
      expect([path, await page.evaluate(findMissed, anchors)]).toEqual([path, []]);
      await page.emulateMedia({ media: "print" });
      await page.evaluate('document.documentElement.dataset.theme = "dark"');
      expect([path, await page.evaluate(readPrint)]).toEqual([
        path,
        { hidden: [], overflowing: 0, languages: isWebhook(operation) ? [] : ["typescript"], colors: "light" },
      ]);
      await page.emulateMedia({ media: null });
    }
    expect(faults).toEqual([]);
  });

  it("is all there without JavaScript, and offers nothing that needs it", async () => {
    await using watched = await watch(browser, docs.url, { javaScriptEnabled: false });
    const { page, faults } = watched;
    for (const { path, content } of operations) {
      const { main } = readHtml(await readFile(join(docs.folder, path, "index.html"), "utf8"));
      for (const name of fieldNames(content)) expect(main.text).toContain(name);
    }
    for (const path of pageTypes()) {
      await page.goto(`${docs.url}/${path}`);
      const hidden = await page
        .locator("main figure pre")
        .evaluateAll((blocks) => blocks.filter((block) => !block.checkVisibility()).map(({ ariaLabel }) => ariaLabel));
      expect([path, hidden]).toEqual([path, []]);
      const buttons = page.locator("main button, .search-button, .theme-button").filter({ visible: true });
      expect([path, await buttons.count()]).toEqual([path, 0]);
    }
    expect(faults.filter((fault) => !fault.includes("404"))).toEqual([]);
  });

  it("keeps the choice of a language and of a theme for other pages", async () => {
    await using watched = await watch(browser, docs.url);
    const { page } = watched;
    const [first, second] = operations.filter(({ content }) => content.operation.method !== "get");
    await page.goto(`${docs.url}/${first?.path ?? ""}`);
    await page.getByRole("button", { name: "curl" }).first().click();
    const light = await backgroundOf(page);
    const theme = page.getByRole("button", { name: "Theme" });
    expect(await theme.textContent()).toMatch(/^\s*Theme: system\s*$/);
    await theme.click();
    expect(await theme.textContent()).toContain("Theme: dark");
    const background = await backgroundOf(page);
    await page.goto(`${docs.url}/${second?.path ?? ""}`);
    expect(await page.locator(".sample:visible").first().innerText()).toContain("curl");
    expect(await page.locator('.sample[data-language="typescript"]:visible').count()).toBe(0);
    expect(await backgroundOf(page)).toBe(background);
    expect(background).not.toBe(light);
    await theme.click();
    expect([await theme.textContent(), await backgroundOf(page)]).toEqual([expect.stringContaining("light"), light]);
    await theme.click();
    expect(await theme.textContent()).toContain("Theme: system");
  });

  it("keeps its buttons with large text, its headings with forced colors, and the addresses of its links on paper", async () => {
    await using watched = await watch(browser, docs.url);
    const { page } = watched;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${docs.url}/v2/bookings/reschedule-booking/`);
    const colorOf = (selector: string) =>
      page.locator(selector).evaluate((element) => {
        return getComputedStyle(element).color;
      });
    await page.emulateMedia({ forcedColors: "active" });
    expect(await colorOf("#responses .anchor")).toBe(await colorOf("#responses"));
    expect(await colorOf("p:not([class]) a[href$='errors/']")).not.toBe(await colorOf("#responses"));
    await page.emulateMedia({ forcedColors: "none" });
    await page.evaluate('document.documentElement.style.fontSize = "200%"');
    const button = await page.locator(".theme-button svg, .theme-button").first().boundingBox();
    expect(button && button.x + button.width).toBeLessThanOrEqual(390);
    await page.evaluate('dispatchEvent(new Event("beforeprint"))');
    expect(
      await page.getByRole("main").getByRole("link", { name: "Errors", exact: true }).last().getAttribute("href"),
    ).toBe(`${docs.url}/errors/`);
  });

  it("shows one example at a time, a response together with its request", async () => {
    await using watched = await watch(browser, docs.url);
    const { page } = watched;
    const several = operations.filter(({ content }) => content.examples.length > 1);
    expect(several.length).toBeGreaterThan(0);
    for (const { path, content } of several) {
      await page.goto(`${docs.url}/${path}`);
      const choices = page.locator(".examples button");
      expect([path, await choices.count()]).toEqual([path, content.examples.length]);
      for (const [index, { request, response }] of content.examples.entries()) {
        await choices.nth(index).click();
        expect(await page.locator('.examples [aria-pressed="true"]').count()).toBe(1);
        const headings = await page.locator(".exchange h3").filter({ visible: true }).allInnerTexts();
        const expected = [request?.summary, response?.summary].filter((summary) => summary !== undefined);
        for (const summary of expected)
          expect([path, headings.join()]).toEqual([path, expect.stringContaining(summary)]);
        expect(headings.length).toBeLessThanOrEqual(2);
      }
    }
  });

  it("opens all of its fields at once, and folds them again", async () => {
    await using watched = await watch(browser, docs.url);
    const { page } = watched;
    for (const path of ["v2/bookings/reschedule-booking/", "v2/schemas/booking/"]) {
      await page.goto(`${docs.url}/${path}`);
      const fields = page.locator("details.nested:not(.note)");
      const open = page.locator("details.nested[open]:not(.note)");
      if ((await open.count()) < (await fields.count())) await page.getByRole("button", { name: "Expand all" }).click();
      expect(await open.count()).toBe(await fields.count());
      await page.getByRole("button", { name: "Collapse all" }).click();
      expect(await open.count()).toBe(0);
      // Opened by hand, the last one leaves only folding to the button.
      for (const summary of await page.locator("details.nested > summary").all()) await summary.click();
      await page.getByRole("button", { name: "Collapse all" }).waitFor();
      await page.locator("details.nested:not(.note) > summary").first().press("Enter");
      await page.getByRole("button", { name: "Expand all" }).waitFor();
    }
  });

  it.each([true, false])("shows one alternative of a body at a time (with scripts: %s)", async (javaScriptEnabled) => {
    await using watched = await watch(browser, docs.url, { javaScriptEnabled });
    const { page } = watched;
    const alternativesOf = ({ requestBody }: OperationModel) =>
      requestBody?.media.flatMap(({ field }) => field.alternatives) ?? [];
    const pages = operations.filter(({ content }) => alternativesOf(content).length > 0);
    expect(pages.length).toBeGreaterThan(0);
    for (const { path, content } of pages) {
      const alternatives = alternativesOf(content);
      const expectShown = async (anchor: string | undefined) => {
        for (const one of alternatives) {
          const isShown = await page.locator(`[id="${one.anchor}"]`).isVisible();
          expect([path, one.anchor, isShown]).toEqual([path, one.anchor, one.anchor === anchor]);
        }
      };
      await page.goto(`${docs.url}/${path}`);
      await expectShown(alternatives[0]?.anchor);
      const tabs = page.locator("#request-body ~ .body .alternatives summary");
      const tops = await tabs.evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().top));
      expect([tops.length, new Set(tops).size]).toEqual([alternatives.length, 1]);
      for (const { name, anchor } of alternatives.toReversed()) {
        await tabs.filter({ hasText: name }).press("Enter");
        await expectShown(anchor);
      }
      const last = alternatives.at(-1)?.anchor ?? "";
      await page.goto(`${docs.url}/${path}#${last}`);
      await expectShown(last);
      if (javaScriptEnabled) expect(await findViolations(page)).toEqual([]);
    }
  });

  it("copies its path and its samples", async () => {
    await using watched = await watch(browser, docs.url, { permissions: ["clipboard-read", "clipboard-write"] });
    const { page } = watched;
    const [{ path, content }] = [operations[0] ?? failure()];
    await page.goto(`${docs.url}/${path}`);
    await page.getByRole("button", { name: "Copy path" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(content.operation.path);
    const sample = page.locator(".sample.chosen").first();
    await sample.getByRole("button", { name: "Copy" }).click();
    await sample.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(await sample.locator("code").textContent());
  });

  it("copies the address of a heading or a field, which the arrow keys lead to", async () => {
    await using watched = await watch(browser, docs.url, { permissions: ["clipboard-read", "clipboard-write"] });
    const { page } = watched;
    const { path } = operations.find(({ content }) => content.parameters.length > 0) ?? failure();
    await page.clock.install();
    await page.goto(`${docs.url}/${path}`);
    const status = page.locator("h3 .anchor:has(code)").first();
    const markup = await status.innerHTML();
    await status.press("Enter");
    await page.locator('h3 .anchor[data-outcome="Copied"]').waitFor();
    await page.clock.runFor(5_000);
    expect(await page.locator("[data-outcome]").count()).toBe(0);
    expect(await status.innerHTML()).toBe(markup);
    // The signs that lead to addresses are no part of a name.
    const named = page.getByRole("heading", { name: "Responses", exact: true });
    expect(await named.getAttribute("id")).toBe("responses");
    await page.locator("h2 .anchor").first().focus();
    for (const [keys, selector] of [
      [["Enter"], "h2 .anchor"],
      [["ArrowDown", "Enter"], ".field .anchor"],
      [["ArrowDown", "ArrowUp", "Enter"], ".field .anchor"],
    ] as const) {
      for (const key of keys) await page.keyboard.press(key);
      await page.locator(`${selector}:focus[data-outcome="Copied"]`).waitFor();
      const address = await page.evaluate<string>("navigator.clipboard.readText()");
      expect(address).toBe(page.url());
      expect(address).toContain(await page.locator(selector).first().getAttribute("href"));
    }
  });
});

/**
 * Runs in the page: gives the words of samples that are broken into lines, the lines that begin below their indentation,
 * and the long samples of which the call is not what is seen first.
 */
function findBroken(): readonly string[] {
  const hidden = [...document.querySelectorAll(".sample:not(.chosen), .samples .exchange:not(.chosen)")];
  for (const sample of hidden) sample.classList.add("chosen");
  const topsIn = (text: Text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    const [box, ...more] = range.getClientRects();
    // Most texts are a word on one line, whose characters needn't be measured one by one.
    if (box !== undefined && more.length === 0) return Array<number>(text.length).fill(box.top);
    return Array.from(text.data, (_, index) => {
      range.setStart(text, index);
      range.setEnd(text, index + 1);
      return range.getBoundingClientRect().top;
    });
  };
  const found = [...document.querySelectorAll(".samples pre code")].flatMap((code) => {
    const tops: number[] = [];
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) if (texts.currentNode instanceof Text) tops.push(...topsIn(texts.currentNode));
    const parts = [...code.textContent.matchAll(/(?<=^ *) \S|\w+/gm)];
    const broken = parts.filter(
      ({ 0: part, index }) => new Set(tops.slice(index, index + part.length).map(Math.round)).size > 1,
    );
    const pre = code.parentElement;
    const first = code.querySelector(".call");
    const isLong = pre !== null && pre.scrollHeight > pre.clientHeight + 1;
    const isAtEnd = pre !== null && pre.scrollTop + pre.clientHeight > pre.scrollHeight - 2;
    const start = first && pre ? first.getBoundingClientRect().bottom - pre.getBoundingClientRect().top : 0;
    const isSeenFirst = !isLong || isAtEnd || (start > -2 && start < 60);
    return [...broken.map(([part]) => part), ...(isSeenFirst ? [] : [`${pre.ariaLabel}: ${start}`])];
  });
  for (const sample of hidden) sample.classList.remove("chosen");
  return found;
}

/** Runs in the page: follows links to places, and gives those that are not shown, or that no link of the overview leads to. */
async function findMissed(ids: readonly string[]): Promise<readonly string[]> {
  const goTo = async (hash: string) => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    addEventListener("hashchange", () => setTimeout(resolve), { once: true });
    location.hash = hash;
    await promise;
  };
  const missed: string[] = [];
  for (const id of ids) {
    const isLinked = document.querySelector(`.unspecified-list a[href="#${id}"]`) !== null;
    await goTo(id);
    const isShown = document.getElementById(id)?.checkVisibility() ?? false;
    if (!isLinked || !isShown) missed.push(id);
    await goTo("");
  }
  return missed;
}

/** Runs in the page, in print: gives what is hidden of it, how many blocks of code are cut off, and the languages. */
function readPrint() {
  const select = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
  const hidden = select("main :is(figure, .fields, .unspecified-list) *")
    .filter((element) => element.closest("button, .fields summary, .sample:not(.chosen)") === null)
    .filter((element) => element.textContent.trim() !== "")
    // What is laid out by its contents has no box of its own.
    .filter((element) => getComputedStyle(element).display !== "contents")
    .filter((element) => !element.checkVisibility({ contentVisibilityAuto: true }))
    .map(({ textContent }) => textContent);
  const overflowing = select("pre").filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1).length;
  const samples = select(".sample").filter((sample) => sample.checkVisibility());
  const colors = getComputedStyle(document.documentElement).colorScheme;
  const languages = [...new Set(samples.map((sample) => sample.dataset["language"]))];
  return { hidden, overflowing, languages, colors };
}

function failure(): never {
  throw new Error("there is no operation");
}

async function backgroundOf(page: Page): Promise<unknown> {
  return page.evaluate("getComputedStyle(document.body).backgroundColor");
}

describe("the site", { timeout: 120_000 }, () => {
  it.each(["a sub-path of a host", "file://"])("works from %s: from the start page to an operation", async (place) => {
    const address = place === "file://" ? `${pathToFileURL(published).href}/` : siteUrl;
    await using watched = await watch(browser, address);
    const { page, faults } = watched;
    if (place !== "file://") await serveFolder(page, siteUrl, published);
    const menu = page.getByRole("navigation", { name: "Site" });
    for (const generation of generations) {
      await page.goto(`${address}index.html`);
      const count = `${generation.name} ${countOf(generation.operations.length, "operation")}`;
      await menu.getByRole("link", { name: count, exact: true }).click();
      await page.getByRole("heading", { level: 1, name: generation.title }).waitFor();
      const group = generation.groups.find(({ operations: own }) => own.length > 0);
      await menu.getByRole("link", { name: group?.title ?? "", exact: true }).click();
      await page.getByRole("heading", { level: 1, name: group?.title ?? "" }).waitFor();
      const title = group?.operations[0]?.title ?? "";
      await menu.getByRole("link", { name: title }).first().click();
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      await page.locator(".sample:visible").first().waitFor();
    }
    expect(faults).toEqual([]);
  });

  it("leads from a page that isn't there, at any depth under a sub-path, to the start page", async () => {
    await using watched = await watch(browser, siteUrl);
    const { page } = watched;
    await serveFolder(page, siteUrl, published);
    for (const path of ["nothing", "v2/nothing/at/all/"]) {
      const response = await page.goto(siteUrl + path);
      expect(response?.status()).toBe(404);
      await page
        .getByRole("status")
        .getByText(/result|Nothing/)
        .waitFor();
      await page.getByRole("main").getByRole("link").first().click();
      await page.waitForURL(siteUrl);
    }
  });

  it("lists the nearest pages for an unknown address, under a sub-path and beside the mock", async () => {
    await using watched = await watch(browser, siteUrl);
    const { page } = watched;
    await serveFolder(page, siteUrl, published);
    for (const root of [siteUrl, `${docs.url}/`]) {
      await page.goto(`${root}v2/bookings/reschedule-bookings.html`);
      await page.getByRole("option", { name: "Reschedule a booking" }).first().click();
      await page.waitForURL(`${root}v2/bookings/reschedule-booking/`);
    }
  });

  it("opens the menu on a phone, and closes it with Escape, without a script too", async () => {
    for (const javaScriptEnabled of [true, false]) {
      await using watched = await watch(browser, docs.url, {
        viewport: { width: 390, height: 844 },
        javaScriptEnabled,
      });
      const { page } = watched;
      await page.goto(`${docs.url}/${operations[0]?.path ?? ""}`);
      const menu = page.locator("nav#menu");
      expect(await menu.isVisible()).toBe(false);
      await page.getByRole("button", { name: "Menu" }).click();
      expect(await menu.isVisible()).toBe(true);
      if (javaScriptEnabled) expect(await findViolations(page)).toEqual([]);
      await page.keyboard.press("Escape");
      expect(await menu.isVisible()).toBe(false);
    }
  });
});

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect } from "vitest";
import { countOf } from "../../scripts/values/text.ts";
import type { OperationModel } from "../../scripts/docs/model/operationModel.ts";
import { findViolations, serveFolder, watch, type Watched } from "./browser.ts";
import { readHtml } from "./htmlPage.ts";
import { it } from "./it.ts";
import {
  expectNoViolations,
  expectOneExample,
  expectReadable,
  expectToFit,
  extremeOperations,
  fieldNames,
  generations,
  mainPages,
  operations,
  otherPages,
} from "./pageChecks.ts";
import { siteUrl } from "./sharedDocs.ts";
import type { Docs } from "./start.ts";

let browser: Browser;
let docs: Docs;
let published: string;

it.beforeAll(({ browser: launched, docs: started, published: folder }) => {
  [browser, docs, published] = [launched, started, folder];
});

/** A page that tests visit one after another: a new one for each would take longer than most of them do. */
function sharePage(): () => Watched {
  let shared: Watched | undefined;
  beforeAll(async () => {
    shared = await watch(browser, docs.url);
    return () => shared?.[Symbol.asyncDispose]();
  });
  return () => {
    shared?.faults.splice(0);
    return shared ?? failure();
  };
}

describe("a page", () => {
  const visit = sharePage();

  it.each(mainPages())("has nothing that axe finds fault with: /%s", async (path) => {
    await expectNoViolations(visit().page, `${docs.url}/${path}`);
  });

  it.each([...mainPages(), ...otherPages()])("fits, and loads nothing from another host: /%s", async (path) => {
    const { page, faults } = visit();
    await expectToFit(page, `${docs.url}/${path}`);
    // The page that isn't there, and what the check itself has tried to load.
    expect(faults.filter((fault) => !/404|other\.example/.test(fault))).toEqual([]);
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

describe("an operation's page", () => {
  const visit = sharePage();

  it.each(extremeOperations())("is readable on screens and on paper: /$path", async ({ path, content }) => {
    const { page, faults } = visit();
    await expectReadable(page, `${docs.url}/${path}`, content);
    expect(faults).toEqual([]);
  });

  it("shows one example at a time, a response together with its request", async () => {
    const [most] = operations.toSorted((a, b) => b.content.examples.length - a.content.examples.length);
    const { path, content } = most ?? failure();
    expect(content.examples.length).toBeGreaterThan(1);
    await expectOneExample(visit().page, `${docs.url}/${path}`, content);
  });

  it("is all there without JavaScript, and offers nothing that needs it", async () => {
    await using watched = await watch(browser, docs.url, { javaScriptEnabled: false });
    const { page, faults } = watched;
    for (const { path, content } of operations) {
      const { main } = readHtml(await readFile(join(docs.folder, path, "index.html"), "utf8"));
      for (const name of fieldNames(content)) expect(main.text).toContain(name);
    }
    for (const path of mainPages()) {
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

function failure(): never {
  throw new Error("there is no operation");
}

async function backgroundOf(page: Page): Promise<unknown> {
  return page.evaluate("getComputedStyle(document.body).backgroundColor");
}

describe("the site", () => {
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

  it("has its styles where the host allows none within pages", async () => {
    await using watched = await watch(browser, siteUrl);
    const { page } = watched;
    await serveFolder(page, siteUrl, published, { "content-security-policy": "default-src 'self'" });
    await page.goto(siteUrl + (operations[0]?.path ?? ""));
    const fontOf = () => getComputedStyle(document.body).fontFamily;
    await expect.poll(() => page.evaluate(fontOf)).toMatch(/Hanken/);
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
      if (javaScriptEnabled) expect(await findViolations(page, undefined, "#menu")).toEqual([]);
      await page.keyboard.press("Escape");
      expect(await menu.isVisible()).toBe(false);
    }
  });
});

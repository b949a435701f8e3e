import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { watch } from "./browser.ts";
import { it } from "./it.ts";

let folder: string;
let browser: Browser;

it.beforeAll(({ browser: launched, docs }) => {
  browser = launched;
  ({ folder } = docs);
});

function addressOf(path: string): string {
  return `${pathToFileURL(folder).href}/${path}`;
}

async function open(path: string, javaScriptEnabled = true): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    javaScriptEnabled,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await page.goto(addressOf(path));
  return page;
}

describe("the list of gaps, in a browser and from disk", () => {
  const rowsOf = (page: Page) => page.locator("tr[data-kind]:visible");

  it("is filtered by generation, group and kind, which stay in the address", async () => {
    const page = await open("unspecified/index.html");
    const all = await rowsOf(page).count();
    expect(await page.getByRole("status").textContent()).toBe(`${String(all)} shown`);
    await page.getByLabel("Generation").selectOption("v2");
    await page.getByLabel("Kind").selectOption("unit");
    const texts = await rowsOf(page).allTextContents();
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.filter((text) => !/\bunit\b/.test(text))).toEqual([]);
    expect(await page.getByRole("status").textContent()).toBe(`${String(texts.length)} of ${String(all)} shown`);
    expect(await page.locator("main h2", { hasText: "v1" }).isVisible()).toBe(false);
    const { searchParams } = new URL(page.url());
    expect([...searchParams]).toEqual([
      ["generation", "v2"],
      ["kind", "unit"],
    ]);
    await page.context().close();
  });

  it("is filtered by the address, and ignores invalid choices", async () => {
    const page = await open("unspecified/index.html");
    await page.goto(`${addressOf("unspecified/index.html")}?group=bookings&kind=nothing`);
    expect(await page.getByLabel("Group").inputValue()).toBe("bookings");
    expect(await page.getByLabel("Kind").inputValue()).toBe("");
    const groups = await rowsOf(page).evaluateAll((rows) => rows.map((row) => row.getAttribute("data-group")));
    expect(groups.length).toBeGreaterThan(0);
    expect(groups.filter((group) => group?.split(" ").includes("bookings") !== true)).toEqual([]);
    await page.context().close();
  });

  it("is all there without scripts", async () => {
    const page = await open("unspecified/index.html?kind=unit", false);
    expect(await page.locator("tr[data-kind]:visible").count()).toBe(await page.locator("tr[data-kind]").count());
    expect(await page.getByLabel("Kind").isVisible()).toBe(false);
    await page.context().close();
  });
});

it.each(["v2/bookings/reschedule-booking/index.html", "typescript/first-steps/index.html"])(
  "%s has its styles, and the reader's theme and language, before any script is loaded, from disk too",
  async (path) => {
    await using watched = await watch(browser, pathToFileURL(folder).href);
    const { page, faults } = watched;
    await page.addInitScript(() => {
      localStorage.setItem("docs.theme", "dark");
      localStorage.setItem("docs.language", "curl");
    });
    let isLoaded = false;
    await page.route("**/assets/site-*.js", async (route) => {
      // By then, the page is parsed: it waits for this alone.
      await page.locator("footer").waitFor();
      expect(await page.locator(".theme").textContent()).toBe("dark");
      expect(await page.evaluate(() => getComputedStyle(document.body).display)).toBe("grid");
      const shown = page.locator(".sample:visible");
      const languages = await shown.evaluateAll((all) => all.map((one) => one.getAttribute("data-language")));
      expect(new Set(languages)).toEqual(new Set(languages.length > 0 ? ["curl"] : []));
      isLoaded = true;
      await route.continue();
    });
    await page.goto(addressOf(path));
    expect(isLoaded).toBe(true);
    expect(faults).toEqual([]);
  },
);

/** Runs in the page: the rules of a stylesheet, in one spelling. */
function readRules(text: string | undefined): readonly string[] {
  const sheet = text === undefined ? document.adoptedStyleSheets[0] : new CSSStyleSheet();
  if (text !== undefined) sheet?.replaceSync(text);
  // Values with custom properties and conditions are kept as they are written. The font's name has its digest.
  const spelling = /(?<=,|@supports \([\w-]+:)\s+|\b0(?=\.)|-[\da-f]{12}(?=\.woff2)/g;
  return Array.from(sheet?.cssRules ?? [], ({ cssText }) => cssText.replaceAll(spelling, "").replaceAll(/\s+/g, " "));
}

it("all styles equal their sources without comments and white space", async () => {
  const name = (await readdir(join(folder, "assets"))).find((file) => file.endsWith(".css")) ?? "";
  const styles = await readFile(join(folder, "assets", name), "utf8");
  const readSource = (file: string) => readFile(`scripts/docs/site/${file}`, "utf8");
  const page = await open("v2/bookings/reschedule-booking/index.html");
  const source = (await readSource("base.css")) + (await readSource("site.css"));
  expect(await page.evaluate(readRules, styles)).toEqual(await page.evaluate(readRules, source));
  expect(styles).not.toMatch(/\/\*|\n| {2}|: /);
  await page.getByRole("button", { name: "Try it" }).click();
  await page.locator(".try-it form").waitFor();
  const ofForm = await page.evaluate(readRules, undefined);
  expect(ofForm.length).toBeGreaterThan(10);
  expect(ofForm).toEqual(await page.evaluate(readRules, await readSource("try-it.css")));
  await page.context().close();
});

// The pages of other types are held against this width, and others, with what axe finds.
it.each(["v2/orgs-teams/index.html", "v2/schemas/booking/index.html"])("%s fits on a phone", async (path) => {
  const page = await open(path);
  await page.setViewportSize({ width: 320, height: 900 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.context().close();
});

it("the number of a step stands before its heading, and the arrow to the next guide after its title", async () => {
  const page = await open("guides/reschedule-booking/index.html");
  const heading = page.locator(".step h2").first();
  const [number, title] = [await heading.locator(".number").boundingBox(), await heading.boundingBox()];
  expect((number?.x ?? 0) + (number?.width ?? 0)).toBeLessThan(title?.x ?? 0);
  const [arrow, label] = await page
    .locator(".pager .Next :is(small, svg)")
    .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect()));
  expect(label?.right).toBeLessThan(arrow?.left ?? 0);
  await page.context().close();
});

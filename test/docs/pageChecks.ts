import type { Page } from "playwright-core";
import { expect } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import type { Generation, Operation } from "../../scripts/contract/generation.ts";
import { readAddresses } from "../../scripts/docs/model/addresses.ts";
import { flattenFields } from "../../scripts/docs/model/fields.ts";
import { readOperationModel, type OperationModel } from "../../scripts/docs/model/operationModel.ts";
import { findViolations, layoutRules } from "./browser.ts";

/** The page of an operation. */
export interface OperationPage {
  readonly path: string;
  readonly content: OperationModel;
}

export const generations: readonly Generation[] = await readBuiltGenerations();

export const operations: readonly OperationPage[] = generations.flatMap((generation) =>
  [...readAddresses(generation).operations].map(([operation, path]) => ({
    path,
    content: readOperationModel(generation, operation),
  })),
);

/**
 * The pages of operations that have the most of something, and one of a webhook: what is too long or too much elsewhere is so
 * on these.
 */
export function extremeOperations(): readonly OperationPage[] {
  const measures: readonly ((page: OperationPage) => number)[] = [
    ({ content }) => content.operation.path.length,
    ({ content }) => fieldNames(content).length,
    ({ content }) => countGaps(content),
    ({ content }) => content.examples.length,
  ];
  const most = measures.flatMap((measure) => operations.toSorted((a, b) => measure(b) - measure(a))[0] ?? []);
  const webhook = operations.find(({ content }) => isWebhook(content.operation));
  return [...new Set([...most, ...(webhook === undefined ? [] : [webhook])])];
}

/** The pages that have, between them, each component of the site, and each color. */
export function mainPages(): readonly string[] {
  const [newest] = generations.toReversed();
  if (newest === undefined) throw new Error("no generation");
  const { generation, schemas } = readAddresses(newest);
  const [deepest] = operations.toSorted((a, b) => fieldNames(b.content).length - fieldNames(a.content).length);
  const paths = ["", generation, [...schemas.values()][0], deepest?.path, "guides/reschedule-booking/", "404.html"];
  return paths.filter((path) => path !== undefined);
}

/** One page of each other type. */
export function otherPages(): readonly string[] {
  const [newest] = generations.toReversed();
  const groups = newest === undefined ? [] : [...readAddresses(newest).groups];
  const firstGroup = groups.find(([group]) => group.operations.length > 0)?.[1];
  const guides = ["guides/", "guides/authentication/"];
  return [...guides, "authentication/", "errors/", "unspecified/", "downloads/", firstGroup].filter(
    (path) => path !== undefined,
  );
}

/** Nobody sends the requests of webhooks, so they have no samples. */
function isWebhook(operation: Operation): boolean {
  return generations.some(({ webhooks }) => webhooks.includes(operation));
}

export function fieldNames({ parameters, requestBody, responses }: OperationModel): readonly string[] {
  const fields = [
    ...parameters.flatMap((list) => list.fields),
    ...[requestBody?.media ?? [], ...responses.map(({ media }) => media)].flat().map(({ field }) => field),
  ];
  return flattenFields(fields).flatMap(({ name }) => (name === "" ? [] : [name]));
}

function countGaps({ unspecified }: OperationModel): number {
  return unspecified.flatMap(({ gaps }) => gaps).length;
}

/** How much wider a page is than the window. */
const readOverflow = "document.documentElement.scrollWidth - innerWidth";

/** Opens a page as it is at first, whatever was done with the window before. */
async function open(page: Page, address: string, width: number, height = 900): Promise<void> {
  await page.emulateMedia({ media: null });
  await page.setViewportSize({ width, height });
  await page.goto(address);
}

/** Expects that axe finds no fault with a page. */
export async function expectNoViolations(page: Page, address: string): Promise<void> {
  await open(page, address, 1440);
  expect(await findViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 900 });
  // On a smaller screen, only what depends on the places and the sizes of things can be another.
  expect(await findViolations(page, layoutRules)).toEqual([]);
}

/** Expects that a page is never wider than its window, and loads nothing from another host. */
export async function expectToFit(page: Page, address: string): Promise<void> {
  await open(page, address, 1440);
  for (const width of [1440, 320, 390, 640, 768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    expect([width, await page.evaluate(readOverflow)]).toEqual([width, 0]);
  }
  await page.setViewportSize({ width: 390, height: 900 });
  await page.evaluate('document.documentElement.style.fontSize = "200%"');
  expect(await page.evaluate(readOverflow)).toBe(0);
  expect(await page.evaluate(loadFromOtherHost)).toBe("https://other.example/pixel.png");
}

/**
 * Expects that an operation's page breaks no word of its samples, begins with the key facts, opens the targets of links,
 * and prints completely. It is one visit, whose parts take longer than the checks.
 */
export async function expectReadable(page: Page, address: string, content: OperationModel): Promise<void> {
  const { operation, unspecified, success } = content;
  // Where there is room for the words of samples, and long ones begin at the call.
  for (const width of [1440, 1280]) {
    await open(page, address, width);
    expect([width, await page.evaluate(findBroken)]).toEqual([width, []]);
  }
  const { title, method, path: template } = operation;
  for (const width of [390, 768, 1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 844 });
    const { text, end } = await page.evaluate(readOverview);
    for (const part of [title, method.toUpperCase(), template, ...success, String(countGaps(content))]) {
      expect(text).toContain(part);
    }
    expect(end).toBeLessThan(844);
    if (width === 390) expect(await page.evaluate(findMisplaced)).toEqual([]);
  }
  const wide = await page
    .locator(".samples pre")
    .evaluateAll((blocks) => blocks.filter((block) => block.scrollWidth > block.clientWidth).length);
  expect(wide).toBe(0);
  await page.setViewportSize({ width: 320, height: 844 });
  expect(await page.evaluate(readOverflow)).toBe(0);
  const anchors = unspecified.map(({ anchor }) => anchor);
  expect(await page.evaluate(findMissed, anchors)).toEqual([]);
  await page.emulateMedia({ media: "print" });
  await page.evaluate('document.documentElement.dataset.theme = "dark"');
  expect(await page.evaluate(readPrint)).toEqual({
    ...{ hidden: [], overflowing: 0, colors: "light" },
    languages: isWebhook(operation) ? [] : ["typescript"],
  });
}

/** Expects that a page shows one of its examples at a time, a response together with its request. */
export async function expectOneExample(page: Page, address: string, { examples }: OperationModel): Promise<void> {
  await open(page, address, 1280);
  const choices = page.locator(".examples button");
  expect(await choices.count()).toBe(examples.length);
  for (const [index, { request, response }] of examples.entries()) {
    await choices.nth(index).click();
    expect(await page.locator('.examples [aria-pressed="true"]').count()).toBe(1);
    const headings = await page.locator(".exchange h3").filter({ visible: true }).allInnerTexts();
    const expected = [request?.summary, response?.summary].filter((summary) => summary !== undefined);
    for (const summary of expected) expect(headings.join()).toContain(summary);
    expect(headings.length).toBeLessThanOrEqual(2);
  }
}

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

/**
 * Runs in the page: gives the words of samples that are broken into lines, the lines that begin below their indentation,
 * and the samples that are scrolled.
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
    const isScrolled = pre !== null && pre.scrollTop > 0;
    return [...broken.map(([part]) => part), ...(isScrolled ? [`${pre.ariaLabel} is scrolled`] : [])];
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

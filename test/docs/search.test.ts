import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { runInNewContext } from "node:vm";
import type { Browser, Page } from "playwright-core";
import { describe, expect, onTestFinished } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { readGeneration, type Generation, type Operation } from "../../scripts/contract/generation.ts";
import { countOf } from "../../scripts/values/text.ts";
import { resolveSchema, type OpenApiDocument, type SchemaObject } from "../../scripts/spec/openapi.ts";
import { readAddresses, separateWords } from "../../scripts/docs/model/addresses.ts";
import {
  findPages,
  prepareFinder,
  type FoundPage,
  type PageFinder,
  type SearchIndex,
} from "../../scripts/docs/browser/findPages.ts";
import { renderSite } from "../../scripts/docs/site/renderSite.ts";
import { readSite } from "./docsSite.ts";
import { findViolations, layoutRules } from "./browser.ts";
import { it } from "./it.ts";
import { searchQuestions } from "./searchQuestions.ts";

/** A host that does not exist: the browser is given the site's files for what it asks of a folder there. */
const siteUrl = "http://docs.example/some/folder/";

let folder: string;
let browser: Browser;
let finder: PageFinder;
let generations: readonly Generation[];
let operations: readonly { readonly generation: Generation; readonly operation: Operation; readonly path: string }[];

it.beforeAll(async ({ browser: launched, docs }) => {
  browser = launched;
  ({ folder } = docs);
  finder = await readFinder(await readSite(folder));
  generations = await readBuiltGenerations();
  operations = generations.flatMap((generation) => {
    const addresses = readAddresses(generation);
    return generation.operations.map((operation) => ({
      generation,
      operation,
      path: addresses.operations.get(operation) ?? "",
    }));
  });
});

/** Opens a page of the site until the test ends, under a folder of a host unless it is told where the site is. */
async function openPage(path: string, root = siteUrl): Promise<Page> {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  await page.route(`${siteUrl}**`, async (route) => {
    const file = route
      .request()
      .url()
      .slice(siteUrl.length)
      .replace(/(?<=^|\/)$/, "index.html");
    await route.fulfill({ path: join(folder, file) });
  });
  await page.goto(root + path);
  return page;
}

function inputOf(page: Page) {
  return page.getByRole("combobox", { name: "Search" });
}

async function openSearch(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Search" }).click();
  await page.locator("dialog [role=status]").getByText("Type a title").waitFor();
}

/** Closes the dialog, and waits until the focus has left it, which takes longer than the next key. */
async function closeByKeyboard(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.querySelector("dialog")?.contains(document.activeElement) === false);
  expect(await page.getByRole("dialog").count()).toBe(0);
}

/** What finds the pages of a site, from all files of its index. */
async function readFinder(files: ReadonlyMap<string, string>): Promise<PageFinder> {
  const parts = [...files].filter(([path]) => path.includes("/search-index-")).map(([, script]) => readIndex(script));
  const [first = { generations: [], synonyms: [], entries: [] }, ...others] = parts;
  const finder = await prepareFinder(first);
  for (const { entries } of others) await finder.add(entries);
  return finder;
}

function readIndex(script: string): SearchIndex {
  const window: { docsSearchIndex?: SearchIndex } = {};
  runInNewContext(script, { window });
  return window.docsSearchIndex ?? { generations: [], synonyms: [], entries: [] };
}

/** The results of each query, on a page of a generation or of none. */
function search(queries: readonly string[], generation?: string): readonly (readonly FoundPage[])[] {
  return queries.map((query) => findPages(finder, query, generation));
}

/** The names of all properties in schemas, and those of the components that they refer to. */
function propertyNames({ document }: Operation, schemas: readonly SchemaObject[]): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<unknown>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if ("$ref" in value) visit(resolveSchema(document, { $ref: String(value.$ref) }));
    if ("properties" in value && typeof value.properties === "object") {
      for (const name of Object.keys(value.properties ?? {})) names.add(name);
    }
    for (const part of Object.values(value)) visit(part);
  };
  visit(schemas);
  return names;
}

function fieldsOf(operation: Operation): ReadonlySet<string> {
  const content = [...(operation.requestBody?.content ?? []), ...operation.responses.flatMap((one) => one.content)];
  const names = propertyNames(
    operation,
    content.map(({ schema }) => schema),
  );
  const headers = operation.responses.flatMap((response) => response.headers);
  return new Set([...names, ...[...operation.parameters, ...headers].map(({ name }) => name)]);
}

function headersOf({ parameters, security }: Operation): readonly string[] {
  const credentials = security.flat().filter((scheme) => scheme.in === "header");
  return [
    ...parameters.filter((parameter) => parameter.in === "header").map(({ name }) => name),
    ...credentials.map(({ parameter }) => parameter),
  ];
}

describe("the search of the docs", () => {
  it("finds every operation first by its title, in its generation", () => {
    const found = search(operations.map(({ operation }) => operation.title));
    expect(found.map(([first]) => first?.title)).toEqual(operations.map(({ operation }) => operation.title));
    const inGeneration = search(operations.map(({ generation, operation }) => `${generation.name} ${operation.title}`));
    expect(inGeneration.map(([first]) => first?.path)).toEqual(operations.map(({ path }) => path));
  });

  it.each<readonly [string, (operation: Operation) => string]>([
    ["method and path", ({ name }) => name],
    ["path with values, and method in small letters", ({ name }) => name.toLowerCase().replaceAll(/\{\w+\}/g, "17")],
    [
      "URL of a request",
      ({ method, path }) => `${method} https://api.example${path.replaceAll(/\{\w+\}/g, "a-b")}?take=1`,
    ],
  ])("finds every operation first by its %s", (_, queryOf) => {
    const found = search(operations.map(({ operation }) => queryOf(operation)));
    expect(found.map(([first]) => first?.path)).toEqual(operations.map(({ path }) => path));
  });

  it("finds every operation first by its operationId, however it is written", () => {
    for (const write of [
      (id: string) => id,
      (id: string) => id.toLowerCase(),
      (id: string) => separateWords(id).toLowerCase().replaceAll(" ", "-"),
    ]) {
      const queries = operations.map(
        ({ generation, operation }) => `${generation.name} ${write(operation.operationId ?? "")}`,
      );
      const found = search(queries);
      expect(found.map(([first]) => first?.path)).toEqual(operations.map(({ path }) => path));
    }
  });

  it("finds every operation among the first three by the words of its operationId in any order", () => {
    const queries = operations.map(({ operation }) =>
      separateWords(operation.operationId ?? "")
        .split(" ")
        .toReversed()
        .join(" "),
    );
    const found = search(queries);
    // Operations of several generations may have one operationId.
    const missing = operations.filter(
      ({ operation }, index) =>
        found[index]?.slice(0, 3).some((result) => result.operationId === operation.operationId) !== true,
    );
    expect(missing.map(({ path }) => path)).toEqual([]);
  });

  it("finds by every header an operation that has it", () => {
    const headers = [...new Set(operations.flatMap(({ operation }) => headersOf(operation)))];
    const found = search(headers);
    headers.forEach((header, index) => {
      const first = operations.find(({ path }) => path === found[index]?.[0]?.path);
      expect(first && headersOf(first.operation), header).toContain(header);
    });
  });

  it("finds by every field an operation that has it, or that has its name in its own", () => {
    const fields = [...new Set(operations.flatMap(({ operation }) => [...fieldsOf(operation)]))];
    const found = search(fields);
    const failed = fields.filter((field, index) => {
      // Sections may have the name as their title.
      const titled = found[index]?.filter(({ within }) => within === undefined);
      // Pages of several generations may have one title.
      const pages = [...new Map(titled?.toReversed().map((one) => [`${one.kind} ${one.title}`, one])).values()]
        .toReversed()
        .slice(0, 5);
      const listed = pages.flatMap(({ path }) => operations.find((one) => one.path === path) ?? []);
      const first = listed[0]?.operation;
      if (first === undefined) return true;
      const own = `${first.title} ${first.name} ${first.operationId ?? ""}`.toLowerCase();
      const words = separateWords(field).toLowerCase().replace(/s$/, "").split(/[ _]/);
      const has = [...fieldsOf(first)].some((name) => name.toLowerCase() === field.toLowerCase());
      return !has && !words.every((word) => own.includes(word));
    });
    expect(failed).toEqual([]);
  });

  it("finds every schema and every group of each generation, after an operation that has them", () => {
    const expected = generations.flatMap((generation) => {
      const { name, operations, groups } = generation;
      const addresses = readAddresses(generation);
      const used = new Set(groups.filter((group) => operations.some((one) => one.group === group.name)));
      return [
        ...[...addresses.schemas].map(([title, path]) => {
          return { title, query: title, path, name, kind: "schema", isUsed: true };
        }),
        ...groups.map((group) => {
          const path = addresses.groups.get(group) ?? "";
          // Of some, there is only the name, in a list.
          const own = path.includes("#")
            ? { title: "Groups without operations of their own", kind: "generation" }
            : { title: group.title, kind: "group" };
          return { ...own, query: group.title, path, name, isUsed: used.has(group) };
        }),
      ];
    });
    const found = search(expected.map(({ name, query }) => `${name} ${query}`));
    const without: string[] = [];
    expected.forEach(({ title, query, path, name, kind, isUsed }, index) => {
      const result: unknown = expect.objectContaining({ title, kind, path, generation: name });
      const shown = found[index]?.slice(0, kind === "generation" ? undefined : 2);
      expect(shown, `${name} ${query}`).toContainEqual(result);
      const [first] = found[index] ?? [];
      const isFirst = first?.generation === name && ["operation", "webhook"].includes(first.kind);
      if (isUsed && !isFirst) without.push(`${name} ${query}`);
    });
    // A section of a guide may have the name of a schema as its title.
    expect(without.length, without.join(", ")).toBeLessThanOrEqual(expected.length / 50);
  });

  it("shows the kind, the generation and the group of every result", () => {
    const found = search(operations.map(({ operation }) => operation.name));
    expect(found.map(([first]) => [first?.kind, first?.generation, first?.group, first?.endpoint])).toEqual(
      operations.map(({ generation, operation }) => ["operation", generation.name, operation.group, operation.name]),
    );
  });

  it("narrows down with each word, ignores stop words, and tolerates misspellings", () => {
    const [one = [], two = [], sentence = [], misspelt = [], right = []] = search([
      "team",
      "team member",
      "How do I cancel a booking",
      "reshedule boking",
      "reschedule booking",
    ]);
    expect(two.length).toBeGreaterThan(0);
    expect(one.length).toBeGreaterThan(two.length);
    expect(sentence[0]?.title).toBe("Update or cancel a booking");
    expect(misspelt[0]?.path).toBe(right[0]?.path);
    // What is spelt right is not watered down by what is like it.
    const [listed = []] = search(["attendee"]);
    expect(listed.filter(({ title }) => /attend/i.test(title)).length).toBeGreaterThan(3);
  });

  it("says how many results there are, and that there are none", async () => {
    const page = await openPage("");
    await openSearch(page);
    const status = page.getByRole("status");
    const [{ operation: { name, method, path } } = { operation: { name: "", method: "", path: "" } }] = operations;
    const alike = operations.filter(({ operation }) => operation.method === method && operation.path.startsWith(path));
    await inputOf(page).fill(name);
    await expect.poll(() => status.textContent()).toBe(countOf(alike.length, "result"));
    await inputOf(page).fill("booking");
    await expect.poll(() => status.textContent()).toMatch(/^\d+ results, the first 30 are shown$/);
    await inputOf(page).fill("booking qqqqq");
    await expect.poll(() => status.textContent()).toMatch(/^No result with all words, \d+ with some of them/);
    await inputOf(page).fill("b");
    await expect.poll(() => status.textContent()).toMatch(/^Type a title/);
    await inputOf(page).fill("qqqqq <b>");
    await expect
      .poll(() => status.textContent())
      .toBe("No results for “qqqqq <b>”. Try fewer or other words, or the path of an operation.");
    expect(await inputOf(page).getAttribute("aria-expanded")).toBe("false");
    expect(await inputOf(page).getAttribute("aria-activedescendant")).toBeNull();
  });
});

describe("the search for readers' questions", () => {
  it("says of an operation which words it only mentions", async () => {
    const page = await openPage("");
    await openSearch(page);
    // The title of an operation, and a part of the name of one of its fields.
    const queries = operations.flatMap(({ operation }) =>
      [...fieldsOf(operation)].map((name) => `${operation.title} ${separateWords(name).split(" ").at(-1) ?? ""}`),
    );
    const query = queries.find((one) => (search([one])[0]?.[0]?.mentioned ?? []).length > 0) ?? "";
    await inputOf(page).fill(query);
    const first = page.getByRole("option").first().locator(".search-place");
    await expect.poll(() => first.textContent()).toMatch(/^Operation · .* · only mentions “\w+”$/);
  });

  it("answers nine in ten of their questions among the first four", () => {
    const paths = finder.entries.map(({ path }) => path);
    const known = Object.entries(searchQuestions).filter(([, places]) => places.some((one) => paths.some(isAt(one))));
    const missed = known.flatMap(([question, places]) => {
      const found = (search([question])[0] ?? []).slice(0, 4).map(({ path }) => path);
      return places.some((one) => found.some(isAt(one))) ? [] : [`${question}: ${found.join(", ")}`];
    });
    expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(known.length / 10);
  });

  it("finds guides to common features of operations, and an operation with the feature", () => {
    const [found = []] = search(["pagination"]);
    const kinds = found.slice(0, 4).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(["guide", "operation"]));
  });

  it("finds and shows nothing of the expressions in workflows", () => {
    // The guides to testing document the expressions of overrides.
    const blocks = finder.entries.flatMap(({ path, blocks: own }) => (path.startsWith("testing/") ? [] : own));
    expect(blocks.filter((text) => /\$(?:response|request)\.|\$(?:inputs|steps)\.|\$statusCode/.test(text))).toEqual(
      [],
    );
  });

  /** The beginning of the address of what is found among the first three, or first (`!`), and what is typed for it. */
  const queries: Readonly<Record<string, readonly string[]>> = {
    "!authentication/": ["authentication", "login", "log in", "sign in", "bearer", "token", "unauthorized"],
    "typescript/credentials/": ["credentials"],
    "typescript/first-steps/#section/": ["sdk", "package", "npm install", "install the package"],
    "typescript/react-query/": ["react query", "tanstack"],
    "!typescript/swr/": ["swr"],
    "!testing/msw/": ["mock service worker"],
    "testing/msw/": ["msw"],
    "!testing/playwright/": ["playwright"],
    "!testing/vitest-and-jest/": ["vitest", "jest"],
    "!typescript/validation/": ["validation"],
    "!testing/sessions/": ["sessions"],
    "!testing/overrides/": ["overrides"],
    "!typescript/retries/": ["retries", "retry"],
    "typescript/retries/": ["timeout"],
    "typescript/logging/": ["logging"],
    "typescript/pagination/": ["pagination"],
    "authentication/": ["auth", "api key", "apiKey", "401"],
    "authentication/#v2-": ["oauthClientSecret"],
    "!guides/authentication/": ["auth", "authenticate"],
    "guides/authentication/#": ["managed user", "platform customer", "acting as the user"],
    "guides/first-call/": ["quickstart", "quick start", "hello world", "tutorial", "getting started", "python", "curl"],
    "guides/first-call/#": ["npm", "install", "npm ci", "mock server", "change something"],
    "guides/works-with/": ["postman", "codegen", "works with"],
    "guides/works-with/#section/": ["mockoon", "generators", "orval"],
    "!testing/prism/": ["prism"],
    "guides/unspecified/": ["ask the machine"],
    "guides/reschedule-booking/": ["reschedule guide", "first choice of a new start time"],
    "guides/cancel-booking-v1/": ["cancel", "cancel booking"],
    "guides/accept-team-membership/": ["accept invitation"],
    "guides/page-through-schedules/": ["page through", "page schedules"],
    "!guides/remove-team/": ["remove team"],
    "!about/paging/": ["paging", "page size", "cursor"],
    "!about/limits/": ["rate limit", "rate limits", "throttling", "429", "limits"],
    "!errors/": ["error", "errors", "error handling", "404", "exception"],
    "errors/": ["status code"],
    "errors/#section/": ["422", "ApiError"],
    "!about/versioning/": ["versioning", "api version"],
    "about/versioning/": ["version header", "dated version", "2024-06-14"],
    "!about/addresses/": ["base url", "base address"],
    "!about/states-and-transitions/": ["states and transitions"],
    "about/events/": ["payloads signed", "kinds of events", "webhook signature"],
    "!about/times/": ["time zone", "timezone", "times"],
    "!about/identifiers/": ["identifiers"],
    "!about/generations/": ["v2 and v1"],
    "!about/not-described/": ["add guests"],
    "about/not-described/": ["not described", "free slots", "confirm"],
    "!downloads/#v": ["openapi.yaml"],
    "downloads/#v": ["yaml"],
    "downloads/": ["openapi", "swagger"],
    "!downloads/#all": ["llms", "llms.txt"],
    "!downloads/": ["downloads", "download"],
    "!unspecified/": ["not specified", "unspecified", "undefined"],
    "!changelog/": ["changelog"],
    "!guides/": ["guides", "guide"],
    "!v2/teams/delete-team/": ["team", "teams", "delete team", "delete a team"],
    "!v2/orgs-users-ooo/update-out-of-office-entry/": ["out of office", "vacation", "vaca", "holiday", "leave", "ooo"],
    "!v2/bookings/reschedule-booking/": [
      "booking",
      "bookings",
      "reschedule",
      "postpone",
      "reshedule boking",
      "seated form",
    ],
    "v1/bookings/update-booking/": ["cancel booking", "how do I cancel a booking"],
    "!v1/bookings/list-booking-recordings/": ["recordings", "download recording"],
    "!v1/webhooks/delete-webhook/": ["webhook", "webhooks", "delete webhook", "webook"],
    "!v2/orgs-schedules/list-organization-schedules/": ["availability", "take skip", "schedule"],
    "!v2/platform-managed-users/create-managed-user/": ["create user", "access token", "refresh token"],
    "!v2/organization-team-verified-resources/": ["verify email", "verification code"],
    "!v2/calendars/save-ics-feed/": ["ics", "calendar feed"],
    "!v2/oauth-clients/": ["oauth", "redirect uris", "secret"],
  };
  it("finds nine in ten of them", () => {
    const paths = finder.entries.map(({ path }) => path);
    const cases = Object.entries(queries).flatMap(([place, own]) => own.map((query) => ({ query, place })));
    // What is no longer there is not looked for.
    const known = cases.filter(({ place }) => paths.some(isAt(place)));
    const missed = known.flatMap(({ query, place }) => {
      const found = (search([query])[0] ?? []).slice(0, place.startsWith("!") ? 1 : 3).map(({ path }) => path);
      return found.some(isAt(place)) ? [] : [`${query}: ${found.join(", ")} in place of ${place}`];
    });
    // Those that another page answers better now belong there.
    expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(known.length / 10);
  });
});

/** Tells whether an address begins with a place. A folder is the page itself. */
function isAt(place: string): (address: string) => boolean {
  const path = place.replace("!", "");
  return (one) => (path.includes("#") ? one.startsWith(path) : one.replace(/#.*/, "").startsWith(path));
}

describe("the dialog of the search", () => {
  it("shows excerpts as they are written, also where two marks of punctuation have a space between them", async () => {
    const page = await openPage("");
    await openSearch(page);
    const pair = /[^\p{L}\p{N}\s] [^\p{L}\p{N}\s]/u;
    const blocks = finder.entries.flatMap((entry) => entry.blocks);
    const names = new Set(finder.entries.flatMap((entry) => (entry.names ?? "").split("\n")));
    const [block = ""] = blocks.filter((one) => one.length < 300 && pair.test(one));
    await inputOf(page).fill(block);
    await expect.poll(() => page.locator(".search-text").count()).toBeGreaterThan(0);
    const shown = await page.locator(".search-text").allTextContents();
    const excerpts = shown.map((text) => text.replace("… ", ""));
    expect(excerpts.some((text) => pair.test(text))).toBe(true);
    // An excerpt is a part of a block, or those of a page's names that were asked for.
    const isWritten = (text: string) =>
      blocks.some((one) => one.includes(text)) || text.split(", ").every((name) => names.has(name));
    expect(excerpts.filter((text) => !isWritten(text))).toEqual([]);
  });

  it("works by keyboard alone, from files too", async () => {
    const page = await openPage("v1/teams/index.html", pathToFileURL(`${folder}/`).href);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("reschedule");
    const options = page.getByRole("option");
    await options.first().waitFor();
    // A large site's index comes in parts, each of which may bring better results.
    await page.getByRole("status").filter({ hasNotText: "more is being loaded" }).waitFor();
    const selected = async () => {
      const id = await inputOf(page).getAttribute("aria-activedescendant");
      const marked = page.locator('[role=option][aria-selected="true"]');
      expect(await marked.getAttribute("id")).toBe(id);
      return Number(id?.replace(/\D/g, ""));
    };
    expect(await selected()).toBe(0);
    await page.keyboard.press("ArrowDown");
    expect(await selected()).toBe(1);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    expect(await selected()).toBe((await options.count()) - 1);
    await page.keyboard.press("ArrowDown");
    expect(await selected()).toBe(0);
    await closeByKeyboard(page);
    await page.keyboard.press("/");
    expect(await inputOf(page).inputValue()).toBe("reschedule");
    // What was typed before is marked, so that the next query takes its place.
    await page.keyboard.type("POST /v2/bookings");
    await page.keyboard.press("Enter");
    const target = join(folder, "v2/bookings/reschedule-booking/index.html");
    await page.waitForURL((url) => fileURLToPath(url) === target);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Reschedule a booking");
  });

  it("returns the focus to its button, and leads to a clicked page or field in a host's folder", async () => {
    const page = await openPage("v2/oauth-clients/create-oauth-client/");
    const button = page.getByRole("button", { name: "Search" });
    await openSearch(page);
    await page.getByRole("button", { name: "Close" }).click();
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    await button.click();
    await inputOf(page).fill("deleteTeam v1");
    await page.getByRole("option").first().click();
    await page.waitForURL(`${siteUrl}v1/teams/delete-team/`);
    await openSearch(page);
    await inputOf(page).fill("rescheduledBy v2");
    await page.getByRole("option").first().click();
    await page.waitForURL(/\/v2\/bookings\/reschedule-booking\/#.*\.rescheduledBy$/);
  });

  it("keeps typed text while its script and its index load", async () => {
    const page = await openPage("");
    const { promise: isReady, resolve: release } = Promise.withResolvers<undefined>();
    await page.route("**/assets/search*", async (route) => {
      await isReady;
      await route.fallback();
    });
    await page.keyboard.press("/");
    await page.keyboard.type("reschedule");
    expect(await page.getByRole("status").textContent()).toBe("Loading…");
    release(undefined);
    await page.getByRole("option", { name: "Reschedule a booking" }).first().waitFor();
    expect(await inputOf(page).inputValue()).toBe("reschedule");
  });

  it.each(["search-[0-9a-f]{12}", "search-index"])("says that %s couldn't be loaded, and tries again", async (name) => {
    const page = await openPage("");
    const isMeant = (url: URL) => new RegExp(`/${name}`).test(url.pathname);
    await page.route(isMeant, (route) => route.abort());
    await page.keyboard.press("/");
    await page.getByText("The search couldn't be loaded.").waitFor();
    await page.unroute(isMeant);
    await closeByKeyboard(page);
    await page.keyboard.press("/");
    await page.keyboard.type("reschedule");
    await page.getByRole("option").first().waitFor();
  });

  it("opens the result that was pressed, also if a part of the index brings others before the button is released", async () => {
    const page = await openPage("");
    const late = Promise.withResolvers<undefined>();
    const entry = { kind: "page", title: "Reschedule", path: "errors/", blocks: [] };
    await page.route("**/late.js", async (route) => {
      await late.promise;
      const body = `window.docsSearchIndex=${JSON.stringify({ entries: [entry] })}`;
      await route.fulfill({ contentType: "text/javascript", body });
    });
    await page.evaluate(`document.querySelector("[data-search-index]").dataset.searchIndex += " late.js"`);
    await openSearch(page);
    await inputOf(page).fill("reschedule a booking");
    const first = page.getByRole("option").first();
    await first.hover();
    const href = await first.getAttribute("href");
    await page.mouse.down();
    late.resolve(undefined);
    await page.waitForFunction("window.docsSearchIndex.entries.length === 1");
    // The new entries are indexed in tasks of their own.
    for (const _ of [1, 2, 3]) await page.evaluate("new Promise((resolve) => setTimeout(resolve))");
    await page.mouse.up();
    await page.waitForURL(new URL(href ?? "", siteUrl).href);
  });

  it("fills the screen of a phone, isn't printed, and passes axe", async () => {
    const page = await openPage("");
    await openSearch(page);
    // As while it loads, and where it can't: an input, and a line that says so.
    await inputOf(page).fill("qqqqq");
    await page.getByText("No results").waitFor();
    expect(await findViolations(page, undefined, "dialog")).toEqual([]);
    const offers = page.locator(".offers");
    const names = ["Guides", ...generations.map(({ title }) => title)].map((name) => `Browse ${name}`);
    expect((await offers.getByRole("link").allTextContents()).sort()).toEqual(names.sort());
    await offers.getByRole("button", { name: "Clear the search" }).click();
    expect([await inputOf(page).inputValue(), await offers.isVisible()]).toEqual(["", false]);
    await inputOf(page).fill("booking");
    for (const width of [390, 768, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      // On a smaller screen, only what depends on the places and the sizes of things can be another.
      const found = width === 1440 ? findViolations(page) : findViolations(page, layoutRules, "dialog");
      expect([width, await found]).toEqual([width, []]);
    }
    const dialog = page.getByRole("dialog");
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await dialog.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 800 });
    // In colors of the reader's own, the ground of a chosen result is the one that its text is made for.
    await page.emulateMedia({ forcedColors: "active" });
    const grounds = await page
      .locator("[aria-selected=true] mark")
      .evaluateAll((marks) => marks.map((mark) => getComputedStyle(mark).backgroundColor));
    expect(new Set(grounds)).toEqual(new Set(["rgba(0, 0, 0, 0)"]));
    await page.emulateMedia({ forcedColors: "none", media: "print" });
    expect(await page.locator("dialog").isVisible()).toBe(false);
  });
});

describe("the search of another contract", () => {
  const document: OpenApiDocument = {
    openapi: "3.1.1",
    info: { title: "Trees", version: "1" },
    tags: [{ name: "t", "x-displayName": "Forest" }],
    paths: {
      "/trees": { get: { tags: ["t"], responses: {} } },
      "/forests/{forestId}/rangers": {
        parameters: [{ name: "forestId", in: "path", required: true, schema: { type: "integer" } }],
        post: { tags: ["t"], summary: "Hire a ranger", responses: {} },
      },
      "/ferns/{id}": {
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
        delete: { tags: ["t"], summary: "Drop a fern", responses: {} },
        get: { tags: ["t"], summary: "Show a single fern", responses: {} },
      },
      "/falls": {
        get: { tags: ["t"], summary: "Daylight", responses: {} },
        put: { tags: ["t"], summary: "Set the day of a fall", responses: {} },
      },
      "/trees/{name}": {
        get: {
          tags: ["t"],
          summary: "Look at a tree",
          description: "The trees of v1 are those of v2.",
          parameters: [{ name: "name", in: "path", required: true, schema: { type: "string" } }],
          responses: {
            200: {
              description: "A tree.",
              headers: { "X-Growth-Rate": { schema: { type: "number" } } },
              content: {
                "application/json": {
                  schema: { anyOf: [{ $ref: "#/components/schemas/Oak" }, { properties: { needle_length: {} } }] },
                },
              },
            },
          },
        },
      },
    },
    webhooks: { treeFelled: { post: { operationId: "onTreeFelled", tags: ["t"], responses: {} } } },
    components: {
      schemas: { Oak: { type: "object", properties: { acorns: { items: { $ref: "#/components/schemas/Oak" } } } } },
    },
  };

  let finder: PageFinder;

  it.beforeAll(async () => {
    const files = renderSite({
      generations: ["v1", "v2"].map((name) => readGeneration(name, document)),
      packageName: "trees",
      guides: [
        {
          ...{ file: "growing.md", slug: "growing", section: "guides", path: "guides/growing/" },
          ...{ title: "Growing trees", summary: "", markdown: "From an acorn." },
        },
      ],
    });
    finder = await readFinder(new Map(await Array.fromAsync(files, ({ path, content }) => [path, content] as const)));
  });

  it.each([
    ["GET /trees", "v1/t/get-trees/"],
    ["oak acorn", "v1/t/get-trees-name/"],
    ["acorns", "v1/t/get-trees-name/"],
    ["needleLength", "v1/t/get-trees-name/"],
    ["x-growth-rate", "v1/t/get-trees-name/"],
    ["Oak", "v1/t/get-trees-name/"],
    ["tree felled", "v1/webhooks/on-tree-felled/"],
    ["forest look", "v1/t/get-trees-name/"],
    ["Growing trees", "guides/growing/"],
  ])("finds by %s what has no operationId, no summary or is a webhook", (query, path) => {
    expect(findPages(finder, query, "v1")[0]?.path).toBe(path);
  });

  it("puts what reads before what deletes, and words before beginnings of words", () => {
    const titles = (query: string) => {
      const found = findPages(finder, query, "v1").filter(({ kind, isPartial }) => kind === "operation" && !isPartial);
      return [...new Set(found.map(({ title }) => title))];
    };
    expect(titles("fern")).toEqual(["Show a single fern", "Drop a fern"]);
    expect(titles("drop fern")).toEqual(["Drop a fern"]);
    expect(titles("day")).toEqual(["Set the day of a fall", "Daylight"]);
  });

  it.each(["POST /forests", "/forests/{forestId}/rangers", "/forests/", "/forests/7 hire"])(
    "finds by the beginning of a path, a part of it, or a part and a word: %s",
    (query) => {
      expect(findPages(finder, query, "v1")[0]?.title).toBe("Hire a ranger");
      expect(findPages(finder, "PUT /forests")).toEqual([]);
    },
  );

  it.each([
    ["look needle", ["needle"]],
    ["look needle_length", []],
    ["look acorns", []],
    ["look tree", []],
    ["look neadle", []],
    ["needle", []],
  ])("says which words an operation only mentions: %s", (query, mentioned) => {
    const [first] = findPages(finder, query, "v1").filter(({ kind }) => kind === "operation");
    expect(first).toMatchObject({ path: "v1/t/get-trees-name/", mentioned, isPartial: false });
  });

  it("finds pages with some of the words if none has all, and says so", () => {
    const found = findPages(finder, "plant acorns tree");
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found.map(({ isPartial }) => isPartial))).toEqual(new Set([true]));
  });

  it.each(["hire ranger v1 v2", "look v1 v2"])(
    "finds in each generation what is asked for with both names: %s",
    (query) => {
      const found = findPages(finder, query).filter(({ isPartial }) => !isPartial);
      expect(found.map(({ generation }) => generation)).toEqual(expect.arrayContaining(["v1", "v2"]));
    },
  );

  it("prefers the generation that the page belongs to, and else the newest", () => {
    expect(findPages(finder, "look at a tree", "v1")[0]?.path).toBe("v1/t/get-trees-name/");
    expect(findPages(finder, "look at a tree")[0]?.path).toBe("v2/t/get-trees-name/");
  });
});

import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import axe, { type AxeResults } from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { launchBrowser } from "../../scripts/command/launchBrowser.ts";
import type { Generation, Operation } from "../../scripts/contract/generation.ts";
import { groupSlugs, operationFragment } from "../../scripts/docs/addresses.ts";
import { samplesOf } from "../../scripts/docs/samples/samples.ts";
import { startDocs, type Started } from "./start.ts";

let browser: Browser;
let docs: Started;
let generations: readonly Generation[];

beforeAll(async () => {
  browser = await launchBrowser();
  [docs, generations] = await Promise.all([startDocs(), readBuiltGenerations()]);
  return async () => {
    await browser.close();
    await docs.stop();
  };
});

const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" };

interface Watched extends AsyncDisposable {
  readonly page: Page;
  /** Errors in the console, uncaught exceptions, and requests to another place than `origin`. */
  readonly faults: string[];
}

async function watch(origin: string, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext({ ...desktop, ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => faults.push(`exception: ${error.message}`));
  page.on("request", (request) => {
    const isOwn = [origin, `blob:${origin}`, "blob:null/", "data:"].some((start) => request.url().startsWith(start));
    if (!isOwn) faults.push(`request: ${request.url()}`);
  });
  return {
    page,
    faults,
    [Symbol.asyncDispose]: async () => {
      await context.close();
    },
  };
}

/** Opens a place of the site, and waits until the renderer has taken over. */
async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  if ((await page.locator("#redoc").count()) === 0) return;
  await page.getByText("Search Ctrl+K").waitFor();
  // Code gets its colours last.
  if (url.includes("#")) await page.locator(".panel-request-samples .th-token").first().waitFor();
}

interface ShownOperation {
  readonly operation: Operation;
  readonly groupSlug: string;
  readonly fragment: string;
}

function operationsOf(generation: Generation): readonly ShownOperation[] {
  const slugs = groupSlugs(generation);
  return generation.groups.flatMap(({ name, operations }) =>
    operations.map((operation) => ({
      operation,
      groupSlug: slugs.get(name) ?? "",
      fragment: operationFragment(generation, operation),
    })),
  );
}

/** The part of the page that shows an operation. */
function sectionOf(page: Page, { fragment }: ShownOperation) {
  return page.locator(`[id="${fragment.slice(2)}"]`);
}

// The renderer's search waits for most of a second before it begins; the other tests go on meanwhile.
describe.concurrent("each generation's reference", { timeout: 120_000 }, () => {
  it("shows every operation that its sidebar leads to, without the network once it is loaded", async () => {
    await Promise.all(
      generations.map(async (generation) => {
        await using watched = await watch(docs.url);
        const { page } = watched;
        await open(page, `${docs.url}/${generation.name}/`);
        await page.context().setOffline(true);
        for (const shownOperation of operationsOf(generation)) {
          const { operation, groupSlug, fragment } = shownOperation;
          const menu = page.locator(".menu-content");
          const link = menu.locator(`a[href="${fragment}"]`);
          if (!(await link.isVisible())) await menu.locator(`a[href="#/${groupSlug}"]`).click();
          await link.click();
          const section = sectionOf(page, shownOperation);
          await section.locator("h2", { hasText: operation.title }).waitFor();
          await page.waitForFunction((title) => window.document.title.includes(title), operation.title);

          // The browser leaves out the text of what it has not yet drawn.
          const panel = section.locator(".panel-request-samples");
          await vi.waitFor(async () => {
            expect(await panel.innerText()).toContain(operation.path);
          }, 10_000);
          const names = await section.locator(".schema-name").allInnerTexts();
          expect(names).toEqual(expect.arrayContaining(operation.parameters.map(({ name }) => name)));
          const [first] = samplesOf(operation, {
            module: `scheduling-service-api/${generation.name}`,
            server: docs.url,
          });
          const shown = await section.locator(".panel-request-samples pre").innerText();
          // Lines of code are elements of their own, and empty ones lose their height.
          const squeeze = (text: string) => text.replaceAll(/\s+/g, " ").trim();
          expect(squeeze(shown)).toBe(squeeze(first?.source ?? ""));
        }
        expect(watched.faults).toEqual([]);
      }),
    );
  });

  it("finds every operation by search", async () => {
    await Promise.all(
      generations.map(async (generation) => {
        await using watched = await watch(docs.url);
        const { page } = watched;
        await open(page, `${docs.url}/${generation.name}/`);
        await page.keyboard.press("Control+k");
        const dialog = page.getByTestId("search-dialog");
        for (const { operation, fragment } of operationsOf(generation)) {
          await dialog.locator("input").fill(operation.title);
          await dialog.locator(`a[href^="${fragment}"]`).first().waitFor();
        }
        expect(watched.faults).toEqual([]);
      }),
    );
  });

  it("opens where a deep link says, and goes back where the reader was", async () => {
    await Promise.all(
      generations.map(async (generation) => {
        await using watched = await watch(docs.url);
        const { page } = watched;
        const [first, last] = [operationsOf(generation)[0], operationsOf(generation).at(-1)];
        if (first === undefined || last === undefined) throw new Error("a generation without operations");
        await open(page, `${docs.url}/${generation.name}/index.html${last.fragment}`);
        await untilInView(page, last);
        expect(await page.title()).toContain(last.operation.title);

        const menu = page.locator(".menu-content");
        await menu.locator(`a[href="#/${first.groupSlug}"]`).click();
        await menu.locator(`a[href="${first.fragment}"]`).click();
        await untilInView(page, first);
        await page.goBack();
        await page.goBack();
        await untilInView(page, last);
        expect(new URL(page.url()).hash).toBe(last.fragment);
        expect(watched.faults).toEqual([]);
      }),
    );
  });
});

async function untilInView(page: Page, { fragment }: ShownOperation): Promise<void> {
  await page.waitForFunction((id) => {
    const top = document.getElementById(id)?.querySelector("h2")?.getBoundingClientRect().top;
    return top !== undefined && top >= 0 && top < window.innerHeight / 2;
  }, fragment.slice(2));
}

describe("every page", { timeout: 120_000 }, () => {
  const handWritten = ["index.html", "coverage/index.html", "404.html"];
  const references = () => generations.map(({ name }) => `${name}/index.html`);
  /** An operation with a body shows all that a reference page has. */
  const operations = () =>
    generations.flatMap((generation) => {
      const withBody = operationsOf(generation).find(({ operation }) => operation.requestBody !== undefined);
      return withBody === undefined ? [] : [`${generation.name}/index.html${withBody.fragment}`];
    });

  it.each([
    { colorScheme: "light", pages: () => [...handWritten, ...references(), ...operations()] },
    { colorScheme: "dark", pages: () => [...handWritten, ...operations()] },
  ] as const)(
    "has no serious fault of accessibility, and may ask no other host, in $colorScheme mode",
    async ({ colorScheme, pages }) => {
      await using watched = await watch(docs.url, { colorScheme });
      const { page } = watched;
      for (const path of pages()) {
        // Of two fragments of one page, the second would not load it anew.
        await page.goto("about:blank");
        await open(page, `${docs.url}/${path}`);
        // With a fragment, older browsers start at what it names.
        if (!path.includes("#")) {
          await page.keyboard.press("Tab");
          expect([path, await page.locator(":focus").innerText()]).toEqual([path, "Skip to the content"]);
        }

        await page.evaluate(axe.source);
        const { violations } = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })');
        const serious = violations
          .filter(({ impact }) => impact === "serious" || impact === "critical")
          .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => ({ path, id, html, failureSummary })))
          .filter(({ id, html }) => !rendererFaults.some((fault) => fault.id === id && fault.node.test(html)));
        expect(serious).toEqual([]);
        expect(watched.faults).toEqual([]);

        expect([path, await page.evaluate(askOtherHost)]).toEqual([path, "https://other.example/pixel.png"]);
        watched.faults.length = 0;
      }
    },
  );

  it("works from a sub-path of a host, and from file://", async () => {
    const origins = ["https://docs.example/some/path/", `${pathToFileURL(docs.folder).href}/`];
    await Promise.all(
      origins.map(async (origin) => {
        await using watched = await watch(origin);
        const { page } = watched;
        await page.route("https://docs.example/some/path/**", async (route) => {
          const path = new URL(route.request().url()).pathname.replace("/some/path/", "");
          const file = join(docs.folder, path);
          await route.fulfill({ body: await readFile(file), contentType: types[extname(file)] ?? "text/plain" });
        });
        await open(page, `${origin}index.html`);
        for (const generation of generations) {
          const { name, groups } = generation;
          await page.getByRole("navigation", { name: "Site" }).getByRole("link", { name, exact: true }).click();
          await page.getByText("Search Ctrl+K").waitFor();
          const group = groups.find(({ operations }) => operations.length > 0);
          const slug = groupSlugs(generation).get(group?.name ?? "") ?? "";
          await page.locator(".menu-content").locator(`a[href="#/${slug}"]`).click();
          await page
            .getByRole("heading", { name: group?.name ?? "" })
            .first()
            .waitFor();
        }
        await page.getByRole("link", { name: "Coverage" }).click();
        await page.getByRole("heading", { name: "Coverage" }).waitFor();
        expect(watched.faults).toEqual([]);
      }),
    );
  });
});

/** What Redoc 3.0.1 (@redocly/cli 2.77) does wrong, and nothing outside of it can mend. */
const rendererFaults: readonly { readonly id: string; readonly node: RegExp }[] = [
  // The button that chooses an example is named "Example", and shows the name of the one that is chosen.
  { id: "label-content-name-mismatch", node: /^<button [^>]*aria-label="Example"/ },
];

/** Runs in the page: resolves to the address that its Content-Security-Policy kept it from asking. */
function askOtherHost(): Promise<string> {
  return new Promise((resolve) => {
    document.addEventListener("securitypolicyviolation", ({ blockedURI }) => {
      resolve(blockedURI);
    });
    new Image().src = "https://other.example/pixel.png";
  });
}

const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
};

import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Locator, Page } from "playwright-core";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { printLine, runCommand } from "../../scripts/command/commandLine.ts";
import { readFolder } from "../../scripts/command/files.ts";
import { defaultMockUrl } from "../../scripts/contract/defaultAddress.ts";
import { UserError } from "../../scripts/contract/failures.ts";
import { launchBrowser } from "../launchBrowser.ts";
import { writeSite } from "../../scripts/docs/site/writeSite.ts";
import { startServer } from "../../scripts/mock/server/server.ts";
import { openTryIt } from "./browser.ts";
import { showAll } from "./readmePictures.ts";
import { showReadme } from "./readmeScenes.ts";

const widths = [390, 768, 1280, 1440, 1920];

/** What a reader does on the page of an operation before the picture is taken. */
const states: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  "search-results": (page) => search(page, "id"),
  "search-none": (page) => search(page, "qqqqq"),
  menu: (page) => clickIfShown(page, ".menu-button"),
  gaps: (page) => clickIfShown(page, ".unspecified-list summary"),
  expanded: (page) => clickIfShown(page, "[data-fold]"),
  addresses: (page) => page.locator("h2 .anchor").last().focus(),
  form: openForm,
  "form-sent": (page) => send(page),
  "form-changed": changeSent,
  "form-refused": (page) => send(page, page.locator(".try-it input[aria-required=true]").last()),
  "form-unreachable": (page) => send(page, page.getByLabel("Server"), "http://127.0.0.1:9"),
  print: (page) => page.emulateMedia({ media: "print" }),
  "forced-colors": (page) => page.emulateMedia({ forcedColors: "active" }),
  "large-text": enlargeText,
};

/** Likewise where a mock in the page answers: the kind of the page, and what a reader does there. */
const statesInPage: Readonly<Record<string, readonly [kind: string, act: (page: Page) => Promise<unknown>]>> = {
  "in-page-form": ["operation", openForm],
  "in-page-sent": ["operation", (page) => send(page)],
  "in-page-refused": ["operation", (page) => send(page, page.locator(".try-it input[aria-required=true]").last())],
  "in-page-server": ["operation", chooseServer],
  "in-page-call": ["start", runLastStep],
  "in-page-steps": ["steps", runLastStep],
  "in-page-missing": ["steps", leaveOutValue],
};

async function chooseServer(page: Page): Promise<void> {
  await openForm(page);
  await page.getByLabel("Send to").selectOption("a server");
}

/** Runs the last step of a guide, and those before it; or the call of the start page. */
async function runLastStep(page: Page): Promise<void> {
  const bar = page.locator(".run").last();
  await bar.getByRole("button").click();
  await bar.locator(".progress").filter({ hasText: "Received" }).waitFor();
}

async function leaveOutValue(page: Page): Promise<void> {
  await runLastStep(page);
  const step = page.locator(".in-step").first();
  await step.getByText("Values of this step").click();
  await step.locator("input").first().fill("");
  await step.getByRole("button", { name: "Run again" }).click();
  await step.getByText("Enter a value").waitFor();
}

/** Doubles the size that a reader has chosen for texts, which is also what rem means in media queries. */
async function enlargeText(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
}

/** Not every width has what a reader would use. */
async function clickIfShown(page: Page, selector: string): Promise<void> {
  const shown = page.locator(selector).last();
  if (await shown.isVisible()) await shown.click();
}

async function search(page: Page, query: string): Promise<void> {
  await page.locator("[data-open=search]").click();
  await page.getByRole("combobox").fill(query);
  await page
    .locator("dialog [role=status]")
    .filter({ hasText: /result|Nothing/ })
    .waitFor();
}

async function openForm(page: Page): Promise<void> {
  await openTryIt(page);
}

/** Sends the form as it is filled in, but for one field. */
async function send(page: Page, field?: Locator, value = ""): Promise<void> {
  await openForm(page);
  await field?.fill(value);
  await page.locator(".try-it [type=submit]").click();
  await page.locator(".try-it :is(.summary:visible, .progress:not(:empty))").first().waitFor();
  await page.waitForFunction(() => document.querySelector(".progress")?.textContent !== "Sending…");
}

/** Leaves the response to another request than the one in the form. */
async function changeSent(page: Page): Promise<void> {
  await send(page);
  await page.locator(".try-it input").last().fill("another");
}

/** Runs in the page: whatever has been scrolled to, what stays in sight stands in its own place then. */
function putInPlace(): void {
  scrollTo(0, 0);
  document.querySelector<HTMLElement>(".try-it .actions")?.style.setProperty("position", "static");
}

/** A page of each kind, by its name: of those of a kind, the largest has most to look at. */
async function choosePages(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = (await readFolder(folder)).filter(({ path }) => path.endsWith("index.html"));
  const sorted = files.toSorted((a, b) => a.content.length - b.content.length);
  return new Map(sorted.map(({ path, content }) => [kindOfPage(path, content), path]));
}

function kindOfPage(path: string, content: string): string {
  const [, kind] = /<(?:article|ol) class="(operation|steps)"/.exec(content) ?? [];
  const [first = "", second, third] = path.split("/");
  if (third === undefined) return first.replace("index.html", "start");
  return kind ?? `${first}-${second === "schemas" ? second : "page"}`;
}

await runCommand({
  name: "npm run docs:screenshots",
  summary:
    "Takes screenshots of a page of each kind, and of what readers do there, at five widths, in light and dark mode.",
  options: {
    out: {
      type: "string",
      value: "DIR",
      description: "the folder for the screenshots",
      default: "generated/docs-screenshots",
    },
    readme: { type: "boolean", description: "only take the README's pictures, in .github/pictures/" },
    check: { type: "boolean", description: "with --readme: take no picture, and fail if one is old" },
  },
  positionals: "[PICTURE...]",
  examples: ["npm run docs:screenshots", "npm run docs:screenshots -- operation form-sent"],
  run: async ({ out, readme = false, check = false }, chosen) => {
    const generations = await readBuiltGenerations();
    const folder = resolve(out, "site");
    if (readme) {
      await writeSite({ generations, folder, mockUrl: defaultMockUrl });
      const page = (await choosePages(folder)).get("operation") ?? "index.html";
      await showReadme(folder, page, generations, check);
      return;
    }
    await using mock = await startServer({ generations, port: 0 });
    await writeSite({ generations, folder, mockUrl: mock.url });
    const published = resolve(out, "published");
    await writeSite({ generations, folder: published });
    const pages = await choosePages(folder);
    const pathOf = (kind: string) => pages.get(kind) ?? "index.html";
    const all = [
      ...[...pages].map(([name, path]) => ({ name, site: folder, path, act: undefined })),
      ...Object.entries(states).map(([name, act]) => ({ name, site: folder, path: pathOf("operation"), act })),
      ...Object.entries(statesInPage).map(([name, [kind, act]]) => {
        return { name, site: published, path: pathOf(kind), act };
      }),
    ];
    const unknown = chosen.find((one) => all.every(({ name }) => name !== one));
    const known = all.map(({ name }) => name).join(", ");
    if (unknown !== undefined) throw new UserError(`There is no picture ${unknown}, but ${known}`);
    const pictures = all.filter(({ name }) => chosen.length === 0 || chosen.includes(name));
    await using browser = await launchBrowser();
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of widths) {
        const viewport = { width, height: 900 };
        await using context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
        for (const { name, site, path, act } of pictures) {
          await using page = await context.newPage();
          await page.goto(`${pathToFileURL(site).href}/${path}`);
          await page.evaluate(showAll);
          await act?.(page);
          const file = join(out, `${name}-${width}-${colorScheme}.png`);
          // What lies over a page is no longer than the screen.
          const fullPage = !(await page.locator("dialog[open], :popover-open").first().isVisible());
          if (fullPage) await page.evaluate(putInPlace);
          await page.screenshot({ path: file, fullPage });
          printLine(file);
        }
      }
    }
  },
});

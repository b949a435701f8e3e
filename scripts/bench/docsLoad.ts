import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { readBuiltGenerations } from "../command/builtGenerations.ts";
import { launchBrowser } from "../command/launchBrowser.ts";
import { UserError } from "../contract/failures.ts";
import type { OpenApiDocument } from "../contract/openapi.ts";
import { slugOf } from "../contract/text.ts";
import { loadSite } from "../docs/siteServer.ts";
import { writeSite } from "../docs/writeSite.ts";
import { median, tableRow } from "./statistics.ts";

const run = promisify(execFile);
const rounds = 3;

/** What a telephone of the middle class has on a bad day: 1.6 Mbit/s, 150 ms there and back, a quarter of this CPU. */
const network = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const slowdown = 4;

/** Another renderer, as its own documentation embeds it. */
interface Contender {
  readonly name: string;
  readonly package: string;
  /** Files of the package that the page loads. */
  readonly files: readonly string[];
  readonly body: string;
  /** The keys that open its search; `undefined` where it has none over operations. */
  readonly searchKeys?: string;
}

const contenders: readonly Contender[] = [
  {
    name: "Swagger UI",
    package: "swagger-ui-dist@5.35.0",
    files: ["swagger-ui.css", "swagger-ui-bundle.js"],
    body: '<div id="ui"></div><script>SwaggerUIBundle({ url: "openapi.json", dom_id: "#ui" })</script>',
  },
  {
    name: "Scalar",
    package: "@scalar/api-reference@1.72.1",
    files: ["dist/browser/standalone.js"],
    body: '<div id="ui"></div><script>Scalar.createApiReference("#ui", { url: "openapi.json", telemetry: false, withDefaultFonts: false })</script>',
    searchKeys: "Control+k",
  },
  {
    name: "Stoplight Elements",
    package: "@stoplight/elements@9.0.25",
    files: ["styles.min.css", "web-components.min.js"],
    body: '<elements-api apiDescriptionUrl="openapi.json" router="hash"></elements-api>',
  },
];

interface Load {
  readonly firstPaint: number;
  readonly largestPaint: number;
  readonly blocking: number;
  readonly urls: readonly string[];
  /** Bytes that came over the network, headers included. */
  readonly transferred: number;
}

/** Compares the page of the newest generation with other renderers of the same bundle, in one run. */
export async function benchDocs(report: (line: string) => void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "bench-docs-"));
  const generations = await readBuiltGenerations();
  const [newestGeneration, oldest] = [generations.at(-1), generations[0]];
  if (newestGeneration === undefined || oldest === undefined) throw new UserError("there is no generation to measure");
  const { name: newest, document, operations } = newestGeneration;
  const title = operations[0]?.title ?? "";
  let server: Server | undefined;
  try {
    report("Getting the other renderers");
    for (const contender of contenders) await makePage(folder, contender, document);
    await writeSite({ generations, folder: join(folder, "ours") });
    const site = loadSite({ folder });
    server = createServer((request, response) => {
      void site(request, response);
    });
    const url = await listen(server);
    await using browser = await launchBrowser();

    report(
      `Medians of ${rounds} loads without a cache, 1.6 Mbit/s, 150 ms, CPU slowed ${slowdown} times; search without.`,
    );
    report(row("", ["gzip kB", "brotli kB", "requests", "FCP ms", "LCP ms", "blocking ms", "search ms"]));
    const pages = [
      { name: `ours (${newest})`, path: `ours/${newest}/`, searchKeys: "Control+k" },
      ...contenders.map(({ name, searchKeys }) => ({ name, path: `${slugOf(name)}/`, searchKeys })),
    ];
    for (const { name, path, searchKeys } of pages) {
      const loads: Load[] = [];
      for (let round = 0; round < rounds; round += 1) loads.push(...(await load(browser, [url + path])));
      const urls = loads[0]?.urls ?? [];
      report(
        row(name, [
          kilobytes(await sizeOf(urls, "gzip")),
          kilobytes(await sizeOf(urls, "br")),
          String(urls.length),
          ...(["firstPaint", "largestPaint", "blocking"] as const).map((key) =>
            median(loads.map((entry) => entry[key])).toFixed(0),
          ),
          searchKeys === undefined ? "none" : (await searchLatency(browser, url + path, searchKeys, title)).toFixed(0),
        ]),
      );
    }
    const visits = await load(
      browser,
      [newest, oldest.name].map((name) => `${url}ours/${name}/`),
    );
    report(`The second page of ours, in one visit (brotli): ${kilobytes(visits[1]?.transferred ?? 0)} kB`);
  } finally {
    server?.close();
    server?.closeAllConnections();
    await rm(folder, { recursive: true });
  }
}

/** Puts a contender's page into a folder of its own. `npm pack` brings the package without what it depends on. */
async function makePage(folder: string, contender: Contender, document: OpenApiDocument): Promise<void> {
  const target = join(folder, slugOf(contender.name));
  const unpacked = join(target, ".package");
  await mkdir(unpacked, { recursive: true });
  const { stdout } = await run("npm", ["pack", contender.package, "--silent", "--pack-destination", unpacked]);
  await run("tar", ["-xzf", join(unpacked, stdout.trim()), "-C", unpacked]);
  const tags = contender.files.map((file) => {
    const name = file.slice(file.lastIndexOf("/") + 1);
    return name.endsWith(".css") ? `<link rel="stylesheet" href="${name}">` : `<script src="${name}"></script>`;
  });
  for (const file of contender.files) {
    await cp(join(unpacked, "package", file), join(target, file.slice(file.lastIndexOf("/") + 1)));
  }
  await rm(unpacked, { recursive: true });
  await writeFile(join(target, "openapi.json"), JSON.stringify(document));
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">`;
  await writeFile(
    join(target, "index.html"),
    `<!doctype html><html lang="en"><head>${head}<title>${contender.name}</title></head><body>${tags.join("")}${contender.body}</body></html>`,
  );
}

/** Collects paints and long tasks from the beginning of a page on. */
const observers = `
  globalThis.measured = { largestPaint: 0, blocking: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) measured.largestPaint = entry.startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) measured.blocking += entry.duration - 50;
  }).observe({ type: "longtask", buffered: true });
`;

/** Loads pages one after the other in a fresh profile. Each has ended 3 s after it was painted and asked for no more. */
async function load(browser: Browser, urls: readonly string[]): Promise<Load[]> {
  await using context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", network);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await page.addInitScript(observers);
  let transferred = 0;
  let requested: string[] = [];
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    transferred += encodedDataLength;
  });
  session.on("Network.requestWillBeSent", ({ request }) => {
    if (request.url.startsWith("http")) requested.push(request.url);
  });
  const loads: Load[] = [];
  for (const url of urls) {
    transferred = 0;
    requested = [];
    await page.goto(url, { waitUntil: "networkidle", timeout: 120_000 });
    await page.waitForFunction("measured.largestPaint > 0", undefined, { timeout: 120_000 });
    await page.waitForTimeout(3000);
    const measured = await page.evaluate<Omit<Load, "urls" | "transferred">>(
      '({ ...measured, firstPaint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0 })',
    );
    loads.push({ ...measured, urls: requested, transferred });
  }
  return loads;
}

/** From the first key of a query to the first operation found, in milliseconds; what it waits for on purpose included. */
async function searchLatency(browser: Browser, url: string, keys: string, title: string): Promise<number> {
  await using page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(url, { waitUntil: "networkidle" });
  await page.waitForTimeout(3000);
  await page.keyboard.press(keys);
  const dialog = page.locator('[data-testid="search-dialog"], [role="dialog"]').first();
  await dialog.locator("input").waitFor();
  const start = performance.now();
  await page.keyboard.type(title);
  await dialog.getByText(title).first().waitFor();
  return performance.now() - start;
}

/** The bodies of some addresses together, in bytes, as the server encodes them. */
async function sizeOf(urls: readonly string[], coding: string): Promise<number> {
  const sizes = await Promise.all(
    urls.map(async (url) => {
      const response = await fetch(url, { method: "HEAD", headers: { "accept-encoding": coding } });
      return Number(response.headers.get("content-length"));
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === "object" ? (address?.port ?? 0) : 0}/`);
    });
  });
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}

function row(name: string, cells: readonly string[]): string {
  return tableRow([name, ...cells], [20]);
}

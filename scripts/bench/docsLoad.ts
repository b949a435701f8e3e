import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readBuiltGenerations } from "../command/builtGenerations.ts";
import { launchBrowser } from "../command/launchBrowser.ts";
import { UserError } from "../contract/failures.ts";
import type { Generation, Operation } from "../contract/generation.ts";
import { slugOf } from "../contract/text.ts";
import { readAddresses } from "../docs/model/addresses.ts";
import { flattenFields } from "../docs/model/fields.ts";
import { readOperationContent } from "../docs/model/operationContent.ts";
import { loadSite } from "../docs/site/siteServer.ts";
import { writeSite } from "../docs/site/writeSite.ts";
import { measureDocsBuild, measureStart } from "./docsBuild.ts";
import { loadPage, type PageLoad, type SoughtTexts } from "./pageLoad.ts";
import { renderers } from "./renderers.ts";
import { median, tableRow } from "./statistics.ts";

const rounds = 3;
const widths = [20, 9, 11, 10, 8, 8, 8, 8, 10, 9, 7, 9];

/** A figure of ours, and what it may be at most. */
interface Goal {
  readonly title: string;
  readonly value: number;
  readonly limit: number;
  readonly unit: string;
}

/** The page of an operation in one renderer. */
interface MeasuredPage {
  readonly name: string;
  readonly url: string;
  readonly searchDialog: string | undefined;
}

/**
 * Compares the docs of one operation of the newest generation with other renderers' of the same bundle, on a slow device;
 * then how long docs take to be built, and `npm start` to be ready.
 */
export async function benchDocs(report: (line: string) => void): Promise<void> {
  const generations = await readBuiltGenerations();
  const loadGoals = await benchLoads(generations, report);
  report("");
  const builds = await measureDocsBuild(generations, rounds, report);
  report("");
  const start = await measureStart(rounds);
  report(
    `npm start, until it listens: ${seconds(start.rendered)} with docs to render, ${seconds(start.ready)} without.`,
  );
  report("\nGoals for ours");
  const goals: readonly Goal[] = [
    ...loadGoals,
    { title: "build of this project's docs", value: builds.own / 1000, limit: 1, unit: " s" },
    { title: "build of 1,000 operations' docs", value: builds.large / 1000, limit: 5, unit: " s" },
  ];
  for (const { title, value, limit, unit } of goals) {
    const outcome = value <= limit ? "met" : "missed";
    report(tableRow([title, `${round(value)}${unit}`, `at most ${limit}${unit}`, outcome], [36, 12, 18, 9]));
  }
}

async function benchLoads(
  generations: readonly Generation[],
  report: (line: string) => void,
): Promise<readonly Goal[]> {
  const newest = generations.at(-1);
  if (newest === undefined) throw new UserError("there is no generation to measure");
  const { operation, sought } = chooseOperation(newest);
  const folder = await mkdtemp(join(tmpdir(), "bench-docs-"));
  let server: Server | undefined;
  try {
    report("Getting the other renderers");
    for (const { name, write } of renderers) {
      const own = join(folder, slugOf(name));
      await mkdir(own);
      await write(own, newest);
    }
    await writeSite({ generations, folder: join(folder, "ours") });
    const site = loadSite({ folder });
    server = createServer((request, response) => {
      void site(request, response).then((isAnswered) => {
        if (!isAnswered) response.writeHead(404).end();
      });
    });
    const url = await listen(server);
    await using browser = await launchBrowser();
    const pages: readonly MeasuredPage[] = [
      {
        name: "ours",
        url: `${url}ours/${readAddresses(newest).operations.get(operation) ?? ""}`,
        searchDialog: "dialog[open]",
      },
      ...renderers.map(({ name, addressOf, searchDialog }) => ({
        name,
        url: `${url}${slugOf(name)}/${addressOf(operation)}`,
        searchDialog,
      })),
    ];
    report(`${newest.name}: ${operation.name}, opened by its address in each renderer; medians of ${rounds} loads.`);
    report(
      "1.6 Mbit/s, 150 ms, CPU 4 times slower, nothing cached, searches too. Times in ms; path: until it can be read;",
    );
    report("field: until a name of a field is laid out, too; blocking: what long tasks took beyond 50 ms each.");
    const headings = "gzip kB,brotli kB,requests,FCP,LCP,path,field,blocking,longest,shift,search".split(",");
    report(tableRow(["", ...headings], widths));
    // In turn, so that what else the machine does is shared by all.
    const loads = pages.map((): PageLoad[] => []);
    for (let count = 0; count < rounds; count += 1) {
      for (const [index, page] of pages.entries())
        loads[index]?.push(await loadPage(browser, page.url, sought, page.searchDialog));
    }
    for (const [index, { name }] of pages.entries()) report(await describeLoads(name, loads[index] ?? []));
    return await loadGoals(loads[0] ?? []);
  } finally {
    server?.close();
    server?.closeAllConnections();
    await rm(folder, { recursive: true });
  }
}

/** Of the operations with a body that every renderer has an address for, the one with the most fields. */
function chooseOperation(generation: Generation): { readonly operation: Operation; readonly sought: SoughtTexts } {
  const candidates = generation.operations
    .filter(({ operationId, requestBody }) => operationId !== undefined && requestBody !== undefined)
    .map((operation) => {
      const { parameters, requestBody, responses } = readOperationContent(generation, operation);
      const received = responses.flatMap(({ media }) => media.map(({ field }) => field));
      const sent = [
        ...parameters.flatMap(({ fields }) => fields),
        ...(requestBody?.media.map(({ field }) => field) ?? []),
      ];
      return { operation, fields: flattenFields(sent), count: flattenFields([...sent, ...received]).length };
    });
  const [chosen] = candidates.sort((a, b) => b.count - a.count);
  if (chosen === undefined) throw new UserError(`${generation.name} has no operation with a request body to measure`);
  const { title, path } = chosen.operation;
  const fields = chosen.fields.map(({ name }) => name).filter((name) => /\w/.test(name));
  return { operation: chosen.operation, sought: { title, path, fields } };
}

async function describeLoads(name: string, loads: readonly PageLoad[]): Promise<string> {
  const urls = loads[0]?.urls ?? [];
  const time = (key: keyof Omit<PageLoad, "urls">, absent: string) => {
    const value = medianOf(loads, key);
    return Number.isFinite(value) ? value.toFixed(0) : absent;
  };
  return tableRow(
    [
      name,
      kilobytes(await sizeOf(urls, "gzip")),
      kilobytes(await sizeOf(urls, "br")),
      String(urls.length),
      time("firstPaint", "never"),
      time("largestPaint", "never"),
      time("path", "never"),
      time("field", "never"),
      time("blocking", ""),
      time("longestTask", ""),
      medianOf(loads, "shift").toFixed(2),
      time("search", "none"),
    ],
    widths,
  );
}

async function loadGoals(loads: readonly PageLoad[]): Promise<readonly Goal[]> {
  const kilobytes = (await sizeOf(loads[0]?.urls ?? [], "gzip")) / 1000;
  return [
    { title: "page of an operation, gzipped", value: kilobytes, limit: 30, unit: " kB" },
    { title: "path visible", value: medianOf(loads, "path"), limit: 800, unit: " ms" },
    { title: "first field visible", value: medianOf(loads, "field"), limit: 800, unit: " ms" },
    { title: "longest task", value: medianOf(loads, "longestTask"), limit: 50, unit: " ms" },
    { title: "layout shift", value: medianOf(loads, "shift"), limit: 0, unit: "" },
  ];
}

/** What has not come about in a load took forever. */
function medianOf(loads: readonly PageLoad[], key: keyof Omit<PageLoad, "urls">): number {
  return median(loads.map((load) => load[key] ?? Infinity));
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

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}

import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { serveSite } from "../docs/serveSite.ts";
import { freePort } from "../fixtures/freePort.ts";
import { syntheticDocument } from "../fixtures/syntheticContract.ts";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { launchBrowser } from "../launchBrowser.ts";
import { UserError } from "../../scripts/contract/failures.ts";
import { type Generation, type Operation, readGeneration } from "../../scripts/contract/generation.ts";
import { readAddresses } from "../../scripts/docs/model/addresses.ts";
import { flattenFields } from "../../scripts/docs/model/fields.ts";
import { readOperationModel } from "../../scripts/docs/model/operationModel.ts";
import { writeSite } from "../../scripts/docs/site/writeSite.ts";
import { type Benchmark, type MeasuredFigures, compare } from "./figures.ts";
import { type MeasuredPage, type SoughtTexts, loadMetrics, loadPage } from "./pageLoad.ts";
import { compareCommands, runProgram, runServer, temporaryFolder, writeGenerations } from "./programs.ts";
import { createRequire } from "node:module";
import { slugOf } from "../../scripts/values/text.ts";

/**
 * Compares the page of one operation with that of other renderers, on a slow device with an empty cache. All
 * use the same bundle of the newest generation. Compares `npm run docs` with `redocly build-docs`, which
 * renders one description into a page, for each generation. Then measures how long `npm start`, without npm's
 * own time, takes to serve the docs.
 */
export const benchDocs: Benchmark = async function* () {
  const generations = await readBuiltGenerations();
  yield await comparePages(generations);
  yield await compareBuilds("docs: build for this project", generations, 1);
  const synthetic = [readGeneration("large", syntheticDocument(1_000))];
  yield await compareBuilds("docs: build for 1,000 operations", synthetic, 5);
  yield await measureStart();
};

async function comparePages(generations: readonly Generation[]): Promise<MeasuredFigures> {
  const folder = await temporaryFolder();
  const newest = generations.at(-1);
  if (newest === undefined) throw new UserError("there is no generation to measure");
  const { operation, sought } = chooseOperation(newest);
  await writeSite({ generations, folder: join(folder, "ours") });
  const others = await writeOtherPages(folder, newest, operation);
  const address = `ours/${readAddresses(newest).operations.get(operation) ?? ""}`;
  const ours: MeasuredPage = { address, searchDialog: "dialog[open]" };
  await using site = await serveSite(folder);
  await using browser = await launchBrowser();
  const measure = (page: MeasuredPage) => loadPage(browser, `${site.url}/`, page, sought);
  const title = `docs: ${operation.name}, 1.6 Mbit/s, 150 ms, CPU 4 times slower`;
  return await compare({ title, metrics: loadMetrics, measure, ours, others });
}

/** The operation with the most fields, among those with a body that every renderer has an address for. */
function chooseOperation(generation: Generation): { readonly operation: Operation; readonly sought: SoughtTexts } {
  const candidates = generation.operations
    .filter(({ operationId, requestBody }) => operationId !== undefined && requestBody !== undefined)
    .map((operation) => {
      const { parameters, requestBody, responses } = readOperationModel(generation, operation);
      const bodyFields = (requestBody?.media ?? []).map(({ field }) => field);
      const sent = flattenFields([...parameters.flatMap(({ fields }) => fields), ...bodyFields]);
      const received = flattenFields(responses.flatMap(({ media }) => media.map(({ field }) => field)));
      const fields = sent.map(({ name }) => name).filter((name) => /\w/.test(name));
      return { operation, fields, count: sent.length + received.length };
    });
  const [chosen] = candidates.sort((a, b) => b.count - a.count);
  if (chosen === undefined) throw new UserError(`${generation.name} has no operation with a request body to measure`);
  const { operation, fields } = chosen;
  return { operation, sought: { title: operation.title, path: operation.path, fields } };
}

async function compareBuilds(
  title: string,
  generations: readonly Generation[],
  limit: number,
): Promise<MeasuredFigures> {
  const folder = await writeGenerations(generations);
  const outputs = ["docs", "redoc"].map((name) => join(folder, name));
  const redoc = generations.map(({ name }) => {
    const bundle = join(folder, "generated", name, "openapi.json");
    // In the bundles' folder, Redocly would also apply the rules of the configuration.
    return { cwd: tmpdir(), args: [redocly, "build-docs", bundle, "--output", join(folder, "redoc", `${name}.html`)] };
  });
  const ours = [{ cwd: folder, args: [resolve("scripts/docs.ts"), "--out", "docs"] }];
  return compareCommands(title, ours, { "redocly build-docs": redoc }, outputs, { ours: limit });
}

async function measureStart(): Promise<MeasuredFigures> {
  // To render the docs again, each run has another address.
  const port = await freePort();
  const timeOf = async (docs: string) => {
    const args = () => [resolve("scripts/start.ts"), "--port", String(port), "--docs", docs];
    const home = { method: "GET", target: "/", headers: {}, body: undefined };
    await using server = await runServer({ name: "npm start", cwd: resolve(), args }, docs, home, port);
    return server.firstAnswer;
  };
  const metrics = { "to be rendered": { unit: "ms" }, "there already": { unit: "ms" } };
  const measure = async (docs: string) => {
    await rm(docs, { recursive: true, force: true });
    return { "to be rendered": await timeOf(docs), "there already": await timeOf(docs) };
  };
  return compare({ title: "docs: npm start, until it has them", metrics, measure, ours: await temporaryFolder() });
}

/**
 * Other renderers, embedded as in their documentation. Their pages read openapi.json, and load files of a
 * package.
 */
const renderers = {
  Scalar: {
    package: "@scalar/api-reference@1.72.1",
    files: ["dist/browser/standalone.js"],
    body: `<div id="ui"></div><script src="standalone.js"></script>
      <script>Scalar.createApiReference("#ui", { url: "openapi.json", telemetry: false, withDefaultFonts: false })</script>`,
    fragmentOf: ({ group, method, path }: Operation) => `tag/${slugOf(group)}/${method.toUpperCase()}${path}`,
  },
  "Swagger UI": {
    package: "swagger-ui-dist@5.35.0",
    files: ["swagger-ui.css", "swagger-ui-bundle.js"],
    body: `<link rel="stylesheet" href="swagger-ui.css"><script src="swagger-ui-bundle.js"></script>
      <div id="ui"></div><script>SwaggerUIBundle({ url: "openapi.json", dom_id: "#ui", deepLinking: true })</script>`,
    fragmentOf: ({ group, operationId = "" }: Operation) => `/${encodeURIComponent(group)}/${operationId}`,
  },
  "Stoplight Elements": {
    package: "@stoplight/elements@9.0.25",
    files: ["styles.min.css", "web-components.min.js"],
    body: `<link rel="stylesheet" href="styles.min.css"><script src="web-components.min.js"></script>
      <elements-api apiDescriptionUrl="openapi.json" router="hash"></elements-api>`,
    fragmentOf: ({ operationId = "" }: Operation) => `/operations/${operationId}`,
  },
};

const redocly = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js");

/**
 * Makes each renderer write its page of a generation, with all of its files, into a separate folder within
 * the given one.
 */
async function writeOtherPages(folder: string, { document }: Generation, operation: Operation) {
  const makeFolder = async (name: string) => {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, "openapi.json"), JSON.stringify(document));
    return join(folder, name);
  };
  const { group, operationId = "" } = operation;
  await writeRedoc(await makeFolder("redoc"));
  const address = `redoc/#/${slugOf(group)}/${operationId.toLowerCase()}`;
  const pages: Record<string, MeasuredPage> = { Redoc: { address, searchDialog: ".overlay" } };
  for (const [name, renderer] of Object.entries(renderers)) {
    const slug = slugOf(name);
    await writePage(await makeFolder(slug), renderer.package, renderer.files, renderer.body);
    const address = `${slug}/#${renderer.fragmentOf(operation)}`;
    pages[name] = { address, searchDialog: name === "Scalar" ? "[role=dialog]" : undefined };
  }
  return pages;
}

/** The page of `redocly build-docs`, with its script from the installed package instead of another host. */
async function writeRedoc(folder: string): Promise<void> {
  await runProgram(process.execPath, [redocly, "build-docs", "openapi.json", "--output", "index.html"], folder);
  const script = "redoc.standalone.js";
  await cp(join(dirname(redocly), "../lib/chunks", script), join(folder, script));
  const page = join(folder, "index.html");
  const html = await readFile(page, "utf8");
  await writeFile(page, html.replaceAll(new RegExp(`https://[^"']*/${script}`, "g"), `./${script}`));
}

/** `npm pack` downloads the package without its dependencies. */
async function writePage(folder: string, specifier: string, files: readonly string[], body: string): Promise<void> {
  const unpacked = await temporaryFolder();
  const archive = await runProgram("npm", ["pack", specifier, "--silent"], unpacked);
  await runProgram("tar", ["-xzf", archive.trim()], unpacked);
  for (const file of files) await cp(join(unpacked, "package", file), join(folder, basename(file)));
  const head = `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">`;
  await writeFile(join(folder, "index.html"), head + body);
}

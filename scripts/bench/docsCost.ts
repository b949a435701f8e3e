import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { serveSite } from "../../test/docs/serveSite.ts";
import { freePort } from "../../test/fixtures/freePort.ts";
import { syntheticDocument } from "../../test/fixtures/syntheticContract.ts";
import { readBuiltGenerations } from "../command/builtGenerations.ts";
import { launchBrowser } from "../command/launchBrowser.ts";
import { UserError } from "../contract/failures.ts";
import { readGeneration, type Generation, type Operation } from "../contract/generation.ts";
import { readAddresses } from "../docs/model/addresses.ts";
import { flattenFields } from "../docs/model/fields.ts";
import { readOperationContent } from "../docs/model/operationContent.ts";
import { writeSite } from "../docs/site/writeSite.ts";
import { compare, type Benchmark, type Comparison } from "./figures.ts";
import { startServer, writeGenerations } from "./mockServers.ts";
import { loadMetrics, loadPage, type MeasuredPage, type SoughtTexts } from "./pageLoad.ts";
import { compareCommands, temporaryFolder } from "./programs.ts";
import { redocly, writeOtherPages } from "./renderers.ts";

/**
 * Compares the page of one operation of the newest generation with other renderers' of the same bundle, on a slow device
 * with nothing cached, and `npm run docs` with `redocly build-docs`, which makes a page of one description, run for each
 * generation; then measures how long `npm start`, without npm's own time, takes until it has the docs.
 */
export const benchDocs: Benchmark = async function* () {
  const generations = await readBuiltGenerations();
  yield await comparePages(generations);
  yield await compareBuilds("docs: build for this project", generations, 1);
  const synthetic = [readGeneration("large", syntheticDocument(1_000))];
  yield await compareBuilds("docs: build for 1,000 operations", synthetic, 5);
  yield await measureStart();
};

async function comparePages(generations: readonly Generation[]): Promise<Comparison> {
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

/** Of the operations with a body that every renderer has an address for, the one with the most fields. */
function chooseOperation(generation: Generation): { readonly operation: Operation; readonly sought: SoughtTexts } {
  const candidates = generation.operations
    .filter(({ operationId, requestBody }) => operationId !== undefined && requestBody !== undefined)
    .map((operation) => {
      const { parameters, requestBody, responses } = readOperationContent(generation, operation);
      const bodyFields = (requestBody?.media ?? []).map(({ field }) => field);
      const sent = flattenFields([...parameters.flatMap(({ fields }) => fields), ...bodyFields]);
      const received = flattenFields(responses.flatMap(({ media }) => media.map(({ field }) => field)));
      const fields = sent.map(({ name }) => name).filter((name) => /\w/.test(name));
      return { operation, fields, count: sent.length + received.length };
    });
  const [chosen] = candidates.sort((a, b) => b.count - a.count);
  if (chosen === undefined) throw new UserError(`${generation.name} has no operation with a request body to measure`);
  const { title, path } = chosen.operation;
  return { operation: chosen.operation, sought: { title, path, fields: chosen.fields } };
}

async function compareBuilds(title: string, generations: readonly Generation[], limit: number): Promise<Comparison> {
  const folder = await writeGenerations(generations);
  const outputs = ["docs", "redoc"].map((name) => join(folder, name));
  const redoc = generations.map(({ name }) => {
    const bundle = join(folder, "generated", name, "openapi.json");
    // In the bundles' folder, Redocly would apply the rules of the configuration, too.
    return { cwd: tmpdir(), args: [redocly, "build-docs", bundle, "--output", join(folder, "redoc", `${name}.html`)] };
  });
  const ours = [{ cwd: folder, args: [resolve("scripts/docs.ts"), "--out", "docs"] }];
  return compareCommands(title, ours, { "redocly build-docs": redoc }, outputs, { ours: limit });
}

async function measureStart(): Promise<Comparison> {
  // The same for all: docs are rendered anew for another address.
  const port = await freePort();
  const timeOf = async (docs: string) => {
    const args = () => [resolve("scripts/start.ts"), "--port", String(port), "--docs", docs];
    const home = { method: "GET", target: "/", headers: {}, body: undefined };
    await using server = await startServer({ name: "npm start", cwd: resolve(), args }, docs, home, port);
    return server.firstAnswer;
  };
  return compare({
    title: "docs: npm start, until it has them",
    metrics: { "to be rendered": { unit: "ms" }, "there already": { unit: "ms" } },
    measure: async (docs) => {
      await rm(docs, { recursive: true, force: true });
      return { "to be rendered": await timeOf(docs), "there already": await timeOf(docs) };
    },
    ours: await temporaryFolder(),
  });
}

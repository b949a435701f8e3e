import autocannon from "autocannon";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { attackedDocument, attacks, longestWait, sendAttack } from "../fixtures/attacks.ts";
import { syntheticDocument } from "../fixtures/syntheticContract.ts";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { UserError } from "../../scripts/contract/failures.ts";
import {
  readGeneration,
  successResponses,
  type Generation,
  type Operation,
} from "../../scripts/contract/generation.ts";
import { createEngine } from "../../scripts/mock/server/engine.ts";
import { exampleRequest, jsonValue, type ExampleRequest } from "../fixtures/exampleRequest.ts";
import { compare, type Benchmark, type MeasuredFigures, type Figure, type Metric } from "./figures.ts";
import {
  bareServer,
  initOf,
  ownMock,
  runServer,
  stock,
  stockProxy,
  writeGenerations,
  type Contender,
} from "./programs.ts";

const roundSeconds = 2;
const connections = 10;
const rate = { unit: "requests/s", better: "more" } as const;
const own = ownMock(["--quiet"]);

/** A repeated request. */
interface Load extends ExampleRequest {
  readonly status: number;
  /** Targets to request in turn. Default: the request's own. */
  readonly targets?: readonly string[];
  /** The lowest allowed ratio of our rate to another server's. */
  readonly goal?: number;
}

/**
 * Compares the mock with `prism mock` of the installed version, each in a separate process with the same
 * document and without logs. Then compares it with itself with a log, with more operations, and with more
 * data, and with a bare server that sends the same bytes. Compares it as a proxy with `prism proxy`. Finally,
 * sends it large bodies, and measures how long other requests wait.
 */
export const benchMock: Benchmark = async function* () {
  const [contract] = (await readBuiltGenerations()).toSorted((a, b) => b.operations.length - a.operations.length);
  if (contract === undefined) throw new UserError("nothing has been built: run npm run build first");
  const synthetic = readGeneration("synthetic", syntheticDocument(1_000));
  const few = await writeGenerations([contract]);
  const many = await writeGenerations([synthetic]);
  const { GET, POST } = listLoads(contract, 5, 2);
  for (const [generation, folder, getGoal, goal, startGoal] of [
    [contract, few, 5, 2, 1],
    [synthetic, many, 50, 10, 0.5],
  ] as const) {
    const title = `mock: ${generation.operations.length} operations`;
    const loads = listLoads(generation, getGoal, goal);
    yield await compareLoads(title, loads, [own, folder], [stock, folder]);
    yield await compareStarts(`${title}, first answer`, folder, loads.GET, startGoal);
  }
  const logged = { GET: { ...GET, goal: 0.4 }, POST: { ...POST, goal: 0.3 } };
  const mock = createEngine({ generations: [contract] });
  const answerOf = async (load: Load) => (await mock.fetch(`http://mock.example${load.target}`, initOf(load))).text();
  const bare = bareServer({ GET: await answerOf(GET), POST: await answerOf(POST) });
  yield await compareLoads("mock: with its log", logged, [ownMock([]), few], [bare, few]);
  yield await comparePassing({ GET: { ...GET, goal: 1 }, POST: { ...POST, goal: 1 } }, bare, few);
  const both = await writeGenerations([contract, synthetic]);
  const flat = { GET: { ...GET, goal: 0.85 }, POST: { ...POST, goal: 0.85 } };
  const alone = { ...own, name: "alone" };
  yield await compareLoads("mock: beside 1,000 operations", flat, [own, both], [alone, few]);
  const seeded = await measureSeeded(many, synthetic);
  const kept = [await measureMemory(few, GET), ...(await measureWritten(many, synthetic)), ...seeded];
  const rateInside = async (load: Load) => {
    let count = 0;
    for (const end = performance.now() + roundSeconds * 1e3; performance.now() < end; count += 1) await answerOf(load);
    return count / roundSeconds;
  };
  kept.push({ name: "GET by mock.fetch, one after the other", ...rate, ours: await rateInside(GET) });
  kept.push({ name: "POST by mock.fetch, one after the other", ...rate, ours: await rateInside(POST) });
  const { operation = "" } = mock.requests().at(-1) ?? {};
  mock.overrides.set([{ operation, when: { body: jsonValue(POST.body) }, respond: {} }]);
  kept.push({ name: "POST that an override answers by its body", ...rate, ours: await rateInside(POST) });
  yield { title: "mock: by itself", figures: kept };
  yield await measureAttacks();
};

/** Compares proxies that check a server's responses, which are valid. */
async function comparePassing(loads: Parameters<typeof compareLoads>[1], server: Contender, folder: string) {
  await using upstream = await runServer(server, folder, loads.GET);
  const ours = ownMock(["--quiet", "--upstream", upstream.url]);
  return await compareLoads("mock: before a server", loads, [ours, folder], [stockProxy(upstream.url), folder]);
}

/**
 * A GET of the example, a request with a body, a GET of other resources, a change, and a GET without
 * credentials.
 */
function listLoads({ operations }: Generation, getGoal: number, goal: number) {
  const isProtected = ({ security }: Operation) => security.length > 0 && security.every(({ length }) => length > 0);
  const candidates = operations.filter(isProtected);
  // From the middle, where a linear search takes half of its maximum time.
  const middle = [...candidates.slice(candidates.length / 2), ...candidates];
  const find = (method: string, isItem: boolean) =>
    loadOf(middle.find((operation) => operation.method === method && operation.path.endsWith("}") === isItem));
  const get = { ...find("get", true), goal: getGoal };
  return {
    GET: get,
    POST: { ...find("post", false), goal },
    "GET of 1,000 resources in turn": { ...get, targets: targetsOf(get, 1_000) },
    PATCH: { ...find("patch", true), goal },
    "GET, refused with 401": { ...get, status: 401, headers: {}, goal },
  };
}

function loadOf(operation: Operation | undefined): Load {
  if (operation === undefined) throw new UserError("the contract lacks a GET, POST or PATCH to measure");
  const status = Number(successResponses(operation)[0]?.status.replace("XX", "00"));
  return { ...exampleRequest(operation), status };
}

/** The targets of that many resources, with numbers in place of the example's at the end of the path. */
function targetsOf({ target }: ExampleRequest, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => target.replace(/\d+$/, String(index + 1)));
}

/** Compares the rates of two servers, each with its folder, for some loads by name. */
async function compareLoads(
  title: string,
  loads: Readonly<Record<string, Load>> & { readonly GET: Load },
  ours: readonly [Contender, string],
  other: readonly [Contender, string],
): Promise<MeasuredFigures> {
  await using our = await runServer(...ours, loads.GET);
  await using their = await runServer(...other, loads.GET);
  const measure = async (url: string) => {
    const rates: Record<string, number> = {};
    for (const [name, load] of Object.entries(loads)) rates[name] = await rateOf(url, load);
    return rates;
  };
  for (const warmUp of [our, their]) await measure(warmUp.url);
  const metrics: Record<string, Metric> = {};
  for (const [name, { goal = 1 }] of Object.entries(loads)) metrics[name] = { ...rate, goal: { ratio: goal } };
  return await compare({ title, metrics, measure, ours: our.url, others: { [other[0].name]: their.url } });
}

/** Sends a request for some seconds, or a number of times, and resolves to the number of answers per second. */
async function rateOf(url: string, load: Load, amount?: number): Promise<number> {
  const { method, target, targets = [target] } = load;
  const duration = amount === undefined ? { duration: roundSeconds } : { amount };
  const requests = targets.map((path) => ({ path }));
  const result = await autocannon({ url, ...initOf(load), connections, requests, ...duration });
  const wrong = Object.keys(result.statusCodeStats).filter((code) => code !== String(load.status));
  if (result.errors === 0 && wrong.length === 0) return result.requests.total / result.duration;
  throw new UserError(`${method} ${target}: ${result.errors} errors, status ${wrong.join()}`);
}

/** Compares how long servers take from their start to the first answer. */
function compareStarts(
  title: string,
  folder: string,
  request: ExampleRequest,
  ratio: number,
): Promise<MeasuredFigures> {
  const timeOf = async (contender: Contender) => {
    await using server = await runServer(contender, folder, request);
    return server.firstAnswer;
  };
  const metrics = { "first start of all": { unit: "ms" }, "later starts": { unit: "ms", goal: { ratio } } };
  const measure = async (contender: Contender) => {
    await rm(join(folder, "cache"), { recursive: true, force: true });
    return { "first start of all": await timeOf(contender), "later starts": await timeOf(contender) };
  };
  return compare({ title, metrics, measure, ours: own, others: { [stock.name]: stock } });
}

async function measureMemory(folder: string, get: Load): Promise<Figure> {
  // With a heap so small that garbage is collected early. Otherwise, V8 lets it grow regardless of live data.
  const heap = ["--max-semi-space-size=1", "--max-old-space-size=48"];
  await using server = await runServer(ownMock(["--quiet"], heap), folder, get);
  const targets = targetsOf(get, 100_000);
  const read = (some: readonly string[]) => rateOf(server.url, { ...get, targets: some }, some.length);
  await read(targets.slice(0, 10_000));
  const others = { "after 10,000": await server.memory() };
  // With all of them at once, autocannon is busy for so long that requests time out.
  for (let at = 10_000; at < targets.length; at += 10_000) await read(targets.slice(at, at + 10_000));
  return { name: "memory after 100,000 reads", unit: "MB", ours: await server.memory(), others, goal: { ratio: 1.05 } };
}

/** Measures lists of many resources, and reads after many more were written. */
async function measureWritten(folder: string, { operations }: Generation): Promise<readonly Figure[]> {
  const find = (id: string) => loadOf(operations.find(({ operationId }) => operationId === id));
  const [list, change, read] = [find("listResource0"), find("updateResource0"), find("readResource0")];
  await using server = await runServer(own, folder, list);
  await rateOf(server.url, { ...change, targets: targetsOf(change, 1_000) }, 1_000);
  const lists = await rateOf(server.url, list);
  const writes = await rateOf(server.url, { ...change, targets: targetsOf(change, 10_000) }, 10_000);
  const reads = await rateOf(server.url, { ...read, targets: targetsOf(read, 10_000) });
  return [
    { name: "lists of 1,000 resources", ...rate, ours: lists },
    { name: "writes of 10,000 resources", ...rate, ours: writes },
    { name: "reads of 10,000 written resources", ...rate, ours: reads },
    { name: "memory with 10,000 written resources", unit: "MB", ours: await server.memory() },
  ];
}

/** Measures starts with many seeded resources and without: until the mock is ready, and until it answers. */
async function measureSeeded(folder: string, { operations }: Generation): Promise<readonly Figure[]> {
  const read = loadOf(operations.find(({ operationId }) => operationId === "readResource0"));
  const file = join(folder, "seed.json");
  const resources = Array.from({ length: 10_000 }, (_, id) => ({ id, name: `Resource ${id}` }));
  await writeFile(file, JSON.stringify({ Resource0: resources }));
  const timeOf = async (options: readonly string[], request: Load) => {
    await using server = await runServer(ownMock(["--quiet", ...options]), folder, request);
    return server.firstAnswer;
  };
  const measure = async (name: string, request: Load): Promise<Figure> => {
    const others = { "without a seed": await timeOf([], request) };
    return { name, unit: "ms", ours: await timeOf(["--seed-state", file, "--unknown", "404"], request), others };
  };
  return [
    await measure("ready with 10,000 seeded resources", { ...read, target: "/-/mock/health" }),
    await measure("first answer with 10,000 seeded resources", read),
  ];
}

async function measureAttacks(): Promise<MeasuredFigures> {
  const folder = await writeGenerations([readGeneration("attacks", attackedDocument)]);
  const other: ExampleRequest = { method: "GET", target: "/other", headers: {}, body: undefined };
  await using server = await runServer(own, folder, other);
  const figures: Figure[] = [];
  for (const name of Object.keys(attacks)) {
    const wait = await longestWait(server.url, sendAttack(server.url, name, connections));
    figures.push({ name, unit: "ms", ours: wait, goal: { ours: 250 } });
  }
  return { title: `mock: longest wait of others during ${connections} bodies of 1 MiB`, figures };
}

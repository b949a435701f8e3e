import autocannon from "autocannon";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attackedDocument, attackPath, attacks } from "../../test/fixtures/attacks.ts";
import { syntheticDocument } from "../../test/fixtures/syntheticContract.ts";
import { readBuiltGenerations } from "../command/builtGenerations.ts";
import { exampleRequest, type ExampleRequest } from "../samples/exampleRequest.ts";
import { UserError } from "../contract/failures.ts";
import { createEngine } from "../mock/engine.ts";
import { readGeneration, successResponses, type Generation, type Operation } from "../contract/generation.ts";
import { writeBundles } from "./bundleFolder.ts";
import { bareServer, confined, logging, own, residentMegabytes, start, stock, type Contender } from "./mockServers.ts";
import { median } from "./statistics.ts";

const rounds = 3;
const roundSeconds = 2;
const connections = 10;
const starts = 3;
const memoryRequests = 100_000;

const distinct = 1_000;
const listed = 1_000;
const written = 10_000;

/**
 * Measures the mock against the installed version's `prism mock`, each in a process of its own with the same document
 * and without logs: throughput, and time to the first answer. Then the mock with its log against a bare server, its memory,
 * what it remembers, and how long large bodies keep others waiting. Reports lines of Markdown tables.
 */
export async function benchMock(report: (line: string) => void): Promise<void> {
  const contract = await readContract();
  const directory = await mkdtemp(join(tmpdir(), "bench-mock-"));
  try {
    const synthetic = readGeneration("synthetic", syntheticDocument(1_000));
    const [few, many, both] = [join(directory, "few"), join(directory, "many"), join(directory, "both")];
    await writeBundles(few, [contract]);
    await writeBundles(many, [synthetic]);
    await writeBundles(both, [contract, synthetic]);
    for (const [folder, generation] of [
      [few, contract],
      [many, synthetic],
    ] as const) {
      const count = generation.operations.length;
      report(`\n${count} operations | ${stock.name} | ${own.name} | ratio\n--- | ---: | ---: | ---:`);
      await benchThroughput(folder, generation, report);
      await benchFirstAnswer(folder, generation, report);
    }
    report(`\nwith the request log | ${logging.name} | node:http, same bytes | ratio\n--- | ---: | ---: | ---:`);
    for (const measured of listCases(contract).slice(0, 2)) await benchAgainstBare(few, measured, report);
    report("");
    await benchFlatness(few, both, contract, report);
    await benchMemory(few, contract, report);
    await benchWritten(many, synthetic, report);
    await benchInProcess(contract, report);
    report(`\nbodies of 1 MiB, 10 at a time | longest wait of another request, ms\n--- | ---:`);
    await benchAttacks(join(directory, "attacks"), report);
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** The generation with the most operations. */
async function readContract(): Promise<Generation> {
  const [largest] = [...(await readBuiltGenerations())].sort((a, b) => b.operations.length - a.operations.length);
  if (largest === undefined) throw new UserError("nothing has been built: run npm run build first");
  return largest;
}

async function benchThroughput(folder: string, generation: Generation, report: (line: string) => void): Promise<void> {
  const cases = listCases(generation);
  await using theirs = await start(stock, folder, cases[0].request);
  await using ours = await start(own, folder, cases[0].request);
  for (const measured of cases) {
    const [a, b] = await compareLoad(theirs.url, ours.url, measured);
    report(`${measured.title}, requests/s | ${a.toFixed(0)} | ${b.toFixed(0)} | ${(b / a).toFixed(1)}`);
  }
}

/** The same requests to the same contract, served alone and beside 1,000 other operations. */
async function benchFlatness(
  few: string,
  both: string,
  generation: Generation,
  report: (line: string) => void,
): Promise<void> {
  const [get] = listCases(generation);
  await using alone = await start(own, few, get.request);
  await using beside = await start(own, both, get.request);
  const [a, b] = await compareLoad(alone.url, beside.url, get);
  report(
    `GET beside 1,000 other operations: ${b.toFixed(0)} requests/s, ${((b / a) * 100).toFixed(0)} % of GET without.`,
  );
}

/** The medians of several rounds in turn, in requests per second. */
async function compareLoad(first: string, second: string, measured: Case): Promise<readonly [number, number]> {
  const results: [number, number][] = [];
  for (let round = 0; round <= rounds; round += 1) {
    results.push([await load(first, measured), await load(second, measured)]);
  }
  // The first round warms up.
  const counted = results.slice(1);
  return [median(counted.map(([a]) => a)), median(counted.map(([, b]) => b))];
}

interface Case {
  readonly title: string;
  readonly status: number;
  readonly request: ExampleRequest;
  /** Requested in turn, if not only the request's own. */
  readonly paths?: readonly string[];
}

/** A GET of the example, of other resources, a request with a body, a change, and the GET without its credentials. */
function listCases({ operations }: Generation): readonly [Case, Case, ...Case[]] {
  const protectedOperations = operations.filter(
    ({ security }) => security.length > 0 && security.every((schemes) => schemes.length > 0),
  );
  // From the middle: looking operations up one after another takes half as long as it can.
  const middle = [...protectedOperations.slice(protectedOperations.length / 2), ...protectedOperations];
  const find = (method: string, isItem: boolean) => {
    const found = middle.find((operation) => operation.method === method && operation.path.endsWith("}") === isItem);
    if (found === undefined) throw new UserError(`the contract has no ${method} to measure`);
    return found;
  };
  const [read, write, change] = [find("get", true), find("post", false), find("patch", true)];
  const get = exampleRequest(read);
  return [
    { title: "GET", status: successOf(read), request: get },
    { title: "POST with a body", status: successOf(write), request: exampleRequest(write) },
    {
      title: `GET of ${distinct} resources in turn`,
      status: successOf(read),
      request: get,
      paths: pathsOf(get, distinct),
    },
    { title: "PATCH", status: successOf(change), request: exampleRequest(change) },
    { title: "GET, refused with 401", status: 401, request: { ...get, headers: {} } },
  ];
}

/** The paths of so many resources: those of the numbers that end the path in the place of the example's. */
function pathsOf({ target }: ExampleRequest, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => target.replace(/\d+$/, String(index + 1)));
}

function successOf(operation: Operation): number {
  return Number(successResponses(operation)[0]?.status.replace("XX", "00"));
}

async function load(url: string, { request, status, paths }: Case, amount?: number): Promise<number> {
  const result = await autocannon({
    url: `${url}${request.target}`,
    method: request.method,
    headers: request.headers,
    body: request.body === undefined ? undefined : JSON.stringify(request.body),
    connections,
    ...(paths !== undefined && { requests: paths.map((path) => ({ path })) }),
    ...(amount === undefined ? { duration: roundSeconds } : { amount }),
  });
  const wrong = Object.keys(result.statusCodeStats).filter((code) => code !== String(status));
  if (result.errors > 0 || wrong.length > 0) {
    throw new Error(`${request.method} ${url}${request.target}: ${result.errors} errors, status ${wrong.join()}`);
  }
  return result.requests.total / result.duration;
}

async function benchFirstAnswer(folder: string, generation: Generation, report: (line: string) => void): Promise<void> {
  const [{ request }] = listCases(generation);
  await rm(join(folder, "cache"), { recursive: true, force: true });
  const times = { theirs: [NaN], ours: [NaN] };
  const first = await timeFirstAnswer(own, folder, request);
  for (let round = 0; round < starts; round += 1) {
    times.theirs[round] = await timeFirstAnswer(stock, folder, request);
    times.ours[round] = await timeFirstAnswer(own, folder, request);
  }
  const [a, b] = [median(times.theirs), median(times.ours)];
  const line = (title: string, own: number) =>
    `${title}, ms | ${a.toFixed(0)} | ${own.toFixed(0)} | ${(own / a).toFixed(2)}`;
  report(line("first answer after start", b));
  report(line("first answer after the first start of all", first));
}

async function timeFirstAnswer(contender: Contender, folder: string, request: ExampleRequest): Promise<number> {
  await using server = await start(contender, folder, request);
  return server.firstAnswer;
}

/** A mock that logs each request, beside a server that does nothing but send the same bytes. */
async function benchAgainstBare(folder: string, measured: Case, report: (line: string) => void): Promise<void> {
  const { request, title } = measured;
  await using ours = await start(logging, folder, request);
  const body = request.body === undefined ? {} : { body: JSON.stringify(request.body) };
  const response = await fetch(`${ours.url}${request.target}`, {
    method: request.method,
    headers: request.headers,
    ...body,
  });
  const answered = {
    status: response.status,
    headers: { "content-type": response.headers.get("content-type") ?? "" },
    body: Buffer.from(await response.arrayBuffer()).toString("base64"),
  };
  await using bare = await start(bareServer(answered), folder, request);
  const [a, b] = await compareLoad(ours.url, bare.url, measured);
  report(`${title}, requests/s | ${a.toFixed(0)} | ${b.toFixed(0)} | ${(a / b).toFixed(2)}`);
}

async function benchMemory(folder: string, generation: Generation, report: (line: string) => void): Promise<void> {
  const [get] = listCases(generation);
  await using server = await start(confined, folder, get.request);
  const sizes: number[] = [];
  const paths = pathsOf(get.request, memoryRequests);
  for (const [from, to] of [
    [0, memoryRequests / 10],
    [memoryRequests / 10, memoryRequests],
  ]) {
    const some = paths.slice(from, to);
    await load(server.url, { ...get, paths: some }, some.length);
    sizes.push(await residentMegabytes(server.pid));
  }
  const [early = NaN, late = NaN] = sizes;
  report(
    `Resident memory with a heap of 48 MB: ${early.toFixed(0)} MB after ${(memoryRequests / 10).toLocaleString("en")} distinct reads, ` +
      `${late.toFixed(0)} MB after ${memoryRequests.toLocaleString("en")}: ${((late / early - 1) * 100).toFixed(0)} % more.`,
  );
}

/** A list of many resources, and reads after many more were written. */
async function benchWritten(folder: string, { operations }: Generation, report: (line: string) => void): Promise<void> {
  const caseOf = (id: string): Case => {
    const operation = operations.find(({ operationId }) => operationId === id);
    if (operation === undefined) throw new Error(`there is no ${id}`);
    return { title: id, status: successOf(operation), request: exampleRequest(operation) };
  };
  const [list, change, read] = [caseOf("listResource0"), caseOf("updateResource0"), caseOf("readResource0")];
  await using server = await start(own, folder, list.request);
  await load(server.url, { ...change, paths: pathsOf(change.request, listed) }, listed);
  const lists = await load(server.url, list);
  const begin = performance.now();
  await load(server.url, { ...change, paths: pathsOf(change.request, written) }, written);
  const writing = performance.now() - begin;
  const reads = await load(server.url, { ...read, paths: pathsOf(read.request, written) });
  report(`A list of ${listed} resources: ${lists.toFixed(0)} requests/s.`);
  report(
    `${written.toLocaleString("en")} resources written in ${(writing / 1_000).toFixed(1)} s; then ${reads.toFixed(0)} ` +
      `reads/s of them, and ${(await residentMegabytes(server.pid)).toFixed(0)} MB.`,
  );
}

async function benchInProcess(generation: Generation, report: (line: string) => void): Promise<void> {
  const [{ request }] = listCases(generation);
  const { method, headers, target } = request;
  const mock = createEngine({ generations: [generation] });
  const begin = performance.now();
  let count = 0;
  for (; performance.now() - begin < roundSeconds * 1_000; count += 1) {
    const response = await mock.fetch(`http://mock.example${target}`, { method, headers });
    await response.arrayBuffer();
  }
  report(`mock.fetch: ${(count / roundSeconds).toFixed(0)} GET/s, one after the other.`);
}

async function benchAttacks(folder: string, report: (line: string) => void): Promise<void> {
  await writeBundles(folder, [readGeneration("attacks", attackedDocument)]);
  const other: ExampleRequest = { method: "GET", target: "/other", headers: {}, body: undefined };
  await using server = await start(own, folder, other);
  for (const [name, [, body]] of Object.entries(attacks)) {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body };
    const progress = { isDone: false };
    const all = Promise.all(
      Array.from({ length: connections }, async () => {
        const response = await fetch(server.url + attackPath(name), init);
        await response.arrayBuffer();
      }),
    ).finally(() => (progress.isDone = true));
    let longest = 0;
    while (!progress.isDone) {
      const begin = performance.now();
      await (await fetch(`${server.url}/other`)).arrayBuffer();
      longest = Math.max(longest, performance.now() - begin);
    }
    await all;
    report(`${name} | ${longest.toFixed(0)}`);
  }
}

import autocannon from "autocannon";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { syntheticDocument } from "../../test/fixtures/syntheticContract.ts";
import { readBuiltGenerations } from "../command/builtGenerations.ts";
import { exampleRequest, type ExampleRequest } from "../contract/exampleRequest.ts";
import { UserError } from "../contract/failures.ts";
import { readGeneration, successResponses, type Generation, type Operation } from "../contract/generation.ts";
import { median } from "./statistics.ts";

const rounds = 3;
const roundSeconds = 2;
const connections = 10;
const starts = 3;
const memoryRequests = 100_000;

interface Contender {
  readonly name: string;
  /** The arguments for Node. `folder` has the document as openapi.json, and as the bundle that a build would make. */
  readonly args: (folder: string, port: number) => readonly string[];
  readonly environment: (folder: string) => NodeJS.ProcessEnv;
}

interface Server extends AsyncDisposable {
  readonly pid: number;
  readonly url: string;
  /** From the start of the process to the first answer, in milliseconds. */
  readonly firstAnswer: number;
}

const prism = createRequire(import.meta.url).resolve("@stoplight/prism-cli/dist/index.js");

const stock: Contender = {
  name: "prism mock",
  args: (folder, port) => [prism, "mock", join(folder, "openapi.json"), "-p", String(port), "-v", "silent"],
  environment: () => process.env,
};

const own: Contender = {
  name: "npm run mock",
  args: (_, port) => [resolve("scripts/mock.ts"), "--quiet", "--port", String(port)],
  environment: (folder) => ({ ...process.env, NODE_COMPILE_CACHE: join(folder, "cache") }),
};

/**
 * Measures the mock against the installed version's `prism mock`, each in a process of its own with the same document
 * and without logs: throughput, time to the first answer, and the mock's memory. Reports lines of Markdown tables.
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
    report("");
    await benchFlatness(few, both, contract, report);
    await benchMemory(few, contract, report);
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

/** Writes what a build would, and the first document alone for `prism mock`, which takes only one. */
async function writeBundles(folder: string, generations: readonly Generation[]): Promise<void> {
  for (const { name, document } of generations) {
    await mkdir(join(folder, "generated", name), { recursive: true });
    await writeFile(join(folder, "generated", name, "openapi.json"), JSON.stringify(document));
  }
  const apis = generations.map(({ name }) => `  ${name}: {}`);
  await writeFile(join(folder, "redocly.yaml"), ["apis:", ...apis, ""].join("\n"));
  await writeFile(join(folder, "openapi.json"), JSON.stringify(generations[0]?.document));
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
async function compareLoad(
  first: string,
  second: string,
  { request, status }: Case,
): Promise<readonly [number, number]> {
  const results: [number, number][] = [];
  for (let round = 0; round <= rounds; round += 1) {
    results.push([await load(first, request, status), await load(second, request, status)]);
  }
  // The first round warms up.
  const counted = results.slice(1);
  return [median(counted.map(([a]) => a)), median(counted.map(([, b]) => b))];
}

interface Case {
  readonly title: string;
  readonly status: number;
  readonly request: ExampleRequest;
}

/** A GET, a request with a body, and the GET without its credentials. */
function listCases({ operations }: Generation): readonly [Case, Case, Case] {
  const protectedOperations = operations.filter(
    ({ security }) => security.length > 0 && security.every((schemes) => schemes.length > 0),
  );
  // From the middle: looking operations up one after another takes half as long as it can.
  const middle = [...protectedOperations.slice(protectedOperations.length / 2), ...protectedOperations];
  const read = middle.find(({ method }) => method === "get");
  const write = middle.find(({ method }) => method === "post");
  if (read === undefined || write === undefined) throw new UserError("the contract has no GET or no POST to measure");
  const get = exampleRequest(read);
  return [
    { title: "GET", status: successOf(read), request: get },
    { title: "POST with a body", status: successOf(write), request: exampleRequest(write) },
    { title: "GET, refused with 401", status: 401, request: { ...get, headers: {} } },
  ];
}

function successOf(operation: Operation): number {
  return Number(successResponses(operation)[0]?.status.replace("XX", "00"));
}

async function load(url: string, request: ExampleRequest, status: number, amount?: number): Promise<number> {
  const result = await autocannon({
    url: `${url}${request.target}`,
    method: request.method,
    headers: request.headers,
    body: request.body === undefined ? undefined : JSON.stringify(request.body),
    connections,
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

async function benchMemory(folder: string, generation: Generation, report: (line: string) => void): Promise<void> {
  const [{ request, status }] = listCases(generation);
  await using server = await start(own, folder, request);
  const sizes: number[] = [];
  for (const amount of [10_000, memoryRequests - 10_000]) {
    await load(server.url, request, status, amount);
    sizes.push(await residentMegabytes(server.pid));
  }
  const [early = NaN, late = NaN] = sizes;
  report(
    `Resident memory: ${early.toFixed(0)} MB after 10,000 requests, ${late.toFixed(0)} MB after ` +
      `${memoryRequests.toLocaleString("en")}: ${((late / early - 1) * 100).toFixed(0)} % more.`,
  );
}

async function residentMegabytes(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)]);
  return Number(stdout) / 1024;
}

/** Starts a server and asks it until it answers. */
async function start(contender: Contender, folder: string, request: ExampleRequest): Promise<Server> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const begin = performance.now();
  const child = spawn(process.execPath, contender.args(folder, port), {
    cwd: folder,
    env: contender.environment(folder),
    stdio: "ignore",
  });
  const exit = once(child, "exit");
  const body = request.body === undefined ? {} : { body: JSON.stringify(request.body) };
  for (;;) {
    if (child.exitCode !== null || child.pid === undefined) throw new Error(`${contender.name} did not start`);
    const { method, headers, target } = request;
    const response = await fetch(`${url}${target}`, { method, headers, ...body }).catch(() => undefined);
    if (response === undefined) {
      await wait(5);
      continue;
    }
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${contender.name} answers ${response.status} to ${method} ${target}`);
    const firstAnswer = performance.now() - begin;
    return {
      pid: child.pid,
      url,
      firstAnswer,
      [Symbol.asyncDispose]: async () => {
        child.kill();
        await exit;
      },
    };
  }
}

/** `prism mock` cannot be asked for a free port. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("there is no free port");
  return address.port;
}

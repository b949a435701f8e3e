import { type ChildProcess, execFile, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { UserError } from "../../scripts/contract/failures.ts";
import { isObject } from "../../scripts/values/json.ts";
import { type MeasuredFigures, type Figure, compare } from "./figures.ts";
import { once } from "node:events";
import { createRequire } from "node:module";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../fixtures/freePort.ts";
import { writeBundle } from "../fixtures/writeBundle.ts";
import type { Generation } from "../../scripts/contract/generation.ts";
import { jsonValue, type ExampleRequest } from "../fixtures/exampleRequest.ts";

const execute = promisify(execFile);
const children: ChildProcess[] = [];
const folders: string[] = [];

process.on("exit", () => {
  for (const child of children) child.kill();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Creates a folder that is removed when this process ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  folders.push(folder);
  return folder;
}

/**
 * Runs a program in a folder, and resolves to its output. Rejects with {@link UserError} and its output if it
 * fails.
 */
export async function runProgram(program: string, args: readonly string[], cwd: string): Promise<string> {
  const running = execute(program, args, { cwd, maxBuffer: 2 ** 28 });
  children.push(running.child);
  try {
    return (await running).stdout;
  } catch (error) {
    const output = isObject(error) ? `${String(error["stdout"])}${String(error["stderr"])}` : "";
    throw new UserError(`this failed: ${program} ${args.join(" ")}\n${output}`);
  }
}

/** Arguments for Node. */
export interface Command {
  readonly cwd: string;
  readonly args: readonly string[];
}

/**
 * Compares the time of commands that run one after another, each in a new process. The goal is for the wall
 * time.
 */
export function compareCommands(
  title: string,
  ours: readonly Command[],
  others: Readonly<Record<string, readonly Command[]>>,
  outputs: readonly string[],
  goal?: Figure["goal"],
): Promise<MeasuredFigures> {
  const measure = async (commands: readonly Command[]) => {
    for (const output of outputs) await rm(output, { recursive: true, force: true });
    const cpuTimes = join(await temporaryFolder(), "cpu-times");
    // Node doesn't report the CPU time of child processes, so each one writes down its own.
    const atExit = `import { appendFileSync } from "node:fs"; process.on("exit", () => {
      const { user, system } = process.cpuUsage();
      appendFileSync(${JSON.stringify(cpuTimes)}, (user + system) + "\\n");
    });`;
    const hook = `data:text/javascript,${encodeURIComponent(atExit)}`;
    const start = performance.now();
    for (const { cwd, args } of commands) await runProgram(process.execPath, ["--import", hook, ...args], cwd);
    const wall = (performance.now() - start) / 1e3;
    const microseconds = (await readFile(cpuTimes, "utf8")).trim().split("\n").map(Number);
    return { "wall time": wall, "CPU time": microseconds.reduce((sum, time) => sum + time, 0) / 1e6 };
  };
  const metrics = { "wall time": { unit: "s", goal }, "CPU time": { unit: "s" } };
  return compare({ title, metrics, measure, ours, others });
}

/** A server that Node runs. */
export interface Contender {
  readonly name: string;
  /** The arguments for Node. `folder` is made by {@link writeGenerations}. */
  readonly args: (folder: string, port: number) => readonly string[];
  /** Default: the folder itself. */
  readonly cwd?: string;
  readonly environment?: (folder: string) => NodeJS.ProcessEnv;
}

const prism = createRequire(import.meta.url).resolve("@stoplight/prism-cli/dist/index.js");

export const stock: Contender = {
  name: "prism mock",
  args: (folder, port) => [prism, "mock", join(folder, "openapi.json"), "-p", String(port), "-v", "silent"],
};

/** Prism as a proxy for another server. */
export function stockProxy(upstream: string): Contender {
  const options = (port: number) => [upstream, "-p", String(port), "-v", "silent"];
  return {
    name: "prism proxy",
    args: (folder, port) => [prism, "proxy", join(folder, "openapi.json"), ...options(port)],
  };
}

/** The mock of this project. Its compiled code is cached in the folder. */
export function ownMock(options: readonly string[], nodeOptions: readonly string[] = []): Contender {
  return {
    name: "npm run mock",
    args: (_, port) => [...nodeOptions, resolve("scripts/mock.ts"), "--port", String(port), ...options],
    environment: (folder) => ({ NODE_COMPILE_CACHE: join(folder, "cache") }),
  };
}

/** Reads a request's body, and always sends the same JSON for a method. */
export function bareServer(answers: Readonly<Record<string, string>>): Contender {
  const program = `
    const answers = ${JSON.stringify(answers)};
    for (const method in answers) answers[method] = Buffer.from(answers[method]);
    require("node:http").createServer((request, response) => {
      const body = answers[request.method];
      request.resume().on("end", () => response.writeHead(200, { "content-type": "application/json" }).end(body));
    }).listen(Number(process.argv[1]), "127.0.0.1");`;
  return { name: "node:http", args: (_, port) => ["-e", program, String(port)] };
}

/** Writes a build into a temporary folder, and the first document separately for tools that accept only one. */
export async function writeGenerations(generations: readonly Generation[]): Promise<string> {
  const folder = await temporaryFolder();
  for (const { name, document } of generations) await writeBundle(folder, name, document);
  await writeFile(join(folder, "openapi.json"), JSON.stringify(generations[0]?.document));
  return folder;
}

/** A request in the form that `fetch` and autocannon accept. */
export function initOf({ method, headers, body }: ExampleRequest) {
  return { method, headers, ...(body !== undefined && { body: JSON.stringify(jsonValue(body)) }) };
}

/** Starts a server, and polls it until it answers. */
export async function runServer(contender: Contender, folder: string, request: ExampleRequest, givenPort?: number) {
  const { name, args, cwd = folder, environment } = contender;
  const port = givenPort ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const begin = performance.now();
  const env = { ...process.env, ...environment?.(folder) };
  const child = spawn(process.execPath, args(folder, port), { cwd, env, stdio: "ignore" });
  children.push(child);
  const exit = once(child, "exit");
  const send = async () => {
    const response = await fetch(url + request.target, initOf(request));
    await response.arrayBuffer();
    return response;
  };
  let response: Response | undefined;
  while (response === undefined) {
    if (child.exitCode !== null) throw new UserError(`${name} did not start`);
    // Prism may close the connection before it has sent everything.
    response = await send().catch(() => wait(5, undefined));
  }
  if (!response.ok) {
    child.kill();
    throw new UserError(`${name} answers ${response.status} to ${request.method} ${request.target}`);
  }
  return {
    url,
    /** From the start of the process, in milliseconds. */
    firstAnswer: performance.now() - begin,
    /** The resident memory, in megabytes. */
    memory: async () => Number(await runProgram("ps", ["-o", "rss=", "-p", String(child.pid)], folder)) / 1024,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await exit;
    },
  };
}

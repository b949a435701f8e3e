import { execFile, spawn, type ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { UserError } from "../contract/failures.ts";
import { isObject } from "../spec/json.ts";
import { compare, type Comparison, type Figure } from "./figures.ts";

const execute = promisify(execFile);
const children: ChildProcess[] = [];
const folders: string[] = [];

process.on("exit", () => {
  for (const child of children) child.kill();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Makes a folder that goes when this process ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  folders.push(folder);
  return folder;
}

/** Starts Node, which ends with this process at the latest. */
export function startNode(args: readonly string[], cwd: string, environment: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, ...environment }, stdio: "ignore" });
  children.push(child);
  return child;
}

/** Runs a program in a folder, and resolves to what it prints. Rejects with {@link UserError} and its output if it fails. */
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

/** Compares what commands take that run one after another, each in a fresh process. The goal is for the wall time. */
export function compareCommands(
  title: string,
  ours: readonly Command[],
  others: Readonly<Record<string, readonly Command[]>>,
  outputs: readonly string[],
  goal?: Figure["goal"],
): Promise<Comparison> {
  const measure = async (commands: readonly Command[]) => {
    for (const output of outputs) await rm(output, { recursive: true, force: true });
    return measureCommands(commands);
  };
  const metrics = { "wall time": { unit: "s", goal }, "CPU time": { unit: "s" } };
  return compare({ title, metrics, measure, ours, others });
}

async function measureCommands(commands: readonly Command[]) {
  const cpuTimes = join(await temporaryFolder(), "cpu-times");
  // Node tells a parent nothing about its children's CPU time, so each child writes down its own.
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
}

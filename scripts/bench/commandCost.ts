import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UserError } from "../contract/failures.ts";
import { median } from "./statistics.ts";

/** What running commands took, in milliseconds. */
export interface Cost {
  readonly wall: number;
  /** Of all processes and threads together. */
  readonly cpu: number;
}

/** Arguments for Node. */
export interface Command {
  readonly cwd: string;
  readonly args: readonly string[];
}

/** Runs commands one after another, each in a fresh process. Throws {@link UserError} with what one says if it fails. */
export async function measureCommands(commands: readonly Command[]): Promise<Cost> {
  const folder = await mkdtemp(join(tmpdir(), "bench-cost-"));
  const cpuTimes = join(folder, "cpu-times");
  // Node tells a parent nothing about its children's CPU time, so each child writes down its own.
  const atExit = `import { appendFileSync } from "node:fs"; process.on("exit", () => {
    const { user, system } = process.cpuUsage();
    appendFileSync(${JSON.stringify(cpuTimes)}, (user + system) + "\\n");
  });`;
  const hook = `data:text/javascript,${encodeURIComponent(atExit)}`;
  try {
    const start = performance.now();
    for (const command of commands) await runNode(command, hook);
    const wall = performance.now() - start;
    const microseconds = (await readFile(cpuTimes, "utf8")).trim().split("\n").map(Number);
    return { wall, cpu: microseconds.reduce((sum, time) => sum + time, 0) / 1000 };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function runNode({ cwd, args }: Command, hook: string): Promise<void> {
  const child = spawn(process.execPath, ["--import", hook, ...args], { cwd, stdio: ["ignore", "ignore", "pipe"] });
  const chunks: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (code !== 0) throw new UserError(`this failed: node ${args.join(" ")}\n${Buffer.concat(chunks).toString()}`);
}

/** The middle one of each kind of time. */
export function medianCost(costs: readonly Cost[]): Cost {
  return { wall: median(costs.map(({ wall }) => wall)), cpu: median(costs.map(({ cpu }) => cpu)) };
}

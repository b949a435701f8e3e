import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { isObject } from "../../scripts/contract/openapi.ts";

const run = promisify(execFile);
const root = resolve(".");

/** A consumer's project in a temporary folder, with the packed package installed from its tarball. */
export interface Project extends AsyncDisposable {
  readonly folder: string;
  /** What npm published would be made of. */
  readonly tarball: Buffer;
  /** The paths of the files in the tarball. */
  readonly files: readonly string[];
  readonly write: (file: string, content: string) => Promise<string>;
}

/** Packs this project as `npm publish` would, and installs the tarball in a new project. */
export async function createProject(): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), "consumer-"));
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder], { cwd: root });
  // What `prepack` prints comes first.
  const listing: unknown = JSON.parse(stdout.slice(stdout.indexOf("[\n")));
  const packed: unknown = Array.isArray(listing) ? listing[0] : undefined;
  if (!isObject(packed) || typeof packed["filename"] !== "string" || !Array.isArray(packed["files"])) {
    throw new Error(`npm pack --json printed something else than expected: ${stdout}`);
  }
  const tarball = join(folder, packed["filename"]);
  const files = packed["files"].flatMap((file: unknown) =>
    isObject(file) && typeof file["path"] === "string" ? [file["path"]] : [],
  );
  const project = join(folder, "project");
  await mkdir(project);
  const write = async (file: string, content: string) => {
    await writeFile(join(project, file), content);
    return join(project, file);
  };
  await write("package.json", JSON.stringify({ name: "project", private: true, type: "module" }));
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"];
  await run("npm", ["install", ...quiet, tarball], { cwd: project });
  return {
    folder: project,
    tarball: await readFile(tarball),
    files,
    write,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

/** Makes packages of this project resolvable in another one, without installing them there again. */
export async function linkPackages(folder: string, packages: readonly string[]): Promise<void> {
  for (const name of packages) {
    const link = join(folder, "node_modules", name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(root, "node_modules", name), link, "junction");
  }
}

/** Node 20 and TypeScript 7, which only consumers have: a workspace keeps them apart from this project's own. */
const consumerTools = createRequire(join(root, "test", "package", "consumer", "package.json"));
const ownTools = createRequire(join(root, "package.json"));

export const nodes = [
  { version: "20", program: join(dirname(consumerTools.resolve("node/package.json")), "bin", "node") },
  { version: "24", program: process.execPath },
];

export const compilers = [
  { version: "5.9", script: join(dirname(ownTools.resolve("typescript/package.json")), "bin", "tsc") },
  { version: "7", script: join(dirname(consumerTools.resolve("typescript/package.json")), "bin", "tsc") },
];

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

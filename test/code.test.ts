import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { readFolder } from "../scripts/command/files.ts";
import { listBundles } from "../scripts/contract/bundles.ts";
import { findSentenceReaders } from "./sentenceReaders.ts";

it.concurrent.each(["oxfmt --check .", "oxlint"])("%s finds nothing", { timeout: 300_000 }, async (command) => {
  const [tool = "", ...args] = command.split(" ");
  const { failed, output } = await outcomeOf(tool, args);
  expect(failed, output).toBe(false);
});

/**
 * The rooms under scripts/, and from which others each may import: only from rooms below it, so there is no circle. Any
 * room may import from `values`. The package is compiled or bundled from `client`, `server`, `mock` and what they import.
 */
const rooms: Readonly<Record<string, readonly string[]>> = {
  package: ["contract", "command", "pipeline", "docs/site"],
  mcp: [
    ...["spec", "contract", "samples", "exchange", "mock/content", "mock/engine", "mock/server", "command"],
    ...["docs/model", "docs/browser"],
  ],
  "docs/site": [
    ...["spec", "contract", "samples", "exchange", "workflows", "command", "mock/engine", "mock/server"],
    ...["docs/model", "docs/browser", "docs/parts", "docs/pages"],
  ],
  "docs/pages": ["spec", "contract", "samples", "workflows", "command", "docs/model", "docs/parts"],
  "docs/browser": [
    ...["spec", "contract", "samples", "exchange", "mock", "mock/content", "mock/engine", "workflows"],
    ...["docs/model", "docs/parts"],
  ],
  "docs/parts": ["spec", "contract", "samples", "docs/model"],
  "docs/model": ["spec", "contract", "samples", "workflows", "command"],
  scaffold: ["spec", "contract", "redocly", "command", "pipeline"],
  release: ["contract", "command", "pipeline", "diff"],
  diff: ["spec", "contract", "report", "command"],
  pipeline: ["spec", "client", "contract", "samples", "report", "workflows", "redocly", "command"],
  command: ["spec", "contract", "samples", "exchange", "mock", "mock/content", "mock/server"],
  redocly: ["spec", "contract", "exchange"],
  "workflows/run": ["spec", "contract", "samples", "exchange", "workflows"],
  workflows: ["spec", "contract", "samples", "exchange", "mock/server"],
  verify: ["spec", "contract", "samples", "exchange", "report"],
  "mock/server": ["contract", "exchange", "mock", "mock/content", "mock/engine"],
  "mock/engine": ["spec", "contract", "exchange", "mock", "mock/content", "mock/state", "mock/rules"],
  "mock/rules": ["spec", "contract", "exchange", "mock", "mock/content", "mock/state"],
  "mock/state": ["spec", "contract", "exchange", "mock", "mock/content"],
  "mock/content": ["spec", "contract", "samples", "exchange", "mock"],
  // The types that consumers see.
  mock: ["spec"],
  server: ["spec", "contract", "exchange"],
  report: [],
  exchange: ["spec", "contract", "samples"],
  samples: ["spec", "contract"],
  contract: ["spec"],
  client: [],
  spec: [],
  values: [],
};

/**
 * What the project can do without: rooms, with the commands and the folders of tests that go with them, and which others
 * they need. All else is the core, for linting, bundles, types, clients, docs, the mock and the tests of the contract.
 */
const optional = [
  { room: "workflows/run", commands: ["workflows"], tests: "workflows", needs: [] },
  { room: "verify", commands: ["verify"], tests: "verify", needs: [] },
  { room: "diff", commands: ["diff"], tests: "diff", needs: [] },
  { room: "release", commands: ["release"], tests: "release", needs: ["diff"] },
  { room: "scaffold", commands: ["new"], tests: "scaffold", needs: [] },
  // The package has the command, too.
  { room: "mcp", commands: ["mcp", "bin"], tests: "mcp", needs: [] },
  { room: undefined, commands: [], tests: "bench", needs: ["diff"] },
  // The mutations find by the diff what they can change.
  { room: undefined, commands: [], tests: "mutation", needs: ["diff"] },
];

/** The part of {@link optional} that a file belongs to. `undefined` for the core. */
function optionalPartOf(path: string) {
  const [top = "", ...rest] = path.split("/");
  if (top === "test") return optional.find(({ tests }) => rest.length > 1 && rest[0] === tests);
  const inside = rest.join("/");
  return optional.find(
    ({ room, commands }) => roomOf(inside) === room || commands.some((one) => inside === `${one}.ts`),
  );
}

/** The modules in a folder, each with the modules of this project that it imports, also late. */
async function readImports(folder: string) {
  // Not with those of installed packages, which tests have folders of.
  const list = ["ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", folder];
  const { stdout } = await promisify(execFile)("git", list);
  const paths = stdout.split("\n").filter((path) => path.endsWith(".ts") && existsSync(path));
  return Promise.all(
    paths.map(async (path) => {
      const imported = ts.preProcessFile(await readFile(path, "utf8")).importedFiles.map(({ fileName }) => fileName);
      const own = imported.filter((name) => name.startsWith("."));
      return { path, targets: own.map((name) => join(path, "..", name)) };
    }),
  );
}

it.concurrent("modules import only from the rooms that theirs may know", async () => {
  const modules = await readImports("scripts");
  const misplaced = modules.flatMap(({ path, targets }) => {
    const room = roomOf(path.slice("scripts/".length));
    // Entry files may use everything.
    if (room === "") return [];
    if (rooms[room] === undefined) return [`${path} is in a room that is not in the table`];
    return targets
      .filter((target) => target.startsWith("scripts/"))
      .map((target) => [target, roomOf(target.slice("scripts/".length))] as const)
      .filter(([, other]) => other !== room && other !== "values" && rooms[room]?.includes(other) !== true)
      .map(([target]) => `${path} imports ${target}`);
  });
  expect(modules.length).toBeGreaterThan(100);
  expect(misplaced).toEqual([]);
});

it.concurrent("without an optional room, only its own commands and tests are missing a module", async () => {
  const modules = [...(await readImports("scripts")), ...(await readImports("test"))];
  const broken = modules.flatMap(({ path, targets }) => {
    const own = optionalPartOf(path);
    return targets
      .map((target) => [target, optionalPartOf(target)] as const)
      .filter(([, part]) => part !== undefined && part !== own && own?.needs.includes(part.room ?? "") !== true)
      .map(([target]) => `${path} imports ${target}`);
  });
  expect(modules.length).toBeGreaterThan(300);
  expect(broken).toEqual([]);
});

it.concurrent("code for browsers uses nothing of Node.js", async () => {
  const scripts = (await readFolder("scripts/docs/browser")).map(({ path }) => join("scripts/docs/browser", path));
  const modules = new Map<string, string>();
  const read = async (path: string): Promise<void> => {
    if (modules.has(path)) return;
    modules.set(path, "");
    const content = await readFile(path, "utf8");
    modules.set(path, content);
    for (const [, target = ""] of content.matchAll(/^(?:import|export) (?!type )[^;"]*"([^"]+)";/gm))
      if (target.startsWith(".")) await read(join(path, "..", target));
  };
  const entries = ["mock/browser", "mock/connect", "server/index"].map((name) => `scripts/${name}.ts`);
  for (const path of [...entries, ...scripts]) await read(path);
  const using = [...modules].filter(([, content]) => {
    const { importedFiles } = ts.preProcessFile(content);
    return importedFiles.some(({ fileName }) => isBuiltin(fileName)) || /\b(?:Buffer\b|process\.\w)/.test(content);
  });
  expect(modules.size).toBeGreaterThan(100);
  expect(using.map(([path]) => path)).toEqual([]);
});

it.concurrent("the table of rooms has no circle", () => {
  const names = Object.keys(rooms);
  const upward = names.filter((name, index) => rooms[name]?.some((other) => names.indexOf(other) <= index));
  expect(upward).toEqual([]);
});

/** Packages that get no more fixes, and the one module of ours that imports each: "Decisions" in scripts/README.md says why. */
const frozenPackages = [
  ["openapi-fetch", "scripts/client/openapiFetch.ts"],
  ["openapi-typescript", "scripts/pipeline/typesModule.ts"],
] as const;

it.concurrent.each(frozenPackages)("one module alone imports %s", async (name, module) => {
  const importing: string[] = [];
  // The package, which a build may have left in generated/, is made of these.
  const generations = await listBundles("generated");
  for (const folder of ["scripts", ...generations.map((generation) => join("generated", generation))]) {
    for (const { path, content } of await readFolder(folder)) {
      // Declarations are not run.
      if (!path.endsWith(".ts") || path.endsWith(".d.ts") || !content.includes(name)) continue;
      const imported = ts.preProcessFile(content).importedFiles.map(({ fileName }) => fileName);
      if (imported.some((one) => one === name || one.startsWith(`${name}/`))) importing.push(join(folder, path));
    }
  }
  expect(importing).toEqual([module]);
});

/** Texts that aren't sentences of ours, and the reason why what they say is looked for in them. */
const foreignSentences: Readonly<Record<string, string>> = {
  // Of Node.js, which has no codes for what they say.
  "scripts/command/commandLine.ts: error.message.split(/\\.\\s/)": "only its first sentence is for users",
  'scripts/command/files.ts: splitOnce(messageOf(error), "\\n")': "only its first line is for users",
  'scripts/exchange/requestServer.ts: withoutEnd(messageOf(cause), ".")': "a sentence goes on after it",
  'scripts/workflows/arazzoFiles.ts: messageOf(error).split("\\n")': "only its first line is for users",
  // Written by people.
  'scripts/command/commandLine.ts: name.startsWith("npm ")': "the name of a command",
  'scripts/docs/model/guides.ts: guide.markdown.replaceAll(mockPart, "")': "a mark in the source of a guide",
  'scripts/docs/model/unspecifiedEntries.ts: beforeOf.split(" for ")': "a gap of the contract",
  'scripts/docs/model/unspecifiedEntries.ts: gap.split(" of ")': "a gap of the contract",
  // Places at the beginning of lines, as in any terminal.
  'scripts/docs/browser/notice.ts: splitOnce(line.trim(), ": ")': "links to places",
  'scripts/docs/site/editorLinks.ts: splitOnce(written.trim(), ": ")': "links to places",
};

it.concurrent("no sentence of ours is read back, and one module reads those of Redocly and js-yaml", async () => {
  const readers = await findSentenceReaders();
  const own = readers.filter((reader) => !reader.startsWith("scripts/pipeline/foreignMessages.ts: "));
  expect([...new Set(own)].sort()).toEqual(Object.keys(foreignSentences).sort());
});

it.concurrent("npm scripts run one command each, so that its help comes at once", () => {
  const commands = Object.values(manifest.scripts).filter((text) => text.includes("scripts/"));
  expect(commands.length).toBeGreaterThan(10);
  expect(commands.filter((text) => text.includes("&&"))).toEqual([]);
});

it.concurrent("exports of the modules in a room have unique names", async () => {
  // In browsers, the exports of these modules replace those of others.
  const substitutes = ["mock/browser.ts", "docs/browser/mockLibraries.ts"];
  const isOwn = (path: string) => path.endsWith(".ts") && !substitutes.includes(path);
  const modules = (await readFolder("scripts")).filter(({ path }) => isOwn(path));
  const pattern = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm;
  const names = modules.flatMap(({ path, content }) =>
    [...content.matchAll(pattern)].map(([, name = ""]) => `${roomOf(path)}: ${name}`),
  );
  expect(names.length).toBeGreaterThan(300);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

/** The room that a path under scripts/ is in: its folder, or the one within that if it is a room. Empty for an entry file. */
function roomOf(path: string): string {
  const [first = "", second = "", third] = path.split("/");
  // The entries of the package's mock.
  if (second === "" || ["mock/index.ts", "mock/browser.ts", "mock/connect.ts"].includes(path)) return "";
  return third !== undefined && rooms[`${first}/${second}`] !== undefined ? `${first}/${second}` : first;
}

/** Runs a tool of this project, and gives all that it prints. */
function outcomeOf(tool: string, args: readonly string[]): Promise<{ failed: boolean; output: string }> {
  return new Promise((resolve) => {
    // Oxlint's checker of types is a Go program. Each of its threads would check again what they share, while the other
    // tests use the cores, and it takes about a tenth less time where it frees memory less often.
    const env = { ...process.env, GOMAXPROCS: "1", GOGC: "400" };
    execFile(process.execPath, [`node_modules/.bin/${tool}`, ...args], { env }, (error, stdout, stderr) => {
      resolve({ failed: error !== null, output: stdout + stderr });
    });
  });
}

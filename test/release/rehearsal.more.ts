import { execFileSync } from "node:child_process";
import { cp, lstat, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { load } from "js-yaml";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { startServer } from "../../scripts/mock/server/server.ts";
import { objectsOf, valueAt } from "../../scripts/values/json.ts";
import { readPages, readSite } from "../docs/docsSite.ts";
import { brokenLinks } from "../docs/links.ts";
import { serveHttp } from "../fixtures/serveHttp.ts";
import { runIn } from "../package/project.ts";
import { readBlocks } from "../package/readme.ts";
import { repository } from "../pipeline/project.ts";
import { startRegistry, type LocalRegistry } from "./localRegistry.ts";

/*
 * What happens when this is published for the first time, with a bare repository and a registry on this machine in place of
 * the real ones. Only GitHub's part is left out: the workflow itself, its identity, and the signature of the provenance.
 */

const name = "scheduling-service-api";
let folder: string;
/** A clone, whose `origin` is a bare repository. */
let clone: string;
let registry: LocalRegistry;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rehearsal-"));
  clone = join(folder, "clone");
  registry = await startRegistry(folder, ["openapi-fetch", "openapi-typescript-helpers"]);
  const listing = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  for (const file of execFileSync("git", listing, { encoding: "utf8" }).split("\0").filter(Boolean)) {
    await mkdir(dirname(join(clone, file)), { recursive: true });
    await cp(file, join(clone, file)).catch(() => undefined);
  }
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", join(folder, "origin.git")]);
  execFileSync("git", ["init", "--quiet", "--initial-branch=main"], { cwd: clone });
  await install(clone);
  await run("git add --all && git commit --quiet --message Begin");
  await run(`git remote add origin '${join(folder, "origin.git")}' && git push --quiet --set-upstream origin main`);
});

afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** Does what `npm ci` does, without a network. */
async function install(project: string): Promise<void> {
  await symlink(join(repository, "node_modules"), join(project, "node_modules"));
  // The pattern in .gitignore is for a folder.
  await writeFile(join(project, ".git/info/exclude"), "node_modules\n");
}

/** Runs a command as a person would, by default in the clone. */
function run(command: string, cwd = clone): Promise<string> {
  const identity = Object.fromEntries(
    ["AUTHOR", "COMMITTER"].flatMap((who) => [
      [`GIT_${who}_NAME`, "Tester"],
      [`GIT_${who}_EMAIL`, "tester@mail.example"],
    ]),
  );
  return runIn(cwd, "sh", ["-ec", command], { ...registry.env, ...identity, NO_COLOR: "1" });
}

async function edit(file: string, change: (text: string) => string): Promise<void> {
  const before = await readFile(join(clone, file), "utf8");
  const after = change(before);
  expect(after).not.toBe(before);
  await writeFile(join(clone, file), after);
}

/** The commands that an output shows below a line, each with two spaces before it. */
const commandsIn = (output: string) => output.split("\n").filter((line) => line.startsWith("  git "));

/** The command that `npm run package` prints for another project. */
const installIn = (output: string) => /: (npm install \S+)$/m.exec(output)?.[1] ?? "";

/** Runs the README's program with the types in a project, against a mock. */
async function runReadmeProgram(project: string): Promise<void> {
  const block = readBlocks(await readFile("README.md", "utf8")).find(({ language }) => language === "ts");
  await using mock = await startServer({ generations: await readBuiltGenerations() });
  await writeFile(join(project, "call.mts"), block?.code.replaceAll("http://127.0.0.1:4010", mock.url) ?? "");
  expect(await run(`'${process.execPath}' call.mts`, project)).toBe(`${block?.prints.join("\n") ?? ""}\n`);
}

async function createApp(app: string): Promise<string> {
  const project = join(folder, app);
  await mkdir(project);
  await writeFile(join(project, "package.json"), JSON.stringify({ name: app, private: true, type: "module" }));
  return project;
}

test("the package is installed in a project, stays after a second install, and is replaced after a rebuild", async () => {
  const [command = ""] = /npm run package -- --preview/.exec(await readFile("README.md", "utf8")) ?? [];
  const app = await createApp("app");
  const expectInstalled = async () => {
    const installed = join(app, "node_modules", name);
    expect((await lstat(installed)).isSymbolicLink()).toBe(false);
    expect((await lstat(join(app, "node_modules/openapi-fetch"))).isDirectory()).toBe(true);
    return readFile(join(installed, "AGENTS.md"), "utf8");
  };
  await run(installIn(await run(command)), app);
  const before = await expectInstalled();
  await runReadmeProgram(app);

  await run("npm install && npm install openapi-typescript-helpers", app);
  expect(await expectInstalled()).toBe(before);

  await edit("scripts/package/AGENTS.md", (text) => `${text}\nRebuilt.\n`);
  await run(installIn(await run(command)), app);
  expect(await expectInstalled()).toBe(`${before}\nRebuilt.\n`);
  await run("npm install", app);
  await expectInstalled();
  await run("git checkout --quiet scripts/package/AGENTS.md");
});

test("the docs work below a path of a static host", async () => {
  const site = join(clone, "public");
  await using host = await serveHttp((request, response) => {
    const path = (request.url ?? "").replace(/[?#].*/, "");
    const file = path.startsWith("/some/path/")
      ? path.slice("/some/path/".length).replace(/(^|\/)$/, "$1index.html")
      : "";
    readFile(join(site, file)).then(
      (content) => response.end(content),
      async () => response.writeHead(404).end(await readFile(join(site, "404.html"))),
    );
  });
  const url = `${host.url}/some/path/`;
  const block = readBlocks(await readFile("README.md", "utf8")).find(({ code }) => code.includes("npm run docs"));
  const command = block?.code.split("\n").find((line) => line.startsWith("npm run docs")) ?? "";
  await run(command.replace(/--site-url \S+/, `--site-url ${url}`));

  const files = await readSite(site);
  const pages = readPages(files);
  expect(brokenLinks(files, pages, url).filter((link) => !link.endsWith(": index.md"))).toEqual([]);
  for (const path of pages.keys()) expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
  // The page for unknown addresses leads back from any depth.
  const lost = await fetch(`${url}no/such/page/`);
  const links = [...(await lost.text()).matchAll(/(?:href|src)="([^"#][^"]*)"/g)].map(([, link = ""]) => link);
  expect([lost.status, links.length > 5]).toEqual([404, true]);
  expect(links.filter((link) => !link.startsWith(url) && !link.startsWith("/some/path/"))).toEqual([]);
});

describe("a first publish", () => {
  test("needs what npm run package names", async () => {
    const output = await run("npm run --silent package -- --preview");
    const fields = Array.from(output.matchAll(/^ {2}(\w+) {2,}/gm), ([, field = ""]) => field);
    expect(fields).toEqual(["repository", "homepage", "bugs", "keywords"]);
    await run("npm pkg set repository=github:owner/repository homepage=https://docs.example bugs=https://bugs.example");
    // Other tests run all tests.
    await run("npm pkg set 'keywords[]=scheduling' 'scripts.test=node -e 0'");
    expect(await run("npm run --silent package -- --preview")).not.toContain("fill in");
    await run("git commit --quiet --all --message 'Say where this is published'");
    await describeMore("The service may change.");
  });

  test("begins with a release, whose tag is on the main branch", async () => {
    const version = await release();
    expect(await run(`bash .ci/check-tag v${version} origin/main`)).toBe("");
    expect(await run("git ls-remote origin")).toContain(`refs/tags/v${version}`);
    expect(await run(`npm run --silent release -- --entry ${version}`)).toContain("\n#### Clarified\n");
  });

  test("is made by hand, with the command that npm run package prints", async () => {
    const output = await run("npm run --silent package");
    const [, publish = ""] = /^To publish it: (npm publish .*)$/m.exec(output) ?? [];
    await run(`${publish} --dry-run`);
    expect(registry.versionsOf(name)).toEqual([]);
    await run(publish);
    expect(registry.versionsOf(name)).toHaveLength(1);
  });

  test("is followed by releases that the workflow stages, and a person approves", async () => {
    await describeMore("Its contract may change, too.");
    const version = await release();
    const checkout = join(folder, "checkout");
    await run(`git clone --quiet --branch v${version} '${join(folder, "origin.git")}' '${checkout}'`);
    await install(checkout);
    const workflow = load(await readFile(".github/workflows/release.yml", "utf8"));
    const steps = objectsOf(valueAt(workflow, ["jobs", "package", "steps"])).flatMap(({ run: step }) =>
      typeof step === "string" && !step.startsWith("npm ci") ? [step] : [],
    );
    // Only a workflow can sign where the package comes from.
    const outputs: string[] = [];
    for (const step of steps) outputs.push(await run(`${step.replace(" --provenance", "")} 2>&1`, checkout));
    expect(registry.versionsOf(name)).not.toContain(version);
    const [id = ""] = /[\da-f]{8}-[\da-f-]{27}/.exec(outputs.at(-1) ?? "") ?? [];
    await run(`npm stage approve ${id}`);
    expect(registry.versionsOf(name)).toContain(version);

    const app = await createApp("published");
    await run(`npm install ${name}`, app);
    await runReadmeProgram(app);
    expect(await run(`npx ${name} --version`, app)).toBe(`${version}\n`);
  });
});

/** Commits a change of the contract in the clone, so that there is something to release. */
async function describeMore(text: string): Promise<void> {
  await edit("openapi/v2/openapi.yaml", (before) => before.replace("\n  description: |\n", `$&    ${text}\n\n`));
  await run("npm run --silent build && git add --all && git commit --quiet --message 'Describe more'");
}

/** Releases the contract in the clone with the commands that are printed. Resolves to the version. */
async function release(): Promise<string> {
  const output = await run("npm run --silent release");
  expect(commandsIn(output)).toHaveLength(2);
  for (const command of commandsIn(output)) await run(`${command} 2>&1`);
  return String(valueAt(JSON.parse(await readFile(join(clone, "package.json"), "utf8")), ["version"]));
}

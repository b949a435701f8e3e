import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { kindsFolder, kindsName } from "../fixtures/contracts.ts";
import { repository, runNode } from "../pipeline/project.ts";
import { valueAt } from "../../scripts/values/json.ts";

/** A copy of this project, in which a contract grows as it may in a year. */
async function copyRepository() {
  const directory = await mkdtemp(join(tmpdir(), "grown-"));
  const made = ["node_modules", ".git", "generated/docs", "generated/docs-screenshots", "generated/package"];
  const isCopied = (path: string) => !made.includes(relative(repository, path));
  await cp(repository, directory, { recursive: true, filter: isCopied, verbatimSymlinks: true });
  await symlink(join(repository, "node_modules"), join(directory, "node_modules"));
  const git = (...args: readonly string[]) => {
    const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
    return execFileSync("git", [...identity, ...args], { cwd: directory, encoding: "utf8" });
  };
  git("init", "--quiet");
  return {
    directory,
    /** Tests ask git which files the project has, and a release what has changed. */
    commit: () => {
      git("add", "--all");
      git("commit", "--quiet", "--message", "Grow");
    },
    run: async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await runNode(directory, args);
      expect([code, stderr], stdout).toEqual([0, ""]);
      return stdout;
    },
    edit: async (path: string, change: (text: string) => string) => {
      const before = await readFile(join(directory, path), "utf8");
      const after = change(before);
      expect(after).not.toBe(before);
      await writeFile(join(directory, path), after);
    },
    /** Runs tests, and prints what they print. */
    runTests: async (...args: readonly string[]) => {
      // Without what Vitest tells its own processes.
      const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST")));
      const command = ["node_modules/vitest/vitest.mjs", "run", "--reporter=dot", ...args];
      const child = spawn(process.execPath, command, { cwd: directory, env, stdio: "inherit" });
      await once(child, "close");
      return child.exitCode;
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

type Copy = Awaited<ReturnType<typeof copyRepository>>;

/** Adds the generation that has an operation of every kind. */
async function addKinds({ directory, edit }: Copy): Promise<void> {
  const kinds = join(directory, "openapi", kindsName);
  await cp(kindsFolder, kinds, { recursive: true });
  for (const path of globSync("**/*.yaml", { cwd: kinds })) {
    const file = join(kinds, path);
    const like = join(directory, "openapi/v2", path === "openapi.yaml" ? path : "teams.yaml");
    const [comment = ""] = (await readFile(like, "utf8")).split(/(?<=\n)/);
    const moved = comment.startsWith("#") ? comment.replace("../..", relative(dirname(file), directory)) : "";
    await writeFile(file, moved + (await readFile(file, "utf8")));
  }
  const version = String(valueAt(JSON.parse(await readFile("package.json", "utf8")), ["version"]));
  await edit(join("openapi", kindsName, "openapi.yaml"), (text) => text.replace(/^( +version: ).*$/m, `$1${version}`));
  const entry = `\napis:\n  ${kindsName}:\n    root: openapi/${kindsName}/openapi.yaml\n`;
  await edit("redocly.yaml", (text) => text.replace("\napis:\n", entry));
}

test("a contract with one more operation, and one more generation of operations of every kind, is built and passes all tests", async () => {
  await using copy = await copyRepository();
  await addKinds(copy);
  const options = ["--method", "get", "--path", "/v2/teams/{teamId}", "--group", "Teams"];
  expect(await copy.run("scripts/new.ts", "operation", ...options)).toContain("Added getTeam");
  expect(await copy.run("scripts/build.ts")).toContain(`wrote ${kindsName}/client.ts`);
  copy.commit();
  // What is installed is not here, but where the copy is from.
  expect(await copy.runTests("--exclude", "test/install.test.ts")).toBe(0);
});

test("an operation in a new group, and a release of it, pass all checks", async () => {
  await using copy = await copyRepository();
  const group = ["--group", "Slots", "--group-description", "Times at which people can meet."];
  await copy.run("scripts/new.ts", "operation", "--method", "get", "--path", "/v2/slots", ...group);
  await copy.run("scripts/build.ts");
  const checks = [
    "test/code.test.ts",
    "test/contract",
    "test/lint/editorSchemas.test.ts",
    "test/release/contract.test.ts",
  ];
  // A release runs the tests before it is written. Here they follow it.
  await copy.edit("package.json", (text) => text.replace('"test": "vitest run"', '"test": "node -e 0"'));
  copy.commit();
  expect(await copy.run("scripts/release.ts")).toContain("Wrote release");
  await copy.run("scripts/lint.ts");
  await copy.run("scripts/build.ts", "--check");
  copy.commit();
  expect(await copy.runTests(...checks)).toBe(0);
});

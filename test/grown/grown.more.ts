import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { kindsFolder, kindsName } from "../fixtures/contracts.ts";
import { repository, runNode } from "../pipeline/project.ts";

/** This project as it may be in a year: with one more generation, which has an operation of every kind. */
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "grown-"));
  const made = ["node_modules", ".git", "generated/docs", "generated/docs-screenshots", "generated/package"];
  const isCopied = (path: string) => !made.includes(relative(repository, path));
  await cp(repository, directory, { recursive: true, filter: isCopied, verbatimSymlinks: true });
  await symlink(join(repository, "node_modules"), join(directory, "node_modules"));
  const kinds = join(directory, "openapi", kindsName);
  await cp(kindsFolder, kinds, { recursive: true });
  const schema = join(directory, "generated/editor/openapi.json");
  for (const file of globSync("**/*.yaml", { cwd: kinds }).map((path) => join(kinds, path))) {
    const comment = `# yaml-language-server: $schema=${relative(dirname(file), schema)}\n`;
    await writeFile(file, comment + (await readFile(file, "utf8")));
  }
  const configuration = join(directory, "redocly.yaml");
  const text = await readFile(configuration, "utf8");
  await writeFile(
    configuration,
    text.replace("\napis:\n", `\napis:\n  ${kindsName}:\n    root: openapi/${kindsName}/openapi.yaml\n`),
  );
  // Tests ask git which files the project has.
  execFileSync("git", ["init", "--quiet"], { cwd: directory });
  execFileSync("git", ["add", "--all"], { cwd: directory });
});

afterAll(() => rm(directory, { recursive: true, force: true }));

test("a contract with one more generation, which has operations of every kind, is built and passes all tests", async () => {
  const { code, stdout, stderr } = await runNode(directory, ["scripts/build.ts"]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain(`wrote ${kindsName}/client.ts`);

  // Without what Vitest tells its own processes.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST")));
  // What is installed is not here, but where the copy is from.
  const args = ["node_modules/vitest/vitest.mjs", "run", "--reporter=dot", "--exclude", "test/install.test.ts"];
  const child = spawn(process.execPath, args, { cwd: directory, env, stdio: "inherit" });
  await once(child, "close");
  expect(child.exitCode).toBe(0);
});

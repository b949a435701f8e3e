import { execFileSync } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyProject, repository, runHere, runNode, type Project } from "../pipeline/project.ts";

let project: Project;

beforeAll(async () => {
  project = await copyProject();
  const passes = { name: "rooms", version: "0.1.0", scripts: { test: "node -e 0" } };
  await write("package.json", `${JSON.stringify(passes, null, 2)}\n`);
  const lock = { name: "rooms", version: "0.1.0", packages: { "": { version: "0.1.0" }, other: { version: "0.1.0" } } };
  await write("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
  await write(".oxfmtrc.json", '{ "printWidth": 60, "proseWrap": "always" }\n');
  await write("openapi/CHANGELOG.md", "# Changelog\n\n## 0.1.0 (2026-01-01)\n\nThe first release.\n");
  for (const name of ["v1", "v2"])
    await project.edit(`openapi/${name}/openapi.yaml`, /^ {2}version: .*$/m, "  version: 0.1.0");
  expect(await project.buildHere()).toMatchObject({ code: 0 });
  for (const name of ["v1", "v2"]) {
    await cp(
      join(project.directory, `generated/${name}/openapi.yaml`),
      join(project.directory, `openapi/released/${name}.yaml`),
    );
  }
  git("init", "--quiet", "--initial-branch=main");
  commit("First");
});
afterAll(() => project[Symbol.asyncDispose]());

const write = (path: string, text: string) => writeFile(join(project.directory, path), text);
const read = (path: string) => readFile(join(project.directory, path), "utf8");
const release = (...args: string[]) => runHere(project.directory, "release.ts", args);

function git(...args: string[]): string {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  return execFileSync("git", [...identity, ...args], { cwd: project.directory, encoding: "utf8" });
}

function commit(message: string): void {
  git("add", "--all");
  git("commit", "--quiet", "--message", message);
}

async function expectRefusal(reason: string): Promise<void> {
  const { code, stderr } = await release();
  expect(code).toBe(1);
  expect(stderr).toContain(reason);
}

/** Nothing but what was committed. */
function expectUntouched(): void {
  expect(git("status", "--porcelain")).toBe("");
}

describe("npm run release", () => {
  test("rejects uncommitted changes, and a contract without changes", async () => {
    await expectRefusal("nothing has changed for consumers");
    // Even where git would not say so.
    git("config", "status.showUntrackedFiles", "no");
    await write("notes.txt", "");
    await expectRefusal("notes.txt");
    git("clean", "--quiet", "--force");
  });

  test("shows the version and the entry, and writes nothing, with --dry-run", async () => {
    await project.edit(
      "openapi/v2/rooms.yaml",
      "        seats:\n",
      "        floor:\n          description: The floor it is on, from 0.\n          type: integer\n        seats:\n",
    );
    await project.edit("openapi/v1/rooms.yaml", "operationId: listRooms", "operationId: getRooms");
    await project.edit("openapi/v1/openapi.yaml", "info:\n", "info:\n  x-deprecated-on: 2026-12-01\n");
    await project.buildHere();
    await write(
      "openapi/CHANGELOG.md",
      "# Changelog\n\n## Unreleased\n\nRooms have floors.\n\n## 0.1.0 (2026-01-01)\n\nThe first release.\n",
    );
    commit("Change");
    const { code, stdout } = await runNode(project.directory, [join(repository, "scripts/release.ts"), "--dry-run"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^0\.1\.0 -> 0\.2\.0: /);
    expect(stdout).toMatch(
      /## 0\.2\.0 \(\d{4}-\d\d-\d\d\)\n\nRooms have floors\.\n\n### v1\n\n#### Breaking\n\n- [^#]*getRooms[^#]*\n\n#### Deprecated\n\n- Every operation: Deprecated as of 2026-12-01\.[^#]*\n\n### v2\n\n#### Added\n\n- [^#]*floor/,
    );
    expectUntouched();
    expect((await release("--entry", "0.1.1")).stderr).toContain("no entry of a release 0.1.1: did you mean 0.1.0?");
  });

  test("rejects a failing test, and changes nothing", async () => {
    await project.edit("package.json", "node -e 0", "exit 3");
    commit("Break the tests");
    await expectRefusal("the tests fail");
    expectUntouched();
    await project.edit("package.json", "exit 3", "node -e 0");
    commit("Mend the tests");
  });

  test("rejects a version that stands where it is not looked for, and changes nothing", async () => {
    await project.edit("openapi/v2/openapi.yaml", "  version: 0.1.0\n", "  # Another word.\n  'version': 0.1.0\n");
    commit("Quote");
    await expectRefusal("nothing was released: openapi/v2/openapi.yaml has no line");
    expectUntouched();
    git("reset", "--quiet", "--hard", "HEAD~1");
  });

  test("writes the entry, the versions, and the base of the next comparison", async () => {
    const { code, stdout, stderr } = await release();
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("git tag --annotate v0.2.0");
    expect(await read("package.json")).toContain('"version": "0.2.0"');
    expect(JSON.parse(await read("package-lock.json"))).toEqual({
      name: "rooms",
      version: "0.2.0",
      packages: { "": { version: "0.2.0" }, other: { version: "0.1.0" } },
    });
    expect(await read("openapi/CHANGELOG.md")).toMatch(
      /^# Changelog\n\n## 0\.2\.0 \([\d-]+\)\n\nRooms have floors\.\n[^]*\n## 0\.1\.0 \(2026-01-01\)\n\nThe first release\.\n$/,
    );
    const format = [join(repository, "node_modules/oxfmt/bin/oxfmt"), "--check", "openapi/CHANGELOG.md"];
    expect(await runNode(project.directory, format)).toMatchObject({ code: 0 });
    expect(await read("openapi/v2/openapi.yaml")).toContain("  version: 0.2.0\n");
    // Since when things exist is in the bundle, in the types and in what is kept of the release.
    expect(await read("openapi/released/v2.yaml")).toMatch(/floor:\n(?: +.*\n)*? +x-since: 0\.2\.0\n/);
    expect(await read("generated/v2/types.ts")).toMatch(/The floor it is on, from 0\.\n[^]*?Since 0\.2\.0\./);
    expect(await read("generated/v1/operations.ts")).not.toMatch(/@deprecated since (?!0\.2\.0 \(2026-12-01\))/);
    commit("Release");
    await expectRefusal("nothing has changed for consumers");
  });

  test("keeps a changed contract from being packaged under the released version", async () => {
    await project.edit(
      "openapi/v2/rooms.yaml",
      "  type: integer\n          default: 2",
      "  type: number\n          default: 2",
    );
    await project.buildHere();
    const help = await runHere(project.directory, "package.ts", ["--help"]);
    expect([help.code, help.stdout, help.stderr]).toEqual([0, expect.stringContaining("npm run package -- "), ""]);
    expect(help.stdout).not.toContain("no mistakes");
    const { code, stderr } = await runHere(project.directory, "package.ts", []);
    expect(code).toBe(1);
    expect(stderr).toContain("the contract has changed since 0.2.0 was released: run npm run release");
  });
});

import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { execFile } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyProject, repository, runHere, runNode, type Project } from "../pipeline/project.ts";

let project: Project;
const diff = (...args: readonly string[]) => runHere(project.directory, "diff.ts", args);

/** A project with a release, which is also its only commit, and some changes since. */
beforeAll(async () => {
  project = await copyProject();
  const { directory } = project;
  expect(await project.buildHere()).toMatchObject({ code: 0 });
  await mkdir(join(directory, "openapi/released"));
  for (const name of ["v1", "v2"]) {
    await cp(join(directory, `generated/${name}/openapi.yaml`), join(directory, `openapi/released/${name}.yaml`));
  }
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
  for (const args of [
    ["init", "-q"],
    ["add", "generated"],
    [...identity, "commit", "-qm", "Release"],
  ]) {
    await promisify(execFile)("git", args, { cwd: directory });
  }
  await project.edit("openapi/v1/rooms.yaml", "operationId: getRoom", "operationId: readRoom");
  await project.edit("openapi/v2/rooms.yaml", "          x-unspecified:\n            - time zone\n", "");
  await project.edit(
    "openapi/v2/rooms.yaml",
    "properties:\n        name:",
    "required: [name]\n      properties:\n        name:",
  );
}, 60_000);

afterAll(() => project[Symbol.asyncDispose]());

test("the text has each change, its operations, place and advice", { timeout: 60_000 }, async () => {
  const { code, stdout } = await runNode(project.directory, [join(repository, "scripts/diff.ts")]);
  expect(code).toBe(0);
  expect(stdout.split("\n\n")).toEqual([
    "4 changes for consumers: 2 major, 2 patch.",
    [
      "major  v1  `operationId` changed from `getRoom` to `readRoom`.",
      "    operations: GET /v1/rooms/{roomId}",
      "    place: openapi/v1/rooms.yaml:29",
      "    over HTTP: Nothing.",
      "    in TypeScript: Use the new name: the old one no longer compiles.",
    ].join("\n"),
    [
      "major  v2  CreateRoomRequest: Properties became required: `name`.",
      "    operations: POST /v2/rooms",
      "    place: openapi/v2/rooms.yaml:30",
      "    over HTTP: Send it before the service changes.",
      "    in TypeScript: Add it to the calls that no longer compile.",
    ].join("\n"),
    [
      "patch  v2  CreateRoomRequest: Is specified now: required fields.",
      "    operations: POST /v2/rooms",
      "    place: openapi/v2/rooms.yaml:27",
    ].join("\n"),
    [
      "patch  v2  CreateRoomRequest.opensAt: Is specified now: time zone.",
      "    operations: POST /v2/rooms",
      "    place: openapi/v2/rooms.yaml:39\n",
    ].join("\n"),
  ]);
});

test("JSON is for programs, and --fail-on sets the exit code", { timeout: 60_000 }, async () => {
  const { code, stdout } = await diff("HEAD", "--format", "json", "--fail-on", "major");
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    summary: { major: 2, minor: 0, patch: 2 },
    changes: [
      {
        impact: "major",
        operation: "GET /v1/rooms/{roomId}",
        pointer: "/paths/~1v1~1rooms~1{roomId}/get/operationId",
        file: "openapi/v1/rooms.yaml",
        line: 29,
        rule: "operation-id-changed",
      },
      {
        impact: "major",
        operation: "POST /v2/rooms",
        pointer: "/components/schemas/CreateRoomRequest/required",
        rule: "required-properties-added",
        direction: "request",
      },
      { impact: "patch", gaps: { closed: ["required fields"], opened: [] } },
      { impact: "patch", gaps: { closed: ["time zone"], opened: [] } },
    ],
  });
});

test("two bundles are compared, also as Markdown", { timeout: 60_000 }, async () => {
  const base = join(project.directory, "openapi/released/v1.yaml");
  const next = join(project.directory, "next.json");
  const bundle: unknown = JSON.parse(await readFile(join(project.directory, "generated/v1/openapi.json"), "utf8"));
  await writeFile(next, JSON.stringify(bundle).replace('"title":"A small', '"title":"The small'));
  const { code, stdout } = await diff(base, next, "--format", "markdown", "--fail-on", "major");
  expect([code, stdout]).toEqual([
    0,
    [
      "1 change for consumers: 1 patch.",
      "",
      "- **patch**  api  info: `title` changed from `A small contract, v1` to `The small contract, v1`.",
      "  - place: `#/info/title`",
      "",
    ].join("\n"),
  ]);
});

test.each([
  ["no such commit", ["nowhere"], "there is no commit nowhere"],
  ["a file that is not there", ["missing.yaml", "missing.yaml"], "missing.yaml cannot be read"],
  ["another file", ["redocly.yaml", "redocly.yaml"], "is not an OpenAPI 3.1 bundle"],
  ["too many names", ["a", "b", "c"], "give a commit or two bundles"],
  ["an unknown format", ["--format", "xml"], "--format must be one of text, markdown, json"],
  ["an unknown impact", ["--fail-on", "huge"], "--fail-on must be one of major, minor, patch"],
])("%s is told in words", { timeout: 60_000 }, async (_, args, message) => {
  const { code, stdout, stderr } = await diff(...args);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain("    at ");
});

test.each([
  ["a reference that leads nowhere", "#/components/schemas/Room", "#/components/schemas/Hall", "Hall"],
  ["a type that does not exist", "type: integer", "type: int", "is not valid OpenAPI 3.1"],
])("%s in a bundle is not compared", { timeout: 60_000 }, async (name, from, to, message) => {
  const file = join(project.directory, `${name.replaceAll(" ", "-")}.yaml`);
  const text = await readFile(join(project.directory, "openapi/released/v1.yaml"), "utf8");
  await writeFile(file, text.replace(from, to));
  const { code, stderr } = await diff(join(project.directory, "openapi/released/v1.yaml"), file);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
});

test("a build ends with its impact on consumers", { timeout: 60_000 }, async () => {
  await using copy = await copyProject(project.directory);
  const { code, stdout } = await copy.build();
  expect(code).toBe(0);
  expect(stdout.split("\n").slice(-3)).toEqual([
    "since the last release: 4 changes for consumers: 2 major, 2 patch (npm run diff lists them)",
    "gaps of v2: 2 closed, 0 opened",
    "",
  ]);
});

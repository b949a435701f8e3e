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
    ["branch", "tagged"],
  ]) {
    await promisify(execFile)("git", args, { cwd: directory });
  }
  await writeFile(join(directory, "openapi/CHANGELOG.md"), "# Changelog\n\n## Unreleased\n\nSoon.\n");
  await project.edit("openapi/v1/rooms.yaml", "operationId: getRoom", "operationId: readRoom");
  await project.edit("openapi/v2/openapi.yaml", "Has just", "Has only");
  await project.edit("openapi/v2/rooms.yaml", "          x-unspecified:\n            - time zone\n", "");
  await project.edit(
    "openapi/v2/rooms.yaml",
    "properties:\n        name:",
    "required: [name]\n      properties:\n        name:",
  );
}, 60_000);

afterAll(() => project[Symbol.asyncDispose]());

test("the text has breaking changes in full, the next step, and the verdict last", { timeout: 60_000 }, async () => {
  const { code, stdout } = await runNode(project.directory, [join(repository, "scripts/diff.ts")]);
  expect(code).toBe(0);
  expect(stdout.split("\n\n")).toEqual([
    "Breaking changes",
    [
      "  v1 `operationId` changed from `getRoom` to `readRoom`.",
      "    operations: GET /v1/rooms/{roomId}",
      "    place: openapi/v1/rooms.yaml:29",
      "    over HTTP: Nothing.",
      "    in TypeScript: Use the new name: the old one no longer compiles.",
    ].join("\n"),
    [
      "  v2 CreateRoomRequest: Properties became required: `name`.",
      "    operations: POST /v2/rooms",
      "    place: openapi/v2/rooms.yaml:30",
      "    over HTTP: Send it before the service changes.",
      "    in TypeScript: Add it to the calls that no longer compile.",
    ].join("\n"),
    "Patch changes",
    "  3 changes of texts, examples and closed gaps: --all lists them",
    "Next: npm run diff -- --write-changelog, because openapi/CHANGELOG.md lacks 2 breaking changes",
    "2 breaking changes since the last release, and 3 patch changes.\n",
  ]);
});

test("--all lists patch changes by operation", { timeout: 60_000 }, async () => {
  const { stdout } = await diff("HEAD", "--all");
  expect(stdout.split("\n").slice(-11)).toEqual([
    "Patch changes",
    "",
    "  v2 in openapi/v2/openapi.yaml",
    "    5  info: The description changed.",
    "",
    "  v2 POST /v2/rooms in openapi/v2/rooms.yaml",
    "    27  CreateRoomRequest: Now specified: required fields.",
    "    39  CreateRoomRequest.opensAt: Now specified: time zone.",
    "",
    "2 breaking changes since HEAD, and 3 patch changes.",
    "",
  ]);
});

test(
  "--write-changelog names the changes for consumers, once, beside a person's words",
  { timeout: 60_000 },
  async () => {
    await using copy = await copyProject(project.directory);
    const rooms = "openapi/v2/rooms.yaml";
    const days = "deprecated: true\n        x-deprecated-on: 2026-12-01\n        x-sunset: 2027-06-30\n";
    await copy.edit(rooms, "        operationId: createRoom\n", `$&        ${days}`);
    const list =
      'get:\n        operationId: listRooms\n        summary: List the rooms\n        responses: {"200": {description: Rooms.}}';
    await copy.edit(rooms, "      post:\n", `      ${list}\n$&`);
    await copy.edit(
      rooms,
      /^ {8}seats:\n.*\n.*\n.*\n/m,
      "        floor: {type: string}\n        wing: {type: string}\n",
    );
    await copy.edit(rooms, "called.\n", "$&          x-unspecified: [length]\n");
    const write = () => runHere(copy.directory, "diff.ts", ["--write-changelog"]);
    const changelog = () => readFile(join(copy.directory, "openapi/CHANGELOG.md"), "utf8");
    expect((await write()).stdout).toContain("\nWrote openapi/CHANGELOG.md. Review the entry");
    const entry = await changelog();
    expect(entry.split("\n\n")).toEqual([
      "# Changelog",
      "## Unreleased",
      "Soon.",
      "### v1",
      "#### Breaking",
      "- `GET /v1/rooms/{roomId}`: `operationId` changed from `getRoom` to `readRoom`.",
      "### v2",
      "#### Breaking",
      [
        "- CreateRoomRequest.seats: Property `seats` was removed, without a deprecation. In `POST /v2/rooms`.",
        "- CreateRoomRequest: Properties became required: `name`. In `POST /v2/rooms`.",
      ].join("\n"),
      "#### Added",
      "- `GET /v2/rooms`: List the rooms\n- New fields: `CreateRoomRequest.floor`, `CreateRoomRequest.wing`.",
      "#### Changed",
      "- Marked as not specified: `CreateRoomRequest.name` (length).",
      "#### Deprecated",
      "- `POST /v2/rooms`: Deprecated as of 2026-12-01, and due to be removed on 2027-06-30. No replacement is named.",
      "#### Clarified",
      [
        "- Now specified:\n  - `CreateRoomRequest` (required fields)\n  - `CreateRoomRequest.opensAt` (time zone)",
        "- Texts and examples: 1 change.\n",
      ].join("\n"),
    ]);
    expect((await write()).stdout).toContain("openapi/CHANGELOG.md names these changes already.");
    await copy.edit("openapi/CHANGELOG.md", "`name`. In `POST /v2/rooms`.", "$& Every room has one.");
    await copy.edit("openapi/v2/rooms.yaml", "When it can first be used.", "When it can be used.");
    await write();
    expect((await changelog()).replace(" Every room has one.", "")).toBe(entry.replace("1 change.", "2 changes."));
    expect((await runHere(copy.directory, "diff.ts", ["HEAD", "--write-changelog"])).code).toBe(2);
  },
);

test("a comment begins with the verdict and a table, and links to the lines", { timeout: 60_000 }, async () => {
  const { stdout } = await diff("HEAD", "--format", "markdown", "--source-url", "https://git.example/o/r/blob/abc/");
  const room = "https://git.example/o/r/blob/abc/openapi/v2/rooms.yaml";
  expect(stdout.split("\n")).toEqual([
    "## 2 breaking changes for consumers",
    "",
    "| | Breaking change | Source |",
    "| --- | --- | --- |",
    "| 1 | `operationId` changed from `getRoom` to `readRoom`.<br>v1 `GET /v1/rooms/{roomId}` | [rooms.yaml:29](<https://git.example/o/r/blob/abc/openapi/v1/rooms.yaml#L29>) |",
    `| 2 | CreateRoomRequest: Properties became required: \`name\`.<br>v2 \`POST /v2/rooms\` | [rooms.yaml:30](<${room}#L30>) |`,
    "",
    "<details>",
    "<summary>What consumers need to do</summary>",
    "",
    "- 1: Over HTTP: Nothing. In TypeScript: Use the new name: the old one no longer compiles.",
    "- 2: Over HTTP: Send it before the service changes. In TypeScript: Add it to the calls that no longer compile.",
    "",
    "</details>",
    "",
    "<details>",
    "<summary>3 patch changes</summary>",
    "",
    "- v2 in openapi/v2/openapi.yaml",
    "  - info: The description changed. ([line 5](<https://git.example/o/r/blob/abc/openapi/v2/openapi.yaml#L5>))",
    "- v2 `POST /v2/rooms` in openapi/v2/rooms.yaml",
    `  - CreateRoomRequest: Now specified: required fields. ([line 27](<${room}#L27>))`,
    `  - CreateRoomRequest.opensAt: Now specified: time zone. ([line 39](<${room}#L39>))`,
    "",
    "</details>",
    "",
  ]);
});

test("GitHub's annotations are warnings, or errors that make the run fail", { timeout: 60_000 }, async () => {
  const { code, stdout } = await diff("HEAD", "--format", "github");
  expect(code).toBe(0);
  expect(stdout.split("\n")).toEqual([
    "::warning file=openapi/v1/rooms.yaml,line=29,title=Breaking change::`operationId` changed from `getRoom` to `readRoom`.%0AOperations: GET /v1/rooms/{roomId}%0AOver HTTP: Nothing.%0AIn TypeScript: Use the new name: the old one no longer compiles.",
    expect.stringMatching(/^::warning file=openapi\/v2\/rooms.yaml,line=30,title=Breaking change::/),
    "2 breaking changes since HEAD, and 3 patch changes.",
    "",
  ]);
  const failing = await diff("HEAD", "--format", "github", "--fail-on", "patch");
  expect(failing.code).toBe(1);
  expect(failing.stdout.match(/^::error /gm)).toHaveLength(5);
});

test("a comment is never longer than GitHub allows, and counts the rest", { timeout: 60_000 }, async () => {
  const document = { openapi: "3.1.1", info: { title: "Large", version: "1.0.0" }, paths: {} };
  const responses = { "200": { description: "Done." } };
  const paths = Array.from({ length: 700 }, (_, index) => [`/things/${index}/parts`, { get: { responses } }] as const);
  const [base, next] = [join(project.directory, "large.json"), join(project.directory, "small.json")];
  await writeFile(base, JSON.stringify({ ...document, paths: Object.fromEntries(paths) }));
  await writeFile(next, JSON.stringify(document));
  const { stdout } = await diff(base, next, "--format", "markdown");
  expect(stdout).toContain("## 700 breaking changes for consumers\n");
  const shown = stdout.match(/^\| \d+ \|/gm)?.length ?? 0;
  expect(shown).toBeGreaterThan(50);
  expect(stdout).toContain(`\nAnd ${700 - shown} others: `);
  expect(stdout.length).toBeLessThan(65_536);
});

test("names in a bundle can't break the table or begin a command", { timeout: 60_000 }, async () => {
  const base = await readFile(join(project.directory, "openapi/released/v1.yaml"), "utf8");
  const next = join(project.directory, "names.yaml");
  const parameter = String.raw`- {name: "a|b*\n::add-mask::", in: query, required: true, schema: {type: string}}`;
  const path = '"/`a\\n\\n# @team <b>": {get: {responses: {"200": {description: One}}}}';
  const changed = base.replace(/parameters:\n( +)- /, `parameters:\n$1${parameter}\n$1- `);
  await writeFile(next, changed.replace("\npaths:\n", `$&  ${path}\n`));
  const files = [join(project.directory, "openapi/released/v1.yaml"), next];
  const markdown = await diff(...files, "--format", "markdown");
  expect(markdown.stdout).toContain(
    String.raw`| 1 | parameter a\|b\* ::add-mask::: Required <code>a&#124;b&#42; &#58;&#58;add&#45;mask&#58;&#58;</code> query parameter was added.<br>api `,
  );
  // Neither a heading nor a mention, which would notify people.
  expect(markdown.stdout).toContain("\n- api `` GET /`a # @team <b> ``\n");
  expect(markdown.stdout).toContain("(`` #/paths/~1`a # @team <b>/get ``)");
  const annotations = await diff(...files, "--format", "github");
  expect(annotations.stdout.match(/^.*::/gm)).toEqual([
    expect.stringMatching(/^::warning title=Breaking change::/),
    "::notice title=Minor change::",
  ]);
});

test("JSON is for programs, and --fail-on sets the exit code", { timeout: 60_000 }, async () => {
  const { code, stdout } = await diff("HEAD", "--format", "json", "--fail-on", "major");
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    summary: { major: 2, minor: 0, patch: 3 },
    changes: [
      {
        impact: "major",
        operation: "GET /v1/rooms/{roomId}",
        pointer: "/paths/~1v1~1rooms~1{roomId}/get/operationId",
        file: "openapi/v1/rooms.yaml",
        line: 29,
        rule: "operation-id-changed",
        code: "operation-id-changed",
        facts: { field: "operationId", before: "getRoom", after: "readRoom" },
      },
      {
        impact: "major",
        operation: "POST /v2/rooms",
        pointer: "/components/schemas/CreateRoomRequest/required",
        rule: "required-properties-added",
        direction: "request",
        code: "properties-became-required",
        facts: { names: ["name"] },
      },
      { impact: "patch", pointer: "/info/description", file: "openapi/v2/openapi.yaml", line: 5 },
      { impact: "patch", code: "gaps-closed", facts: { gaps: ["required fields"] } },
      { impact: "patch", code: "gaps-closed", facts: { gaps: ["time zone"] } },
    ],
  });
});

test("--fail-on names impacts, rules and how a removal was announced", { timeout: 60_000 }, async () => {
  const document = { openapi: "3.1.1", info: { title: "Rooms", version: "1" } };
  const get = { responses: { "204": { description: "Done." } } };
  const [base, next] = [join(project.directory, "deprecated.json"), join(project.directory, "removed.json")];
  const ending = { deprecated: true, "x-deprecated-since": "0.3.0", "x-sunset": "2020-01-31" };
  await writeFile(base, JSON.stringify({ ...document, paths: { "/rooms": { get: { ...get, ...ending } } } }));
  await writeFile(next, JSON.stringify({ ...document, paths: { "/halls": { put: get } } }));
  const { stdout } = await diff(base, next, "--format", "json");
  expect(JSON.parse(stdout)).toMatchObject({
    changes: [
      {
        ...{ impact: "major", rule: "operation-removed", notice: "removed-as-announced" },
        message: "The operation was removed, as announced in 0.3.0 for 2020-01-31.",
        facts: { since: "0.3.0", sunset: "2020-01-31" },
      },
      { impact: "minor", operations: ["PUT /halls"], code: "operation-added" },
    ],
  });
  const codes = [];
  for (const names of ["removed-as-announced", "removed-before-sunset", "operation-removed", "sunset-earlier,minor"])
    codes.push((await diff(base, next, "--fail-on", names)).code);
  expect(codes).toEqual([1, 0, 1, 1]);
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
      "## No breaking change for consumers",
      "",
      "<details>",
      "<summary>1 patch change</summary>",
      "",
      "- api",
      "  - info: `title` changed from `A small contract, v1` to `The small contract, v1`. (`#/info/title`)",
      "",
      "</details>",
      "",
    ].join("\n"),
  ]);
});

test("bundles of OpenAPI 3.0 are compared, also with one of 3.1", { timeout: 60_000 }, async () => {
  const write = async (file: string, openapi: string, name: object) => {
    const schema = { type: "object", properties: { name } };
    const responses = { 200: { description: "A room.", content: { "application/json": { schema } } } };
    const paths = { "/room": { get: { operationId: "getRoom", responses } } };
    const path = join(project.directory, file);
    await writeFile(path, JSON.stringify({ openapi, info: { title: "Rooms", version: "1" }, paths }));
    return path;
  };
  const base = await write("base30.json", "3.0.3", { type: "string" });
  const next = await write("next30.json", "3.0.3", { type: "string", nullable: true });
  const { code, stdout } = await diff(base, next, "--fail-on", "major");
  expect([code, stdout]).toEqual([1, expect.stringContaining("Type changed from 'string' to 'null | string'")]);
  const same = await write("next31.json", "3.1.1", { type: ["string", "null"] });
  expect(await diff(next, same, "--fail-on", "major")).toMatchObject({ code: 0 });
});

test(
  "bundles are read as lint reads them, with a warning for fields that nothing reads",
  { timeout: 60_000 },
  async () => {
    const write = async (summary: string) => {
      const path = join(project.directory, `${summary}.yaml`);
      const document =
        'openapi: 3.1.1\ninfo: { title: Rooms, version: "1" }\nx-done: &done\n  responses: { 204: { description: Done. } }\n';
      await writeFile(path, `${document}paths:\n  /rooms:\n    get: { <<: *done, owner: me, summary: ${summary} }\n`);
      return path;
    };
    const { code, stdout, stderr } = await diff(await write("one"), await write("two"), "--all");
    expect([code, stdout]).toEqual([0, expect.stringContaining("`summary` changed from `one` to `two`.")]);
    expect(stderr).toMatch(/one\.yaml:7:23: warning \(struct\)\n {2}Property `owner` is not expected here\./);
  },
);

test("fields of OpenAPI 3.2 that cannot be compared are refused by name", { timeout: 60_000 }, async () => {
  const write = async (type: string) => {
    const content = { "application/jsonl": { itemSchema: { type } } };
    const responses = { 200: { description: "Rooms.", content } };
    const paths = { "/rooms": { get: { operationId: "getRooms", responses } } };
    const path = join(project.directory, `items-${type}.json`);
    await writeFile(path, JSON.stringify({ openapi: "3.2.0", info: { title: "Rooms", version: "1" }, paths }));
    return path;
  };
  const [base, next] = [await write("string"), await write("integer")];
  const { code, stderr } = await diff(base, next);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(
      /items-string\.json:1:\d+: error \(build\/profile\)\n {2}Media Type `itemSchema`: not supported\./,
    ),
  ]);
  // What both have in common needs no comparison.
  expect(await diff(base, base)).toMatchObject({ code: 0 });
});

test.each([
  ["no such commit", ["nowhere"], "there is no commit nowhere"],
  ["one file", ["redocly.yaml"], "there is no commit redocly.yaml: to compare files, give two"],
  ["a misspelled branch", ["tagde"], "there is no commit tagde: did you mean tagged?"],
  ["a misspelled file", ["redocly.yml", "redocly.yaml"], "there is no redocly.yml: did you mean redocly.yaml?"],
  ["a file that is not there", ["missing.yaml", "missing.yaml"], "missing.yaml cannot be read"],
  ["another file", ["redocly.yaml", "redocly.yaml"], "is not an OpenAPI 3.0, 3.1 or 3.2 description"],
  ["too many names", ["a", "b", "c"], "give a commit or two bundles"],
  ["an unknown format", ["--format", "xml"], "--format must be one of text, markdown, github, json"],
  [
    "an address without a scheme",
    ["--format", "markdown", "--source-url", "git.example"],
    "--source-url must be an http or https URL",
  ],
  ["an address for text", ["--source-url", "https://git.example"], "--source-url is only for --format markdown"],
  ["an unknown impact", ["--fail-on", "huge"], "--fail-on must be one or more of major, minor, patch"],
])("%s is told in words", { timeout: 60_000 }, async (_, args, message) => {
  const { code, stdout, stderr } = await diff(...args);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain("    at ");
});

test.each([
  ["a reference that leads nowhere", "#/components/schemas/Room", "#/components/schemas/Hall", "Hall"],
  ["a type that does not exist", "type: integer", "type: int", ".yaml:75:17: error (struct)"],
  ["a tab", "\npaths:\n  ", "\npaths:\n\t", ".yaml:18:1: error (yaml)"],
  ["a repeated key", "\npaths:\n", "\npaths: {}\npaths:\n", ".yaml:18:1: error (yaml)"],
  ["a path twice", "/v1/rooms:", "/v1/rooms/{id}:", ".yaml:44:3: error (no-identical-paths)"],
])("%s in a bundle is not compared", { timeout: 60_000 }, async (name, from, to, message) => {
  const file = join(project.directory, `${name.replaceAll(" ", "-")}.yaml`);
  const text = await readFile(join(project.directory, "openapi/released/v1.yaml"), "utf8");
  await writeFile(file, text.replace(from, to));
  const { code, stderr } = await diff(join(project.directory, "openapi/released/v1.yaml"), file);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

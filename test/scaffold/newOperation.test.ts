import { execFile } from "node:child_process";
import { chmod, lstat, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { readResources } from "../../scripts/contract/resources.ts";
import { isDocument } from "../../scripts/spec/openapi.ts";
import { copyProject, repository, runHere, type Project } from "../pipeline/project.ts";

let project: Project;
const read = (path: string) => readFile(join(project.directory, path), "utf8");
const add = (...args: string[]) => runHere(project.directory, "new.ts", ["operation", ...args]);

beforeAll(async () => {
  project = await copyProject();
  await project.edit(
    "redocly.yaml",
    "rules:\n",
    "rules:\n  house/group-file: error\n  house/resource-operation: error\n",
  );
  await project.edit(
    "openapi/v1/rooms.yaml",
    "  schemas:\n    RoomList:",
    "  # All that rooms consist of.\n  schemas:\n    RoomList:",
  );
  for (const file of ["openapi/v1/openapi.yaml", "openapi/v1/rooms.yaml"]) {
    await project.edit(file, "", "# yaml-language-server: $schema=../../generated/editor/openapi.json\n");
  }
  const groups = "x-tagGroups:\n  - name: All\n    tags:\n      - Rooms\n      - Rooms / Beds\n      - Annexes\n";
  await project.edit("openapi/v1/openapi.yaml", "paths:\n", `${groups}paths: # sorted\n`);
});

afterAll(() => project[Symbol.asyncDispose]());

test("an operation is added to an existing path item", async () => {
  const before = await read("openapi/v1/rooms.yaml");
  const { isTTY, columns } = process.stdout;
  Object.assign(process.stdout, { isTTY: true, columns: 60 });
  const options = ["--method", "PATCH", "--path", "/v1/rooms/{roomId}", "--group", "Rooms"];
  const { code, stdout, stderr } = await add(...options).finally(() =>
    Object.assign(process.stdout, { isTTY, columns }),
  );
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toBe(
    "Added updateRoom, PATCH /v1/rooms/{roomId}, to\n  openapi/v1/rooms.yaml.\n" +
      "Next: describe it there, and run npm run build.\n",
  );
  const after = await read("openapi/v1/rooms.yaml");
  const [start, end] = after.split(/ {6}patch:\n(?: {8}.*\n)*/);
  expect(`${start}${end}`).toBe(before);
  expect(after).toContain(`      patch:
        operationId: updateRoom
        summary: Update room
        tags:
          - Rooms
        description: It isn't specified yet what this operation does in detail.
        parameters:
          - $ref: "#/components/parameters/RoomId"
        requestBody:
          required: true
          content:
            application/json:
              schema: {}
        responses:
          2XX:
            description: The request succeeded.
            content:
              application/json:
                schema: {}
          default:
            $ref: ../shared/responses.yaml#/components/responses/Failure
`);
});

test("a path is added to the index in its order, and a group that has no operations gets a tag and a file", async () => {
  const missing = await add("--method", "get", "--path", "/v1/rooms/{roomId}/beds", "--group", "Rooms / Beds");
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("is not described yet: say what it is")]);
  const about = ["--group-description", "Beds that are in rooms."];
  const { code, stderr } = await add(
    "--method",
    "get",
    "--path",
    "/v1/rooms/{roomId}/beds",
    "--group",
    "Rooms / Beds",
    ...about,
  );
  expect([code, stderr]).toEqual([0, ""]);
  const index = await read("openapi/v1/openapi.yaml");
  expect(index).toContain("  - name: Rooms / Beds\n    description: Beds that are in rooms.\n");
  expect(index).toMatch(
    /paths: # sorted\n[^]*rooms\/\{roomId\}:\n.*\n {2}\/v1\/rooms\/\{roomId\}\/beds:\n {4}\$ref: rooms\/beds\.yaml#/,
  );
  const beds = await read("openapi/v1/rooms/beds.yaml");
  expect(beds.split("\n")[0]).toBe("# yaml-language-server: $schema=../../../generated/editor/openapi.json");
  expect(beds).toContain("operationId: listRoomBeds");
  expect(beds).toContain("$ref: ../rooms.yaml#/components/parameters/RoomId");
  expect(beds).toContain("$ref: ../../shared/responses.yaml#/components/responses/Failure");
});

test("a tag is added in the order of the names", async () => {
  const options = [
    "--method",
    "get",
    "--path",
    "/v1/annexes",
    "--group",
    "Annexes",
    "--group-description",
    "Buildings.",
  ];
  const { code, stderr } = await add(...options);
  expect([code, stderr]).toEqual([0, ""]);
  const index = await read("openapi/v1/openapi.yaml");
  expect(index.match(/^ {2}- name: .*(?=\n {4}description)/gm)).toEqual(
    ["Annexes", "Rooms", "Rooms / Beds"].map((name) => `  - name: ${name}`),
  );
});

test("an unknown parameter and the effect of a POST stay gaps", async () => {
  const { code, stderr } = await add("--method", "post", "--path", "/v1/floors/{floor}/close", "--group", "Rooms");
  expect([code, stderr]).toEqual([0, ""]);
  const rooms = await read("openapi/v1/rooms.yaml");
  expect(rooms).toContain("\n\n    Close:\n      post:\n");
  expect(rooms).toContain("x-resource:\n          effect: none\n");
  expect(rooms).toContain("It isn't specified what it looks like.\n            schema: {}\n            example: 1\n");
});

test("a draft, lint and the contract agree on which POST creates a resource", async () => {
  await using other = await copyProject();
  await other.edit("redocly.yaml", "rules:\n", "rules:\n  house/resource-operation: error\n");
  const addOne = (method: string, path: string, operationId: string) =>
    runHere(
      other.directory,
      "new.ts",
      ["operation", "--group", "Rooms"].concat(["--method", method, "--path", path, "--operation-id", operationId]),
    );
  const gets = { "/v1/attic": "getAttic", "/v1/halls/{hall}": "getHall" };
  for (const [path, id] of Object.entries(gets)) expect(await addOne("get", path, id)).toMatchObject({ code: 0 });
  const creating = { "/v1/halls": "createHall", "/v1/rooms": "createRoom" };
  // The GET of the first one has no list.
  const others = { "/v1/attic": "updateAttic", "/v1/rooms/{roomId}": "updateRoom", "/v1/close": "updateAll" };
  for (const [path, id] of Object.entries({ ...creating, ...others })) {
    expect(await addOne("post", path, id)).toMatchObject({ code: 0, stderr: "" });
  }
  const noEffect = /^ +x-resource:\n +effect: none\n/gm;
  const drafts = (await readFile(join(other.directory, "openapi/v1/rooms.yaml"), "utf8")).split(/(?=operationId: )/);
  const drafted = drafts.filter((text) => text.search(noEffect) !== -1);
  const ids = new Set(Object.values(others));
  expect(new Set(drafted.map((text) => /operationId: (\w+)/.exec(text)?.[1]))).toEqual(ids);

  await other.edit("openapi/v1/rooms.yaml", noEffect, "");
  const { stderr } = await other.lint("v1");
  const lines = (await readFile(join(other.directory, "openapi/v1/rooms.yaml"), "utf8")).split("\n");
  const reported = Array.from(stderr.matchAll(/rooms\.yaml:(\d+):/g), ([, line]) => lines[Number(line) - 1]);
  expect(new Set(reported.map((line) => line?.split(": ")[1]))).toEqual(ids);

  await other.edit("redocly.yaml", "house/resource-operation: error", "house/resource-operation: off");
  expect(await other.buildHere()).toMatchObject({ code: 0 });
  const { "generated/v1/openapi.json": bundle = "" } = await other.readGenerated();
  const document: unknown = JSON.parse(bundle);
  if (!isDocument(document)) throw new Error(bundle);
  const effects = [...readResources([readGeneration("v1", document)])].filter(([{ method }]) => method === "post");
  expect(effects.map(([{ name, operationId = name }, { effect }]) => [operationId, effect])).toEqual(
    Object.values(creating).map((id) => [id, "create"]),
  );
});

test("an added operation passes the build and the formatter, and has gaps in the bundle", async () => {
  expect(await project.buildHere()).toMatchObject({ code: 0, stderr: "" });
  const { "generated/v1/types.ts": types } = await project.readGenerated();
  expect(types).toMatch(/closeFloor|createFloorClose/);
  const oxfmt = join(repository, "node_modules/oxfmt/bin/oxfmt");
  const config = join(repository, ".oxfmtrc.json");
  await promisify(execFile)(process.execPath, [oxfmt, "--check", "--config", config, "openapi"], {
    cwd: project.directory,
  });
});

const refused: readonly [what: string, args: readonly string[], says: string][] = [
  ["a method that is none", ["--method", "gte"], '"gte" is not a method: did you mean get?'],
  ["a brace that is not closed", ["--path", "/v1/rooms/{roomId"], '"/v1/rooms/{roomId" is not a path'],
  ["a parameter that JavaScript sets apart", ["--path", "/v1/x/{__proto__}"], "rename the parameter __proto__"],
  ["a segment that no URL has", ["--path", "/v1/höfe/{größe}"], '"ö" can\'t be in a URL: write %C3%B6 instead'],
  [
    "a path of no generation",
    ["--path", "/rooms"],
    '"/rooms" does not begin with the name of a generation: begin it with /v1/ or /v2/',
  ],
  ["a generation that is not there", ["--generation", "v3"], 'there is no generation "v3"'],
  ["a path of another generation", ["--generation", "v2"], "did you mean /v2/v1/x?"],
  ["an existing operation", ["--path", "/v1/rooms"], "GET /v1/rooms already exists at openapi/v1/rooms.yaml:5:7"],
  ["a path whose parameters have other names", ["--path", "/v1/rooms/{id}"], "v1 has this path as /v1/rooms/{roomId}"],
  ["an unknown group", ["--group", "Romos"], 'v1 has no group "Romos": did you mean Rooms?'],
  [
    "the wrong group",
    ["--method", "put", "--path", "/v1/rooms", "--group", "Rooms / Beds"],
    '/v1/rooms is in the group "Rooms"',
  ],
];

test.each(refused)("it rejects %s, and changes nothing", async (_what, args, says) => {
  const before = await Promise.all(["v1/openapi.yaml", "v1/rooms.yaml"].map((path) => read(`openapi/${path}`)));
  // The last value of an option counts.
  const { code, stderr } = await add("--method", "get", "--path", "/v1/x", "--group", "Rooms", ...args);
  expect([code, stderr]).toEqual([1, expect.stringContaining(says)]);
  expect(await Promise.all(["v1/openapi.yaml", "v1/rooms.yaml"].map((path) => read(`openapi/${path}`)))).toEqual(
    before,
  );
});

test("missing options are named, with an example", async () => {
  const { code, stderr } = await add("--method", "get");
  expect([code, stderr]).toEqual([1, expect.stringContaining("give --path and --group, as in\n  npm run new")]);
});

test("the content of a group's file is never overwritten", async () => {
  await using other = await copyProject();
  await other.edit(
    "openapi/v1/openapi.yaml",
    "paths:\n",
    "x-tagGroups:\n  - name: All\n    tags: [Rooms, Beds]\npaths:\n",
  );
  const index = await readFile(join(other.directory, "openapi/v1/openapi.yaml"), "utf8");
  const file = join(other.directory, "openapi/v1/beds.yaml");
  for (const text of ["components: [\n", "<<<<<<< HEAD\ncomponents:\n", "# To do.\n"]) {
    await writeFile(file, text);
    const options = ["--path", "/v1/beds", "--group", "Beds", "--group-description", "Beds that are in rooms."];
    const { code, stderr } = await runHere(other.directory, "new.ts", ["operation", "--method", "get", ...options]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("beds.yaml is not a YAML object")]);
    expect(await readFile(file, "utf8")).toBe(text);
    expect(await readFile(join(other.directory, "openapi/v1/openapi.yaml"), "utf8")).toBe(index);
  }
});

test("line ends and symbolic links stay as they are", async () => {
  await using other = await copyProject();
  const file = join(other.directory, "openapi/v1/rooms.yaml");
  const target = join(other.directory, "openapi/shared/rooms-of-all.txt");
  await writeFile(target, (await readFile(file, "utf8")).replaceAll("\n", "\r\n"));
  await rm(file);
  await symlink(target, file);
  const options = ["--method", "patch", "--path", "/v1/rooms/{roomId}", "--group", "Rooms"];
  const { code, stderr } = await runHere(other.directory, "new.ts", ["operation", ...options]);
  expect([code, stderr]).toEqual([0, ""]);
  expect((await lstat(file)).isSymbolicLink()).toBe(true);
  const text = await readFile(target, "utf8");
  expect(text).toContain("operationId: updateRoom\r\n");
  expect(text.replaceAll("\r\n", "")).not.toContain("\n");
});

test("a path item has a name even if its path ends without letters", async () => {
  await using other = await copyProject();
  const options = ["--path", "/v1/rooms/-", "--group", "Rooms", "--operation-id", "getDash"];
  const { stdout, stderr } = await runHere(other.directory, "new.ts", ["operation", "--method", "get", ...options]);
  expect([stderr, stdout]).toEqual(["", expect.stringContaining("Added getDash")]);
});

test("a read-only file is not replaced", async () => {
  await using other = await copyProject();
  const file = join(other.directory, "openapi/v1/rooms.yaml");
  const before = await readFile(file, "utf8");
  await chmod(file, 0o444);
  const options = ["--method", "patch", "--path", "/v1/rooms/{roomId}", "--group", "Rooms"];
  const { code, stderr } = await runHere(other.directory, "new.ts", ["operation", ...options]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("openapi/v1/rooms.yaml is read-only")]);
  expect(await readFile(file, "utf8")).toBe(before);
});

test("an unreachable path is rejected", async () => {
  const { code, stderr } = await add("--method", "get", "--path", "/v1/rooms/../beds", "--group", "Rooms");
  expect([code, stderr]).toEqual([1, expect.stringContaining('remove its segment ".."')]);
});

test("a file that isn't in block style stays unchanged", async () => {
  await using other = await copyProject();
  await other.edit(
    "openapi/v2/openapi.yaml",
    /^paths:\n.*\n.*\n/m,
    "paths: { /v2/rooms: { $ref: rooms.yaml#/components/pathItems/Rooms } }\n",
  );
  const args = ["operation", "--method", "get", "--path", "/v2/halls", "--group", "Rooms"];
  const { code, stderr } = await runHere(other.directory, "new.ts", args);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining("openapi/v2/openapi.yaml#/paths is not written in YAML's block style"),
  ]);
});

test("an operation that breaks a rule stays in the sources, with the place of each mistake", async () => {
  await using other = await copyProject();
  const options = ["--method", "get", "--path", "/v1/halls", "--group", "Rooms", "--operation-id", "list halls"];
  const { code, stdout, stderr } = await runHere(other.directory, "new.ts", ["operation", ...options]);
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^Added list halls, GET \/v1\/halls, [^]*\.\n$/)]);
  expect(stderr).toMatch(/openapi\/v1\/rooms\.yaml:\d+:\d+: error \(operation-operationId-url-safe\)/);
  expect(await readFile(join(other.directory, "openapi/v1/rooms.yaml"), "utf8")).toContain("operationId: list halls\n");
});

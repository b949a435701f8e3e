import { cp, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { load } from "js-yaml";
import { isObject } from "../../scripts/values/json.ts";
import { copyProject, repository, runNode, type Project } from "./project.ts";

let project: Project;
let generated: Record<string, string>;

beforeAll(async () => {
  project = await copyProject();
  expect(await project.buildHere()).toMatchObject({ code: 0, stderr: "" });
  generated = await project.readGenerated();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
});

function bundleOf(name: string): Record<string, unknown> {
  const bundle: unknown = JSON.parse(generated[`generated/${name}/openapi.json`] ?? "");
  if (!isObject(bundle)) throw new Error("the bundle is not an object");
  return bundle;
}

test("each generation in redocly.yaml gets its bundles, types, client, operations, server, schemas and examples, and editors get a schema", () => {
  expect(Object.keys(generated).sort()).toEqual([
    "generated/editor/openapi.json",
    "generated/v1/client.ts",
    "generated/v1/examples.ts",
    "generated/v1/openapi.json",
    "generated/v1/openapi.yaml",
    "generated/v1/operations.ts",
    "generated/v1/queries.ts",
    "generated/v1/schemas.ts",
    "generated/v1/server.ts",
    "generated/v1/types.ts",
    "generated/v2/client.ts",
    "generated/v2/examples.ts",
    "generated/v2/openapi.json",
    "generated/v2/openapi.yaml",
    "generated/v2/operations.ts",
    "generated/v2/queries.ts",
    "generated/v2/schemas.ts",
    "generated/v2/server.ts",
    "generated/v2/types.ts",
  ]);
});

test.each([
  [2_000, undefined],
  [3_449, "3.4 s"],
  [125_000, "2 min 5 s"],
])("a command of %s ms ends with its duration if that is long", async (duration, took) => {
  const times = [0, duration];
  using _clock = vi
    .spyOn(performance, "now")
    // Other modules ask for the time, too.
    .mockImplementation(() => (new Error().stack?.includes("commandLine.ts") === true ? (times.shift() ?? 0) : 0));
  expect(await project.lint("v9")).toMatchObject({ code: 1, took });
});

test("the YAML and the JSON bundle say the same, in the same order", () => {
  const yaml: unknown = load(generated["generated/v1/openapi.yaml"] ?? "");
  expect(JSON.stringify(yaml)).toBe(JSON.stringify(bundleOf("v1")));
});

test("a bundle stands alone: paths in place, components by their own names in a fixed order, no reference to a file", () => {
  const bundle = bundleOf("v1");
  expect(bundle).toHaveProperty(["paths", "/v1/rooms/{roomId}", "get", "operationId"], "getRoom");
  const components = isObject(bundle["components"]) ? Object.entries(bundle["components"]) : [];
  expect(components.map(([kind, byName]) => [kind, isObject(byName) ? Object.keys(byName) : byName])).toEqual([
    ["schemas", ["Room", "RoomKind", "RoomList"]],
    ["responses", ["Failure"]],
    ["parameters", ["RoomId"]],
    ["securitySchemes", ["bearer"]],
  ]);
  const references = [...(generated["generated/v1/openapi.json"] ?? "").matchAll(/"\$ref": "([^"]*)"/g)];
  expect(references.length).toBeGreaterThan(0);
  expect(references.filter(([, reference]) => reference?.startsWith("#/components/") !== true)).toEqual([]);
});

test("a `$ref` in a value is data, even if it leads nowhere or back to itself", async () => {
  await using copy = await copyProject();
  const itself = "#/components/schemas/Room/properties/metadata/example";
  const metadata = "description: Free data kept with the room.";
  await copy.edit(
    "openapi/shared/rooms.yaml",
    metadata,
    `${metadata}\n          example: { $ref: "${itself}" }\n          default: { a: { $ref: "#/nowhere" } }`,
  );
  const example = 'examples: { one: { summary: One, value: { $ref: "nowhere.yaml" } } }';
  await copy.edit(
    "openapi/v1/rooms.yaml",
    "schema:\n                  $ref: ../shared/rooms.yaml#/components/schemas/Room",
    `schema: {}\n                ${example}`,
  );

  expect(await copy.buildHere()).toMatchObject({ code: 0, stderr: "" });

  const { "generated/v1/openapi.json": bundle, "generated/v1/examples.ts": examples } = await copy.readGenerated();
  expect(bundle).toContain(`"$ref": "${itself}"`);
  expect(bundle).toContain('"$ref": "nowhere.yaml"');
  expect(examples).toContain("nowhere.yaml");
});

test("the fields of a bundle come in the order in which one reads them", () => {
  expect(Object.keys(bundleOf("v1"))).toEqual([
    "openapi",
    "info",
    "servers",
    "security",
    "tags",
    "paths",
    "components",
  ]);
});

test("the same sources give the same bytes in another folder", async () => {
  await using other = await copyProject();
  await other.buildHere();
  expect(await other.readGenerated()).toEqual(generated);
});

test("a build writes only changed files, and removes obsolete ones", async () => {
  await using copy = await copyProject(project.directory);
  const written = async (path: string) => (await stat(join(copy.directory, "generated", path))).mtimeMs;
  const [unchanged, changed] = [await written("v2/openapi.json"), await written("v1/openapi.json")];
  await copy.edit("openapi/v1/openapi.yaml", "A small contract, v1", "A changed contract");
  await writeFile(join(copy.directory, "generated/v1/old.ts"), "");

  const { stdout } = await copy.buildHere();

  expect(stdout).toContain("wrote v1/openapi.json");
  expect(stdout).toContain("removed v1/old.ts");
  expect(await written("v2/openapi.json")).toBe(unchanged);
  expect(await written("v1/openapi.json")).not.toBe(changed);
  expect(Object.keys(await copy.readGenerated())).toEqual(Object.keys(generated));
});

test("build --check names outdated files and writes nothing", async () => {
  await using copy = await copyProject(project.directory);
  expect(await copy.build("--check")).toMatchObject({ code: 0 });
  await copy.edit("openapi/v2/rooms.yaml", "Adds a room.", "Adds one room.");

  const { code, stderr } = await copy.build("--check");

  expect(code).toBe(1);
  expect(stderr).toContain("Run `npm run build`");
  expect(stderr).toContain("would write v2/openapi.json");
  expect(stderr).not.toContain(" v1/");
  expect(await copy.readGenerated()).toEqual(generated);
});

test("a generation that is removed from redocly.yaml is removed from generated/, and --check names its files", async () => {
  await using copy = await copyProject(project.directory);
  await mkdir(join(copy.directory, "generated/mine"));
  const foreign = ["generated/mine/notes.txt", "generated/mine/openapi.json", "generated/notes.txt"];
  for (const file of foreign) await writeFile(join(copy.directory, file), "{}");
  await copy.edit("redocly.yaml", "  v2:\n    root: openapi/v2/openapi.yaml\n", "");
  const { code, stderr } = await copy.buildHere(true);
  expect([code, stderr]).toEqual([1, expect.stringContaining("v2/client.ts")]);

  expect(await copy.buildHere()).toMatchObject({ code: 0 });

  const left = Object.keys(await copy.readGenerated());
  expect(left.filter((file) => !/^generated\/(v1|editor)\//.test(file)).sort()).toEqual(foreign);
  expect(await readdir(join(copy.directory, "generated"))).not.toContain("v2");
});

test("the newest generation comes last, regardless of its position in redocly.yaml and the alphabet", async () => {
  await using copy = await copyProject();
  await copy.edit("redocly.yaml", "  v1:", "  v10:");
  await copy.edit("redocly.yaml", "  v2:", "  v9:");
  const { stdout } = await copy.buildHere();
  expect(stdout.match(/^v\d+/gm)).toEqual(["v9", "v10"]);
});

test("what the profile of OpenAPI has no support for is an error, with its place and with what to write instead", async () => {
  await using copy = await copyProject();
  const metadata = "description: Free data kept with the room.";
  await copy.edit("openapi/shared/rooms.yaml", metadata, `${metadata}\n          unevaluatedProperties: false`);
  const { code, stderr } = await copy.buildHere();
  expect(code).toBe(1);
  expect(stderr).toContain("openapi/shared/rooms.yaml:41:11: error (build/profile)");
  expect(stderr).toContain("Schema `unevaluatedProperties`: not supported. Instead, write `additionalProperties`");
});

test("a new generation needs an entry in redocly.yaml and a folder, nothing else", async () => {
  await using copy = await copyProject();
  await copy.edit("redocly.yaml", "  v2:\n", "  v3:\n    root: openapi/v3/openapi.yaml\n  v2:\n");
  await cp(join(copy.directory, "openapi/v2"), join(copy.directory, "openapi/v3"), { recursive: true });
  const { code, stderr } = await copy.buildHere();
  expect(code).toBe(1);
  expect(stderr).toContain("openapi/v3/openapi.yaml:18:3: error (shared-path)\n  The generation v2 has the same path");
  expect(stderr).toContain("Begin each path of v3 with /v3/.");

  await copy.edit("openapi/v3/openapi.yaml", "/v2/", "/v3/");
  expect(await copy.buildHere()).toMatchObject({ code: 0 });
  expect(Object.keys(await copy.readGenerated())).toContain("generated/v3/types.ts");
});

test("npm run lint checks the given generation, rejects a second one, and names the next step if there is one", async () => {
  await using copy = await copyProject();
  const one = await runNode(copy.directory, [join(repository, "scripts/lint.ts"), "v2"]);
  expect([one.code, one.stdout.match(/^v\d+/gm)]).toEqual([0, ["v2"]]);
  expect(one.stdout.split("\n").at(-2)).toBe("Next: npm run build, because generated/ does not match openapi/");
  expect((await project.lint()).stdout).not.toContain("Next:");
  expect((await copy.lint("--format", "githb")).stderr).toContain('not "githb": did you mean github?');
  const two = await copy.lint("v1", "v2");
  expect([two.code, two.stdout]).toEqual([1, ""]);
  expect(two.stderr).toContain("give one generation");
});

test("the committed files in generated/ are built from openapi/", async () => {
  const { code, stderr } = await runNode(repository, ["scripts/build.ts", "--check"]);
  expect(stderr).toBe("");
  expect(code).toBe(0);
});

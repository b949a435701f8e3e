import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { readBundles } from "../../scripts/contract/bundles.ts";
import { UserError } from "../../scripts/contract/failures.ts";
import { checkSyntax } from "../../scripts/pipeline/generateFiles.ts";
import { samplesOf } from "../../scripts/samples/samples.ts";
import { isObject, membersOf } from "../../scripts/values/json.ts";
import { copyProject } from "./project.ts";

const names = [
  ..."true false null undefined this class new await enum NaN constructor __proto__ toString 1 01 a.b a-b".split(" "),
  ...["a b", '"a b"', "'", "`${a}`", "*/ // /*", "</script>", "\u2028", "ä", "\\", "{ }", ""],
];

/** An object whose values read like their keys, in JavaScript too. */
const constants = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["1", 1],
]);
const value = Object.fromEntries(names.map((name) => [name, constants.has(name) ? constants.get(name) : name]));

function generation(paths: object, schemas: object = {}) {
  return JSON.stringify({ openapi: "3.1.1", info: { title: "A", version: "1" }, paths, components: { schemas } });
}

function operationWith(schema: object, operationId: string, examples: object = {}) {
  const content = { "application/json": { schema, examples } };
  return { requestBody: { required: true, content }, operationId, responses: { 200: { description: "A.", content } } };
}

async function projectOf(description: string) {
  const project = await copyProject();
  const file = join(project.directory, "openapi/hostile.json");
  await writeFile(file, description);
  await project.edit(
    "redocly.yaml",
    /^apis:\n(?: .*\n)+/m,
    "apis:\n  hostile:\n    root: openapi/hostile.json\n    extends: [minimal, house/off]\n",
  );
  return project;
}

test("keys and texts of examples are JavaScript in all that is generated, whatever they are", async () => {
  const schema = { type: "object", properties: Object.fromEntries(names.map((name) => [name, { description: name }])) };
  const named = Object.fromEntries(names.map((name) => [name, { value, summary: name }]));
  await using project = await projectOf(
    generation({ "/a": { post: operationWith(schema, "postA", { ...named, all: { value } }) } }, { All: schema }),
  );
  expect(await project.buildHere()).toMatchObject({ code: 0 });
  const module: unknown = await import(pathToFileURL(join(project.directory, "generated/hostile/examples.ts")).href);
  const examples = isObject(module) ? module["postARequest"] : undefined;
  expect(membersOf(examples)).toHaveLength(names.length + 1);
  for (const [name, example] of membersOf(examples)) expect([name, example]).toEqual([name, value]);

  const [bundle] = await readBundles(join(project.directory, "generated"), ["hostile"]);
  const samples = bundle?.operations.flatMap((operation) => samplesOf(operation, { module: "a", server: "http://a" }));
  const scripts = samples?.filter(({ language }) => language === "typescript" || language === "javascript") ?? [];
  expect(scripts.length).toBeGreaterThan(1);
  checkSyntax(scripts.map(({ source }, index) => ({ path: `sample-${index}.ts`, content: source })));
});

test("text that isn't TypeScript is refused as a mistake of the build", () => {
  const check = () => {
    checkSyntax([{ path: "v1/examples.ts", content: 'export const a = {\n  "a b",\n};\n' }]);
  };
  expect(check).toThrow(UserError);
  expect(check).toThrow(/generated\/v1\/examples\.ts:2:8: ':' expected\.: "a b",\nThis is a mistake of the build/);
});

const self = { $ref: "#/components/schemas/A" };
test.each([
  ["allOf", { A: { allOf: [self, { type: "object" }] } }],
  ["oneOf", { A: { oneOf: [{ type: "string" }, self] } }],
  ["each other", { A: { anyOf: [{ $ref: "#/components/schemas/B" }] }, B: { not: self } }],
  ["a reference beside allOf", { A: { allOf: [{ type: "object" }], $ref: "#/components/schemas/B" }, B: { if: self } }],
])("a schema that contains itself for the same value is refused: %s", async (_, schemas) => {
  await using project = await projectOf(generation({ "/a": { post: operationWith(self, "postA") } }, schemas));
  const { stderr } = await project.lint();
  expect(stderr).toMatch(
    /openapi\/hostile\.json:1:\d+: error \(build\/endless-schema\)\n {2}This schema contains itself/,
  );
  expect(stderr).toContain("error: 1 mistake in the contract");
});

test("a list of itself and a repeated operationId are refused, but no schema that contains itself in properties", async () => {
  const list = { type: "array", items: { anyOf: [{ type: "string" }, { $ref: "#/components/schemas/L" }] } };
  const tree = {
    type: "object",
    properties: { a: self, b: { allOf: [self] }, l: { $ref: "#/components/schemas/L" } },
    additionalProperties: self,
  };
  await using project = await projectOf(
    generation(
      { "/a": { post: operationWith(self, "postA") }, "/b": { put: operationWith(self, "postA") } },
      { A: tree, L: list },
    ),
  );
  const { stderr } = await project.lint();
  expect(stderr.match(/error \(.*\)/g)?.sort()).toEqual([
    "error (build/list-of-itself)",
    "error (build/operation-id-unique)",
  ]);
  expect(stderr).toContain("Another operation has this operationId, at openapi/hostile.json:1:");
});

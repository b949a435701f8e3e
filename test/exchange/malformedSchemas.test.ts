import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { startProgram } from "../fixtures/program.ts";

/** Schemas that nothing can be held against, where in them, and what the mock says of it. */
const malformed: readonly (readonly [schema: object, at: string, message: string])[] = [
  [{ type: "text" }, "", "`type` must be one or several of "],
  [{ type: "string", pattern: "(" }, "", '`pattern` must be a regular expression, not "("'],
  [{ properties: { a: { minimum: "5" } } }, "/properties/a", '`minimum` must be a number, not "5"'],
  [{ allOf: [{ multipleOf: 0 }] }, "/allOf/0", "`multipleOf` must be a number above 0, not 0"],
  [{ maxLength: -1 }, "", "`maxLength` must be an integer from 0, not -1"],
  [{ anyOf: [] }, "", "`anyOf` must be a list of schemas, not []"],
  [{ not: "a" }, "", '`not` must be a schema, not "a"'],
];

const sound = {
  examples: [{ $ref: "#/gone" }],
  const: { type: "a" },
  properties: { of: { $ref: "#/components/schemas/Tree" }, $ref: true, pattern: { default: { $ref: 1 } } },
};

/** Starts a mock of operations with these schemas of their bodies, and gives what it prints until it has said all. */
async function startWith(schemas: readonly object[], components: object): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "malformed-"));
  const responses = { "204": { description: "" } };
  const post = (schema: object) => ({ requestBody: { content: { "application/json": { schema } } }, responses });
  const paths = Object.fromEntries(schemas.map((schema, index) => [`/${index}`, { post: post(schema) }]));
  const info = { title: "Notes", version: "1" };
  await mkdir(join(folder, "generated/notes"), { recursive: true });
  const document = { openapi: "3.1.1", info, paths, components: { schemas: components } };
  await writeFile(join(folder, "generated/notes/openapi.json"), JSON.stringify(document));
  await writeFile(join(folder, "redocly.yaml"), "apis:\n  notes:\n    root: openapi.yaml\n");
  const program = startProgram([resolve("scripts/mock.ts"), "--port", "0"], { cwd: folder });
  await program.until(/^Ready after/m);
  const { stderr } = await program.stop();
  await rm(folder, { recursive: true });
  return stderr;
}

test("the mock says at its start which schemas nothing can be held against, with an operation and the place", async () => {
  const output = await startWith(
    malformed.map(([schema]) => schema),
    {},
  );
  expect(output.trim().split("\n")).toHaveLength(malformed.length);
  for (const [index, [, at, message]] of malformed.entries()) {
    const body = `/paths/~1${index}/post/requestBody/content/application~1json/schema`;
    expect(output).toContain(`Unusable: notes: POST /${index}: at ${body}${at}, ${message}`);
  }
});

test("it counts those beyond ten, and names a component that leads back to itself for the same value", async () => {
  const ref = { $ref: "#/components/schemas/A" };
  const components = { A: { anyOf: [{ $ref: "#/components/schemas/B" }] }, B: ref };
  const others = Array.from({ length: 11 }, (_, index) => ({ type: index }));
  const output = await startWith([ref, ...others], components);
  expect(output).toContain(
    "`type` must be one or several of array, boolean, integer, null, number, object, string, not 3",
  );
  expect(output).toMatch(/Also unusable: \d+ other schemas\./);
  expect(await startWith([ref], components)).toContain(
    "POST /0: at /components/schemas/A/anyOf/0, `$ref` leads back to its own schema for the same value",
  );
});

test("it says nothing of a schema that contains itself in a property, and of data that looks like a schema", async () => {
  expect(await startWith([{ $ref: "#/components/schemas/Tree" }], { Tree: sound })).toBe("");
});

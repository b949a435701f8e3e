import { expect, test } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { createEngine } from "../../scripts/mock/server/engine.ts";
import { isDocument } from "../../scripts/spec/openapi.ts";

/** Serves an operation with a schema of its body, which may refer to components. */
function serve(schema: unknown, schemas: unknown = {}) {
  const requestBody = { content: { "application/json": { schema } } };
  const document: unknown = {
    openapi: "3.1.1",
    info: { title: "Notes", version: "1" },
    paths: { "/notes": { post: { requestBody, responses: { "204": { description: "" } } } } },
    components: { schemas },
  };
  if (!isDocument(document)) throw new Error("it is no description");
  return createEngine({ generations: [readGeneration("notes", document)] });
}

const body = "/paths/~1notes/post/requestBody/content/application~1json/schema";

test.each([
  [{ type: "text" }, "", "`type` must be one or several of "],
  [{ type: "string", pattern: "(" }, "", '`pattern` must be a regular expression, not "("'],
  [{ properties: { a: { minimum: "5" } } }, "/properties/a", '`minimum` must be a number, not "5"'],
  [{ patternProperties: { "[": true } }, "", "`patternProperties` must be an object with schemas under regular"],
  [{ items: { $ref: "#/components/schemas/Gone" } }, "/items", "`$ref` must be a reference to a schema in this desc"],
  [{ items: { $ref: "https://a.example/b" } }, "/items", "`$ref` must be a reference to a schema in this desc"],
  [{ $dynamicRef: "#a" }, "", "`$dynamicRef` must be absent: it cannot be checked here"],
  [{ multipleOf: 0 }, "", "`multipleOf` must be a number above 0, not 0"],
  [{ maxLength: -1 }, "", "`maxLength` must be an integer from 0, not -1"],
  [{ anyOf: [] }, "", "`anyOf` must be a list of schemas, not []"],
  [{ not: "a" }, "", '`not` must be a schema, not "a"'],
  [{ allOf: [{ required: "a" }] }, "/allOf/0", '`required` must be a list of strings, not "a"'],
])("the mock does not start with %j", (schema, inside, message) => {
  const start = () => serve(schema);
  expect(start).toThrow(expect.objectContaining({ name: "UserError" }));
  expect(start).toThrow(`notes: POST /notes: at ${body}${inside}, ${message}`);
});

test("the mock does not start with a component that leads back to itself for the same value, and names its place", () => {
  const schemas = { A: { anyOf: [{ $ref: "#/components/schemas/B" }] }, B: { $ref: "#/components/schemas/A" } };
  expect(() => serve({ $ref: "#/components/schemas/A" }, schemas)).toThrow(
    "POST /notes: at /components/schemas/A/anyOf/0, `$ref` leads back to its own schema for the same value",
  );
});

test("the mock starts with a schema that contains itself in a property, and with data that looks like a schema", async () => {
  const schemas = {
    Tree: { properties: { of: { $ref: "#/components/schemas/Tree" }, $ref: true, pattern: { const: { type: "a" } } } },
  };
  const mock = serve({ $ref: "#/components/schemas/Tree", examples: [{ $ref: "#/gone" }] }, schemas);
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: '{ "of": { "of": 1 } }' };
  expect((await mock.fetch("http://mock.example/notes", init)).status).toBe(204);
});

test("more than ten malformed schemas are counted", () => {
  const properties = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`p${index}`, { type: index }]));
  expect(() => serve({ properties })).toThrow(/p9.*\n {2}and 2 more$/);
});

import { expect, test } from "vitest";
import { gapsByOperation } from "../../scripts/contract/gaps.ts";
import { exampleRequest } from "../fixtures/exampleRequest.ts";
import { readGeneration } from "../../scripts/contract/generation.ts";
import type { OpenApiDocument } from "../../scripts/spec/openapi.ts";
import { readAddresses } from "../../scripts/docs/model/addresses.ts";
import { schemaField } from "../../scripts/docs/model/fields.ts";

/** What is valid, and what this project's own contract has none of. */
const document = {
  openapi: "3.1.1",
  tags: [{ name: "Things" }, { name: "things!", description: "Other things." }],
  paths: {
    "/things/{id}": { $ref: "#/components/pathItems/Thing" },
    "/other": { parameters: [{ $ref: "#/components/parameters/Limit" }], get: {} },
  },
  components: {
    parameters: {
      Limit: { name: "limit", in: "query", schema: { type: "integer", "x-unspecified": ["maximum"] } },
    },
    pathItems: {
      Thing: {
        parameters: [
          {
            name: "id",
            in: "path",
            required: true,
            schema: { $ref: "#/components/schemas/Thing/properties/id" },
            examples: { first: { value: 7 } },
          },
        ],
        put: {
          tags: ["Things"],
          "x-unspecified": ["success status code"],
          requestBody: { content: { "application/json": { schema: {}, example: { id: 7 } } } },
          responses: { "2XX": { description: "Done." } },
        },
        get: { responses: {} },
      },
    },
    schemas: {
      Thing: { type: "object", properties: { id: { type: "integer", "x-unspecified": ["minimum"] } } },
      id: { const: "wrong" },
    },
  },
};
const { groups, operations } = readGeneration("odd", parse(document));

/** The document as a bundle is read: nothing is known of its types. */
function parse(value: object): OpenApiDocument {
  const parsed: unknown = JSON.parse(JSON.stringify(value));
  const isOpenApi = (candidate: unknown): candidate is OpenApiDocument => typeof candidate === "object";
  if (!isOpenApi(parsed)) throw new Error("the document is no object");
  return parsed;
}

test("operations may lack responses, a tag and an operationId, and their path items may be components", () => {
  expect(operations.map(({ name, group, responses }) => [name, group, responses.length])).toEqual([
    ["GET /things/{id}", "Other", 0],
    ["PUT /things/{id}", "Things", 1],
    ["GET /other", "Other", 0],
  ]);
});

test("requests use unnamed examples, and named examples of parameters", () => {
  const put = operations.find(({ method }) => method === "put");
  expect(put && exampleRequest(put)).toMatchObject({ target: "/things/7", body: { value: { id: 7 } } });
});

test("requests have values that match the patterns of parameters", () => {
  const parameter = (name: string, pattern: string, limits = {}) => ({
    ...{ name, in: "path", required: true, schema: { type: "string", pattern, ...limits } },
  });
  const parameters = [
    parameter("id", "^(0|[1-9][0-9]*)$"),
    parameter("key", "^[A-Z]{4,}$", { minLength: 6 }),
    parameter("word", "ing$"),
    // JavaScript may take exponential time for it, so nothing is compared with it.
    parameter("endless", "^(a+)+$|^b"),
    parameter("signs", "^[$]{3}$"),
    parameter("wrong", "("),
  ];
  const path = `/${parameters.map(({ name }) => `{${name}}`).join("/")}`;
  const info = { title: "Patterns", version: "1" };
  const document = parse({ openapi: "3.1.1", info, paths: { [path]: { get: { parameters, responses: {} } } } });
  const [get] = readGeneration("v1", document).operations;
  expect(get && exampleRequest(get).target).toBe("/0/AAAAAA/string/string/%24%24%24/example");
});

test("gaps are found in path items that are components, through pointers into schemas, and in shared parameters", () => {
  const gaps = gapsByOperation(readGeneration("odd", parse(document)));
  const found = [...gaps].map(([{ name }, all]) => [name, all.map(({ place, gaps }) => [place, ...gaps])]);
  expect(found).toEqual([
    ["GET /things/{id}", [["Thing.id", "minimum"]]],
    [
      "PUT /things/{id}",
      [
        ["", "success status code"],
        ["Thing.id", "minimum"],
      ],
    ],
    ["GET /other", [["Limit", "maximum"]]],
  ]);
});

test("groups whose names differ only in punctuation have different addresses", () => {
  expect(groups.map(({ name }) => name)).toEqual(["Things", "things!", "Other"]);
  expect([...readAddresses(readGeneration("odd", parse(document))).groups.values()]).toEqual([
    "odd/things/",
    "odd/things-2/",
    "odd/other/",
  ]);
});

test("a summary that is too long for a title begins the description, and an operationId becomes words", () => {
  const long = `**New here?** Read the [guide](https://example.com/guide). ${"It has many words. ".repeat(8)}`;
  const titles = [
    { operationId: "get_guildOAuthRoles" },
    { operationId: "createChat", summary: long, description: "Creates a chat." },
    { summary: "List\n things" },
  ].map((operation) => {
    const [read] = readGeneration("odd", parse({ openapi: "3.1.1", paths: { "/a": { get: operation } } })).operations;
    return [read?.title, read?.description];
  });
  expect(titles).toEqual([
    ["Get guild OAuth roles", ""],
    ["Create chat", `${long}\n\nCreates a chat.`],
    ["List things", ""],
  ]);
});

test("where there are many fields, the components after them have a link to their page", () => {
  const names = Array.from({ length: 160 }, (_, index) => `part${index}`);
  const text = { type: "string" };
  const widget = { type: "object", properties: Object.fromEntries(names.map((name) => [name, text])) };
  const schema = {
    type: "object",
    properties: { first: thing("Widget"), second: thing("Widget"), third: thing("Small") },
  };
  const small = { type: "object", properties: { name: text } };
  const options = { document: parse({ components: { schemas: { Widget: widget, Small: small } } }), anchor: "a" };
  const { fields } = schemaField(schema, { ...options, direction: "request" });
  expect(fields.map(({ name, isCut, fields: inner }) => [name, isCut, inner.length])).toEqual([
    ["first", false, names.length],
    ["second", true, 0],
    ["third", true, 0],
  ]);

  function thing(name: string) {
    return { $ref: `#/components/schemas/${name}` };
  }
});

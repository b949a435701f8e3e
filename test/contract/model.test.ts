import { expect, test } from "vitest";
import { gapsByOperation } from "../../scripts/contract/gaps.ts";
import { exampleRequest } from "../fixtures/exampleRequest.ts";
import { readGeneration } from "../../scripts/contract/generation.ts";
import type { OpenApiDocument } from "../../scripts/spec/openapi.ts";
import { readAddresses } from "../../scripts/docs/model/addresses.ts";

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

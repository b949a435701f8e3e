import { bundleFromString, loadConfig } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { listGaps } from "../../scripts/contract/gaps.ts";
import { changeLibrary, type Changes } from "./library.ts";

const config = await loadConfig({ configPath: "redocly.yaml" });

const get = "/paths/~1books~1{bookId}/get";
const patch = "/paths/~1books~1{bookId}/patch";
const patchContent = `${patch}/requestBody/content/application~1json`;
const changed = `${patch}/responses/2XX/content/application~1json/schema`;
const failure = "/components/responses/Failure";
const schemas = "/components/schemas";
const properties = `${schemas}/Book/properties`;

/** What a bundle of the unchanged description names, by pointer. */
const gaps = {
  "/info": ["rate limits"],
  "/tags/1": ["operations"],
  "/tags/2": ["operations"],
  [`${get}/parameters/1`]: ["default", "maximum"],
  [patch]: ["success status code", "authentication"],
  [`${patchContent}/schema/anyOf/1`]: ["fields"],
  [changed]: ["response body"],
  [failure]: ["failure status codes"],
  [`${failure}/content/application~1json/schema`]: ["response body"],
  "/components/securitySchemes/key": ["lifetime of a key"],
  [`${properties}/state`]: ["further values"],
  [`${properties}/extra`]: ["type"],
  [`${schemas}/UpdateBookRequest`]: ["required fields"],
};

/** `becomes` is what the bundle then names elsewhere than before: phrases by pointer, none where a gap has gone. */
const cases: readonly { when: string; changes: Changes; becomes: Readonly<Record<string, readonly string[]>> }[] = [
  { when: "nothing is changed", changes: {}, becomes: {} },
  {
    when: "the document's security has `{}` beside a scheme",
    changes: { [`${get}/security`]: undefined, "/security": [{}, { key: [] }] },
    becomes: { [get]: ["authentication"] },
  },
  {
    when: "credentials are optional for certain",
    changes: { [`${patch}/x-security-optional`]: true },
    becomes: { [patch]: ["success status code"] },
  },
  {
    when: "no credentials are needed",
    changes: { [`${patch}/security`]: [{}] },
    becomes: { [patch]: ["success status code"] },
  },
  {
    when: "a status code is given",
    changes: {
      [`${patch}/responses/2XX`]: undefined,
      [`${patch}/responses/204`]: { description: "It was changed." },
    },
    becomes: { [patch]: ["authentication"], [changed]: [] },
  },
  {
    when: "a response body has a schema",
    changes: { [changed]: { type: "object" } },
    becomes: { [changed]: [] },
  },
  {
    when: "a response body's schema has only a description",
    changes: { [changed]: { description: "Anything at all." } },
    becomes: {},
  },
  {
    when: "a schema is named in words too",
    changes: { [`${properties}/extra/x-unspecified`]: ["unit"] },
    becomes: { [`${properties}/extra`]: ["type", "unit"] },
  },
  {
    when: "any element and any further field is allowed",
    changes: { [`${properties}/extra`]: { type: "array", items: { type: "object", additionalProperties: {} } } },
    becomes: { [`${properties}/extra`]: [] },
  },
  {
    when: "the schema of elements is empty",
    changes: { [`${properties}/extra`]: { type: "array", items: {} } },
    becomes: { [`${properties}/extra`]: [] },
  },
  {
    when: "a field is called like a keyword",
    changes: { [`${properties}/items`]: {} },
    becomes: { [`${properties}/items`]: ["type"] },
  },
  {
    when: "required fields are listed",
    changes: { [`${schemas}/UpdateBookRequest/required`]: ["title"] },
    becomes: { [`${schemas}/UpdateBookRequest`]: [] },
  },
  {
    when: "no field is required for certain",
    changes: { [`${schemas}/UpdateBookRequest/required`]: [] },
    becomes: { [`${schemas}/UpdateBookRequest`]: [] },
  },
  {
    when: "an object in a request has no `required`",
    changes: {
      [`${schemas}/UpdateBookRequest/properties/by`]: { type: "object", properties: { name: { type: "string" } } },
    },
    becomes: { [`${schemas}/UpdateBookRequest/properties/by`]: ["required fields"] },
  },
  {
    when: "further fields of a request are objects without `required`",
    changes: {
      [`${schemas}/UpdateBookRequest/additionalProperties`]: {
        type: "object",
        properties: { name: { type: "string" } },
      },
    },
    becomes: { [`${schemas}/UpdateBookRequest/additionalProperties`]: ["required fields"] },
  },
  {
    when: "an empty schema is a condition",
    changes: { [`${properties}/extra`]: { type: "object", not: {}, unevaluatedProperties: {} } },
    becomes: { [`${properties}/extra`]: [] },
  },
  {
    when: "the parts of an `allOf` share one `required`",
    changes: {
      [`${patchContent}/schema`]: { required: ["title"], allOf: [{ properties: { title: { type: "string" } } }] },
      [`${schemas}/UpdateBookRequest`]: undefined,
    },
    becomes: { [`${patchContent}/schema/anyOf/1`]: [], [`${schemas}/UpdateBookRequest`]: [] },
  },
  {
    when: "an alternative says something about its fields",
    changes: { [`${patchContent}/schema/anyOf/1`]: { type: "object", additionalProperties: { type: "string" } } },
    becomes: { [`${patchContent}/schema/anyOf/1`]: [] },
  },
  {
    when: "a set of values is closed",
    changes: { [`${properties}/state`]: { type: "string", enum: ["LENT"] } },
    becomes: { [`${properties}/state`]: [] },
  },
  {
    when: "a tag without operations has a phrase too",
    changes: { "/tags/1/x-unspecified": ["who may read"] },
    becomes: { "/tags/1": ["operations", "who may read"] },
  },
  {
    when: "an operation has a tag that nothing describes",
    changes: { [`${get}/tags`]: ["Shelves"], [`${patch}/tags`]: ["Readers"] },
    becomes: { "/tags/0": ["operations"], "/tags/1": [], "/tags/2": [] },
  },
  {
    when: "bodies and parts of forms are files",
    changes: {
      [`${get}/responses/200/content`]: { "application/pdf": { schema: {} }, "image/*": { schema: { title: "Any" } } },
      [`${patch}/requestBody/content`]: {
        "multipart/form-data": {
          schema: {
            required: [],
            properties: { cover: { contentMediaType: "image/png" }, rest: { format: "binary" } },
          },
        },
      },
    },
    becomes: { [`${patchContent}/schema/anyOf/1`]: [], [`${schemas}/UpdateBookRequest`]: [] },
  },
  {
    when: "what a file or a text says is in JSON",
    changes: {
      [`${get}/responses/200/content/application~1json/schema`]: { title: "Any" },
      [`${get}/responses/200/content/text~1plain`]: { schema: {} },
    },
    becomes: {
      [`${get}/responses/200/content/application~1json/schema`]: ["response body"],
      [`${get}/responses/200/content/text~1plain/schema`]: ["type"],
    },
  },
  {
    when: "a webhook has no security of its own",
    changes: { "/security": [{}, { key: [] }], "/webhooks": { bookReturned: webhook({}) } },
    becomes: {},
  },
  {
    when: "a webhook has security of its own",
    changes: { "/webhooks": { bookReturned: webhook({ security: [{}, { key: [] }] }) } },
    becomes: { "/webhooks/bookReturned/post": ["authentication"] },
  },
];

function webhook(own: object) {
  return { post: { operationId: "bookReturned", tags: ["Books"], responses: {}, ...own } };
}

test.each(cases)("the gaps in a bundle when $when", async ({ changes, becomes }) => {
  const found = Object.fromEntries((await bundleGaps(changes)).map(({ pointer, gaps: own }) => [pointer, own]));
  const expected = Object.entries({ ...gaps, ...becomes }).filter(([, phrases]) => phrases.length > 0);
  expect(found).toEqual(Object.fromEntries(expected));
});

test("a bundle has a tag for every group, in the order of the groups", async () => {
  const document = await bundle({
    "/x-tagGroups": [{ name: "All", tags: ["Shelves", "Readers", "Books"] }],
  });
  expect(document).toMatchObject({ tags: [{ name: "Shelves" }, { name: "Readers" }, { name: "Books" }] });
});

test("places have names for people", async () => {
  const names = (await bundleGaps({})).map(({ place }) => place);
  expect(names.sort()).toEqual(
    [
      ...["", "info", "key", "tags.1", "tags.2", "parameter depth", "request body", "response 2XX"],
      ...["Book.extra", "Book.state", "Failure", "Failure", "UpdateBookRequest"],
    ].sort(),
  );
});

async function bundle(changes: Changes): Promise<unknown> {
  const source = JSON.stringify(changeLibrary(changes));
  const { bundle: bundled } = await bundleFromString({ source, absoluteRef: "/library/openapi.json", config });
  return bundled.parsed;
}

async function bundleGaps(changes: Changes) {
  return listGaps(await bundle(changes));
}

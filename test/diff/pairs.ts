import { createHash } from "node:crypto";
import { mapMembers, membersOf, valueAt } from "../../scripts/values/json.ts";
import { isDocument, type OpenApiDocument } from "../../scripts/spec/openapi.ts";

type Rating = "major" | "minor" | "patch" | "none";

/** Values before and after, by their places in the small contract below; `undefined` for what is not there. */
type Edits = Readonly<Record<string, readonly [before: unknown, after: unknown]>>;

/** A kind of change, and its rating for consumers: as it is, and the other way round. */
export type Pair = readonly [kind: string, edits: Edits, forward: Rating, back: Rating];

const text = { type: "string" };
const count = { type: "integer" };
const one = (property: object) => ({ type: "object", properties: property });
const json = (schema: object) => ({ "application/json": { schema } });
const ok = { description: "Done." };
const answer = { ...ok, content: json(text) };
const keyIn = (name: string) => ({ type: "apiKey", in: "header", name });
const form = (contentType: string) => ({
  "multipart/form-data": { schema: one({ file: text }), encoding: { file: { contentType } } },
});

/** The contract that every pair changes. `{ $ref: "Name" }` is one of its own schemas, and `parameters/Name` a parameter. */
const contract = {
  path: "/{id}/items",
  item: {},
  other: {},
  operation: {
    operationId: "save",
    parameters: [
      { in: "path", name: "id", required: true, schema: text },
      { in: "query", name: "limit", schema: count },
      { in: "query", name: "sort", schema: { type: "array", items: text } },
      { in: "header", name: "x-trace", schema: text },
    ],
    requestBody: { required: true, content: json({ $ref: "Request" }) },
    responses: {
      "200": { ...ok, headers: { "x-rate": { required: true, schema: count } }, content: json({ $ref: "Response" }) },
      "404": { description: "Not found." },
    },
    security: [{ key: [] }],
  },
  webhook: { post: { requestBody: { content: json(one({ event: text })) }, responses: { "200": ok } } },
  components: {},
  schemas: {
    Request: { type: "object", properties: { name: text, count, shared: { $ref: "Shared" } } },
    Response: {
      type: "object",
      required: ["name", "count"],
      properties: {
        name: text,
        count,
        list: { type: "array", items: one({ name: text }) },
        shared: { $ref: "Shared" },
      },
    },
    Shared: { type: "object", required: ["label"], properties: { label: text, size: count } },
  },
  schemes: {
    key: { type: "http", scheme: "bearer" },
    token: {
      type: "oauth2",
      flows: { clientCredentials: { tokenUrl: "https://a.example/token", scopes: { read: "Read.", write: "Write." } } },
    },
  },
};

const limit = "operation.parameters.1";
const sort = "operation.parameters.2";
const trace = "operation.parameters.3";
const sent = "schemas.Request.properties";
const got = "schemas.Response.properties";

/** A keyword that one of the schemas of a request and of a response gets: both become narrower. */
const narrowing: Readonly<Record<string, readonly [property: "name" | "count" | "map" | "list", value: unknown]>> = {
  minimum: ["count", 1],
  maximum: ["count", 9],
  exclusiveMinimum: ["count", 0],
  exclusiveMaximum: ["count", 10],
  multipleOf: ["count", 5],
  minLength: ["name", 1],
  maxLength: ["name", 9],
  pattern: ["name", "^a"],
  format: ["name", "date"],
  enum: ["name", ["a", "b"]],
  const: ["name", "a"],
  contentEncoding: ["name", "base64"],
  contentMediaType: ["name", "image/png"],
  minItems: ["list", 1],
  maxItems: ["list", 9],
  uniqueItems: ["list", true],
  minProperties: ["map", 1],
  maxProperties: ["map", 9],
  required: ["map", ["a"]],
  items: ["list", text],
};
const plain = { name: text, count, map: { type: "object" }, list: { type: "array" } };

const nothing = { type: "null" };
const kind = (value: string) => ({ ...one({ kind: { const: value } }), required: ["kind"] });
const kinds = { anyOf: [kind("a"), kind("b")], discriminator: { propertyName: "kind" } };

/** Schemas, in a request and in a response: an integer for `before` becomes the wider `after`. */
const widening: Readonly<Record<string, readonly [before: object, after: object]>> = {
  "integer to number": [count, { type: "number" }],
  "null allowed": [text, { type: ["string", "null"] }],
  "any type": [text, {}],
  "a type more": [text, { type: ["string", "integer"] }],
  "value of an enum": [{ enum: ["a"] }, { enum: ["a", "b"] }],
  "object in an enum": [{ enum: [{ a: 1 }] }, { enum: [{ a: 1 }, { a: 2 }] }],
  "lower minimum": [
    { ...count, minimum: 5 },
    { ...count, minimum: 4 },
  ],
  "higher maximum": [
    { ...count, maximum: 5 },
    { ...count, maximum: 6 },
  ],
  "inclusive maximum": [
    { ...count, exclusiveMaximum: 5 },
    { ...count, maximum: 5 },
  ],
  "a wider alternative": [{ ...one({ a: text }), required: ["a"] }, { anyOf: [one({ a: text }), { type: "array" }] }],
  "every URI reference": [
    { ...text, format: "uri" },
    { ...text, format: "uri-reference" },
  ],
  "longer text": [
    { ...text, maxLength: 5 },
    { ...text, maxLength: 6 },
  ],
  "shorter text": [
    { ...text, minLength: 5 },
    { ...text, minLength: 4 },
  ],
  "int32 to int64": [
    { ...count, format: "int32" },
    { ...count, format: "int64" },
  ],
  "divisor of multipleOf": [
    { ...count, multipleOf: 10 },
    { ...count, multipleOf: 5 },
  ],
  "alternative of anyOf": [{ anyOf: [text] }, { anyOf: [text, count] }],
  "type of items": [
    { type: "array", items: count },
    { type: "array", items: { type: "number" } },
  ],
  "const among an enum": [{ const: "a" }, { enum: ["a", "b"] }],
  "alternatives instead of a type": [{ $ref: "Shared" }, { anyOf: [{ $ref: "Shared" }, count] }],
  "null in two alternatives": [
    { oneOf: [{ oneOf: [{ const: "a" }, { type: "null" }] }, { type: "null" }] },
    { oneOf: [{ const: "a" }, { type: "null" }] },
  ],
  "null in two alternatives, beside objects": [
    { oneOf: [{ oneOf: [kinds, nothing] }, nothing] },
    { oneOf: [kinds, nothing] },
  ],
};

const variants = { discriminator: { propertyName: "kind" }, oneOf: [{ $ref: "Shared" }, { $ref: "Response" }] };
const mapped = (value: string) => ({
  ...variants,
  discriminator: { propertyName: "kind", mapping: { [value]: "Shared" } },
});

/** Schemas that accept the same values. */
const rewriting: Readonly<Record<string, readonly [before: object, after: object]>> = {
  "allOf of one": [{ $ref: "Shared" }, { allOf: [{ $ref: "Shared" }] }],
  "anyOf of one": [{ $ref: "Shared" }, { anyOf: [{ $ref: "Shared" }] }],
  "oneOf of one": [text, { oneOf: [text] }],
  "properties in an allOf": [
    { ...one({ a: text, b: count }), required: ["a", "b"] },
    { allOf: [{ ...one({ a: text }), required: ["a"] }], ...one({ b: count }), required: ["b"] },
  ],
  "an allOf in an allOf": [
    { allOf: [one({ a: text }), one({ b: text })] },
    { allOf: [{ allOf: [one({ b: text, a: text })] }] },
  ],
  "null as anyOf": [{ type: ["integer", "null"] }, { anyOf: [count, nothing] }],
  "null as oneOf": [{ type: ["null", "string"], maxLength: 9 }, { oneOf: [nothing, { ...text, maxLength: 9 }] }],
  "null beside a reference": [
    { anyOf: [{ $ref: "Shared" }, nothing] },
    { oneOf: [{ $ref: "Shared" }, { const: null }] },
  ],
  "null in an enum": [{ enum: ["a", null] }, { anyOf: [{ enum: ["a"] }, nothing] }],
  "order of types": [{ type: ["string", "null"] }, { type: ["null", "string"] }],
  "a reference inlined": [{ $ref: "Shared" }, { ...one({ label: text, size: count }), required: ["label"] }],
  "a reference to a reference": [{ $ref: "Shared" }, { minLength: 0, $ref: "Shared" }],
  "const and an enum of one": [{ const: "a" }, { enum: ["a"] }],
  "type of an enum's values": [{ enum: ["a", "b"] }, { ...text, enum: ["b", "a"] }],
  "bound of an integer": [
    { ...count, exclusiveMinimum: 0 },
    { ...count, minimum: 1 },
  ],
  "nested alternatives": [
    { anyOf: [text, one({ a: text }), one({ b: count })] },
    { anyOf: [{ anyOf: [one({ b: count }), text] }, one({ a: text })] },
  ],
  "null among alternatives": [
    { anyOf: [{ oneOf: [kind("a"), kind("b")], discriminator: { propertyName: "kind" } }, nothing] },
    { anyOf: [kind("a"), { ...kind("b"), type: ["object", "null"] }], discriminator: { propertyName: "kind" } },
  ],
  "constants as alternatives": [{ ...text, enum: ["a", "b"] }, { oneOf: [{ const: "a" }, { ...text, const: "b" }] }],
  "items of any kind": [
    { type: "array", items: {} },
    { type: "array", items: { allOf: [{}] } },
  ],
  "a file": [{ ...text, format: "binary" }, { contentMediaType: "application/octet-stream" }],
  "an example in a list": [
    { ...text, example: "a" },
    { ...text, examples: ["a"] },
  ],
};

const pet = { ...one({ kind: text }), required: ["kind"], discriminator: { propertyName: "kind" } };

/** Schemas that accept other values after the change: that breaks both directions, both ways. */
const replacing: Readonly<Record<string, readonly [before: object, after: object]>> = {
  "string to integer": [text, count],
  "another const": [{ const: "a" }, { const: "b" }],
  "another object for const": [{ const: { a: 1 } }, { const: { a: 2 } }],
  "another pattern": [
    { ...text, pattern: "^a" },
    { ...text, pattern: "^b" },
  ],
  "another format": [
    { ...text, format: "date" },
    { ...text, format: "date-time" },
  ],
  discriminator: [variants, { ...variants, discriminator: { propertyName: "sort" } }],
  "values of a discriminator": [mapped("a"), mapped("b")],
};

/** Keywords that aren't compared. A change may break both directions, both ways. */
const uncompared: Readonly<Record<string, readonly [before: object, after: object]>> = Object.fromEntries(
  Object.entries({
    contains: [undefined, text],
    minContains: [3, 2],
    propertyNames: [undefined, { pattern: "^a" }],
    patternProperties: [{ "^y": text }, { "^y": text, "^x": text }],
    dependentRequired: [{ a: ["b", "c"] }, { a: ["b"] }],
    dependentSchemas: [{ a: text, b: { required: ["c"] } }, { a: text }],
    not: [{ enum: ["a", "b"] }, { enum: ["a"] }],
    if: [{ required: ["a"] }, { required: ["b"] }],
    then: [undefined, { required: ["a"] }],
    unevaluatedItems: [undefined, false],
    unevaluatedProperties: [undefined, false],
    prefixItems: [
      [text, count],
      [count, text],
    ],
    contentSchema: [text, count],
    xml: [{ name: "a" }, { name: "b" }],
  }).map(([keyword, [before, after]]) => [keyword, [{ [keyword]: before }, { [keyword]: after }]]),
);

const inBoth = (
  table: Readonly<Record<string, readonly [object, object]>>,
  request: Rating,
  response: Rating,
  back: readonly [Rating, Rating],
) =>
  Object.entries(table).flatMap(([name, [before, after]]): Pair[] => [
    [`request: ${name}`, { [`${sent}.name`]: [before, after] }, request, back[0]],
    [`response: ${name}`, { [`${got}.name`]: [before, after] }, response, back[1]],
  ]);

const page = { parameters: { Page: { in: "query", name: "page", schema: count } } };
const region = (name: string) => ({ url: "/{region}", variables: { region: { default: name } } });

/** Parts of an operation that can stand among the components: their place, and what is there. */
const moving: Readonly<
  Record<string, readonly [place: string, own: object, components: Readonly<Record<string, object>>]>
> = {
  "a parameter": ["operation.parameters.4", page.parameters.Page, page],
  "a body": [
    "operation.requestBody",
    { required: true, content: json({ $ref: "Request" }) },
    { requestBodies: { Body: { required: true, content: json({ $ref: "Request" }) } } },
  ],
  "a response": [
    "operation.responses.404",
    { ...ok, content: json({ $ref: "Shared" }) },
    { responses: { Missing: { ...ok, content: json({ $ref: "Shared" }) } } },
  ],
  "a header": [
    "operation.responses.200.headers.x-rate",
    { required: true, schema: count },
    { headers: { Rate: { required: true, schema: count } } },
  ],
};

export const pairs: readonly Pair[] = [
  // Paths and operations
  ["an operation", { "item.delete": [undefined, { operationId: "drop", responses: { "204": ok } }] }, "minor", "major"],
  ["a path", { "other.get": [undefined, { operationId: "get", responses: { "200": ok } }] }, "minor", "major"],
  ["another path", { path: ["/{id}/items", "/{id}/things"] }, "major", "major"],
  [
    "name of a path parameter",
    { path: ["/{id}/items", "/{key}/items"], "operation.parameters.0.name": ["id", "key"] },
    "major",
    "major",
  ],
  ["another operationId", { "operation.operationId": ["save", "store"] }, "major", "major"],
  ["operationId", { "operation.operationId": [undefined, "save"] }, "minor", "major"],
  ["deprecated operation", { "operation.deprecated": [undefined, true] }, "minor", "minor"],
  ["deprecated: false", { "operation.deprecated": [undefined, false] }, "none", "none"],
  ["summary", { "operation.summary": ["Save", "Store"] }, "patch", "patch"],
  ["description", { "operation.description": [undefined, "It saves."] }, "patch", "patch"],
  ["tags", { "operation.tags": [["a"], ["b"]] }, "patch", "patch"],
  [
    "order of tags",
    {
      "operation.tags": [
        ["a", "b"],
        ["b", "a"],
      ],
    },
    "none",
    "none",
  ],
  ["an extension", { "operation.x-team": ["a", "b"] }, "none", "none"],
  ["external docs", { "operation.externalDocs": [undefined, { url: "https://a.example" }] }, "patch", "patch"],
  ["a server", { "operation.servers": [[{ url: "/a" }], [{ url: "/a" }, { url: "/bbbbbbb" }]] }, "minor", "major"],
  ["another server", { "operation.servers": [[{ url: "/a" }], [{ url: "/b" }]] }, "major", "major"],
  [
    "paging parameters",
    {
      "operation.x-pagination": [
        { limit: "a", offset: "b" },
        { limit: "c", offset: "b" },
      ],
    },
    "major",
    "major",
  ],
  ["pagination", { "operation.x-pagination": [undefined, { limit: "a", offset: "b" }] }, "minor", "major"],
  [
    "a callback",
    { "operation.callbacks": [undefined, { done: { "{$url}": { post: { responses: { "200": ok } } } } }] },
    "minor",
    "major",
  ],
  // Parameters
  [
    "an optional parameter",
    { "operation.parameters.4": [undefined, { in: "query", name: "q", schema: text }] },
    "minor",
    "major",
  ],
  [
    "a required parameter",
    { "operation.parameters.4": [undefined, { in: "query", name: "q", required: true, schema: text }] },
    "major",
    "major",
  ],
  ["parameter required", { [`${limit}.required`]: [undefined, true] }, "major", "minor"],
  ["parameter required: false", { [`${limit}.required`]: [undefined, false] }, "none", "none"],
  ["name of a parameter", { [`${limit}.name`]: ["limit", "take"] }, "major", "major"],
  ["place of a parameter", { [`${limit}.in`]: ["query", "header"] }, "major", "major"],
  ["case of a header's name", { [`${trace}.name`]: ["x-trace", "X-Trace"] }, "none", "none"],
  [
    "order of parameters",
    {
      [limit]: [
        { in: "query", name: "limit", schema: count },
        { in: "header", name: "x-a", schema: text },
      ],
      [trace]: [
        { in: "header", name: "x-a", schema: text },
        { in: "query", name: "limit", schema: count },
      ],
    },
    "none",
    "none",
  ],
  [
    "parameter of the path item",
    {
      "operation.parameters.3": [{ in: "header", name: "x-b", schema: text }, undefined],
      "item.parameters": [undefined, [{ in: "header", name: "x-b", schema: text }]],
    },
    "none",
    "none",
  ],
  ["deprecated parameter", { [`${limit}.deprecated`]: [undefined, true] }, "minor", "minor"],
  ["description of a parameter", { [`${limit}.description`]: ["One", "Another"] }, "patch", "patch"],
  ["example of a parameter", { [`${limit}.example`]: [1, 2] }, "patch", "patch"],
  ["style", { [`${sort}.style`]: ["form", "spaceDelimited"], [`${sort}.explode`]: [false, false] }, "major", "major"],
  [
    "style as it is by default",
    { [`${sort}.style`]: [undefined, "form"], [`${sort}.explode`]: [undefined, true] },
    "none",
    "none",
  ],
  ["explode", { [`${sort}.explode`]: [undefined, false] }, "major", "major"],
  ["allowEmptyValue", { [`${limit}.allowEmptyValue`]: [undefined, true] }, "major", "major"],
  ["type of a parameter", { [`${limit}.schema.type`]: ["integer", "string"] }, "major", "major"],
  ["wider type of a parameter", { [`${limit}.schema.type`]: ["integer", "number"] }, "minor", "major"],
  ["enum of a parameter", { [`${limit}.schema.enum`]: [undefined, [1, 2]] }, "major", "minor"],
  ["value of a parameter's enum", { [`${limit}.schema.enum`]: [[1], [1, 2]] }, "minor", "major"],
  ["maximum of a parameter", { [`${limit}.schema.maximum`]: [undefined, 9] }, "major", "minor"],
  ["higher maximum of a parameter", { [`${limit}.schema.maximum`]: [9, 10] }, "minor", "major"],
  ["default of a parameter", { [`${limit}.schema.default`]: [undefined, 9] }, "minor", "major"],
  ["another default of a parameter", { [`${limit}.schema.default`]: [9, 10] }, "major", "major"],
  ["pattern of a parameter", { [`${trace}.schema.pattern`]: [undefined, "^a"] }, "major", "minor"],
  ["items of a parameter", { [`${sort}.schema.items`]: [text, { ...text, enum: ["a", "b"] }] }, "major", "minor"],
  [
    "parameter with content",
    {
      [trace]: [
        { in: "header", name: "x-c", schema: text },
        { in: "header", name: "x-c", content: json(text) },
      ],
    },
    "major",
    "major",
  ],
  // Request bodies
  [
    "a required body",
    { "operation.requestBody": [undefined, { required: true, content: json(text) }] },
    "major",
    "major",
  ],
  ["an optional body", { "operation.requestBody": [undefined, { content: json(text) }] }, "minor", "major"],
  ["body required", { "operation.requestBody.required": [undefined, true] }, "major", "minor"],
  [
    "media type of a body",
    { "operation.requestBody.content.text/plain": [undefined, { schema: text }] },
    "minor",
    "major",
  ],
  ["description of a body", { "operation.requestBody.description": ["One", "Another"] }, "patch", "patch"],
  ["encoding of a body", { "operation.requestBody.content": [form("image/png"), form("image/gif")] }, "major", "major"],
  ["field of a request", { [`${sent}.more`]: [undefined, text] }, "minor", "major"],
  [
    "required field of a request",
    { [`${sent}.more`]: [undefined, text], "schemas.Request.required": [undefined, ["more"]] },
    "major",
    "major",
  ],
  ["request field required", { "schemas.Request.required": [undefined, ["name"]] }, "major", "minor"],
  ["another request field required", { "schemas.Request.required": [["name"], ["count"]] }, "major", "major"],
  [
    "name of a request field",
    { [`${sent}.name`]: [text, undefined], [`${sent}.names`]: [undefined, text] },
    "major",
    "major",
  ],
  ["readOnly in a request", { [`${sent}.name.readOnly`]: [undefined, true] }, "major", "minor"],
  ["default of a request field", { [`${sent}.count.default`]: [1, 2] }, "major", "major"],
  ["deprecated request field", { [`${sent}.name.deprecated`]: [undefined, true] }, "minor", "minor"],
  ["description of a request field", { [`${sent}.name.description`]: ["One", "Another"] }, "patch", "patch"],
  ["title of a schema", { "schemas.Request.title": ["One", "Another"] }, "patch", "patch"],
  ["request closed", { "schemas.Request.additionalProperties": [undefined, false] }, "major", "minor"],
  ["additionalProperties: true", { "schemas.Request.additionalProperties": [undefined, true] }, "patch", "patch"],
  ...inBoth(
    {
      "an alternative within another": [
        { anyOf: [{ ...text, maxLength: 5 }, count, { type: "number" }] },
        { anyOf: [{ ...text, maxLength: 5 }, { type: "number" }] },
      ],
      "a value more in an open enum": [{ anyOf: [text, { enum: ["a"] }] }, { anyOf: [text, { enum: ["a", "b"] }] }],
      "a hint for forms": [text, { ...text, format: "password" }],
    },
    "minor",
    "minor",
    ["minor", "minor"],
  ),
  ...inBoth(
    { "values with texts": [{ enum: ["a", "b"] }, { oneOf: [{ const: "a", title: "A" }, { const: "b" }] }] },
    "patch",
    "patch",
    ["patch", "patch"],
  ),
  [
    "texts in a second condition",
    {
      [`${sent}.all`]: [
        {
          allOf: [
            { if: one({ a: text }), then: one({ b: text }) },
            { if: one({ c: text }), then: one({ d: text }) },
          ],
        },
        {
          allOf: [
            { if: one({ a: text }), then: one({ b: text }) },
            { if: one({ c: text }), then: one({ d: { ...text, description: "It is." } }) },
          ],
        },
      ],
    },
    "none",
    "none",
  ],
  [
    "name of a readOnly field",
    {
      [`${sent}.name`]: [{ ...text, readOnly: true }, undefined],
      [`${sent}.names`]: [undefined, { ...text, readOnly: true }],
    },
    "minor",
    "minor",
  ],
  // What no rule covers, or covers only in some combinations
  ...inBoth(
    {
      "types as anyOf": [{ type: ["string", "integer"] }, { anyOf: [text, count] }],
      "null in a type beside an enum": [
        { type: ["string", "null"], enum: ["a", null] },
        { type: "string", enum: ["a", null] },
      ],
    },
    "major",
    "minor",
    ["minor", "major"],
  ),
  ...inBoth(
    {
      "anyOf with oneOf": [
        { anyOf: [one({ a: text }), kind("b")], oneOf: [one({ c: text }), kind("d")] },
        { anyOf: [one({ a: count }), kind("b")], oneOf: [one({ c: text }), kind("d")] },
      ],
      "alternative of oneOf": [{ oneOf: [text] }, { oneOf: [text, count] }],
      "alternatives apart": [{ anyOf: [kind("a"), kind("b")] }, { oneOf: [kind("b"), kind("a")] }],
      "values that meet several alternatives": [
        { oneOf: [one({ a: text }), one({ b: text })] },
        { anyOf: [one({ a: text }), one({ b: text })] },
      ],
      "a common part in the alternatives": [
        { allOf: [one({ a: text }), { oneOf: [kind("a"), kind("b")] }] },
        { oneOf: [{ allOf: [one({ a: text }), kind("a")] }, { ...kind("b"), allOf: [one({ a: text })] }] },
      ],
      "a reference in a second oneOf": [
        { allOf: [{ oneOf: [kind("a"), kind("b")] }, { oneOf: [{ $ref: "Shared" }, text] }] },
        { allOf: [{ oneOf: [kind("a"), kind("b")] }, { oneOf: [{ $ref: "Response" }, text] }] },
      ],
    },
    "major",
    "major",
    ["major", "major"],
  ),
  [
    "subtype by allOf",
    {
      [`${got}.pet`]: [{ $ref: "Pet" }, { $ref: "Pet" }],
      "schemas.Pet": [pet, pet],
      "schemas.Cat": [
        { allOf: [{ $ref: "Pet" }, one({ lives: text })] },
        { allOf: [{ $ref: "Pet" }, one({ lives: count })] },
      ],
    },
    "major",
    "major",
  ],
  [
    "style of a header's object",
    {
      "operation.responses.200.headers.x-rate": [
        { schema: one({ a: text }) },
        { schema: one({ a: text }), explode: true },
      ],
    },
    "major",
    "major",
  ],
  [
    "enum of a server variable",
    {
      "operation.servers": [
        [{ url: "/{a}", variables: { a: { default: "b" } } }],
        [{ url: "/{a}", variables: { a: { default: "b", enum: ["b"] } } }],
      ],
    },
    "major",
    "major",
  ],
  [
    "definition of a server variable",
    { "operation.servers": [[{ url: "/{a}", variables: { a: { default: "b" } } }], [{ url: "/{a}" }]] },
    "major",
    "major",
  ],
  ["unneeded credentials", { "operation.security": [[{ key: [] }, {}], []] }, "minor", "minor"],
  ["known values in a request", { [`${sent}.name.x-extensible-enum`]: [["a"], ["a", "b"]] }, "minor", "major"],
  [
    "part of allOf in a request",
    { [`${sent}.all`]: [{ allOf: [one({ a: text })] }, { allOf: [one({ a: text }), { required: ["a"] }] }] },
    "major",
    "minor",
  ],
  // Responses
  [
    "another success status",
    { "operation.responses": [{ "200": { ...ok, content: json(text) } }, { "204": ok }] },
    "major",
    "major",
  ],
  ["a success status for 2XX", { "operation.responses": [{ "2XX": ok }, { "200": ok }] }, "patch", "major"],
  ["a similar success status", { "operation.responses": [{ "200": ok }, { "201": ok }] }, "major", "major"],
  [
    "a similar failure status",
    {
      "operation.responses": [
        { "200": ok, "404": ok },
        { "200": ok, "403": ok },
      ],
    },
    "minor",
    "minor",
  ],
  ["a second success status without content", { "operation.responses.204": [undefined, ok] }, "major", "major"],
  [
    "a second success status with other content",
    { "operation.responses.202": [undefined, { ...ok, content: json(text) }] },
    "major",
    "major",
  ],
  [
    "a second success status with the same content",
    { "operation.responses.202": [undefined, { ...ok, content: json({ $ref: "Response" }) }] },
    "minor",
    "major",
  ],
  ["a failure status", { "operation.responses.409": [undefined, ok] }, "minor", "minor"],
  ["the default response", { "operation.responses.default": [undefined, ok] }, "minor", "minor"],
  ["description of a response", { "operation.responses.404.description": ["One", "Another"] }, "patch", "patch"],
  [
    "content of a response",
    { "operation.responses.200.content": [undefined, json({ $ref: "Response" })] },
    "minor",
    "major",
  ],
  [
    "media type of a response",
    { "operation.responses.200.content.text/plain": [undefined, { schema: text }] },
    "minor",
    "major",
  ],
  [
    "another media type",
    { "operation.responses.200.content": [{ "text/csv": {} }, { "image/png": {} }] },
    "major",
    "major",
  ],
  ["header of a response", { "operation.responses.200.headers.etag": [undefined, { schema: text }] }, "minor", "major"],
  ["header required", { "operation.responses.200.headers.x-rate.required": [undefined, true] }, "minor", "major"],
  ["type of a header", { "operation.responses.200.headers.x-rate.schema": [count, text] }, "major", "major"],
  [
    "example of a response",
    {
      "operation.responses.200.content": [
        { "application/json": { examples: { a: { value: { a: 1 } } } } },
        { "application/json": { examples: { a: { value: { a: 2 } } } } },
      ],
    },
    "patch",
    "patch",
  ],
  [
    "an example",
    {
      "operation.responses.200.content": [
        json({}),
        { "application/json": { schema: {}, examples: { a: { value: 1 } } } },
      ],
    },
    "patch",
    "patch",
  ],
  [
    "order of an example's members",
    {
      "operation.responses.200.content": [
        { "application/json": { example: { a: 1, b: 2 } } },
        { "application/json": { example: { b: 2, a: 1 } } },
      ],
    },
    "none",
    "none",
  ],
  ["field of a response", { [`${got}.more`]: [undefined, text] }, "minor", "major"],
  ["field of an item", { [`${got}.list.items.properties.more`]: [undefined, text] }, "minor", "major"],
  ["response field required", { "schemas.Response.required": [["name"], ["name", "count"]] }, "minor", "major"],
  [
    "order of required fields",
    {
      "schemas.Response.required": [
        ["name", "count"],
        ["count", "name"],
      ],
    },
    "none",
    "none",
  ],
  [
    "name of a response field",
    { [`${got}.name`]: [text, undefined], [`${got}.names`]: [undefined, text] },
    "major",
    "major",
  ],
  ["writeOnly in a response", { [`${got}.name.writeOnly`]: [undefined, true] }, "major", "minor"],
  ["deprecated response field", { [`${got}.name.deprecated`]: [undefined, true] }, "minor", "minor"],
  ["example of a field", { [`${got}.name.examples`]: [["a"], ["b"]] }, "patch", "patch"],
  ["response closed", { "schemas.Response.additionalProperties": [undefined, false] }, "minor", "minor"],
  ["known values in a response", { [`${got}.name.x-extensible-enum`]: [["a"], ["a", "b"]] }, "minor", "minor"],
  [
    "order of an enum",
    {
      [`${got}.name.enum`]: [
        ["a", "b"],
        ["b", "a"],
      ],
    },
    "none",
    "none",
  ],
  ["a link", { "operation.responses.200.links": [undefined, { next: { operationId: "save" } }] }, "patch", "patch"],
  // Schemas of both directions
  ["field of a shared schema", { "schemas.Shared.properties.more": [undefined, text] }, "minor", "major"],
  ["shared field required", { "schemas.Shared.required": [["label"], ["label", "size"]] }, "major", "major"],
  [
    "value of a shared enum",
    { "schemas.Shared.properties.label": [{ enum: ["a"] }, { enum: ["a", "b"] }] },
    "major",
    "major",
  ],
  ["maximum of a shared field", { "schemas.Shared.properties.size.maximum": [undefined, 9] }, "major", "major"],
  ["recursion", { "schemas.Shared.properties.label": [{ $ref: "Shared" }, text] }, "major", "major"],
  [
    "name of a schema",
    {
      "schemas.Added": [undefined, one({ x: text })],
      "schemas.Odd": [one({ x: text }), undefined],
      [`${sent}.name`]: [{ $ref: "Odd" }, { $ref: "Added" }],
    },
    "minor",
    "minor",
  ],
  [
    "schema with a name",
    { "schemas.Added": [undefined, one({ x: text })], [`${sent}.name`]: [one({ x: text }), { $ref: "Added" }] },
    "none",
    "minor",
  ],
  // Security
  ["credentials required", { "operation.security": [undefined, [{ key: [] }]] }, "major", "minor"],
  ["credentials no longer optional", { "operation.security": [[{ key: [] }, {}], [{ key: [] }]] }, "major", "minor"],
  [
    "alternative credentials",
    { "operation.security": [[{ key: [] }], [{ key: [] }, { token: [] }]] },
    "minor",
    "major",
  ],
  ["other credentials", { "operation.security": [[{ key: [] }], [{ token: [] }]] }, "major", "major"],
  ["further credentials", { "operation.security": [[{ key: [] }], [{ key: [], token: [] }]] }, "major", "minor"],
  ["a scope", { "operation.security": [[{ token: ["read"] }], [{ token: ["read", "write"] }]] }, "major", "minor"],
  [
    "order of credentials",
    { "operation.security": [[{ key: [], token: [] }], [{ token: [], key: [] }]] },
    "none",
    "none",
  ],
  [
    "name of a security scheme",
    {
      "schemes.key": [{ type: "http", scheme: "basic" }, undefined],
      "schemes.lock": [undefined, { type: "http", scheme: "basic" }],
      "operation.security": [[{ key: [] }], [{ lock: [] }]],
    },
    "major",
    "major",
  ],
  ["another security scheme", { "schemes.key.scheme": ["bearer", "basic"] }, "major", "major"],
  [
    "place of a key",
    {
      "schemes.key": [
        { type: "apiKey", in: "header", name: "k" },
        { type: "apiKey", in: "query", name: "k" },
      ],
    },
    "major",
    "major",
  ],
  ["description of a security scheme", { "schemes.key.description": ["One", "Another"] }, "patch", "patch"],
  [
    "URL of tokens",
    {
      "schemes.token.flows.clientCredentials.tokenUrl": ["https://a.example/token", "https://b.example/token"],
      "operation.security": [[{ token: [] }], [{ token: [] }]],
    },
    "major",
    "major",
  ],
  // What oasdiff's public list of checks has beyond these
  [
    "maximum of a readOnly field",
    {
      [`${sent}.count`]: [
        { ...count, readOnly: true, maximum: 9 },
        { ...count, readOnly: true, maximum: 8 },
      ],
    },
    "minor",
    "minor",
  ],
  [
    "value of a writeOnly field's enum",
    {
      [`${got}.name`]: [
        { enum: ["a"], writeOnly: true },
        { enum: ["a", "b"], writeOnly: true },
      ],
    },
    "minor",
    "minor",
  ],
  ["writeOnly field of a response", { [`${got}.more`]: [undefined, { ...text, writeOnly: true }] }, "minor", "minor"],
  [
    "required readOnly field of a request",
    { [`${sent}.more`]: [undefined, { ...text, readOnly: true }], "schemas.Request.required": [undefined, ["more"]] },
    "minor",
    "minor",
  ],
  [
    "required parameter of a path item",
    { "item.parameters": [undefined, [{ in: "query", name: "q", required: true, schema: text }]] },
    "major",
    "major",
  ],
  [
    "schema of a request",
    { "operation.requestBody.content": [{ "application/json": {} }, json(text)] },
    "major",
    "minor",
  ],
  [
    "schema of a response",
    { "operation.responses.200.content": [{ "application/json": {} }, json(text)] },
    "minor",
    "major",
  ],
  ["default of a response field", { [`${got}.count.default`]: [1, 2] }, "minor", "minor"],
  [
    "a scope of a flow",
    {
      "operation.security": [[{ token: [] }], [{ token: [] }]],
      "schemes.token.flows.clientCredentials.scopes.more": [undefined, "More."],
    },
    "major",
    "major",
  ],
  // Webhooks: the service sends the request
  [
    "field of a webhook",
    { "webhook.post.requestBody.content": [json(one({ a: text })), json(one({ a: text, b: text }))] },
    "minor",
    "major",
  ],
  [
    "required field of a webhook",
    { "webhook.post.requestBody.content": [json(one({ a: text })), json({ ...one({ a: text }), required: ["a"] })] },
    "minor",
    "major",
  ],
  [
    "value of a webhook's enum",
    { "webhook.post.requestBody.content": [json({ enum: ["a"] }), json({ enum: ["a", "b"] })] },
    "major",
    "minor",
  ],
  // Gaps
  ["a gap", { [`${limit}.x-unspecified`]: [undefined, ["unit"]] }, "minor", "patch"],
  [
    "a gap filled",
    { [`${limit}.x-unspecified`]: [["maximum"], undefined], [`${limit}.schema.maximum`]: [undefined, 9] },
    "patch",
    "minor",
  ],
  [
    "a gap of a field filled",
    {
      [`${sent}.count`]: [
        { ...count, "x-unspecified": ["minimum"] },
        { ...count, exclusiveMinimum: 0 },
      ],
    },
    "patch",
    "minor",
  ],
  [
    "a gap contradicted",
    {
      "schemas.Request.x-unspecified": [["required fields"], undefined],
      "schemas.Request.required": [undefined, ["name"]],
    },
    "major",
    "minor",
  ],
  // Keywords of schemas
  ...Object.entries(narrowing).flatMap(([keyword, [name, value]]): Pair[] => [
    [
      `request: ${keyword}`,
      { [`${sent}.name`]: [plain[name], { ...plain[name], [keyword]: value }] },
      "major",
      "minor",
    ],
    [
      `response: ${keyword}`,
      { [`${got}.name`]: [plain[name], { ...plain[name], [keyword]: value }] },
      "minor",
      "major",
    ],
  ]),
  ...inBoth(widening, "minor", "major", ["major", "minor"]),
  ...inBoth(replacing, "major", "major", ["major", "major"]),
  ...inBoth(uncompared, "major", "major", ["major", "major"]),
  ...inBoth(rewriting, "none", "none", ["none", "none"]),
  [
    "field in a part of a request's allOf",
    { [`${sent}.all`]: [{ allOf: [one({ a: text })] }, { allOf: [one({ a: text }), one({ b: text })] }] },
    "minor",
    "major",
  ],
  [
    "field in a part of a response's allOf",
    { [`${got}.all`]: [{ allOf: [one({ a: text })] }, { allOf: [one({ a: text }), one({ b: text })] }] },
    "minor",
    "major",
  ],
  [
    "a part that is closed",
    {
      [`${sent}.all`]: [
        { allOf: [one({ a: text })] },
        { allOf: [{ ...one({ a: text }), additionalProperties: false }, one({ b: text })] },
      ],
    },
    "major",
    "minor",
  ],
  ["object said of properties", { [`${got}.all`]: [{ properties: { a: text } }, one({ a: text })] }, "minor", "minor"],
  [
    "a condition by reference",
    {
      [`${sent}.all`]: [
        { not: { $ref: "Shared" } },
        { not: { ...one({ label: text, size: count }), required: ["label"] } },
      ],
    },
    "major",
    "major",
  ],
  // What moves to the components, or is inherited
  ...Object.entries(moving).map(([name, [place, own, components]]): Pair => {
    const [section = "", parts = {}] = Object.entries(components)[0] ?? [];
    const [part = ""] = Object.keys(parts);
    return [
      `${name} among the components`,
      { [place]: [own, { $ref: `${section}/${part}` }], components: [components, components] },
      "none",
      "none",
    ];
  }),
  [
    "an example among the components",
    {
      "operation.responses.200.headers.x-rate": [
        { schema: count, examples: { a: { value: 1 } } },
        { schema: count, examples: { a: { $ref: "examples/A" } } },
      ],
      components: [{ examples: { A: { value: 1 } } }, { examples: { A: { value: 1 } } }],
    },
    "none",
    "none",
  ],
  [
    "a reference to a parameter",
    {
      "operation.parameters.4": [undefined, { $ref: "parameters/Page" }],
      components: [page, page],
    },
    "minor",
    "major",
  ],
  [
    "the first parameters",
    { "operation.parameters": [undefined, [{ in: "query", name: "page", schema: count }]], path: ["/items", "/items"] },
    "minor",
    "major",
  ],
  [
    "servers of the path item",
    { "item.servers": [[{ url: "/a" }], undefined], "operation.servers": [undefined, [{ url: "/a" }]] },
    "none",
    "none",
  ],
  ["explode of a single value", { [`${limit}.explode`]: [undefined, false] }, "none", "none"],
  [
    "a header that is described elsewhere",
    { "operation.parameters.4": [undefined, { in: "header", name: "Authorization", required: true, schema: text }] },
    "none",
    "none",
  ],
  [
    "case of a response header's name",
    { "operation.responses.200.headers": [{ "x-rate": { schema: count } }, { "X-Rate": { schema: count } }] },
    "none",
    "none",
  ],
  // Servers, and tokens
  ["default of a server variable", { "operation.servers": [[region("north")], [region("south")]] }, "minor", "minor"],
  ["format of a token", { "schemes.key.bearerFormat": ["JWT", "Opaque"] }, "minor", "minor"],
  // Webhooks: consumers respond
  [
    "header of a response to a webhook",
    { "webhook.post.responses.200.headers": [undefined, { "x-seen": { schema: text } }] },
    "minor",
    "minor",
  ],
  [
    "required header of a response to a webhook",
    { "webhook.post.responses.200.headers": [undefined, { "x-seen": { required: true, schema: text } }] },
    "major",
    "minor",
  ],
  // Names that cover others, and names that mean the same.
  [
    "default that becomes a status",
    { "operation.responses": [{ default: answer }, { 200: answer }] },
    "patch",
    "major",
  ],
  [
    "default that becomes another status",
    { "operation.responses": [{ default: answer }, { 200: { ...answer, content: json(count) } }] },
    ...(["major", "major"] as const),
  ],
  [
    "default that is split",
    { "operation.responses": [{ default: answer }, { 200: answer, default: { ...ok, content: json(count) } }] },
    ...(["minor", "major"] as const),
  ],
  [
    "a range of failures that becomes two",
    {
      "operation.responses": [
        { 200: answer, "4XX": answer },
        { 200: answer, 404: answer, 409: answer },
      ],
    },
    ...(["patch", "minor"] as const),
  ],
  [
    "a range of failures that becomes another one",
    {
      "operation.responses": [
        { 200: answer, "4XX": answer },
        { 200: answer, 404: { ...ok, content: json(count) } },
      ],
    },
    ...(["major", "major"] as const),
  ],
  [
    "case and charset of a media type",
    { "operation.responses.200.content": [{ "application/json": {} }, { "Application/JSON; Charset=utf-8": {} }] },
    ...(["patch", "patch"] as const),
  ],
  [
    "two spellings of a media type",
    {
      "operation.responses.200.content": [
        { "application/json;charset=utf-8": { schema: text }, "application/json": { schema: text } },
        { "application/json;charset=utf-8": { schema: count }, "application/json": { schema: text } },
      ],
    },
    ...(["major", "major"] as const),
  ],
  [
    "a range of media types in a response",
    { "operation.responses.200.content": [{ "image/*": {} }, { "image/png": {} }] },
    ...(["minor", "major"] as const),
  ],
  [
    "a range of media types in a request",
    { "operation.requestBody.content": [{ "image/*": {} }, { "image/png": {} }] },
    ...(["major", "minor"] as const),
  ],
  [
    "style of a form's field",
    {
      "operation.requestBody.content": [
        { "multipart/form-data": { schema: one({ file: text }) } },
        { "multipart/form-data": { schema: one({ file: text }), encoding: { file: { style: "deepObject" } } } },
      ],
    },
    ...(["major", "major"] as const),
  ],
  [
    "media types of a form's field",
    { "operation.requestBody.content": [form("image/png, image/gif"), form("image/gif")] },
    ...(["major", "minor"] as const),
  ],
  [
    "order of the media types of a form's field",
    { "operation.requestBody.content": [form("image/png, image/gif"), form("image/gif,image/PNG")] },
    ...(["none", "none"] as const),
  ],
  ["credentials of a webhook", { "webhook.post.security": [[], [{ key: [] }]] }, "minor", "major"],
  [
    "media type of a webhook",
    { "webhook.post.requestBody.content.text/plain": [undefined, { schema: text }] },
    ...(["major", "minor"] as const),
  ],
  ["case of a scheme", { "schemes.key.scheme": ["bearer", "Bearer"] }, "none", "none"],
  ["case of the header of a key", { "schemes.key": [keyIn("X-Key"), keyIn("x-key")] }, "none", "none"],
  ["the default server", { "operation.servers": [undefined, [{ url: "/" }]] }, "none", "none"],
];

/** All pairs as two documents, in which each is on its own: nothing there is like anything of another pair. */
export function describePairs(all: readonly Pair[] = pairs): readonly [OpenApiDocument, OpenApiDocument] {
  return [describeSide(all, 0), describeSide(all, 1)];
}

/** The text that all names of a pair begin with. */
export function markOf(index: number): string {
  return `p${createHash("sha512").update(String(index)).digest("base64url").replaceAll(/[-_]/g, "")}`;
}

function describeSide(all: readonly Pair[], side: 0 | 1): OpenApiDocument {
  const parts = all.map((pair, index) => describePair(pair, markOf(index), side));
  const merge = (name: "paths" | "webhooks" | "schemas" | "schemes") =>
    Object.fromEntries(parts.flatMap((part) => Object.entries(part[name])));
  const named = (kind: string) =>
    Object.fromEntries(parts.flatMap((part) => membersOf(valueAt(part.components, [kind]))));
  const document: unknown = {
    openapi: "3.1.1",
    info: { title: "Pairs", version: "1.0.0" },
    paths: merge("paths"),
    webhooks: merge("webhooks"),
    components: {
      ...{ parameters: named("parameters"), requestBodies: named("requestBodies"), responses: named("responses") },
      ...{ headers: named("headers"), examples: named("examples") },
      ...{ schemas: merge("schemas"), securitySchemes: merge("schemes") },
    },
  };
  if (!isDocument(document)) throw new Error("not OpenAPI 3.1");
  return document;
}

function describePair(
  [, edits]: Pair,
  mark: string,
  side: 0 | 1,
): Record<"paths" | "webhooks" | "components" | "schemas" | "schemes", object> {
  // Parts that the contract has twice are two.
  const edited = copyOf(contract, (_, value) => value);
  for (const [place, values] of Object.entries(edits)) setAt(edited, place.split("."), values[side]);
  const ownContract = copyOf(edited, (key, value) => {
    if (key === "$ref") {
      const [name = "", kind = "schemas"] = String(value).split("/").toReversed();
      return `#/components/${kind}/${mark}${name}`;
    }
    if (key === "mapping") return mapMembers(value, (name) => `#/components/schemas/${mark}${String(name)}`);
    if (key === "components") return mapMembers(value, (named) => prefixed(named, mark));
    if (key === "operationId") return `${mark}${String(value)}`;
    if (key === "schemas" || key === "schemes") return prefixed(value, mark);
    return key === "security" && Array.isArray(value) ? value.map((one: unknown) => prefixed(one, mark)) : value;
  });
  const { path, item, other, operation, webhook, components, schemas, schemes } = ownContract;
  const others = Object.keys(other).length > 0 ? { [`/${mark}`.repeat(2)]: other } : {};
  return {
    paths: { [`/${mark}${path}`]: { ...item, post: operation }, ...others },
    webhooks: { [mark]: webhook },
    components,
    schemas,
    schemes,
  };
}

/** Sets a value in a clone; what is `undefined` goes, also from a list. */
function setAt(target: object, [key = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length > 0) {
    const next: unknown = Reflect.get(target, key);
    if (typeof next !== "object" || next === null) throw new Error(`nothing at ${key}`);
    setAt(next, rest, value);
  } else if (value !== undefined) Reflect.set(target, key, value);
  else if (Array.isArray(target)) target.splice(Number(key), 1);
  else Reflect.deleteProperty(target, key);
}

function prefixed(members: unknown, mark: string): object {
  return Object.fromEntries(membersOf(members).map(([name, member]) => [`${mark}${name}`, member]));
}

function copyOf(value: typeof contract, revive: (key: string, value: unknown) => unknown): typeof contract {
  // oxlint-disable-next-line typescript/no-unsafe-return -- A copy is of the type of the original.
  return JSON.parse(JSON.stringify(value), revive);
}

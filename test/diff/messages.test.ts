import { expect, it } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { compareGenerations } from "../../scripts/diff/compareGenerations.ts";
import { describePairs, markOf, type Pair } from "./pairs.ts";

const text = { type: "string" };
const json = (schema: object) => ({ "application/json": { schema } });
const ok = { description: "Done." };
const [sent, got] = ["schemas.Request.properties", "schemas.Response.properties"];
const one = (properties: object) => ({ type: "object", properties });
const page = { parameters: { Page: { in: "query", name: "page", schema: text } } };
const kind = (value: string) => ({ ...one({ kind: { const: value } }), required: ["kind"] });
const pets = (value: string) => ({
  oneOf: [{ $ref: "Cat" }, { $ref: "Shared" }],
  discriminator: { propertyName: "kind", mapping: { [value]: "Cat", shared: "Shared" } },
});
const response = { ...ok, content: json({ $ref: "Response" }) };

/** Kinds of change, and what is told of them: the impact and the message, with `~` for the mark of a pair. */
const cases: readonly (readonly [kind: string, edits: Pair[1], told: readonly string[]])[] = [
  ["s204", { "operation.responses.204": [undefined, ok] }, ["major response 204: The response was added."]],
  [
    "s202 same",
    { "operation.responses": [{ "200": response }, { "200": response, "202": response }] },
    ["minor response 202: The response was added."],
  ],
  [
    "s202 other",
    { "operation.responses.202": [undefined, { ...ok, content: json(text) }] },
    ["major response 202: The response was added."],
  ],
  [
    "deprecated op with day",
    {
      "operation.deprecated": [undefined, true],
      "operation.x-deprecated-on": [undefined, "2026-01-01"],
      "operation.x-sunset": [undefined, "2027-01-01"],
    },
    ["minor Deprecated as of 2026-01-01, and due to be removed on 2027-01-01. No replacement is named."],
  ],
  [
    "sunset added",
    { "operation.deprecated": [true, true], "operation.x-sunset": [undefined, "2027-01-01"] },
    ["minor Due to be removed on 2027-01-01."],
  ],
  [
    "sunset earlier",
    { "operation.x-sunset": ["2027-02-01", "2027-01-01"] },
    ["major Due to be removed on 2027-01-01, not on 2027-02-01."],
  ],
  [
    "sunset later",
    { "operation.x-sunset": ["2027-01-01", "2027-02-01"] },
    ["minor Due to be removed on 2027-02-01, not on 2027-01-01."],
  ],
  ["sunset removed", { "operation.x-sunset": ["2027-01-01", undefined] }, ["minor No longer due to be removed."]],
  [
    "field sunset later",
    { [`${got}.name.x-sunset`]: ["2027-01-01", "2027-02-01"] },
    ["minor ~Response.name: Due to be removed on 2027-02-01, not on 2027-01-01."],
  ],
  [
    "field deprecated",
    { [`${got}.name.deprecated`]: [undefined, true], [`${got}.name.x-deprecated-on`]: [undefined, "2026-01-01"] },
    ["minor ~Response.name: Deprecated as of 2026-01-01. No replacement is named."],
  ],
  [
    "field deprecated with a replacement",
    { [`${got}.name`]: [text, { ...text, deprecated: true, description: "Use `title`." }] },
    ["minor ~Response.name: Deprecated.", "patch ~Response.name: The description was added."],
  ],
  ...(["2020-01-31", "2999-01-31", undefined] as const).map((sunset) => {
    const was = sunset?.startsWith("2020") ? "as announced in 0.3.0 for" : "before the day announced in 0.3.0,";
    const how = sunset === undefined ? "deprecated in 0.3.0 without a day of removal" : `${was} ${sunset}`;
    const field = { ...text, deprecated: true, "x-deprecated-since": "0.3.0", "x-sunset": sunset };
    return [
      `deprecated field removed, ${sunset}`,
      { [`${got}.extra`]: [field, undefined] },
      [`major ~Response.extra: Property \`extra\` was removed, ${how}.`],
    ] as const;
  }),
  [
    "parameter deprecated",
    { "operation.parameters.1.deprecated": [undefined, true] },
    ["minor parameter limit: Deprecated. No replacement is named."],
  ],
  ["undeprecated", { "operation.deprecated": [true, undefined] }, ["minor No longer deprecated."]],
  [
    "query to header",
    { "operation.parameters.2.in": ["query", "header"] },
    ["major parameter sort: The query parameter `sort` is now a header parameter."],
  ],
  [
    "extensible to enum",
    {
      [`${got}.name`]: [
        { ...text, "x-extensible-enum": ["a", "b"] },
        { ...text, enum: ["a", "b"] },
      ],
    },
    ['minor ~Response.name: `enum` was set to `["a","b"]`.'],
  ],
  [
    "request extensible to enum",
    {
      [`${sent}.name`]: [
        { ...text, "x-extensible-enum": ["a", "b"] },
        { ...text, enum: ["a", "b"] },
      ],
    },
    ['major ~Request.name: `enum` was set to `["a","b"]`.'],
  ],
  [
    "enum to extensible",
    {
      [`${got}.name`]: [
        { ...text, enum: ["a", "b"] },
        { ...text, "x-extensible-enum": ["a", "b"] },
      ],
    },
    ["major ~Response.name: Enum was removed."],
  ],
  [
    "200 to 204",
    { "operation.responses": [{ "200": response }, { "204": ok }] },
    ["major response 204: Response `200` became `204`."],
  ],
  [
    "200 to 201",
    { "operation.responses": [{ "200": response }, { "201": response }] },
    ["major response 201: Response `200` became `201`."],
  ],
  [
    "request field required",
    { "schemas.Request.required": [undefined, ["name"]] },
    ["major ~Request: Properties became required: `name`."],
  ],
  [
    "parameter required",
    { "operation.parameters.4": [undefined, { in: "query", name: "q", required: true, schema: text }] },
    ["major parameter q: Required `q` query parameter was added."],
  ],
  [
    "body required",
    { "operation.requestBody.required": [undefined, true] },
    ["major request body: Request body became required."],
  ],
  [
    "response field removed",
    { [`${got}.count`]: [{ type: "integer" }, undefined], "schemas.Response.required": [["name", "count"], ["name"]] },
    ["major ~Response.count: Property `count` was removed, without a deprecation."],
  ],
  [
    "response field renamed",
    {
      [`${got}.count`]: [{ type: "integer" }, undefined],
      [`${got}.amount`]: [undefined, { type: "integer" }],
      "schemas.Response.required": [
        ["name", "count"],
        ["name", "amount"],
      ],
    },
    ["major ~Response.amount: Property `count` was renamed to `amount`."],
  ],
  [
    "string to array",
    { [`${sent}.name`]: [text, { type: "array", items: text }] },
    ["major ~Request.name: Type changed from 'string' to 'array'."],
  ],
  [
    "response string to array",
    { [`${got}.name`]: [text, { type: "array", items: text }] },
    ["major ~Response.name: Type changed from 'string' to 'array'."],
  ],
  [
    "query renamed",
    {
      "operation.parameters.1.name": ["limit", "take"],
      "operation.x-pagination": [
        { limit: "limit", offset: "offset" },
        { limit: "take", offset: "offset" },
      ],
    },
    ["major parameter take: The query parameter `limit` was renamed to `take`."],
  ],
  [
    "pagination removed",
    { "operation.x-pagination": [{ limit: "limit", offset: "offset" }, undefined] },
    ["major `x-pagination` was removed."],
  ],
  [
    "2XX to 200",
    { "operation.responses": [{ "2XX": response }, { "200": response }] },
    ["patch Response `2XX` is specified now: `200`."],
  ],
  [
    "credentials required",
    { "operation.security": [[{ key: [] }, {}], [{ key: [] }]] },
    ["major Credentials are now required."],
  ],
  [
    "credentials optional",
    { "operation.security": [[{ key: [] }], [{ key: [] }, {}]] },
    ["minor Credentials are now optional."],
  ],
  ["credentials none", { "operation.security": [[{ key: [] }], []] }, ["minor Credentials are no longer needed."]],
  [
    "credentials replaced",
    { "operation.security": [[{ key: [] }], [{ token: [] }]] },
    [
      "major Security requirement `~key` is no longer accepted.",
      "minor Security requirement `~token` is accepted now.",
    ],
  ],
  [
    "one credential less",
    { "operation.security": [[{ key: [], token: [] }], [{ key: [] }]] },
    ["minor Security requirement `~key + ~token` no longer requires `~token`."],
  ],
  ["example type", { "operation.parameters.1.example": [42, "42"] }, ["patch parameter limit: The example changed."]],
  [
    "example long",
    { [`${got}.name.examples`]: [["a".repeat(80) + "b"], ["a".repeat(80) + "c"]] },
    ["patch ~Response.name: The examples changed."],
  ],
  [
    "const type",
    { [`${got}.name`]: [{ const: 42 }, { const: "42" }] },
    ["major ~Response.name: Enum gained values: '42'; lost values: 42."],
  ],
  [
    "default type",
    {
      [`${sent}.name`]: [
        { ...text, default: 42 },
        { ...text, default: "42" },
      ],
    },
    ['major ~Request.name: `default` changed from `42` to `"42"`.'],
  ],
  [
    "number to string",
    { [`${sent}.name`]: [{ type: "number" }, text] },
    ["major ~Request.name: Type changed from 'number' to 'string'."],
  ],
  [
    "number to string response",
    { [`${got}.name`]: [{ type: "number" }, text] },
    ["major ~Response.name: Type changed from 'number' to 'string'."],
  ],
  [
    "any type to string",
    { [`${sent}.name`]: [{}, text] },
    ["major ~Request.name: Type changed from 'any' to 'string'."],
  ],
  [
    "number to integer",
    { [`${sent}.name`]: [{ type: "number" }, { type: "integer" }] },
    ["major ~Request.name: Type changed from 'number' to 'integer'."],
  ],
  [
    "types",
    { [`${sent}.name`]: [{ type: ["number", "string"] }, text] },
    ["major ~Request.name: Type changed from 'number | string' to 'string'."],
  ],
  [
    "description backticks",
    { "operation.description": ["Calls `a` now.", "Calls ```b` now."] },
    ["patch The description changed."],
  ],
  [
    "pattern backticks",
    { [`${sent}.name.pattern`]: ["^`a", "^`b"] },
    ["major ~Request.name: `pattern` changed from `` ^`a `` to `` ^`b ``."],
  ],
  [
    "media type replaced",
    { "operation.responses.200.content": [{ "text/csv": {} }, { "image/png": {} }] },
    ["major response 200: Media type `text/csv` was removed.", "minor response 200: Media type `image/png` was added."],
  ],
  ["maxLength", { [`${sent}.name.maxLength`]: [undefined, 9] }, ["major ~Request.name: `maxLength` was set to `9`."]],
  [
    "known removed",
    { [`${sent}.name.x-extensible-enum`]: [["a", "b"], ["a"]] },
    ['major ~Request.name: `x-extensible-enum` changed from `["a","b"]` to `["a"]`.'],
  ],
  [
    "enum removed",
    {
      [`${sent}.name`]: [
        { ...text, enum: ["a", "b"] },
        { ...text, enum: ["a"] },
      ],
    },
    ["major ~Request.name: Enum lost values: 'b'."],
  ],
  [
    "default of a parameter",
    { "operation.parameters.1.schema.default": [9, 10] },
    ["major parameter limit: `default` changed from `9` to `10`."],
  ],
  [
    "default of a parameter removed",
    { "operation.parameters.1.schema.default": [9, undefined] },
    ["major parameter limit: `default` was removed."],
  ],
  [
    "default of a response field",
    { [`${got}.count.default`]: [1, 2] },
    ["minor ~Response.count: `default` changed from `1` to `2`."],
  ],
  [
    "schema renamed",
    {
      "schemas.Added": [undefined, { type: "object", properties: { x: text } }],
      "schemas.Odd": [{ type: "object", properties: { x: text } }, undefined],
      [`${sent}.name`]: [{ $ref: "Odd" }, { $ref: "Added" }],
    },
    ["minor ~Added: `~Odd` was renamed to `~Added`."],
  ],
  [
    "path parameter renamed",
    { path: ["/{id}/items", "/{key}/items"], "operation.parameters.0.name": ["id", "key"] },
    ["major The path parameters of `/~/{id}/items` have other names: `/~/{key}/items`."],
  ],
  [
    "path parameter renamed and more",
    {
      path: ["/{id}/items", "/{key}/items"],
      "operation.parameters.0.name": ["id", "key"],
      [`${sent}.name.maxLength`]: [undefined, 9],
    },
    [
      "major The path parameters of `/~/{id}/items` have other names: `/~/{key}/items`.",
      "major ~Request.name: `maxLength` was set to `9`.",
    ],
  ],
  [
    "path renamed",
    { path: ["/{id}/items", "/{id}/things"] },
    ["major Path `/~/{id}/items` was renamed to `/~/{id}/things`."],
  ],
  [
    "type of credentials",
    { "schemes.key": [{ type: "http", scheme: "bearer" }, { type: "mutualTLS" }] },
    ["major ~key: `type` changed from `http` to `mutualTLS`.", "minor ~key: `scheme` was removed."],
  ],
  [
    "field named key described",
    {
      [`${got}.key`]: [text, { ...text, description: "Its name." }],
      [`${got}.description`]: [text, { ...text, description: "Its text." }],
    },
    ["patch ~Response.key: The description was added.", "patch ~Response.description: The description was added."],
  ],
  [
    "field named description no longer described",
    { [`${got}.description`]: [{ ...text, description: "Its text." }, text] },
    ["patch ~Response.description: The description was removed."],
  ],
  ...["description", "example", "deprecated", "required", "type", "enum", "title", "items"].map(
    (name): (typeof cases)[number] => [
      `field named ${name} removed`,
      {
        [`${got}.${name}`]: [{ ...text, maxLength: name.length }, undefined],
        "schemas.Response.required": [["name", name], ["name"]],
      },
      [`major ~Response.${name}: Property \`${name}\` was removed, without a deprecation.`],
    ],
  ),
  [
    "fields named like keywords",
    {
      [`${got}.description`]: [{ $ref: "Shared" }, undefined],
      [`${got}.example`]: [undefined, { $ref: "Request" }],
      [`${got}.required`]: [{ description: "One." }, { description: "Another." }],
    },
    [
      "major ~Response.description: Property `description` was removed, without a deprecation.",
      "minor ~Response.example: The field was added.",
      "patch ~Response.required: The description changed.",
    ],
  ],
  [
    "field named properties described",
    {
      [`${got}.properties`]: [one({ description: text }), one({ description: { ...text, description: "Its text." } })],
    },
    ["patch ~Response.properties.description: The description was added."],
  ],
  [
    "parameter by reference",
    { "operation.parameters.4": [undefined, { $ref: "parameters/Page" }], components: [page, page] },
    ["minor parameter page: The parameter was added."],
  ],
  [
    "required parameter by reference removed",
    { "operation.parameters.4": [{ $ref: "parameters/Page" }, undefined], components: [page, page] },
    ["major parameter page: `page` query parameter was removed, without a deprecation."],
  ],
  [
    "first parameters",
    { path: ["/items", "/items"], "operation.parameters": [undefined, [{ in: "query", name: "page", schema: text }]] },
    ["minor parameter page: The parameter was added."],
  ],
  [
    "all properties in another place",
    {
      "schemas.Odd": [one({ x: text }), one({ x: text })],
      "schemas.Response": [one({ name: text }), { allOf: [{ $ref: "Odd" }, one({ name: text })] }],
    },
    ["minor ~Odd.x: The field was added."],
  ],
  [
    "security scheme renamed",
    {
      "schemes.key": [{ type: "apiKey", in: "header", name: "k" }, undefined],
      "schemes.lock": [undefined, { type: "apiKey", in: "header", name: "k", description: "A key." }],
      "operation.security": [[{ key: [] }], [{ lock: [] }]],
    },
    ["major ~lock: `~key` was renamed to `~lock`.", "patch ~lock: The description was added."],
  ],
  [
    "schemas renamed at once",
    {
      "schemas.Old": [one({ x: text, inner: { $ref: "OldInner" } }), undefined],
      "schemas.OldInner": [one({ y: text, z: text }), undefined],
      "schemas.New": [undefined, one({ x: text, inner: { $ref: "NewInner" } })],
      "schemas.NewInner": [undefined, one({ y: text, z: text, more: text })],
      [`${got}.name`]: [{ $ref: "Old" }, { $ref: "New" }],
    },
    [
      "minor ~NewInner.more: The field was added.",
      "minor ~New: `~Old` was renamed to `~New`.",
      "minor ~NewInner: `~OldInner` was renamed to `~NewInner`.",
    ],
  ],
  [
    "schema replaced by another",
    {
      "schemas.Odd": [one({ x: text }), undefined],
      "schemas.Even": [undefined, one({ y: text, z: text })],
      [`${got}.name`]: [{ $ref: "Odd" }, { $ref: "Even" }],
    },
    [
      "major ~Odd.x: Property `x` was removed, without a deprecation.",
      "minor ~Even.y: The field was added.",
      "minor ~Even.z: The field was added.",
      "minor ~Odd: The schema was removed.",
    ],
  ],
  [
    "server variables",
    {
      "operation.servers": [
        [{ url: "/{r}/{s}", variables: { r: { default: "a" }, s: { default: "a", enum: ["a", "b"] } } }],
        [{ url: "/{r}/{s}", variables: { r: { default: "b" }, s: { default: "b", enum: ["b", "c"] } } }],
      ],
    },
    [
      "major `variables.s` changed in a way that isn't compared.",
      "minor The variable `r`: `default` changed from `a` to `b`.",
    ],
  ],
  [
    "header of a response added",
    { "operation.responses.200.headers.etag": [undefined, { schema: text }] },
    ["minor response 200, header etag: The header was added."],
  ],
  [
    "type of a header of a response",
    { "operation.responses.200.headers.x-rate.schema": [{ type: "integer" }, text] },
    ["major response 200, header x-rate: Type changed from 'integer' to 'string'."],
  ],
  [
    "schema emptied",
    { "schemas.Request": [one({ a: text, b: text, c: text }), { type: "object" }] },
    ["major ~Request: All properties were removed: `a`, `b`, `c`."],
  ],
  [
    "alternative replaced by another",
    {
      "schemas.Cat": [one({ a: text, b: text }), undefined],
      "schemas.Dog": [undefined, one({ a: text, c: text })],
      [`${sent}.name`]: [
        { anyOf: [{ $ref: "Cat" }, { $ref: "Shared" }] },
        { anyOf: [{ $ref: "Dog" }, { $ref: "Shared" }] },
      ],
    },
    [
      "major ~Request.name: The alternative `~Cat` of `anyOf` was removed.",
      "minor ~Request.name: The alternative `~Dog` of `anyOf` was added.",
      "minor ~Cat: The schema was removed.",
    ],
  ],
  [
    "null where a schema is used",
    {
      [`${got}.name`]: [{ $ref: "Shared" }, { anyOf: [{ $ref: "Shared" }, { type: "null" }] }],
      [`${got}.count`]: [{ anyOf: [{ $ref: "Shared" }, { type: "null" }] }, { $ref: "Shared" }],
    },
    [
      "major ~Response.name: Type changed from 'object' to 'null | object'.",
      "minor ~Response.count: Type changed from 'null | object' to 'object'.",
    ],
  ],
  [
    "value of a discriminator renamed",
    {
      "schemas.Cat": [kind("cat"), kind("feline")],
      [`${got}.name`]: [pets("cat"), pets("feline")],
    },
    [
      "major ~Cat.kind: Enum gained values: 'feline'; lost values: 'cat'.",
      "minor ~Response.name: The value `cat` of `discriminator` was removed.",
      "minor ~Response.name: The value `feline` of `discriminator` was added.",
    ],
  ],
  [
    "empty parameter values no longer allowed",
    { "operation.parameters.1.allowEmptyValue": [true, undefined] },
    ["major parameter limit: `allowEmptyValue` changed in a way that isn't compared."],
  ],
];

const [before, after] = describePairs(cases.map(([name, edits]): Pair => [name, edits, "none", "none"]));
const changes = compareGenerations([readGeneration("api", before)], [readGeneration("api", after)]);

it.concurrent.each(cases.map((one, index) => [...one, markOf(index)] as const))(
  "%s is told once, in words",
  (_kind, _edits, told, mark) => {
    const own = changes.filter(({ pointer, operations }) => [pointer, ...operations].join().includes(mark));
    expect(own.map(({ impact, message }) => `${impact} ${message.replaceAll(mark, "~")}`)).toEqual(told);
  },
);

it.concurrent.each([
  ["200 to 201", /Use the new one/, /Use the new one/],
  ["media type replaced", /Use another media type/, /Use another media type/],
  ["query renamed", /Use the new one/, /Use the new one/],
  ["schema renamed", /^Nothing/, /Use the new name/],
  ["response field renamed", /Use the new one/, /Use the new one/],
  ["request field required", /^Send it before/, /^Add it/],
  ["parameter required", /^Send it before/, /^Add it/],
  ["body required", /^Send it before/, /^Add it/],
  ["response field removed", /Stop using it/, /Remove it/],
  ["maxLength", /Send only what is still accepted/, /^Nothing/],
  ["known removed", /Send only what is still known/, /^Nothing/],
  ["pagination removed", /^Nothing/, /each page yourself/],
  ["default of a parameter", /rely on the default/, /^Nothing/],
  ["default of a response field", /rely on the default/, /^Nothing/],
  ["credentials required", /credentials/, /client/],
])("%s comes with advice", (kind, http, types) => {
  const mark = markOf(cases.findIndex(([name]) => name === kind));
  const [own] = changes.filter(({ operations }) => operations.join().includes(mark));
  expect([own?.advice.http, own?.advice.types]).toEqual([expect.stringMatching(http), expect.stringMatching(types)]);
});

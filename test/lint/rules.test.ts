import { lintFromString, loadConfig, type Config } from "@redocly/openapi-core";
import { describe, expect, test } from "vitest";
import { groupBy } from "../../scripts/values/collections.ts";
import { isObject } from "../../scripts/values/json.ts";
import { changeLibrary, listPointers, type Changes } from "./library.ts";

/** The project's own rules, as redocly.yaml sets them. */
const config = await loadConfig({ configPath: "redocly.yaml" });

const get = "/paths/~1books~1{bookId}/get";
const patch = "/paths/~1books~1{bookId}/patch";
const getContent = `${get}/responses/200/content/application~1json`;
const patchContent = `${patch}/requestBody/content/application~1json`;
const schemas = "/components/schemas";
const properties = `${schemas}/Book/properties`;
/** A property that only some cases have. */
const pages = `${schemas}/UpdateBookRequest/properties/pages`;

const lend = {
  summary: "Lend a book",
  description: "Lends a book to a reader.",
  tags: ["Books"],
  security: [{ key: [] }],
  parameters: [{ $ref: "#/paths/~1books~1{bookId}/get/parameters/0" }],
  responses: { "200": { description: "The loan." }, default: { $ref: "#/components/responses/Failure" } },
};
/** A webhook, whose receiver answers as it likes. */
const returned = (operationId: string) => ({
  post: {
    operationId,
    summary: "A book was returned",
    description: "The service sends this when a book is back.",
    tags: ["Books"],
    security: [],
    responses: { "204": { description: "The receiver has noted it." } },
  },
});
const extension = {
  name: "Book",
  effect: "update",
  set: { title: "$request.path.bookId", state: "LENT", cover: "$request.body#/cover" },
  moves: { end: "start" },
};

interface Case {
  readonly rule: string;
  readonly when: string;
  readonly changes: Changes;
}

/** `at` is where the problem is; nothing else may be reported. */
const broken: readonly (Case & { readonly at: string })[] = [
  {
    rule: "house/deprecation",
    when: "the end of an operation that is not deprecated is given",
    changes: { [`${get}/x-sunset`]: "2027-06-30" },
    at: `${get}/x-sunset`,
  },
  {
    rule: "rule/Schema/x-deprecated-on",
    when: "the day of a deprecation does not exist",
    changes: { [`${properties}/title/deprecated`]: true, [`${properties}/title/x-deprecated-on`]: "2027-02-30" },
    at: `${properties}/title/x-deprecated-on`,
  },
  {
    rule: "house/deprecation",
    when: "a generation ends before it is deprecated",
    changes: { "/info/x-deprecated-on": "2027-06-30", "/info/x-sunset": "2027-01-01" },
    at: "/info/x-sunset",
  },
  {
    rule: "operation-description",
    when: "an operation has no description",
    changes: { [`${get}/description`]: undefined },
    at: `${get}/description`,
  },
  {
    rule: "parameter-description",
    when: "a parameter has no description",
    changes: { [`${get}/parameters/1/description`]: undefined },
    at: `${get}/parameters/1`,
  },
  {
    rule: "operation-singular-tag",
    when: "an operation has two tags",
    changes: { [`${get}/tags`]: ["Books", "Readers"] },
    at: `${get}/tags`,
  },
  {
    rule: "operation-tag-defined",
    when: "a tag is not declared",
    changes: { [`${get}/tags`]: ["Bokos"] },
    at: `${get}/tags/0`,
  },
  { rule: "rule/operation-tag", when: "an operation has no tag", changes: { [`${get}/tags`]: [] }, at: `${get}/tags` },
  {
    rule: "rule/webhook-id",
    when: "the operationId of a webhook is no camelCase",
    changes: { "/webhooks": { "book.returned": returned("book_returned") } },
    at: "/webhooks/book.returned/post/operationId",
  },
  {
    rule: "rule/operation-id",
    when: "an operationId does not begin with a verb",
    changes: { [`${get}/operationId`]: "bookById" },
    at: `${get}/operationId`,
  },
  {
    rule: "rule/operation-id",
    when: "an operationId is not camelCase",
    changes: { [`${get}/operationId`]: "get_book" },
    at: `${get}/operationId`,
  },
  {
    rule: "house/operation-id-unique",
    when: "two operations have the same operationId",
    changes: { [`${patch}/operationId`]: "getBook" },
    at: `${patch}/operationId`,
  },
  {
    rule: "rule/path-template",
    when: "a brace of a path is not closed",
    changes: { "/paths/~1books": { $ref: "#/paths/~1books~1{bookId" }, "/paths/~1books~1{bookId": {} },
    at: "/paths/~1books~1{bookId",
  },
  {
    rule: "rule/media-type-name",
    when: "a media type begins with no registered type",
    changes: {
      [`${get}/responses/default`]: { description: "It failed.", content: { "aplication/json": { schema: {} } } },
    },
    at: `${get}/responses/default/content/aplication~1json`,
  },
  {
    rule: "rule/failure-response",
    when: "an operation has no default response",
    changes: { [`${get}/responses/default`]: undefined },
    at: `${get}/responses`,
  },
  {
    rule: "rule/request-body-required",
    when: "a request body says nothing of it",
    changes: { [`${patch}/requestBody/required`]: undefined },
    at: `${patch}/requestBody/required`,
  },
  {
    rule: "rule/request-body-required",
    when: "a request body may be left out",
    changes: { [`${patch}/requestBody/required`]: false },
    at: `${patch}/requestBody/required`,
  },
  {
    rule: "rule/media-type-schema",
    when: "a media type has no schema",
    changes: { [`${patch}/responses/2XX/content/application~1json`]: {} },
    at: `${patch}/responses/2XX/content/application~1json/schema`,
  },
  {
    rule: "rule/named-examples",
    when: "an example has no name",
    changes: { [`${patch}/responses/2XX/content/application~1json/example`]: {} },
    at: `${patch}/responses/2XX/content/application~1json/example`,
  },
  {
    rule: "rule/example-summary",
    when: "an example has no summary",
    changes: { [`${getContent}/examples/novel/summary`]: undefined },
    at: `${getContent}/examples/novel/summary`,
  },
  {
    rule: "no-invalid-media-type-examples",
    when: "an example has a field that its schema does not know",
    changes: { [`${getContent}/examples/novel/value/pages`]: 320 },
    at: `${getContent}/examples/novel/value/pages`,
  },
  {
    rule: "house/tag-groups",
    when: "a tag is in no group",
    changes: { "/x-tagGroups/0/tags": ["Books"] },
    at: "/tags/1",
  },
  {
    rule: "house/tag-groups",
    when: "two groups have the same tag",
    changes: { "/x-tagGroups/1": { name: "Others", tags: ["Books"] } },
    at: "/x-tagGroups/1/tags/0",
  },
  {
    rule: "house/examples",
    when: "a response body has no example",
    changes: { [`${getContent}/examples`]: {} },
    at: getContent,
  },
  {
    rule: "house/examples",
    when: "a request body has no example",
    changes: { [`${patchContent}/examples`]: undefined },
    at: patchContent,
  },
  {
    rule: "house/examples",
    when: "an example fits only the alternative that accepts any object",
    changes: { [`${patchContent}/examples/title/value`]: { title: 5 } },
    at: `${patchContent}/examples/title`,
  },
  {
    rule: "house/examples",
    when: "an example has a field that no alternative lists",
    changes: { [`${patchContent}/examples/title/value`]: { titel: "Persuasion" } },
    at: `${patchContent}/examples/title`,
  },
  {
    rule: "house/examples",
    when: "a required parameter has no example",
    changes: { [`${get}/parameters/0/example`]: undefined },
    at: `${get}/parameters/0`,
  },
  {
    rule: "house/examples",
    when: "a security scheme has no example",
    changes: { "/components/securitySchemes/key/x-example": undefined },
    at: "/components/securitySchemes/key",
  },
  {
    rule: "house/examples",
    when: "the example of Basic authentication has no password",
    changes: { "/components/securitySchemes/key": { type: "http", scheme: "Basic", "x-example": "reader" } },
    at: "/components/securitySchemes/key",
  },
  {
    rule: "house/descriptions",
    when: "a property's description repeats its name",
    changes: { [`${properties}/title/description`]: "The 'title'." },
    at: `${properties}/title/description`,
  },
  {
    rule: "house/descriptions",
    when: "a schema's description repeats its name in another order",
    changes: { [`${schemas}/UpdateBookRequest/description`]: "A request of the update: book." },
    at: `${schemas}/UpdateBookRequest/description`,
  },
  {
    rule: "house/descriptions",
    when: "a parameter's description repeats its name",
    changes: { [`${get}/parameters/0/description`]: "The book ID." },
    at: `${get}/parameters/0/description`,
  },
  {
    rule: "house/descriptions",
    when: "an operation's description repeats its summary",
    changes: { [`${get}/description`]: "Get a book." },
    at: `${get}/description`,
  },
  {
    rule: "house/descriptions",
    when: "a tag's description repeats its name",
    changes: { "/tags/0/description": "The books." },
    at: "/tags/0/description",
  },
  {
    rule: "house/descriptions",
    when: "a description is too short to say much",
    changes: { [`${properties}/state/description`]: "Its place" },
    at: `${properties}/state/description`,
  },
  {
    rule: "house/schema-name",
    when: "a schema's name is not PascalCase",
    changes: {
      [`${schemas}/update_book`]: { type: "boolean", description: "What is to change." },
      [`${schemas}/UpdateBookRequest/properties/title`]: { $ref: `#${schemas}/update_book` },
      [`${patchContent}/examples/title/value`]: { title: true },
    },
    at: `${schemas}/update_book`,
  },
  {
    rule: "house/schema-order",
    when: "a schema is described before its type is given",
    changes: { [`${properties}/title`]: { description: "What the cover says.", type: "string" } },
    at: `${properties}/title/description`,
  },
  {
    rule: "house/resource-operation",
    when: "it does not follow from the path what an operation does",
    changes: {
      "/paths/~1books~1{bookId}~1lend": { post: { ...lend, operationId: "updateLoan" } },
    },
    at: "/paths/~1books~1{bookId}~1lend/post/operationId",
  },
  {
    rule: "rule/Operation/x-resource",
    when: "x-resource has a field that is not known",
    changes: { [`${get}/x-resource`]: { effects: "read" } },
    at: `${get}/x-resource/effects`,
  },
  {
    rule: "rule/Operation/x-resource",
    when: "an effect is not known",
    changes: { [`${get}/x-resource`]: { effect: "reads" } },
    at: `${get}/x-resource/effect`,
  },
  {
    rule: "house/resource-operation",
    when: "what is copied is not named in the path",
    changes: { [`${get}/x-resource`]: { copies: "depth" } },
    at: `${get}/x-resource/copies`,
  },
  {
    rule: "house/resource-operation",
    when: "a runtime expression names a parameter that is not there",
    changes: { [`${get}/x-resource`]: { set: { title: "$request.query.title" } } },
    at: `${get}/x-resource/set/title`,
  },
  {
    rule: "rule/Operation/x-resource",
    when: "a property moves along with something that is not a name",
    changes: { [`${get}/x-resource`]: { moves: { end: 1 } } },
    at: `${get}/x-resource/moves/end`,
  },
  {
    rule: "house/resource-schema",
    when: "x-resource renames or renews a property that is not there",
    changes: { [`${schemas}/Book/x-resource`]: { renews: ["link"] } },
    at: `${schemas}/Book/x-resource/renews`,
  },
  {
    rule: "house/resource-operation",
    when: "x-resource is there, but still no effect",
    changes: { "/paths/~1books~1{bookId}~1lend": { post: { ...lend, operationId: "updateLoan", "x-resource": {} } } },
    at: "/paths/~1books~1{bookId}~1lend/post/operationId",
  },
  {
    rule: "rule/Operation/x-resource",
    when: "a field has a value of another type",
    changes: { [`${get}/x-resource`]: { set: "title" } },
    at: `${get}/x-resource/set`,
  },
  {
    rule: "rule/Schema/x-resource",
    when: "a field has a value of another type",
    changes: { [`${schemas}/Book/x-resource`]: { renews: "cover" } },
    at: `${schemas}/Book/x-resource/renews`,
  },
  {
    rule: "rule/Schema/x-resource",
    when: "x-resource is not an object",
    changes: { [`${schemas}/Book/x-resource`]: "Book" },
    at: `${schemas}/Book/x-resource`,
  },
  {
    rule: "house/pagination",
    when: "there is no parameter of that name",
    changes: { [`${get}/x-pagination`]: { limit: "depth", offset: "start" } },
    at: `${get}/x-pagination/offset`,
  },
  {
    rule: "house/pagination",
    when: "the parameter of that name is not in the query",
    changes: {
      [`${get}/parameters/2`]: { name: "x-start", in: "header", description: "Where the list begins.", schema: {} },
      [`${get}/x-pagination`]: { limit: "depth", offset: "x-start" },
    },
    at: `${get}/x-pagination/offset`,
  },
  {
    rule: "rule/Operation/x-pagination",
    when: "a name is missing",
    changes: { [`${get}/x-pagination`]: { limit: "depth" } },
    at: `${get}/x-pagination`,
  },
  {
    rule: "house/extension-name",
    when: "the name of an extension has a letter too many",
    changes: { [`${properties}/title/x-unspecifieds`]: ["unit"] },
    at: `${properties}/title/x-unspecifieds`,
  },
  {
    rule: "house/extension-name",
    when: "the name of an extension of an operation lacks letters",
    changes: { [`${get}/x-paginate`]: { limit: "depth", offset: "start" } },
    at: `${get}/x-paginate`,
  },
  {
    rule: "house/closed-enum",
    when: "an enum does not say why it is closed",
    changes: { [`${properties}/cover/x-closed-enum`]: undefined },
    at: `${properties}/cover/enum`,
  },
  {
    rule: "house/closed-enum",
    when: "a const does not say why it is closed",
    changes: { [`${properties}/title/const`]: "Emma" },
    at: `${properties}/title/const`,
  },
  {
    rule: "rule/Schema/x-closed-enum",
    when: "the reason is empty",
    changes: { [`${properties}/cover/x-closed-enum`]: " " },
    at: `${properties}/cover/x-closed-enum`,
  },
  {
    rule: "house/closed-enum",
    when: "a reason stays without an enum",
    changes: { [`${properties}/cover/enum`]: undefined },
    at: `${properties}/cover/x-closed-enum`,
  },
  {
    rule: "house/closed-enum",
    when: "an enum beside a $ref does not say why it is closed",
    changes: {
      [`${schemas}/UpdateBookRequest/properties/title`]: { $ref: `#${properties}/title`, enum: ["Persuasion"] },
    },
    at: `${schemas}/UpdateBookRequest/properties/title/enum`,
  },
  {
    rule: "house/closed-enum",
    when: "a set of values is open and closed",
    changes: { [`${properties}/state/enum`]: ["LENT"], [`${properties}/state/x-closed-enum`]: "seen" },
    at: `${properties}/state/x-extensible-enum`,
  },
  {
    rule: "rule/Schema/x-extensible-enum",
    when: "no value is listed",
    changes: { [`${properties}/state/x-extensible-enum`]: [] },
    at: `${properties}/state/x-extensible-enum`,
  },
  {
    rule: "rule/Schema/x-extensible-enum",
    when: "a value is listed twice",
    changes: { [`${properties}/state/x-extensible-enum`]: ["LENT", "LENT"] },
    at: `${properties}/state/x-extensible-enum`,
  },
  {
    rule: "house/schema-values",
    when: "a value is of another type",
    changes: { [`${properties}/state/x-extensible-enum`]: ["LENT", 7] },
    at: `${properties}/state/x-extensible-enum`,
  },

  {
    rule: "house/known-format",
    when: "no tool knows a format",
    changes: { [`${properties}/title/format`]: "datetime" },
    at: `${properties}/title/format`,
  },
  {
    rule: "house/schema-keywords",
    when: "JavaScript may take long to compare texts with a pattern",
    changes: {
      [`${get}/parameters/1/schema`]: { type: "string", pattern: "^(.*)*\\1$" },
      [`${get}/parameters/1/x-unspecified`]: ["unit"],
    },
    at: `${get}/parameters/1/schema/pattern`,
  },
  {
    rule: "house/schema-keywords",
    when: "JavaScript may take long to compare names of properties with a pattern",
    changes: { [`${properties}/title/patternProperties`]: { "^(.*)*\\1$": {} } },
    at: `${properties}/title/patternProperties/^(.*)*\\1$`,
  },
  {
    rule: "house/schema-keywords",
    when: "a pattern is no regular expression",
    changes: {
      [`${get}/parameters/1/schema`]: { type: "string", pattern: "[a", default: "a" },
      [`${get}/parameters/1/x-unspecified`]: ["unit"],
    },
    at: `${get}/parameters/1/schema/pattern`,
  },
  contradiction("a minimum limits texts", { type: "string", minimum: 3 }, "minimum"),
  contradiction("a pattern limits numbers", { type: "integer", pattern: "^a" }, "pattern"),
  contradiction("a number of items limits objects", { type: "object", minItems: 1 }, "minItems"),
  contradiction("the least length is above the greatest", { type: "string", minLength: 9, maxLength: 8 }, "minLength"),
  contradiction("bounds leave no number", { type: "number", minimum: 8, maximum: 7 }, "minimum"),
  contradiction("a default has another type", { type: "string", default: 7 }, "default"),
  contradiction("a default is below the minimum", { type: "integer", minimum: 2, default: 1 }, "default"),
  contradiction(
    "a default is not listed",
    { type: "string", enum: ["a"], "x-closed-enum": "so", default: "b" },
    "default",
  ),
  contradiction("a default does not have the format", { type: "string", format: "date", default: "today" }, "default"),
  contradiction("a constant is too short", { const: "a", "x-closed-enum": "so", minLength: 2 }, "const"),
  contradiction(
    "a listed value is too long",
    { type: "string", enum: ["a", "bc"], "x-closed-enum": "so", maxLength: 1 },
    "enum",
  ),
  contradiction(
    "a value seen is too long",
    { type: "string", "x-extensible-enum": ["bc"], maxLength: 1 },
    "x-extensible-enum",
  ),
  contradiction(
    "a default contradicts what a `$ref` leads to",
    { $ref: `#${properties}/title`, default: 7 },
    "default",
  ),

  // What shows in how something is written is named all the same.
  ...derived("success status code", patch, "rule/Operation/x-unspecified"),
  ...derived("authentication", patch, "rule/Operation/x-unspecified"),
  ...derived("response body", `${patch}/responses/2XX/content/application~1json/schema`, "rule/Schema/x-unspecified"),
  ...derived("type", `${properties}/extra`, "rule/Schema/x-unspecified"),
  ...derived("required fields", `${schemas}/UpdateBookRequest`, "rule/Schema/x-unspecified"),
  ...derived("required fields", `${get}/parameters/1`, "rule/Parameter/x-unspecified"),
  ...derived("fields", `${patchContent}/schema/anyOf/1`, "rule/Schema/x-unspecified"),
  ...derived("further values", `${properties}/state`, "rule/Schema/x-unspecified"),
  ...derived("operations", "/tags/1", "rule/Tag/x-unspecified"),

  // What is known is named as unknown.
  stale("required", "it is required", `${get}/parameters/0`),
  stale("format", "its schema has one", `${get}/parameters/0`, { [`${get}/parameters/0/schema/format`]: "int32" }),
  stale("allowed values", "an enum lists them", `${properties}/cover`),
  stale("allowed values", "it is an object", `${schemas}/Book`),
  stale("default", "there is one", `${properties}/title`, { [`${properties}/title/default`]: "" }),
  stale("unit", "the description says it", `${properties}/title`, {
    [`${properties}/title/description`]: "How long it takes to read, in minutes.",
  }),
  stale("minimum", "there is one", `${get}/parameters/1`, { [`${get}/parameters/1/schema/minimum`]: 0 }),
  stale("maximum", "there is one", `${get}/parameters/1/schema`, {
    [`${get}/parameters/1/schema/exclusiveMaximum`]: 9,
    [`${get}/parameters/1/x-unspecified`]: ["default"],
  }),
  stale("format", "it stands where the `$ref` leads", `${getContent}/schema`, { [`${schemas}/Book/format`]: "byte" }),

  // The list itself is wrong.
  ...[
    ["a phrase is unknown", `${properties}/title`, ["secrecy"], "/x-unspecified/0", "rule/Schema/x-unspecified"],
    [
      "a phrase goes on without a break",
      `${properties}/title`,
      ["units"],
      "/x-unspecified/0",
      "rule/Schema/x-unspecified",
    ],
    [
      "a phrase belongs to another kind of place",
      "/components/securitySchemes/key",
      ["lifetime", "unit"],
      "/x-unspecified/1",
      "rule/SecurityScheme/x-unspecified",
    ],
    ["there is no list", "/info", "limits", "/x-unspecified", "rule/Info/x-unspecified"],
    ["the list is empty", "/info", [], "/x-unspecified", "rule/Info/x-unspecified"],
    ["a phrase is empty", "/info", ["limits", " "], "/x-unspecified/1", "rule/Info/x-unspecified"],
    ["a phrase is listed twice", "/info", ["limits", "limits"], "/x-unspecified", "rule/Info/x-unspecified"],
    ["nothing is left to say there", `${patch}/requestBody`, ["size"], "/x-unspecified", "house/unspecified"],
  ].map(([when, at, value, below, rule]) => ({
    rule: String(rule),
    when: String(when),
    changes: { [`${String(at)}/x-unspecified`]: value },
    at: `${String(at)}${String(below)}`,
  })),
];

/** Changes that look like some of the above, and are allowed. */
const faultless: readonly Case[] = [
  { rule: "no rule", when: "nothing is changed", changes: {} },
  {
    rule: "rule/operation-id",
    when: "a webhook is named after what happened, and lists no failures",
    changes: { "/webhooks": { "book.returned": returned("bookReturned") } },
  },
  {
    rule: "rule/failure-response",
    when: "there are failure codes beside the default response",
    changes: { [`${get}/responses/404`]: { description: "There is no such book." } },
  },
  {
    rule: "house/extension-name",
    when: "an extension is for other tools, or a name in a map, or in an example",
    changes: {
      [`${get}/x-internal`]: true,
      [`${properties}/x-resources`]: { type: "string" },
      [`${schemas}/Book/example`]: undefined,
    },
  },
  { rule: "house/tag-groups", when: "there are no groups", changes: { "/x-tagGroups": undefined } },
  {
    rule: "house/examples",
    when: "the body is not JSON",
    changes: {
      [`${get}/responses/200/content/text~1plain`]: { schema: { type: "string" } },
    },
  },
  {
    rule: "house/descriptions",
    when: "name and type say it all",
    changes: { [`${schemas}/Book/description`]: undefined, [`${properties}/title/description`]: undefined },
  },
  {
    rule: "house/examples",
    when: "a required parameter has only one value",
    changes: {
      [`${get}/parameters/0/example`]: undefined,
      [`${get}/parameters/0/schema`]: { type: "integer", const: 7, "x-closed-enum": "it is the only book" },
    },
  },
  {
    rule: "house/resource-operation",
    when: "x-resource says what an operation does",
    changes: {
      "/paths/~1books~1{bookId}~1lend": { post: { ...lend, operationId: "updateLoan", "x-resource": extension } },
      [`${schemas}/Book/x-resource`]: { name: "Book", properties: { title: "name" }, renews: ["cover"] },
    },
  },
  {
    rule: "house/pagination",
    when: "both parameters are there",
    changes: { [`${get}/x-pagination`]: { limit: "depth", offset: "depth" } },
  },
  {
    rule: "house/extensible-enum",
    when: "the type allows null too",
    changes: {
      [`${properties}/state/type`]: ["string", "null"],
      [`${properties}/state/x-extensible-enum`]: ["LENT", null],
    },
  },
  {
    rule: "house/schema-values",
    when: "limits and defaults agree with their schemas",
    changes: {
      [pages]: { type: ["integer", "null"], minimum: 1, maximum: 1, default: null },
      [`${properties}/extra`]: { description: "What else is known.", minimum: 1, maxLength: 0, default: [] },
    },
  },
  {
    rule: "house/unspecified",
    when: "phrases go on in words",
    changes: {
      [`${get}/parameters/1/x-unspecified`]: ["default", "maximum: the server's", "unit of depth", "allowed values"],
      [`${properties}/title/x-unspecified`]: ["format", "lifetime"],
      [`${patch}/x-unspecified`]: ["credentials of a library"],
    },
  },
  {
    rule: "house/unspecified",
    when: "a reference has a phrase beside it",
    changes: { [`${getContent}/schema/x-unspecified`]: ["lifetime of the record"] },
  },
  {
    rule: "house/unspecified",
    when: "credentials are optional for certain",
    changes: { [`${patch}/x-security-optional`]: true },
  },
  {
    rule: "house/unspecified",
    when: "a tag with operations has other phrases too",
    changes: { "/tags/0/x-unspecified": ["further operations"] },
  },
];

test("the inputs of a workflow have their type first, too", async () => {
  const input = { description: "The number on its back.", type: "integer", default: 7 };
  const step = {
    stepId: "find",
    description: "Find it.",
    operationId: "getBook",
    successCriteria: [{ condition: "$statusCode == 200" }],
  };
  const inputs = { type: "object", properties: { bookId: input } };
  const document = {
    arazzo: "1.0.1",
    info: { title: "Find a book", version: "1.0.0" },
    sourceDescriptions: [{ name: "library", type: "openapi", url: "openapi.json" }],
    workflows: [{ workflowId: "find-book", summary: "Find a book", description: "Finds it.", inputs, steps: [step] }],
  };
  expect(await lint(document, config)).toEqual([
    { rule: "house/schema-order", at: "#/workflows/0/inputs/properties/bookId/description" },
  ]);
});

describe("a rule reports", () => {
  test.for(broken)("$rule: $when", async ({ rule, changes, at }) => {
    expect(await lint(changeLibrary(changes), config)).toEqual([{ rule, at: `#${at}` }]);
  });
});

describe("a rule allows", () => {
  test.for(faultless)("$rule: $when", async ({ changes }) => {
    expect(await lint(changeLibrary(changes), config)).toEqual([]);
  });
});

test("each rule that redocly.yaml sets is tested", () => {
  const content = config.document?.parsed;
  const rules = isObject(content) && isObject(content["rules"]) ? content["rules"] : {};
  // What these rules say needs several files: see files.test.ts.
  const tested = new Set([
    ...["house/unused-source", "house/group-file", "component-name-unique"],
    ...broken.map(({ rule }) => rule),
  ]);
  expect(Object.keys(rules).filter((rule) => rules[rule] !== "off" && !tested.has(rule))).toEqual([]);
});

test("no house rule fails on a malformed description", async () => {
  const houseRules = await loadConfig({ configPath: "redocly.yaml" });
  const others = Object.keys(houseRules.rules.oas3_1).filter((rule) => !rule.startsWith("house/"));
  houseRules.skipRules([...others, "assertions"]);
  const areas = groupBy(
    listPointers().filter((at) => at !== "/openapi"),
    (at) => [get, patch, "/components", "/paths"].find((area) => at.startsWith(area)),
  );
  const placesIn = (area: string | undefined) => areas.get(area) ?? [];
  // No rule compares what is in one of these areas with the other, so a document can be malformed in both.
  const places = [
    ...pairs(placesIn(get), placesIn(patch)),
    ...pairs(placesIn("/components"), placesIn(undefined)),
    ...placesIn("/paths").map((at) => [at]),
  ];
  expect(places.flat()).toHaveLength(listPointers().length - 1);
  for (const pointers of places) {
    for (const value of [null, "text", [null], { text: null }]) {
      const changes = Object.fromEntries(pointers.map((at) => [at, value]));
      await expect(lint(changeLibrary(changes), houseRules), pointers.join()).resolves.toBeDefined();
    }
  }
});

/** The elements of two lists by their positions; the longer one's last are alone. */
function pairs<T>(some: readonly T[], others: readonly T[]): readonly (readonly T[])[] {
  const [longer, shorter] = some.length < others.length ? [others, some] : [some, others];
  return longer.map((one, index) => [one, ...shorter.slice(index, index + 1)]);
}

/** A phrase that bundles get anyway. */
function derived(phrase: string, at: string, rule: string) {
  return [
    {
      rule,
      when: `"${phrase}" is named at ${at}`,
      changes: { [`${at}/x-unspecified`]: [phrase] },
      at: `${at}/x-unspecified/0`,
    },
  ];
}

/** A property whose schema contradicts itself in a keyword. */
function contradiction(when: string, schema: object, keyword: string) {
  return { rule: "house/schema-values", when, changes: { [pages]: schema }, at: `${pages}/${keyword}` };
}

/** Adds the phrase as the only one, unless `phrases` says which there are; it is the last of them. */
function stale(aspect: string, when: string, at: string, changes: Changes = {}, phrases: readonly string[] = [aspect]) {
  return {
    rule: "house/unspecified",
    when: `"${aspect}" is named though ${when}`,
    changes: { ...changes, [`${at}/x-unspecified`]: phrases },
    at: `${at}/x-unspecified/${phrases.length - 1}`,
  };
}

async function lint(document: unknown, rules: Config) {
  const source = JSON.stringify(document);
  const problems = await lintFromString({ source, absoluteRef: "/library/openapi.json", config: rules });
  return problems.map(({ ruleId, location }) => ({ rule: ruleId, at: location[0]?.pointer }));
}

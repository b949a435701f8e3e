import type { OpenApiDocument } from "../../scripts/spec/openapi.ts";

/** HTML that must not do anything on a page, and Markdown that must be kept. */
const dangerous = `First *paragraph* of many.

<style>body { display: none }</style><script>alert(1)</script>
<iframe src="https://frames.example/"></iframe>
<form action="https://forms.example/"><input name="password"><button>Send</button></form>
<meta http-equiv="refresh" content="0; url=https://refresh.example/">
<base href="https://base.example/"><link rel="stylesheet" href="https://styles.example/x.css">
<img src="https://pictures.example/logo.png" alt="A logo" onerror="alert(1)">
<a href="javascript:alert(1)" onclick="alert(1)">Run</a> <b style="position: fixed" id="content" class="skip">Bold</b>
<svg onload="alert(1)"></svg><object data="https://objects.example/"></object>

[Heading](#long-lists) [Operation](#operation/getTree)

## Long lists

![Another](http://pictures.example/another.png) [Kept](https://kept.example/) [Not kept](javascript:alert(2))

| A | B |
| - | - |
| 1 | 2 |

</main></body></html>
`;

/** A description that has what ours has not: recursion, webhooks, several tags, display names and remote things. */
export const oddContract: OpenApiDocument = {
  openapi: "3.1.1",
  info: {
    title: "Odd </title><script>alert(1)</script>",
    version: "1",
    description: dangerous,
    ...{ "x-logo": { url: "https://logos.example/logo.png" } },
    ...{ "x-unspecified": ["what <b>all</b> of it is for"] },
  },
  servers: [{ url: "https://live.example/base/" }],
  tags: [
    { name: "trees", description: dangerous, ...{ "x-displayName": "Trees & <i>bushes</i>" } },
    { name: "Old" },
    { name: "日程", description: "# Größe und 日程\n\n[There](#Größe-und-日程)" },
    { name: "schemas", description: "Named like a folder of the site." },
    { name: "Empty", description: "Has nothing.", ...{ "x-unspecified": ["operations"] } },
  ],
  paths: {
    "/trees/{id}": {
      servers: [{ url: "https://trees.example" }],
      parameters: [
        { name: "id", in: "path", required: true, description: dangerous, schema: { type: "integer" }, example: 1 },
        // Half of a character, which no URL can have.
        { name: "half", in: "query", schema: { type: "string" }, example: "a\ud83cb" },
      ],
      get: {
        operationId: "getTree",
        summary: "Get a <u>tree</u>",
        description: dangerous,
        tags: ["trees", "Old", "日程"],
        deprecated: true,
        security: [{ oauth: ["read"] }, {}],
        responses: {
          "200": {
            description: dangerous,
            headers: { "X-Left": { schema: { type: "integer" }, description: "What is left." } },
            content: {
              "application/json": {
                schema: { $ref: "#/components/schemas/Node" },
                example: { value: 1, text: "</code></pre><script>alert(1)</script>" },
              },
              "text/plain": { schema: { type: "string", ...{ "x-unspecified": ["format"] } } },
            },
          },
        },
      },
    },
    "/without/anything": {
      post: {
        requestBody: {
          content: {
            "multipart/form-data": {
              schema: { type: "object", required: [], properties: { photo: { ...{ contentMediaType: "image/*" } } } },
              encoding: { photo: { contentType: "image/png", style: "form", explode: true, allowReserved: false } },
            },
          },
        },
        responses: { "200": { description: "Packed.", content: { "application/zip": {} } } },
      },
    },
  },
  webhooks: {
    "tree.felled": {
      post: {
        operationId: "treeFelled",
        summary: "A tree was felled",
        tags: ["trees"],
        security: [{ session: [] }],
        responses: { "204": { description: "Received." } },
      },
    },
    "tree.grown": {
      post: {
        summary: "A tree has grown",
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Grown" } } } },
        responses: { "204": { description: "Received." } },
      },
    },
  },
  components: {
    securitySchemes: {
      oauth: {
        type: "oauth2",
        description: dangerous,
        flows: { clientCredentials: { tokenUrl: "https://tokens.example/", scopes: { read: "To read." } } },
      },
      session: { type: "apiKey", in: "cookie", name: "sid" },
      mutual: { type: "mutualTLS" },
    },
    schemas: {
      Node: {
        type: "object",
        description: dangerous,
        required: ["value"],
        properties: {
          value: { type: "integer", ...{ "x-unspecified": ["unit"] } },
          text: { type: "string" },
          children: { type: "array", items: { $ref: "#/components/schemas/Node" } },
          parent: { anyOf: [{ $ref: "#/components/schemas/Node" }, { type: "null" }] },
          kind: { allOf: [{ $ref: "#/components/schemas/Kind" }], description: "Which kind." },
          size: { anyOf: [{ type: "number", ...{ "x-unspecified": ["maximum"] } }, { type: "null" }] },
        },
        examples: [{ value: 2 }],
      },
      Readings: {
        type: "object",
        properties: {
          untitled: { anyOf: [{ properties: { a: { type: "string" } } }, { properties: { b: { type: "string" } } }] },
          titled: {
            oneOf: [
              { $ref: "#/components/schemas/Node", ...{ title: "By node" } },
              { $ref: "#/components/schemas/Grown" },
            ],
          },
          closed: { additionalProperties: false },
          nested: { $ref: "#/components/schemas/Nested" },
        },
      },
      Nested: { type: "array", items: { $ref: "#/components/schemas/Nested" } },
      Kind: { type: "string", ...{ "x-extensible-enum": ["oak"], "x-unspecified": ["further values"] } },
      Grown: {
        type: "object",
        deprecated: true,
        properties: {
          by: { type: "number", ...{ "x-unspecified": ["unit"] } },
          ...{ "left over": { type: "string" }, "left-over": { type: "string" } },
        },
        oneOf: [
          { properties: { at: { type: "string" } } },
          { oneOf: [{ properties: { at: { type: "number" } } }, { properties: { at: { type: "null" } } }] },
          { allOf: [{ properties: { at: { type: "string" } } }, { properties: { at: { minLength: 1 } } }] },
        ],
      },
    },
  },
};

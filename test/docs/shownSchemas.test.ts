import { describe, expect, it } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { renderSite } from "../../scripts/docs/site/renderSite.ts";
import type { OpenApiDocument, OperationObject, SchemaObject } from "../../scripts/spec/openapi.ts";
import { readPageText, type PageText } from "./pageText.ts";

const json = (schema: SchemaObject) => ({ "application/json": { schema } });

/** The pages of a description, by the operation's path in the site. A mock beside them saves bundling one for them. */
async function renderPages(document: Partial<OpenApiDocument>): Promise<ReadonlyMap<string, PageText>> {
  const generation = readGeneration("v1", { openapi: "3.1.1", info: { title: "T", version: "1" }, ...document });
  const files = await Array.fromAsync(renderSite({ generations: [generation], mockUrl: "http://mock.example" }));
  const pages = files.filter(({ path }) => /(?:^|\/)index\.html$/.test(path));
  return new Map(pages.map(({ path, content }) => [path.replace(/index\.html$/, ""), readPageText(content)]));
}

/** What the pages of requests with these schemas say of their fields, by name. */
async function fieldsOf(
  bodies: Readonly<Record<string, SchemaObject>>,
  schemas: Readonly<Record<string, SchemaObject>> = {},
): Promise<Readonly<Record<string, readonly string[]>>> {
  const operation = (schema: SchemaObject): OperationObject => ({
    requestBody: { required: true, content: json(schema) },
    responses: { "204": { description: "Done" } },
  });
  const paths = Object.fromEntries(
    Object.entries(bodies).map(([name, schema]) => [`/${name}`, { post: operation(schema) }]),
  );
  const pages = await renderPages({ paths, components: { schemas } });
  const linesOf = (name: string) => {
    const phrases = pages.get(`v1/other/post-${name}/`)?.phrases ?? [];
    return phrases.slice(phrases.indexOf("application/json") + 1, phrases.indexOf("Examples"));
  };
  return Object.fromEntries(Object.keys(bodies).map((name) => [name, linesOf(name)]));
}

describe("the page of an operation", () => {
  it("shows objects that are combined as one", async () => {
    const base = { $ref: "#/components/schemas/Base" };
    const shown = await fieldsOf(
      {
        beside: { allOf: [base], required: ["note"] },
        branch: { allOf: [base, { required: ["note"] }] },
        repeated: { allOf: [base, { type: "object", properties: { note: { description: "Better.", maxLength: 9 } } }] },
        diamond: { allOf: [{ $ref: "#/components/schemas/B" }, { $ref: "#/components/schemas/C" }] },
        siblings: { type: "object", properties: { n: { $ref: "#/components/schemas/Name", description: "Whose?" } } },
        nullable: { properties: { n: { anyOf: [{ $ref: "#/components/schemas/Name" }, { type: "null" }] } } },
        closed: {
          allOf: [base, { type: "object", properties: { id: { pattern: "b$" } }, additionalProperties: false }],
        },
      },
      {
        Base: {
          type: "object",
          properties: {
            id: { type: "string", pattern: "^a" },
            note: { type: "string", minLength: 2, description: "Base." },
          },
        },
        Name: { type: "string", description: "A name.", maxLength: 5, pattern: "^A" },
        A: { type: "object", required: ["a"], properties: { a: { type: "string" } } },
        B: { allOf: [{ $ref: "#/components/schemas/A" }, { type: "object", properties: { b: { type: "string" } } }] },
        C: { allOf: [{ $ref: "#/components/schemas/A" }, { type: "object", properties: { c: { type: "string" } } }] },
      },
    );
    const required = [
      ...["Base", "id string · optional · matches ^a"],
      ...["note string · required · at least 2 characters", "Base."],
    ];
    expect(shown).toEqual({
      beside: required,
      branch: required,
      repeated: [
        ...["Base and object", "id string · matches ^a"],
        ...["note string · at least 2 characters · at most 9 characters", "Better."],
      ],
      diamond: ["B and C", "a string · required", "b string · optional", "c string · optional"],
      siblings: ["object", "n string (Name) · at most 5 characters · matches ^A", "Whose?"],
      nullable: ["object", "n string (Name) or null · at most 5 characters · matches ^A", "A name."],
      closed: ["Base and object · no other fields", "id string · matches b$ · matches ^a"],
    });
  });

  it("tells the alternatives of a discriminator apart by their values", async () => {
    const payment = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const kind: SchemaObject = { type: "string", enum: ["card", "sepa", "cash"] };
    const shown = await fieldsOf(
      {
        pay: {
          oneOf: [payment("Card"), payment("Bank")],
          discriminator: {
            propertyName: "kind",
            mapping: { card: "#/components/schemas/Card", sepa: "#/components/schemas/Bank", iban: "Bank" },
          },
        },
      },
      {
        Card: { type: "object", required: ["kind"], properties: { kind, number: { type: "string" } } },
        Bank: { type: "object", required: ["kind"], properties: { kind: { type: "string" } } },
      },
    );
    expect(shown["pay"]).toEqual([
      ...["2 alternatives · kind tells which alternative it is", "Card", "Card · kind is card"],
      ...["kind string · required", "One of: card", "number string · optional"],
      ...["Bank", "Bank · kind is sepa or iban", "kind string · required", "One of: sepa iban"],
    ]);
  });

  it("shows each limit at its place", async () => {
    const shown = await fieldsOf({
      limits: {
        type: "object",
        ...{ required: ["n", "unlisted"], minProperties: 1, maxProperties: 3 },
        properties: {
          n: { type: "number", multipleOf: 0.5, exclusiveMinimum: 1, exclusiveMaximum: 9 },
          list: { type: "array", uniqueItems: true, minItems: 1, items: { type: "string", pattern: "^x" } },
          one: { const: "a" },
          map: { type: "object", additionalProperties: { minLength: 2 } },
          text: {
            oneOf: [
              { type: "string", maxLength: 3 },
              { type: "integer", minimum: 7 },
            ],
          },
          combined: { allOf: [{ type: "integer", minimum: 1 }, { minimum: 3, multipleOf: 2 }, { multipleOf: 3 }] },
          values: { allOf: [{ enum: ["a", "b"] }, { enum: ["b", "c"] }] },
          constants: { allOf: [{ type: "string" }, { const: "a" }] },
        },
      },
      alternatives: { type: "object", anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    });
    expect(shown).toEqual({
      limits: [
        "object · at least 1 field · at most 3 fields",
        "n number · required · more than 1 · less than 9 · a multiple of 0.5",
        "list array of string · optional · at least 1 item · no item twice",
        "[] string · matches ^x",
        'one "a" · optional',
        "map object · optional",
        "<key> any type · at least 2 characters",
        "text string or integer · optional",
        ...["string · at most 3 characters", "integer · at least 7"],
        "combined integer · optional · at least 3 · a multiple of 3 · a multiple of 2",
        ...["values any type · optional", "One of: b"],
        'constants string and "a" · optional',
        "unlisted any type · required",
      ],
      alternatives: [
        ...["object", "Alternative 1", "any type", "a any type · required"],
        ...["Alternative 2", "any type", "b any type · required"],
      ],
    });
  });

  it("shows closely linked schemas level by level", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `S${index}`);
    const linked = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/schemas/${name}` }]));
    const schemas = Object.fromEntries(names.map((name) => [name, { type: "object" as const, properties: linked }]));
    const { whole = [] } = await fieldsOf({ whole: { $ref: "#/components/schemas/S0" } }, schemas);
    const cut = whole.filter((line) => line === "For its contents, see the page of its schema.");
    // All twelve of the first level, and all of the second.
    expect(whole.filter((line) => /^S\d+ S\d+$/.test(line))).toHaveLength(12 + 11 * 12);
    expect(cut).toHaveLength(1 + 11 * 12);
  });

  it("shows the examples that are not beside its samples at their places", async () => {
    const text: SchemaObject = { type: "string" };
    const long = "long ".repeat(20);
    const pages = await renderPages({
      paths: {
        "/orders/{id}": {
          get: {
            operationId: "getOrder",
            parameters: [
              {
                ...{ name: "id", in: "path", required: true, schema: text },
                examples: { short: { summary: "A short id", value: "A1" }, long: { value: "A1-B" } },
              },
              { name: "at", in: "query", example: "noon", schema: text },
            ],
            responses: {
              "200": {
                description: "The order",
                headers: { Rest: { schema: { type: "integer" }, example: 7 } },
                content: {
                  "text/csv": { schema: text, example: "a,b" },
                  "application/json": {
                    schema: {
                      type: "object",
                      properties: {
                        status: { ...text, example: "PAID" },
                        tags: { type: "array", items: { ...text, examples: ["new"] } },
                        note: { ...text, example: long },
                        kind: { ...text, enum: ["a", "b"], example: "a" },
                      },
                    },
                    example: { status: "beside the sample" },
                  },
                },
              },
              "404": {
                description: "None",
                content: {
                  "application/json": {
                    schema: { type: "object" },
                    examples: {
                      gone: { summary: "Deleted", description: "Once there.", value: { code: "GONE" } },
                      file: { summary: "Elsewhere", externalValue: "https://files.example/none.json" },
                    },
                  },
                },
              },
            },
          },
        },
      },
    });
    const { phrases = [] } = pages.get("v1/other/get-order/") ?? {};
    expect(phrases).toEqual(
      expect.arrayContaining([
        ...[
          "id string · required · example (A short id) A1 · example (long) A1-B",
          "at string · optional · example noon",
        ],
        ...["Rest integer · may be absent · example 7", "status string · may be absent · example PAID"],
        ...["[] string · example new", long.trim(), "kind string · may be absent", "a,b"],
        ...["Example: Deleted", "Once there.", '{ "code": "GONE" }'],
        ...["Example: Elsewhere", "https://files.example/none.json"],
      ]),
    );
    expect(phrases.filter((phrase) => phrase.includes("beside the sample"))).toHaveLength(1);
  });
});

describe("the pages of a description", () => {
  it("show its servers, contact and terms, and begin below the first heading", async () => {
    const pages = await renderPages({
      info: {
        ...{ title: "Shop", version: "1", termsOfService: "https://shop.example/terms" },
        description: "# Introduction\n\nSells ![things](things.png).",
        contact: { name: "Team", url: "https://shop.example/help", email: "help@shop.example" },
        license: { name: "Apache 2.0", url: "javascript:alert(1)" },
      },
      servers: [
        {
          ...{ url: "https://{region}.shop.example", description: "Production" },
          variables: { region: { default: "eu", description: "Where the data is" } },
        },
      ],
      paths: {},
    });
    const { phrases = [] } = pages.get("v1/") ?? {};
    expect(phrases).toEqual(
      expect.arrayContaining([
        ...["https://{region}.shop.example: Production", "region: eu by default: Where the data is"],
        ...["Contact: Team, help@shop.example", "License: Apache 2.0", "Terms of service: https://shop.example/terms"],
      ]),
    );
    expect(pages.get("")?.paragraphs).toContain("Sells things.");
  });

  it("write line separators in samples as escapes", async () => {
    const content = { "application/json": { schema: {}, example: { t: "one\u2028two" } } };
    const requestBody = { required: true, content };
    const operation: OperationObject = { requestBody, responses: { "204": { description: "Done" } } };
    const generation = readGeneration("v1", { openapi: "3.1.1", paths: { "/t": { post: operation } } });
    const files = await Array.fromAsync(
      renderSite({ generations: [generation], packageName: "shop", mockUrl: "http://mock.example" }),
    );
    const page = files.find(({ path }) => path === "v1/other/post-t/index.html")?.content ?? "";
    expect(page.match(/one\\u2028two/g)).toHaveLength(4);
    expect(page).not.toContain("one\u2028two");
  });

  it("tell two versions of the same title apart", async () => {
    const versions = ["1.2", "2.0"].map((version) =>
      readGeneration(`v${version}`, { openapi: "3.1.1", info: { title: "Shop", version }, paths: {} }),
    );
    const files = await Array.fromAsync(renderSite({ generations: versions, mockUrl: "http://mock.example" }));
    const titles = files.flatMap(({ content }) => /<h1[^>]*>(Shop[^<]*)</.exec(content)?.[1] ?? []);
    expect(titles).toEqual(expect.arrayContaining(["Shop 1.2", "Shop 2.0"]));
  });

  it("fold a long list of values, and say where digits may be lost", async () => {
    const large = 9_007_199_254_740_992;
    const shown = await fieldsOf({
      values: {
        type: "object",
        properties: {
          code: { type: "string", enum: Array.from({ length: 60 }, (_, index) => `C${index}`) },
          id: { type: "integer", maximum: large, default: large, example: large },
        },
      },
    });
    expect(shown["values"]).toEqual([
      ...["object", "code string"],
      ...[Array.from({ length: 60 }, (_, index) => `C${index}`).join(" ")],
      `id integer · at most about ${large} · default (may be rounded) ${large} · example (may be rounded) ${large}`,
    ]);
  });
});

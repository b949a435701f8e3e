import { getTypes } from "@redocly/openapi-core";
import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { jsonContent, readGeneration, successResponses } from "../../scripts/contract/generation.ts";
import { fileSchemas } from "../../scripts/spec/binary.ts";
import { essenceOf, isForm } from "../../scripts/spec/mediaTypes.ts";
import { isDocument, resolveSchema, type OpenApiDocument } from "../../scripts/spec/openapi.ts";
import { isObject, membersOf } from "../../scripts/values/json.ts";
import { uncheckedKeywords } from "../../scripts/spec/schemaKeywords.ts";
import { generateSchemas } from "../../scripts/pipeline/schemasModule.ts";
import { bundle, gzippedSize } from "../package/bundle.ts";
import { valuesAround } from "./schemaValues.ts";
import { contracts, kindsName } from "../fixtures/contracts.ts";

type Accepts = (value: unknown) => boolean;

const generations = await readBuiltGenerations();

/** The schemas in a module, by their names. */
async function loadSchemas(file: string): Promise<ReadonlyMap<string, StandardSchemaV1>> {
  const module: unknown = await import(pathToFileURL(file).href);
  const members = Object.entries(isObject(module) ? module : {});
  return new Map(members.flatMap(([name, value]) => (isSchema(value) ? [[name, value] as const] : [])));
}

function isSchema(value: unknown): value is StandardSchemaV1 {
  return isObject(value) && "~standard" in value;
}

type ToJsonSchema = (schema: StandardSchemaV1, target: string) => Record<string, unknown>;

/** What a module makes JSON Schemas with. */
async function loadToJsonSchema(file: string): Promise<ToJsonSchema> {
  const module: unknown = await import(pathToFileURL(file).href);
  const add = isObject(module) ? module["withJsonSchema"] : undefined;
  if (typeof add !== "function") throw new Error(`${file} has no withJsonSchema`);
  return (schema, target) => {
    const described: unknown = Reflect.apply(add, undefined, [schema]);
    if (!isStandardJsonSchema(described)) throw new Error("withJsonSchema adds nothing");
    const { input, output } = described["~standard"].jsonSchema;
    expect(output({ target })).toEqual(input({ target }));
    return input({ target });
  };
}

function isStandardJsonSchema(value: unknown): value is StandardJSONSchemaV1 {
  return isSchema(value) && "jsonSchema" in value["~standard"];
}

const annotating = { allowUnionTypes: true, validateFormats: false, ownProperties: true };
// For all schemas, which have no ids: each ajv compiles the schema of its draft.
const drafts = [true, false].flatMap((strict) => [
  { strict, target: "draft-2020-12", ajv: new Ajv2020({ ...annotating, strict }) },
  { strict, target: "draft-07", ajv: new Ajv({ ...annotating, strict }) },
]);

/** What ajv says of a schema by its JSON Schemas of both drafts, which it compiles in strict mode unless told otherwise. */
function acceptsByJsonSchema(toJsonSchema: ToJsonSchema, schema: StandardSchemaV1, strict = true): Accepts {
  const compiled = drafts
    .filter((draft) => draft.strict === strict)
    .map(({ ajv, target }) => ajv.compile(toJsonSchema(schema, target)));
  return (value) => {
    const [first = false, ...others] = compiled.map((accepts) => accepts(value));
    if (others.includes(!first)) throw new Error(`the drafts do not say the same of ${JSON.stringify(value)}`);
    return first;
  };
}

function acceptsOf(schema: StandardSchemaV1): Accepts {
  return (value) => {
    const result = schema["~standard"].validate(value);
    if (result instanceof Promise) throw new Error("schemas validate at once");
    return result.issues === undefined && result.value === value;
  };
}

/** What ajv says, to which formats are the annotations that they are in JSON Schema 2020-12. */
function ajvOf(document: OpenApiDocument): (schema: unknown) => Accepts {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, ownProperties: true });
  ajv.addSchema(document, "bundle");
  return (schema) => {
    const text = JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"bundle#');
    const resolved: unknown = JSON.parse(text);
    return ajv.compile(isObject(resolved) ? resolved : resolved === true);
  };
}

describe.each(generations)("the schemas of $name", ({ name, document, operations, webhooks }) => {
  const bodies = [...operations, ...webhooks].flatMap((operation) => {
    const [success] = successResponses(operation);
    const contents = { Request: operation.requestBody?.content, Response: success?.content };
    return Object.entries(contents).flatMap(([part, content]) => {
      const form = content?.find(({ mediaType }) => isForm(essenceOf(mediaType)));
      const { schema } = jsonContent(content) ?? form ?? {};
      return schema === undefined ? [] : [[`${operation.operationId ?? ""}${part}`, schema] as const];
    });
  });
  const described = new Map([...Object.entries(document.components?.schemas ?? {}), ...bodies]);

  /** Files are none of JSON's values. */
  const isWithoutFiles = (schema: unknown) =>
    !isObject(schema) || fileSchemas(document, resolveSchema(document, schema)).size === 0;

  it("are there for every component, and for the JSON or the form of every request and success", async () => {
    const schemas = await loadSchemas(`generated/${name}/schemas.ts`);
    expect([...schemas.keys()].sort()).toEqual([...described.keys()].sort());
  });

  it("agree with ajv on more than 10,000 valid and invalid values", async () => {
    const schemas = await loadSchemas(`generated/${name}/schemas.ts`);
    const toJsonSchema = await loadToJsonSchema(`generated/${name}/schemas.ts`);
    const ajv = ajvOf(document);
    const counts = { valid: 0, invalid: 0 };
    const runs = Math.ceil(10_000 / [...described.values()].filter(isWithoutFiles).length);
    for (const [key, schema] of schemas) {
      if (!isWithoutFiles(described.get(key))) continue;
      const accepts = acceptsOf(schema);
      const expected = ajv(described.get(key) ?? {});
      const acceptsJson = acceptsByJsonSchema(toJsonSchema, schema);
      for (const value of fc.sample(valuesAround(described.get(key), document), { numRuns: runs, seed: 11 })) {
        const isValid = expected(value);
        counts[isValid ? "valid" : "invalid"] += 1;
        if (accepts(value) !== isValid) expect.fail(`${key}: ajv says ${String(isValid)} of ${JSON.stringify(value)}`);
        if (acceptsJson(value) !== isValid)
          expect.fail(`${key}: its JSON Schema does not say ${JSON.stringify(value)}`);
      }
    }
    expect(counts.valid + counts.invalid).toBeGreaterThanOrEqual(10_000);
    expect(Math.min(counts.valid, counts.invalid)).toBeGreaterThan(1_000);
  });
});

/** Each keyword of JSON Schema 2020-12, by itself and where it depends on others. */
const keywords: readonly unknown[] = [
  true,
  false,
  ...["string", "integer", "number", "boolean", "null", "object", "array"].map((type) => ({ type })),
  { type: ["integer", "string", "null"] },
  { const: { a: [1, { b: null }] } },
  { const: null },
  { enum: ["a", 1, null] },
  { enum: [[1], { a: 1, b: 2 }, "a"] },
  { type: "string", enum: ["a", 1] },
  { type: "integer", const: 1.5 },
  { minimum: 1, maximum: 3 },
  { exclusiveMinimum: 1, exclusiveMaximum: 3 },
  { multipleOf: 0.5 },
  { minLength: 2, maxLength: 3 },
  { pattern: "^a/\\p{L}?$" },
  { pattern: "^(?:a+/?)+$" },
  { format: "email" },
  { items: { type: "integer" }, minItems: 1, maxItems: 2 },
  { uniqueItems: true },
  { required: ["a", "isPrototypeOf"] },
  { properties: { a: { type: "integer" }, b: false } },
  { type: "object", properties: { a: { type: "integer" } }, required: ["a"], additionalProperties: false },
  { properties: { a: true }, additionalProperties: { type: "integer" } },
  { properties: { ["__proto__"]: true }, required: ["__proto__"] },
  { minProperties: 1, maxProperties: 1 },
  { allOf: [{ type: "object" }, { required: ["a"] }] },
  { anyOf: [{ type: "integer" }, { type: "number", minimum: 2 }] },
  { oneOf: [{ type: "integer" }, { type: "number", minimum: 2 }] },
  { not: { type: "object" } },
  { $ref: "#/components/schemas/Tree" },
  { $ref: "#/components/schemas/Tree", required: ["b"], type: "object" },
  { $ref: "#/components/schemas/Tree/$defs/a~1b%20c" },
];

const tree = {
  type: "object",
  properties: {
    children: { type: "array", items: { $ref: "#/components/schemas/Tree" } },
    a: { $ref: "#/components/schemas/Tree/$defs/a~1b%20c" },
  },
  $defs: { "a/b c": { type: ["integer", "null"] } },
};

const values: readonly unknown[] = [
  ...[null, true, false, 0, -0, 1, 1.5, 2, 2.5, 3, 4, -1],
  ...["", "a", "a/", "a/é", "a/1", "ab", "😀", "😀😀", "😀😀😀😀", "-", "1", "isPrototypeOf"],
  ...[
    [],
    [1],
    ["a"],
    ["a", 1],
    ["a", 1, 2],
    [1, 2],
    [1, 1, 1, 1],
    [null],
    [[1], [1]],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    ["1", 1],
    // One item, which is not there.
    new Array<unknown>(1),
  ],
  ...[
    {},
    { a: 1 },
    { a: "a" },
    { a: null },
    { a: [1, { b: null }] },
    { b: 2, a: 1 },
    { a: 1, b: 1 },
    { b: 1 },
    { c: 1 },
  ],
  ...[
    { c: 1, d: 1 },
    { ab: 1 },
    { ab: 3 },
    { ab: "a" },
    { isPrototypeOf: 1, a: 1 },
    { ["__proto__"]: 1 },
    { ["__proto__"]: "a" },
  ],
  ...[{ children: [{ children: [] }] }, { children: [{ children: [1] }] }, { a: {} }],
];

describe("the schemas of another contract", () => {
  const schemas = Object.fromEntries(keywords.map((schema, index) => [`Schema${index}`, schema]));
  const document: unknown = { openapi: "3.1.1", paths: {}, components: { schemas: { Tree: tree, ...schemas } } };

  it("agree with ajv on every keyword", async () => {
    if (!isDocument(document)) throw new Error("not a document");
    await using generated = await generate(document);
    const { file } = generated;
    const toJsonSchema = await loadToJsonSchema(file);
    const ajv = ajvOf(document);
    const disagreements: string[] = [];
    for (const [name, schema] of await loadSchemas(file)) {
      const described: unknown = name === "Tree" ? tree : schemas[name];
      const [accepts, expected] = [acceptsOf(schema), ajv(described)];
      const acceptsJson = acceptsByJsonSchema(toJsonSchema, schema, false);
      for (const value of values) {
        // In JSON, there is something or `null` at each place of an array.
        const json: unknown = JSON.parse(JSON.stringify(value));
        if (accepts(value) !== expected(value) || accepts(json) !== acceptsJson(json))
          disagreements.push(`${JSON.stringify(described)}: ${JSON.stringify(value)}`);
      }
    }
    expect(disagreements).toEqual([]);
  });

  it("hold a value against each alternative once, however deep it is", async () => {
    const node = { $ref: "#/components/schemas/Node" };
    const inner = { type: "object", properties: { inner: node }, required: ["inner"] };
    const components = { schemas: { Node: { oneOf: [{ type: "null" }, inner] } } };
    await using generated = await generate({ openapi: "3.1.1", paths: {}, components });
    const schema = (await loadSchemas(generated.file)).get("Node");
    for (const end of [null, "wrong"]) {
      let reads = 0;
      let value: object = {
        get inner() {
          reads += 1;
          return end;
        },
      };
      for (let level = 0; level < 8; level += 1) value = { inner: value };
      const result = await schema?.["~standard"].validate(value);
      expect([result?.issues === undefined, reads]).toEqual([end === null, 1]);
    }
  });

  it("leave out components with patterns for which JavaScript may take long", async () => {
    const components = {
      schemas: { Slow: { pattern: "^(a+)+$" }, User: { items: { $ref: "#/components/schemas/Slow" } } },
    };
    await using generated = await generate({ openapi: "3.1.1", paths: {}, components });
    expect([...(await loadSchemas(generated.file)).keys()]).toEqual(["User"]);
  });

  it("are compared for every keyword that lint accepts and that changes what is valid", () => {
    const annotations = [
      ...["title", "description", "default", "example", "examples", "deprecated", "readOnly", "writeOnly", "format"],
      ...["contentMediaType", "contentEncoding", "contentSchema", "discriminator", "xml", "externalDocs", "x-tags"],
      ...["$schema", "$id", "$vocabulary", "$anchor", "$dynamicAnchor", "$comment", "$defs", "definitions"],
      ...["id", "summary"],
      // Without `if` and `contains`, they say nothing.
      ...["then", "else", "minContains", "maxContains"],
    ];
    const known = Object.keys(getTypes("oas3_1")["Schema"]?.properties ?? {});
    const used = keywords.flatMap((schema) => membersOf(schema).map(([keyword]) => keyword));
    const compared = new Set<string>([...annotations, ...uncheckedKeywords, ...used]);
    expect(known).toContain("uniqueItems");
    expect(known.filter((keyword) => !compared.has(keyword))).toEqual([]);
  });

  it("leave out a schema with a keyword that they cannot check, and take any value where it is referred to", () => {
    const unevaluated: unknown = {
      Odd: { properties: { a: { unevaluatedItems: false } } },
      Even: { type: "array", items: { $ref: "#/components/schemas/Odd" } },
      Named: { properties: { unevaluatedItems: { type: "string" } } },
    };
    const odd: unknown = { openapi: "3.1.1", paths: {}, components: { schemas: unevaluated } };
    if (!isDocument(odd)) throw new Error("not a document");
    const text = generateSchemas(readGeneration("odd", odd));
    expect(text.match(/^export const \w+/gm)).toEqual([
      "export const Even",
      "export const Named",
      "export const schemas",
      "export const withJsonSchema",
    ]);
    expect(text).toMatch(/const Even: .* s\.type\("array"\)/);
  });

  it("have JSON Schemas under the same names, without OpenAPI's keywords", async () => {
    const about = {
      ...{ title: "About", example: {}, externalDocs: { url: "https://x.example" }, xml: { name: "about" }, "x-a": [] },
      ...{ $id: "https://x.example/about", $anchor: "about", $comment: "said", discriminator: { propertyName: "id" } },
      type: "object",
      properties: {
        id: { type: "string", readOnly: true },
        "x-a": true,
        xml: false,
        other: { $ref: "#/components/schemas/Odd" },
        plain: { $ref: "#/components/schemas/Plain", description: "Beside a reference." },
      },
      required: ["id"],
    };
    const content = { "application/json": { schema: { $ref: "#/components/schemas/About" } } };
    const responses = { 200: { description: "", content }, 204: { description: "" } };
    await using generated = await generate({
      openapi: "3.1.1",
      paths: {
        "/about": {
          get: { operationId: "get", responses },
          put: { operationId: "put", responses: { 200: responses[200] } },
        },
      },
      components: {
        schemas: {
          About: about,
          Plain: { type: "null" },
          Odd: { prefixItems: [false] },
          Alias: { $ref: "#/components/schemas/About" },
        },
      },
    });
    const schemas = await loadSchemas(generated.file);
    const toJsonSchema = await loadToJsonSchema(generated.file);
    const jsonOf = (name: string, target = "draft-2020-12") => {
      const schema = schemas.get(name);
      return schema && toJsonSchema(schema, target);
    };
    const expected = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      ...{ title: "About", type: "object", required: ["id"] },
      properties: {
        ...{ id: { type: "string", readOnly: true }, "x-a": true, xml: false, other: {} },
        plain: { description: "Beside a reference.", allOf: [{ $ref: "#/$defs/Plain" }] },
      },
      $defs: { Plain: { type: "null" } },
    };
    expect(jsonOf("About")).toEqual(expected);
    expect(jsonOf("Alias")).toEqual(expected);
    expect(jsonOf("putResponse", "draft-07")).toEqual({
      ...expected,
      $schema: "http://json-schema.org/draft-07/schema#",
    });
    // No JSON stands for a body that is not there.
    expect(jsonOf("getResponse")).toMatchObject({ anyOf: [{ $ref: "#/$defs/About" }, false], $defs: { About: {} } });
    expect(() => jsonOf("About", "openapi-3.0")).toThrow(
      "the target of a JSON Schema must be draft-2020-12 or draft-07, not openapi-3.0",
    );
  });

  it("have JSON Schemas that are the caller's own, of their own module alone", async () => {
    const [v1, v2] = ["generated/v1/schemas.ts", "generated/v2/schemas.ts"] as const;
    const toJsonSchema = await loadToJsonSchema(v2);
    const [team, booking] = [(await loadSchemas(v2)).get("Team"), (await loadSchemas(v1)).get("Booking")];
    if (!team || !booking) throw new Error("the contract has no such schemas");
    const first = toJsonSchema(team, "draft-07");
    Object.assign(Object(first["properties"]), { name: false });
    expect(toJsonSchema(team, "draft-07")).toMatchObject({ properties: { name: { type: "string" } } });
    expect(() => toJsonSchema(booking, "draft-07")).toThrow(
      "withJsonSchema takes schemas of the module that it is from",
    );
  });
});

it.each([
  ["#/components/schemas/Missing", 'Thing: the reference "#/components/schemas/Missing" leads nowhere'],
  [
    "#node",
    'Thing: the reference "#node" leads nowhere: write a JSON Pointer to a schema, such as "#/components/schemas/Name"',
  ],
  ["https://x.example/a.json", 'Thing: the reference "https://x.example/a.json" leads nowhere'],
])("a reference that cannot be followed is an error: %s", ($ref, message) => {
  const document: unknown = { openapi: "3.1.1", paths: {}, components: { schemas: { Thing: { items: { $ref } } } } };
  if (!isDocument(document)) throw new Error("not a document");
  expect(() => generateSchemas(readGeneration("odd", document))).toThrow(message);
});

describe("a bundle", () => {
  it.each(["createRoomResponse", "PlanList", "updateRoomRequest"])("has one schema in 1.05 kB: %s", async (name) => {
    // A contract that stays as it is: how large a schema is depends on what it says.
    await using generated = await generate(contracts.find((one) => one.name === kindsName)?.document);
    const entry = join(generated.path, "entry.ts");
    await writeFile(entry, `export { ${name} } from "./schemas.ts";`);
    expect(gzippedSize(await bundle(entry))).toBeLessThanOrEqual(1_050);
  });

  it("has no schema in a client that does not validate", async () => {
    await using folder = await createFolder();
    const entry = join(folder.path, "entry.ts");
    await writeFile(entry, `export { createClient } from ${JSON.stringify(resolve("generated/v2/client.ts"))};`);
    expect(await bundle(entry)).not.toMatch(/~standard|breaks the contract/);
  });
});

/** Writes the module of a document's schemas. */
async function generate(document: unknown) {
  if (!isDocument(document)) throw new Error("not a document");
  const folder = await createFolder();
  const file = join(folder.path, "schemas.ts");
  const text = generateSchemas(readGeneration("another", document));
  await writeFile(file, text.replaceAll("../../scripts", resolve("scripts")));
  return { ...folder, file };
}

async function createFolder() {
  const path = await mkdtemp(join(tmpdir(), "schemas-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

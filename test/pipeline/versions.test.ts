import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { readBundles } from "../../scripts/contract/bundles.ts";
import { reportOf } from "../../scripts/contract/failures.ts";
import { renderSite } from "../../scripts/docs/site/renderSite.ts";
import { readHtml } from "../docs/htmlPage.ts";
import { readDescriptions } from "../../scripts/pipeline/buildGenerated.ts";
import { valueAt } from "../../scripts/values/json.ts";
import { serveHttp } from "../fixtures/serveHttp.ts";
import { copyProject, type Project } from "./project.ts";

const descriptions = resolve("test/foreign/descriptions");

/** Schemas of OpenAPI 3.0, and the same in 3.1. */
const schemas: Readonly<Record<string, readonly [written: object, read: object]>> = {
  "null beside a type": [{ type: "string", nullable: true }, { type: ["string", "null"] }],
  "no null": [{ type: "string", nullable: false }, { type: "string" }],
  "null beside values": [
    { type: "string", enum: ["a"], nullable: true },
    { type: ["string", "null"], enum: ["a", null] },
  ],
  "null among values": [{ nullable: true, enum: ["a", null] }, { enum: ["a", null] }],
  "null beside a reference": [
    { $ref: "#/components/schemas/Named", nullable: true, description: "Ignored." },
    { anyOf: [{ $ref: "#/components/schemas/Named" }, { type: "null" }] },
  ],
  "text beside a reference": [
    { $ref: "#/components/schemas/Named", description: "Ignored.", maxLength: 1 },
    { $ref: "#/components/schemas/Named" },
  ],
  "null beside parts": [
    { description: "Named.", readOnly: true, allOf: [{ $ref: "#/components/schemas/Named" }], nullable: true },
    {
      description: "Named.",
      readOnly: true,
      anyOf: [{ allOf: [{ $ref: "#/components/schemas/Named" }] }, { type: "null" }],
    },
  ],
  "null as a part": [
    { allOf: [{ $ref: "#/components/schemas/Named" }, { nullable: true }] },
    { anyOf: [{ allOf: [{ $ref: "#/components/schemas/Named" }] }, { type: "null" }] },
  ],
  "null beside alternatives": [
    { oneOf: [{ type: "string" }, { type: "number", nullable: true }], nullable: true },
    { anyOf: [{ oneOf: [{ type: "string" }, { type: ["number", "null"] }] }, { type: "null" }] },
  ],
  "null without a type": [{ properties: {}, nullable: true }, { anyOf: [{ properties: {} }, { type: "null" }] }],
  "any value": [{ description: "Any.", nullable: true }, { description: "Any." }],
  "exclusive limits": [
    { type: "number", minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true },
    { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 9 },
  ],
  "inclusive limits": [
    { type: "number", minimum: 0, exclusiveMinimum: false, exclusiveMaximum: true },
    { type: "number", minimum: 0 },
  ],
  "an example with the names of keywords": [
    { type: "object", example: { nullable: true, example: 1, $ref: "#" } },
    { type: "object", examples: [{ nullable: true, example: 1, $ref: "#" }] },
  ],
  "values with the names of keywords": [
    { default: { nullable: true }, enum: [{ nullable: true, example: 1 }] },
    { default: { nullable: true }, enum: [{ nullable: true, example: 1 }] },
  ],
  "properties with the names of keywords": [
    { properties: { nullable: { type: "string", nullable: true }, example: { example: 1 }, "x-a": { example: 2 } } },
    { properties: { nullable: { type: ["string", "null"] }, example: { examples: [1] }, "x-a": { examples: [2] } } },
  ],
  extensions: [
    { "x-a": { nullable: true, schema: { example: 1 } } },
    { "x-a": { nullable: true, schema: { example: 1 } } },
  ],
  "bytes and Base64": [
    { properties: { a: { type: "string", format: "binary" }, b: { format: "byte" }, c: { format: "base64" } } },
    {
      properties: { a: { type: "string", format: "binary" }, b: { format: "byte" }, c: { contentEncoding: "base64" } },
    },
  ],
  "keywords that 3.0 doesn't have": [
    { type: "string", const: "a", patternProperties: {}, optional: true },
    { type: "string" },
  ],
  "schemas in schemas": [
    { items: { additionalProperties: { not: { type: "string", nullable: true } } }, additionalProperties: true },
    { items: { additionalProperties: { not: { type: ["string", "null"] } } }, additionalProperties: true },
  ],
  "a discriminator": [
    { oneOf: [{ type: "object" }], discriminator: { propertyName: "type", mapping: { a: "Named" } } },
    { oneOf: [{ type: "object" }], discriminator: { propertyName: "type", mapping: { a: "Named" } } },
  ],
  "a reference into a schema that has moved": [
    { $ref: "#/components/schemas/Moved/properties/inner" },
    { $ref: "#/components/schemas/Moved/anyOf/0/properties/inner" },
  ],
};

describe("OpenAPI 3.0", () => {
  const data = { nullable: true, schema: { type: "string", nullable: true, example: 1 }, $ref: "#" };
  let folder: string;
  let read: unknown;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "versions-"));
    const properties = Object.fromEntries(Object.entries(schemas).map(([name, [written]]) => [name, written]));
    const Moved = { allOf: [{}], properties: { inner: { type: "string" } }, nullable: true };
    const components = {
      schemas: { All: { type: "object", properties }, Named: { type: "string" }, Moved },
      parameters: { schema: { name: "a", in: "query", schema: { type: "string", example: "b" }, example: "c" } },
    };
    const parameters = [{ $ref: "#/components/parameters/schema", description: "Ignored." }];
    const content = {
      "application/json": { schema: { $ref: "#/components/schemas/All" }, example: data },
    };
    const get = { parameters, responses: { 200: { description: "All.", content } } };
    const info = { title: "Old", version: "1" };
    await writeFile(
      join(folder, "old.json"),
      JSON.stringify({ openapi: "3.0.3", info, paths: { "/": { get } }, components }),
    );
    const [generation] = await readDescriptions([join(folder, "old.json")], () => undefined);
    read = generation?.document;
  });

  afterAll(() => rm(folder, { recursive: true }));

  test.each(Object.keys(schemas))("is read as 3.1: %s", (name) => {
    expect(valueAt(read, ["components", "schemas", "All", "properties", name])).toEqual(schemas[name]?.[1]);
  });

  test("is read as 3.1 outside of schemas", () => {
    expect(valueAt(read, ["openapi"])).toBe("3.1.1");
    expect(valueAt(read, ["paths", "/", "get", "parameters"])).toEqual([{ $ref: "#/components/parameters/schema" }]);
    expect(valueAt(read, ["components", "parameters", "schema"])).toEqual({
      ...{ name: "a", in: "query", example: "c" },
      schema: { type: "string", examples: ["b"] },
    });
    const content = ["paths", "/", "get", "responses", "200", "content", "application/json", "example"];
    expect(valueAt(read, content)).toEqual(data);
  });
});

describe("descriptions of others in redocly.yaml", () => {
  let project: Project;
  let report: string;

  beforeAll(async () => {
    project = await copyProject();
    await cp(descriptions, join(project.directory, "openapi"), { recursive: true });
    const api = (name: string) => `  ${name}:\n    root: openapi/${name}.yaml\n    extends: [minimal, house/off]\n`;
    await project.edit("redocly.yaml", /^apis:\n(?: .*\n)+/m, `apis:\n${api("harbor")}${api("library")}`);
    const { code, stdout, stderr } = await project.buildHere();
    expect([code, stderr]).toEqual([0, ""]);
    report = stdout;
  });

  afterAll(() => project[Symbol.asyncDispose]());

  test("get warnings about what is ignored, with its place in the original", () => {
    const told = report.matchAll(
      /^openapi\/(\S+): warning \((struct|spec-ref-siblings|no-inv.*)\)\n {2}Property (`\w+`)/gm,
    );
    expect(Array.from(told, (found) => found.slice(1).join(" ")).toSorted()).toEqual([
      "harbor/parts.yaml:22:11 struct `min_items`",
      "harbor/parts.yaml:34:11 spec-ref-siblings `nullable`",
      "harbor/parts.yaml:35:11 spec-ref-siblings `description`",
      "harbor/parts.yaml:63:11 struct `optional`",
    ]);
    expect(report).not.toContain(": error ");
  });

  test("have types with null, whatever it is beside", async () => {
    const types = await readFile(join(project.directory, "generated/harbor/types.ts"), "utf8");
    for (const line of ["captain?: string | null;", 'flag?: "DE" | "PL" | null;', "berth?: ", "nullable?: boolean;"]) {
      expect(types).toContain(line);
    }
    expect(types).toMatch(/home\?: components\["schemas"\]\["Town"\] \| null;/);
    expect(types).toMatch(/scan: Blob;/);
    expect(types).toMatch(/"application\/pdf": Blob;/);
  });

  test("have servers without unused names, whether or not an operation needs credentials", () => {
    const files = ["harbor", "library"].map((name) => join(project.directory, "generated", name, "server.ts"));
    // Only unused names are of interest, which need no other files.
    const options = { noUnusedLocals: true, noUnusedParameters: true, noResolve: true, noLib: true, types: [] };
    const program = ts.createProgram(files, options);
    const unused = program.getSemanticDiagnostics().filter((one) => one.reportsUnnecessary !== undefined);
    expect(unused.map(({ messageText }) => messageText)).toEqual([]);
  });

  test("have groups by the nested tags of OpenAPI 3.2", async () => {
    const [generation] = await readBundles(join(project.directory, "generated"), ["library"]);
    expect(generation?.groups.map(({ name, title }) => [name, title])).toEqual([
      ["books", "Books"],
      ["loans", "Loans"],
      ["staff", "Staff"],
    ]);
    expect(generation?.sections.map(({ name, groups }) => [name, groups.map((group) => group.name)])).toEqual([
      ["Lending", ["books", "loans"]],
      ["", ["staff"]],
    ]);
  });
});

test("the docs of OpenAPI 3.2 have nested tags, badges and described values", async () => {
  const told: string[] = [];
  const folder = await mkdtemp(join(tmpdir(), "versions-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const text = await readFile(join(descriptions, "library.yaml"), "utf8");
  const changed = text
    .replace("summary: Staff", "parent: people")
    .replace("summary: List books", "summary: List books\n      callbacks: {}")
    .replace("  /staff:", "  /staff/{id}:");
  await writeFile(join(folder, "library.yaml"), changed);
  const generations = await readDescriptions([join(folder, "library.yaml")], (line) => told.push(line));
  expect(told.join("\n")).toContain("Tag parent 'people' is not defined in the API description.");
  expect(told.join("\n")).toContain("Operation `callbacks`: shown at most, not checked (1 place).");
  expect(told.join("\n")).toContain("Only the path has id.");
  const pages = new Map<string, string>();
  for await (const { path, content } of renderSite({ generations })) pages.set(path, content);
  const gaps = pages.get("unspecified/index.html");
  expect(gaps).toContain("No gaps are marked.");
  // The filter hides sections without a match.
  expect(gaps).not.toContain("data-filtered");
  const page = readHtml(pages.get("library/books/search-books/index.html") ?? "");
  expect(page.main.text).toMatch(/Search books\s+Beta/);
  expect(page.main.text).not.toContain("Partners");
  const markdown = pages.get("library/books/search-books/index.md");
  expect(markdown).toContain("One of:\n\n  - `title` By title: From A to Z.\n  - `year` By year\n");
  expect(markdown).toMatch(/`order` string \(\[Order\]/);
  const sample = pages.get("library/loans/change-loan/index.md");
  expect(sample).toContain("curl -X PUT 'https://library.test/loans/LN1111'");
  expect(sample).toContain('{"readers":["RD-1111-aa"]}');
  const menu = pages.get("library/index.html") ?? "";
  expect(menu).toMatch(/<p class="section">Lending<\/p>\s*<ul class="groups">/);
});

describe("malformed keywords of schemas in a file that no redocly.yaml lists", () => {
  const slow = { pattern: "^(a+)+$" };
  const written = {
    limited: { type: "integer", minimum: 3, exclusiveMinimum: true },
    named: { type: "strnig", required: true, description: "Named." },
    referring: { $ref: "#/components/schemas/Listed", pattern: "(" },
    slow,
  };
  const Listed = { type: ["integer", "null"], enum: 5, minimum: "3", exclusiveMaximum: 7 };
  const read = async (openapi: string) => {
    const folder = await mkdtemp(join(tmpdir(), "versions-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const content = { "application/json": { schema: { type: "object", properties: written } } };
    const paths = { "/a": { get: { responses: { 200: { description: "A.", content } } } } };
    const components = { schemas: { Listed } };
    const description = { openapi, info: { title: "A", version: "1" }, paths, components };
    await writeFile(join(folder, "a.json"), JSON.stringify(description, undefined, 2));
    const told: string[] = [];
    const [generation] = await readDescriptions([join(folder, "a.json")], (line) => told.push(line));
    const warnings = told.join().matchAll(/:(\d+):\d+: warning \(build\/ignored-keyword\)\n {2}(`\w+`.*)/g);
    const at = ["paths", "/a", "get", "responses", "200", "content", "application/json", "schema", "properties"];
    return {
      properties: valueAt(generation?.document, at),
      Listed: valueAt(generation?.document, ["components", "schemas", "Listed"]),
      warnings: Array.from(warnings, ([, line, message]) => `${line} ${message}`),
      told: told.join(),
    };
  };
  const ignored = [
    '24 `type` must be one or several of array, boolean, integer, null, number, object, string, not "strnig": it is ignored.',
    "25 `required` must be a list of strings, not true: it is ignored.",
  ];

  test("are ignored, with a warning", async () => {
    const { properties, Listed: listed, warnings, told } = await read("3.1.0");
    // It's shown, but nothing is compared with it.
    expect(told).toMatch(/:33:\d+: warning \(build\/ignored-keyword\)\n {2}Nothing is compared with this pattern/);
    expect(warnings).toEqual([
      "21 `exclusiveMinimum` must be a number, not true: it is ignored.",
      ...ignored,
      '30 `pattern` must be a regular expression, not "(": it is ignored.',
      "51 `enum` must be a list, not 5: it is ignored.",
      '52 `minimum` must be a number, not "3": it is ignored.',
    ]);
    expect(properties).toEqual({
      limited: { type: "integer", minimum: 3 },
      named: { description: "Named." },
      referring: { $ref: "#/components/schemas/Listed" },
      slow,
    });
    expect(listed).toEqual({ type: ["integer", "null"], exclusiveMaximum: 7 });
  });

  test("of OpenAPI 3.0 are too, and those of 3.1 are read", async () => {
    const { properties, Listed: listed, warnings } = await read("3.0.3");
    expect(warnings).toEqual([
      ...ignored,
      "47 `type` is written and read as in OpenAPI 3.1.",
      "51 `enum` must be a list, not 5: it is ignored.",
      '52 `minimum` must be a number, not "3": it is ignored.',
      "53 `exclusiveMaximum` is written and read as in OpenAPI 3.1.",
    ]);
    expect(properties).toMatchObject({ limited: { type: "integer", exclusiveMinimum: 3 } });
    expect(listed).toEqual({ type: ["integer", "null"], exclusiveMaximum: 7 });
  });
});

const mistakes = [
  {
    what: "a wrong value of 3.0, in the second file",
    file: "harbor/parts.yaml",
    from: "type: number",
    to: "type: [number]",
    name: "harbor",
    says: "openapi/harbor/parts.yaml:7:15: error (struct)",
  },
  {
    what: "a field of the wrong kind",
    file: "library.yaml",
    from: "responses:",
    to: "responses: null\n      x-old:",
    name: "library",
    says: "error (struct)",
  },
  {
    what: "a parameter for the whole query",
    file: "library.yaml",
    from: "in: query\n",
    to: "in: querystring\n",
    name: "library",
    says: "openapi/library.yaml:41:11: error (build/profile)\n  Parameter `in: querystring`: not supported.",
  },
  {
    what: "the schema of a stream's items",
    file: "library.yaml",
    from: "examples:\n",
    to: "itemSchema: {}\n            examples:\n",
    name: "library",
    says: "error (build/profile)\n  Media Type `itemSchema`: not supported.",
  },
  {
    what: "scopes of the flow for devices",
    file: "library.yaml",
    from: "components:\n",
    to: "components:\n  securitySchemes: { o: { type: oauth2, flows: { deviceAuthorization: { deviceAuthorizationUrl: https://a.test, tokenUrl: https://a.test, scopes: { read: Reads } } } } }\n",
    name: "library",
    says: "error (build/profile)\n  OAuth Flows `deviceAuthorization`: not supported.",
  },
  {
    what: "a method of 3.2",
    file: "library.yaml",
    from: "put:",
    to: "query:",
    name: "library",
    says: "openapi/library.yaml:97:5: error (build/profile)\n  Path Item `query`: not supported.",
  },
  {
    what: "fields of 3.2 in 3.1",
    file: "library.yaml",
    from: "3.2.0",
    to: "3.1.1",
    name: "library",
    says: "Property `kind` is not expected here.",
  },
];

test.each(mistakes)("$what is reported with its place", async ({ file, from, to, name, says }) => {
  await using project = await copyProject();
  await cp(descriptions, join(project.directory, "openapi"), { recursive: true });
  await project.edit(
    "redocly.yaml",
    /^apis:\n(?: .*\n)+/m,
    `apis:\n  ${name}:\n    root: openapi/${name}.yaml\n    extends: [minimal, house/off]\n`,
  );
  await project.edit(`openapi/${file}`, from, to);
  const { stdout, stderr } = await project.lint();
  expect(stdout + stderr).toContain(says);
});

test("nothing is loaded from a web server: neither a description nor what it refers to", async () => {
  const asked: string[] = [];
  await using server = await serveHttp(({ url = "" }, response) => {
    asked.push(url);
    response.end('{ "type": "string", "secret": true }');
  });
  const folder = await mkdtemp(join(tmpdir(), "loaded-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "api.yaml");
  const content = `{ application/json: { schema: { $ref: "${server.url}/a.json" } } }`;
  const paths = `{ /a: { get: { operationId: getA, responses: { 200: { description: A., content: ${content} } } } } }`;
  await writeFile(file, `openapi: 3.1.1\ninfo: { title: A, version: "1" }\npaths: ${paths}\n`);
  const read = (given: string) => readDescriptions([given], () => undefined).catch(reportOf);
  const reference = await read(file);
  expect(reference).toContain("api.yaml:3:");
  expect(reference).toContain(`This leads to ${server.url}/a.json, which isn't a file in `);
  const words = "a description is a file, not a URL: download it first, with curl -o openapi.yaml URL";
  expect(await read(`${server.url}/api.yaml?token=topsecret`)).toBe(words);
  expect(asked).toEqual([]);
});

test("a description whose aliases repeat too much is refused before that takes forever", async () => {
  const lists = Array.from({ length: 8 }, (_, level) => {
    const items = Array.from({ length: 10 }, () => (level === 0 ? "x" : `*l${level - 1}`));
    return `x-${level}: &l${level} [${items.join()}]\n`;
  });
  const text = `openapi: 3.0.3\ninfo: { title: Many, version: "1" }\npaths: {}\n${lists.join("")}`;
  const folder = await mkdtemp(join(tmpdir(), "many-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "many.yaml");
  await writeFile(file, text);
  const problem = await readDescriptions([file], () => undefined).catch(reportOf);
  expect(problem).toContain("/many.yaml:1:1: error (yaml)\n  The YAML aliases in this file repeat their values");
});

import { getTypes } from "@redocly/openapi-core";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleSources } from "../../scripts/pipeline/bundleSources.ts";
import { configureFiles, readConfiguration, type GenerationSource } from "../../scripts/pipeline/configuration.ts";
import { typeOfObject } from "../../scripts/redocly/rules/profileRule.ts";
import { isObject, jsonPointer, pointerKeys } from "../../scripts/values/json.ts";
import { profileRows } from "../../scripts/spec/profile.ts";
import { profileCombinations } from "../../scripts/spec/profileCombinations.ts";

/** A description with each object of the table at least once. */
const base = {
  openapi: "3.2.0",
  info: { title: "Library", version: "1" },
  servers: [{ url: "https://{host}", variables: { host: { default: "library.test" } } }],
  tags: [{ name: "Books" }],
  paths: {
    "/books": {
      post: {
        operationId: "addBook",
        parameters: [{ name: "page", in: "query", schema: { type: "string" } }],
        requestBody: {
          content: {
            "multipart/form-data": {
              schema: { type: "object", properties: { cover: { type: "string", format: "binary" } } },
              encoding: { cover: { contentType: "image/png" } },
            },
          },
        },
        responses: {
          "200": {
            description: "The book.",
            headers: { ETag: { schema: { type: "string" } } },
            content: {
              "application/json": { schema: { $ref: "#/components/schemas/Book" }, examples: { one: { value: {} } } },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Book: { type: "object", properties: { title: { type: "string" } } },
      Atlas: { type: "object", required: ["kind"], properties: { kind: { const: "atlas" } } },
      Novel: { type: "object", required: ["kind"], properties: { kind: { type: "string", enum: ["novel"] } } },
      Work: {
        anyOf: [{ $ref: "#/components/schemas/Atlas" }, { $ref: "#/components/schemas/Novel" }],
        discriminator: {
          propertyName: "kind",
          mapping: { atlas: "#/components/schemas/Atlas", novel: "#/components/schemas/Novel" },
        },
      },
      Person: { type: "object", properties: { name: { type: ["string", "null"] } } },
      Reader: { allOf: [{ $ref: "#/components/schemas/Person" }, { required: ["name"] }], description: "Reads." },
      Loan: {
        type: "object",
        properties: {
          book: { $ref: "#/components/schemas/Book", description: "What is lent." },
          to: { anyOf: [{ $ref: "#/components/schemas/Reader" }, { type: "null" }] },
          before: { type: "array", items: { $ref: "#/components/schemas/Loan" } },
        },
      },
    },
    securitySchemes: { oauth: { type: "oauth2", flows: {} } },
  },
};

const post = "/paths/~1books/post";
const requestContent = `${post}/requestBody/content`;
const response = `${post}/responses/200`;
const schema = "/components/schemas/Book";
const title = `${schema}/properties/title`;

/** Where each object is. */
const places: Readonly<Record<string, string>> = {
  OpenAPI: "",
  Info: "/info",
  Server: "/servers/0",
  "Server Variable": "/servers/0/variables/host",
  "Path Item": "/paths/~1books",
  Operation: post,
  Parameter: `${post}/parameters/0`,
  "Request Body": `${post}/requestBody`,
  Content: `${response}/content`,
  "Media Type": `${response}/content/application~1json`,
  Encoding: `${requestContent}/multipart~1form-data/encoding/cover`,
  Response: response,
  Header: `${response}/headers/ETag`,
  Example: `${response}/content/application~1json/examples/one`,
  Components: "/components",
  Tag: "/tags/0",
  "Security Scheme": "/components/securitySchemes/oauth",
  "OAuth Flows": "/components/securitySchemes/oauth/flows",
  Schema: schema,
  Properties: `${schema}/properties`,
  Schemas: "/components/schemas",
  Discriminator: "/components/schemas/Work/discriminator",
};

/** Fields and values of rows that leave them open. */
const mediaTypes: Readonly<Record<string, string>> = {
  "+xml": "application/atom+xml",
  "multipart/*": "multipart/mixed",
};
const unlisted: Readonly<Record<string, unknown>> = {
  style: "deepObject",
  scheme: "digest",
  defaultMapping: "#/components/schemas/Atlas",
};
const ofType: Readonly<Record<string, unknown>> = {
  string: "text",
  boolean: true,
  number: 1,
  integer: 1,
  array: ["a"],
};

function sampleOf(object: string, field: string): unknown {
  const type: unknown = getTypes("oas3_2")[typeOfObject(object)]?.properties[field];
  return unlisted[field] ?? ofType[isObject(type) ? String(type["type"]) : ""] ?? {};
}

const usesOfRows = profileRows
  .filter(({ verdict }) => verdict === "no")
  .flatMap((row) =>
    (row.fields.length === 0 ? ["title"] : row.fields).flatMap((field) =>
      (row.values ?? [sampleOf(row.object, field)]).map((value) => {
        const pointer = `${places[row.object] ?? ""}${jsonPointer([mediaTypes[field] ?? field])}`;
        return { of: `${row.object} ${field}: ${JSON.stringify(value)}`, row, pointer, changes: { [pointer]: value } };
      }),
    ),
  );

const objects = { atlas: { $ref: "#/components/schemas/Atlas" }, novel: { $ref: "#/components/schemas/Novel" } };
const either = [objects.atlas, objects.novel];
const parameter = `${post}/parameters/0/schema`;
const flatList = { type: "array", items: { type: "string" } };
const multipart = `${requestContent}/multipart~1form-data`;

const endless = { anyOf: [{ $ref: "#/components/schemas/Endless" }] };

/** Uses of each combination, in the order of the list. The places are those of the changes unless they are given. */
const usesOfCombinations: readonly (readonly {
  readonly changes: Readonly<Record<string, unknown>>;
  readonly at?: string;
}[])[] = [
  [{ changes: { "/paths/~1books/get": { requestBody: {}, responses: {} } }, at: "/paths/~1books/get/requestBody" }],
  [
    { changes: { [parameter]: { $ref: "#/components/schemas/Book" } } },
    { changes: { [parameter]: { type: "array", items: flatList } } },
    { changes: { [parameter]: { type: ["string", "null"] } } },
    { changes: { [`${response}/headers/ETag/schema`]: flatList } },
    { changes: { [`${post}/parameters/0`]: { name: "page", in: "cookie", schema: flatList } }, at: parameter },
  ],
  [{ changes: { [`${requestContent}/text~1plain`]: {} }, at: requestContent }],
  [
    { changes: { [`${response}/content/text~1event-stream`]: { schema: { $ref: "#/components/schemas/Book" } } } },
    { changes: { [`${response}/content/text~1csv`]: { schema: flatList } } },
    { changes: { [multipart]: { schema: { properties: { a: { type: "array", items: { type: "object" } } } } } } },
    { changes: { [multipart]: { schema: { properties: { a: { type: ["string", "null"] } } } } } },
    { changes: { [multipart]: { schema: { properties: { a: { type: "object" }, b: { type: "object" } } } } } },
    {
      changes: {
        [requestContent]: { "application/x-www-form-urlencoded": { schema: { properties: { a: objects.atlas } } } },
      },
      at: `${requestContent}/application~1x-www-form-urlencoded`,
    },
  ],
  [
    {
      changes: {
        [multipart]: {
          schema: { properties: { a: { type: "string" } } },
          encoding: { a: { contentType: "text/html" } },
        },
      },
      at: `${multipart}/encoding/a`,
    },
  ],
  [
    { changes: { [`${title}/type`]: ["string", "integer"] } },
    { changes: { [title]: { oneOf: [{ type: "string" }, { type: "integer" }] } }, at: `${title}/oneOf` },
    { changes: { [title]: { anyOf: [objects.atlas, {}] } }, at: `${title}/anyOf` },
  ],
  [
    { changes: { [title]: { oneOf: either } }, at: `${title}/oneOf` },
    { changes: { "/components/schemas/Work/discriminator": { propertyName: "kind" } } },
    {
      changes: { "/components/schemas/Work/discriminator/mapping/novel": "Novel" },
      at: "/components/schemas/Work/discriminator",
    },
    {
      changes: { "/components/schemas/Novel/properties/kind": { type: "string" } },
      at: "/components/schemas/Work/discriminator",
    },
    {
      changes: { "/components/schemas/Novel/properties/kind/enum": ["novel", "story"] },
      at: "/components/schemas/Work/discriminator",
    },
    { changes: { [`${schema}/discriminator`]: { propertyName: "kind" } } },
  ],
  [
    { changes: { [title]: { allOf: [{ type: "string" }, { minLength: 1 }] } }, at: `${title}/allOf` },
    { changes: { [title]: { allOf: [{ $ref: "#/components/schemas/Work" }] } }, at: `${title}/allOf` },
    { changes: { "/components/schemas/Person/type": ["object", "null"] }, at: "/components/schemas/Reader/allOf" },
  ],
  [
    { changes: { [title]: { ...objects.atlas, required: ["size"] } }, at: `${title}/required` },
    { changes: { [title]: { anyOf: either, type: "object" } }, at: `${title}/type` },
  ],
  [
    {
      changes: { "/components/schemas/Endless": { type: "object", required: ["next"], properties: { next: endless } } },
      at: "/components/schemas/Endless/properties/next",
    },
  ],
  [
    {
      changes: { [`${response}/content/application~1x-www-form-urlencoded`]: { schema: { type: "object" } } },
    },
  ],
  [
    { changes: { [`${title}/maximum`]: 9_223_372_036_854_776_000 } },
    { changes: { [`${title}/example`]: { ids: [2 ** 53] } }, at: `${title}/example` },
  ],
  [
    { changes: { [title]: { $ref: "#/components/schemas/Person/properties/name" } }, at: `${title}/$ref` },
    { changes: { [title]: { $ref: `#${parameter}` } }, at: `${title}/$ref` },
  ],
];

interface Expected {
  readonly of: string;
  readonly pointer: string;
  readonly instead: string;
  readonly isRefused: boolean;
}

/** Uses that one description has together, because none is inside another or in its place. */
interface Batch {
  readonly changes: Map<string, unknown>;
  readonly expected: Expected[];
}

/** One description for all rows would be the fastest, but a field has one value. */
const batches: Batch[] = [];
for (const { of, row, pointer, changes } of usesOfRows) {
  const apart = batches.find((batch) =>
    [...batch.changes.keys()].every(
      (one) => !`${pointer}/`.startsWith(`${one}/`) && !`${one}/`.startsWith(`${pointer}/`),
    ),
  );
  const batch = apart ?? { changes: new Map<string, unknown>(), expected: [] };
  if (apart === undefined) batches.push(batch);
  batch.changes.set(pointer, changes[pointer]);
  batch.expected.push({ of, pointer, instead: row.instead ?? "", isRefused: row.isRefused === true });
}
for (const [index, { name, instead }] of profileCombinations.entries()) {
  for (const { changes, at } of usesOfCombinations[index] ?? []) {
    const pointer = at ?? Object.keys(changes)[0] ?? "";
    batches.push({
      changes: new Map(Object.entries(changes)),
      expected: [{ of: name, pointer, instead, isRefused: false }],
    });
  }
}

let folder: string;
let own: GenerationSource;
let others: GenerationSource;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "profile-"));
  const root = join(folder, "library.json");
  const [source] = (await readConfiguration()).sources;
  const [unlisted] = (await configureFiles([root])).sources;
  if (source === undefined || unlisted === undefined) throw new Error("there is no configuration");
  [own, others] = [{ ...source, root, folders: [folder] }, unlisted];
});

afterAll(() => rm(folder, { recursive: true }));

/** What the profile finds in the description with changes. */
async function lintChanged(
  changes: Iterable<readonly [pointer: string, value: unknown]>,
  source: GenerationSource,
  rule = "build/profile",
) {
  const document: unknown = structuredClone(base);
  for (const [pointer, value] of changes) {
    const keys = pointerKeys(pointer);
    const holder = keys
      .slice(0, -1)
      .reduce((one: unknown, key) => (isObject(one) || Array.isArray(one) ? Reflect.get(one, key) : one), document);
    if (typeof holder !== "object" || holder === null) throw new Error(`there is no place for ${pointer}`);
    Reflect.set(holder, keys.at(-1) ?? "", value);
  }
  await writeFile(source.root, JSON.stringify(document));
  const { problems } = await bundleSources(source);
  return problems.filter((problem) => problem.rule === rule);
}

describe("the profile of OpenAPI", () => {
  it("finds nothing in what is supported", async () => {
    expect(await lintChanged([], own)).toEqual([]);
  });

  it("refuses each no at its place, with what to write instead, and only some in other people's descriptions", async () => {
    expect(usesOfCombinations.map((list) => list.length > 0)).toEqual(profileCombinations.map(() => true));
    for (const { changes, expected } of batches) {
      const refused = await lintChanged(changes, own);
      const told = await lintChanged(changes, others);
      for (const { of, pointer, instead, isRefused } of expected) {
        const at = (problems: typeof told) =>
          problems.filter((one) => one.pointer === pointer).map(({ severity, message }) => [of, severity, message]);
        const refusal = [of, "error", expect.stringMatching(/: not supported\. Instead, /)];
        expect(at(refused)).toEqual([refusal]);
        expect(at(refused).join()).toContain(`Instead, ${instead}.`);
        expect(at(told)).toEqual([
          isRefused ? refusal : [of, "warn", expect.stringMatching(/: shown at most, not checked \(\d+ places?\)\.$/)],
        ]);
      }
    }
  });

  it("leaves what the specification says MUST about to rules that are errors in other people's descriptions too", async () => {
    const parameter = `${post}/parameters/0`;
    const header = `${response}/headers/ETag`;
    const wrong = [
      [
        "build/parameter",
        `${parameter}/required`,
        { [parameter]: { name: "a", in: "path", required: false, schema: {} } },
      ],
      ["build/parameter", parameter, { [parameter]: { name: "a", in: "path", schema: {} } }],
      ["build/parameter", `${parameter}/content`, { [`${parameter}/content`]: { "text/plain": {} } }],
      ["build/parameter", `${header}/content`, { [`${header}/content`]: { "text/plain": {} } }],
      ["build/parameter", `${parameter}/style`, { [`${parameter}/style`]: "simple" }],
      ["build/parameter", `${header}/style`, { [`${header}/style`]: "form" }],
      ["no-server-variables-empty-enum", "/servers", { "/servers/0/variables/host/enum": ["b"] }],
    ] as const;
    for (const [rule, pointer, changes] of wrong) {
      for (const source of [own, others]) {
        const problems = await lintChanged(Object.entries(changes), source, rule);
        expect(problems.map((one) => [rule, one.pointer, one.severity])).toEqual([[rule, pointer, "error"]]);
      }
    }
    for (const style of ["form", "deepObject", "spaceDelimited"]) {
      expect(await lintChanged([[`${parameter}/style`, style]], others, "build/parameter")).toEqual([]);
    }
  });

  it("is told once for each construct in other people's descriptions", async () => {
    const changes = {
      [`${title}/not`]: {},
      [`${schema}/not`]: {},
      "/externalDocs": { url: "a" },
      "/servers/0/name": "one",
    };
    const problems = await lintChanged(Object.entries(changes), others);
    expect(problems.map(({ severity, message }) => `${severity} ${message}`).toSorted()).toEqual([
      "warn OpenAPI `externalDocs`: shown at most, not checked (1 place).",
      "warn Schema `not`: shown at most, not checked (2 places).",
      "warn Server `name`: shown at most, not checked (1 place).",
    ]);
  });

  it("has each field of its objects, and no others", () => {
    const names = [...new Set(profileRows.map(({ object }) => object))];
    const types = [getTypes("oas3_0"), getTypes("oas3_1"), getTypes("oas3_2")];
    for (const object of names) {
      const known = types.flatMap((each) => Object.keys(each[typeOfObject(object)]?.properties ?? {}));
      // A Reference Object may have a summary, which Redocly expects beside the reference of a schema.
      const fields = known.filter((field) => !field.startsWith("x-") && !(object === "Schema" && field === "summary"));
      const listed = profileRows.filter((row) => row.object === object).flatMap((row) => row.fields);
      const isMap = fields.length === 0;
      if (!isMap)
        expect([object, new Set(listed)]).toEqual([
          object,
          new Set([...fields, ...listed.filter((one) => one === "$ref")]),
        ]);
    }
  });

  it("is the page", async () => {
    await expect(profilePage()).toMatchFileSnapshot("../../scripts/PROFILE.md");
  });
});

function profilePage(): string {
  const code = (text: string) => `\`${text}\``;
  const rows = profileRows.map(({ object, fields, values, verdict, instead = "", isRefused }) => {
    const named =
      fields.length === 0
        ? values === undefined
          ? ["any other"]
          : values.map((value) => code(String(value)))
        : fields.map((field) => code(field));
    const limited =
      fields.length === 0 || values === undefined ? "" : `: ${values.map((value) => code(String(value))).join(", ")}`;
    return [object, named.join(", ") + limited, isRefused === true ? "no, refused" : verdict, instead];
  });
  const alone = profileCombinations.map(({ name, instead }) => [name, instead]);
  return [
    "# What of OpenAPI is supported",
    "",
    ...introduction,
    "",
    ...table(["Object", "Field", "Supported", "Instead"], rows),
    "",
    "These combinations are a no too:",
    "",
    ...table(["Combination", "Instead"], alone),
    "",
  ].join("\n");
}

const introduction = [
  "Made from `spec/profile.ts` and `spec/profileCombinations.ts`: change these, then run",
  "`npx vitest run test/lint/profile.test.ts -u`.",
  "",
  "- **yes**: all parts agree on it.",
  "- **shown**: it's on the page, or passed on, and nothing more.",
  "- **no**: an error in the contract. In other people's descriptions, it's shown at most, with a warning.",
  "- **no, refused**: an error in other people's descriptions too.",
  "",
  "If several rows are about a field, the first one that has its value applies. `Content`, `Schemas` and `Properties` are",
  "the maps of media types, of components, and of properties.",
];

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? "").length)));
  const line = (row: readonly string[], fill = " ") =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(" | ")} |`;
  return [
    line(head),
    line(
      head.map(() => ""),
      "-",
    ),
    ...rows.map((row) => line(row)),
  ];
}

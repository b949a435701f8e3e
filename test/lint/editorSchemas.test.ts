import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { load } from "js-yaml";
import { globSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { expect, it } from "vitest";
import { generateEditorSchemas } from "../../scripts/pipeline/editorSchemas.ts";
import { extensionSchemas } from "../../scripts/redocly/extensionSchemas.ts";
import { extensions } from "../../scripts/redocly/rules/extensions.ts";
import { isObject, membersOf, stringsOf, valueAt } from "../../scripts/spec/json.ts";
import { changeLibrary, listPointers, type Changes } from "./library.ts";

const ajv = new Ajv({ strict: false });
addFormats.default(ajv);

const validators = new Map(
  (await generateEditorSchemas()).map(({ path, content }) => {
    const schema: unknown = JSON.parse(content);
    if (!isObject(schema)) throw new Error(`${path} is no schema`);
    return [resolve("generated", path), ajv.compile(schema)] as const;
  }),
);

const sources = ["redocly.yaml", ...globSync("openapi/{shared,v*,workflows}/**/*.yaml")];

it.each(sources)("an editor finds no mistake in %s", (file) => {
  const text = readFileSync(file, "utf8");
  const [, schema = ""] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
  const validate = validators.get(resolve(dirname(file), schema));
  const example = relative(dirname(resolve(file)), resolve("generated/editor/openapi.json"));
  if (validate === undefined) throw new Error(`begin it with: # yaml-language-server: $schema=${example}`);
  validate(load(text));
  expect(validate.errors).toBeNull();
});

it.each([
  ["redocly", { rulez: {} }],
  ["redocly", { rules: { "house/tag-grops": "error" } }],
  ["redocly", { rules: { struct: "eror" } }],
  ["redocly", { rules: { "rule/team": { subject: { type: "Operaton" }, assertions: { defined: true } } } }],
  ["arazzo", { arazzo: "1.0.1", info: { title: "Teams", version: "1" }, sourceDescriptions: [], workflows: [{}] }],
])("an editor finds a mistake in a file of %s: %j", (name, document) => {
  expect(validators.get(resolve(`generated/editor/${name}.json`))?.(document)).toBe(false);
});

it("an editor offers the beginnings of gaps", async () => {
  const schema: unknown = JSON.parse((await generateEditorSchemas())[0]?.content ?? "");
  const items = ["definitions", "Parameter", "properties", "x-unspecified", "items"];
  const examples = valueAt(schema, [...items, "examples"]);
  const pattern = new RegExp(String(valueAt(schema, [...items, "pattern"])));
  expect(examples).toContain("required");
  expect(stringsOf(examples).filter((example) => !pattern.test(example))).toEqual([]);
});

/** Objects of the library that can have our extensions. */
const owners = {
  Root: "",
  Info: "/info",
  Tag: "/tags/0",
  Parameter: "/paths/~1books~1{bookId}/get/parameters/1",
  SecurityScheme: "/components/securitySchemes/key",
  Operation: "/paths/~1books~1{bookId}/get",
  Schema: "/components/schemas/Book/properties/title",
};

const misspelled = [
  ...[
    "Root/x-tagGroup",
    "Schema/x-resorce",
    "Schema/x-resources",
    "Operation/x-reosurce",
    "Operation/x-paginatio",
    "Tag/x-Unspecified",
  ],
  ...["Parameter/x-unspecifed", "Info/x-unspecified-", "SecurityScheme/x-exmaple"],
];
const ofOtherTools = ["Schema/x-go-type", "Operation/x-internal", "Schema/x-enumNames", "Tag/x-icon"];

it.each([
  ["marks misspelled extensions", false, misspelled],
  ["accepts extensions of other tools", true, ofOtherTools],
] as const)("an editor %s", (_, isValid, given) => {
  const validate = validators.get(resolve("generated/editor/openapi.json"));
  const verdicts = given.map((place) => {
    const [owner = "", name = ""] = place.split("/");
    return [place, validate?.(changeLibrary({ [`${String(valueAt(owners, [owner]))}/${name}`]: { name: "Book" } }))];
  });
  expect(verdicts).toEqual(given.map((place) => [place, isValid]));
});

/** Values that some of our extensions allow, or almost allow. */
const values: readonly unknown[] = [
  ...[5, true, "text", "2027-02-28", "2027-02-30", [], ["unit"], ["unit", "unit"], ["default", 5], ["required fields"]],
  ...[{}, { name: "Book" }, { effect: "reads" }, { effect: "none", moves: { a: 1 } }, { renews: [] }],
  ...[{ limit: "take" }, { limit: "take", offset: "skip" }],
  ...[[{ name: "Rooms", tags: ["Rooms"] }], [{ name: "Rooms" }], [{ name: "Rooms", tag: ["Rooms"], tags: [] }]],
];

// Redocly can't tell the version of a document without `openapi`.
const pointers = listPointers().filter((pointer) => pointer !== "/openapi");
const changes = pointers.map((pointer, index): Changes => ({
  [pointer]: [undefined, 5, "text", [], { unknown: 1 }][index % 5],
}));
const ofExtensions = membersOf(extensionSchemas).flatMap(([type, byName], at) =>
  membersOf(byName).flatMap(([name]) => {
    const pointer = `${String(valueAt(owners, [type]))}/${name}`;
    return values.filter((_, index) => index % 3 === at % 3).map((value): Changes => ({ [pointer]: value }));
  }),
);

it("an editor and lint find mistakes in the same descriptions", async () => {
  const config = await createConfig({ rules: { struct: "error", ...extensions } });
  const validate = validators.get(resolve("generated/editor/openapi.json"));
  const verdicts = await Promise.all(
    [...changes, ...ofExtensions, { [`${owners.SecurityScheme}/in`]: undefined }].map(async (change) => {
      const document = changeLibrary(change);
      const problems = await lintFromString({ source: JSON.stringify(document), config });
      return { change, lint: problems.length === 0, editor: validate?.(document) };
    }),
  );
  expect(new Set(verdicts.map(({ lint }) => lint))).toEqual(new Set([true, false]));
  expect(verdicts.filter(({ lint, editor }) => lint !== editor)).toEqual([]);
});

import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { load } from "js-yaml";
import { globSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { expect, it } from "vitest";
import { generateEditorSchema } from "../../scripts/pipeline/editorSchema.ts";
import { extensionSchemas } from "../../scripts/redocly/extensionSchemas.ts";
import { extensions } from "../../scripts/redocly/rules/extensions.ts";
import { isObject, membersOf, stringsOf, valueAt } from "../../scripts/values/json.ts";
import { changeLibrary, listPointers, type Changes } from "./library.ts";

const ajv = new Ajv({ strict: false });
addFormats.default(ajv);

const editorSchema: unknown = JSON.parse(generateEditorSchema().content);
if (!isObject(editorSchema)) throw new Error("the editor's schema is no object");
const validate = ajv.compile(editorSchema);

it.each(globSync("openapi/{shared,v*}/**/*.yaml"))("an editor finds no mistake in %s", (file) => {
  const text = readFileSync(file, "utf8");
  const schema = relative(dirname(resolve(file)), resolve("generated/editor/openapi.json"));
  expect(text.split("\n")[0]).toBe(`# yaml-language-server: $schema=${schema}`);
  validate(load(text));
  expect(validate.errors).toBeNull();
});

it("workflows name the schema of the version that they follow", () => {
  for (const file of globSync("openapi/workflows/*.yaml")) {
    const [, version] =
      /^# yaml-language-server: \$schema=https:\/\/spec\.openapis\.org\/arazzo\/([\d.]+)\/schema\/[\d-]+\narazzo: \1\.\d+\n/.exec(
        readFileSync(file, "utf8"),
      ) ?? [];
    expect([file, version]).toEqual([file, expect.any(String)]);
  }
});

it("an editor offers the beginnings of gaps", () => {
  const items = ["definitions", "Parameter", "properties", "x-unspecified", "items"];
  const examples = valueAt(editorSchema, [...items, "examples"]);
  const pattern = new RegExp(String(valueAt(editorSchema, [...items, "pattern"])));
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
  const verdicts = given.map((place) => {
    const [owner = "", name = ""] = place.split("/");
    return [place, validate(changeLibrary({ [`${String(valueAt(owners, [owner]))}/${name}`]: { name: "Book" } }))];
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
  const verdicts = await Promise.all(
    [...changes, ...ofExtensions, { [`${owners.SecurityScheme}/in`]: undefined }].map(async (change) => {
      const document = changeLibrary(change);
      const problems = await lintFromString({ source: JSON.stringify(document), config });
      return { change, lint: problems.length === 0, editor: validate(document) };
    }),
  );
  expect(new Set(verdicts.map(({ lint }) => lint))).toEqual(new Set([true, false]));
  expect(verdicts.filter(({ lint, editor }) => lint !== editor)).toEqual([]);
});

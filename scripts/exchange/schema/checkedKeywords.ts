/** Facts about the supported keywords, for lint. Validation doesn't need them. */
import { arrayAssertions, arrayLimits, numberAssertions, stringAssertions, typeKeyword } from "./assertions.ts";
import { keywordOf, type Keyword } from "./keyword.ts";
import { aListOfSchemas, aSchema, schemasByName } from "./keywordForms.ts";
import { schemaKeywords, schemaListKeywords, schemaMapKeywords } from "../../spec/schemaKeywords.ts";
import { anyKeywords, arrayKeywords, objectKeywords } from "./prepareSchema.ts";

/** Keywords with schemas, also those that nothing is checked against. */
const withSchemas: Readonly<Record<string, Keyword<unknown>>> = Object.fromEntries([
  ...schemaKeywords.map((keyword) => [keyword, keywordOf(aSchema, () => undefined)] as const),
  ...schemaListKeywords.map((keyword) => [keyword, keywordOf(aListOfSchemas, () => undefined)] as const),
  ...schemaMapKeywords.map((keyword) => [keyword, keywordOf(schemasByName, () => undefined)] as const),
]);

/** The keywords of JSON Schema whose values must have a form. */
export const checkedKeywords: ReadonlyMap<string, Pick<Keyword<unknown>, "wanted">> = new Map(
  [withSchemas, typeKeyword, numberAssertions, stringAssertions, anyKeywords, arrayKeywords, objectKeywords].flatMap(
    (keywords: Readonly<Record<string, Pick<Keyword<unknown>, "wanted">>>) => Object.entries(keywords),
  ),
);

/** The keywords that limit values of one type only, and the names of that type (Validation, sections 6.2 to 6.5). */
export const limitedTypes: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    ...namesFor(numberAssertions, ["number", "integer"]),
    ...namesFor(stringAssertions, ["string"]),
    ...namesFor({ ...arrayAssertions, ...arrayLimits }, ["array"]),
    ...{ minProperties: ["object"], maxProperties: ["object"] },
  }).filter(([keyword]) => keyword !== "format"),
);

function namesFor(keywords: object, types: readonly string[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(Object.keys(keywords).map((keyword) => [keyword, types]));
}

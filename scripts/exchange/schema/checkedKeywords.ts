/** Facts about the supported keywords, for lint. Validation doesn't need them. */
import { arrayAssertions, arrayLimits, numberAssertions, stringAssertions, typeKeyword } from "./assertions.ts";
import type { Keyword } from "./keyword.ts";
import { anyKeywords, arrayKeywords, objectKeywords } from "./prepareSchema.ts";

/** All supported keywords of JSON Schema. */
export const checkedKeywords: ReadonlyMap<string, Pick<Keyword<unknown>, "wanted">> = new Map(
  [typeKeyword, numberAssertions, stringAssertions, anyKeywords, arrayKeywords, objectKeywords].flatMap(
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

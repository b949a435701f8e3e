import type { Operation } from "../../contract/generation.ts";
import { likelyName } from "../../contract/similarName.ts";
import { allowedTypes } from "../../exchange/parameterReader.ts";
import { shorten } from "../../exchange/secrets.ts";
import { isPreference } from "../response/preferences.ts";
import { takesName } from "./conditions.ts";

const mostNames = 3;

/**
 * Describes the query parameters of a request that the operation doesn't have, because a misspelt one changes nothing:
 * a predicate for each, without values.
 */
export function describeIgnoredQuery(operation: Operation, query: object): readonly string[] {
  const names = Object.keys(query);
  if (names.length === 0) return [];
  const declared = operation.parameters.filter((parameter) => parameter.in === "query");
  const known = declared.map(({ name }) => name);
  // Any other name may be a member of an object.
  if (declared.some(({ schema }) => allowedTypes(operation.document, schema).has("object"))) return [];
  const ignored = names.filter(
    (name) => !known.includes(name) && !isPreference(name) && !takesName(name, "query", operation),
  );
  return ignored.slice(0, mostNames).map((name) => {
    const likely = likelyName(name, known);
    const hint = likely === undefined ? "" : `: did you mean ${likely}?`;
    return `the operation has no query parameter ${JSON.stringify(shorten(name))}, so it is ignored${hint}`;
  });
}

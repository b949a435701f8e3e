import type { Operation } from "../../contract/generation.ts";
import { suggestNames } from "../../values/similarName.ts";
import { maskAndCut } from "../../exchange/secrets.ts";
import { isPreference } from "../content/preferences.ts";
import { mayHaveParameter } from "../rules/conditions.ts";

/**
 * Describes the first query parameter of a request that the operation doesn't have, because a misspelt one changes
 * nothing. Returns `undefined` if there is none.
 */
export function describeIgnoredQuery(operation: Operation, query: object): string | undefined {
  const known = operation.parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
  const ignored = Object.keys(query).find(
    (name) => !known.includes(name) && !isPreference(name) && !mayHaveParameter(name, "query", operation),
  );
  return ignored === undefined ? undefined : describe("operation", ignored, known);
}

/** Describes the first query parameter of a request for the mock itself that the endpoint doesn't have. */
export function describeUnreadQuery(known: readonly string[], query: object): string | undefined {
  const ignored = Object.keys(query).find((name) => !known.includes(name));
  return ignored === undefined ? undefined : describe("endpoint", ignored, known);
}

function describe(what: string, ignored: string, known: readonly string[]): string {
  const quoted = JSON.stringify(maskAndCut(ignored));
  return `the ${what} has no query parameter ${quoted}, so it is ignored: ${suggestNames(ignored, known)}`;
}

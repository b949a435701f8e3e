import type { Lifecycle } from "../../spec/lifecycle.ts";
import type { Answer } from "./answer.ts";
import type { Refusal } from "./refusal.ts";

/**
 * Announces the end of an operation in the response, as far as its days are known: with `Deprecation` (RFC 9745) and
 * `Sunset` (RFC 8594).
 */
export function announceEnd<Given extends Answer | Refusal>(given: Given, { deprecatedOn, sunset }: Lifecycle): Given {
  if ("isPassedBack" in given || (deprecatedOn === undefined && sunset === undefined)) return given;
  const begin = new Date(deprecatedOn ?? NaN).getTime();
  const end = new Date(sunset ?? NaN);
  const announced = {
    ...(Number.isFinite(begin) && { deprecation: `@${begin / 1000}` }),
    ...(Number.isFinite(end.getTime()) && { sunset: end.toUTCString() }),
  };
  return { ...given, headers: { ...announced, ...given.headers } };
}

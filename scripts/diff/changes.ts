import type { Direction } from "../spec/schemas.ts";

/** How much a change asks of consumers, by the part of a semantic version that it raises; the most first. */
export const impacts = ["major", "minor", "patch"] as const;
export type Impact = (typeof impacts)[number];

/** A change of a generation between two states of the contract. */
export interface Change {
  readonly impact: Impact;
  /** `clarified` if the contract only says more, or says it better: descriptions, examples and gaps. */
  readonly kind: "added" | "removed" | "changed" | "deprecated" | "clarified";
  readonly generation: string;
  /** The operations that it concerns, such as `GET /teams/{teamId}`. Empty if it is about the generation as a whole. */
  readonly operations: readonly string[];
  /** JSON Pointer in the new bundle; in the old one if what it led to was removed. */
  readonly pointer: string;
  /** The place in the sources, relative to the current folder, where it is known. */
  readonly file?: string;
  readonly line?: number;
  /** The change in words. */
  readonly message: string;
  /** What to do about it, for those who send HTTP requests and for those who compile against the types. */
  readonly advice: { readonly http: string; readonly types: string };
  /** The gaps that it closes and opens. */
  readonly gaps?: { readonly closed: readonly string[]; readonly opened: readonly string[] };
}

/** The direction that a rule is about; else that of the place, where it is only one. */
export function directionOf(rule: string, directions: readonly Direction[]): Direction | undefined {
  if (/^(?:required-properties-removed|enum-values-added|response-)/.test(rule)) return "response";
  if (/request|^parameter|required-properties-added|enum-values-removed|default|known/.test(rule)) return "request";
  const [only, ...others] = directions;
  return others.length === 0 ? only : undefined;
}

/** By the kind of a change that breaks nobody; or else by the rule that it breaks, and the direction. */
const adviceTable: readonly (readonly [pattern: RegExp, http: string, types: string])[] = [
  [/^added$/, "Nothing; it can be used.", "Nothing; it can be used."],
  [/^deprecated$/, "Plan to stop using it.", "Plan to stop using it: editors strike it through."],
  [/^(?:removed|changed|clarified)$/, "Nothing.", "Nothing."],
  [/^default/, "Send the value that you need, if you rely on the default.", "Nothing."],
  [/^pagination-changed unset/, "Nothing.", "Ask for each page yourself: the client no longer does."],
  [/^(?:operation-id|name|pagination)/, "Nothing.", "Use the new name: the old one no longer compiles."],
  [/^(?:security|oauth)/, "Send the credentials that are accepted from now on.", "Pass them to the client."],
  [/^server/, "Send requests to another address.", "Change the client's `baseUrl`."],
  [/^media-type-removed/, "Use another media type before the service changes.", "Use another media type."],
  [
    /^(?!enum|required|known)[a-z-]*removed .*changed /,
    "Use the new one when the service changes.",
    "Use the new one: the old one no longer compiles.",
  ],
  [
    /^(?:[a-z-]+-became-required|required-properties-added|request-body-added) /,
    "Send it before the service changes.",
    "Add it to the calls that no longer compile.",
  ],
  [/^known/, "Send only what is still known, before the service changes.", "Nothing: types allow other values too."],
  [
    /^schema-constraint-changed (?:exclusive|m(?:ax|in)[A-Zi]|multipleOf|pattern|uniqueItems).*request$/,
    "Send only what is still accepted, before the service changes.",
    "Nothing: types don't tell it.",
  ],
  [
    /^(?!enum|required|known)[a-z-]*removed /,
    "Stop using it before the service changes.",
    "Remove it from the code, which no longer compiles.",
  ],
  [
    / response$/,
    "Be ready for the new values, or for none, before the service changes.",
    "Correct the code that reads the response and no longer compiles.",
  ],
  [
    / request$/,
    "Send only what is still accepted, before the service changes.",
    "Correct the calls that no longer compile.",
  ],
];

/** A change that breaks consumers, by the rule that says so and the keyword; in requests if it is not about responses. */
export function rateBreakage(kind: Change["kind"], rule: string, direction?: Direction, detail = "") {
  return { impact: "major", advice: adviseOn(`${rule} ${detail} ${kind} ${direction ?? "request"}`), kind } as const;
}

/** A change that breaks nobody. */
export function rateHarmless(kind: Change["kind"], impact: Impact, keyword?: string) {
  return { impact, advice: adviseOn(keyword === "default" ? keyword : kind), kind };
}

function adviseOn(subject: string): Change["advice"] {
  const [, http = "", types = ""] = adviceTable.find(([pattern]) => pattern.test(subject)) ?? [];
  return { http, types };
}

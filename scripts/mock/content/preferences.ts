import type { Operation, Response } from "../../contract/generation.ts";
import { maxDelay, readDelay } from "./delays.ts";
import { maskAndCut } from "../../exchange/secrets.ts";
import { unescapeQuoted } from "../../spec/mediaTypes.ts";
import { lowestDefault } from "../../spec/openapi.ts";
import { selectResponse } from "../../contract/selectedResponse.ts";
import type { FoundViolation } from "../../exchange/requestViolation.ts";

const names = ["code", "example", "dynamic", "seed", "delay"] as const;

/**
 * The preferences of a request, from `Prefer` (RFC 7240) or from the query parameters `__code`, `__example`
 * and so on. They aren't validated.
 */
export type Preferences = { readonly [Name in (typeof names)[number]]?: string };

/**
 * Reads the preferences that the mock supports. As RFC 7240 demands, unknown ones are ignored, and the first
 * of two wins.
 */
export function readPreferences(
  prefer: string | string[] | undefined,
  query: Readonly<Record<string, string | string[]>>,
): Preferences {
  return prefer === undefined ? readQueryPreferences(query) : readPreferHeader(String(prefer));
}

/** Returns whether a query parameter is a preference, such as `__code`. */
export function isPreference(name: string): boolean {
  return names.some((one) => name === `__${one}`);
}

function readQueryPreferences(query: Readonly<Record<string, string | string[]>>): Preferences {
  const found = names.flatMap((name) => {
    const value = query[`__${name}`];
    return typeof value === "string" ? [[name, value] as const] : [];
  });
  return Object.fromEntries(found);
}

/** Matches a preference or one of its parameters, with its value, which may be quoted, or a separator. */
const preferPart =
  /(?<separator>[,;])|(?<token>[^\s=,;"]+)\s*(?:=\s*(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<plain>[^\s,;"]*)))?/g;

function readPreferHeader(prefer: string): Preferences {
  const preferences: { -readonly [Name in keyof Preferences]: Preferences[Name] } = {};
  let isForeign = false;
  let before = ",";
  for (const { groups = {} } of prefer.matchAll(preferPart)) {
    const { separator, token, quoted, plain = "true" } = groups;
    if (separator !== undefined) {
      before = separator;
      continue;
    }
    const name = names.find((known) => known === token?.toLowerCase());
    // By the RFC, a semicolon begins a parameter of the previous preference, but many clients separate
    // preferences with it.
    if (before === ",") isForeign = name === undefined;
    if (name !== undefined && !isForeign) preferences[name] ??= quoted === undefined ? plain : unescapeQuoted(quoted);
    before = "";
  }
  return preferences;
}

/** A preference that the mock can't satisfy. */
export interface UnmetPreference {
  /** The preference as it was sent: `code=200`. */
  readonly preference: string;
  /** The reason: `the operation declares 201`. */
  readonly rule: string;
  /** The possible values. */
  readonly expected: unknown;
}

/** Describes a preference that the mock can't satisfy. */
export function refusePreference({ preference, rule, expected }: UnmetPreference): FoundViolation {
  return {
    code: "preference",
    in: "header",
    name: "Prefer",
    message: `Prefer: ${preference} cannot be met: ${rule}.`,
    expected,
  };
}

/** Checks whether the mock can satisfy a request's `delay`. */
export function unmetDelay({ delay }: Preferences): UnmetPreference | undefined {
  if (delay === undefined || readDelay(delay) !== undefined) return undefined;
  const rule = `delay is a whole number of milliseconds from 0 to ${maxDelay}`;
  return { preference: `delay=${maskAndCut(delay)}`, rule, expected: { minimum: 0, maximum: maxDelay } };
}

/** Returns the first other preference that the mock can't satisfy, or `undefined`. */
export function unmetPreference(operation: Operation, preferences: Preferences): UnmetPreference | undefined {
  const { code, example, dynamic } = preferences;
  if (dynamic !== undefined && dynamic !== "true" && dynamic !== "false") {
    const expected = ["true", "false"];
    return { preference: `dynamic=${maskAndCut(dynamic)}`, rule: "dynamic is true or false", expected };
  }
  const isFinalStatus = code === undefined || /^[2-5]\d\d$/.test(code);
  const response = isFinalStatus ? selectResponse(operation, code) : undefined;
  if (response === undefined) {
    const codes = operation.responses.map((declared) => declared.status);
    if (code === undefined) return undefined;
    const rule = describeCodes(codes, lowestDefault(operation.responses));
    return { preference: `code=${maskAndCut(code)}`, rule, expected: codes };
  }
  const names = exampleNames(response);
  if (example === undefined || names.includes(example)) return undefined;
  const elsewhere = operation.responses.filter((other) => exampleNames(other).includes(example));
  const codes = elsewhere.map((other) => other.status).join(" or ");
  const noun = names.length === 1 ? "example" : "examples";
  const there = names.length === 0 ? "no named examples" : `only the ${noun} ${names.join(", ")}`;
  const rule = `the ${response.status} response has ${there}${codes === "" ? "" : `; add code=${codes}`}`;
  return { preference: `example=${maskAndCut(example)}`, rule, expected: names };
}

function describeCodes(codes: readonly string[], lowest: number): string {
  const others = codes.includes("default") ? `, and "default" for any other status from ${lowest} to 599` : "";
  return `the operation declares ${codes.filter((code) => code !== "default").join(", ") || "no response"}${others}`;
}

function exampleNames({ content }: Pick<Response, "content">): string[] {
  return [...new Set(content.flatMap(({ examples }) => examples.map(({ name }) => name)))];
}

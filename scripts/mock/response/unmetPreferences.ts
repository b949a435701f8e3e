import type { Operation, Response } from "../../contract/generation.ts";
import { longestDelay, readDelay } from "../faults.ts";
import type { Preferences } from "../request/preferences.ts";
import { shorten } from "../secrets.ts";
import { selectResponse } from "./prism.ts";
import type { Violation } from "./refusal.ts";

/** Says whether the `delay` of a request cannot be met. */
export function unmetDelay({ delay }: Preferences): readonly Violation[] {
  if (delay === undefined || readDelay(delay) !== undefined) return [];
  const rule = `delay is a whole number of milliseconds from 0 to ${longestDelay}`;
  return unmet(`delay=${shorten(delay)}`, rule, { minimum: 0, maximum: longestDelay });
}

/** Says which of the other preferences cannot be met, and what can. */
export function unmetPreferences(operation: Operation, preferences: Preferences): readonly Violation[] {
  const { code, example, dynamic } = preferences;
  if (dynamic !== undefined && dynamic !== "true" && dynamic !== "false") {
    return unmet(`dynamic=${shorten(dynamic)}`, "dynamic is true or false", ["true", "false"]);
  }
  const isFinalStatus = code === undefined || /^[2-5]\d\d$/.test(code);
  const response = isFinalStatus ? selectResponse(operation, code) : undefined;
  if (response === undefined) {
    const codes = operation.responses.map((declared) => declared.status);
    return code === undefined ? [] : unmet(`code=${shorten(code)}`, describeCodes(codes), codes);
  }
  const names = exampleNames(response);
  if (example === undefined || names.includes(example)) return [];
  const elsewhere = operation.responses.filter((other) => exampleNames(other).includes(example));
  const codes = elsewhere.map((other) => other.status).join(" or ");
  const there = names.length === 0 ? "no named examples" : `only ${names.join(", ")}`;
  const rule = `the ${response.status} response has ${there}${codes === "" ? "" : `; add code=${codes}`}`;
  return unmet(`example=${shorten(example)}`, rule, names);
}

function unmet(preference: string, rule: string, expected: unknown): readonly Violation[] {
  return [{ in: "header", name: "Prefer", message: `Prefer: ${preference} cannot be met: ${rule}.`, expected }];
}

function describeCodes(codes: readonly string[]): string {
  const others = codes.includes("default") ? ', and "default" for any other status from 200 to 599' : "";
  return `the operation declares ${codes.filter((code) => code !== "default").join(", ") || "no response"}${others}`;
}

function exampleNames({ content }: Pick<Response, "content">): string[] {
  return [...new Set(content.flatMap(({ examples }) => examples.map(({ name }) => name)))];
}

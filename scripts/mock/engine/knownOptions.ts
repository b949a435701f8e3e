import { suggestNames } from "../../values/similarName.ts";
import type { MockOptions } from "../mockTypes.ts";

/** The options of an in-process mock that every runtime supports. */
export const commonOptions = [
  ...(["bodyLimit", "dynamic", "fail", "generation", "gzip", "latency", "onResponse"] as const),
  ...(["seed", "seedState", "stateless", "stateLimit", "unknown", "validate"] as const),
] satisfies readonly (keyof MockOptions)[];

/** Throws `TypeError` for an option that a function doesn't support. */
export function requireKnown(name: string, options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((option) => !known.includes(option));
  if (unknown === undefined) return;
  throw new TypeError(`${name} has no option ${unknown}: ${suggestNames(unknown, known)}`);
}

import { closest } from "fastest-levenshtein";

/** The name most similar to an unknown one; `undefined` if there are no names. */
export function similarName(unknown: string, names: readonly string[]): string | undefined {
  // Long names are compared by their beginnings only, so that no request takes long.
  return names.length === 0 ? undefined : closest(unknown.slice(0, 200), names);
}

/** A sentence with the most similar name, after a space. Empty if there are no names. */
export function similarHint(unknown: string, names: readonly string[]): string {
  const similar = similarName(unknown, names);
  return similar === undefined ? "" : ` The most similar one is ${JSON.stringify(similar)}.`;
}

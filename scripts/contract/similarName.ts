import { closest, distance } from "fastest-levenshtein";

/** The name most similar to an unknown one; `undefined` if there are no names. */
export function similarName(unknown: string, names: readonly string[]): string | undefined {
  // Long names are compared by their beginnings only, so that no request takes long.
  return names.length === 0 ? undefined : closest(unknown.slice(0, 200), names);
}

/** The name that an unknown one is probably a misspelling of; `undefined` if none is similar enough. */
export function likelyName(unknown: string, names: readonly string[]): string | undefined {
  const similar = similarName(unknown, names) ?? "";
  const changes = distance(unknown, similar);
  const isAlmost = changes <= Math.max(3, unknown.length / 4) && changes * 2 <= unknown.length;
  return isAlmost || sortLetters(unknown) === sortLetters(similar) ? similar : undefined;
}

function sortLetters(name: string): string {
  return Array.from(name).sort().join("");
}

/** A sentence with the most similar name, after a space. Empty if there are no names. */
export function similarHint(unknown: string, names: readonly string[]): string {
  const similar = similarName(unknown, names);
  return similar === undefined ? "" : ` The most similar one is ${JSON.stringify(similar)}.`;
}

const listedNames = 12;

/** Helps with an unknown name: the name that was probably meant, or else all names if they are few. */
export function suggestNames(unknown: string, names: readonly string[]): string {
  const meant = names.length > listedNames ? similarName(unknown, names) : likelyName(unknown, names);
  if (meant !== undefined) return `did you mean ${meant}?`;
  return names.length === 0 ? "there are none" : `there are ${names.join(", ")}`;
}

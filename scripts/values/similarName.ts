import { closest, distance } from "fastest-levenshtein";
import { wordsOf } from "./text.ts";

/** Longer names are compared by their beginnings only, so that no request takes long. */
const maxComparedLength = 200;

/** The name most similar to an unknown one; `undefined` if there are no names. */
function similarName(unknown: string, names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : closest(unknown.slice(0, maxComparedLength), names);
}

/** The name that an unknown one is probably a misspelling of; `undefined` if none is similar enough. */
export function likelyName(unknown: string, names: readonly string[]): string | undefined {
  const similar = similarName(unknown, names) ?? "";
  const changes = distance(unknown, similar);
  const isAlmost = changes <= Math.max(3, unknown.length / 4) && changes * 2 <= unknown.length;
  return isAlmost || sortLetters(unknown) === sortLetters(similar) ? similar : undefined;
}

/**
 * The name that a person meant by an unknown one: a misspelling or a part of it, as `getTeams` is of `getOrganizationTeam`.
 * `undefined` if there is none.
 */
export function meantName(unknown: string, names: readonly string[]): string | undefined {
  return likelyName(unknown, names) ?? longerName(unknown, names);
}

/** The shortest name that has all words of an unknown one, or words that begin like them. */
function longerName(unknown: string, names: readonly string[]): string | undefined {
  const words = wordsOf(unknown.slice(0, maxComparedLength));
  const hasAll = (own: readonly string[]) =>
    words.every((word) => own.some((one) => one.startsWith(word) || word.startsWith(one)));
  const longer = words.length === 0 ? [] : names.filter((name) => hasAll(wordsOf(name)));
  return longer.toSorted((a, b) => a.length - b.length)[0];
}

/** The name that another one almost is, such as that of an extension. `undefined` if it is one of the names, or unlike them. */
export function almostName(unknown: string, names: readonly string[]): string | undefined {
  const similar = similarName(unknown, names) ?? unknown;
  return unknown !== similar && distance(unknown, similar) * 3 < unknown.length ? similar : undefined;
}

function sortLetters(name: string): string {
  return Array.from(name).sort().join("");
}

const listedNames = 12;

/** Helps with an unknown name: the name that was probably meant, or else all names, or how many there are. */
export function suggestNames(unknown: string, names: readonly string[]): string {
  const meant = meantName(unknown, names);
  if (meant !== undefined) return `did you mean ${meant}?`;
  if (names.length > listedNames) return `none of the ${String(names.length)} names is similar`;
  return names.length === 0 ? "there are none" : `there are ${names.join(", ")}`;
}

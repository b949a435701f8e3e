import type { Generation } from "../../contract/generation.ts";
import { firstParagraph } from "../../contract/text.ts";

/** The words that the generations' titles have in common at the beginning. */
export function commonTitle(generations: readonly Generation[]): string {
  return commonBeginning(generations.map(({ title }) => title.split(" ")));
}

/** The sentences that the generations' descriptions have in common at the beginning; else the first paragraph of one. */
export function commonIntroduction(generations: readonly Generation[]): string {
  return commonBeginning(generations.map(({ description }) => firstParagraph(description).split(/(?<=[.!?]) /)));
}

/** The common beginning of all lists, on one line; all of the first list if they have nothing in common. */
function commonBeginning([first = [], ...others]: readonly (readonly string[])[]): string {
  const length = first.findIndex((part, index) => others.some((other) => other[index] !== part));
  return (length > 0 ? first.slice(0, length) : first).join(" ");
}

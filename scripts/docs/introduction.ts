import type { Generation } from "../contract/generation.ts";
import { firstParagraph } from "../contract/text.ts";

/** The words that the generations' titles have in common at the beginning. */
export function commonTitle(generations: readonly Generation[]): string {
  return commonBeginning(generations.map(({ title }) => title.split(" ")));
}

/** The sentences that the generations' descriptions have in common at the beginning; else the first paragraph of one. */
export function commonIntroduction(generations: readonly Generation[]): string {
  return commonBeginning(generations.map(({ description }) => firstParagraph(description).split(/(?<=[.!?]) /)));
}

/** The part of a generation's description before its first heading, without what all generations begin with. */
export function ownIntroduction({ description }: Generation, common: string): string {
  const [text = ""] = description.split(/^#/m);
  const words = common.split(" ").map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return text.replace(new RegExp(String.raw`^\s*${words.join(String.raw`\s+`)}\s*`), "").trim() || text.trim();
}

/** What all lists begin with, on one line; all of the first list if they have nothing in common. */
function commonBeginning([first = [], ...others]: readonly (readonly string[])[]): string {
  const length = first.findIndex((part, index) => others.some((other) => other[index] !== part));
  return (length > 0 ? first.slice(0, length) : first).join(" ");
}

import { groupBy } from "../contract/text.ts";
import type { Change } from "../diff/changes.ts";

/** Headings below a generation's, in their order. */
const sections = ["Breaking", "Added", "Changed", "Deprecated", "Clarified"] as const;

/**
 * Completes the text of an entry with a line for each change that it doesn't name. A person's words stay as they are: those
 * before the first heading, and lines of their own in any section.
 */
export function completeEntry(text: string, changes: readonly Change[]): string {
  const { words, generations } = readEntry(text);
  for (const [generation, own] of groupBy(changes, (change) => change.generation)) {
    const lines = generations.get(generation) ?? new Map<string, string>();
    generations.set(generation, lines);
    for (const change of own) {
      if (isNamed(change, text)) continue;
      const section = sectionOf(change);
      lines.set(section, [lines.get(section), changeLine(change)].filter((part) => part).join("\n"));
    }
  }
  const parts = [...generations].flatMap(([generation, lines]) => {
    // Sections that a person has added come last.
    const present = [...new Set([...sections, ...lines.keys()])].filter((section) => lines.has(section));
    return [`### ${generation}`, ...present.flatMap((section) => [`#### ${section}`, lines.get(section) ?? ""])];
  });
  return [words, ...parts].filter((part) => part !== "").join("\n\n");
}

/** Tells whether an entry has a line about a change, however its lines are broken and whatever else they say. */
export function isNamed(change: Change, text: string): boolean {
  const inOneLine = (part: string) => part.replaceAll(/\s+/g, " ");
  const section = readEntry(text).generations.get(change.generation)?.get(sectionOf(change)) ?? "";
  return inOneLine(section).includes(inOneLine(change.message.replace(/\.$/, "")));
}

/** A change as an item of a list in Markdown. */
export function changeLine({ message, operations }: Change): string {
  const listed = operations.filter((operation) => !message.includes(operation)).map((operation) => `\`${operation}\``);
  return `- ${message}${listed.length === 0 ? "" : ` In ${listed.join(", ")}.`}`;
}

function sectionOf({ impact, kind }: Change): (typeof sections)[number] {
  if (impact === "major") return "Breaking";
  if (kind === "added") return "Added";
  if (kind === "deprecated") return "Deprecated";
  return kind === "clarified" ? "Clarified" : "Changed";
}

/** The words before the first heading, and what stands below each generation's headings. */
function readEntry(text: string) {
  const [words = "", ...parts] = text.split(/^### /m);
  const generations = parts.map((part) => {
    const [name = "", ...rest] = part.split(/^#### /m);
    const lists = rest.map((list) => {
      const [section = "", ...lines] = list.split("\n");
      return [section.trim(), lines.join("\n").trim()] as const;
    });
    return [name.trim(), new Map(lists)] as const;
  });
  return { words: words.trim(), generations: new Map(generations) };
}

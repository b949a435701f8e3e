import { groupBy } from "../contract/text.ts";
import type { Change } from "../diff/changes.ts";

/** Headings below a generation's, in their order. */
const sections = ["Breaking", "Added", "Changed", "Deprecated", "Clarified"] as const;

/**
 * Completes the text of an entry with a line for each change that it doesn't name, below the heading of its generation and
 * section. All that a person has written stays as it is.
 */
export function completeEntry(text: string, changes: readonly Change[]): string {
  const parts = partsOf(text, "### ");
  const missing = changes.filter((change) => !isNamed(change, text));
  for (const [generation, own] of groupBy(missing, (change) => change.generation)) {
    const heading = `### ${generation}`;
    const index = parts.findIndex((part) => firstLine(part) === heading);
    const completed = completeGeneration(index === -1 ? heading : (parts[index] ?? ""), own);
    parts.splice(index === -1 ? parts.length : index, 1, completed);
  }
  return parts.join("\n\n");
}

function completeGeneration(text: string, changes: readonly Change[]): string {
  const parts = partsOf(text, "#### ");
  for (const [section, own] of groupBy(changes, sectionOf)) {
    const heading = `#### ${section}`;
    const lines = own.map(changeLine).join("\n");
    const index = parts.findIndex((part) => firstLine(part) === heading);
    if (index !== -1) parts.splice(index, 1, `${parts[index] ?? ""}\n${lines}`);
    else {
      const later = sections.slice(sections.indexOf(section) + 1).map((name) => `#### ${name}`);
      const next = parts.findIndex((part) => later.includes(firstLine(part)));
      parts.splice(next === -1 ? parts.length : next, 0, `${heading}\n\n${lines}`);
    }
  }
  return parts.join("\n\n");
}

/** Tells whether an entry has the line of a change, however it is broken and whatever a person has added to it. */
export function isNamed(change: Change, text: string): boolean {
  const inOneLine = (part: string) => part.replaceAll(/\s+/g, " ");
  const own = partsOf(text, "### ").filter((part) => firstLine(part) === `### ${change.generation}`);
  const line = inOneLine(changeLine(change)).replace(/\.$/, "");
  return own.some((part) => inOneLine(part).includes(line));
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

/** The parts of a text that begin with a heading, and before them what stands above the first, if anything does. */
function partsOf(text: string, mark: string): string[] {
  const parts = text.split(new RegExp(`^(?=${mark})`, "m")).map((part) => part.trim());
  return parts.filter((part) => part !== "");
}

function firstLine(text: string): string {
  return (text.split("\n")[0] ?? "").trim();
}

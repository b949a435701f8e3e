import { onOneLine } from "../contract/text.ts";
import type { Change } from "../diff/changes.ts";

/** Headings below a generation's, in their order. */
const sections = ["Breaking", "Added", "Changed", "Deprecated", "Clarified"] as const;

/**
 * Completes the text of an entry with a line for each change that it doesn't name, below the heading of its generation and
 * section. All that a person has written stays as it is.
 */
export function completeEntry(text: string, changes: readonly Change[]): string {
  const missing = changes.filter((change) => !isNamed(change, text));
  return missing.reduce(
    (entry, change) =>
      completePart(entry, `### ${change.generation}`, [], (generation) => {
        const section = sectionOf(change);
        const later = sections.slice(sections.indexOf(section) + 1).map((name) => `#### ${name}`);
        return completePart(generation, `#### ${section}`, later, (part) =>
          [part, changeLine(change)].join(part.includes("\n") ? "\n" : "\n\n"),
        );
      }),
    text,
  );
}

/** Completes the part below a heading; one that is missing comes before those that are `later`. */
function completePart(text: string, heading: string, later: readonly string[], complete: (part: string) => string) {
  const parts = partsOf(text, heading.replace(/\S+$/, ""));
  const index = parts.findIndex((part) => firstLine(part) === heading);
  const next = parts.findIndex((part) => later.includes(firstLine(part)));
  const place = index === -1 ? next : index;
  parts.splice(place === -1 ? parts.length : place, index === -1 ? 0 : 1, complete(parts[index] ?? heading));
  return parts.join("\n\n");
}

/** Tells whether an entry has the line of a change, however it is broken and whatever a person has added to it. */
export function isNamed(change: Change, text: string): boolean {
  const own = partsOf(text, "### ").filter((part) => firstLine(part) === `### ${change.generation}`);
  const line = onOneLine(changeLine(change)).replace(/\.$/, "");
  return own.some((part) => onOneLine(part).includes(line));
}

/** A change as an item of a list in Markdown. */
export function changeLine({ message, named, operations }: Change): string {
  const listed = operations.filter((operation) => operation !== named).map((operation) => `\`${operation}\``);
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

import { changelogFile, loadChangelog, unreleasedEntry } from "../contract/changelog.ts";
import { onOneLine, withoutEnd } from "../contract/text.ts";
import type { Change } from "../diff/changes.ts";
import { formatEntry } from "./formatEntry.ts";

/**
 * Advises on the changelog in the current folder: what to paste there, so that its unreleased entry names every
 * breaking change. Resolves to `undefined` if it does, or if there is no changelog.
 */
export async function adviseOnChangelog(changes: readonly Change[]): Promise<string | undefined> {
  const changelog = await loadChangelog();
  if (changelog === undefined) return undefined;
  const entry = unreleasedEntry(changelog);
  const text = entry?.text ?? "";
  const unnamed = changes.filter((change) => change.impact === "major" && !isNamed(change, text));
  if (unnamed.length === 0) return undefined;
  const advice =
    entry === undefined
      ? `Next: add this entry to ${changelogFile}, above the newest release:`
      : `Next: replace the entry \`## Unreleased\` in ${changelogFile} with this one:`;
  return [advice, "## Unreleased", await formatEntry(completeEntry(text, unnamed))].join("\n\n");
}

/** Headings below a generation's, in order. */
const sections = ["Breaking", "Added", "Changed", "Deprecated", "Clarified"] as const;

/**
 * Adds a line to an entry for each change that it doesn't name, below the heading of its generation and
 * section. Hand-written text stays unchanged.
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

/** Completes the part below a heading. A missing heading is added before those in `later`. */
function completePart(text: string, heading: string, later: readonly string[], complete: (part: string) => string) {
  const parts = partsOf(text, heading.replace(/\S+$/, ""));
  const index = parts.findIndex((part) => firstLine(part) === heading);
  const next = parts.findIndex((part) => later.includes(firstLine(part)));
  const place = index === -1 ? next : index;
  parts.splice(place === -1 ? parts.length : place, index === -1 ? 0 : 1, complete(parts[index] ?? heading));
  return parts.join("\n\n");
}

/** Returns whether an entry has the line of a change, even if it is wrapped or extended. */
export function isNamed(change: Change, text: string): boolean {
  const own = partsOf(text, "### ").filter((part) => firstLine(part) === `### ${change.generation}`);
  const line = withoutEnd(onOneLine(changeLine(change)), ".");
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

/**
 * The parts of a text that begin with a heading. The text above the first heading comes first, if there is
 * any.
 */
function partsOf(text: string, mark: string): string[] {
  const parts = text.split(new RegExp(`^(?=${mark})`, "m")).map((part) => part.trim());
  return parts.filter((part) => part !== "");
}

function firstLine(text: string): string {
  return (text.split("\n")[0] ?? "").trim();
}

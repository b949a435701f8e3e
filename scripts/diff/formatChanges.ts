import { countOf } from "../contract/text.ts";
import { impacts, type Change } from "./changes.ts";

/** The ways to write changes. */
export const reportFormats = ["text", "markdown", "json"] as const;

/** Writes changes for people, for a comment, or for programs; without a line break at the end. */
export function formatChanges(changes: readonly Change[], format: (typeof reportFormats)[number]): string {
  if (format === "json") return formatAsJson(changes);
  const heading = `${countChanges(changes)}.`;
  if (changes.length === 0) return "No change for consumers.";
  return [heading, "", changes.map(format === "text" ? formatAsText : formatAsMarkdown).join("\n\n")].join("\n");
}

/** The number of changes of each impact, in words: `1 major, 2 patch`. */
export function countChanges(changes: readonly Change[]): string {
  const counts = impacts.map(
    (impact) => [changes.filter((change) => change.impact === impact).length, impact] as const,
  );
  const parts = counts.filter(([count]) => count > 0).map(([count, impact]) => `${count} ${impact}`);
  return parts.length === 0
    ? "no change for consumers"
    : `${countOf(changes.length, "change")} for consumers: ${parts.join(", ")}`;
}

function formatAsJson(changes: readonly Change[]): string {
  const members = changes.map((change) => ({ ...change, operation: change.operations[0] ?? null }));
  const summary = Object.fromEntries(
    impacts.map((impact) => [impact, changes.filter((change) => change.impact === impact).length]),
  );
  return JSON.stringify({ summary, changes: members }, null, 2);
}

function formatAsText({ impact, generation, message, operations, pointer, file, line, advice }: Change): string {
  return [
    `${impact}  ${generation}  ${message}`,
    ...(operations.length === 0 ? [] : [`    operations: ${operations.join(", ")}`]),
    `    place: ${placeText(file, line, pointer)}`,
    ...(impact === "patch" ? [] : [`    over HTTP: ${advice.http}`, `    in TypeScript: ${advice.types}`]),
  ].join("\n");
}

function formatAsMarkdown({ impact, generation, message, operations, pointer, file, line, advice }: Change): string {
  return [
    `- **${impact}** in ${generation}: ${message}`,
    ...(operations.length === 0 ? [] : [`  - Operations: ${operations.map((name) => `\`${name}\``).join(", ")}`]),
    `  - Place: \`${placeText(file, line, pointer)}\``,
    ...(impact === "patch" ? [] : [`  - Over HTTP: ${advice.http}`, `  - In TypeScript: ${advice.types}`]),
  ].join("\n");
}

function placeText(file: string | undefined, line: number | undefined, pointer: string): string {
  return file === undefined ? `#${pointer}` : `${file}:${line ?? 1}`;
}

import { capitalize, countOf } from "../contract/text.ts";
import type { Generation } from "../contract/generation.ts";
import { readReleased } from "./baseGenerations.ts";
import { impacts, type Change } from "./changes.ts";
import { compareGenerations } from "./compareGenerations.ts";

/** The formats of a report. */
export const reportFormats = ["text", "markdown", "json"] as const;

/** Formats changes as text, as Markdown for a comment, or as JSON, without a trailing line break. */
export function formatChanges(changes: readonly Change[], format: (typeof reportFormats)[number]): string {
  if (format === "json") {
    const summary = Object.fromEntries(impacts.map((impact) => [impact, numberOf(changes, impact)]));
    const members = changes.map((change) => ({ ...change, operation: change.operations[0] ?? null }));
    return JSON.stringify({ summary, changes: members }, null, 2);
  }
  const heading = countChanges(changes);
  const texts = changes.map((change) => formatChange(change, format === "markdown"));
  return [`${capitalize(heading)}.`, ...texts].join("\n\n");
}

/** The number of changes of each impact, in words: `3 changes for consumers: 1 major, 2 patch`. */
export function countChanges(changes: readonly Change[]): string {
  if (changes.length === 0) return "no change for consumers";
  const present = impacts.filter((impact) => numberOf(changes, impact) > 0);
  const counts = present.map((impact) => `${numberOf(changes, impact)} ${impact}`);
  return `${countOf(changes.length, "change")} for consumers: ${counts.join(", ")}`;
}

/**
 * Summarizes the changes for consumers since the last release in a few lines: their number, and the gaps that
 * were closed and opened. Empty without a release.
 */
export async function summarizeChanges(generations: readonly Generation[]): Promise<readonly string[]> {
  const released = await readReleased();
  if (released.length === 0) return [];
  const changes = compareGenerations(released, generations);
  const hint = changes.length === 0 ? "" : " (npm run diff lists them)";
  return [
    `since the last release: ${countChanges(changes)}${hint}`,
    ...generations.flatMap(({ name }) => {
      const gaps = changes.flatMap((change) => (change.generation === name ? (change.gaps ?? []) : []));
      const [closed, opened] = [gaps.flatMap((one) => one.closed).length, gaps.flatMap((one) => one.opened).length];
      return closed + opened === 0 ? [] : [`gaps of ${name}: ${closed} closed, ${opened} opened`];
    }),
  ];
}

function numberOf(changes: readonly Change[], impact: Change["impact"]): number {
  return changes.filter((change) => change.impact === impact).length;
}

function formatChange(
  { impact, generation, message, operations, pointer, file, line, advice }: Change,
  marks: boolean,
) {
  const [item, detail, strong, code] = marks ? ["- ", "  - ", "**", "`"] : ["", "    ", "", ""];
  const names = operations.map((name) => code + name + code).join(", ");
  const place = file === undefined ? `#${pointer}` : `${file}:${line ?? 1}`;
  return [
    `${item}${strong}${impact}${strong}  ${generation}  ${message}`,
    ...(names === "" ? [] : [`${detail}operations: ${names}`]),
    `${detail}place: ${code}${place}${code}`,
    ...(impact === "patch" ? [] : [`${detail}over HTTP: ${advice.http}`, `${detail}in TypeScript: ${advice.types}`]),
  ].join("\n");
}

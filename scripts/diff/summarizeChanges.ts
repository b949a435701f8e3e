import type { Generation } from "../contract/generation.ts";
import { readReleased } from "./baseGenerations.ts";
import type { Change } from "./changes.ts";
import { compareGenerations } from "./compareGenerations.ts";
import { countChanges } from "./formatChanges.ts";

/**
 * Tells in a few lines what generations changed for consumers since the last release: the number of changes, and the gaps
 * that were closed and opened. No line without a release.
 */
export async function summarizeChanges(generations: readonly Generation[]): Promise<readonly string[]> {
  const released = await readReleased();
  if (released.length === 0) return [];
  const changes = await compareGenerations(released, generations);
  const hint = changes.length === 0 ? "" : " (npm run diff lists them)";
  return [
    `since the last release: ${countChanges(changes)}${hint}`,
    ...generations.flatMap(({ name }) => countGaps(name, changes)),
  ];
}

function countGaps(name: string, changes: readonly Change[]): readonly string[] {
  const gaps = changes.flatMap((change) => (change.generation === name ? (change.gaps ?? []) : []));
  const [closed, opened] = [gaps.flatMap((one) => one.closed).length, gaps.flatMap((one) => one.opened).length];
  return closed + opened === 0 ? [] : [`gaps of ${name}: ${closed} closed, ${opened} opened`];
}

import { readFolder } from "../command/files.ts";
import type { Generation } from "../contract/generation.ts";
import { readReleased } from "./baseGenerations.ts";
import type { Change } from "./changes.ts";
import { compareGenerations } from "./compareGenerations.ts";
import { countChanges } from "./formatChanges.ts";

/**
 * Tells in a few lines what generations changed for consumers since the last release: the number of changes; the gaps that
 * were closed and opened; and the texts in openapi/ that still speak of a closed one. No line without a release.
 */
export async function summarizeChanges(generations: readonly Generation[]): Promise<readonly string[]> {
  const released = await readReleased();
  if (released.length === 0) return [];
  const changes = await compareGenerations(released, generations);
  const hint = changes.length === 0 ? "" : " (npm run diff lists them)";
  const closing = changes.filter(({ gaps }) => gaps !== undefined && gaps.closed.length > 0);
  const stale = closing.length === 0 ? [] : await findStaleTexts(closing, generations);
  return [
    `since the last release: ${countChanges(changes)}${hint}`,
    ...generations.flatMap(({ name }) => countGaps(name, changes)),
    ...(stale.length === 0 ? [] : ["these texts may still say that it isn't specified:", ...stale]),
  ];
}

function countGaps(name: string, changes: readonly Change[]): readonly string[] {
  const gaps = changes.flatMap((change) => (change.generation === name ? (change.gaps ?? []) : []));
  const [closed, opened] = [gaps.flatMap((one) => one.closed).length, gaps.flatMap((one) => one.opened).length];
  return closed + opened === 0 ? [] : [`gaps of ${name}: ${closed} closed, ${opened} opened`];
}

const unknown = /(?<!x-)unspecified|\bunknown\b|(?:n't|not)\s+(?:\w+\s+)?(?:specified|known|shown|documented|say)/i;

/** The lines that call something unknown, near the name of a place and the gap that was closed there. */
async function findStaleTexts(
  changes: readonly Change[],
  generations: readonly Generation[],
): Promise<readonly string[]> {
  const texts = (await readFolder("openapi")).filter(({ path }) => /^(?!released\/).*\.(?:md|ya?ml)$/.test(path));
  const unsure = texts.flatMap(({ path, content }) =>
    content.split("\n").flatMap((line, index, lines) => {
      const around = lines.slice(Math.max(0, index - 2), index + 3).join(" ");
      return unknown.test(line) ? [{ place: `openapi/${path}:${index + 1}`, around }] : [];
    }),
  );
  const found = changes.flatMap(({ message, gaps, operations }) => {
    // A gap of an operation itself has no other place.
    const [, place] = /^[^ ]*(?:parameter |\.)([^ ]+)(?=: )/.exec(message) ?? [];
    const concerned = generations.flatMap((one) => one.operations.filter(({ name }) => operations.includes(name)));
    const names =
      place === undefined ? concerned.flatMap(({ operationId, title }) => [operationId ?? title, title]) : [place];
    return (gaps?.closed ?? []).flatMap((gap) => {
      const [word = gap] = gap.split(" ");
      return unsure
        .filter(({ around }) => around.toLowerCase().includes(word) && names.some((name) => around.includes(name)))
        .map((text) => `  ${text.place} (${names[0] ?? ""}: ${gap})`);
    });
  });
  return [...new Set(found)];
}

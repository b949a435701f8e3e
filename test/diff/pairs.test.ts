import { expect, it } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { compareGenerations } from "../../scripts/diff/compareGenerations.ts";
import { describePairs, markOf, pairs } from "./pairs.ts";

// All pairs are compared at once, because each comparison costs a process.
const [before, after] = describePairs();
const changes = compareGenerations(
  [readGeneration("forward", before), readGeneration("back", after)],
  [readGeneration("forward", after), readGeneration("back", before)],
);

it.concurrent.each(pairs.map((pair, index) => [...pair, index] as const))(
  "%s is rated as consumers feel it",
  { timeout: 60_000 },
  async (_kind, _edits, forward, back, index) => {
    const mark = markOf(index);
    const own = (await changes).filter(({ pointer, operations }) => [pointer, ...operations].join().includes(mark));
    const impactOf = (direction: string) => own.find(({ generation }) => generation === direction)?.impact ?? "none";
    expect({ forward: impactOf("forward"), back: impactOf("back") }, JSON.stringify(own, null, 2)).toEqual({
      forward,
      back,
    });
  },
);

it.concurrent("every change belongs to a pair, has a place and says what to do", { timeout: 60_000 }, async () => {
  const marks = pairs.map((_, index) => markOf(index));
  const isStray = (text: string) => !marks.some((mark) => text.includes(mark));
  const all = await changes;
  expect(all.length).toBeGreaterThan(pairs.length);
  expect(all.filter(({ pointer }) => isStray(pointer))).toEqual([]);
  expect(all.filter(({ operations }) => operations.length > 1 && isStray(operations.join()))).toEqual([]);
  expect(all.filter(({ message, advice }) => message === "" || advice.http === "" || advice.types === "")).toEqual([]);
});

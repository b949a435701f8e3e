import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { countVerdicts, isTooLow, judgePairs } from "./mutations.ts";

test("ten thousand changes of a random seed are rated as the values say", { timeout: 1_800_000 }, () => {
  const seed = randomInt(2 ** 30);
  const verdicts = judgePairs(seed, 17_000);
  const counts = countVerdicts(verdicts);
  console.log(`${JSON.stringify(counts)} of the seeds from ${String(seed)}.`);
  expect(verdicts.filter(isTooLow)).toEqual([]);
  expect(counts.judged).toBeGreaterThan(9_000);
  expect(counts.uncompared * 20).toBeLessThanOrEqual(counts.judged);
  expect(counts.tooHigh * 100).toBeLessThanOrEqual(counts.judged);
});

import { expect, test } from "vitest";
import { countVerdicts, isTooHigh, isTooLow, judgePairs } from "./mutations.ts";

test("changes with a known direction are rated as the values say", () => {
  const verdicts = judgePairs(1, 260);
  const counts = countVerdicts(verdicts);
  console.log(`${JSON.stringify(counts)} of the seeds from 1.`);
  expect(verdicts.filter(isTooLow)).toEqual([]);
  expect(verdicts.filter(isTooHigh)).toEqual([]);
  expect(counts.judged).toBeGreaterThan(100);
  expect(counts.uncompared * 20).toBeLessThanOrEqual(counts.judged);
});

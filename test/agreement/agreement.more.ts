import { randomInt } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compareParts } from "./comparisons.ts";
import { contracts } from "./contracts.ts";
import { comparePages } from "./pages.ts";

test("the parts agree on two hundred contracts of a random seed", async () => {
  const seed = randomInt(2 ** 31);
  console.log(`The seed of the contracts is ${String(seed)}.`);
  for (const contract of fc.sample(contracts, { numRuns: 200, seed })) {
    const { disagreements } = await compareParts(contract);
    expect(disagreements).toEqual([]);
  }
  const { disagreements } = await comparePages(fc.sample(contracts, { numRuns: 50, seed }));
  expect(disagreements).toEqual([]);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { compareParts } from "./comparisons.ts";
import { contracts } from "./contracts.ts";
import { comparePages } from "./pages.ts";

test("the validator, ajv, client, server and mock agree on thirty made contracts", async () => {
  for (const contract of fc.sample(contracts, { numRuns: 30, seed: 1 })) {
    const { compared, disagreements } = await compareParts(contract);
    expect(compared).toBeGreaterThan(10);
    expect(disagreements).toEqual([]);
  }
});

test("the pages say what thirty made contracts say", async () => {
  const { compared, disagreements } = await comparePages(fc.sample(contracts, { numRuns: 30, seed: 1 }));
  expect(compared).toBeGreaterThan(100);
  expect(disagreements).toEqual([]);
});

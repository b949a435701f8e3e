import fc from "fast-check";
import { expect, test } from "vitest";
import { contracts } from "./contracts.ts";
import { compareGenerated } from "./types.ts";

test("the types and the clients of ten made contracts take valid values, and refuse others", async () => {
  for (const { compared, disagreements } of await compareGenerated(fc.sample(contracts, { numRuns: 10, seed: 1 }))) {
    expect(compared).toBeGreaterThan(100);
    expect(disagreements).toEqual([]);
  }
});

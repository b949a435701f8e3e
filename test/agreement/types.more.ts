import { randomInt } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { contracts } from "./contracts.ts";
import { compareGenerated } from "./types.ts";

test("the types and the clients agree on two hundred contracts of a random seed", async () => {
  const seed = randomInt(2 ** 31);
  console.log(`The seed of the contracts is ${String(seed)}.`);
  for (const { disagreements } of await compareGenerated(fc.sample(contracts, { numRuns: 200, seed })))
    expect(disagreements).toEqual([]);
});

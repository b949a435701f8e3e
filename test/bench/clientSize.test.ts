import { expect, it } from "vitest";
import { measureClientSize } from "./clientSize.ts";
import { contracts } from "../fixtures/contracts.ts";

const advice =
  "`npm run bench -- client` has the goals, which this test allows some slack. If scripts/client has grown, make it smaller. " +
  "If it has not, the contract has more operations that need something of their own, such as a fixed header: look into " +
  "the `contract` in generated/*/client.ts, and raise the limits here and in test/bench/clientCost.ts if that is all.";

it.each(contracts)("the client of $name is small, and grows little with each operation", async (generation) => {
  const { withoutOperations, share } = await measureClientSize(generation);
  expect(withoutOperations, advice).toBeLessThanOrEqual(4_200);
  expect(share, advice).toBeLessThanOrEqual(18);
});

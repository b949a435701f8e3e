import { expect, it } from "vitest";
import { compareWithAjv, explain } from "./againstAjv.ts";

it("agrees with ajv on thousands of random values, but for ajv's known mistakes", () => {
  const { differences, pairs, valid } = compareWithAjv(150, 25, 3);
  expect(differences.filter((one) => explain(one) === undefined)).toEqual([]);
  expect(differences.length).toBeLessThan(pairs / 100);
  expect(pairs).toBeGreaterThan(3_000);
  expect(valid).toBeGreaterThan(pairs / 4);
  expect(valid).toBeLessThan((pairs * 3) / 4);
});

import { expect, test } from "vitest";
import { brokenAnswers, generations } from "./randomAnswers.ts";

test.each(generations)("200 random answers of each operation of $name keep the contract", async (generation) => {
  expect(await brokenAnswers(generation, 200)).toEqual([]);
});

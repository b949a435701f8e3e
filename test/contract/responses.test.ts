import { describe, expect, it } from "vitest";
import { contracts } from "../fixtures/contracts.ts";
import { createJudge, misjudgedOf, responseChecksOf } from "./checks.ts";

describe.each(contracts)("npm run verify, in responses of $name,", async (generation) => {
  const judge = createJudge(generation);
  it.each(await responseChecksOf(generation))("$subject: $title", (check) => {
    expect(misjudgedOf(check, judge)).toBeUndefined();
  });
});

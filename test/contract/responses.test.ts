import { describe, expect, it } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { createJudge, misjudgedOf, responseChecksOf } from "./checks.ts";

describe.each(await readBuiltGenerations())("npm run verify, in responses of $name,", (generation) => {
  const judge = createJudge(generation);
  it.each(responseChecksOf(generation))("$subject: $title", (check) => {
    expect(misjudgedOf(check, judge)).toBeUndefined();
  });
});

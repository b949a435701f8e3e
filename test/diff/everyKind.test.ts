import { describe, expect, it } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { compareGenerations } from "../../scripts/diff/compareGenerations.ts";
import { contracts, kindsName } from "../fixtures/contracts.ts";

describe("npm run diff, of operations of every kind,", () => {
  const [{ name, document, operations } = readGeneration(kindsName, { openapi: "3.1.1" })] = contracts.slice(-1);
  const whole = readGeneration(name, document);
  const paths = Object.entries(document.paths ?? {});
  const reordered = readGeneration(name, { ...document, paths: Object.fromEntries(paths.toReversed()) });
  const kept = Object.fromEntries(paths.filter((_, index) => index % 2 === 0));
  const half = readGeneration(name, { ...document, paths: kept });
  const gone = operations.filter(({ path }) => !Object.hasOwn(kept, path)).map((operation) => operation.name);

  it("finds no change in identical documents", () => {
    expect(compareGenerations([whole], [reordered])).toEqual([]);
  });

  it("reports every removed and added operation, and no other", () => {
    const removed = compareGenerations([whole], [half]);
    const broken = removed.filter(({ impact }) => impact === "major").flatMap((change) => change.operations);
    expect(new Set(broken)).toEqual(new Set(gone));
    const added = compareGenerations([half], [whole]);
    expect(added.filter(({ impact }) => impact === "major")).toEqual([]);
    expect(new Set(added.flatMap((change) => change.operations))).toEqual(new Set(gone));
  });
});

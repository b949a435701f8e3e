import type { Generation } from "../contract/generation.ts";
import { templateOf, type NormalizedDocument } from "./normalizedDocument.ts";
import { createOperationFinder, type OperationFinder } from "./operationUses.ts";

/** One of two states of a generation, as they are compared. */
export interface ComparedGeneration {
  readonly generation: Generation;
  /** Its document, as `redocly diff` gets it. */
  readonly normalized: NormalizedDocument;
  /** The operations' names by the same names with numbers for parameters. */
  readonly names: ReadonlyMap<string, string>;
  /** The paths by the same paths with numbers for parameters. */
  readonly paths: ReadonlyMap<string, string>;
  readonly findOperations: OperationFinder;
}

export function prepareGeneration(generation: Generation, normalized: NormalizedDocument): ComparedGeneration {
  const { operations } = generation;
  return {
    generation,
    normalized,
    names: new Map(operations.map(({ name }) => [templateOf(name), name])),
    paths: new Map(operations.map(({ path }) => [templateOf(path), path])),
    findOperations: createOperationFinder(generation),
  };
}

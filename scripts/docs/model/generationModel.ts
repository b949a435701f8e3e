import type { Generation } from "../../contract/generation.ts";
import { readOperationModel } from "./operationModel.ts";
import { readSchemas } from "./schemaModel.ts";

/** Facts on the pages of a generation and of its webhooks. */
export type GenerationModel = ReturnType<typeof readGenerationModel>;

export function readGenerationModel(generation: Generation) {
  const operations = [...generation.operations, ...generation.webhooks];
  const contents = operations.map((operation) => [operation, readOperationModel(generation, operation)] as const);
  return { generation, operations: new Map(contents), schemas: readSchemas(generation) };
}

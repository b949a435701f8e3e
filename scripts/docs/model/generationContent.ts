import type { Generation } from "../../contract/generation.ts";
import { readOperationContent } from "./operationContent.ts";
import { readSchemas } from "./schemaContent.ts";

/** What the pages of a generation say, and the pages of its webhooks. */
export type GenerationContent = ReturnType<typeof readGenerationContent>;

export function readGenerationContent(generation: Generation) {
  const operations = [...generation.operations, ...generation.webhooks];
  const contents = operations.map((operation) => [operation, readOperationContent(generation, operation)] as const);
  return { generation, operations: new Map(contents), schemas: readSchemas(generation) };
}

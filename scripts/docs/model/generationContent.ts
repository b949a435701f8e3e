import type { Generation, Operation } from "../../contract/generation.ts";
import { readOperationContent, type OperationContent } from "./operationContent.ts";
import { readSchemas, type SchemaContent } from "./schemaContent.ts";

/** What the pages of a generation say. */
export interface GenerationContent {
  readonly generation: Generation;
  /** That of the webhooks, too. */
  readonly operations: ReadonlyMap<Operation, OperationContent>;
  readonly schemas: ReadonlyMap<string, SchemaContent>;
}

export function readGenerationContent(generation: Generation): GenerationContent {
  const operations = [...generation.operations, ...generation.webhooks];
  const contents = operations.map((operation) => [operation, readOperationContent(generation, operation)] as const);
  return { generation, operations: new Map(contents), schemas: readSchemas(generation) };
}

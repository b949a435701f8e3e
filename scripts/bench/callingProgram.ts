import { jsonContent, type Generation, type Operation } from "../contract/generation.ts";

/**
 * A program that calls the operations of a generation in turn through openapi-fetch's interface, with the contract's
 * examples.
 */
export function callingProgram(imports: string, { operations }: Pick<Generation, "operations">, calls: number): string {
  const lines = Array.from({ length: calls }, (_, index) => {
    const operation = operations[index % operations.length];
    return operation === undefined ? "" : `export const call${index} = ${callOf(operation)};`;
  });
  return [imports, "const client = create();", ...lines, ""].join("\n");
}

function callOf({ method, path, parameters, requestBody }: Operation): string {
  const params: Record<string, Record<string, unknown>> = {};
  for (const { in: place, name, example } of parameters) params[place] = { ...params[place], [name]: example };
  const body = jsonContent(requestBody?.content)?.examples[0]?.value;
  return `await client.${method.toUpperCase()}("${path}", ${JSON.stringify({ params, body })})`;
}

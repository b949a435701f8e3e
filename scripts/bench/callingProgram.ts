import { jsonContent, type Generation, type Operation } from "../contract/generation.ts";

/**
 * A program that calls the operations of a generation in turn with the contract's examples: through openapi-fetch's
 * interface, unless told otherwise.
 */
export function callingProgram(
  imports: string,
  { operations }: Pick<Generation, "operations">,
  calls: number,
  callOf = callByPath,
): string {
  const lines = Array.from({ length: calls }, (_, index) => {
    const operation = operations[index % operations.length];
    return operation === undefined ? "" : `export const call${index} = await ${callOf(operation)};`;
  });
  return [imports, "const client = create();", ...lines, ""].join("\n");
}

function callByPath(operation: Operation): string {
  return `client.${operation.method.toUpperCase()}("${operation.path}", ${initOf(operation)})`;
}

/** A call by a function of the operations module, imported as `operations`. */
export function callByFunction(operation: Operation): string {
  return `operations.${operation.operationId ?? ""}(client, ${initOf(operation)})`;
}

function initOf({ parameters, requestBody }: Operation): string {
  const params: Record<string, Record<string, unknown>> = {};
  for (const { in: place, name, example } of parameters) params[place] = { ...params[place], [name]: example };
  const body = jsonContent(requestBody?.content)?.examples[0]?.value;
  return JSON.stringify({ params, body });
}

import { listOperations, type Document, type OperationEntry } from "../../contract/document.ts";
import { parameterExample, requestExamples } from "../../contract/exampleRequest.ts";

/** A program that calls operations of a contract by openapi-fetch's interface, one call each, with its examples. */
export function callingProgram(imports: string, document: Document, calls: number): string {
  const entries = listOperations(document).slice(0, calls);
  return [imports, "const client = create();", ...entries.map((entry) => callOf(document, entry)), ""].join("\n");
}

function callOf(document: Document, entry: OperationEntry): string {
  const params: Record<string, Record<string, unknown>> = {};
  for (const parameter of entry.parameters) {
    const { in: place = "", name } = parameter;
    params[place] = { ...params[place], [name]: parameterExample(parameter) };
  }
  const [body] = Object.values(requestExamples(document, entry.operation) ?? {});
  const init = JSON.stringify({ params, body });
  return `export const ${entry.operation.operationId ?? ""} = await client.${entry.method.toUpperCase()}("${entry.path}", ${init});`;
}

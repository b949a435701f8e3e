import { listOperations, type Document, type OperationEntry } from "../../contract/document.ts";
import { parameterExample, requestExamples } from "../../contract/exampleRequest.ts";

/**
 * A program that calls the operations of a contract in turn by openapi-fetch's interface, with the contract's examples.
 */
export function callingProgram(imports: string, document: Document, calls: number): string {
  const entries = listOperations(document);
  const lines = Array.from({ length: calls }, (_, index) => {
    const entry = entries[index % entries.length];
    return entry === undefined ? "" : `export const call${index} = ${callOf(document, entry)};`;
  });
  return [imports, "const client = create();", ...lines, ""].join("\n");
}

function callOf(document: Document, entry: OperationEntry): string {
  const params: Record<string, Record<string, unknown>> = {};
  for (const parameter of entry.parameters) {
    const { in: place = "", name } = parameter;
    params[place] = { ...params[place], [name]: parameterExample(parameter) };
  }
  const [body] = Object.values(requestExamples(document, entry.operation) ?? {});
  const init = JSON.stringify({ params, body });
  return `await client.${entry.method.toUpperCase()}("${entry.path}", ${init})`;
}

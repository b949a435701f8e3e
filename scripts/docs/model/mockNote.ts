import type { Operation } from "../../contract/generation.ts";
import { listInWords } from "../../values/text.ts";
import { createsByPut, type ResourceOperation } from "../../contract/resources.ts";

/** Describes in Markdown what an operation does in the mock. `undefined` for a read-only operation. */
export function mockNote(operation: Operation, resource: ResourceOperation | undefined): string | undefined {
  const effect = effectOf(operation, resource);
  const { set, moves, copies } = operation.resource;
  const properties = Object.keys(set).map((name) => `\`${name}\``);
  const sentences: string[] = [];
  if (effect !== undefined) sentences.push(effect);
  if (copies !== undefined) sentences.push(`It starts as a copy of the one that \`${copies}\` identifies.`);
  if (properties.length > 0) sentences.push(`It also sets ${listInWords(properties)}.`);
  for (const [moved, by] of Object.entries(moves)) sentences.push(`\`${moved}\` moves along with \`${by}\`.`);
  for (const name of resource?.view?.renews ?? []) sentences.push(`\`${name}\` has a new value in each response.`);
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

function effectOf(operation: Operation, resource: ResourceOperation | undefined): string | undefined {
  const { method } = operation;
  if (resource === undefined)
    return method === "get" || method === "head" ? undefined : "This operation has no effect on later requests.";
  const { effect, type } = resource;
  if (effect === "delete") return "The mock remembers the deletion: later requests for the resource get a 404.";
  if (effect === "update") return `The mock remembers ${createsByPut(operation) ? "the resource" : "this change"}.`;
  if (effect !== "create") return undefined;
  if (type.isFound) return "The mock remembers the new resource.";
  return type.keys.length > 0 ? "Each response has a new identifier, which no later request can use." : undefined;
}

import type { Operation } from "../../contract/generation.ts";
import { listInWords } from "../../contract/text.ts";
import { createsByPut, type ResourceOperation } from "../../contract/resources.ts";

/** Describes in Markdown what an operation does in the mock. `undefined` for a read-only operation. */
export function mockNote(operation: Operation, resource: ResourceOperation | undefined): string | undefined {
  const effect = effectOf(operation, resource);
  const { set, moves, copies } = operation.resource;
  const properties = Object.keys(set).map((name) => `\`${name}\``);
  const sentences: string[] = [];
  if (effect !== undefined) sentences.push(`This operation ${effect}.`);
  if (copies !== undefined) sentences.push(`It starts as a copy of the one that \`${copies}\` identifies.`);
  if (properties.length > 0) sentences.push(`It also sets ${listInWords(properties)}.`);
  for (const [moved, by] of Object.entries(moves)) sentences.push(`\`${moved}\` moves along with \`${by}\`.`);
  for (const name of resource?.view?.renews ?? []) sentences.push(`\`${name}\` has a new value in each response.`);
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

function effectOf(operation: Operation, resource: ResourceOperation | undefined): string | undefined {
  const { method } = operation;
  if (resource === undefined)
    return method === "get" || method === "head" ? undefined : "has no effect on later requests";
  const { effect, type } = resource;
  if (effect === "delete") return "deletes the resource: later requests for it get a 404";
  if (effect === "update")
    return `${createsByPut(operation) ? "creates or replaces" : "changes"} the resource for later requests`;
  if (effect !== "create") return undefined;
  if (type.isFound) return "creates a resource that later requests find";
  return type.keys.length > 0 ? "responds with a new identifier each time, which no later request can use" : undefined;
}

import type { Location, Oas3Visitor, OasRef, UserContext } from "@redocly/openapi-core";
import { isObject } from "../spec/json.ts";
import { isReference } from "../spec/openapi.ts";

/**
 * An object of a description as it is written. Rules see a document before, or although, `struct` finds it malformed:
 * so nothing is known of its members.
 */
export type Node = Readonly<Record<string, unknown>>;

/**
 * Follows the reference that a value at a place may be, to a node and its place: references inside it are relative to
 * the file that it is in. `undefined` if no object is found.
 */
export function follow(value: unknown, location: Location, ctx: UserContext) {
  if (!isReference(value)) return isObject(value) ? { node: value, location } : undefined;
  const target = ctx.resolve<Node>(value, location.source.absoluteRef);
  return isObject(target.node) && target.location !== undefined ? target : undefined;
}

/** Reports on the key of a node, where a report is easier to find than on the node's whole text. */
export function reportOn({ source, pointer }: Location, message: string, ctx: UserContext): void {
  ctx.report({ message, location: { source, pointer, reportOnKey: true } });
}

/**
 * Visits each Schema Object once. A `$ref` with keywords beside it is a Schema Object too in OpenAPI 3.1, though
 * Redocly (2.77) visits only what it refers to: here it is visited as it is written.
 */
export function visitSchemas(visit: (schema: Node, ctx: UserContext) => void): Oas3Visitor {
  return {
    Schema(schema: unknown, ctx: UserContext) {
      if (isObject(schema)) visit(schema, ctx);
    },
    ref(reference: OasRef, ctx: UserContext) {
      if (ctx.type.name === "Schema" && Object.keys(reference).length > 1) visit({ ...reference }, ctx);
    },
  };
}

import type { Location, Oas3Visitor, OasRef, UserContext } from "@redocly/openapi-core";
import { isObject } from "../values/json.ts";
import { isReference } from "../spec/openapi.ts";
import { upgradeKeywords } from "../spec/upgradeDocument.ts";

/**
 * An object of a description as written. Rules see a document before `struct` does, or although `struct`
 * finds mistakes in it, so nothing is known about its members.
 */
export type Node = Readonly<Record<string, unknown>>;

/**
 * Resolves the reference at a place, if there is one, to a node and its place. References inside it are
 * relative to the file that contains it. Returns `undefined` if there is no object.
 */
export function follow(value: unknown, location: Location, ctx: UserContext) {
  if (!isReference(value)) return isObject(value) ? { node: value, location } : undefined;
  const target = ctx.resolve<Node>(value, location.source.absoluteRef);
  return isObject(target.node) && target.location !== undefined ? target : undefined;
}

/** Reports on a node's key, where a problem is easier to find than on the node's whole text. */
export function reportOn({ source, pointer }: Location, message: string, ctx: UserContext): void {
  ctx.report({ message, location: { source, pointer, reportOnKey: true } });
}

/**
 * Visits each Schema Object once. Since OpenAPI 3.1, a `$ref` with other keywords is a Schema Object too.
 * Redocly (2.77) visits only its target, and this function visits it as written.
 */
export function visitSchemas(visit: (schema: Node, ctx: UserContext) => void): Oas3Visitor {
  return {
    Schema(schema: unknown, ctx: UserContext) {
      if (isObject(schema)) visit(schema, ctx);
    },
    ref(reference: OasRef, ctx: UserContext) {
      const hasSiblings = Object.keys(reference).length > 1 && ctx.specVersion !== "oas3_0";
      if (ctx.type.name === "Schema" && hasSiblings && isObject(reference)) visit(reference, ctx);
    },
  };
}

/** A schema in the keywords of OpenAPI 3.1, also if it is in a description of 3.0. */
export function currentKeywords(schema: Node, { specVersion }: UserContext): Node {
  return specVersion === "oas3_0" ? upgradeKeywords(schema) : schema;
}

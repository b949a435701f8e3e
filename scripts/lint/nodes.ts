import type { Location, LocationObject, Oas3Visitor, OasRef, UserContext } from "@redocly/openapi-core";
import { isObject, isReference } from "../contract/document.ts";

/**
 * An object of a description as it was written. Rules see a document before, or although, `struct` finds it malformed:
 * so nothing is known of its members.
 */
export type Node = Readonly<Record<string, unknown>>;

/** The members of an object; none where the value is something else. */
export function membersOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}

/** The elements of an array; none where the value is something else. */
export function elementsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A node with its place: references inside it are relative to the file it stands in. */
export interface Located {
  readonly node: Node;
  readonly location: Location;
}

/** Follows the reference that a value at a place may be; `undefined` where no object is found. */
export function follow(value: unknown, location: Location, ctx: Pick<UserContext, "resolve">): Located | undefined {
  if (!isReference(value)) return isObject(value) ? { node: value, location } : undefined;
  const target = ctx.resolve<Node>(value, location.source.absoluteRef);
  return isObject(target.node) && target.location !== undefined ? target : undefined;
}

/** The place of a node's key, where a report is easier to find than on the node's whole text. */
export function keyOf({ source, pointer }: Location): LocationObject {
  return { source, pointer, reportOnKey: true };
}

/** Whether a media type is JSON: `application/json`, or any with the suffix `+json` (RFC 6839, section 3.1). */
export function isJson(mediaType: string): boolean {
  return /^[^;]*[/+]json\s*(?:;|$)/i.test(mediaType);
}

/**
 * Visits each Schema Object once. A `$ref` with keywords beside it is a Schema Object too in OpenAPI 3.1, though
 * Redocly (2.77) visits only what it refers to: here it is visited as it was written.
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

/** Keywords that say what kind of value is expected, be it through what they ask of its members or elements. */
const typeKeywords = [
  ...["$ref", "$dynamicRef", "type", "const", "enum", "allOf", "anyOf", "oneOf", "not", "if"],
  ...["properties", "patternProperties", "additionalProperties", "propertyNames", "unevaluatedProperties"],
  ...["required", "dependentRequired", "dependentSchemas", "minProperties", "maxProperties"],
  ...["items", "prefixItems", "contains", "unevaluatedItems", "minItems", "maxItems", "uniqueItems"],
];

/** Whether a schema lets any kind of value through, so that nothing is known of the value. */
export function saysNothingOfType(schema: Node): boolean {
  return typeKeywords.every((keyword) => schema[keyword] === undefined);
}

/** The types that a schema's `type` allows; empty without it. */
export function typesOf({ type }: Node): readonly unknown[] {
  return Array.isArray(type) ? type : type === undefined ? [] : [type];
}

export function hasProperties({ properties }: Node): boolean {
  return membersOf(properties).length > 0;
}

import { isObject, stringMembersOf, stringOf, stringsOf } from "../spec/json.ts";
import { extensionOf } from "../spec/openapi.ts";

/** Effects that an operation can have on a resource. */
export const effects = ["create", "read", "list", "update", "delete"] as const;
export type Effect = (typeof effects)[number];

/**
 * Reads the `x-resource` of an operation. Everything that it leaves out follows from path, method and schemas. What is not
 * of the right type counts as absent: lint reports it.
 */
export function readOperationExtension(operation: object) {
  const { name, effect, copies, set, moves } = readExtension(operation);
  return {
    /** The resource's name. Operations of all generations that give the same name mean the same resource. */
    name: stringOf(name),
    effect: (["none", ...effects] as const).find((known) => known === effect),
    /** The path parameter that identifies the resource of which the new one starts as a copy. */
    copies: stringOf(copies),
    /** Properties that get a value: a literal, or a runtime expression (OpenAPI 3.1.1, section 4.8.20.4). */
    set: isObject(set) ? set : {},
    /** Pairs of date-time properties: the first one moves by as much as the second one changes. */
    moves: stringMembersOf(moves),
  };
}

/** Reads the `x-resource` of the schema of a resource, as {@link readOperationExtension} does. */
export function readSchemaExtension(schema: object) {
  const { name, properties, renews } = readExtension(schema);
  return {
    name: stringOf(name),
    /** Properties that other schemas of the same resource name differently, and those names. */
    properties: new Map(Object.entries(stringMembersOf(properties))),
    /** Properties that have a new value each time they are read. */
    renews: stringsOf(renews),
  };
}

/** Where in a request a value of `set` comes from. */
type RequestPart =
  | { readonly in: "header" | "path" | "query"; readonly name: string }
  | { readonly in: "body"; readonly pointer: string };

/** Reads a runtime expression (OpenAPI 3.1.1, section 4.8.20.4); `undefined` if a value is a literal. */
export function readExpression(value: unknown): RequestPart | undefined {
  if (typeof value !== "string") return undefined;
  const [, place, name, pointer] = /^\$request\.(?:(header|path|query)\.(.+)|body#(\/.*))$/s.exec(value) ?? [];
  if (pointer !== undefined) return { in: "body", pointer };
  const known = (["header", "path", "query"] as const).find((one) => one === place);
  return known === undefined || name === undefined ? undefined : { in: known, name };
}

function readExtension(owner: object): Readonly<Record<string, unknown>> {
  const value = extensionOf(owner, "x-resource");
  return isObject(value) ? value : {};
}

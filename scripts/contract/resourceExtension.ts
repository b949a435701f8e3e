import { isObject, stringMembersOf, stringOf, stringsOf } from "../spec/json.ts";
import { extensionOf } from "../spec/openapi.ts";

/** Effects that an operation can have on a resource. */
export const effects = ["create", "read", "list", "update", "delete"] as const;
export type Effect = (typeof effects)[number];

/** The `x-resource` of an operation. */
export interface OperationExtension {
  /** The resource's name. Operations of all generations that give the same name mean the same resource. */
  readonly name: string | undefined;
  readonly effect: Effect | "none" | undefined;
  /** The path parameter that identifies the resource of which the new one starts as a copy. */
  readonly copies: string | undefined;
  /** Properties that get a value: a literal, or a runtime expression (OpenAPI 3.1.1, section 4.8.20.4). */
  readonly set: Readonly<Record<string, unknown>>;
  /** Pairs of date-time properties: the first one moves by as much as the second one changes. */
  readonly moves: Readonly<Record<string, string>>;
}

/** The `x-resource` of the schema of a resource. */
export interface SchemaExtension {
  readonly name: string | undefined;
  /** Properties that other schemas of the same resource name differently, and those names. */
  readonly properties: ReadonlyMap<string, string>;
  /** Properties that have a new value each time they are read. */
  readonly renews: readonly string[];
}

/**
 * Reads the `x-resource` of an operation. Everything that it leaves out follows from path, method and schemas. What is not
 * of the right type counts as absent: lint reports it.
 */
export function readOperationExtension(operation: object): OperationExtension {
  const { name, effect, copies, set, moves } = readExtension(operation);
  return {
    name: stringOf(name),
    effect: (["none", ...effects] as const).find((known) => known === effect),
    copies: stringOf(copies),
    set: isObject(set) ? set : {},
    moves: stringMembersOf(moves),
  };
}

/** Reads the `x-resource` of the schema of a resource, as {@link readOperationExtension} does. */
export function readSchemaExtension(schema: object): SchemaExtension {
  const { name, properties, renews } = readExtension(schema);
  return {
    name: stringOf(name),
    properties: new Map(Object.entries(stringMembersOf(properties))),
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
  const body = "$request.body#";
  if (value.startsWith(`${body}/`)) return { in: "body", pointer: value.slice(body.length) };
  for (const place of ["header", "path", "query"] as const) {
    const beginning = `$request.${place}.`;
    if (value.startsWith(beginning) && value !== beginning) return { in: place, name: value.slice(beginning.length) };
  }
  return undefined;
}

function readExtension(owner: object): Readonly<Record<string, unknown>> {
  const value = extensionOf(owner, "x-resource");
  return isObject(value) ? value : {};
}

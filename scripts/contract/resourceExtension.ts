import { isObject, pointerKeys, stringMembersOf, stringOf, stringsOf, valueAt } from "../values/json.ts";
import { extensionOf } from "../spec/openapi.ts";

/** The possible effects of an operation on a resource. */
export const effects = ["create", "read", "list", "update", "delete"] as const;
export type Effect = (typeof effects)[number];

/** The `x-resource` of an operation. */
export interface OperationExtension {
  /** The resource's name. The same name means the same resource in all generations. */
  readonly name: string | undefined;
  readonly effect: Effect | "none" | undefined;
  /** The path parameter that identifies the resource to copy. */
  readonly copies: string | undefined;
  /** Values of properties, as literals or runtime expressions (OpenAPI 3.1.1, section 4.8.20.4). */
  readonly set: Readonly<Record<string, unknown>>;
  /** Pairs of date-time properties. The first one moves by the same amount as the second. */
  readonly moves: Readonly<Record<string, string>>;
}

/** The `x-resource` of the schema of a resource. */
export interface SchemaExtension {
  readonly name: string | undefined;
  /** Properties that other schemas of the same resource name differently, with those names. */
  readonly properties: ReadonlyMap<string, string>;
  /** Properties that get a new value on each read. */
  readonly renews: readonly string[];
}

/**
 * Reads the `x-resource` of an operation. Everything that it leaves out is derived from path, method and
 * schemas. Values of the wrong type are ignored, since lint reports them.
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

/** The source of a value of `set` in a request. */
type RequestPart =
  | { readonly in: "header" | "path" | "query"; readonly name: string }
  | { readonly in: "body"; readonly pointer: string };

/** Reads a runtime expression (OpenAPI 3.1.1, section 4.8.20.4). Returns `undefined` for a literal. */
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

/** The values that runtime expressions may take from a request. Names of headers are in lower case. */
interface RequestValues {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/**
 * The value of an entry of `set`. `undefined` if it is an expression for something that the request doesn't
 * have.
 */
export function evaluateSource(source: unknown, { path, query, headers, body }: RequestValues): unknown {
  const part = readExpression(source);
  if (part === undefined) return source;
  if (part.in === "body") return valueAt(body, pointerKeys(part.pointer));
  const name = part.in === "header" ? part.name.toLowerCase() : part.name;
  const values = { header: headers, path, query }[part.in];
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function readExtension(owner: object): Readonly<Record<string, unknown>> {
  const value = extensionOf(owner, "x-resource");
  return isObject(value) ? value : {};
}

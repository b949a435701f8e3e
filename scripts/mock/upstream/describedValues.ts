import type { Operation } from "../../contract/generation.ts";
import { elementsOf, isObject, membersOf } from "../../spec/json.ts";
import { jsonPointer, pointerKeys, valueAt } from "../../spec/jsonPointer.ts";
import { isReference, isSchema, type OpenApiDocument, type SchemaObject } from "../../spec/openapi.ts";

/** A schema of a bundle, and its JSON Pointer there. */
export interface LocatedSchema {
  readonly pointer: string;
  readonly schema: SchemaObject;
}

/** A value in a body. */
export interface DescribedValue {
  readonly value: unknown;
  /** JSON Pointer to the value in the body, with `*` for the items of lists. */
  readonly path: string;
  /** The schemas that may apply to it: none if the contract does not describe it. */
  readonly schemas: readonly LocatedSchema[];
}

/** JSON Pointer of a part of an operation, such as its `responses` and `200`, with references followed. */
export function pointerTo(operation: Operation, ...keys: readonly string[]): string {
  const { document, pathItemPointer, method } = operation;
  return keys.reduce(
    (pointer, key) => {
      const next = pointer + jsonPointer([key]);
      const value = valueAt(document, pointerKeys(next));
      return isReference(value) ? jsonPointer(pointerKeys(value.$ref)) : next;
    },
    jsonPointer([...pointerKeys(pathItemPointer), method]),
  );
}

/** All values of a body that the contract describes, and the outermost ones that it does not. `place` is its schema's. */
export function describeBody(document: OpenApiDocument, value: unknown, place: string): readonly DescribedValue[] {
  const schemas = recall(document, place, () => locateSchemas(document, [place]));
  return describeInside(document, { value, path: "", schemas });
}

function describeInside(document: OpenApiDocument, root: DescribedValue): readonly DescribedValue[] {
  const { value, path, schemas } = root;
  if (schemas.length === 0) return [root];
  const isUniform = Array.isArray(value) && schemas.every(({ schema }) => schema.prefixItems === undefined);
  const members = Array.isArray(value) ? Object.entries<unknown>(value) : membersOf(value);
  const inside = members.flatMap(([key, member]) => {
    const name = isUniform ? "*" : key;
    const found = recall(schemas, name, () => memberSchemas(document, schemas, name));
    return describeInside(document, { value: member, path: path + jsonPointer([name]), schemas: found });
  });
  return [root, ...inside];
}

/** Schemas that were found before: otherwise, finding them takes most of the time. */
const recalled = new WeakMap<object, Map<string, readonly LocatedSchema[]>>();

function recall(holder: object, key: string, find: () => readonly LocatedSchema[]): readonly LocatedSchema[] {
  const known = recalled.get(holder) ?? new Map<string, readonly LocatedSchema[]>();
  recalled.set(holder, known);
  const found = known.get(key) ?? find();
  known.set(key, found);
  return found;
}

/** The schemas at some places of a bundle, and all that they combine or refer to. */
function locateSchemas(document: OpenApiDocument, pointers: readonly string[]): readonly LocatedSchema[] {
  const found = new Map<string, SchemaObject>();
  const add = (pointer: string): void => {
    const schema = valueAt(document, pointerKeys(pointer));
    if (!isSchema(schema) || found.has(pointer)) return;
    found.set(pointer, schema);
    if (isReference(schema)) add(jsonPointer(pointerKeys(schema.$ref)));
    for (const keyword of ["then", "else"]) add(`${pointer}/${keyword}`);
    for (const keyword of ["allOf", "anyOf", "oneOf"])
      for (const index of elementsOf(valueAt(schema, [keyword])).keys()) add(`${pointer}/${keyword}/${index}`);
  };
  for (const pointer of pointers) add(pointer);
  return Array.from(found, ([pointer, schema]) => ({ pointer, schema }));
}

/** The schemas of a value inside a value that some schemas may apply to. */
function memberSchemas(document: OpenApiDocument, schemas: readonly LocatedSchema[], key: string) {
  const pointers = schemas.flatMap(({ pointer, schema }) => {
    const at = (...keys: readonly string[]) => (isObject(valueAt(schema, keys)) ? [pointer + jsonPointer(keys)] : []);
    const own = [...at("properties", key), ...at("prefixItems", key)];
    const patterns = Object.keys(schema.patternProperties ?? {}).flatMap((one) => at("patternProperties", one));
    return own.length > 0 ? own : [...at("items"), ...at("additionalProperties"), ...patterns];
  });
  return locateSchemas(document, pointers);
}

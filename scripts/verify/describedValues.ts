import type { Operation } from "../contract/generation.ts";
import { elementsOf, isObject, membersOf } from "../spec/json.ts";
import { jsonPointer, pointerKeys, valueAt } from "../spec/jsonPointer.ts";
import { isReference, isSchema, type OpenApiDocument, type SchemaObject } from "../spec/openapi.ts";

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

/** The schemas at some places of a bundle, and all that they combine or refer to. */
export function locateSchemas(document: OpenApiDocument, pointers: readonly string[]): readonly LocatedSchema[] {
  const found = new Map<string, SchemaObject>();
  const add = (pointer: string): void => {
    const schema = valueAt(document, pointerKeys(pointer));
    if (!isSchema(schema) || found.has(pointer)) return;
    found.set(pointer, schema);
    if (isReference(schema)) add(jsonPointer(pointerKeys(schema.$ref)));
    for (const [keyword, part] of membersOf(schema)) {
      if (keyword === "then" || keyword === "else") add(`${pointer}/${keyword}`);
      if (!/^(?:all|any|one)Of$/.test(keyword)) continue;
      for (const index of elementsOf(part).keys()) add(`${pointer}/${keyword}/${index}`);
    }
  };
  for (const pointer of pointers) add(pointer);
  return Array.from(found, ([pointer, schema]) => ({ pointer, schema }));
}

/** The schemas of a value inside a value that some schemas may apply to. */
export function memberSchemas(document: OpenApiDocument, schemas: readonly LocatedSchema[], key: string) {
  const pointers = schemas.flatMap(({ pointer, schema }) => {
    const own = [
      ["properties", key],
      ["prefixItems", key],
    ];
    const rest = [
      ["items"],
      ["additionalProperties"],
      ...Object.keys(schema.patternProperties ?? {}).map((pattern) => ["patternProperties", pattern]),
    ];
    const present = [own, rest].map((places) => places.filter((keys) => isObject(valueAt(schema, keys))));
    return (present.find((places) => places.length > 0) ?? []).map((keys) => pointer + jsonPointer(keys));
  });
  return locateSchemas(document, pointers);
}

/** A value and all values inside it that the contract describes, and the first ones that it does not. */
export function* describeValues(document: OpenApiDocument, root: DescribedValue): Generator<DescribedValue, void> {
  yield root;
  const { value, path, schemas } = root;
  if (schemas.length === 0) return;
  const isList = Array.isArray(value);
  const known = new Map<string, readonly LocatedSchema[]>();
  for (const [key, member] of isList ? elementsOf(value).entries() : membersOf(value)) {
    const name = isList && schemas.every(({ schema }) => schema.prefixItems === undefined) ? "*" : String(key);
    const inside = known.get(name) ?? memberSchemas(document, schemas, name);
    known.set(name, inside);
    yield* describeValues(document, { value: member, path: path + jsonPointer([name]), schemas: inside });
  }
}

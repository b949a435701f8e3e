import { getOrCreate } from "../values/collections.ts";
import { entriesOf, jsonPointer } from "../values/json.ts";
import type { OpenApiDocument, SchemaObject } from "../spec/openapi.ts";
import { applicableSchemas, memberSchemas } from "../spec/schemas.ts";
import { keysTo, walk, type WalkedValue } from "../spec/walk.ts";

export interface DescribedValue {
  readonly value: unknown;
  /** JSON Pointer to the value in the body, with `*` for the items of lists. */
  readonly path: string;
  /** The schemas that may apply to the value. Empty if the contract doesn't describe it. */
  readonly schemas: readonly SchemaObject[];
}

const placesIn = new WeakMap<object, ReadonlyMap<unknown, WalkedValue>>();

/** JSON Pointer of a schema in its bundle. */
export function pointerOf(document: object, schema: object): string {
  const places = getOrCreate(
    placesIn,
    document,
    () => new Map(Array.from(walk(document), (place) => [place.value, place])),
  );
  const place = places.get(schema);
  return place === undefined ? "" : jsonPointer(keysTo(place));
}

/** All values of a body that the contract describes, and the outermost values that it doesn't. */
export function describeBody(document: OpenApiDocument, body: unknown, schema: unknown): readonly DescribedValue[] {
  // In a large body, finding the same schemas again would take most of the time.
  const known = new Map<DescribedValue["schemas"], Map<string, DescribedValue["schemas"]>>();
  const describe = (root: DescribedValue): readonly DescribedValue[] => {
    const { value, path, schemas } = root;
    if (schemas.length === 0) return [root];
    const inner = getOrCreate(known, schemas, () => new Map<string, DescribedValue["schemas"]>());
    const isUniform = Array.isArray(value) && schemas.every(({ prefixItems }) => prefixItems === undefined);
    const inside = entriesOf(value).flatMap(([key, member]) => {
      const name = isUniform ? "*" : key;
      const found = getOrCreate(inner, name, () => memberSchemas(document, schemas, name));
      return describe({ value: member, path: path + jsonPointer([name]), schemas: found });
    });
    return [root, ...inside];
  };
  return describe({ value: body, path: "", schemas: applicableSchemas(document, schema) });
}

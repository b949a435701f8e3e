import { isObject } from "./json.ts";
import { pointerKeys, valueAt } from "./jsonPointer.ts";
import { isReference, type OpenApiDocument, type ReferenceObject, type SchemaObject } from "./openapi.ts";

/** The value that a reference within a bundle leads to; `undefined` if it leads nowhere, or out of the bundle. */
export function referencedValue(document: object, reference: string): unknown {
  return reference.startsWith("#") ? valueAt(document, pointerKeys(reference)) : undefined;
}

/** Follows references within a bundle. Throws for one to nothing or in a circle, which a bundle that passed lint has not. */
export function resolve<T extends object>(document: object, referenced: T | ReferenceObject): T {
  const seen = new Set<string>();
  let current = referenced;
  while (isReference(current)) {
    const { $ref } = current;
    const target = referencedValue(document, $ref);
    if (!isOfKind<T | ReferenceObject>(target)) throw new Error(`nothing in the bundle is at ${$ref}`);
    if (seen.has($ref)) throw new Error(`${$ref} refers to itself`);
    seen.add($ref);
    current = target;
  }
  return current;
}

/** A schema with its reference followed. Keywords beside the reference hold too (OpenAPI 3.1.1, section 4.8.23). */
export function resolveSchema(document: OpenApiDocument, schema: SchemaObject): SchemaObject {
  const target = resolve<SchemaObject>(document, schema);
  const beside = isReference(schema) ? Object.entries(schema).filter(([keyword]) => keyword !== "$ref") : [];
  return beside.length === 0 ? target : { ...target, ...Object.fromEntries(beside) };
}

/** Lint has checked that a reference leads to the kind of object that its place requires. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- The kind is only known where it is called.
function isOfKind<T extends object>(value: unknown): value is T {
  return isObject(value);
}

import { isObject } from "./json.ts";
import { pointerKeys, valueAt } from "./jsonPointer.ts";
import { isReference, type ReferenceObject } from "./openapi.ts";

/**
 * Follows references within a bundle until it finds something other than a reference.
 * Throws if a reference leads nowhere or in a circle, which a bundle that passed lint does not have.
 */
export function resolve<T extends object>(document: object, referenced: T | ReferenceObject): T {
  const seen = new Set<string>();
  let current = referenced;
  while (isReference(current)) {
    const { $ref } = current;
    const target = $ref.startsWith("#") ? valueAt(document, pointerKeys($ref)) : undefined;
    if (!isOfKind<T | ReferenceObject>(target)) throw new Error(`nothing in the bundle is at ${$ref}`);
    if (seen.has($ref)) throw new Error(`${$ref} refers to itself`);
    seen.add($ref);
    current = target;
  }
  return current;
}

/** Lint has checked that a reference leads to the kind of object that its place requires. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- The kind is only known where it is called.
function isOfKind<T extends object>(value: unknown): value is T {
  return isObject(value);
}

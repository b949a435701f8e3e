import { jsonPointer, pointerKeys, valueAt } from "../values/json.ts";
import { isReference } from "../spec/openapi.ts";
import type { CheckedOperation } from "./generation.ts";

/** JSON Pointer of a part of an operation, such as its `responses` and `200`, with references followed. */
export function pointerTo(operation: CheckedOperation, ...keys: readonly string[]): string {
  return keys.reduce((pointer, key) => {
    const next = pointer + jsonPointer([key]);
    const value = valueAt(operation.document, pointerKeys(next));
    return isReference(value) ? jsonPointer(pointerKeys(value.$ref)) : next;
  }, operation.pointer);
}

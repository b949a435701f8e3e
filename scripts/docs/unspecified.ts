import { componentName, isObject, isReference, type Document, type OperationEntry } from "../contract/document.ts";
import { partsOf, unspecifiedOf } from "./descriptionTree.ts";

/** A place of a document at which something is not specified. */
export interface UnspecifiedPlace {
  /** A name for people: `Order.status`, `response 201`, `parameter page`; empty for the operation itself. */
  readonly place: string;
  readonly phrases: readonly string[];
}

/** What is not specified of an operation, and in all that it refers to. */
export function unspecifiedInOperation(document: Document, entry: OperationEntry): readonly UnspecifiedPlace[] {
  const found = new Map<string, readonly string[]>();
  const visited = new Set<string>();

  function visit(value: unknown, place: string, isNameMap: boolean): void {
    if (Array.isArray(value)) {
      value.forEach((item: unknown) => {
        visit(item, isObject(item) && typeof item["name"] === "string" ? `parameter ${item["name"]}` : place, false);
      });
    } else if (isReference(value)) {
      if (visited.has(value.$ref)) return;
      visited.add(value.$ref);
      visit(lookUp(document, value.$ref), componentName(value.$ref), false);
    } else if (isObject(value)) {
      const phrases = unspecifiedOf(value);
      if (phrases.length > 0) found.set(place, [...(found.get(place) ?? []), ...phrases]);
      for (const part of partsOf(value, isNameMap)) visit(part.value, placeOf(place, part), part.isNameMap);
    }
  }

  visit(entry.operation, "", false);
  visit(entry.parameters, "", false);
  return [...found].map(([place, phrases]) => ({ place, phrases: [...new Set(phrases)] }));
}

/** Names that say where one is; other keys lead on without a word. */
function placeOf(place: string, { key, isNamed }: { readonly key: string; readonly isNamed: boolean }): string {
  if (isNamed) {
    if (/^([1-5](\d\d|XX)|default)$/.test(key)) return `response ${key}`;
    return key.includes("/") ? place : [place, key].filter((part) => part !== "").join(".");
  }
  if (key === "requestBody") return "request body";
  return key === "items" && place !== "" ? `${place}[]` : place;
}

function lookUp(document: Document, reference: string): unknown {
  const keys = reference.split("/").slice(1);
  return keys.reduce<unknown>(
    (value, key) => (isObject(value) ? value[componentName(`/${key}`)] : undefined),
    document,
  );
}

import { getLineColLocation } from "@redocly/openapi-core";
import { relative } from "node:path";
import { placeIn, readSourceFile, targetOf, traceReferences } from "../redocly/sourceFiles.ts";
import { isObject } from "../spec/json.ts";
import { jsonPointer, pointerKeys, valueAt } from "../spec/jsonPointer.ts";
import { isReference } from "../spec/openapi.ts";

/**
 * Makes a function that finds the file, relative to the current folder, and the line that a place of a bundle comes from, or
 * what is around it. `root` is the description that the bundle was made from.
 */
export function createSourceLocator(root: string) {
  const files = [...traceReferences(root).files];
  return (pointer: string) => {
    const keys = pointerKeys(pointer);
    // The bundler keeps the names of components, and brings all of them into one file.
    const definition = keys[0] === "components" ? keys.slice(0, 3) : [];
    let file = files.find((path) => valueAt(readSourceFile(path).content, definition) !== undefined) ?? root;
    let found: readonly string[] = definition;
    for (const key of keys.slice(definition.length)) {
      const value = valueAt(readSourceFile(file).content, found);
      const target = isReference(value) && !(key in value) ? targetOf(file, value.$ref) : undefined;
      if (target !== undefined) ({ file, keys: found } = target);
      const holder = valueAt(readSourceFile(file).content, found);
      if (!Array.isArray(holder) && !(isObject(holder) && key in holder)) break;
      found = [...found, key];
    }
    const { start } = getLineColLocation({ ...placeIn(file, jsonPointer(found)), reportOnKey: false });
    return { file: relative("", file), line: start.line };
  };
}

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ifAbsent } from "../contract/failures.ts";
import { isObject, membersOf, parseJson, pointerKeys, valueAt } from "../values/json.ts";

/**
 * The file in which each release records when parts of the API were added or deprecated, relative to the
 * project's folder.
 */
export const historyFile = "openapi/released/history.json";

/**
 * Reads extensions such as `x-since`, by generation and JSON Pointer in its bundle. There are none before the
 * second release.
 */
export async function readHistory(): Promise<unknown> {
  return parseJson(await readFile(resolve(historyFile), "utf8").catch(ifAbsent("{}")));
}

/**
 * Records in a bundle when its operations and properties were added or deprecated. Places that no longer
 * exist are left out.
 */
export function addHistory(document: object, name: string, history: unknown): void {
  for (const [pointer, extensions] of membersOf(valueAt(history, [name]))) {
    const keys = pointerKeys(pointer);
    const place = valueAt(document, keys);
    if (!isObject(place)) continue;
    for (const [key, version] of membersOf(extensions)) {
      const applies = key !== "x-deprecated-since" || place["deprecated"] === true;
      if (applies && !(key in place)) Reflect.set(place, key, version);
    }
  }
}

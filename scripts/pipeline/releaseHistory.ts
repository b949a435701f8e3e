import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { orIfMissing } from "../contract/failures.ts";
import { isObject, membersOf, parseJson, stringMembersOf } from "../spec/json.ts";
import { pointerKeys, valueAt } from "../spec/jsonPointer.ts";
import { methods } from "../spec/openapi.ts";

/** The file in which each release notes since when things exist or are deprecated, relative to the project's folder. */
export const historyFile = "openapi/released/history.json";

/** Extensions such as `x-since`, by generation and JSON Pointer in the generation's bundle. */
export type ReleaseHistory = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

/** Reads the history of the project in the current folder; it is empty before the second release. */
export async function readHistory(): Promise<ReleaseHistory> {
  const text = await orIfMissing(readFile(resolve(historyFile), "utf8"), "{}");
  const places = (generation: unknown) =>
    Object.fromEntries(membersOf(generation).map(([pointer, extensions]) => [pointer, stringMembersOf(extensions)]));
  return Object.fromEntries(membersOf(parseJson(text)).map(([name, generation]) => [name, places(generation)]));
}

/** Writes into a bundle since when its operations and properties exist, or are deprecated. Places that are gone are left out. */
export function addHistory(document: object, name: string, history: ReleaseHistory): void {
  for (const [pointer, extensions] of Object.entries(history[name] ?? {})) {
    const place = valueAt(document, pointerKeys(pointer));
    if (!isObject(place)) continue;
    // A new path is new in each of its operations.
    const isPathItem = /^\/paths\/[^/]+$/.test(pointer);
    const targets = isPathItem ? methods.map((method) => place[method]) : [place];
    for (const target of targets.filter(isObject)) {
      for (const [key, version] of Object.entries(extensions)) if (!(key in target)) Reflect.set(target, key, version);
    }
  }
}

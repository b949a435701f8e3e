import type { LocationObject } from "@redocly/openapi-core";
import { existsSync, globSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { likelyName } from "../values/similarName.ts";
import { placeIn, placeText, readSourceFile, targetOf } from "../redocly/sourceFiles.ts";
import { jsonPointer, membersOf, pointerKeys, valueAt } from "../values/json.ts";
import { namesAnchor } from "../spec/openapi.ts";

interface Description {
  /** The place to fix. */
  readonly location: LocationObject;
  readonly words: { readonly message: string; readonly suggestion: string };
}

/**
 * Describes the target of a wrong reference, and what is there instead. Returns `undefined` for a reference
 * to another host, and for a file that wasn't read for a reason of its own.
 */
export function describeMissing(location: LocationObject | undefined, hasReason: boolean): Description | undefined {
  if (location?.pointer === undefined) return undefined;
  const file = location.source.absoluteRef;
  const reference = valueAt(readSourceFile(file).content, [...pointerKeys(location.pointer), "$ref"]);
  const target = typeof reference === "string" ? targetOf(file, reference) : undefined;
  if (typeof reference !== "string" || target === undefined) return undefined;
  const say = (message: string, suggestion: string) => ({ location, words: { message, suggestion } });
  if (namesAnchor(reference)) {
    return say(
      `Can't resolve $ref: ${reference} isn't a JSON Pointer.`,
      "Write one, such as #/components/schemas/Name.",
    );
  }
  const name = relative(process.cwd(), target.file);
  if (!existsSync(target.file)) {
    return say(`Can't resolve $ref: there is no file ${name}.`, suggestFile(file, reference, target.file));
  }
  if (hasReason) return undefined;
  const { text } = readSourceFile(target.file);
  if (text.trim() === "") return emptyFile(target.file, location);
  const message = `Can't resolve $ref: nothing is at ${name}#${jsonPointer(target.keys)}.`;
  return say(message, suggestKey(target.file, target.keys));
}

function emptyFile(file: string, from: LocationObject): Description {
  const { source } = placeIn(file, "");
  const suggestion = `Add the target of the reference at ${placeText(from)}, or delete the file and the reference.`;
  return {
    location: { source, pointer: undefined, start: { line: 1, col: 1 } },
    words: { message: "This file is empty.", suggestion },
  };
}

function suggestFile(from: string, reference: string, missing: string): string {
  if (!reference.includes("#") && pointerKeys(`/${reference}`).includes("components")) {
    return `Did you mean: "#/${reference.replace(/^\/+/, "")}"? Without \`#\`, it is the path of a file.`;
  }
  const [top = ""] = relative(process.cwd(), from).split(sep);
  const folder = dirname(from);
  const files = globSync("**/*.{yaml,yml,json}", { cwd: join(process.cwd(), top), exclude: ["**/node_modules/**"] });
  const known = files.map((path) => relative(folder, join(process.cwd(), top, path)).replaceAll(sep, "/"));
  const similar = likelyName(relative(folder, missing).replaceAll(sep, "/"), known);
  return similar === undefined ? "Correct the $ref, or create the file." : `Did you mean: ${similar}?`;
}

/** Names the key that is most similar to the first missing one, and its place. Either key may be wrong. */
function suggestKey(file: string, keys: readonly string[]): string {
  const { content } = readSourceFile(file);
  const index = keys.findIndex((_, position) => valueAt(content, keys.slice(0, position + 1)) === undefined);
  const around = keys.slice(0, index);
  const known = membersOf(valueAt(content, around)).map(([name]) => name);
  const similar = likelyName(keys[index] ?? "", known);
  if (similar === undefined) return "Correct the $ref, or add what it points to.";
  const place = { ...placeIn(file, jsonPointer([...around, similar])), reportOnKey: true };
  return `Did you mean \`${similar}\`, which is at ${placeText(place)}? Correct one of the two.`;
}

import { lastKey } from "../spec/jsonPointer.ts";
import { isObject, stringsOf } from "../spec/json.ts";
import { isReference, type OpenApiDocument } from "../spec/openapi.ts";
import { mapObjects } from "../spec/walk.ts";
import { gapText } from "../contract/gaps.ts";
import { commentText } from "./typeScriptText.ts";

/**
 * The same document with all that an editor should show in titles, which openapi-typescript (7.13) writes into comments as
 * they are: descriptions, formats, what is unspecified, and for a property that is only a reference, what it refers to.
 */
export function withTitles(document: OpenApiDocument): unknown {
  const schemas = document.components?.schemas ?? {};
  return mapObjects(document, (object, keys) => {
    const isProperty = keys.at(-2) === "properties" && isReference(object) && !("description" in object);
    const title = commentOf(isProperty ? schemas[lastKey(object.$ref)] : object);
    return { ...object, title, summary: undefined, description: undefined, format: undefined };
  });
}

/** The comment on an object: its title, its description, its gaps and its format; `undefined` if it has none of these. */
export function commentOf(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const { title, summary, description, format, "x-since": since } = value;
  // A parameter or a media type has nothing unspecified itself, but its schema may.
  const schema = isObject(value["schema"]) ? value["schema"] : {};
  const unspecified = stringsOf(value["x-unspecified"] ?? schema["x-unspecified"]);
  const parts = [
    ...stringsOf([title, summary, description]).map((text) => text.trim()),
    ...(typeof since === "string" ? [`Since ${since}.`] : []),
    ...(unspecified.length > 0 ? [`Not specified: ${unspecified.map(gapText).join(", ")}.`] : []),
  ];
  const prose = parts.filter((part) => part !== "").join("\n\n");
  if (typeof format !== "string") return prose || undefined;
  return `${prose}${prose.includes("\n") ? "\n" : " "}Format: ${format}.`.trim();
}

/** A comment by openapi-typescript (7.13) without indentation, and without the tags that only repeat the type. */
export function tidyComment(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(/^ ?\*(?: {5}| )?/, "").trimEnd());
  const told = lines.filter((line) => !/^@(?:constant$|enum \{)/.test(line));
  return commentText(told.join("\n").trim().split("\n"));
}

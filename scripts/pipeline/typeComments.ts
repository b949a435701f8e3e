import { lastKey } from "../spec/jsonPointer.ts";
import { isObject, stringsOf } from "../spec/json.ts";
import { isReference, type OpenApiDocument } from "../spec/openapi.ts";
import { mapObjects } from "../spec/walk.ts";
import { gapText } from "../contract/gaps.ts";

/**
 * The same document with all that an editor should show in the descriptions themselves, where openapi-typescript (7.13)
 * takes its comments from: what is unspecified, and for a property that is only a reference, what it refers to.
 */
export function withWholeDescriptions(document: OpenApiDocument): unknown {
  const schemas = document.components?.schemas ?? {};
  return mapObjects(document, (object, keys) => {
    const isProperty = keys.at(-2) === "properties";
    const described = isProperty && isReference(object) ? schemas[lastKey(object.$ref)] : object;
    const description = wholeDescription(described);
    if (description === undefined) return object;
    return isReference(object) ? { description, ...object } : { ...object, description };
  });
}

/** The description of an object and its gaps, as one text; `undefined` if it has neither. */
export function wholeDescription(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  // A parameter or a media type has nothing unspecified itself, but its schema may.
  const schema = isObject(value["schema"]) ? value["schema"] : {};
  const unspecified = stringsOf(value["x-unspecified"] ?? schema["x-unspecified"]);
  const parts = [
    ...(typeof value["description"] === "string" ? [value["description"].trim()] : []),
    ...(typeof value["x-since"] === "string" ? [`Since ${value["x-since"]}.`] : []),
    ...(unspecified.length > 0 ? [`Not specified: ${unspecified.map(gapText).join(", ")}.`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join("\n\n");
}

/**
 * Rewrites a comment by openapi-typescript (7.13) as a person would write it: the description needs no tag, its lines
 * no indentation, the format follows it, and the tags that only repeat the type are left out.
 * Both texts are what is between the comment's delimiters.
 */
export function tidyComment(text: string): string {
  const entries = listEntries(text);
  const rest = entries.filter((entry) => !entry.startsWith("@"));
  const format = rest.find((entry) => entry.startsWith("Format: "));
  const descriptions = entries.flatMap((entry) => /^@description (.*)$/s.exec(entry)?.[1] ?? []);
  const prose = [...rest.filter((entry) => entry !== format), ...descriptions].join("\n\n");
  const tags = entries.filter((entry) => /^@(?!description |constant$|enum )/.test(entry));

  const isShort = prose !== "" && !prose.includes("\n");
  const formatted = format === undefined ? [prose] : isShort ? [`${prose} ${format}.`] : [prose, `${format}.`];
  const lines = [...formatted, ...tags].filter((part) => part !== "").flatMap((part) => part.split("\n"));
  return commentText(lines);
}

/** Lines as a JSDoc comment, without its delimiters. */
export function commentText(lines: readonly string[]): string {
  const escaped = lines.map((line) => line.replaceAll("*/", "*\\/"));
  const [only, ...others] = escaped;
  if (others.length === 0) return `* ${only ?? ""} `;
  return ["*", ...escaped.map((line) => ` * ${line}`.trimEnd()), " "].join("\n");
}

/** The entries that openapi-typescript put into a comment: each is a line and the lines that are indented further. */
function listEntries(text: string): string[] {
  if (!text.startsWith("*\n")) return [text.slice(1).trim()];
  const entries = text.replace(/\n $/, "").split(/\n \* (?! {4})/);
  return entries.slice(1).map((entry) => entry.replaceAll(/\n \* {5}/g, "\n"));
}

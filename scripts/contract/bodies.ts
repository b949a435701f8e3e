import { isBinaryContent } from "../spec/binary.ts";
import { essenceOf, isForm, isJson } from "../spec/mediaTypes.ts";
import { applicableSchemas, impliedTypes } from "../spec/schemas.ts";
import { jsonContent, successResponses, type MediaType, type Operation } from "./generation.ts";

/** How a body is read: as JSON, as text, or as a file. */
export type Reading = "json" | "text" | "blob";

/** How a body is read, by its content. */
export function readingOf({ document }: Operation, content: MediaType): Reading {
  const essence = essenceOf(content.mediaType);
  if (isJson(essence)) return "json";
  if (isBinaryContent(document, content)) return "blob";
  // A range may include JSON.
  const isNamed = essence.startsWith("text/") || !essence.includes("*");
  const types = applicableSchemas(document, content.schema).flatMap(impliedTypes);
  return isNamed && (types.length === 0 || types.includes("string")) ? "text" : "json";
}

/** The media types of an operation's successes, without parameters, and how each one is read. */
export function successReadings(operation: Operation): readonly (readonly [mediaType: string, as: Reading])[] {
  const contents = operation.method === "head" ? [] : successResponses(operation).flatMap(({ content }) => content);
  return contents.map((one) => [essenceOf(one.mediaType), readingOf(operation, one)]);
}

/** The default media type of an operation's request body. A range if the body determines the type. */
export function sentMediaType({ document, requestBody }: Pick<Operation, "document" | "requestBody">): string {
  const content = requestBody?.content ?? [];
  const form = content.find(({ mediaType }) => isForm(essenceOf(mediaType)));
  if (content.length > 1 && content.every((one) => isBinaryContent(document, one))) return "*/*";
  const { mediaType } = jsonContent(content) ?? form ?? content[0] ?? { mediaType: "" };
  const isAnyJson = isJson(mediaType) && mediaType.includes("*");
  return isAnyJson || mediaType === "" ? "application/json" : mediaType;
}

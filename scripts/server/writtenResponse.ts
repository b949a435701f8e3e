import type { CheckedOperation, Response as DeclaredResponse } from "../contract/generation.ts";
import { isObject, membersOf } from "../values/json.ts";
import { essenceOf, isJson } from "../spec/mediaTypes.ts";
import { responseOf } from "../spec/openapi.ts";
import { withoutContent } from "../spec/statusKeys.ts";
import { isResponse, toPlatformResponse } from "./platformResponse.ts";

/** Resolves to what `refuse` or `unmatched` has returned. Rejects with `TypeError` if that isn't a `Response`. */
export async function requireResponse(returned: unknown, name: string): Promise<Response> {
  if (isResponse(returned)) return toPlatformResponse(returned);
  throw new TypeError(`${name} must return a Response, not ${nameType(returned)}`);
}

/** Names the type of a value in an error: `undefined`, or `[object String]`. */
function nameType(value: unknown): string {
  return value === undefined ? "undefined" : Object.prototype.toString.call(value);
}

/**
 * Writes what a handler returns. Rejects with `TypeError` if the contract has no response with its status, if it has other
 * members than a response, if its media type is unknown, or if its body can't be written in that media type.
 */
export async function writeResponse(returned: unknown, operation: CheckedOperation): Promise<Response> {
  if (isResponse(returned)) return toPlatformResponse(returned);
  const { name, operationId = name, responses } = operation;
  // Only own members count, so that no object of a class loses its body.
  const isPlain = isObject(returned) && !(returned instanceof Error);
  const { status, headers, contentType, body, ...others } = isPlain ? { ...returned } : {};
  const declared = typeof status === "number" ? responseOf(responses, status) : undefined;
  if (typeof status !== "number" || declared === undefined) {
    const listed = responses.map((one) => one.status).join(" or ");
    const received = status === undefined ? nameType(returned) : `status ${JSON.stringify(status)}`;
    throw new TypeError(`the handler of ${operationId} must return a Response, or status ${listed}, not ${received}`);
  }
  const [unknown] = membersOf(others).find(([, value]) => value !== undefined) ?? [];
  if (unknown !== undefined)
    throw new TypeError(
      `the handler of ${operationId} returned ${unknown}: a response has only status, headers, contentType and body`,
    );
  const fields = new Headers();
  for (const [field, value] of membersOf(headers)) {
    // Each cookie has a field of its own (RFC 6265, section 3).
    const isCookie = field.toLowerCase() === "set-cookie";
    for (const one of isCookie ? [value].flat() : [value]) if (one !== undefined) fields.append(field, fieldText(one));
  }
  const hasBody = body !== undefined && !withoutContent.has(status);
  if (!hasBody) return new Response(null, { status, headers: fields });
  const mediaType = typeof contentType === "string" ? contentType : mediaTypeOf(declared, body);
  if (mediaType === undefined)
    throw new TypeError(`the handler of ${operationId} must say the contentType of its body`);
  const content = writeBody(body, mediaType);
  if (content === undefined)
    throw new TypeError(
      `the handler of ${operationId} returned a body that can't be written as ${mediaType}: return a Response`,
    );
  if (!fields.has("content-type")) fields.set("content-type", mediaType);
  return new Response(content, { status, headers: fields });
}

/** The media type of a response, unless it is a range that says nothing about the body. */
function mediaTypeOf({ content }: DeclaredResponse, body: unknown): string | undefined {
  const [first] = content;
  if (first !== undefined && !essenceOf(first.mediaType).includes("*")) return first.mediaType;
  return body instanceof Blob && body.type !== "" ? body.type : undefined;
}

function writeBody(body: unknown, mediaType: string): BodyInit | undefined {
  if (isJson(mediaType)) return JSON.stringify(body);
  const isWritable =
    typeof body === "string" || body instanceof Blob || body instanceof ArrayBuffer || body instanceof ReadableStream;
  if (isWritable) return body;
  return body instanceof Uint8Array ? body.slice() : undefined;
}

/** A header's value in the style `simple` (OpenAPI 3.1.1, section 4.8.12.6). */
function fieldText(value: unknown): string {
  return isObject(value) ? Object.entries(value).flat().join(",") : [value].flat().join(",");
}

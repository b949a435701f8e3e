import type { CheckedOperation } from "../contract/generation.ts";
import { checkResponse } from "../exchange/checkResponse.ts";
import { joinFields, type Headers as Fields } from "../exchange/exchange.ts";
import { isRefusal, type Refusal } from "../exchange/refusal.ts";
import { parseJsonBody } from "../exchange/requestBody.ts";
import { maskAndCut } from "../exchange/secrets.ts";
import type { Target } from "../exchange/requestTarget.ts";
import { contentOfType, isJson } from "../spec/mediaTypes.ts";
import { responseOf } from "../spec/openapi.ts";
import { isSuccessStatus } from "../spec/statusKeys.ts";
import { removeUnlisted } from "./listedFields.ts";

/** The request that a response is for. */
export interface AnsweredRequest {
  readonly operation: CheckedOperation;
  readonly request: Request;
  readonly fields: Fields;
  readonly query: Target["query"];
  /** True if fields that the contract doesn't list are removed, and false if the response is refused for them. */
  readonly strips: boolean;
}

/**
 * Refuses a response of a handler that contradicts the contract, or has fields that it doesn't list. Returns any other, or
 * what is left of it. Reads only bodies that are JSON or that the contract doesn't have, because a stream may never end.
 */
export async function checkOwnResponse(answered: AnsweredRequest, response: Response): Promise<Response | Refusal> {
  const { operation, request, fields, query, strips } = answered;
  const { method, url } = request;
  const { status } = response;
  const isEmpty = responseOf(operation.responses, status)?.content.length === 0;
  const isRead = isEmpty || isJson(response.headers.get("content-type") ?? "");
  const sent = isRead ? new Uint8Array(await response.clone().arrayBuffer()) : undefined;
  const read = readBody(operation, response, sent);
  const unlisted = read === undefined ? [] : removeUnlisted(operation.document, read.value, read.schema);
  const listed = unlisted.length > 0 ? new TextEncoder().encode(JSON.stringify(read?.value)) : undefined;
  const received = { status, headers: [...response.headers], body: listed ?? sent };
  const found = strips ? [] : unlisted.map((pointer) => `${maskAndCut(pointer)} in the body isn't listed`);
  checkResponse({
    operation,
    exchange: { method, url, request: { headers: [...request.headers], body: undefined }, response: received },
    query,
    requestFields: fields,
    response: received,
    responseFields: joinFields(received.headers),
    isSuccess: isSuccessStatus(String(status)),
    tell: (kind, place, { message, received: value }) => {
      if (kind === "violation") found.push(`${message}${value === undefined ? "" : `, not ${value}`} (${place})`);
    },
  });
  if (found.length > 0)
    return { status: 500, detail: `The handler's response contradicts the contract: ${found.join("; ")}.` };
  if (listed === undefined) return response;
  response.headers.delete("content-length");
  return new Response(listed, { status, headers: response.headers });
}

/** Parses a body that the contract describes, if it is JSON. */
function readBody(operation: CheckedOperation, { status, headers }: Response, body: Uint8Array | undefined) {
  const type = headers.get("content-type") ?? "";
  const content = contentOfType(responseOf(operation.responses, status)?.content ?? [], type);
  if (body === undefined || content === undefined || !isJson(type)) return undefined;
  const parsed = parseJsonBody(body);
  return isRefusal(parsed) ? undefined : { value: parsed.value, schema: content.schema };
}

import type { CheckedOperation } from "../contract/generation.ts";
import { checkResponse } from "../exchange/checkResponse.ts";
import { joinFields, type Headers as Fields } from "../exchange/exchange.ts";
import type { Refusal } from "../exchange/refusal.ts";
import type { Target } from "../exchange/requestTarget.ts";
import { isJson } from "../spec/mediaTypes.ts";
import { responseOf } from "../spec/openapi.ts";
import { isSuccessStatus } from "../spec/statusKeys.ts";

/** The request that a response is for. */
export interface AnsweredRequest {
  readonly operation: CheckedOperation;
  readonly request: Request;
  readonly fields: Fields;
  readonly query: Target["query"];
}

/**
 * Refuses a response of a handler that contradicts the contract. `undefined` if it doesn't. Reads only bodies
 * that are JSON or that the contract doesn't have, because a stream may never end.
 */
export async function refuseOwnResponse(
  { operation, request, fields, query }: AnsweredRequest,
  response: Response,
): Promise<Refusal | undefined> {
  const { method, url } = request;
  const { status } = response;
  const isRead =
    isJson(response.headers.get("content-type") ?? "") || responseOf(operation.responses, status)?.content.length === 0;
  const body = isRead ? new Uint8Array(await response.clone().arrayBuffer()) : undefined;
  const received = { status, headers: [...response.headers], body };
  const found: string[] = [];
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
  if (found.length === 0) return undefined;
  return { status: 500, detail: `The handler's response contradicts the contract: ${found.join("; ")}.` };
}

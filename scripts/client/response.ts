import type { ParseAs } from "openapi-fetch";
import { ApiError, type OperationName } from "./errors.ts";
import type { Failure, Success } from "./types.ts";

/** A body as it was read: as a string, a Blob or an ArrayBuffer, or as a stream, whose size is not known. */
interface Measured {
  readonly length?: unknown;
  readonly size?: unknown;
  readonly byteLength?: unknown;
}

/** Reads a body as a call asks for it; JSON and that of a failure as text, which can be shown if it is not JSON. */
export async function readBody(response: Response, parseAs: ParseAs): Promise<unknown> {
  if (!response.ok || parseAs === "json") return response.text();
  return parseAs === "stream" ? response.body : response[parseAs]();
}

/**
 * What a call resolves to, by the body as it was read. Throws an {@link ApiError} for a success whose body is not JSON
 * where JSON is wanted, and for one without a body where `mayBeEmpty` is false.
 */
export function toResult(
  operation: OperationName,
  response: Response,
  body: unknown,
  parseAs: ParseAs,
  mayBeEmpty: boolean,
): Success<unknown> | Failure<unknown> {
  const { ok, status } = response;
  const unreadable = (why: string) => new ApiError(operation, response, body, `${status}, but ${why}`);
  const { length, size = length, byteLength = size }: Measured = body ?? "";
  let data = body;
  if (byteLength === 0) {
    if (ok && !mayBeEmpty) throw unreadable("it has no body");
    data = undefined;
  } else if (typeof body === "string" && (!ok || parseAs === "json")) {
    try {
      data = JSON.parse(body);
    } catch {
      if (ok) throw unreadable("its body is not JSON");
    }
  }
  return ok ? { data, response } : { error: data, response };
}

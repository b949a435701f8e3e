import type { ParseAs } from "openapi-fetch";
import { ApiError, type OperationName } from "./errors.ts";
import type { Failure, Success } from "./types.ts";

/** A body after reading: a string, a Blob, an ArrayBuffer, or a stream, whose size is unknown. */
type Measured = Partial<Record<"length" | "size" | "byteLength", unknown>>;

/** Reads a body as a call asks for it. JSON and bodies of failures are read as text, to be shown if they are not JSON. */
export async function readBody(response: Response, parseAs: ParseAs): Promise<unknown> {
  if (!response.ok || parseAs === "json") return response.text();
  return parseAs === "stream" ? response.body : response[parseAs]();
}

/**
 * Makes the result of a call from the body of its response. Throws an {@link ApiError} for a success whose body is not the
 * JSON that was asked for, or is missing although `mayBeEmpty` is not true.
 */
export function toResult(
  operation: OperationName,
  response: Response,
  body: unknown,
  parseAs: ParseAs,
  mayBeEmpty: boolean | undefined,
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
      if (ok) throw unreadable("its body is not JSON: pass parseAs");
    }
  }
  return ok ? { data, response } : { error: data, response };
}

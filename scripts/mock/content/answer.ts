import { messageOf, UserError } from "../../contract/failures.ts";
import { escapeForHeader } from "../../values/text.ts";
import type { Lifecycle } from "../../spec/lifecycle.ts";
import { readDateTime } from "../../values/dateTimes.ts";
import { isBytes } from "../../values/bytes.ts";
import { isFieldValue } from "../../spec/headerFields.ts";
import { isJson } from "../../spec/mediaTypes.ts";
import type { FaultRule, RequestEntry } from "../mockTypes.ts";
import type { DescribedResponse } from "./describedResponse.ts";
import { describeRefusal, type Refusal } from "../../exchange/refusal.ts";

/** A response, ready to be sent. */
export interface Answer
  extends
    Pick<RequestEntry, "exception" | "fault" | "findings" | "note" | "reason" | "refusal" | "status">,
    Pick<FaultRule, "bytesPerSecond" | "delivery"> {
  readonly delay?: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Uint8Array | string | undefined;
  /** The content of an event stream, which is passed on as it comes. There is no `body` then. */
  readonly stream?: ReadableStream<Uint8Array>;
  /** True if nobody knows the length of the content: of a stream, or of what a HEAD request would get from an upstream. */
  readonly isLengthUnknown?: boolean;
  /**
   * Masks the credentials of the request, which an upstream may repeat anywhere in its response. Present if the
   * response comes from an upstream and is returned unchanged.
   */
  readonly hideCredentials?: (text: string) => string;
}

export function noContent(headers: Answer["headers"] = {}): Answer {
  return { status: 204, headers, body: undefined };
}

/** Serializes the value of a response in its media type: as a text, as bytes or as JSON. */
export function writeAnswer({ status, headers, mediaType, value, note }: DescribedResponse): Answer {
  const common = { status, ...(note !== undefined && { note }) };
  if (mediaType === undefined) return { ...common, headers, body: undefined };
  const body = isJson(mediaType) ? JSON.stringify(value) : textOf(value);
  const answer = { ...common, headers: { ...headers, "content-type": mediaType } };
  return body === undefined ? { ...asJson, ...answer, body: JSON.stringify(value) } : { ...answer, body };
}

const asJson = { note: "the body is JSON, because the mock writes values in no other way" };

/** `undefined` for a value that is neither a text nor bytes. */
function textOf(value: unknown): string | Uint8Array | undefined {
  if (value === undefined || value === null) return "";
  return isBytes(value) || typeof value === "string" ? value : undefined;
}

export function answerRefusal(refusal: Refusal): Answer {
  const { status, headers } = refusal;
  return {
    ...{ status, ...reasonsOf(refusal) },
    headers: { "content-type": "application/problem+json", ...headers },
    body: `${JSON.stringify(describeRefusal(refusal), undefined, 2)}\n`,
  };
}

/** Why a request is refused: the whole text, and what programs need to know. */
export function reasonsOf({ detail, summary }: Refusal): Pick<Answer, "reason" | "refusal"> {
  return { reason: detail, refusal: summary === undefined ? { text: detail } : { text: summary, isSummary: true } };
}

/** Returns an answer, or one that says which of its headers can't be sent. */
export function sendable(answer: Answer): Answer {
  for (const [name, values] of Object.entries(answer.headers)) {
    const wrong = Array.from(String(values)).find((character) => !isFieldValue(character));
    if (wrong === undefined) continue;
    const detail = `The mock cannot send this response: no header can have the character ${escapeForHeader(wrong)}, but ${name} has it.`;
    return answerRefusal({ status: 500, detail });
  }
  return answer;
}

/**
 * Answers after an exception, so that other requests are unaffected. An exception is a bug in the mock,
 * except for a {@link UserError}, whose message says how to fix it.
 */
export function answerException(error: unknown): Answer {
  if (error instanceof UserError)
    return answerRefusal({ status: 500, detail: `The mock cannot answer this request: ${error.message}.` });
  const detail = "The mock failed on this request, which may be correct. Its log has the details.";
  const exception = error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
  return { ...answerRefusal({ status: 500, detail }), exception };
}

/** Adds `Deprecation` (RFC 9745) and `Sunset` (RFC 8594), as far as the dates are known. */
export function announceEnd<Given extends Answer | Refusal>(given: Given, { deprecatedOn, sunset }: Lifecycle): Given {
  if ("hideCredentials" in given || (deprecatedOn === undefined && sunset === undefined)) return given;
  const [begin, end] = [deprecatedOn, sunset].map((day) => readDateTime(`${day}T00:00:00Z`));
  const announced = {
    ...(begin !== undefined && { deprecation: `@${begin / 1000}` }),
    ...(end !== undefined && { sunset: new Date(end).toUTCString() }),
  };
  return { ...given, headers: { ...announced, ...given.headers } };
}

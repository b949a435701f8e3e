import { isJson } from "../../spec/mediaTypes.ts";
import type { FaultRule, RequestEntry } from "../mockTypes.ts";
import type { DescribedResponse } from "./describedResponse.ts";

/** A response, ready to be sent. */
export interface Answer
  extends
    Pick<RequestEntry, "exception" | "note" | "reason" | "status">,
    Pick<FaultRule, "bytesPerSecond" | "delivery"> {
  /** Delay before it is sent, in milliseconds. */
  readonly delay?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** `undefined` if the response has no content. */
  readonly body: string | undefined;
}

export function noContent(headers: Answer["headers"] = {}): Answer {
  return { status: 204, headers, body: undefined };
}

/** Writes the value of a response in its media type. */
export async function writeAnswer({ status, headers, mediaType, value, note }: DescribedResponse): Promise<Answer> {
  const noted = note === undefined ? {} : { note };
  if (mediaType === undefined) return { status, headers, body: undefined, ...noted };
  const body = isJson(mediaType) ? JSON.stringify(value) : await writeText(value, mediaType);
  return { status, headers: { ...headers, "content-type": mediaType }, body, ...noted };
}

async function writeText(value: unknown, mediaType: string): Promise<string> {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  const { serialize } = await import("@stoplight/prism-http-server/dist/serialize.js");
  try {
    return String(serialize(value, mediaType));
  } catch {
    // Prism cannot write an object in a media type that is neither JSON nor XML.
    return JSON.stringify(value);
  }
}

import { fallsUnder } from "../../spec/mediaTypes.ts";
import { readMediaType } from "../request/contentType.ts";
import { shorten } from "../secrets.ts";
import type { PrismResponse } from "./prism.ts";
import { refusalOf, type Refusal } from "./refusal.ts";

/**
 * Leaves a response the contents that an Accept header allows, each with a media type that can be sent. The entries of
 * the header are for Prism to choose by; `undefined` accepts any media type.
 */
export function acceptedContent(declared: PrismResponse, accept: string) {
  const named = mediaRanges(accept);
  const ranges = named.filter((range) => !isExcluded(range));
  const offered = concreteTypes(declared, ranges);
  const response = withoutExcluded(offered, named);
  const isNoneLeft = response.contents?.length === 0 && (offered.contents ?? []).length > 0;
  if (accept !== "" && (ranges.length === 0 || isNoneLeft)) return notAcceptable(accept, offered);
  return { response, accept: ranges.length === 0 ? undefined : ranges };
}

export function notAcceptable(accept: string, { contents = [] }: PrismResponse): Refusal {
  const offered = contents.map(({ mediaType }) => mediaType);
  const received = shorten(accept);
  const message = `The response is ${offered.join(" or ")}, but the request accepts ${JSON.stringify(received)}.`;
  return refusalOf(406, { in: "header", name: "Accept", message, expected: offered, received });
}

/** The entries of an Accept header that can be read; Prism throws on others. */
function mediaRanges(accept: string): string[] {
  const token = String.raw`[\w!#$%&'*+.^\`|~-]+`;
  const range = new RegExp(String.raw`^${token}/${token}(?:\s*;\s*${token}=(?:${token}|"[^"]*"))*$`);
  return accept
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => range.test(entry));
}

/** Tells whether an entry of an Accept header names what is not acceptable (RFC 9110, section 12.4.2). */
function isExcluded(range: string): boolean {
  return /;\s*q=0(?:\.0*)?\s*(?:;|$)/i.test(range);
}

/** The same response without the contents that a request excludes: of several ranges, the most specific one counts. */
function withoutExcluded(response: PrismResponse, ranges: readonly string[]): PrismResponse {
  if (response.contents === undefined || !ranges.some(isExcluded)) return response;
  const isAcceptable = (mediaType: string) => {
    const essence = readMediaType(mediaType)?.essence ?? mediaType;
    const declared = [essence, essence.replace(/\/.*/, "/*"), "*/*"];
    const named = (name: string) => ranges.filter((range) => range.split(";", 1).join().trim().toLowerCase() === name);
    return !(declared.map(named).find(({ length }) => length > 0) ?? []).some(isExcluded);
  };
  return { ...response, contents: response.contents.filter(({ mediaType }) => isAcceptable(mediaType)) };
}

/**
 * Replaces each declared media range (`*` and `text/*`) by a media type that falls under it: the first such that the
 * client names, or else JSON or plain text. Prism 5.16 negotiates ranges as if they were types, and answers 406.
 */
function concreteTypes(response: PrismResponse, accepted: readonly string[]): PrismResponse {
  const { contents = [] } = response;
  if (!contents.some(({ mediaType }) => mediaType.includes("*"))) return response;
  const named = accepted
    .map((entry) => readMediaType(entry)?.essence ?? "")
    .filter((essence) => !/\*|^$/.test(essence));
  const concreteType = (range: string) =>
    named.find((essence) => fallsUnder(essence, range)) ??
    (range.startsWith("text/") ? "text/plain" : "application/json");
  return {
    ...response,
    contents: contents.map((content) =>
      content.mediaType.includes("*") ? { ...content, mediaType: concreteType(content.mediaType) } : content,
    ),
  };
}

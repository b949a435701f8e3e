import { isJson } from "../contract/openapi.ts";
import { findFault } from "./jsonSyntax.ts";
import { fallsUnder, isForm, readMediaType } from "./mediaTypes.ts";
import type { Headers } from "./mockRequest.ts";
import type { PrismContent } from "./prism.ts";
import { refusalOf, shorten, wholeBody, type Refusal } from "./problemDetails.ts";

/** JSON nested deeper makes recursive validators overflow the stack. In levels. */
const depthLimit = 200;

/** What a body is, by its content type. */
export interface BodyKind {
  readonly content: PrismContent;
  /** Without parameters. */
  readonly mediaType: string;
  readonly boundary: string | undefined;
}

/** Finds the declared content that a body's Content-Type names; without a Content-Type, the first that is declared. */
export function chooseContent(headers: Headers, contents: readonly PrismContent[]): BodyKind | Refusal {
  const [first] = contents;
  const offered = contents.map(({ mediaType }) => mediaType);
  if (first === undefined) {
    return refusalOf(415, { ...wholeBody, message: "This operation takes no request body: send none." });
  }
  const coding = headers["content-encoding"];
  if (coding !== undefined && coding.toLowerCase() !== "identity") {
    const message = "The mock does not read compressed bodies: leave out the Content-Encoding header.";
    const violation = { in: "header", name: "Content-Encoding", message, expected: "identity" } as const;
    return refusalOf(415, violation, { "accept-encoding": "identity" });
  }
  const contentType = headers["content-type"];
  if (contentType === undefined) return { content: first, mediaType: first.mediaType, boundary: undefined };
  const quoted = JSON.stringify(shorten(contentType));
  const refuse = (message: string, expected: unknown, headers?: Refusal["headers"]) =>
    refusalOf(415, { in: "header", name: "Content-Type", message, expected }, headers);
  const refuseType = (message: string) => refuse(message, offered, { accept: offered.join(", ") });
  const type = readMediaType(contentType);
  if (type === undefined) return refuseType(`${quoted} is not a media type; the body must be ${either(offered)}.`);
  const { essence: mediaType, params } = type;
  const content = contents.find((candidate) => fallsUnder(mediaType, candidate.mediaType));
  if (content === undefined) return refuseType(`The body must be ${either(offered)}; its Content-Type is ${quoted}.`);
  if (!/^(?:utf-?8|us-ascii)$/i.test(params.get("charset") ?? "utf-8")) {
    return refuse(`The body must be UTF-8; its Content-Type is ${quoted}.`, "utf-8");
  }
  const boundary = params.get("boundary") ?? undefined;
  if (mediaType === "multipart/form-data" && boundary === undefined) {
    return refuse("multipart/form-data requires the boundary parameter, which HTTP clients set.", "boundary");
  }
  return { content, mediaType, boundary };
}

/** Parses JSON to a value; decodes anything else to text. */
export function parseBody(bytes: Buffer, mediaType: string): { readonly value: unknown } | Refusal {
  // Parts of a multipart body may be binary.
  const text = mediaType === "multipart/form-data" ? bytes.toString() : decode(bytes);
  if (text === undefined) return malformed("The body is not UTF-8.");
  if (!isJson(mediaType)) return { value: text };
  const fault = findFault(text, depthLimit);
  return fault === undefined ? { value: JSON.parse(text) } : malformed(`The body ${fault}.`);
}

/** Whether Prism can validate such a body: it parses forms itself, and takes other text as a string. */
export function isValidated(mediaType: string): boolean {
  return isJson(mediaType) || isForm(mediaType) || mediaType.startsWith("text/");
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function malformed(message: string): Refusal {
  return refusalOf(400, { ...wholeBody, message });
}

function either(list: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "disjunction" }).format(list);
}

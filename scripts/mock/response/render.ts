import { validateHeaderName, validateHeaderValue } from "node:http";
import { fallsUnder, isJson } from "../../spec/mediaTypes.ts";
import { saysNothing } from "./generatorSchema.ts";
import { readMediaType } from "../request/contentType.ts";
import type { GeneratedResponse, PrismContent, PrismResponse } from "./prism.ts";
import type { Answer } from "../problemDetails.ts";

/** The server sets these; a generated value would break the connection. */
const serverHeaders = new Set([
  "connection",
  "content-length",
  "content-type",
  "keep-alive",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Statuses whose responses have no content. */
export const withoutContent: ReadonlySet<number> = new Set([204, 205, 304]);

/** The entries of an Accept header that can be read; Prism throws on others. */
export function mediaRanges(accept: string): string[] {
  const token = String.raw`[\w!#$%&'*+.^\`|~-]+`;
  const range = new RegExp(String.raw`^${token}/${token}(?:\s*;\s*${token}=(?:${token}|"[^"]*"))*$`);
  return accept
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => range.test(entry));
}

/** Whether an entry of an Accept header says what is not acceptable (RFC 9110, section 12.4.2). */
export function isExcluded(range: string): boolean {
  return /;\s*q=0(?:\.0*)?\s*(?:;|$)/i.test(range);
}

/** The same response without the contents that a request excludes: of several ranges, the most specific one counts. */
export function withoutExcluded(response: PrismResponse, ranges: readonly string[]): PrismResponse {
  if (!ranges.some(isExcluded)) return response;
  const isAcceptable = (mediaType: string) => {
    const essence = readMediaType(mediaType)?.essence ?? mediaType;
    const declared = [essence, essence.replace(/\/.*/, "/*"), "*/*"];
    const named = (name: string) => ranges.filter((range) => range.split(";", 1).join().trim().toLowerCase() === name);
    return !(declared.map(named).find(({ length }) => length > 0) ?? []).some(isExcluded);
  };
  const contents = response.contents?.filter(({ mediaType }) => isAcceptable(mediaType));
  return { ...response, ...(contents !== undefined && { contents }) };
}

/**
 * Replaces each declared media range (`*` and `text/*`) by a media type that falls under it: the first such that the
 * client names, or else JSON or plain text. Prism 5.16 negotiates ranges as if they were types, and answers 406.
 */
export function concreteTypes(response: PrismResponse, accepted: readonly string[]): PrismResponse {
  const { contents = [] } = response;
  if (!contents.some(({ mediaType }) => mediaType.includes("*"))) return response;
  const named = accepted
    .map((entry) => readMediaType(entry)?.essence ?? "")
    .filter((essence) => !/\*|^$/.test(essence));
  return {
    ...response,
    contents: contents.map((content) =>
      content.mediaType.includes("*")
        ? {
            ...content,
            mediaType:
              named.find((essence) => fallsUnder(essence, content.mediaType)) ??
              (content.mediaType.startsWith("text/") ? "text/plain" : "application/json"),
          }
        : content,
    ),
  };
}

/** Makes text of a generated response. */
export async function renderResponse(generated: GeneratedResponse, response: PrismResponse): Promise<Answer> {
  const { status, mediaType } = generated;
  const headers = Object.fromEntries(
    [...generated.headers].flatMap(([name, value]) => {
      const text = headerText(name, value);
      return text === undefined ? [] : [[name.toLowerCase(), text] as const];
    }),
  );
  const content = response.contents?.find((candidate) => candidate.mediaType === mediaType);
  if (mediaType === undefined || content === undefined || withoutContent.has(status)) {
    return { status, headers, body: undefined };
  }
  const text = await serialize(bodyOf(generated, content), mediaType);
  return { status, headers: { ...headers, "content-type": mediaType }, body: text };
}

/** A JSON body that neither schema nor example describes is `{}`: clients can read it, and can rely on nothing in it. */
function bodyOf({ body }: GeneratedResponse, { mediaType, schema, examples = [] }: PrismContent): unknown {
  const isUnspecified = examples.length === 0 && saysNothing(schema ?? {});
  return isJson(mediaType) && (isUnspecified || body === undefined) ? {} : body;
}

async function serialize(body: unknown, mediaType: string): Promise<string> {
  if (isJson(mediaType)) return JSON.stringify(body);
  if (body === undefined || body === null) return "";
  if (typeof body === "string") return body;
  const { serialize: serializeAs } = await import("@stoplight/prism-http-server/dist/serialize.js");
  try {
    return String(serializeAs(body, mediaType));
  } catch {
    // Prism cannot write an object in a media type that is neither JSON nor XML.
    return JSON.stringify(body);
  }
}

/** A header's value, if it can be one; Prism also generates `null` and objects. */
function headerText(name: string, value: unknown): string | undefined {
  if (serverHeaders.has(name.toLowerCase())) return undefined;
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return undefined;
  try {
    validateHeaderName(name);
    validateHeaderValue(name, String(value));
    return String(value);
  } catch {
    return undefined;
  }
}

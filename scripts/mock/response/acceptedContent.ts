import Negotiator from "negotiator";
import { fallsUnder } from "../../spec/mediaTypes.ts";
import { readMediaType } from "../request/contentType.ts";
import { shorten } from "../secrets.ts";
import type { PrismResponse } from "./prism.ts";
import { refusalOf, type Refusal } from "./refusal.ts";

/**
 * Leaves a response the content that an Accept header asks for, with a media type that can be sent. Prism's own choice
 * (5.16) throws on headers that are malformed, and takes declared ranges such as `text/*` for types.
 */
export function acceptedContent(declared: PrismResponse, accept: string): PrismResponse | Refusal {
  const { contents: ranges = [] } = declared;
  const contents = ranges.map((content) => ({ ...content, mediaType: concreteType(content.mediaType, accept) }));
  const offered = contents.map(({ mediaType }) => mediaType);
  // Who asks for a type with a parameter that no content has gets the type without it.
  const withoutParameters = accept.replaceAll(/;(?!\s*q\s*=)[^,;]*/gi, "");
  const [chosen] = [accept || "application/json, */*", withoutParameters].flatMap((header) =>
    negotiator(header).mediaTypes(offered),
  );
  if (chosen !== undefined || offered.length === 0)
    return { ...declared, contents: contents.filter(({ mediaType }) => mediaType === chosen) };
  const received = shorten(accept);
  const message = `The response is ${offered.join(" or ")}, but the request accepts ${JSON.stringify(received)}.`;
  return refusalOf(406, { in: "header", name: "Accept", message, expected: offered, received });
}

/** A media type itself; for a range, the type that the client prefers of those under it, or else JSON or plain text. */
function concreteType(declared: string, accept: string): string {
  if (!declared.includes("*")) return declared;
  const named = negotiator(accept)
    .mediaTypes()
    .map((type) => readMediaType(type)?.essence ?? "*");
  const preferred = named.find((essence) => !essence.includes("*") && fallsUnder(essence, declared));
  return preferred ?? (declared.startsWith("text/") ? "text/plain" : "application/json");
}

function negotiator(accept: string): Negotiator {
  return new Negotiator({ headers: { accept } });
}

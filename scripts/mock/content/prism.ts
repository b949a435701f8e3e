/**
 * Chooses a response's content and its example, with Prism's own modules.
 *
 * They are imported one by one, because the package's entry also loads the router, the proxy,
 * readers of other formats and Faker. Random values are not Prism's: see generatedValue.ts.
 */
import negotiatorModule from "@stoplight/prism-http/dist/mocker/negotiator/NegotiatorHelpers.js";
import Negotiator from "negotiator";
import type { MediaType } from "../../contract/generation.ts";
import { readMediaType } from "../../exchange/contentType.ts";
import { contentOfType, fallsUnder, isJson } from "../../spec/mediaTypes.ts";
import { resolveSchema, type OpenApiDocument } from "../../spec/openapi.ts";
import { maskAndCut } from "../../exchange/secrets.ts";
import { saysNothing } from "./generatedValue.ts";
import { refusalOf, type Refusal } from "../../exchange/refusal.ts";

const { default: negotiator } = negotiatorModule;

const ignore = () => undefined;
const logger = { debug: ignore, info: ignore, success: ignore, warn: ignore };

/**
 * The content of a response that an Accept header asks for, with a concrete media type. Returns `undefined`
 * if the response has no content. Prism's own choice (5.16) throws on malformed headers, and takes declared
 * ranges such as `text/*` for types.
 */
export function acceptedContent(ranges: readonly MediaType[], accept: string): MediaType | Refusal | undefined {
  const concrete = ranges.map(({ mediaType }) => concreteType(mediaType, accept));
  // If the client has no preference, it gets JSON, which the mock can write for any value.
  const offered = [...concrete.filter(isJson), ...concrete.filter((type) => !isJson(type))];
  // A request for a type with an unknown parameter gets the type without it.
  const withoutParameters = accept.replaceAll(/;(?!\s*q\s*=)[^,;]*/gi, "");
  const [chosen] = [accept || "application/json, */*", withoutParameters].flatMap((header) =>
    acceptedTypes(header, offered),
  );
  if (chosen !== undefined) {
    const content = contentOfType(ranges, chosen) ?? ranges[concrete.indexOf(chosen)];
    return content && { ...content, mediaType: chosen };
  }
  if (offered.length === 0) return undefined;
  const received = maskAndCut(accept);
  const message = `The response is ${offered.join(" or ")}, but the request accepts ${JSON.stringify(received)}.`;
  return refusalOf(406, { code: "media-type", in: "header", name: "Accept", message, expected: offered, received });
}

/**
 * The concrete type of a content. For a declared range, it's the matching type that the client prefers, or
 * else JSON or plain text.
 */
function concreteType(declared: string, accept: string): string {
  if (!declared.includes("*")) return declared;
  const named = acceptedTypes(accept).map((type) => readMediaType(type)?.essence ?? "*");
  const preferred = named.find((essence) => !essence.includes("*") && fallsUnder(essence, declared));
  return preferred ?? (declared.startsWith("text/") ? "text/plain" : "application/json");
}

function acceptedTypes(accept: string, offered?: string[]): string[] {
  return new Negotiator({ headers: { accept } }).mediaTypes(offered);
}

/**
 * The value of the named example, or else of the first one. Random values take precedence if the request asks
 * for them and they can be generated.
 */
export function chooseExample(
  { mediaType, schema, examples }: MediaType,
  document: OpenApiDocument,
  exampleKey: string | undefined,
  isDynamic: boolean,
): { readonly value: unknown } | { readonly failure: string } {
  const described = resolveSchema(document, schema);
  const [own] = described.examples ?? [];
  const named = examples.length === 0 && own !== undefined ? [{ name: "default", value: own }] : examples;
  const content = {
    id: "",
    mediaType,
    schema: {},
    examples: named.map(({ name, value }) => ({ id: "", key: name, value })),
  };
  const wishes = {
    code: "",
    dynamic: isDynamic && !saysNothing(described),
    ...(exampleKey !== undefined && { exampleKey }),
  };
  const chosen = negotiator.negotiateByPartialOptionsAndHttpContent(wishes, content, logger);
  if (chosen._tag === "Left") return { failure: chosen.left.message };
  const { bodyExample } = chosen.right;
  return { value: bodyExample && "value" in bodyExample ? bodyExample.value : undefined };
}

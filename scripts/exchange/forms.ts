import type { MediaType } from "../contract/generation.ts";
import { isObject } from "../spec/json.ts";
import type { OpenApiDocument } from "../spec/openapi.ts";
import { styleOf } from "../spec/parameterStyles.ts";
import { propertySchemas } from "../spec/schemas.ts";
import type { SentMediaType } from "./contentType.ts";
import { refusalOf, wholeBody, type Refusal } from "./refusal.ts";
import { joinPairs } from "./requestTarget.ts";
import { allowedTypes, createReader, readParts, type Carrier } from "./parameterReader.ts";

/** Taking a form apart takes long for its size if the parts are small. */
const mostParts = 1_000;

/** Makes a function that reads the fields of a form as its schema and their encodings say (OpenAPI 3.1.1, section 4.8.15). */
export function createFormReader({ schema, encoding }: MediaType, document: OpenApiDocument) {
  const readers = new Map(
    Array.from(propertySchemas(document, schema), ([name, property]) => {
      const given = encoding.get(name) ?? {};
      const { style, explode } = styleOf("query", given);
      const isStyled = given.style !== undefined || given.explode !== undefined;
      const isJson = !isStyled && allowedTypes(document, property).has("object");
      const mediaType = isJson ? "application/json" : undefined;
      return [name, createReader({ name, style, explode, mediaType, schema: property }, document)];
    }),
  );
  return (fields: Carrier): unknown => {
    const known = [...readers].flatMap(([name, read]) => {
      const reading = read(fields);
      return reading === undefined ? [] : [[name, reading.value ?? fields[name]] as const];
    });
    // Fields such as `name[a]` are members of a property.
    const rest = Object.entries(fields).filter(([name]) => !readers.has(name.split("[", 1).join()));
    const others = readParts(document, Object.fromEntries(rest), schema);
    return { ...(isObject(others) && others), ...Object.fromEntries(known) };
  };
}

/** Reads the fields of multipart/form-data (RFC 7578); of a file, its content as text. */
export async function readMultipart(bytes: Uint8Array, type: SentMediaType): Promise<Carrier | Refusal> {
  const boundary = type.params.get("boundary") ?? "";
  if (boundary === "") {
    const message = "multipart/form-data requires the boundary parameter, which HTTP clients set.";
    return refusalOf(415, { in: "header", name: "Content-Type", message, expected: "boundary" });
  }
  if (new TextDecoder("latin1").decode(bytes).split(`--${boundary}`, mostParts + 3).length > mostParts + 2) {
    return refusalOf(413, { ...wholeBody, message: `The body has more than ${mostParts} parts.`, expected: mostParts });
  }
  try {
    const headers = { "content-type": String(type) };
    const form = await new Response(new Uint8Array(bytes), { headers }).formData();
    const pairs = Array.from(form, async ([name, part]) => [name, await new Response(part).text()] as const);
    return joinPairs(await Promise.all(pairs));
  } catch {
    return refusalOf(400, { ...wholeBody, message: "The body is not multipart/form-data with that boundary." });
  }
}

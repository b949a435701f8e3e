import type { MediaType } from "../../contract/generation.ts";
import type { OpenApiDocument } from "../../spec/openapi.ts";
import { createPartsReader, createReader, type Carrier } from "./parameterStyles.ts";
import { refusalOf, wholeBody, type Refusal } from "../response/refusal.ts";
import { additionalSchema, propertySchemas, allowedTypes } from "../validation/subschemas.ts";

/** Taking a form apart takes long for its size if the parts are small. */
const mostParts = 1_000;

/** Makes a function that reads the fields of a form as its schema and their encodings say (OpenAPI 3.1.1, section 4.8.15). */
export function createFormReader(
  { schema, encoding }: MediaType,
  document: OpenApiDocument,
): (fields: Carrier) => Readonly<Record<string, unknown>> {
  const readers = new Map(
    Object.entries(propertySchemas(schema, document)).map(([name, property]) => {
      const { style = "form", explode = style === "form" } = encoding.get(name) ?? {};
      const types = allowedTypes(property, document);
      const mediaType = !encoding.has(name) && types.has("object") ? "application/json" : undefined;
      return [name, createReader({ name, style, explode, mediaType, schema: property }, document)] as const;
    }),
  );
  const readParts = createPartsReader(document);
  const others = additionalSchema(schema, document);
  return (fields) => {
    const known = [...readers].flatMap(([name, read]) => {
      const reading = read(fields);
      return reading === undefined ? [] : [[name, reading.value ?? fields[name]] as const];
    });
    // Fields such as `name[a]` are members of a property.
    const rest = Object.entries(fields).filter(([name]) => !readers.has(name.split("[", 1).join()));
    return Object.fromEntries([...rest.map(([name, sent]) => [name, readParts(sent, others)] as const), ...known]);
  };
}

/** Reads the fields of multipart/form-data (RFC 7578); of a file, its content as text. */
export async function readMultipart(bytes: Buffer, contentType: string, boundary: string): Promise<Carrier | Refusal> {
  if (bytes.toString("latin1").split(`--${boundary}`, mostParts + 3).length > mostParts + 2) {
    return refusalOf(413, { ...wholeBody, message: `The body has more than ${mostParts} parts.`, expected: mostParts });
  }
  try {
    const form = await new Response(new Uint8Array(bytes), { headers: { "content-type": contentType } }).formData();
    const fields = new Map<string, readonly string[]>();
    for (const [name, part] of form) {
      fields.set(name, [...(fields.get(name) ?? []), typeof part === "string" ? part : await part.text()]);
    }
    return Object.fromEntries(
      [...fields].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? "") : values]),
    );
  } catch {
    return refusalOf(400, { ...wholeBody, message: "The body is not multipart/form-data with that boundary." });
  }
}

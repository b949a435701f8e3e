import { resolveSchema } from "../spec/references.ts";
import type { Operation } from "./generation.ts";

/**
 * The headers of an operation that can have only one value, by name: those that the contract gives a single value, and
 * the media type of a body that is JSON or a form, if that is the only one and not the one that openapi-fetch sends.
 */
export function singleValuedHeaders({ document, parameters, requestBody }: Operation): [string, string][] {
  const headers = parameters.flatMap(({ in: place, name, schema: referenced }): [string, string][] => {
    const schema = resolveSchema(document, referenced);
    const values: readonly unknown[] = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
    const [value] = values;
    // OpenAPI 3.1.1, section 4.8.12.2: parameters of these names are to be ignored.
    if (place !== "header" || /^(accept|content-type|authorization)$/i.test(name)) return [];
    return values.length === 1 && ["string", "number", "boolean"].includes(typeof value) ? [[name, String(value)]] : [];
  });
  const [{ mediaType } = { mediaType: "" }, ...others] = requestBody?.content ?? [];
  const isEncodable = /^application\/(x-www-form-urlencoded|[\w.-]+\+json)$/i.test(mediaType);
  return isEncodable && others.length === 0 ? [...headers, ["Content-Type", mediaType]] : headers;
}

import { resolveSchema } from "../spec/openapi.ts";
import type { Operation } from "./generation.ts";

/** The headers that can have only one value: what the contract fixes, and a media type that openapi-fetch would not send. */
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

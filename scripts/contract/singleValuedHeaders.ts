import { resolveSchema } from "../spec/openapi.ts";
import { listedValues } from "../spec/schemas.ts";
import { isSent, type Operation } from "./generation.ts";

/**
 * The headers with only one possible value: those that the contract fixes, and media types that openapi-fetch
 * wouldn't send.
 */
export function singleValuedHeaders({ document, parameters, requestBody }: Operation): [string, string][] {
  const sent = parameters.filter((parameter) => parameter.in === "header" && isSent(parameter));
  const headers = sent.flatMap(({ name, schema: referenced }): [string, string][] => {
    const schema = resolveSchema(document, referenced);
    const values = listedValues(schema);
    const [value] = values;
    return values.length === 1 && ["string", "number", "boolean"].includes(typeof value) ? [[name, String(value)]] : [];
  });
  const [{ mediaType } = { mediaType: "" }, ...others] = requestBody?.content ?? [];
  const isEncodable = /^application\/(x-www-form-urlencoded|[\w.-]+\+json)$/i.test(mediaType);
  return isEncodable && others.length === 0 ? [...headers, ["Content-Type", mediaType]] : headers;
}

import type { QuerySerializerOptions } from "openapi-fetch";
import { textOf } from "./path.ts";

/** Writes query parameters, without a question mark. */
export type SerializeQuery = (query: Readonly<Record<string, unknown>>) => string;

/**
 * Makes a function that writes query parameters as openapi-fetch (0.17) does with these options. Of that, it is half the
 * size: it lacks the styles that no query can have. It throws a {@link TypeError} for a value that a query cannot have.
 */
export function createQuerySerializer({ allowReserved, array, object }: QuerySerializerOptions = {}): SerializeQuery {
  const write = (value: unknown) => (allowReserved ? textOf(value) : encodeURIComponent(textOf(value)));
  const writeParameter = ([name, value]: [string, unknown]) => {
    if (value === undefined || value === null) return [];
    if (typeof value !== "object") return `${name}=${write(value)}`;
    const isList = Array.isArray(value);
    const { style, explode = true } = isList ? { ...array } : { style: "deepObject", ...object };
    const isDeep = style === "deepObject";
    const entries = Object.entries(value).map(
      ([key, part]) => [isDeep ? `${name}[${key}]` : key, write(part)] as const,
    );
    if (explode || isDeep) return entries.map(([key, text]) => `${isList ? name : key}=${text}`);
    const delimiter = style === "spaceDelimited" ? "%20" : style === "pipeDelimited" ? "|" : ",";
    return entries.length > 0
      ? `${name}=${entries.flatMap(([key, text]) => (isList ? text : [key, text])).join(delimiter)}`
      : [];
  };
  return (query) => Object.entries(query).flatMap(writeParameter).join("&");
}

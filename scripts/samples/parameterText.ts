import type { Encoding, Parameter } from "../contract/generation.ts";
import { percentEncode } from "../spec/percentEncoding.ts";
import { isObject, membersOf } from "../spec/json.ts";

/** A parameter and the value that is sent for it. */
export interface SentParameter extends Pick<Parameter, "name" | "in" | "style" | "explode" | "mediaType"> {
  readonly value: unknown;
}

export type Pair = readonly [name: string, value: string];

/** What values begin with, what stands between their parts, and whether these have the parameter's name. */
const queryStyle = { start: "", separator: "&", isNamed: true };
const otherStyles: Readonly<Record<string, typeof queryStyle>> = {
  cookie: { start: "", separator: "; ", isNamed: true },
  simple: { start: "", separator: ",", isNamed: false },
  label: { start: ".", separator: ".", isNamed: false },
  matrix: { start: ";", separator: ";", isNamed: true },
};

/** What stands between the items of a list that has its name once. A URL has no vertical bar (RFC 3986, appendix A). */
const delimiters: Readonly<Record<string, string>> = { spaceDelimited: "%20", pipeDelimited: "%7C" };

/**
 * A parameter as its style writes it (OpenAPI 3.1.1, section 4.8.12.6): the part of a path that replaces its name in
 * braces, pairs of a query or of a Cookie header field, or the value of another header field. "" for an empty list.
 */
export function parameterText(parameter: SentParameter): string {
  const { name, in: place, style, explode } = parameter;
  const value = styledValue(parameter);
  if (style === "deepObject") return deepPairs(name, value).map(pairText).join("&");
  const { start, separator, isNamed } = otherStyles[place === "cookie" ? place : style] ?? queryStyle;
  const write = (part: unknown) => (place === "header" ? toText(part) : percentEncode(toText(part)));
  const named = (text: string) => (isNamed ? `${percentEncode(name)}=${text}` : text);
  const members = membersOf(value);
  const parts: readonly unknown[] = Array.isArray(value) ? value : isObject(value) ? members.flat() : [value];
  if (!explode) return start + named(parts.map(write).join(delimiters[style] ?? ","));
  const texts = isObject(value)
    ? members.map((member) => member.map(write).join("="))
    : parts.map((part) => named(write(part)));
  return start + texts.join(separator);
}

/** The fields of a form for an object, by what its properties' encodings say (OpenAPI 3.1.1, section 4.8.15). */
export function formFields(body: unknown, encoding: Readonly<Record<string, Encoding>>): readonly Pair[] {
  return membersOf(body).flatMap(([name, value]): readonly Pair[] => {
    const { style = "form", explode = style === "form" } = encoding[name] ?? {};
    if (style === "deepObject") return deepPairs(name, value);
    const texts = Array.isArray(value) ? value.map(toText) : [toText(value)];
    return explode
      ? texts.map((text) => [name, text])
      : [[name, texts.join(decodeURIComponent(delimiters[style] ?? ","))]];
  });
}

/** A value written as text: what is no text, as JSON. */
export function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The value that is written in the parameter's style: of a value with a media type, its text (OpenAPI 3.1.1, section 4.8.12.4). */
export function styledValue({ mediaType, value }: SentParameter): unknown {
  if (mediaType === undefined) return value;
  return mediaType.startsWith("text/") ? toText(value) : JSON.stringify(value);
}

export function pairText(pair: Pair): string {
  return pair.map(percentEncode).join("=");
}

/** `name[a]=1` and `name[b][c]=2`, and `name[]=3` for the items of lists, which the style leaves undefined. */
function deepPairs(name: string, value: unknown): readonly Pair[] {
  if (Array.isArray(value)) return value.flatMap((item) => deepPairs(`${name}[]`, item));
  if (!isObject(value)) return [[name, toText(value)]];
  return Object.entries(value).flatMap(([key, member]) => deepPairs(`${name}[${key}]`, member));
}

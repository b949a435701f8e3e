import type { Encoding, Parameter } from "../contract/generation.ts";
import { isObject, membersOf } from "../spec/json.ts";
import { notationOf, styleOf } from "../spec/parameterStyles.ts";
import { percentEncode } from "../spec/percentEncoding.ts";
import { fileAt, type SampleFile, type SampleFiles } from "./sampleFiles.ts";

/** A parameter and its value in a request. */
export interface SentParameter extends Pick<Parameter, "name" | "in" | "style" | "explode" | "mediaType"> {
  readonly value: unknown;
}

export type NameValuePair = readonly [name: string, value: string];

/** A part of a multipart form: a field, or a file with its content. */
export type FormPart = NameValuePair | readonly [name: string, content: string | Blob, file: SampleFile];

/**
 * Serializes a parameter in its style. The result is the segment that replaces a path parameter, the pairs of
 * a query or a Cookie header field, or the value of another header field. It is "" for an empty list whose
 * items would be pairs.
 */
export function parameterText(parameter: SentParameter): string {
  const { name, in: place, style, explode } = parameter;
  const value = styledValue(parameter);
  if (style === "deepObject") return deepPairs(name, value).map(pairText).join("&");
  const { prefix, delimiter, explodedDelimiter, isNamed } = notationOf(style);
  const isPair = explodedDelimiter === undefined;
  const write = (part: unknown) => (place === "header" ? toText(part) : percentEncode(toText(part)));
  const start = isPair || isNamed ? `${percentEncode(name)}=` : "";
  // URLs contain neither spaces nor vertical bars (RFC 3986, appendix A).
  if (!explode) return prefix + start + partsOf(value).map(write).join(encodeURI(delimiter));
  const texts = isObject(value)
    ? membersOf(value).map(([key, member]) => `${write(key)}=${write(member)}`)
    : partsOf(value).map((part) => start + write(part));
  return prefix + texts.join(explodedDelimiter ?? (place === "cookie" ? "; " : "&"));
}

/** The parts between delimiters: items, or names and values in turn. */
function partsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isObject(value) ? membersOf(value).flat() : [value];
}

/** The fields of a form for an object, by the encodings of its properties (OpenAPI 3.1.1, section 4.8.15). */
export function formFields(body: unknown, encoding: Readonly<Record<string, Encoding>>): readonly NameValuePair[] {
  return membersOf(body).flatMap(([name, value]): readonly NameValuePair[] => {
    const { style, explode } = styleOf("query", encoding[name] ?? {});
    if (style === "deepObject") return deepPairs(name, value);
    const texts = Array.isArray(value) ? value.map(toText) : [toText(value)];
    return explode ? texts.map((text) => [name, text]) : [[name, texts.join(notationOf(style).delimiter)]];
  });
}

/** The parts of a multipart form for an object. */
export function formParts(
  body: unknown,
  encoding: Readonly<Record<string, Encoding>>,
  files: SampleFiles,
): readonly FormPart[] {
  return membersOf(body).flatMap(([name, value]): readonly FormPart[] => {
    const file = fileAt(files, name);
    if (file === undefined) return formFields({ [name]: value }, encoding);
    return [value].flat().map((content) => [name, ...chosenFile(content, file)]);
  });
}

/** The content, name and type of a file. They are those of a file chosen in a form, if there is one. */
export function chosenFile(content: unknown, file: SampleFile): [content: string | Blob, file: SampleFile] {
  if (!(content instanceof Blob)) return [toText(content), file];
  const name = content instanceof File ? content.name : file.name;
  return [content, { name, mediaType: content.type || file.mediaType }];
}

/** A value as text. Values other than text are JSON. */
export function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * The value to serialize in the parameter's style. If the parameter has a media type, it is text (OpenAPI
 * 3.1.1, section 4.8.12.4).
 */
export function styledValue({ mediaType, value }: SentParameter): unknown {
  if (mediaType === undefined) return value;
  return mediaType.startsWith("text/") ? toText(value) : JSON.stringify(value);
}

export function pairText(pair: NameValuePair): string {
  return pair.map(percentEncode).join("=");
}

/** `name[a]=1` and `name[b][c]=2`, and `name[]=3` for the items of lists, which the style doesn't define. */
function deepPairs(name: string, value: unknown): readonly NameValuePair[] {
  if (Array.isArray(value)) return value.flatMap((item) => deepPairs(`${name}[]`, item));
  if (!isObject(value)) return [[name, toText(value)]];
  return Object.entries(value).flatMap(([key, member]) => deepPairs(`${name}[${key}]`, member));
}

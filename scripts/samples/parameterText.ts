import type { Parameter } from "../contract/generation.ts";
import { membersOf } from "../values/json.ts";
import { percentEncode } from "../values/percentEncoding.ts";
import { fileAt, type SampleFile, type SampleFiles } from "./sampleFiles.ts";

/** A parameter and its value in a request. */
export interface SentParameter extends Pick<Parameter, "name" | "in"> {
  readonly value: unknown;
}

export type NameValuePair = readonly [name: string, value: string];

/** A part of a multipart form: a field, or a file with its content. */
export type FormPart = NameValuePair | readonly [name: string, content: string | Blob, file: SampleFile];

/**
 * A parameter as text: the segment that replaces a path parameter, the pairs of a query or a Cookie header field, or the
 * value of another header field. It is "" for an empty list.
 */
export function parameterText({ name, in: place, value }: SentParameter): string {
  if (place === "header") return toText(value);
  if (place === "path") return percentEncode(toText(value));
  return textsOf(value)
    .map((text) => pairText([name, text]))
    .join(place === "cookie" ? "; " : "&");
}

/** A text for each item of a list, or for the only value. */
function textsOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).map(toText);
}

/** The fields of a form for an object. */
export function formFields(body: unknown): readonly NameValuePair[] {
  return membersOf(body).flatMap(([name, value]) => textsOf(value).map((text): NameValuePair => [name, text]));
}

/** The parts of a multipart form for an object. */
export function formParts(body: unknown, files: SampleFiles): readonly FormPart[] {
  return membersOf(body).flatMap(([name, value]): readonly FormPart[] => {
    const file = fileAt(files, name);
    if (file === undefined) return formFields({ [name]: value });
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

export function pairText(pair: NameValuePair): string {
  return pair.map(percentEncode).join("=");
}

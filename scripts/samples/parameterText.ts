import { serializeArrayParam, serializeObjectParam } from "openapi-fetch";
import type { Encoding, Parameter } from "../contract/generation.ts";
import { percentDecode, percentEncode } from "../spec/percentEncoding.ts";
import { isObject, membersOf } from "../spec/json.ts";

/** A parameter and the value that is sent for it. */
export interface SentParameter extends Pick<Parameter, "name" | "in" | "style" | "explode" | "mediaType"> {
  readonly value: unknown;
}

/** The part of a path that replaces a parameter's name in braces (OpenAPI 3.1.1, section 4.8.12.6). */
export function pathText(parameter: SentParameter): string {
  const { style } = parameter;
  const name = percentEncode(parameter.name);
  const value = styledValue(parameter);
  if (Array.isArray(value) || isObject(value)) return containerText({ ...parameter, name }, value, percentEncode);
  const text = percentEncode(toText(value));
  if (style === "matrix") return `;${name}=${text}`;
  return style === "label" ? `.${text}` : text;
}

/** The pairs of a query for a parameter, percent-encoded and with `&` between them; "" for an empty list. */
export function queryText(parameter: SentParameter): string {
  const name = percentEncode(parameter.name);
  const value = styledValue(parameter);
  if (parameter.style === "deepObject") return membersText(name, value).join("&");
  if (!Array.isArray(value) && !isObject(value)) return `${name}=${percentEncode(toText(value))}`;
  // A URL has no vertical bar (RFC 3986, appendix A).
  return containerText({ ...parameter, name }, value, percentEncode).replaceAll("|", "%7C");
}

/** The value of a header field for a parameter. */
export function headerText(parameter: SentParameter): string {
  const value = styledValue(parameter);
  return Array.isArray(value) || isObject(value)
    ? containerText({ ...parameter, style: "simple" }, value, (text) => text)
    : toText(value);
}

/** The pairs of a Cookie header field for a parameter. */
export function cookieText(parameter: SentParameter): string {
  return queryText(parameter).replaceAll("&", "; ");
}

/** The fields of a form for an object, by what its properties' encodings say (OpenAPI 3.1.1, section 4.8.15). */
export function formFields(
  body: unknown,
  encoding: Readonly<Record<string, Encoding>>,
): readonly (readonly [name: string, value: string])[] {
  return membersOf(body).flatMap(([name, value]) => {
    const { style = "form", explode = style === "form" } = encoding[name] ?? {};
    if (Array.isArray(value) && style !== "deepObject") {
      const texts = value.map(toText);
      return explode ? texts.map((text) => [name, text] as const) : [[name, texts.join(delimiters[style] ?? ",")]];
    }
    if (style !== "deepObject") return [[name, toText(value)]];
    return membersText(name, value).map((pair) => {
      const [key = "", text = ""] = pair.split("=").map((part) => percentDecode(part) ?? part);
      return [key, text];
    });
  });
}

const delimiters: Readonly<Record<string, string>> = { spaceDelimited: " ", pipeDelimited: "|" };

/** A value written as text: what is no text, as JSON. */
export function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The value that is written in the parameter's style: of a value with a media type, its text (OpenAPI 3.1.1, section 4.8.12.4). */
export function styledValue({ mediaType, value }: SentParameter): unknown {
  if (mediaType === undefined) return value;
  return mediaType.startsWith("text/") ? toText(value) : JSON.stringify(value);
}

const styles = ["simple", "label", "matrix", "form", "spaceDelimited", "pipeDelimited"] as const;
const memberStyles = ["simple", "label", "matrix", "form"] as const;

function containerText(
  { name, style, explode }: SentParameter,
  value: readonly unknown[] | Readonly<Record<string, unknown>>,
  encode: (text: string) => string,
): string {
  const arrayStyle = styles.find((one) => one === style) ?? "form";
  // What is encoded here is not to be encoded again.
  const list = (texts: readonly unknown[]) =>
    serializeArrayParam(
      name,
      texts.map((text) => encode(toText(text))),
      { style: arrayStyle, explode, allowReserved: true },
    );
  if (Array.isArray(value)) return list(value);
  if (!explode) return list(Object.entries(value).flat());
  const members = Object.entries(value).map(([key, member]) => [encode(key), encode(toText(member))] as const);
  const memberStyle = memberStyles.find((one) => one === style) ?? "form";
  return serializeObjectParam(name, Object.fromEntries(members), { style: memberStyle, explode, allowReserved: true });
}

/** `name[a]=1` and `name[b][c]=2`, and `name[]=3` for the items of lists, which the style leaves undefined. */
function membersText(name: string, value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => membersText(`${name}%5B%5D`, item));
  if (!isObject(value)) return [`${name}=${percentEncode(toText(value))}`];
  return Object.entries(value).flatMap(([key, member]) => membersText(`${name}%5B${percentEncode(key)}%5D`, member));
}

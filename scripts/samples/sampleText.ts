import { isMatching, isSlow } from "../spec/patterns.ts";
import type { SchemaObject } from "../spec/openapi.ts";
import { patternText } from "./patternText.ts";

/** A longer text would make a sample, or a response of the mock, needlessly large. */
const maxLength = 10_000;

/** A value of each format that has a form of its own. */
const formatted: Readonly<Record<string, string>> = {
  date: "2019-08-24",
  "date-time": "2019-08-24T14:15:22Z",
  time: "14:15:22Z",
  duration: "P1D",
  email: "user@example.com",
  "idn-email": "user@example.com",
  hostname: "example.com",
  "idn-hostname": "example.com",
  ipv4: "192.168.0.1",
  ipv6: "2001:0db8:85a3:0000:0000:8a2e:0370:7334",
  uri: "http://example.com",
  url: "http://example.com",
  iri: "http://example.com",
  "uri-reference": "../dictionary",
  "iri-reference": "../dictionary",
  "uri-template": "http://example.com/{endpoint}",
  uuid: "497f6eca-6276-4993-bfeb-53cbbbba6f08",
  "json-pointer": "/json/pointer",
  "relative-json-pointer": "1/relative/json/pointer",
  regex: "^[a-z]+$",
  byte: "ZXhhbXBsZQ==",
  password: "pa$$word",
};

/** A text that schemas allow together. `undefined` if none is found. `n`: texts with different numbers are different. */
export function sampleText(schemas: readonly SchemaObject[], n: number): string | undefined {
  const limits = (keyword: "maxLength" | "minLength") => schemas.flatMap((schema) => schema[keyword] ?? []);
  const [least, most] = [Math.max(0, ...limits("minLength")), Math.min(...limits("maxLength"))];
  if (least > maxLength) return undefined;
  const form = schemas.map(({ format = "" }) => (Object.hasOwn(formatted, format) ? formatted[format] : undefined));
  const own = form.find((text) => text !== undefined);
  // Nothing is compared with slow patterns.
  const patterns = schemas.flatMap(({ pattern }) => (pattern === undefined || isSlow(pattern) ? [] : [pattern]));
  const isAllowed = (text: string | undefined) =>
    text !== undefined &&
    text.length >= least &&
    text.length <= most &&
    patterns.every((pattern) => isMatching(pattern, text));
  const plain = padded("string", least).slice(0, most);
  const texts = [own, own && padded(own, least), plain, ...patterns.map((pattern) => patternText(pattern, least))];
  if (n === 0) return texts.find(isAllowed);
  const numbered = own === undefined ? `${plain.slice(0, Math.max(0, most - String(n).length))}${n}` : undefined;
  return isAllowed(numbered) ? numbered : undefined;
}

function padded(text: string, length: number): string {
  return text.length < length ? text.repeat(Math.ceil(length / text.length)).slice(0, length) : text;
}

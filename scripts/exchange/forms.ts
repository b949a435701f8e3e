import type { MediaType } from "../contract/generation.ts";
import { groupBy } from "../values/collections.ts";
import { fileSchemas } from "../spec/binary.ts";
import { characterPerByte } from "../values/bytes.ts";
import { isObject, jsonPointer, stringOf, valueAt } from "../values/json.ts";
import { essenceOf, fallsUnder, isJson } from "../spec/mediaTypes.ts";
import type { OpenApiDocument } from "../spec/openapi.ts";
import { applicableSchemas, propertySchemas } from "../spec/schemas.ts";
import type { SentMediaType } from "./contentType.ts";
import { refusalOf, wholeBody, type Refusal } from "./refusal.ts";
import type { FoundViolation } from "./requestViolation.ts";
import { joinPairs, readPairs } from "./requestTarget.ts";
import { maskAndCut } from "./secrets.ts";
import { createReader, type Carrier } from "./valueReader.ts";

/** Parsing a form with many small parts takes long for its size. */
const maxParts = 1_000;
/** Reading the fields of an encoded form of 1 MiB can take half a second. */
const maxFields = 10_000;

/** Creates a function that reads the fields of a form by its schema. */
export function createFormReader({ schema }: MediaType, document: OpenApiDocument) {
  const properties = propertySchemas(document, schema);
  const readers = new Map(Array.from(properties, ([name, property]) => [name, createReader(property, document)]));
  const combined = applicableSchemas(document, schema);
  const others = combined.find((one) => one.additionalProperties !== undefined)?.additionalProperties;
  const readOther = createReader(others, document);
  return (fields: Carrier) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, sent]) => [name, (readers.get(name) ?? readOther)(sent)?.value]),
    );
}

/** Whether all fields are written as is usual: forms with others are only shown. */
export function hasUsualFields({ encoding }: MediaType): boolean {
  return [...encoding.values()].every(({ style = "form", explode = true }) => style === "form" && explode);
}

/** A part of a form. */
interface ReceivedPart {
  readonly name: string;
  /** Its content. For bytes, it has one character per byte. */
  readonly text: string;
  /** The media type of a file. `undefined` for a field, which has no file name. */
  readonly mediaType: string | undefined;
  /** The file itself. */
  readonly file?: File;
  /** True for what browsers send if no file was chosen: an empty file with an empty file name. */
  readonly isUnchosen?: boolean;
}

/** Creates a function that finds the parts of a form that should be files, and files of the wrong media type. */
export function createPartCheck({ schema, encoding }: MediaType, document: OpenApiDocument) {
  const files = fileSchemas(document, schema);
  const expectedOf = (name: string) => {
    const described = stringOf(valueAt(files.get(name), ["contentMediaType"]));
    const types = encoding.get(name)?.contentType ?? described ?? "*/*";
    return types.split(",").map((one) => one.trim());
  };
  return (parts: readonly ReceivedPart[]): readonly FoundViolation[] =>
    parts.flatMap(({ name, mediaType }): readonly FoundViolation[] => {
      const place = { code: "content", in: "body", pointer: jsonPointer([name]) } as const;
      const part = `The part ${maskAndCut(name)} of the form`;
      if (mediaType === undefined) {
        const message = `${part} must be a file with a file name (filename="..."); received a field without one.`;
        return files.has(name) ? [{ ...place, message, expected: "file" }] : [];
      }
      const expected = expectedOf(name);
      if (expected.some((one) => fallsUnder(essenceOf(mediaType), one))) return [];
      const received = JSON.stringify(maskAndCut(mediaType));
      const message = `${part} must be ${expected.join(" or ")}; its Content-Type is ${received}.`;
      return [{ ...place, message, expected, received }];
    });
}

/** The fields and files of a form by name, in the form that a schema can validate. */
export function fieldsOf(parts: readonly ReceivedPart[]): Carrier {
  return joinPairs(parts.map(({ name, text }) => [name, text]));
}

/** Reads the fields of application/x-www-form-urlencoded. */
export function readFields(text: string): Carrier | Refusal {
  if (text.split("&", maxFields + 1).length <= maxFields) return readPairs(text);
  return refuseMore(maxFields, "fields");
}

function refuseMore(most: number, what: string): Refusal {
  return refusalOf(413, {
    code: "size",
    ...wholeBody,
    message: `The body has more than ${most} ${what}.`,
    expected: most,
  });
}

/** Reads the parts of multipart/form-data (RFC 7578). */
export async function readMultipart(
  bytes: Uint8Array,
  type: SentMediaType,
): Promise<readonly ReceivedPart[] | Refusal> {
  const boundary = type.params.get("boundary") ?? "";
  if (boundary === "") {
    const message = "multipart/form-data requires the boundary parameter, which HTTP clients set.";
    return refusalOf(415, { code: "media-type", in: "header", name: "Content-Type", message, expected: "boundary" });
  }
  if (characterPerByte(bytes).split(`--${boundary}`, maxParts + 3).length > maxParts + 2) {
    return refuseMore(maxParts, "parts");
  }
  try {
    const headers = { "content-type": String(type) };
    const form = await new Response(new Uint8Array(bytes), { headers }).formData();
    return await Promise.all(Array.from(form, ([name, part]) => readPart(name, part)));
  } catch {
    const message =
      "The body is not multipart/form-data with that boundary: each part needs a name, and the last boundary ends with --.";
    return refusalOf(400, { code: "syntax", ...wholeBody, message });
  }
}

/** Adds the files of a form to its value, given the names that the schema has for files. */
export function addFiles(value: unknown, parts: readonly ReceivedPart[], names: readonly string[]): unknown {
  const fields = isObject(value) ? value : {};
  const files = groupBy(parts, ({ name }) => name);
  const members = names.flatMap((name) => {
    const sent = (files.get(name) ?? []).flatMap(({ file }) => file ?? []);
    return sent.length === 0 ? [] : [[name, Array.isArray(fields[name]) ? sent : sent[0]] as const];
  });
  return { ...fields, ...Object.fromEntries(members) };
}

async function readPart(name: string, part: string | File): Promise<ReceivedPart> {
  if (typeof part === "string") return { name, text: part, mediaType: undefined };
  const isText = part.type.startsWith("text/") || isJson(part.type);
  const text = isText ? await part.text() : characterPerByte(await part.arrayBuffer());
  if (part.name === "") return { name, text, mediaType: undefined, isUnchosen: part.size === 0 };
  return { name, text, mediaType: part.type, file: part };
}

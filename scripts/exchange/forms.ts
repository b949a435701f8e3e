import { attempt } from "../contract/failures.ts";
import type { MediaType } from "../contract/generation.ts";
import { groupBy } from "../values/collections.ts";
import { fileSchemas } from "../spec/binary.ts";
import { characterPerByte } from "../values/bytes.ts";
import { percentDecode } from "../values/percentEncoding.ts";
import { splitOnce } from "../values/text.ts";
import { isObject, jsonPointer, stringOf, valueAt } from "../values/json.ts";
import { essenceOf, fallsUnder, isJson, parametersOf } from "../spec/mediaTypes.ts";
import type { OpenApiDocument } from "../spec/openapi.ts";
import { applicableSchemas, propertySchemas } from "../spec/schemas.ts";
import type { SentMediaType } from "./contentType.ts";
import { isRefusal, refusalOf, wholeBody, type Refusal } from "./refusal.ts";
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

/**
 * Reads the parts of multipart/form-data (RFC 7578), as clients write them. The parsers of platforms differ: that of Node.js 20
 * rejects names without quotes, which .NET writes.
 */
export function readMultipart(bytes: Uint8Array, type: SentMediaType): readonly ReceivedPart[] | Refusal {
  const boundary = type.params.get("boundary") ?? "";
  if (boundary === "") {
    const message = "multipart/form-data requires the boundary parameter, which HTTP clients set.";
    return refusalOf(415, { code: "media-type", in: "header", name: "Content-Type", message, expected: "boundary" });
  }
  // Besides the parts, there are a preamble and an epilogue (RFC 2046, section 5.1.1).
  const delimiter = `\r\n--${boundary}`;
  const [preamble = "", ...sections] = `\r\n${characterPerByte(bytes)}`.split(delimiter, maxParts + 3);
  if (sections.length > maxParts + 1) return refuseMore(maxParts, "parts");
  const parts: ReceivedPart[] = [];
  let start = preamble.length - "\r\n".length;
  for (const section of sections) {
    if (section.startsWith("--")) return parts;
    start += delimiter.length;
    const part = readPart(section, bytes.slice(start, start + section.length));
    if (part === undefined) break;
    if (isRefusal(part)) return part;
    parts.push(part);
    start += section.length;
  }
  const message =
    "The body is not multipart/form-data with that boundary: each part needs a name, lines end with CRLF, and the last " +
    "boundary ends with --.";
  return refusalOf(400, { code: "syntax", ...wholeBody, message });
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

/** Reads what follows a boundary, also given with one character per byte. `undefined` if it is no part with a name. */
function readPart(section: string, bytes: Uint8Array<ArrayBuffer>): ReceivedPart | Refusal | undefined {
  const end = section.indexOf("\r\n\r\n");
  const [padding = "", ...lines] = new TextDecoder().decode(bytes.subarray(0, Math.max(end, 0))).split("\r\n");
  const fields = new Map(lines.map(readField));
  const { name, fileName, isFormData } = readDisposition(fields.get("content-disposition") ?? "");
  if (end === -1 || padding.trim() !== "" || !isFormData || name === undefined) return undefined;
  const coding = fields.get("content-transfer-encoding") ?? "binary";
  if (!["7bit", "8bit", "binary"].includes(coding.toLowerCase()))
    return refusePart(name, `has the Content-Transfer-Encoding ${maskAndCut(coding)}: send its bytes instead`);
  const content = bytes.subarray(end + "\r\n\r\n".length);
  const type = fields.get("content-type") ?? "text/plain";
  if (fileName === undefined || fileName === "") {
    const charset = parametersOf(type).get("charset") ?? "utf-8";
    const text = attempt(() => new TextDecoder(charset, { fatal: true }).decode(content));
    if (text === undefined) return refusePart(name, `is not in the charset ${maskAndCut(charset)}`);
    return { name, text, mediaType: undefined, isUnchosen: fileName === "" && content.length === 0 };
  }
  const file = new File([content], fileName, { type });
  const isText = file.type.startsWith("text/") || isJson(file.type);
  return {
    name,
    text: isText ? new TextDecoder().decode(content) : characterPerByte(content),
    mediaType: file.type,
    file,
  };
}

function readField(line: string): readonly [name: string, value: string] {
  const [name, value = ""] = splitOnce(line, ":");
  return [name.trim().toLowerCase(), value.trim()];
}

/** Reads a Content-Disposition as browsers, curl, .NET and Python write it. */
function readDisposition(field: string) {
  // Browsers write backslashes as they are, and curl before 7.81 escapes quotes with them.
  const parameters = parametersOf(field.replaceAll(/\\(?!["\\])/g, String.raw`\\`));
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(parameters.get("filename*") ?? "") ?? [];
  const decoded = encoded === undefined ? undefined : percentDecode(encoded);
  return {
    isFormData: essenceOf(field) === "form-data",
    name: unescapeName(parameters.get("name")),
    fileName: decoded ?? unescapeName(parameters.get("filename")),
  };
}

/** Without the escapes of browsers (HTML, multipart/form-data encoding algorithm). */
function unescapeName(name: string | undefined): string | undefined {
  return name?.replaceAll(/%(?:0A|0D|22)/gi, decodeURIComponent);
}

function refusePart(name: string, rule: string): Refusal {
  const message = `The part ${maskAndCut(name)} of the form ${rule}.`;
  return refusalOf(400, { code: "syntax", in: "body", pointer: jsonPointer([name]), message });
}

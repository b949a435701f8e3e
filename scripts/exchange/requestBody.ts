import { attempt } from "../contract/failures.ts";
import { listInWords } from "../values/text.ts";
import type { CheckedOperation, MediaType, RequestBody } from "../contract/generation.ts";
import { fileSchemas, isBinaryContent, isMultipart } from "../spec/binary.ts";
import type { OpenApiDocument } from "../spec/openapi.ts";
import { contentOfType, essenceOf, isForm, isJson } from "../spec/mediaTypes.ts";
import { applicableSchemas, impliedTypes } from "../spec/schemas.ts";
import { readMediaType, type SentMediaType } from "./contentType.ts";
import { nextTurn } from "./nextTurn.ts";
import { parseJson, withoutMembers } from "../values/json.ts";
import { describeSyntaxError } from "../values/jsonPlaces.ts";
import {
  addFiles,
  createFormReader,
  createPartCheck,
  fieldsOf,
  hasUsualFields,
  readFields,
  readMultipart,
} from "./forms.ts";
import type { Headers } from "./exchange.ts";
import { isRefusal, refusalOf, sentenceOn, wholeBody, type Refusal } from "./refusal.ts";
import type { FoundViolation } from "./requestViolation.ts";
import { maskAndCut } from "./secrets.ts";
import type { Carrier } from "./valueReader.ts";
import { createValidator, type Validate } from "./validator.ts";
import { bodyViolations } from "./violations.ts";

/** In levels. JSON nested deeper makes recursive validators overflow the stack. */
const depthLimit = 200;
/**
 * Limit of objects, arrays and members in JSON, which take up to 30 times the memory of their text. Only a
 * large state can exceed it.
 */
const maxNodes = 2 ** 23;
/** In bytes. Validating a larger body may take milliseconds. */
export const largeBody = 1_024;

/** A content, and the functions that read and check its bodies. */
interface DeclaredContent extends MediaType {
  readonly validate: Validate;
  readonly readForm: (fields: Carrier) => unknown;
  readonly checkParts: ReturnType<typeof createPartCheck>;
  /** True if its bodies are files, which schemas don't describe. */
  readonly isBinary: boolean;
  readonly isText: boolean;
  /** The names of the parts that are files. */
  readonly files: readonly string[];
}

/** A declared content, and the Content-Type of a matching body. */
interface BodyKind {
  readonly content: DeclaredContent;
  readonly type: SentMediaType;
}

/** A body, and its violations. */
export interface CheckedBody {
  /** `undefined` if there is no body, or if it isn't validated. */
  readonly value: unknown;
  /** The value, with the files of a form. A body that isn't validated is a Blob. */
  readonly received: unknown;
  /** In bytes. */
  readonly size: number;
  readonly violations: readonly FoundViolation[];
}

/**
 * Creates a function that reads and validates the bodies of an operation. A missing body is empty. Large
 * bodies are validated one at a time.
 */
export function createBodyCheck({ requestBody, document }: CheckedOperation, takeTurn: TakeTurn) {
  const contents = (requestBody?.content ?? []).map((content) => declareContent(content, document));
  const checkInTurn = createCheckTurns(takeTurn);
  const check = async (
    bytes: Uint8Array,
    kind: BodyKind,
    pause?: () => Promise<void>,
  ): Promise<CheckedBody | Refusal> => {
    const body = parseBody(bytes, kind);
    if (isRefusal(body)) return body;
    await pause?.();
    const { validate, schema } = kind.content;
    const { value, received = value, violations: ofParts = [] } = body;
    const checkValue = () => validate(value);
    const verdict = pause === undefined ? await checkInTurn(checkValue) : checkValue();
    const violations = [...ofParts, ...bodyViolations(verdict, { schema, document })];
    // The form's schema doesn't cover the contents of files.
    return { value: withoutMembers(value, kind.content.files), received, size: bytes.length, violations };
  };
  return async (headers: Headers, bytes: Uint8Array): Promise<CheckedBody | Refusal> => {
    const none = { value: undefined, received: undefined, size: 0 };
    const hasFields = bytes.length > 0 || isEmptyForm(headers, contents);
    if (!hasFields) return { ...none, violations: requestBody ? withoutBody(requestBody) : [] };
    const kind = chooseContent(headers, contents);
    if (isRefusal(kind)) return kind;
    if (!isValidated(kind))
      return { ...none, received: new Blob([bytes.slice()], { type: String(kind.type) }), violations: [] };
    if (bytes.length > largeBody) return takeTurn((pause) => check(bytes, kind, pause));
    return check(bytes, kind);
  };
}

/** Runs work that blocks the event loop. Other requests are answered before it, and whenever it calls `pause`. */
export type TakeTurn = <T>(work: (pause: () => Promise<void>) => Promise<T>) => Promise<T>;

/**
 * Creates a function that runs such work sequentially, so that no request waits over 250 ms for another's
 * body of 1 MiB. Without it, validating ten of them at once delayed others by 420 to 2,300 ms, and with it by
 * 30 to 260 ms (two busy cores, Node 24).
 */
export function createTurns(): TakeTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(nextTurn).then(() => work(nextTurn));
    last = result.catch(() => undefined);
    return result;
  };
}

/** The time in milliseconds after which a check counts as slow. */
const slowCheck = 20;

/**
 * Creates a function that runs checks immediately. After the first slow one, they take turns with large bodies. With
 * recursive schemas, the checks of small values can be slow too.
 */
export function createCheckTurns(takeTurn: TakeTurn): <T>(check: () => T) => Promise<T> {
  let isSlow = false;
  const measure = <T>(check: () => T): T => {
    const start = performance.now();
    const result = check();
    isSlow ||= performance.now() - start > slowCheck;
    return result;
  };
  return async (check) => (isSlow ? takeTurn(() => Promise.resolve(measure(check))) : measure(check));
}

/** Returns whether an empty body is a form without fields. */
function isEmptyForm(headers: Headers, contents: readonly BodyKind["content"][]): boolean {
  const isUrlencoded = (mediaType: string) => essenceOf(mediaType) === "application/x-www-form-urlencoded";
  return isUrlencoded(headers["content-type"] ?? "") && contents.some(({ mediaType }) => isUrlencoded(mediaType));
}

function withoutBody({ required, content }: RequestBody): FoundViolation[] {
  const expected = content.map(({ mediaType }) => mediaType);
  return required
    ? [{ code: "required", ...wholeBody, message: `A body is required: ${expected.join(" or ")}.`, expected }]
    : [];
}

function chooseContent(headers: Headers, contents: readonly BodyKind["content"][]): BodyKind | Refusal {
  const [first] = contents;
  const offered = contents.map(({ mediaType }) => mediaType);
  if (first === undefined) {
    return refusalOf(415, {
      code: "content",
      ...wholeBody,
      message: "This operation takes no request body: send none.",
    });
  }
  const coding = headers["content-encoding"];
  if (coding !== undefined && coding.toLowerCase() !== "identity") {
    const message = "Compressed bodies are not supported: leave out the Content-Encoding header.";
    const violation = { in: "header", name: "Content-Encoding", message, expected: "identity" } as const;
    return refusalOf(415, { code: "content-coding", ...violation }, { "accept-encoding": "identity" });
  }
  const contentType = headers["content-type"];
  const either = () => listInWords(offered, "disjunction");
  const quoted = JSON.stringify(maskAndCut(contentType ?? ""));
  const refuseType = (message: string, expected: unknown = offered) =>
    refusalOf(
      415,
      { code: "media-type", in: "header", name: "Content-Type", message, expected },
      { accept: offered.join(", ") },
    );
  if (contentType === undefined) return refuseType(`The Content-Type header is missing; the body must be ${either()}.`);
  const type = readMediaType(contentType);
  if (type === undefined) return refuseType(`${quoted} is not a media type; the body must be ${either()}.`);
  const content = contentOfType(contents, String(type));
  if (content === undefined) return refuseType(`The body must be ${either()}; its Content-Type is ${quoted}.`);
  const charset = type.params.get("charset") ?? "utf-8";
  const isUtf8 = ["utf-8", "utf8", "us-ascii"].includes(charset.toLowerCase());
  return isUtf8 ? { content, type } : refuseType(`The body must be UTF-8; its Content-Type is ${quoted}.`, "utf-8");
}

/** The value of a body, and the violations in its parts. */
interface ParsedBody {
  readonly value: unknown;
  readonly received?: unknown;
  readonly violations?: readonly FoundViolation[];
}

/** Parses a body: JSON, a form by its schema, or text. */
function parseBody(bytes: Uint8Array, { content, type }: BodyKind): ParsedBody | Refusal {
  if (type.essence === "multipart/form-data") {
    const received = readMultipart(bytes, type);
    if (isRefusal(received)) return received;
    const parts = received.filter(({ name, isUnchosen = false }) => !(isUnchosen && content.files.includes(name)));
    const value = content.readForm(fieldsOf(parts));
    return { value, received: addFiles(value, parts, content.files), violations: content.checkParts(parts) };
  }
  if (isJson(type.essence)) return parseJsonRequest(bytes);
  const text = decode(bytes);
  if (text === undefined) return notUtf8;
  if (!isForm(type.essence)) return { value: text };
  const fields = readFields(text);
  return isRefusal(fields) ? fields : { value: content.readForm(fields) };
}

/** A refusal of a body that can't be read. */
export interface UnreadableBody extends Refusal {
  /** What is wrong with the body: `is not UTF-8`. */
  readonly rule: string;
}

/** Parses the JSON of a request, whose numbers must stay numbers when a response shows them. */
export function parseJsonRequest(bytes: Uint8Array): { readonly value: unknown } | UnreadableBody {
  const body = parseJsonBody(bytes);
  return isRefusal(body) || !hasInfinity(body.value)
    ? body
    : malformed(`has a number beyond ${Number.MAX_VALUE}, the largest that JavaScript reads`);
}

/** Returns whether `JSON.parse` has read a number as infinite, as it does with `1e400`. */
function hasInfinity(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasInfinity);
}

/** Parses JSON in UTF-8. */
export function parseJsonBody(bytes: Uint8Array): { readonly value: unknown } | UnreadableBody {
  if (bytes.length > maxNodes && countNodes(bytes) > maxNodes) {
    const rule = `has more than ${maxNodes} objects, arrays and members`;
    return unreadable(413, rule, { code: "size", expected: maxNodes });
  }
  const text = decode(bytes);
  if (text === undefined) return notUtf8;
  const value = parseJson(text);
  if (value === undefined) return malformed(describeSyntaxError(text));
  return depthOf(bytes) > depthLimit ? malformed(`is nested deeper than ${depthLimit} levels`) : { value };
}

/** Counts brackets and colons, including those in texts. */
function countNodes(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte === 0x3a || byte === 0x5b || byte === 0x7b) count += 1;
  return count;
}

/**
 * The number of objects and arrays around the innermost value of valid JSON. Walking 300,000 members of a
 * parsed value takes ten times as long.
 */
export function depthOf(json: Uint8Array): number {
  let [depth, deepest, isText] = [0, 0, false];
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    // Skips the escaped character.
    if (byte === 0x5c) at += 1;
    else if (byte === 0x22) isText = !isText;
    else if (isText) continue;
    else if (byte === 0x5b || byte === 0x7b) deepest = Math.max(deepest, (depth += 1));
    else if (byte === 0x5d || byte === 0x7d) depth -= 1;
  }
  return deepest;
}

function isValidated({ content, type: { essence } }: BodyKind): boolean {
  if (isForm(essence)) return hasUsualFields(content);
  return !content.isBinary && (isJson(essence) || essence.startsWith("text/") || content.isText);
}

function declareContent(content: MediaType, document: OpenApiDocument): DeclaredContent {
  const { mediaType, schema } = content;
  const readForm = isForm(essenceOf(mediaType)) ? createFormReader(content, document) : (fields: Carrier) => fields;
  return {
    ...content,
    readForm,
    validate: createValidator(schema, document),
    checkParts: createPartCheck(content, document),
    isBinary: isBinaryContent(document, content),
    isText: applicableSchemas(document, schema).flatMap(impliedTypes).includes("string"),
    files: isMultipart(mediaType) ? [...fileSchemas(document, schema).keys()] : [],
  };
}

function decode(bytes: Uint8Array): string | undefined {
  return attempt(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes));
}

const notUtf8 = malformed("is not UTF-8");

function malformed(rule: string): UnreadableBody {
  return unreadable(400, rule, { code: "syntax" });
}

function unreadable(status: number, rule: string, details: Pick<FoundViolation, "code" | "expected">): UnreadableBody {
  return { ...refusalOf(status, { ...wholeBody, ...sentenceOn("The body", rule), ...details }), rule };
}

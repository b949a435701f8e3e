import type { Header, MediaType, Response } from "../contract/generation.ts";
import { contentOfType, essenceOf, isJson, parametersOf } from "../spec/mediaTypes.ts";
import { isSchema, mayHaveStatus, resolveSchema, responseOf, type OpenApiDocument } from "../spec/openapi.ts";
import { isUntyped } from "../spec/schemaKeywords.ts";
import { isDefaultStatus, isStatusRange } from "../spec/statusKeys.ts";
import type { Headers } from "./exchange.ts";
import type { SchemaViolation } from "./schema/run.ts";
import { findViolations, unlessUnusable } from "./validator.ts";
import { createReader } from "./valueReader.ts";

/**
 * What a response shows about the contract. `violation`: the contract forbids it. `unlisted`: the contract
 * allows it without listing it. `gap`: it fills a gap. `absence`: a required property is missing, and the
 * contract doesn't specify which are always present. `unchecked`: it could not be checked.
 */
export type ResponseFactKind = "absence" | "gap" | "unchecked" | "unlisted" | "violation";

/** An observation about a response, in words and for programs. */
export interface ResponseFact {
  /** What the response is compared with: a keyword of JSON Schema, or another part of the contract, such as `status`. */
  readonly code: string;
  readonly in: "body" | "header" | "status";
  /** The name of a header. */
  readonly name?: string;
  /** JSON Pointer to a value of the body, with `*` for the items of lists. */
  readonly pointer?: string;
  /** The rule or the observation in words: `the media type is application/json`. */
  readonly message: string;
  /** The end of the message, after the place: `must be a string`. */
  readonly rule?: string;
  /** The value of the keyword, if it describes valid values. */
  readonly expected?: unknown;
  /** The received value if the message leaves it out. */
  readonly received?: string | number;
  /** The names of the required properties that an object lacks. */
  readonly lacks?: readonly string[];
}

/** What a response is compared with. Schemas may be booleans. */
interface ResponseDescription extends Pick<Response, "status"> {
  readonly headers: readonly (Pick<Header, "name" | "required" | "isText"> & { readonly schema: unknown })[];
  readonly content: readonly (Pick<MediaType, "mediaType"> & { readonly schema: unknown })[];
}

/** A response, and those that the contract has for its operation. */
interface JudgedResponse<Described extends ResponseDescription> {
  readonly responses: readonly Described[];
  /** The document that the references of the schemas lead into. */
  readonly document: OpenApiDocument;
  /** The method of the request, in upper case. */
  readonly method: string;
  readonly status: number;
  readonly fields: Headers;
  /** The values of `Set-Cookie`, which are never joined (RFC 6265, section 3). */
  readonly cookies?: readonly string[];
  /** True if header fields may be missing here that were received. Browsers hide those of other origins. */
  readonly hasHiddenFields?: boolean;
  /** Words the value of a header that violates a schema. `undefined` if it may be a secret. */
  readonly wordValue?: (name: string, violation: SchemaViolation, schema: unknown) => string | undefined;
  /** `undefined` if it is unknown. */
  readonly body: Uint8Array | undefined;
  /** Parses a body that is JSON, or says what is wrong with it: `is not UTF-8`. */
  readonly parse: (body: Uint8Array) => { readonly value: unknown } | { readonly rule: string };
  readonly isSuccess: boolean;
  /** Takes one observation, with the keys of its place below the responses of the operation. */
  readonly tell: (kind: ResponseFactKind, keys: readonly string[], fact: ResponseFact) => void;
}

/** A body that is JSON, and the violations of its schema as a tree. */
interface JudgedBody {
  readonly value: unknown;
  readonly violations: readonly SchemaViolation[];
  /** What takes too long to validate, if anything does. */
  readonly unchecked: SchemaViolation | undefined;
}

/** An observation in words: `the media type is application/json; received text/html`. */
export function withReceived({ message, received }: Pick<ResponseFact, "message" | "received">): string {
  return received === undefined ? message : `${message}; received ${received}`;
}

/**
 * Judges a response by the contract, in Node.js and in pages. Returns what the contract has for it, whether it leaves the
 * body of a failure open, and the body if that is JSON, whose violations aren't told.
 */
export function judgeResponse<Described extends ResponseDescription>(judged: JudgedResponse<Described>) {
  const { responses, document, method, status, fields, body = new Uint8Array(), isSuccess, tell } = judged;
  const described = responseOf(responses, status);
  if (described === undefined) {
    tellStatus(judged);
    return {};
  }
  const { content: contents } = described;
  const keys = [described.status];
  if (isStatusRange(described.status)) tell("gap", keys, statusFact(`${described.status} was`, status));
  judgeHeaders(judged, described);
  if (method === "HEAD" || status === notModified) return { described };
  const type = fields["content-type"] ?? "";
  const isOpenContent = contents.every(({ schema }) => isOpen(document, schema));
  // A redirect without described content may have a note for people (RFC 9110, section 15.4).
  if (!isSuccess && isOpenContent) return { described, isUnspecified: status >= 400 };
  if (contents.length === 0) {
    if (body.length > 0) {
      const received = `${body.length} bytes`;
      tell("violation", keys, { code: "content", in: "body", message: "there is no body", received });
    }
  } else {
    const content: Described["content"][number] | undefined = contentOfType(contents, type);
    if (content !== undefined)
      return { described, content, body: isJson(type) ? judgeJson(judged, described, content) : undefined };
    const expected = contents.map(({ mediaType }) => mediaType).join(" or ");
    const received = type === "" ? "none" : essenceOf(type);
    const message = `the media type is ${expected}`;
    tell("violation", [...keys, "content"], { ...contentType, code: "media-type", message, received });
  }
  return { described };
}

/** The status that never has a body, whatever is listed (RFC 9110, section 15.4.5). */
export const notModified = 304;

/** Returns whether a schema specifies nothing. */
export function isOpen(document: OpenApiDocument, schema: unknown): boolean {
  return isSchema(schema) ? isUntyped(resolveSchema(document, schema)) : schema === true;
}

/** The address of a redirect, without a password and without a query, which may contain secrets. */
function withoutSecrets(location: string): string {
  if (!URL.canParse(location)) return location.split(/[?#]/)[0] ?? "";
  const { origin, pathname } = new URL(location);
  return origin + pathname;
}

const contentType = { in: "header", name: "content-type" } as const;

function statusFact(message: string, received: string | number): ResponseFact {
  return { code: "status", in: "status", message, received };
}

/** Tells of a status that the contract does not list. */
function tellStatus<Described extends ResponseDescription>({
  responses,
  status,
  fields,
  tell,
}: JudgedResponse<Described>) {
  const { location } = fields;
  const received =
    location === undefined || status < 300 || status >= 400 ? status : `${status} to ${withoutSecrets(location)}`;
  const listed = responses.map((one) => one.status).filter((one) => !isDefaultStatus(one));
  // Beside a listed success, `default` is for failures.
  const failures = listed.length === responses.length ? "" : ", or 4XX or 5XX for a failure";
  if (mayHaveStatus(responses, status))
    tell("unlisted", [], statusFact("the status of a failure isn't listed", status));
  else tell("violation", [], statusFact(`the status must be ${listed.join(" or ")}${failures}`, received));
}

function judgeHeaders<Described extends ResponseDescription>(
  { document, fields, cookies = [], hasHiddenFields = false, wordValue, tell }: JudgedResponse<Described>,
  { status, headers }: ResponseDescription,
): void {
  for (const { name, schema, required, isText } of headers) {
    const field = fields[name.toLowerCase()];
    const values = name.toLowerCase() === "set-cookie" ? cookies : [field ?? []].flat();
    const keys = [status, "headers", name];
    const place = { in: "header", name } as const;
    const read = createReader(schema, document);
    const readings = unlessUnusable(
      () => (isText ? values.map(read) : []),
      (message) => {
        tell("unchecked", keys, { code: "schema", ...place, message });
        return [];
      },
    );
    const tellRule = (code: string, rule: string, received: string | undefined) => {
      const fact = { code, ...place, message: `the header ${name} ${rule}`, rule };
      tell("violation", keys, received === undefined ? fact : { ...fact, received });
    };
    if (required && !hasHiddenFields && field === undefined) tellRule("required", "is required", "none");
    for (const violation of readings.flatMap((reading) => reading?.violations ?? []))
      tellRule(violation.keyword, violation.message, wordValue?.(name, violation, schema));
  }
}

function judgeJson<Described extends ResponseDescription>(
  { document, fields, body, parse, tell }: JudgedResponse<Described>,
  { status }: ResponseDescription,
  { mediaType, schema }: ResponseDescription["content"][number],
): JudgedBody | undefined {
  const keys = [status, "content", mediaType, "schema"];
  const charset = parametersOf(fields["content-type"] ?? "").get("charset") ?? "utf-8";
  if (!["utf-8", "utf8"].includes(charset.toLowerCase()))
    tell("violation", keys, {
      ...contentType,
      ...{ code: "charset", message: "the charset of JSON is UTF-8", received: charset },
    });
  if (body === undefined) {
    tell("unchecked", keys, { code: "body", in: "body", message: "the body was not recorded" });
    return undefined;
  }
  const parsed = parse(body);
  if ("rule" in parsed) {
    const received = body.length === 0 ? "no body" : describeUnreadable(parsed);
    tell("violation", keys, { code: "syntax", in: "body", message: "the body is JSON", received });
    return undefined;
  }
  const { value } = parsed;
  const { violations, stopped, place } = unlessUnusable(
    () => findViolations(schema, value, { document, oneWay: "writeOnly" }),
    (message) => {
      tell("unchecked", keys, { code: "schema", in: "body", message });
      return { violations: [], stopped: undefined, place: undefined };
    },
  );
  const partial =
    violations.length > 0 ? "has more violations than can be listed" : "cannot be checked against its schema";
  if (stopped !== undefined) tell("unchecked", keys, { code: "effort", in: "body", message: `the body ${partial}` });
  return { value, violations, unchecked: violations.length > 0 ? undefined : place };
}

/** What a body is that can't be parsed: `a body that is not UTF-8`. */
export function describeUnreadable({ rule }: { readonly rule: string }): string {
  return `a body that ${rule}`;
}

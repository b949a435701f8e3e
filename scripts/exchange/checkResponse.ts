import type { CheckedOperation, MediaType, Response } from "../contract/generation.ts";
import { isPresenceUnspecified } from "../contract/gaps.ts";
import { groupBy, withoutEnd } from "../contract/text.ts";
import { isAuthorized } from "./authentication.ts";
import { createReader } from "./parameterReader.ts";
import { parseJsonBody } from "./requestBody.ts";
import type { Target } from "./requestTarget.ts";
import { isRefusal, type Refusal } from "./refusal.ts";
import type { SchemaViolation } from "./schema/run.ts";
import { createValidator, unlessUnusable, type Verdict } from "./validator.ts";
import { wordViolations } from "./violations.ts";
import { isObject, jsonPointer, membersOf, pointerKeys, stringsOf, valueAt } from "../spec/json.ts";
import { contentOfType, essenceOf, isJson } from "../spec/mediaTypes.ts";
import { readMediaType } from "./contentType.ts";
import { leavesOpen, resolveSchema, responseOf, unspecifiedOf } from "../spec/openapi.ts";
import { isUntyped } from "../spec/schemaKeywords.ts";
import { schemasAt } from "../spec/schemas.ts";
import { isDefaultStatus, isStatusRange } from "../spec/statusKeys.ts";
import { pointerTo } from "../contract/operationPointer.ts";
import { pointerOf } from "./describedValues.ts";
import type { Exchange, ExchangeResponse } from "./exchange.ts";

/**
 * What a response shows about the contract. `violation`: the contract forbids it. `unlisted`: the contract
 * allows it without listing it. `gap`: it fills a gap. `absence`: a required property is missing, and the
 * contract doesn't specify which are always present. `unchecked`: it could not be checked.
 */
export type ResponseNews = "absence" | "gap" | "unchecked" | "unlisted" | "violation";

/**
 * Reports one observation: the place in the bundle as a JSON Pointer, the rule or the observation in words,
 * and the received value if the message leaves it out.
 */
export type Tell = (kind: ResponseNews, place: string, message: string, received?: string | number) => void;

/** An exchange with a response, prepared for the checks. */
export interface CheckContext {
  readonly operation: CheckedOperation;
  readonly exchange: Exchange;
  readonly query: Target["query"];
  readonly requestFields: Readonly<Record<string, string>>;
  readonly response: ExchangeResponse;
  /** The parsed body, if it has been parsed already. */
  readonly parsed?: ReturnType<typeof parseJsonBody> | undefined;
  readonly responseFields: Readonly<Record<string, string>>;
  readonly isSuccess: boolean;
  readonly tell: Tell;
}

/** The value of a body that is JSON, and its schema. */
export interface DescribedBody extends Pick<MediaType, "schema"> {
  readonly value: unknown;
  /** JSON Pointers to what violates the schema, with `*` for the items of lists. */
  readonly violated: ReadonlySet<string>;
}

/** A body, its schema and the document that this is in, the place of the body there, and who is told. */
interface CheckedBody extends Omit<DescribedBody, "violated">, Pick<CheckContext, "tell"> {
  readonly document: CheckedOperation["document"];
  readonly place: string;
}

/**
 * Checks a response against the contract. Returns the value of its body if that is JSON that the contract
 * describes.
 */
export function checkResponse(context: CheckContext): DescribedBody | undefined {
  const { operation, exchange, response, responseFields, isSuccess, tell } = context;
  const { status, body = new Uint8Array() } = response;
  const { responses, document } = operation;
  // A server may send 304 for any conditional request (RFC 9110, section 15.4.5).
  if (status === 304 && ["if-none-match", "if-modified-since"].some((name) => name in context.requestFields))
    return undefined;
  const declared = responseOf(responses, status);
  if (declared === undefined) {
    tellStatus(context);
    return undefined;
  }
  const place = pointerTo(operation, "responses", declared.status);
  if (isStatusRange(declared.status)) tell("gap", place, `${declared.status} was`, status);
  checkHeaders(context, declared, place);
  if (exchange.method === "HEAD") return undefined;
  const type = responseFields["content-type"] ?? "";
  if (!isSuccess && declared.content.every(({ schema }) => isUntyped(resolveSchema(document, schema)))) {
    // For a call that was meant to be refused, this is expected.
    const isMeant = isAuthorized(operation, context.requestFields, context.query);
    if (isMeant) tell("unlisted", place, `the body of a failure with ${status}`, shapeOf(type, body));
  } else if (declared.content.length === 0) {
    if (body.length > 0) tell("violation", place, "there is no body", `${body.length} bytes`);
  } else {
    const content = contentOfType(declared.content, type);
    if (content !== undefined) return isJson(type) ? checkJson(context, content, place) : undefined;
    const expected = declared.content.map(({ mediaType }) => mediaType).join(" or ");
    tell("violation", `${place}/content`, `the media type is ${expected}`, type === "" ? "none" : type);
  }
  return undefined;
}

/** Tells of a status that the contract does not list. */
function tellStatus({ operation, response: { status }, responseFields, tell }: CheckContext): void {
  const { responses } = operation;
  const { location } = responseFields;
  const received = location === undefined || status < 300 || status >= 400 ? status : `${status} to ${location}`;
  const place = pointerTo(operation, "responses");
  const listed = responses.map((one) => one.status).filter((one) => !isDefaultStatus(one));
  // Beside a listed success, `default` is for failures.
  const failures = listed.length === responses.length ? "" : ", or 4XX or 5XX for a failure";
  if (leavesOpen(responses, status)) tell("unlisted", place, "the status of a failure isn't listed", status);
  else tell("violation", place, `the status must be ${listed.join(" or ")}${failures}`, received);
}

/** Fields of connections, representations and caches (RFC 9110, RFC 9111), which any server may send. */
const commonFields = new Set(
  (
    "accept-ranges age allow alt-svc cache-control connection date etag expires keep-alive last-modified pragma " +
    "referrer-policy server strict-transport-security trailer transfer-encoding upgrade vary via www-authenticate " +
    "x-powered-by"
  ).split(" "),
);

/** The beginnings of other common fields, mostly for browsers. */
const commonPrefixes = [
  ...["access-control-", "content-", "cross-origin-", "x-content-type-", "x-dns-prefetch-", "x-download-"],
  ...["x-frame-", "x-permitted-cross-", "x-xss-"],
];

function isCommonField(name: string): boolean {
  return commonFields.has(name) || commonPrefixes.some((prefix) => name.startsWith(prefix));
}

function checkHeaders({ operation, responseFields, tell }: CheckContext, { headers }: Response, place: string) {
  for (const { name, schema, required } of headers) {
    const parameter = { name: name.toLowerCase(), schema, style: "simple", explode: false, mediaType: undefined };
    const at = `${place}${jsonPointer(["headers", name])}`;
    const read = createReader(parameter, operation.document);
    const reading = unlessUnusable(
      () => read(responseFields),
      (reason) => {
        tell("unchecked", at, reason);
      },
    );
    const isMissing = required && !Object.hasOwn(responseFields, parameter.name);
    if (isMissing) tell("violation", at, `the header ${name} is required`, "none");
    for (const { message } of reading?.violations ?? []) tell("violation", at, `the header ${name} ${message}`);
  }
  const declared = new Set(headers.map(({ name }) => name.toLowerCase()));
  for (const name of Object.keys(responseFields).filter((one) => !declared.has(one) && !isCommonField(one))) {
    tell("unlisted", `${place}/headers`, `the response header ${name} isn't listed`);
  }
}

function checkJson(
  { operation: { document }, response: { body }, responseFields, tell, ...context }: CheckContext,
  { mediaType, schema }: MediaType,
  response: string,
): DescribedBody | undefined {
  const place = `${response}${jsonPointer(["content", mediaType, "schema"])}`;
  const charset = readMediaType(responseFields["content-type"] ?? "")?.params.get("charset") ?? "utf-8";
  if (!["utf-8", "utf8"].includes(charset.toLowerCase()))
    tell("violation", place, "the charset of JSON is UTF-8", charset);
  if (body === undefined) {
    tell("unchecked", place, "the body was not recorded");
    return undefined;
  }
  const { parsed = parseJsonBody(body) } = context;
  if (isRefusal(parsed)) {
    tell("violation", place, "the body is JSON", body.length === 0 ? "no body" : describeUnreadable(parsed));
    return undefined;
  }
  const { value } = parsed;
  const validate = createValidator(schema, document, "writeOnly");
  const { violations, isPartial } = unlessUnusable(
    () => validate(value),
    (reason): Verdict => {
      tell("unchecked", place, reason);
      return { violations: [], isPartial: false };
    },
  );
  const partial =
    violations.length > 0 ? "has more violations than can be listed" : "cannot be checked against its schema";
  if (isPartial) tell("unchecked", place, `the body ${partial}`);
  const isOpen = isPresenceUnspecified({ unspecified: unspecifiedOf(document.info) });
  const tellOne: Tell = (kind, at, message, received) => {
    if (kind !== "absence") tell(kind, at, message, received);
    else if (isOpen) tell("absence", at, `${message} (presence isn't specified)`, received);
    else tell("violation", at, message, received);
  };
  const violated = tellViolations(violations, { value, schema, document, place, tell: tellOne });
  return { value, schema, violated };
}

/**
 * Tells what is wrong with a body: missing properties as `absence`, and everything else as `violation`. Gives JSON
 * Pointers to it, with `*` for the items of lists.
 */
export function tellViolations(
  found: readonly SchemaViolation[],
  { value, schema, document, place, tell }: CheckedBody,
): ReadonlySet<string> {
  const violations = withoutEchoes(found);
  const absences = groupBy(
    violations.filter(({ keyword }) => keyword === "required"),
    ({ pointer }) => pointer,
  );
  const violated = new Set<string>();
  for (const violation of violations) {
    const { keyword } = violation;
    const absent = keyword === "required" ? (absences.get(violation.pointer) ?? []) : [];
    // What an object lacks is told once.
    if (absent.length > 0 && absent[0] !== violation) continue;
    const keys = pointerKeys(violation.pointer);
    const isItem = (index: number) => Array.isArray(valueAt(value, keys.slice(0, index)));
    const pointer = jsonPointer(keys.map((key, index) => (isItem(index) ? "*" : key)));
    violated.add(pointer);
    // A body can have hundreds of thousands of values, so only this one is described.
    const schemas = schemasAt(document, schema, keys);
    const at = schemas.find((one) => keyword in one) ?? schemas[0];
    const there = at === undefined ? place : pointerOf(document, at);
    for (const worded of wordViolations([{ ...violation, pointer }], { schema, document })) {
      const lack = `an object without ${[...new Set(absent.flatMap(absentNames))].join(", ")}`;
      if (!worded.isAbsence) tell("violation", there, `${worded.place} ${worded.rule}`, worded.received);
      else tell("absence", there, `${worded.place} must have all required properties`, lack);
    }
  }
  return violated;
}

/** The names of required properties that an object lacks. */
function absentNames({ expected, value }: SchemaViolation): readonly string[] {
  return stringsOf(expected).filter((name) => isObject(value) && !Object.hasOwn(value, name));
}

/**
 * Violations without redundant ones. If a value matches no alternative, only the violations inside it are
 * kept, or else the one for the alternatives.
 */
function withoutEchoes(violations: readonly SchemaViolation[]): readonly SchemaViolation[] {
  const isChoice = ({ keyword }: SchemaViolation) => keyword === "anyOf" || keyword === "oneOf";
  const choices = violations.filter(isChoice);
  const chosenAt = new Set(choices.map(({ pointer }) => pointer));
  const isEcho = ({ keyword, pointer }: SchemaViolation) =>
    ["type", "const", "enum"].includes(keyword) && chosenAt.has(pointer);
  const inner = violations.filter((violation) => !isChoice(violation) && !isEcho(violation));
  const isExplained = ({ pointer }: SchemaViolation) =>
    inner.some((one) => `${one.pointer}/`.startsWith(`${pointer}/`));
  return [...inner, ...choices.filter((choice) => !isExplained(choice))];
}

/** The form of a body that the contract doesn't describe: the types of its members, or its media type. */
function shapeOf(type: string, body: Uint8Array): string {
  const parsed = isJson(type) ? parseJsonBody(body) : undefined;
  if (parsed === undefined || isRefusal(parsed)) return type === "" ? "no media type" : essenceOf(type);
  const typeIn = (value: unknown) => (Array.isArray(value) ? "array" : typeof value);
  if (!isObject(parsed.value)) return parsed.value === null ? "null" : typeIn(parsed.value);
  const members = membersOf(parsed.value).map(([name, value]) => `${name}: ${typeIn(value)}`);
  return members.length === 0 ? "{}" : `{ ${members.slice(0, 12).join("; ")} }`;
}

/** What a body is that can't be parsed: `a body that is not UTF-8`. */
export function describeUnreadable({ detail }: Refusal): string {
  return `a body that ${withoutEnd(detail, ".").replace("The body ", "")}`;
}

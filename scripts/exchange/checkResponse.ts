import type { CheckedOperation, MediaType, Response } from "../contract/generation.ts";
import { isPresenceUnspecified } from "../contract/gaps.ts";
import { pointerTo } from "../contract/operationPointer.ts";
import { groupBy } from "../values/collections.ts";
import { isObject, jsonPointer, membersOf, pointerKeys, stringsOf, valueAt } from "../values/json.ts";
import { jsonType } from "../values/jsonType.ts";
import { essenceOf, isJson } from "../spec/mediaTypes.ts";
import { unspecifiedOf } from "../spec/openapi.ts";
import { schemasAt } from "../spec/schemas.ts";
import { isAuthorized } from "./authentication.ts";
import { pointerOf } from "./describedValues.ts";
import type { Exchange, ExchangeResponse } from "./exchange.ts";
import { judgeResponse, notModified, type ResponseFact, type ResponseFactKind } from "./judgeResponse.ts";
import { isRefusal } from "./refusal.ts";
import { parseJsonBody } from "./requestBody.ts";
import type { Target } from "./requestTarget.ts";
import type { SchemaViolation } from "./schema/run.ts";
import { isCredentialName } from "./secrets.ts";
import { withAlternatives } from "./validator.ts";
import { wordForReport } from "./openValues.ts";

/** Reports one observation, with the place in the bundle as a JSON Pointer. */
export type ReportFact = (kind: ResponseFactKind, place: string, fact: ResponseFact) => void;

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
  readonly tell: ReportFact;
}

/** The value of a body that is JSON, and its schema. */
export interface DescribedBody extends Pick<MediaType, "schema"> {
  readonly value: unknown;
  /** JSON Pointers to what violates the schema, with `*` for the items of lists. */
  readonly violated: ReadonlySet<string>;
}

/** A body, its schema and the document that this is in, the place of the body there, and who is told. */
interface BodyContext extends Omit<DescribedBody, "violated">, Pick<CheckContext, "tell"> {
  readonly document: CheckedOperation["document"];
  readonly place: string;
}

/**
 * Checks a response against the contract. Returns the value of its body if that is JSON that the contract
 * describes.
 */
export function checkResponse(context: CheckContext): DescribedBody | undefined {
  const { operation, exchange, query, requestFields, response, parsed, responseFields, isSuccess, tell } = context;
  const { status, headers, body } = response;
  const { responses, document } = operation;
  const cookies = headers.filter(([name]) => name.toLowerCase() === "set-cookie").map(([, value]) => value);
  // A server may send 304 for any conditional request (RFC 9110, section 15.4.5).
  if (status === notModified && ["if-none-match", "if-modified-since"].some((name) => name in requestFields))
    return undefined;
  const judged = judgeResponse({
    ...{ responses, document, method: exchange.method, status, fields: responseFields, cookies, body, isSuccess },
    parse: (bytes) => parsed ?? parseJsonBody(bytes),
    wordValue: (name, violation, schema) =>
      isCredentialName(name) ? undefined : wordForReport(violation, { schema, document })[0]?.received,
    tell: (kind, keys, fact) => {
      tell(kind, pointerTo(operation, "responses", ...keys), fact);
    },
  });
  const { described, content, isUnspecified } = judged;
  if (described !== undefined) tellUnlistedFields(context, described);
  // For a call that was meant to be refused, this is expected.
  const isListed = described !== undefined && described.content.length > 0;
  const hasBody = body === undefined ? "content-type" in responseFields : body.length > 0;
  if (isUnspecified && (isListed || hasBody) && isAuthorized(operation, requestFields, query)) {
    const received = shapeOf(responseFields["content-type"] ?? "", body);
    const message = `the body of a failure with ${status}`;
    const at = pointerTo(operation, "responses", described.status);
    tell("unlisted", at, { code: "content", in: "body", message, received });
  }
  if (judged.body === undefined || content === undefined) return undefined;
  const { value, violations } = judged.body;
  const { mediaType, schema } = content;
  const place = pointerTo(operation, "responses", described.status, "content", mediaType, "schema");
  const isSpecified = !isPresenceUnspecified({ unspecified: unspecifiedOf(document.info) });
  const tellOne: ReportFact = (kind, at, fact) => {
    if (kind !== "absence") tell(kind, at, fact);
    else if (isSpecified) tell("violation", at, fact);
    else tell("absence", at, { ...fact, message: `${fact.message} (presence isn't specified)` });
  };
  const found = violations.flatMap(withAlternatives);
  return { value, schema, violated: tellViolations(found, { value, schema, document, place, tell: tellOne }) };
}

/** Fields of connections, representations and caches (RFC 9110, RFC 9111), which any server may send. */
const commonFields = new Set(
  (
    "accept-ranges age allow alt-svc cache-control connection date etag expires keep-alive last-modified pragma " +
    "referrer-policy server strict-transport-security trailer transfer-encoding upgrade vary via www-authenticate " +
    "x-powered-by"
  ).split(" "),
);

/** The beginnings of other common fields, mostly for browsers, and of those that our mock adds as a proxy. */
const commonPrefixes = [
  ...["access-control-", "content-", "cross-origin-", "x-content-type-", "x-dns-prefetch-", "x-download-"],
  ...["x-frame-", "x-mock-", "x-permitted-cross-", "x-xss-"],
];

function isCommonField(name: string): boolean {
  return commonFields.has(name) || commonPrefixes.some((prefix) => name.startsWith(prefix));
}

function tellUnlistedFields({ operation, responseFields, tell }: CheckContext, { status, headers }: Response): void {
  const declared = new Set(headers.map(({ name }) => name.toLowerCase()));
  const place = pointerTo(operation, "responses", status, "headers");
  for (const name of Object.keys(responseFields).filter((one) => !declared.has(one) && !isCommonField(one)))
    tell("unlisted", place, {
      code: "header",
      in: "header",
      name,
      message: `the response header ${name} isn't listed`,
    });
}

/**
 * Tells what is wrong with a body: missing properties as `absence`, and everything else as `violation`. Gives JSON
 * Pointers to it, with `*` for the items of lists.
 */
export function tellViolations(
  found: readonly SchemaViolation[],
  { value, schema, document, place, tell }: BodyContext,
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
    for (const worded of wordForReport({ ...violation, pointer }, { schema, document })) {
      const { isAbsence, place: begin, rule: own, ...details } = worded;
      const rule = isAbsence ? "must have all required properties" : own;
      const lacks = [...new Set(absent.flatMap(absentNames))];
      const fact = { ...details, in: "body", pointer, rule, message: `${begin} ${rule}` } as const;
      if (isAbsence) tell("absence", there, { ...fact, received: `an object without ${lacks.join(", ")}`, lacks });
      else tell("violation", there, fact);
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
function shapeOf(type: string, body: Uint8Array = new Uint8Array()): string {
  const parsed = isJson(type) ? parseJsonBody(body) : undefined;
  if (parsed === undefined || isRefusal(parsed)) return type === "" ? "no media type" : essenceOf(type);
  if (!isObject(parsed.value)) return jsonType(parsed.value);
  const members = membersOf(parsed.value).map(([name, value]) => `${name}: ${jsonType(value)}`);
  return members.length === 0 ? "{}" : `{ ${members.slice(0, 12).join("; ")} }`;
}

import { successResponses, type Generation, type MediaType, type Operation } from "../contract/generation.ts";
import { resourcesIn } from "../contract/resources.ts";
import { isAuthorized } from "../mock/request/authentication.ts";
import { readMediaType } from "../mock/request/contentType.ts";
import { createReader } from "../mock/request/parameterStyles.ts";
import { parseJsonBody } from "../mock/request/requestBody.ts";
import { readTarget } from "../mock/request/requestTarget.ts";
import { findRoute } from "../mock/request/routes.ts";
import { isRefusal } from "../mock/response/refusal.ts";
import { shorten } from "../mock/secrets.ts";
import { serveContract } from "../mock/servedContract.ts";
import { createValidator, isCompilable, type SchemaViolation } from "../mock/validation/validator.ts";
import { bodyViolations } from "../mock/validation/violations.ts";
import { groupBy } from "../contract/text.ts";
import { isObject, membersOf } from "../spec/json.ts";
import { jsonPointer, pointerKeys, valueAt } from "../spec/jsonPointer.ts";
import { essenceOf, fallsUnder, isJson } from "../spec/mediaTypes.ts";
import { responseOf, unspecifiedOf } from "../spec/openapi.ts";
import { isUntyped } from "../spec/schemaKeywords.ts";
import { resolveSchema } from "../spec/references.ts";
import { describeValues, locateSchemas, pointerTo } from "./describedValues.ts";
import type { Exchange, ExchangeResponse, HeaderField } from "./exchange.ts";
import { createKnownCheck, describeValue, unlistedValues } from "./unlistedValues.ts";

/** Kinds of findings: the first ones weigh most. */
export const findingKinds = ["contradiction", "news", "evidence", "untested"] as const;

/** One thing that an exchange tells about the contract. */
export interface Observation {
  /**
   * `contradiction`: the contract forbids it; `news`: the contract leaves it open and doesn't have it; `evidence`: it fills a
   * gap, or confirms; `untested`: it could not be checked.
   */
  readonly kind: (typeof findingKinds)[number];
  /** The generation's name. */
  readonly generation: string;
  /** As in `GET /teams/{teamId}`. */
  readonly operation: string;
  /** JSON Pointer of the place in the bundle that it concerns. */
  readonly place: string;
  /** What the contract says, or what was found: the same for all exchanges that tell the same. */
  readonly message: string;
  /** What came, as text: it may differ from exchange to exchange. `undefined` if the message says all. */
  readonly received: string | undefined;
  readonly exchange: Exchange | undefined;
}

/** A generation, and the base URL of the server that it is at: without one, it is at any. */
export interface VerifiedGeneration {
  readonly generation: Generation;
  readonly server: string | undefined;
}

/** An exchange, and the operation that it is one of; `undefined` if the contract does not have it. */
export interface CheckedExchange {
  readonly operation: Operation | undefined;
  readonly observations: readonly Observation[];
}

type Observe = (kind: Observation["kind"], place: string, message: string, received?: unknown) => void;

interface Context {
  readonly operation: Operation;
  readonly exchange: Exchange;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly response: ExchangeResponse;
  readonly isSuccess: boolean;
  readonly observe: Observe;
}

/**
 * Makes a function that holds exchanges against the contract; `undefined` for an exchange with something else. `isComplete`
 * says that requests are as they were sent: recorded ones often lack their credentials.
 */
export function createExchangeCheck({ generation, server }: VerifiedGeneration, isComplete: boolean) {
  const { routes, resources } = serveContract([generation]);
  const isKnown = createKnownCheck(generation);
  const credentials = new Set([...generation.securitySchemes.values()].map(({ parameter }) => parameter));
  const pages = new Map<string, { readonly offset: string; readonly text: string }>();
  const [{ url: described = "/" } = { url: "/" }] = generation.document.servers ?? [];
  const base = server ?? (URL.parse(described, "http://localhost")?.pathname ?? "").replace(/\/$/, "");

  const checkPage = ({ operation, query, response, observe }: Context, value: unknown): void => {
    const { pagination = { limit: "", offset: "" } } = operation;
    const limit = Number(query[pagination.limit]);
    const { view } = resources().get(operation) ?? {};
    if (view?.isList !== true || Number.isNaN(limit)) return;
    const items = resourcesIn(value, view);
    if (items.length > limit) {
      observe(
        "contradiction",
        pointerTo(operation, "parameters"),
        `${pagination.limit} is the most items of a page`,
        `${items.length} items for ${limit}`,
      );
    }
    const { [pagination.offset]: offset = "", ...others } = query;
    const key = JSON.stringify([operation.name, others]);
    const text = JSON.stringify(items);
    const other = pages.get(key);
    if (other !== undefined && other.offset !== String(offset) && other.text === text && items.length > 0) {
      observe(
        "contradiction",
        pointerTo(operation, "parameters"),
        `${pagination.offset} skips items`,
        "the same page for two of its values",
      );
    }
    if (response.status < 300) pages.set(key, { offset: String(offset), text });
  };

  return (exchange: Exchange): CheckedExchange | undefined => {
    const url = URL.parse(exchange.url);
    const address = `${server === undefined ? "" : (url?.origin ?? "")}${url?.pathname ?? ""}`;
    if (url === null || (address !== base && !address.startsWith(`${base}/`))) return undefined;
    const target = readTarget(address.slice(base.length) + url.search);
    if (isRefusal(target)) return undefined;
    const { response } = exchange;
    const found = findRoute(routes, target.segments, exchange.method.toLowerCase());
    const observations: Observation[] = [];
    const observeAs =
      (operation: string): Observe =>
      (kind, place, message, received) => {
        const text = received === undefined ? undefined : shorten(printable(String(received)), 300);
        observations.push({
          kind,
          generation: generation.name,
          operation,
          place,
          message: printable(message),
          received: text,
          exchange,
        });
      };
    if (found === undefined || "others" in found) {
      if (response === undefined || response.status >= 300 || exchange.method === "OPTIONS") return undefined;
      observeAs(`${exchange.method} ${shorten(target.path, 200)}`)(
        "news",
        "/paths",
        "the contract does not have this operation",
      );
      return { operation: undefined, observations };
    }
    const { operation } = found;
    const observe = observeAs(operation.name);
    if (response === undefined) {
      observe("untested", pointerTo(operation), exchange.failure ?? "no response came");
      return { operation, observations };
    }
    const isSuccess = response.status >= 200 && response.status < 300;
    const headers = fieldsOf(exchange.request.headers);
    const context = { operation, exchange, query: target.query, headers, response, isSuccess, observe };
    if (isComplete) checkCredentials(context);
    if (isSuccess) checkRequest(context, credentials);
    checkResponse(context, isKnown, checkPage);
    return { operation, observations };
  };
}

function checkCredentials({ operation, headers, query, response, isSuccess, observe }: Context): void {
  const security = operation.security.filter((schemes) => schemes.length > 0);
  if (isAuthorized({ ...operation, security }, headers, query)) return;
  const place = pointerTo(operation, "security");
  const isOpen = security.length < operation.security.length;
  if (isSuccess && !isOpen) {
    const sent = security
      .flat()
      .filter((scheme) => isAuthorized({ ...operation, security: [[scheme]] }, headers, query));
    const names = [...new Set(sent.map(({ name }) => name))].join(" and ");
    observe(
      "contradiction",
      place,
      "credentials are required",
      `${response.status} ${names === "" ? "without any" : `for ${names} alone`}`,
    );
  }
  if (isOpen && (isSuccess || /^40[13]$/.test(String(response.status)))) {
    observe(
      "evidence",
      place,
      "a call without credentials",
      isSuccess ? "accepted" : `refused with ${response.status}`,
    );
  }
}

/** What a server accepted that the contract does not have, and the fields of bodies that it accepted. */
function checkRequest({ operation, query, exchange, observe }: Context, credentials: ReadonlySet<string>): void {
  const { parameters, requestBody, document } = operation;
  // The members of an object are parameters of their own.
  const isSpread = parameters.some(
    ({ in: place, explode, schema }) =>
      place === "query" &&
      explode &&
      !isUntyped(resolveSchema(document, schema)) &&
      resolveSchema(document, schema).type === "object",
  );
  const names = new Set(parameters.map(({ name }) => name));
  for (const name of isSpread ? [] : Object.keys(query)) {
    if (names.has(name.replace(/\[.*/, "")) || credentials.has(name)) continue;
    observe("news", pointerTo(operation, "parameters"), `the query parameter ${JSON.stringify(name)} was accepted`);
  }
  const { body } = exchange.request;
  const content = requestBody?.content.find(({ mediaType }) => isJson(mediaType));
  const parsed = body === undefined || content === undefined ? undefined : parseJsonBody(Buffer.from(body));
  if (content === undefined || parsed === undefined || isRefusal(parsed)) return;
  const place = pointerTo(operation, "requestBody", "content", content.mediaType, "schema");
  if (isObject(parsed.value))
    observe("evidence", place, "accepted fields of the body", Object.keys(parsed.value).join(", "));
  const root = { value: parsed.value, path: "", schemas: locateSchemas(document, [place]) };
  for (const { place: at, message, received } of [...describeValues(document, root)].flatMap(unlistedValues)) {
    observe("news", at, `in an accepted request, ${message}`, received);
  }
}

function checkResponse(
  context: Context,
  isKnown: ReturnType<typeof createKnownCheck>,
  checkPage: (context: Context, value: unknown) => void,
): void {
  const { operation, response, isSuccess, observe } = context;
  const { status } = response;
  const closed = operation.responses.filter(({ status: key }) => key.toLowerCase() !== "default");
  // Where successes are declared, the default is for failures.
  const declared = responseOf(
    status >= 400 || successResponses(operation).length === 0 ? operation.responses : closed,
    status,
  );
  if (declared === undefined) {
    const keys = operation.responses.map(({ status: key }) => key).join(", ");
    observe("contradiction", pointerTo(operation, "responses"), `the declared statuses are ${keys}`, status);
    return;
  }
  const place = pointerTo(operation, "responses", declared.status);
  if (/xx$/i.test(declared.status)) observe("evidence", place, declared.status, status);
  checkHeaders(context, declared.headers, place);
  if (context.exchange.method === "HEAD") return;
  const { body } = response;
  const type = fieldsOf(response.headers)["content-type"] ?? "";
  const isOpen = declared.content.every(({ schema }) => isUntyped(resolveSchema(operation.document, schema)));
  if (!isSuccess && isOpen) {
    if (isAuthorized(operation, context.headers, context.query))
      observe("news", place, `a failure with ${status}`, shapeOf(type, body));
    return;
  }
  if (declared.content.length === 0) {
    if (body !== undefined && body.length > 0)
      observe("contradiction", place, "the response has no content", `${body.length} bytes`);
    return;
  }
  const content = declared.content.find(({ mediaType }) => fallsUnder(essenceOf(type), mediaType));
  if (content === undefined) {
    const types = declared.content.map(({ mediaType }) => mediaType).join(" or ");
    observe("contradiction", `${place}/content`, `the media type is ${types}`, type === "" ? "none" : type);
  } else if (isJson(type))
    checkJson(context, content, `${place}${jsonPointer(["content", content.mediaType, "schema"])}`, isKnown, checkPage);
}

function checkHeaders(
  { operation, response, observe }: Context,
  declared: Operation["responses"][number]["headers"],
  place: string,
): void {
  const fields = fieldsOf(response.headers);
  for (const header of declared) {
    const name = header.name.toLowerCase();
    const at = `${place}${jsonPointer(["headers", header.name])}`;
    const read = createReader(
      { name, schema: header.schema, style: "simple", explode: false, mediaType: undefined },
      operation.document,
    );
    const reading = read(fields);
    if (reading === undefined && header.required)
      observe("contradiction", at, `the header ${header.name} is required`, "none");
    for (const { message } of reading?.violations ?? [])
      observe("contradiction", at, `the header ${header.name} ${message}`);
  }
  const names = new Set(declared.map(({ name }) => name.toLowerCase()));
  for (const name of Object.keys(fields)) {
    if (!names.has(name) && !commonHeaders.test(name))
      observe("news", `${place}/headers`, `the response header ${name}`);
  }
}

/** Fields of the connection, the representation, caches and browsers (RFC 9110, RFC 9111, Fetch), which any server may send. */
const commonHeaders =
  /^(?:accept-ranges|access-control-.*|age|allow|alt-svc|cache-control|connection|content-.*|cross-origin-.*|date|etag|expires|keep-alive|last-modified|origin-agent-cluster|pragma|referrer-policy|server|strict-transport-security|te|trailer|transfer-encoding|upgrade|vary|via|www-authenticate|x-(?:content-type-options|dns-prefetch-control|download-options|frame-options|permitted-cross-domain-policies|powered-by|xss-protection))$/;

function checkJson(
  context: Context,
  { schema }: MediaType,
  place: string,
  isKnown: ReturnType<typeof createKnownCheck>,
  checkPage: (context: Context, value: unknown) => void,
): void {
  const { operation, response, observe } = context;
  const { document } = operation;
  const charset = readMediaType(fieldsOf(response.headers)["content-type"] ?? "")?.params.get("charset") ?? "utf-8";
  if (!/^utf-?8$/i.test(charset))
    observe("contradiction", place, "JSON is UTF-8 (RFC 8259, section 8.1)", `charset ${charset}`);
  const { body = new Uint8Array() } = response;
  const parsed = parseJsonBody(Buffer.from(body));
  if (isRefusal(parsed)) {
    observe("contradiction", place, "the body is JSON", body.length === 0 ? "no body" : parsed.detail);
    return;
  }
  const { value } = parsed;
  if (!isCompilable(schema, document))
    observe("untested", place, "the schema cannot be compiled: nothing was compared with it");
  const { violations, isPartial } = createValidator(schema, document, "writeOnly")(value, body.length);
  if (isPartial) observe("untested", place, "the body is large: only its first violation is known");
  const root = { value, path: "", schemas: locateSchemas(document, [place]) };
  const described = [...describeValues(document, root)];
  const schemasAt = new Map(described.map(({ path, schemas }) => [path, schemas]));
  for (const violation of withoutEchoes(violations)) {
    const keys = pointerKeys(violation.pointer).map((key, index, all) =>
      Array.isArray(valueAt(value, all.slice(0, index))) ? "*" : key,
    );
    const path = jsonPointer(keys);
    const [shown] = bodyViolations(
      { violations: [{ ...violation, pointer: path }], isPartial: false },
      schema,
      document,
    );
    const schemas = schemasAt.get(path) ?? [];
    const at = schemas.find((one) => violation.keyword in one.schema) ?? schemas[0] ?? { pointer: place };
    const { message = violation.message, received } = shown ?? {};
    observe(
      "contradiction",
      at.pointer,
      message.replace(`; received ${received ?? ""}.`, "").replace(/\.$/, ""),
      received,
    );
  }
  for (const one of described) {
    for (const unlisted of unlistedValues(one)) {
      if (!isKnown(unlisted)) observe("news", unlisted.place, unlisted.message, unlisted.received);
    }
    const gap = one.schemas.find((located) => unspecifiedOf(located.schema).length > 0);
    if (gap !== undefined) {
      const name = `${one.path === "" ? "the body" : one.path} (${unspecifiedOf(gap.schema).join(", ")})`;
      observe("evidence", gap.pointer, name, describeValue(one.value, one.path));
    }
  }
  checkPage(context, value);
}

/** Of what is wrong with a value that fits no alternative: what is wrong inside it, or else only that it fits none. */
function withoutEchoes(violations: readonly SchemaViolation[]): readonly SchemaViolation[] {
  const choices = violations.filter(({ keyword }) => keyword === "anyOf" || keyword === "oneOf");
  const isEcho = ({ keyword, pointer }: SchemaViolation) =>
    /^(?:type|const|enum)$/.test(keyword) && choices.some((choice) => choice.pointer === pointer);
  const inner = violations.filter((violation) => !choices.includes(violation) && !isEcho(violation));
  const isExplained = ({ pointer }: SchemaViolation) =>
    inner.some((one) => `${one.pointer}/`.startsWith(`${pointer}/`));
  return [...inner, ...choices.filter((choice) => !isExplained(choice))];
}

/** The form of a body that the contract does not describe: its media type, and the types of its members. */
function shapeOf(type: string, body = new Uint8Array()): string {
  const parsed = isJson(type) ? parseJsonBody(Buffer.from(body)) : { detail: "" };
  if (isRefusal(parsed)) return type === "" ? "no media type" : essenceOf(type);
  const members = membersOf(parsed.value).map(
    ([name, value]) => `${name}: ${Array.isArray(value) ? "array" : typeof value}`,
  );
  return members.length === 0 ? describeValue(parsed.value, "") : `{ ${members.slice(0, 12).join("; ")} }`;
}

/** Header fields by their names in lower case. */
function fieldsOf(headers: readonly HeaderField[]): Readonly<Record<string, string>> {
  const fields = groupBy(headers, ([name]) => name.toLowerCase());
  return Object.fromEntries(
    Array.from(fields, ([name, values]) => [name, values.map(([, value]) => value).join(", ")]),
  );
}

/** Characters that a server chose must not steer a terminal. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\ufffd");
}

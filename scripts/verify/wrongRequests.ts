import { isSafe, isSent, type Operation, type Parameter } from "../contract/generation.ts";
import { base64, type SecurityAlternative, type SecurityScheme } from "../contract/security.ts";
import { listInWords } from "../values/text.ts";
import { pointerTo } from "../contract/operationPointer.ts";
import { joinFields, type Exchange } from "../exchange/exchange.ts";
import { kindOfAccepted } from "../exchange/checkRequest.ts";
import { createReader } from "../exchange/valueReader.ts";
import type { SchemaViolation } from "../exchange/schema/run.ts";
import { unlessUnusable } from "../exchange/validator.ts";
import { serializeRequest, type SampleRequest, type SerializedRequest } from "../samples/serializeRequest.ts";
import { essenceOf, isJson } from "../spec/mediaTypes.ts";
import { methods, resolveSchema } from "../spec/openapi.ts";
import {
  credentialsRequired,
  isUnanswered,
  serverFailed,
  unanswered,
  type Observation,
} from "../exchange/observation.ts";
import type { PlannedCall } from "./planCalls.ts";
import { wrongBodies, wrongTexts } from "./wrongValues.ts";

/** A check with wrong requests. */
interface Check {
  /** What it sends. */
  readonly sends: string;
  /** Why it may have no requests, whatever the server does. */
  readonly none: string;
  readonly make: (right: RightRequest) => readonly Omit<WrongRequest, "check" | "generation" | "operation">[];
}

/** The checks, in the order of their requests. */
export const requestChecks = {
  credentials: {
    sends: "none, half of a pair, and wrong values",
    none: "no operation requires credentials",
    make: withWrongCredentials,
  },
  bodies: {
    sends: "none, invalid JSON, and a violation of each keyword",
    none: "no operation takes a JSON body",
    make: withWrongBodies,
  },
  parameters: {
    sends: "invalid or repeated values, missing ones, unknown identifiers",
    none: "no operation has a parameter with invalid values",
    make: withWrongParameters,
  },
  "media-types": {
    sends: "a media type that isn't listed",
    none: "no operation takes a JSON body of listed media types alone",
    make: withOtherMediaType,
  },
  methods: {
    sends: "methods that aren't listed for a path",
    none: "no path has an unlisted method to try",
    make: withOtherMethods,
  },
} as const satisfies Readonly<Record<string, Check>>;

export type RequestCheck = keyof typeof requestChecks;

export const checkNames = Object.keys(requestChecks).filter(isRequestCheck);

/** A request that a server must reject, or a read that must find nothing. */
export interface WrongRequest {
  /** `undefined` if it is sent without `--checks`. */
  readonly check: RequestCheck | undefined;
  /** The kind of finding for a success: a contradiction if the contract forbids it, a doubt if it doesn't list it. */
  readonly kind: "contradiction" | "doubt";
  readonly generation: string;
  readonly operation: Operation;
  /** JSON Pointer of the rule in the contract. */
  readonly place: string;
  /** The violated keyword of JSON Schema, or another code of the rule. */
  readonly code: string;
  /** The violated rule. */
  readonly rule: string;
  /** The wrong part in a few words. Empty if the rule is enough. */
  readonly sent: string;
  readonly request: SerializedRequest;
  /**
   * What in a success shows that it is wrong: its content, or that it has any items. `none`: nothing does, so only a
   * failure of the server is wrong. By default, every success is.
   */
  readonly proof?: "content" | "items" | "none";
}

/** A right request of a call, of which wrong ones are made. */
interface RightRequest {
  readonly planned: PlannedCall;
  readonly sample: SampleRequest;
  /** True if it acts on a resource that this run created, so that any effect is harmless. */
  readonly isOwn: boolean;
}

/** Makes the wrong requests of some checks from a right one. */
export function wrongRequests(right: RightRequest, checks: ReadonlySet<RequestCheck>): readonly WrongRequest[] {
  const { generation, operation } = right.planned;
  const common = { generation: generation.name, operation };
  return checkNames
    .filter((check) => checks.has(check))
    .flatMap((check) => requestChecks[check].make(right).map((wrong) => ({ ...wrong, ...common, check })));
}

export function isRequestCheck(name: string): name is RequestCheck {
  return Object.hasOwn(requestChecks, name);
}

/** Judges the response to a wrong request. A 4xx response is correct. If the server can't be reached, there is no result. */
export function judgeWrongRequest(wrong: WrongRequest, exchange: Exchange): readonly Observation[] {
  const { check, kind, generation, operation, place, code, rule, sent, proof } = wrong;
  const { status = 0 } = exchange.response ?? {};
  // An unlisted method isn't an operation of the contract.
  const name = check === "methods" ? `${exchange.method} ${operation.path}` : operation.name;
  const told = { generation, operation: name, exchange };
  if (isUnanswered(exchange)) {
    const received = `${exchange.failure ?? "none"} for a wrong request: ${rule}`;
    return [{ ...told, kind: "server error", place: pointerTo(operation), ...unanswered, received }];
  }
  if (status >= 500) {
    const received = `${status} for a wrong request: ${rule}`;
    return [{ ...told, kind: "server error", place: pointerTo(operation, "responses"), ...serverFailed, received }];
  }
  const fields = joinFields(exchange.response?.headers ?? []);
  // RFC 9110, section 15.5.6.
  if (status === 405 && check === "methods" && fields["allow"] === undefined)
    return [{ ...told, kind, place, ...allowMissing }];
  if (status < 200 || status >= 300 || proof === "content" || proof === "none") return [];
  const isTold = check === undefined || check === "credentials";
  const message = isTold ? rule : `wrong requests are rejected: ${rule}`;
  const received = sent === "" ? String(status) : `${status} ${sent}`;
  return [{ ...told, kind, place, code, direction: "request", message, received }];
}

const allowMissing = {
  code: "Allow",
  direction: "response",
  message: "a 405 response has the header Allow",
  received: "none",
} as const;

function withWrongCredentials({
  planned: { operation, credentials },
  sample,
}: RightRequest): ReturnType<Check["make"]> {
  const { security } = operation;
  if (security.length === 0 || security.some((schemes) => schemes.length === 0)) return [];
  const sends = (schemes: SecurityAlternative, sent: string) => ({
    ...{ kind: "contradiction" as const, place: pointerTo(operation, "security"), sent },
    ...{ code: credentialsRequired.code, rule: credentialsRequired.message },
    request: serializeRequest({ ...sample, credentials: schemes }),
  });
  const usable = security.filter((schemes) => schemes.every(({ name }) => credentials.has(name)));
  const known = usable.map((schemes) => schemes.flatMap(({ name }) => credentials.get(name) ?? []));
  const wrong = known.flatMap((schemes) =>
    schemes.map((scheme) => {
      const others = schemes.map((one) => (one === scheme ? { ...one, example: wrongCredential(one) } : one));
      return sends(others, `with a wrong value of ${scheme.name}`);
    }),
  );
  const missing = insufficientCredentials(operation, credentials).map((schemes) =>
    sends(schemes, schemes.length === 0 ? "without any" : `with ${schemes.map(({ name }) => name).join()} alone`),
  );
  return [...missing, ...new Map(wrong.map((one) => [one.sent, one])).values()];
}

/** A credential in the right format that no user has. */
function wrongCredential({ prefix, example }: SecurityScheme): string {
  // Some services tell keys by how they begin: `svc_…`.
  const beginning = /^[a-z]{1,8}_/i.exec(example)?.[0] ?? "";
  return prefix === "Basic " ? base64("nobody:wrong-password") : `${beginning}wrong-credential`;
}

/** No credentials, and each half of a pair, unless it is enough for another alternative. */
export function insufficientCredentials(
  { security }: Operation,
  credentials: ReadonlyMap<string, SecurityScheme>,
): readonly SecurityAlternative[] {
  const enough = security.flatMap((schemes) => (schemes.length === 1 ? schemes : [])).map(({ name }) => name);
  const paired = new Set(security.flatMap((schemes) => (schemes.length > 1 ? schemes : [])).map(({ name }) => name));
  const halves = [...paired].filter((name) => !enough.includes(name)).flatMap((name) => credentials.get(name) ?? []);
  return security.length === 0 ? [] : [[], ...halves.map((scheme) => [scheme])];
}

/** A text that is invalid except in schemas that allow strings or any value. */
const wrongText = "wrong";

/** Identifiers of different types that hardly any resource has. */
const unlikely = ["2147483646", "00000000-0000-4000-8000-000000000000", "2099-12-31", "none@example.com"];

/**
 * Reads with an unknown identifier of the resource or of a parent. The response must not show another resource, or what is
 * below another parent.
 */
function withUnknownIdentifiers({ planned: { operation, resource }, sample }: RightRequest): ReturnType<Check["make"]> {
  if (operation.method !== "get" || resource === undefined) return [];
  const own = resource.effect === "read" ? resource.key?.parameter : undefined;
  const names = [own, ...resource.ancestors.map(({ key }) => key.parameter)];
  const identifying = operation.parameters.filter(({ name, in: place }) => place === "path" && names.includes(name));
  return identifying.flatMap((parameter) => {
    const { name } = parameter;
    const value = unlikely.find((text) => violationBy(parameter, operation, text) === undefined);
    if (value === undefined) return [];
    const parameters = sample.parameters.map((one) =>
      one.in === "path" && one.name === name ? { ...one, value } : one,
    );
    const request = serializeRequest({ ...sample, parameters });
    const told =
      name === own
        ? { rule: `${name} identifies one resource`, sent: "", proof: "content" as const }
        : { rule: `${name} identifies a parent of what is shown`, sent: "for an unknown one", proof: "items" as const };
    return [{ kind: "doubt", place: pointerTo(operation, "parameters"), code: "identifier", ...told, request }];
  });
}

/** Servers may take one of several values, but must not fail. */
const neverWrong = { proof: "none" } as const;

function withWrongParameters(right: RightRequest): ReturnType<Check["make"]> {
  const { sample } = right;
  const { operation } = right.planned;
  // If the operation changes something, the path must not lead to another resource.
  const parameters = operation.parameters.filter((one) => isSent(one) && (one.in !== "path" || isSafe(operation)));
  const invalid = parameters.flatMap((parameter) => {
    const { name, in: place, required } = parameter;
    const others = sample.parameters.filter((one) => one.name !== name || one.in !== place);
    const sends = (code: string, rule: string, sent: string, values: readonly string[]) => {
      const written = values.map((value) => ({ name, in: place, value }));
      const request = serializeRequest({ ...sample, parameters: [...others, ...written] });
      return { kind: kindOfAccepted(code), place: pointerTo(operation, "parameters"), code, rule, sent, request };
    };
    const named = place === "header" ? `the header ${name}` : `the ${place} parameter ${name}`;
    const usual = sample.parameters.find((one) => one.name === name && one.in === place)?.value;
    const twice = [usual ?? 1, usual ?? 1].map(String);
    const isOnce = isSafe(operation) && violationBy(parameter, operation, twice) !== undefined;
    // A server that changes something could take a number for that of another resource.
    const similar = isSafe(operation) ? wrongTexts(operation.document, parameter.schema, usual) : [];
    const texts = new Set([wrongText, ...similar]);
    return [
      ...[...texts].flatMap((text) => {
        const violation = violationBy(parameter, operation, text);
        const rule = `${named} ${violation?.message ?? ""}`;
        return violation === undefined ? [] : [sends(violation.keyword, rule, `for ${JSON.stringify(text)}`, [text])];
      }),
      ...(place === "query" && isOnce
        ? [{ ...sends("repeated", `${named} is there once`, "twice", twice), ...neverWrong }]
        : []),
      ...(required && place !== "path" ? [sends("required", `${named} is required`, "without it", [])] : []),
    ];
  });
  return [...invalid, ...withUnknownIdentifiers(right)];
}

/** What a parameter with a text, or with several, violates. `undefined` if it may have that. */
export function violationBy(
  parameter: Parameter,
  { document }: Operation,
  text: string | readonly string[],
): SchemaViolation | undefined {
  const { in: place, schema } = parameter;
  // A header contains the list of cookies.
  if (place === "cookie" || Object.keys(resolveSchema(document, schema)).length === 0) return undefined;
  const read = createReader(schema, document);
  return unlessUnusable(
    () => read(text)?.violations[0],
    () => undefined,
  );
}

/** The body as JSON text, if the operation accepts JSON. */
function jsonText({ sample: { body, contentType } }: RightRequest): string | undefined {
  return body === undefined || contentType === undefined || !isJson(contentType) ? undefined : JSON.stringify(body);
}

function withText(sample: SampleRequest, text: string, contentType: string): SerializedRequest {
  const { headers, ...request } = serializeRequest(sample);
  return { ...request, headers: { ...headers, "Content-Type": contentType }, body: { kind: "text", text } };
}

function withOtherMediaType(right: RightRequest): ReturnType<Check["make"]> {
  const { sample } = right;
  const { operation } = right.planned;
  const text = jsonText(right);
  const listed = operation.requestBody?.content.map(({ mediaType }) => mediaType) ?? [];
  if (text === undefined || listed.some((mediaType) => mediaType.includes("*"))) return [];
  const other = "application/x-other";
  const rule = `the media type of the request is ${listInWords(listed, "disjunction")}`;
  const place = pointerTo(operation, "requestBody", "content");
  const request = withText(sample, text, other);
  return [{ kind: "doubt", place, code: "media-type", rule, sent: `for ${other}`, request }];
}

function withWrongBodies(right: RightRequest): ReturnType<Check["make"]> {
  const { sample } = right;
  const { operation } = right.planned;
  const { requestBody, document } = operation;
  const { contentType = "" } = sample;
  if (jsonText(right) === undefined || requestBody === undefined) return [];
  const content = requestBody.content.find(({ mediaType }) => essenceOf(mediaType) === essenceOf(contentType));
  const place = pointerTo(operation, "requestBody");
  const common = { kind: "contradiction" as const, place, sent: "" };
  const absent = { ...common, code: "required", rule: "the body is required" };
  const without = { ...absent, request: serializeRequest({ ...sample, body: undefined }) };
  const broken = { ...common, code: "syntax", rule: "the body is JSON", request: withText(sample, "{", contentType) };
  const wrong = wrongBodies(document, content?.schema ?? {}, sample.body).map((body) => ({
    ...{ ...common, kind: kindOfAccepted(body.code), place: body.place, code: body.code, rule: body.rule },
    request: serializeRequest({ ...sample, body: body.value }),
  }));
  return [...(requestBody.required ? [without] : []), broken, ...wrong];
}

/** Methods that change something are only sent for a resource that the run created. */
function withOtherMethods({ planned, sample, isOwn }: RightRequest): ReturnType<Check["make"]> {
  const { generation, operation } = planned;
  const { path } = operation;
  const listed = generation.operations.filter((one) => one.path === path).map(({ method }) => method);
  // Once for each path: with a request that reads, and with one that changes a created resource.
  const changing = listed.filter((method) => method !== "get");
  const tried = methods.filter((method) => {
    if (listed.includes(method)) return false;
    if (method === "get") return operation.method === listed[0];
    if (!isOwn || operation.method !== changing[0]) return false;
    // The rest of the run needs the created resource.
    return ["put", "patch", "post"].includes(method) || (method === "delete" && !path.endsWith("}"));
  });
  const takes = listInWords(listed.map((method) => method.toUpperCase()));
  return tried.map((method) => {
    const name = method.toUpperCase();
    const body = method === "get" ? undefined : { kind: "json" as const, value: {} };
    const request = { ...serializeRequest({ ...sample, method: name, body: undefined }), body };
    const told = { code: "method", rule: `the path takes ${takes}`, sent: `for ${name}` };
    return { kind: "doubt" as const, place: operation.pathItemPointer, ...told, request };
  });
}

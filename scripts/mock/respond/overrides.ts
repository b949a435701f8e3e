import { messageOf } from "../../contract/failures.ts";
import { jsonContent, successResponses, type Operation, type Response } from "../../contract/generation.ts";
import { isObject, membersOf } from "../../spec/json.ts";
import { contentOfType } from "../../spec/mediaTypes.ts";
import { responseOf, type SchemaObject } from "../../spec/openapi.ts";
import { firstStatus, withoutContent } from "../../spec/statusKeys.ts";
import type { OverrideResponse, OverrideRule, ReceivedRequest } from "../mockTypes.ts";
import { readMediaType } from "../../exchange/contentType.ts";
import { createParameterCheck } from "../../exchange/parameters.ts";
import type { Preferences } from "../response/preferences.ts";
import { readHeader } from "../response/describedResponse.ts";
import type { DescribedResponse, ResponseMaker, ResponseWishes } from "../response/describedResponse.ts";
import { isRefusal, type Refusal } from "../../exchange/refusal.ts";
import { createFormCheck, createRuleReader, violationAt, type RuleList } from "./rules.ts";

const members: SchemaObject = { type: "object" };
const when = { path: members, query: members, headers: members, body: {} };

const checkForm = createFormCheck({
  type: "object",
  additionalProperties: false,
  properties: {
    status: { type: "integer", minimum: 200, maximum: 599 },
    headers: {
      type: "object",
      propertyNames: { pattern: "^[\\w!#$%&'*+.^`|~-]+$" },
      additionalProperties: { type: "string", pattern: "^[\\t -~\\x80-\\xff]*$" },
    },
    body: {},
    example: { type: "string" },
    unchecked: { type: "boolean" },
  } satisfies Record<keyof OverrideResponse, SchemaObject>,
});

export const overrideRules = createRuleReader<OverrideRule>(
  { when: { type: "object", properties: when, additionalProperties: false }, respond: {} },
  ["operation", "respond"],
  ({ operation: id, generation, respond }, pointer, contract) => {
    if (typeof respond === "function") return [];
    const checks = contract.generations
      .filter(({ name }) => name === (generation ?? name))
      .flatMap(({ operations }) => operations.filter(({ operationId }) => operationId === id))
      .map((one) => checkResponse(respond, `${pointer}/respond`, one, contract.prepare(one).responses));
    return checks.find(({ length }) => length > 0) ?? [];
  },
);

/** A valid request that an override may answer. */
interface OverridableRequest {
  readonly received: ReceivedRequest;
  readonly operation: Operation;
  /** Makes the operation's responses from the contract. */
  readonly responses: ResponseMaker;
  readonly wishes: ResponseWishes;
}

/** Makes the response of the first matching override, or `undefined` if none matches. */
export async function applyOverride(
  { list, count }: RuleList<OverrideRule>,
  request: OverridableRequest,
): Promise<DescribedResponse | Refusal | undefined> {
  const { received, operation, responses } = request;
  for (const [index, rule] of list().entries()) {
    if (!isMatch(rule, received)) continue;
    const { respond } = rule;
    const isFunction = typeof respond === "function";
    const fail = (why: string): Refusal => ({ status: 500, detail: `Override /${index} ${why}` });
    let chosen: OverrideResponse | undefined;
    try {
      chosen = isFunction ? await respond(received) : respond;
    } catch (error) {
      return fail(`threw an error: ${messageOf(error)}`);
    }
    if (chosen === undefined || !list().includes(rule)) continue;
    count(rule);
    const [wrong] = isFunction ? checkResponse(chosen, "/respond", operation, responses) : [];
    if (wrong !== undefined) return fail(`returned a wrong response. ${wrong.message}`);
    const response = await makeResponse(chosen, request);
    return isRefusal(response) ? response : { ...response, note: `override /${index} for ${rule.operation} applies` };
  }
  return undefined;
}

function isMatch({ operation, generation, when = {} }: OverrideRule, request: ReceivedRequest): boolean {
  if (operation !== request.operation) return false;
  if (generation !== undefined && generation !== request.generation) return false;
  if (!hasTexts(request.path, when.path) || !hasTexts(request.query, when.query)) return false;
  if (!hasTexts(request.headers, withLowerCaseNames(when.headers ?? {}))) return false;
  return when.body === undefined || hasMembers(request.body, when.body);
}

function hasTexts(sent: ReceivedRequest["query"], named: unknown): boolean {
  return membersOf(named).every(([name, value]) =>
    [value].flat().every((one) => [sent[name]].flat().includes(String(one))),
  );
}

/** Returns whether a value equals another one. Members of objects that only the first value has are ignored. */
function hasMembers(value: unknown, named: unknown): boolean {
  if (Array.isArray(named)) {
    return Array.isArray(value) && value.length === named.length && named.every((one, i) => hasMembers(value[i], one));
  }
  if (!isObject(named)) return value === named;
  return isObject(value) && membersOf(named).every(([name, one]) => hasMembers(value[name], one));
}

function checkResponse(chosen: OverrideResponse, pointer: string, operation: Operation, responses: ResponseMaker) {
  const malformed = checkForm(chosen, pointer);
  if (malformed.length > 0 || chosen.unchecked === true) return malformed;
  const declared = responseOf(operation.responses, statusOf(chosen, operation));
  const unmet = responses.unmet(preferencesOf(chosen));
  if (unmet !== undefined) {
    const { preference, rule, expected } = unmet;
    return [violationAt(pointer, `${pointer}: ${preference} cannot be met: ${rule}.`, expected)];
  }
  if (declared === undefined) return [];
  const place = `${pointer}/headers`;
  const wrong = checkHeaders(chosen, declared, operation).map(({ message, expected }) =>
    violationAt(place, `${place}: ${message}`, expected),
  );
  if (chosen.body === undefined) return wrong;
  const mediaType = mediaTypeOf(chosen, declared);
  const content = contentOfType(declared.content, mediaType);
  const bodyPlace = `${pointer}/body`;
  if (content !== undefined) {
    return [...wrong, ...createFormCheck(content.schema, operation.document, "writeOnly")(chosen.body, bodyPlace)];
  }
  const types = declared.content.map((one) => one.mediaType).join(" or ");
  const message = `${bodyPlace}: The ${declared.status} response has ${types || "no content"}, not ${mediaType}.`;
  return [...wrong, violationAt(bodyPlace, message)];
}

function checkHeaders({ headers = {}, body }: OverrideResponse, declared: Response, operation: Operation) {
  const parameters = declared.headers.map((header) => ({
    ...header,
    ...{ in: "header", style: "simple", explode: false, mediaType: undefined },
    // Without a body, the response has the headers of the contract's example.
    required: header.required && body !== undefined,
  }));
  const check = createParameterCheck({ ...operation, parameters });
  return check({ path: {}, query: {}, header: withLowerCaseNames(headers) }).violations;
}

async function makeResponse(
  chosen: OverrideResponse,
  { operation, responses, wishes }: OverridableRequest,
): Promise<DescribedResponse | Refusal> {
  const { body, example, unchecked = false } = chosen;
  const status = statusOf(chosen, operation);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(chosen.headers ?? {})) Object.assign(headers, readHeader(name, value));
  if (body !== undefined) {
    const mediaType = mediaTypeOf(chosen, responseOf(operation.responses, status));
    return { status, headers, mediaType: withoutContent.has(status) ? undefined : mediaType, value: body };
  }
  const dynamic = wishes.dynamic && example === undefined;
  const described = await responses.describe({ ...wishes, dynamic, preferences: preferencesOf(chosen) });
  if (!isRefusal(described)) return { ...described, headers: { ...described.headers, ...headers } };
  return unchecked ? { status, headers, mediaType: undefined, value: undefined } : described;
}

function preferencesOf({ status, example }: OverrideResponse): Preferences {
  return { ...(status !== undefined && { code: String(status) }), ...(example !== undefined && { example }) };
}

function statusOf({ status }: OverrideResponse, operation: Operation): number {
  if (status !== undefined) return status;
  const [success] = successResponses(operation);
  return success === undefined ? 200 : Number(firstStatus(success.status));
}

/** The media type of a body: the one in its header, or else the declared one, JSON first. */
function mediaTypeOf({ headers = {} }: OverrideResponse, { content = [] }: Partial<Response> = {}): string {
  const { "content-type": own = "" } = withLowerCaseNames(headers);
  const declared = (jsonContent(content) ?? content[0])?.mediaType ?? "*/*";
  return readMediaType(own)?.toString() ?? (declared.includes("*") ? "application/json" : declared);
}

function withLowerCaseNames<T>(members: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name.toLowerCase(), value]));
}

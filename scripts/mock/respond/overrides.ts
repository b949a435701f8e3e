import { messageOf } from "../../contract/failures.ts";
import { countOf } from "../../contract/text.ts";
import { jsonContent, type Operation, type Response } from "../../contract/generation.ts";
import { selectResponse } from "../../contract/selectedResponse.ts";
import { contentOfType } from "../../spec/mediaTypes.ts";
import { responseOf, type SchemaObject } from "../../spec/openapi.ts";
import { withoutContent } from "../../spec/statusKeys.ts";
import type { OverrideResponse, OverrideRule, ReceivedRequest } from "../mockTypes.ts";
import { readMediaType } from "../../exchange/contentType.ts";
import { createParameterCheck } from "../../exchange/parameters.ts";
import type { Preferences } from "../response/preferences.ts";
import { readHeader } from "../response/describedResponse.ts";
import type { DescribedResponse, ResponseMaker, ResponseWishes } from "../response/describedResponse.ts";
import { isRefusal, type Refusal } from "../../exchange/refusal.ts";
import type { Secrets } from "../../exchange/secrets.ts";
import {
  checkCondition,
  checkValues,
  conditionSchema,
  describeMismatch,
  findMismatch,
  withLowerCaseNames,
} from "./conditions.ts";
import { createFormCheck, createRuleReader, violationAt, type RuleList, type RuleReader } from "./rules.ts";

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

export const overrideRules: RuleReader<OverrideRule> = createRuleReader(
  { when: conditionSchema, respond: {} },
  ["operation", "respond"],
  ({ operation: id, generation, when = {}, respond }, pointer, contract) => {
    const incomparable = checkValues(when, `${pointer}/when`);
    if (incomparable.length > 0) return incomparable;
    const operations = contract.generations
      .filter(({ name }) => name === (generation ?? name))
      .flatMap((one) => one.operations.filter(({ operationId }) => operationId === id));
    const unmet = operations.map((one) => checkCondition(when, `${pointer}/when`, one));
    if (unmet[0] !== undefined && unmet.every(({ length }) => length > 0)) return unmet[0];
    if (typeof respond === "function") return [];
    const wrong = operations.map((one) =>
      checkResponse(respond, `${pointer}/respond`, one, contract.prepare(one).responses),
    );
    return wrong.find(({ length }) => length > 0) ?? [];
  },
);

/** A valid request that an override may answer. */
interface OverridableRequest {
  readonly received: ReceivedRequest;
  readonly operation: Operation;
  /** Makes the operation's responses from the contract. */
  readonly responses: ResponseMaker;
  readonly wishes: ResponseWishes;
  readonly secrets: Secrets;
  /** Gets the reason why each override for the operation doesn't apply, unless one does. */
  readonly notes: string[];
}

/** The most overrides whose mismatch is noted. */
const notedMisses = 3;

/** Makes the response of the first matching override, or `undefined` if none matches. */
export async function applyOverride(
  { list, count }: RuleList<OverrideRule>,
  request: OverridableRequest,
): Promise<DescribedResponse | Refusal | undefined> {
  const { received, operation, responses, secrets } = request;
  const misses: string[] = [];
  for (const [index, rule] of list().entries()) {
    if (!isForOperation(rule, received)) continue;
    const { when = {}, respond } = rule;
    const mismatch = findMismatch(when, received);
    if (mismatch !== undefined) {
      misses.push(`override /${index} didn't match: ${describeMismatch(mismatch, secrets)}`);
      continue;
    }
    const isFunction = typeof respond === "function";
    const fail = (why: string): Refusal => ({ status: 500, detail: `Override /${index} ${why}` });
    let chosen: OverrideResponse | undefined;
    try {
      chosen = isFunction ? await respond(received) : respond;
    } catch (error) {
      return fail(`threw an error: ${messageOf(error)}`);
    }
    if (chosen === undefined) misses.push(`the function of override /${index} returned nothing`);
    if (chosen === undefined || !list().includes(rule)) continue;
    count(rule);
    const [wrong] = isFunction ? checkResponse(chosen, "/respond", operation, responses) : [];
    if (wrong !== undefined) return fail(`returned a wrong response. ${wrong.message}`);
    const response = await makeResponse(chosen, request);
    return isRefusal(response) ? response : { ...response, note: `override /${index} for ${rule.operation} applies` };
  }
  const rest = misses.length - notedMisses;
  request.notes.push(
    ...misses.slice(0, notedMisses),
    ...(rest > 0 ? [`${countOf(rest, "more override")} didn't match`] : []),
  );
  return undefined;
}

function isForOperation({ operation, generation }: OverrideRule, request: ReceivedRequest): boolean {
  return operation === request.operation && (generation ?? request.generation) === request.generation;
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
  return status ?? Number(selectResponse(operation, undefined)?.status ?? 200);
}

/** The media type of a body: the one in its header, or else the declared one, JSON first. */
function mediaTypeOf({ headers = {} }: OverrideResponse, { content = [] }: Partial<Response> = {}): string {
  const { "content-type": own = "" } = withLowerCaseNames(headers);
  const declared = (jsonContent(content) ?? content[0])?.mediaType ?? "*/*";
  return readMediaType(own)?.toString() ?? (declared.includes("*") ? "application/json" : declared);
}

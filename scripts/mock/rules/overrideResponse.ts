import { jsonContent, type MediaType, type Operation, type Response } from "../../contract/generation.ts";
import { selectResponse } from "../../contract/selectedResponse.ts";
import { mergePatch } from "../../values/json.ts";
import { contentOfType } from "../../spec/mediaTypes.ts";
import { responseOf, type SchemaObject } from "../../spec/openapi.ts";
import type { OverrideResponse, ReceivedRequest } from "../mockTypes.ts";
import { readMediaType } from "../../exchange/contentType.ts";
import { createParameterCheck } from "../../exchange/parameters.ts";
import type { Preferences } from "../content/preferences.ts";
import { isToken } from "../../spec/headerFields.ts";
import { maskAndCut } from "../../exchange/secrets.ts";
import { withoutContent } from "../../spec/statusKeys.ts";
import {
  readHeader,
  type DescribedResponse,
  type ResponseMaker,
  type PreferredResponse,
} from "../content/describedResponse.ts";
import { isRefusal, type Refusal } from "../../exchange/refusal.ts";
import type { FoundViolation } from "../../exchange/requestViolation.ts";
import { withLowerCaseNames } from "./conditions.ts";
import { copiesRequest, expressionViolations, fillFromRequest } from "./requestValues.ts";
import { createFormCheck, violationAt } from "./rules.ts";

/** A valid request that an override may answer. */
export interface OverridableRequest {
  readonly received: ReceivedRequest;
  readonly operation: Operation;
  /** Makes the operation's responses from the contract. */
  readonly responses: ResponseMaker;
  readonly wishes: PreferredResponse;
  /** Responds as the mock does without the override: the request takes effect. */
  readonly respondItself: () => Promise<DescribedResponse | Refusal>;
}

const checkForm = createFormCheck({
  type: "object",
  additionalProperties: false,
  properties: {
    status: { type: "integer", minimum: 200, maximum: 599 },
    headers: { type: "object", additionalProperties: { type: "string", pattern: "^[\\t -~\\x80-\\xff]*$" } },
    body: {},
    patch: {},
    example: { type: "string" },
    unchecked: { type: "boolean" },
  } satisfies Record<keyof OverrideResponse, SchemaObject>,
});

/**
 * Finds the violations in the response of an override, which is at `pointer` in the rule. A body with values
 * of the request is checked when the request is known: see {@link makeOverrideResponse}.
 */
export function checkOverrideResponse(
  chosen: OverrideResponse,
  pointer: string,
  operation: Operation,
  responses: ResponseMaker,
): readonly FoundViolation[] {
  const { body, patch, headers, unchecked = false } = chosen;
  const malformed = checkForm(chosen, pointer);
  if (malformed.length > 0) return malformed;
  const misnamed = Object.keys(headers ?? {}).find((name) => !isToken(name));
  if (misnamed !== undefined) {
    const message = `${pointer}/headers: ${JSON.stringify(maskAndCut(misnamed))} can't be the name of a header.`;
    return [violationAt(`${pointer}/headers`, message)];
  }
  if (body !== undefined && patch !== undefined)
    return [violationAt(pointer, `${pointer} must have either a body or a patch.`)];
  const copied = Object.entries({ headers, body, patch }).flatMap(([name, value]) =>
    expressionViolations(value, `${pointer}/${name}`, operation),
  );
  if (copied.length > 0 || unchecked) return copied;
  const unmet = responses.unmet(preferencesOf(chosen));
  if (unmet !== undefined) {
    const { preference, rule, expected } = unmet;
    return [violationAt(pointer, `${pointer}: ${preference} cannot be met: ${rule}.`, expected)];
  }
  const declared = responseOf(operation.responses, statusOf(chosen, operation));
  if (declared === undefined) return [];
  const place = `${pointer}/headers`;
  const wrong = checkHeaders(chosen, declared, operation).violations.map(({ message, expected }) =>
    violationAt(place, `${place}: ${message}`, expected),
  );
  return [...wrong, ...checkContent(chosen, pointer, operation, declared)];
}

function checkContent(chosen: OverrideResponse, pointer: string, { document }: Operation, declared: Response) {
  const { body, patch, example } = chosen;
  const name = patch === undefined ? "body" : "patch";
  const value = body ?? patch;
  if (value === undefined) return [];
  const mediaType = mediaTypeOf(chosen, declared);
  const content = contentOfType(declared.content, mediaType);
  const place = `${pointer}/${name}`;
  if (content === undefined) {
    const types = declared.content.map((one) => one.mediaType).join(" or ");
    const message = `${place}: The ${declared.status} response has ${types || "no content"}, not ${mediaType}.`;
    return [violationAt(place, message)];
  }
  if (copiesRequest(value)) return [];
  const check = createFormCheck(content.schema, document, "writeOnly");
  return patch === undefined ? check(value, place) : checkPatch(patch, place, examplesOf(content, example), check);
}

/** A patch must be valid in at least one example. If there is none, it's checked when a request is known. */
function checkPatch(
  patch: unknown,
  pointer: string,
  examples: readonly unknown[],
  check: ReturnType<typeof createFormCheck>,
): readonly FoundViolation[] {
  const valid = examples.filter((example) => check(example, "").length === 0);
  const found = valid.map((example) => check(mergePatch(example, patch, "replace"), pointer));
  return found.every(({ length }) => length > 0) ? (found[0] ?? []) : [];
}

function examplesOf({ examples }: MediaType, name: string | undefined): readonly unknown[] {
  return examples.filter((example) => example.name === (name ?? example.name)).map(({ value }) => value);
}

function checkHeaders({ headers = {}, body }: OverrideResponse, declared: Response, operation: Operation) {
  const fixed = Object.entries(headers).filter(([, value]) => !copiesRequest(value));
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const parameters = declared.headers.map((header) => ({
    ...header,
    in: "header",
    // Without a body, the response has the headers of the contract's example.
    required: header.required && body !== undefined && !names.has(header.name.toLowerCase()),
  }));
  const check = createParameterCheck({ ...operation, parameters });
  return check({ path: {}, query: {}, header: withLowerCaseNames(Object.fromEntries(fixed)) });
}

/**
 * Makes the response that an override chooses. Resolves to a refusal, or to what continues a sentence about
 * the override, if that response violates the contract.
 */
export async function makeOverrideResponse(
  chosen: OverrideResponse,
  request: OverridableRequest,
): Promise<DescribedResponse | Refusal | string> {
  const { received, operation } = request;
  const fill = (value: unknown) => fillFromRequest(value, received, operation);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(chosen.headers ?? {}))
    Object.assign(headers, readHeader(name, fill(value)));
  const made = await makeUnpatched(chosen, request, fill);
  if (isRefusal(made)) return made;
  const response = { ...made, headers: { ...made.headers, ...headers } };
  const { body, patch, unchecked = false } = chosen;
  const value = patch === undefined ? made.value : mergePatch(made.value, fill(patch), "replace");
  const isChecked = !unchecked && (patch !== undefined || copiesRequest(body));
  const [violation] = isChecked ? violationsIn({ ...response, value }, operation) : [];
  return violation === undefined
    ? { ...response, value }
    : `makes a response that violates the contract. ${violation.message}`;
}

function violationsIn({ status, mediaType = "", value }: DescribedResponse, { document, responses }: Operation) {
  const content = contentOfType(responseOf(responses, status)?.content ?? [], mediaType);
  if (content === undefined) return [violationAt("", `The ${status} response has no content to patch.`)];
  return createFormCheck(content.schema, document, "writeOnly")(value, "/body");
}

async function makeUnpatched(
  chosen: OverrideResponse,
  { operation, responses, wishes, respondItself }: OverridableRequest,
  fill: (value: unknown) => unknown,
): Promise<DescribedResponse | Refusal> {
  const { body, patch, example, unchecked = false } = chosen;
  const status = statusOf(chosen, operation);
  if (body !== undefined) {
    const mediaType = mediaTypeOf(chosen, responseOf(operation.responses, status));
    const sent = withoutContent.has(status) ? undefined : mediaType;
    return { status, headers: {}, mediaType: sent, value: fill(body) };
  }
  if (patch !== undefined && chosen.status === undefined && example === undefined) return respondItself();
  const dynamic = wishes.dynamic && example === undefined;
  const described = await responses.describe({ ...wishes, dynamic, preferences: preferencesOf(chosen) });
  const isBare = isRefusal(described) && unchecked;
  return isBare ? { status, headers: {}, mediaType: undefined, value: undefined } : described;
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

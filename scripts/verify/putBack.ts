/* Restores a changed resource to the state that was read before. */
import { isUtf8 } from "node:buffer";
import { jsonContent, type Operation } from "../contract/generation.ts";
import { equalJson, isObject, membersOf, parseJson, valueAt } from "../spec/json.ts";
import { essenceOf, isForm, isJson } from "../spec/mediaTypes.ts";
import { describingSchemas, isVisible, propertySchemas } from "../spec/schemas.ts";
import { joinFields, type Exchange } from "../exchange/exchange.ts";
import { sentContent } from "../samples/exampleRequest.ts";
import { filesIn } from "../samples/sampleFiles.ts";
import type { PlannedCall } from "./planCalls.ts";

/** Checks whether a call can restore what a response shows: a success with JSON, or with a body that a PUT replaces. */
export function isReadable(planned: PlannedCall, exchange: Exchange): boolean {
  const { status = 0 } = exchange.response ?? {};
  const isBodyKnown = bodyOf(exchange.response) !== undefined || wholeBody(planned, exchange) !== undefined;
  return status >= 200 && status < 300 && isBodyKnown;
}

/** Checks whether two responses have the same bytes as bodies. */
export function isSameBody(one: Exchange, other: Exchange): boolean {
  return Buffer.from(one.response?.body ?? []).equals(Buffer.from(other.response?.body ?? []));
}

/**
 * The body that restores a resource. For PUT, it contains all earlier properties that the operation accepts, or the whole
 * list, text or file. For PATCH, it contains required properties and changed ones. `undefined` if nothing that the
 * operation accepts differs.
 */
export function bodyToPutBack(planned: PlannedCall, before: Exchange, after: Exchange): unknown {
  const whole = wholeBody(planned, before);
  if (whole !== undefined) return isSameBody(before, after) ? undefined : whole;
  const { operation, reading } = planned;
  const names = takenNames(operation);
  const [was, is] = [before, after].map((exchange) => resourceIn(reading, exchange));
  const taken = membersOf(was).filter(([name]) => names.has(name));
  const differing = taken.filter(([name, value]) => !equalJson(valueAt(is, [name]), value));
  if (differing.length === 0) return undefined;
  const required = operation.method === "put" ? names : requiredIn(operation);
  return Object.fromEntries(taken.filter((one) => differing.includes(one) || required.has(one[0])));
}

/** The names of the properties that differ between two responses: `name, slug`. */
export function describeDifference({ reading }: PlannedCall, before: Exchange, after: Exchange): string {
  const [was, is] = [before, after].map((exchange) => resourceIn(reading, exchange));
  const names = new Set([was, is].flatMap((value) => membersOf(value).map(([name]) => name)));
  const differing = [...names].filter((name) => !equalJson(valueAt(was, [name]), valueAt(is, [name])));
  return differing.join(", ") || "the response";
}

/** The list, text or file in a response that the body of a PUT replaces as a whole. `undefined` if there is none. */
function wholeBody({ operation }: PlannedCall, { response }: Exchange): unknown {
  const content = sentContent(operation);
  if (operation.method !== "put" || content === undefined || response === undefined) return undefined;
  const essence = essenceOf(content.mediaType);
  const received = essenceOf(joinFields(response.headers)["content-type"] ?? "");
  if (isForm(essence) || received !== essence) return undefined;
  const bytes = Buffer.from(response.body ?? []);
  if (filesIn(operation, content)[""] !== undefined) return new Blob([bytes]);
  if (!isJson(essence)) return isUtf8(bytes) ? bytes.toString() : undefined;
  const value = bodyOf(response);
  return Array.isArray(value) ? value : undefined;
}

/** The names of the properties that an operation accepts. */
function takenNames({ document, requestBody }: Operation): ReadonlySet<string> {
  const properties = propertySchemas(document, jsonContent(requestBody?.content)?.schema ?? {});
  return new Set([...properties].filter(([, schema]) => isVisible(document, schema, "request")).map(([name]) => name));
}

function requiredIn({ document, requestBody }: Operation): ReadonlySet<string> {
  const schemas = describingSchemas(document, jsonContent(requestBody?.content)?.schema ?? {});
  return new Set(schemas.flatMap(({ required }) => required ?? []));
}

/** The resource in the response of a call that reads it. `undefined` if the response has none. */
function resourceIn(reading: PlannedCall["reading"], { response }: Pick<Exchange, "response">): unknown {
  const resource = valueAt(bodyOf(response), reading?.resource?.view?.location ?? []);
  return isObject(resource) ? resource : undefined;
}

function bodyOf(response: Exchange["response"]): unknown {
  return parseJson(Buffer.from(response?.body ?? []).toString());
}

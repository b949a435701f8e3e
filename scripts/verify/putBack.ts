/* Restores a changed resource to the state that was read before. */
import { jsonContent, type Operation } from "../contract/generation.ts";
import { equalJson, isObject, membersOf, parseJson, valueAt } from "../spec/json.ts";
import { describingSchemas, isVisible, propertySchemas } from "../spec/schemas.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { PlannedCall } from "./planCalls.ts";

/** Checks whether a response can be restored: a success with JSON. */
export function isReadable({ response }: Exchange): boolean {
  return response !== undefined && response.status >= 200 && response.status < 300 && bodyOf(response) !== undefined;
}

/** Checks whether two responses have the same bytes as bodies. */
export function isSameBody(one: Exchange, other: Exchange): boolean {
  return Buffer.from(one.response?.body ?? []).equals(Buffer.from(other.response?.body ?? []));
}

/**
 * The body that restores a resource. For PUT, it contains all earlier properties that the operation accepts. For PATCH,
 * it contains required properties and changed ones. `undefined` if no accepted property differs.
 */
export function bodyToPutBack(
  { operation, reading }: PlannedCall,
  before: Exchange,
  after: Exchange,
): Readonly<Record<string, unknown>> | undefined {
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

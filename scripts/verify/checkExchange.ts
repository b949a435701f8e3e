import { serverUrl, type Generation, type Operation } from "../contract/generation.ts";
import { readResources, resourcesIn, type View } from "../contract/resources.ts";
import { isAuthorized } from "../exchange/authentication.ts";
import { readTarget } from "../exchange/requestTarget.ts";
import { findRoute, indexRoutes } from "../exchange/routes.ts";
import { isRefusal } from "../exchange/refusal.ts";
import { shorten } from "../exchange/secrets.ts";
import { unspecifiedOf } from "../spec/openapi.ts";
import { checkResponse } from "../exchange/checkResponse.ts";
import type { CheckContext, DescribedBody, ResponseNews } from "../exchange/checkResponse.ts";
import { describeBody, pointerOf, pointerTo } from "../exchange/describedValues.ts";
import { joinFields, type Exchange } from "../exchange/exchange.ts";
import { createRequestCheck } from "./checkRequest.ts";
import { createDoubtCheck } from "./doubts.ts";
import type { Observation, Observe } from "./observation.ts";
import { printable } from "./printable.ts";
import { shapeOfValue } from "./shapes.ts";
import { createKnownCheck, describeValue, unlistedValues } from "./unlistedValues.ts";

/** A generation, and the base URL of the server that it is at: without one, it may be at any. */
export interface VerifiedGeneration {
  readonly generation: Generation;
  readonly server: string | undefined;
}

/** An exchange with a response, and who is told what it shows. */
export interface VerifiedExchange extends CheckContext {
  readonly observe: Observe;
}

const serverFailed = "the server failed with an error";

/** What the news of a response is for the contract that is verified. */
const kinds: Readonly<Record<ResponseNews, Observation["kind"]>> = {
  violation: "contradiction",
  unlisted: "news",
  gap: "evidence",
  unchecked: "untested",
};

/**
 * Makes a function that holds exchanges against a generation. It gives what an exchange tells, its operation, which is
 * `undefined` if the contract does not have it, and whether all that came was an empty list; nothing for exchanges with
 * something else.
 * `isComplete`: requests are as they were sent; recorded ones often lack their credentials.
 */
export function createExchangeCheck({ generation, server }: VerifiedGeneration, isComplete: boolean) {
  const routes = indexRoutes([generation]);
  const resources = readResources([generation]);
  const isKnown = createKnownCheck(generation);
  const checkRequest = createRequestCheck(
    new Set([...generation.securitySchemes.values()].map(({ parameter }) => parameter)),
  );
  const base = server ?? new URL(serverUrl(generation.document)).pathname.replace(/\/$/, "");
  const checkDoubts = createDoubtCheck(generation, resources, isComplete);
  const [prefix, ...others] = new Set(generation.operations.map(({ path }) => path.split("/")[1]));

  return (exchange: Exchange) => {
    const { method, response, failure = "no response came" } = exchange;
    const { origin, pathname, search } = new URL(exchange.url);
    const address = `${server === undefined ? "" : origin}${pathname}`;
    const target = address.startsWith(`${base}/`) ? readTarget(address.slice(base.length) + search) : undefined;
    if (target === undefined || isRefusal(target)) return undefined;
    const observations: Observation[] = [];
    const found = findRoute(routes, target.segments, method.toLowerCase());
    const route = found === undefined || "others" in found ? undefined : found;
    const operation = route?.operation;
    const name = printable(operation?.name ?? `${method} ${shorten(target.path)}`);
    const observe: Observe = (kind, place, message, received) => {
      const { text, shape } = typeof received === "object" ? received : { text: received, shape: undefined };
      const shown = text === undefined ? text : printable(shorten(String(text), 300));
      const common = { kind, generation: generation.name, operation: name, place, exchange };
      observations.push({ ...common, message: printable(message), received: shown, shape });
    };
    if (route === undefined || operation === undefined) {
      // Of another method than the path has, too.
      if (found !== undefined && (response?.status ?? 0) >= 500) {
        observe("server error", "/paths", serverFailed, response?.status);
        return { operation, observations };
      }
      // Where all paths begin alike, another beginning is that of something else.
      const isOther = others.length === 0 && target.segments[0] !== prefix;
      if (isOther || method === "OPTIONS" || response === undefined || response.status >= 300) return undefined;
      observe("news", "/paths", "the contract does not have this operation");
      return { operation, observations };
    }
    if (response === undefined) {
      observe("untested", pointerTo(operation), failure);
      return { operation, observations };
    }
    // Of a declared failure too, nobody can make use (RFC 9110, section 15.6).
    if (response.status >= 500)
      observe("server error", pointerTo(operation, "responses"), serverFailed, response.status);
    const isSuccess = response.status >= 200 && response.status < 300;
    const tell: CheckContext["tell"] = (kind, ...news) => {
      observe(kinds[kind], ...news);
    };
    const context: VerifiedExchange = {
      ...{ operation, exchange, query: target.query, requestFields: joinFields(exchange.request.headers) },
      ...{ response, responseFields: joinFields(response.headers), isSuccess, tell, observe },
    };
    if (isComplete) checkCredentials(context);
    if (isSuccess) checkRequest(context, route.parameters);
    const json = checkResponse(context);
    const fields = json === undefined ? [] : checkValues(context, json, isKnown);
    observations.push(...checkDoubts(context, route.parameters, json, observations));
    const isEmptyList = isSuccess && countItems(resources.get(operation)?.view, json?.value) === 0;
    return { operation, observations, isEmptyList, fields };
  };
}

/** The number of items in the body of an operation that lists something; `undefined` of another body. */
function countItems(view: View | undefined, value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length;
  return view?.isList === true && value !== undefined ? resourcesIn(value, view).length : undefined;
}

function checkCredentials({ operation, requestFields, query, response, isSuccess, observe }: VerifiedExchange): void {
  const alternatives = operation.security.filter((schemes) => schemes.length > 0);
  const isEnough = (security: Operation["security"]) => isAuthorized({ ...operation, security }, requestFields, query);
  if (isEnough(alternatives)) return;
  const place = pointerTo(operation, "security");
  if (alternatives.length < operation.security.length) {
    const answer = isSuccess ? "accepted" : `refused with ${response.status}`;
    observe("evidence", place, "a call without credentials was", answer);
  } else if (isSuccess) {
    const names = alternatives.flat().flatMap((scheme) => (isEnough([[scheme]]) ? [scheme.name] : []));
    const sent = names.length === 0 ? "without any" : `with ${[...new Set(names)].join(" and ")} alone`;
    observe("contradiction", place, "credentials are required", `${response.status} ${sent}`);
  }
}

/** Tells what is in a body that the contract leaves open. Gives JSON Pointers to what it describes there. */
function checkValues(
  { operation: { document }, observe }: VerifiedExchange,
  { value, schema, violated }: DescribedBody,
  isKnown: ReturnType<typeof createKnownCheck>,
): ReadonlySet<string> {
  const fields = new Set<string>();
  for (const one of describeBody(document, value, schema)) {
    fields.add(one.path);
    // What else could be said of a value has the cause that was told.
    if (violated.has(one.path)) continue;
    for (const unlisted of unlistedValues(document, one).filter((found) => !isKnown(found)))
      observe("news", unlisted.place, unlisted.message, receivedOf(unlisted));
    const gap = one.schemas.find((part) => unspecifiedOf(part).length > 0);
    if (gap === undefined) continue;
    const subject = `${one.path === "" ? "the body" : one.path} (${unspecifiedOf(gap).join(", ")})`;
    const text = describeValue(one);
    const isOpen = Object.keys(gap).every((keyword) => keyword === "x-unspecified");
    const received = isOpen ? { text, shape: shapeOfValue(one.value) } : text;
    observe("evidence", pointerOf(document, gap), `${subject} was`, received);
  }
  return fields;
}

/** What came in the place of something that is not listed, with the form of what could be. */
function receivedOf({ received: text, property }: ReturnType<typeof unlistedValues>[number]) {
  return property === undefined ? text : { text, shape: shapeOfValue(property) };
}

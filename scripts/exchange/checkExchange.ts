import { serverUrl, type Generation, type Operation } from "../contract/generation.ts";
import type { SecurityScheme } from "../contract/security.ts";
import { readResources, resourcesIn, type View } from "../contract/resources.ts";
import { escapeControls, withoutEnd } from "../values/text.ts";
import { isAuthorized } from "./authentication.ts";
import { readTarget, type Target } from "./requestTarget.ts";
import { findRoute, indexRoutes } from "./routes.ts";
import { isRefusal } from "./refusal.ts";
import { secretsOf, maskAndCut } from "./secrets.ts";
import { unspecifiedOf } from "../spec/openapi.ts";
import { checkResponse, type CheckContext, type DescribedBody } from "./checkResponse.ts";
import type { ResponseFactKind } from "./judgeResponse.ts";
import { pointerTo } from "../contract/operationPointer.ts";
import { describeBody, pointerOf } from "./describedValues.ts";
import { hideCredentials, joinFields, type Exchange } from "./exchange.ts";
import { createRequestCheck } from "./checkRequest.ts";
import {
  credentialsRequired,
  isUnanswered,
  serverFailed,
  unanswered,
  type Observation,
  type Observe,
  type VerifiedExchange,
} from "./observation.ts";
import { shapeOfValue } from "./shapes.ts";
import { describeReceived } from "./describeValue.ts";
import { createKnownCheck, unlistedFact, unlistedValues } from "./unlistedValues.ts";

/** A generation, and the base URL of its server. Without one, it may be on any server. */
export interface VerifiedGeneration {
  readonly generation: Generation;
  readonly server: string | undefined;
  /** The user's credentials, by the names of their schemes. */
  readonly credentials?: ReadonlyMap<string, SecurityScheme>;
}

/** The kinds of findings for the results of checking a response. */
const kinds: Readonly<Record<ResponseFactKind, Observation["kind"]>> = {
  violation: "contradiction",
  absence: "doubt",
  unlisted: "unlisted",
  gap: "gap",
  unchecked: "untested",
};

/** The result of checking an exchange. */
interface CheckedExchange {
  /** `undefined` if the contract doesn't have it. */
  readonly operation: Operation | undefined;
  readonly observations: readonly Observation[];
  /** True if the response succeeded with an empty list. */
  readonly isEmptyList?: boolean;
  /** JSON Pointers to the described values in the body of the response. */
  readonly fields?: Iterable<string>;
}

/**
 * Finds doubts about an exchange. `path`: the values of path parameters. `json`: the body, if it is described. `told`: the
 * earlier observations.
 */
export type CheckDoubts = (
  context: VerifiedExchange,
  path: Readonly<Record<string, string>>,
  json: DescribedBody | undefined,
  told: readonly Observation[],
) => readonly Observation[];

/**
 * Makes a function that checks an exchange against a generation. The function returns `undefined` if the exchange isn't
 * with the API. `isComplete`: requests are as they were sent. Recorded requests often lack their credentials. Without
 * `checkDoubts`, what the contract allows isn't doubted.
 */
export function createExchangeCheck(
  source: VerifiedGeneration,
  isComplete: boolean,
  checkDoubts: CheckDoubts = () => [],
) {
  const { generation } = source;
  const routes = indexRoutes([generation]);
  const check = createRouteCheck(generation, isComplete, checkDoubts);
  const readAddress = createAddressReader(source);
  const secrets = secretsOf([generation]);
  const [prefix, ...others] = new Set(generation.operations.map(({ path }) => path.split("/")[1]));

  return (exchange: Exchange): CheckedExchange | undefined => {
    const { method, response } = exchange;
    const target = readAddress(exchange.url);
    if (target === undefined) return undefined;
    const found = findRoute(routes, target.segments, method.toLowerCase());
    const route = found === undefined || "others" in found ? undefined : found;
    const name = route?.operation.name ?? `${method} ${maskAndCut(target.path)}`;
    const { observations, observe } = observer(generation, name, exchange, hideCredentials(exchange, secrets));
    if (route !== undefined) return check(exchange, { ...route, query: target.query }, observations, observe);
    // The path may exist with other methods.
    if (found !== undefined && (response?.status ?? 0) >= 500) {
      observe("server error", "/paths", { ...serverFailed, received: response?.status });
      return { operation: undefined, observations };
    }
    // If all paths begin with the same segment, a path with another one isn't part of the API.
    const isOther = others.length === 0 && target.segments[0] !== prefix;
    if (isOther || method === "OPTIONS" || response === undefined || response.status >= 300) return undefined;
    observe("unlisted", "/paths", { code: "operation", message: "the contract doesn't have this operation" });
    return { operation: undefined, observations };
  };
}

/** Makes a function that reads the path and query of a URL. It returns `undefined` for a URL outside of the API. */
function createAddressReader({ generation, server }: VerifiedGeneration) {
  const base = server ?? withoutEnd(new URL(serverUrl(generation.document)).pathname, "/");
  return (url: string): Target | undefined => {
    const { origin, pathname, search } = new URL(url);
    const address = `${server === undefined ? "" : origin}${pathname}`;
    const target = address.startsWith(`${base}/`) ? readTarget(address.slice(base.length) + search) : undefined;
    return target === undefined || isRefusal(target) ? undefined : target;
  };
}

/**
 * Returns a function that records observations about an exchange, and their list. `hide` masks its credentials. It comes
 * first, because `shorten` may mask a part of one.
 */
function observer(generation: Generation, name: string, exchange: Exchange, hide: (text: string) => string) {
  const observations: Observation[] = [];
  const operation = escapeControls(name);
  const observe: Observe = (kind, place, { message, received: came, ...fact }) => {
    const received = came === undefined ? came : escapeControls(maskAndCut(hide(String(came)), 300));
    const common = { kind, generation: generation.name, operation, place, exchange };
    observations.push({ ...common, ...fact, message: escapeControls(message), received });
  };
  return { observations, observe };
}

/** The operation of an exchange, with the values of its path parameters and its query. */
interface Route {
  readonly operation: Operation;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Target["query"];
}

/** Makes a function that checks an exchange with an operation of a generation. */
function createRouteCheck(generation: Generation, isComplete: boolean, checkDoubts: CheckDoubts) {
  const resources = readResources([generation]);
  const isKnown = createKnownCheck(generation);
  const credentials = [...generation.securitySchemes.values()].map(({ parameter }) => parameter);
  const checkRequest = createRequestCheck(new Set(credentials));

  return (exchange: Exchange, route: Route, observations: Observation[], observe: Observe): CheckedExchange => {
    const { operation, parameters, query } = route;
    const { response, failure = "there was no response" } = exchange;
    if (response === undefined) {
      if (isComplete && isUnanswered(exchange))
        observe("server error", pointerTo(operation), { ...unanswered, received: failure });
      else observe("untested", pointerTo(operation), { code: unanswered.code, message: failure });
      return { operation, observations };
    }
    // Even if the contract declares the failure, clients can't use it (RFC 9110, section 15.6).
    if (response.status >= 500)
      observe("server error", pointerTo(operation, "responses"), { ...serverFailed, received: response.status });
    const isSuccess = response.status >= 200 && response.status < 300;
    const tell: CheckContext["tell"] = (kind, place, { code, expected, message, received }) => {
      observe(kinds[kind], place, { code, direction: "response", expected, message, received });
    };
    const context: VerifiedExchange = {
      ...{ operation, exchange, query, requestFields: joinFields(exchange.request.headers) },
      ...{ response, responseFields: joinFields(response.headers), isSuccess, tell, observe },
    };
    if (isComplete) checkCredentials(context);
    if (isSuccess) checkRequest(context, parameters);
    const json = checkResponse(context);
    const fields = json === undefined ? [] : checkValues(context, json, isKnown);
    observations.push(...checkDoubts(context, parameters, json, observations));
    const isEmptyList = isSuccess && countItems(resources.get(operation)?.view, json?.value) === 0;
    return { operation, observations, isEmptyList, fields };
  };
}

/** The number of items in the response of a list operation. `undefined` for other bodies. */
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
    const received = isSuccess ? "accepted" : `rejected with ${response.status}`;
    observe("gap", place, { code: "optional-credentials", message: "a call without credentials was", received });
  } else if (isSuccess) {
    const names = alternatives.flat().flatMap((scheme) => (isEnough([[scheme]]) ? [scheme.name] : []));
    const sent = names.length === 0 ? "without any" : `with ${[...new Set(names)].join(" and ")} alone`;
    observe("contradiction", place, { ...credentialsRequired, received: `${response.status} ${sent}` });
  }
}

/** Observes values in a body that the contract leaves open. Returns JSON Pointers to the described values. */
function checkValues(
  { operation: { document }, observe }: VerifiedExchange,
  { value, schema, violated }: DescribedBody,
  isKnown: ReturnType<typeof createKnownCheck>,
): ReadonlySet<string> {
  const fields = new Set<string>();
  for (const one of describeBody(document, value, schema)) {
    fields.add(one.path);
    // A violation explains everything else about the value.
    if (violated.has(one.path)) continue;
    for (const unlisted of unlistedValues(document, one).filter((found) => !isKnown(found)))
      observe(unlisted.isSecret === true ? "doubt" : "unlisted", unlisted.place, unlistedFact(unlisted, "response"));
    const gap = one.schemas.find((part) => unspecifiedOf(part).length > 0);
    if (gap === undefined) continue;
    const subject = `${one.path === "" ? "the body" : one.path} (${unspecifiedOf(gap).join(", ")})`;
    const received = describeReceived(document, one);
    const isOpen = Object.keys(gap).every((keyword) => keyword === "x-unspecified");
    const shape = isOpen ? shapeOfValue(one.value) : undefined;
    const fact = { code: "x-unspecified", direction: "response", message: `${subject} was`, received, shape } as const;
    observe("gap", pointerOf(document, gap), fact);
  }
  return fields;
}

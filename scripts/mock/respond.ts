import { resolveSchema } from "../spec/references.ts";
import type { Operation } from "../contract/generation.ts";
import { readDelay } from "./faultRules.ts";
import type { Faults } from "./faults.ts";
import { isAuthorized, refuseCredentials } from "./request/authentication.ts";
import type { BodyLimits, Headers, MockRequest } from "./request/mockRequest.ts";
import { readPreferences } from "./request/preferences.ts";
import { readTarget, type Target } from "./request/requestTarget.ts";
import { findRoute, type FoundRoute } from "./request/routes.ts";
import { allowedMethods, methodOf, refuseMethod, refusePath } from "./request/unknownRoute.ts";
import { noContent, writeAnswer, type Answer } from "./response/answer.ts";
import type { DescribedResponse, ResponseWishes } from "./response/describedResponse.ts";
import { answerFault, withFault } from "./response/injectedFault.ts";
import { isRefusal, refuseContent, type Refusal } from "./response/refusal.ts";
import { unmetDelay } from "./response/unmetPreferences.ts";
import type { ServedContract } from "./servedContract.ts";
import { respondFromState, type Store } from "./state/statefulResponse.ts";

export interface ResponderOptions {
  readonly limits: BodyLimits;
  /** Generate responses from schemas at random, unless a request's `Prefer` says otherwise. */
  readonly dynamic: boolean;
  /** Where requests take effect; nowhere without it. */
  readonly store: Store | undefined;
  /** The seed of random responses, unless a request's `Prefer` names another. */
  readonly seed: string | undefined;
  readonly faults: Faults;
}

/** Answers a request; `undefined` if the client went away before its body ended. */
export async function respond(
  request: MockRequest,
  contract: ServedContract,
  options: ResponderOptions,
): Promise<Answer | Refusal | undefined> {
  const { method, headers } = request;
  if (isPreflight(request) || (method === "OPTIONS" && request.target === "*")) return noContent();
  const target = readTarget(request.target);
  if (isRefusal(target)) return target;
  const route = findRoute(contract.routes, target.segments, method.toLowerCase());
  if (route === undefined) return refusePath(contract.operations, target);
  if ("others" in route) {
    const { others } = route;
    return method === "OPTIONS"
      ? noContent({ allow: allowedMethods(others.map(methodOf)) })
      : refuseMethod(method, others);
  }
  const preferences = readPreferences(headers["prefer"], target.query);
  const wishes = {
    preferences,
    accept: headers["accept"] ?? "",
    dynamic: preferences.dynamic === undefined ? options.dynamic : preferences.dynamic === "true",
    seed: preferences.seed ?? options.seed,
  };
  const fault = options.faults.next(route.operation, route.generation);
  const answer =
    fault.status === undefined
      ? await answerOperation(request, target, route, wishes, contract, options)
      : await answerFault(fault, fault.status, contract.prepare(route.operation).responses, wishes);
  return answer === undefined ? undefined : withFault(answer, fault, readDelay(preferences.delay ?? ""));
}

async function answerOperation(
  request: MockRequest,
  { query }: Target,
  { operation, parameters }: FoundRoute,
  wishes: ResponseWishes,
  contract: ServedContract,
  { limits, store, dynamic }: ResponderOptions,
): Promise<Answer | Refusal | undefined> {
  const { method, headers } = request;
  if (!isAuthorized(operation, headers, query)) return refuseCredentials(operation, headers, query);
  const { checkBody, checkParameters, responses } = contract.prepare(operation);
  const body = await checkBody(request, limits);
  if (body === undefined || isRefusal(body)) return body;
  const violations = [
    ...checkParameters({ path: parameters, query, header: headers }),
    ...body.violations,
    ...unmetDelay(wishes.preferences),
  ];
  if (violations.length > 0) return refuseContent(violations);
  const example = await responses.describe(wishes);
  const resource = contract.resources().get(operation);
  const { code, example: named, dynamic: preferred } = wishes.preferences;
  const asksForExample = dynamic || [code, named, preferred].some((preference) => preference !== undefined);
  if (isRefusal(example) || store === undefined || resource === undefined || asksForExample) return write(example);
  const path = readNumbers(operation, parameters);
  const effect = { operation, resource, request: { method, path, query, headers, body: body.value } };
  const response = respondFromState(store, effect, example);
  if (response !== "deleted") return write(response);
  return write(await responses.describe({ ...wishes, preferences: { code: "404" } }));
}

function write(response: DescribedResponse | Refusal): Answer | Refusal | Promise<Answer> {
  return isRefusal(response) ? response : writeAnswer(response);
}

/** The parameters of a path, with each number in its shortest form: `7.0` names the same resource as `7`. */
function readNumbers({ document, parameters }: Operation, values: Headers): Headers {
  const isNumber = (name: string) => {
    const schema = parameters.find((parameter) => parameter.in === "path" && parameter.name === name)?.schema;
    const types = schema === undefined ? [] : [resolveSchema(document, schema).type].flat();
    return types.includes("number") || types.includes("integer");
  };
  const shortest = (value: string) =>
    Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER ? String(Number(value)) : value;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isNumber(name) ? shortest(value) : value]),
  );
}

function isPreflight({ method, headers }: MockRequest): boolean {
  return (
    method === "OPTIONS" && headers["origin"] !== undefined && headers["access-control-request-method"] !== undefined
  );
}

import type { IncomingMessage } from "node:http";
import { chooseContent, hasBody, isValidated, parseBody, readBody, type BodyLimits } from "./body.ts";
import type { Contract, PreparedOperation } from "./contract.ts";
import { refuseCredentials } from "./credentials.ts";
import * as engine from "./engine.ts";
import { nearestRoutes } from "./nearest.ts";
import { readPreferences, type Preferences } from "./preferences.ts";
import { answerRefusal, isRefusal, refusalOf, shorten, type Answer, type Refusal, type Violation } from "./problem.ts";
import { concreteTypes, mediaRanges, renderResponse } from "./render.ts";
import { findRoute, type Route } from "./routes.ts";
import { readTarget, type Target } from "./target.ts";
import { bodyViolations, parameterViolations, shortenLists } from "./violations.ts";

export interface ResponderOptions {
  readonly limits: BodyLimits;
  /** Generate responses from schemas at random, unless a request's `Prefer` says otherwise. */
  readonly dynamic: boolean;
  /** The seed of random responses, unless a request's `Prefer` names another. */
  readonly seed: string | undefined;
}

type Headers = Readonly<Record<string, string>>;

/** An operation has a few examples, and clients send the same few Accept headers. */
const keptAnswers = 50;
const longestKey = 500;

/**
 * The engine collects every fault of a body, and a list in 1 MB of JSON has room for 500,000: 2 s. So of larger bodies,
 * in bytes, the beginnings of the lists are validated first.
 */
const largeBody = 16 * 1024;

/** Answers a request; `undefined` where the client went away before its body ended. */
export async function respond(
  request: IncomingMessage,
  contract: Contract,
  options: ResponderOptions,
): Promise<Answer | undefined> {
  const answer = await tryToRespond(request, contract, options);
  return answer !== undefined && isRefusal(answer) ? answerRefusal(answer) : answer;
}

async function tryToRespond(
  request: IncomingMessage,
  contract: Contract,
  options: ResponderOptions,
): Promise<Answer | Refusal | undefined> {
  const { method = "", url = "" } = request;
  if (isPreflight(request) || (method === "OPTIONS" && url === "*")) return noContent();
  const target = readTarget(url);
  if (isRefusal(target)) return target;
  const match = findRoute(contract.index, target.segments, method.toLowerCase());
  if (match === undefined) return unknownPath(contract, target);
  if ("others" in match) {
    const allow = allowedMethods(match.others);
    return method === "OPTIONS" ? noContent({ allow }) : wrongMethod(method, match.others, allow);
  }
  const prepared = contract.prepare(match.route);
  const headers = textHeaders(request);
  const { operation, alternatives } = prepared;
  if (alternatives.length > 0 && !engine.hasCredentials(operation, target.path, headers, target.query)) {
    return refuseCredentials(alternatives, headers, target.query);
  }
  const inBody = await checkBody(request, operation, options.limits);
  if (inBody === undefined || isRefusal(inBody)) return inBody;
  const violations = [...checkParameters(operation, match.parameters, target, headers), ...inBody];
  if (violations.length > 0) return refusalOf(422, violations);
  const preferences = readPreferences(request.headers.prefer, target.query);
  return answerValid(prepared, preferences, headers["accept"] ?? "", options);
}

function checkParameters(
  operation: engine.EngineOperation,
  path: Readonly<Record<string, string>>,
  { query }: Target,
  headers: Headers,
): Violation[] {
  const specs = operation.request ?? {};
  const violations: Violation[] = [];
  if (specs.path !== undefined && specs.path.length > 0) {
    violations.push(...parameterViolations("path", engine.validatePath(operation, path), specs.path, path));
  }
  if (specs.query !== undefined && specs.query.length > 0) {
    violations.push(...parameterViolations("query", engine.validateQuery(operation, query), specs.query, query));
  }
  if (specs.headers !== undefined && specs.headers.length > 0) {
    const declared = Object.fromEntries(
      specs.headers.flatMap(({ name }) => {
        const value = headers[name.toLowerCase()];
        return value === undefined ? [] : [[name, value] as const];
      }),
    );
    const found = engine.validateHeaders(operation, declared);
    violations.push(...parameterViolations("header", found, specs.headers, declared));
  }
  return violations;
}

async function checkBody(
  request: IncomingMessage,
  operation: engine.EngineOperation,
  limits: BodyLimits,
): Promise<readonly Violation[] | Refusal | undefined> {
  const declared = operation.request?.body;
  const contents = declared?.contents ?? [];
  if (!hasBody(request)) {
    if (declared?.required !== true) return [];
    const expected = contents.map(({ mediaType }) => mediaType);
    return [{ in: "body", pointer: "", message: `A body is required: ${expected.join(" or ")}.`, expected }];
  }
  const kind = chooseContent(request, contents);
  if (isRefusal(kind)) return kind;
  const bytes = await readBody(request, limits);
  if (bytes === undefined || isRefusal(bytes)) return bytes;
  const body = parseBody(bytes, kind.mediaType);
  if (isRefusal(body)) return body;
  if (!isValidated(kind.mediaType)) return [];
  const find = (value: unknown) => engine.validateBody(operation, kind.content, value, kind.mediaType, kind.boundary);
  const early = bytes.length > largeBody ? find(shortenLists(body.value)) : [];
  const found = early.length > 0 ? early : find(body.value);
  return bodyViolations(found, kind.content.schema, body.value, operation);
}

async function answerValid(
  { operation, answers }: PreparedOperation,
  preferences: Preferences,
  accept: string,
  options: ResponderOptions,
): Promise<Answer | Refusal> {
  const { code, example } = preferences;
  const dynamic = preferences.dynamic === undefined ? options.dynamic : preferences.dynamic === "true";
  const key = JSON.stringify([code, example, preferences.dynamic, accept]);
  const known = answers.get(key);
  if (known !== undefined) return known;

  const unmet = checkPreferences(operation, preferences);
  if (unmet.length > 0) return refusalOf(422, unmet);
  const selected = engine.selectResponse(operation, code === undefined ? undefined : Number(code));
  if (selected === undefined) return notGenerated("the contract declares no response for this operation");
  const ranges = mediaRanges(accept);
  const response = concreteTypes(selected, ranges);
  const contents = response.contents ?? [];
  if (accept !== "" && ranges.length === 0) return notAcceptable(accept, contents);
  const generated = await engine.generateResponse(operation, response, {
    accept: ranges.length === 0 ? undefined : ranges,
    example,
    // Without a schema there is nothing to generate from.
    dynamic: dynamic && contents.every(({ schema }) => schema !== undefined),
    seed: preferences.seed ?? options.seed,
  });
  if ("failure" in generated) {
    return generated.failure === "not acceptable" ? notAcceptable(accept, contents) : notGenerated(generated.message);
  }
  const answer = await renderResponse(generated, response);
  if (!dynamic && key.length <= longestKey) {
    if (answers.size >= keptAnswers) answers.clear();
    answers.set(key, answer);
  }
  return answer;
}

/** Says of a `Prefer` what cannot be met, with what can. */
function checkPreferences(operation: engine.EngineOperation, preferences: Preferences): Violation[] {
  const { code, example, dynamic } = preferences;
  const codes = operation.responses.map((response) => response.code);
  const header = { in: "header", name: "Prefer" } as const;
  if (dynamic !== undefined && dynamic !== "true" && dynamic !== "false") {
    const message = `Prefer: dynamic=${shorten(dynamic)} cannot be met: dynamic is true or false.`;
    return [{ ...header, message, expected: ["true", "false"] }];
  }
  const isFinalStatus = code === undefined || /^[2-5]\d\d$/.test(code);
  const response = isFinalStatus
    ? engine.selectResponse(operation, code === undefined ? undefined : Number(code))
    : undefined;
  if (response === undefined) {
    if (code === undefined) return [];
    const message = `Prefer: code=${shorten(code)} cannot be met: ${describeCodes(codes)}.`;
    return [{ ...header, message, expected: codes }];
  }
  const names = exampleNames(response);
  if (example === undefined || names.includes(example)) return [];
  const elsewhere = operation.responses.filter((other) => exampleNames(other).includes(example));
  const message =
    `Prefer: example=${shorten(example)} cannot be met: the response ${response.code} has ` +
    (names.length === 0 ? "no named examples" : `the examples ${names.join(", ")}`) +
    (elsewhere.length === 0 ? "." : `; ask for code=${elsewhere.map((other) => other.code).join(" or ")} as well.`);
  return [{ ...header, message, expected: names }];
}

function describeCodes(codes: readonly string[]): string {
  const exact = codes.filter((code) => code !== "default");
  const list = exact.length === 0 ? "the operation declares no response" : `the operation declares ${exact.join(", ")}`;
  return codes.includes("default") ? `${list}, and "default" for any other status from 200 to 599` : list;
}

function exampleNames({ contents = [] }: engine.EngineResponse): string[] {
  return [...new Set(contents.flatMap(({ examples = [] }) => examples.map(({ key }) => key)))];
}

function unknownPath({ index }: Contract, { path, segments }: Target): Refusal {
  const nearest = nearestRoutes(index.routes, segments);
  const [first] = nearest;
  const hint =
    first === undefined ? "" : ` The nearest known path is ${first.path} (${nearest.map(methodOf).join(", ")}).`;
  return refusalOf(404, [
    {
      in: "path",
      message: `No operation has the path ${shorten(path, 200)}.${hint}`,
      ...(first && { expected: first.path }),
      received: shorten(path, 200),
    },
  ]);
}

function wrongMethod(method: string, others: readonly Route[], allow: string): Refusal {
  const methods = others.map(methodOf);
  const path = [...new Set(others.map((route) => route.path))].join(" and ");
  const message = `${path} has ${methods.join(", ")}, and not ${method}.`;
  return refusalOf(405, [{ in: "method", message, expected: methods, received: method }], { allow });
}

function notAcceptable(accept: string, contents: engine.EngineResponse["contents"]): Refusal {
  const offered = (contents ?? []).map(({ mediaType }) => mediaType);
  const message = `The response is ${offered.join(" or ")}, and the request accepts ${JSON.stringify(shorten(accept))}.`;
  return refusalOf(406, [{ in: "header", name: "Accept", message, expected: offered, received: shorten(accept) }]);
}

/** No status says that the fault is the contract's; 406 at least says that there is no representation to send. */
function notGenerated(why: string): Refusal {
  const message =
    `The mock cannot generate this response: ${shorten(why, 300)}. ` +
    "Give it an example in the contract, or ask for another response by Prefer: code=... or example=....";
  return refusalOf(406, [{ in: "header", name: "Prefer", message }]);
}

/** The methods that a path takes, with those that the mock adds: HEAD to GET, and OPTIONS. */
function allowedMethods(routes: readonly Route[]): string {
  const methods = routes.map(methodOf);
  return [...new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"])].join(", ");
}

function methodOf({ method }: Route): string {
  return method.toUpperCase();
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && headers.origin !== undefined && headers["access-control-request-method"] !== undefined;
}

function noContent(headers: Headers = {}): Answer {
  return { status: 204, headers, body: undefined };
}

/** The headers as the engine takes them. It knows the scheme `Bearer` in this case only; RFC 9110 takes any. */
function textHeaders({ headers }: IncomingMessage): Headers {
  const texts = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return Object.fromEntries(
    texts.map(([name, value]) => [name, name === "authorization" ? value.replace(/^bearer\s/i, "Bearer ") : value]),
  );
}

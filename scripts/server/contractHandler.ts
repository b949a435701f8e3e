import { readCheckedOperations, type CheckedOperation } from "../contract/generation.ts";
import { getOrCreate } from "../values/collections.ts";
import type { Headers as Fields } from "../exchange/exchange.ts";
import { createParameterCheck } from "../exchange/parameters.ts";
import { isRefusal, refuseContent, type Refusal } from "../exchange/refusal.ts";
import { createBodyCheck, createCheckTurns, createTurns } from "../exchange/requestBody.ts";
import { readContent, refuseSize } from "../exchange/requestContent.ts";
import { readCookies, readTarget, type Target } from "../exchange/requestTarget.ts";
import { findRoute, indexRoutes } from "../exchange/routes.ts";
import { allowedMethods, methodOf, refuseMethod, refusePath } from "../exchange/unknownOperation.ts";
import { UnusableSchema } from "../exchange/validator.ts";
import { isObject, membersOf } from "../values/json.ts";
import { isDocument } from "../spec/openapi.ts";
import { isResponse } from "./platformResponse.ts";
import { findPrincipal } from "./principal.ts";
import { problemOf, thrownProblem, writeProblem } from "./refusedResponse.ts";
import type { HandlerOptions, ProblemDetails, ServedOperationRequest, ServedRequest } from "./serverTypes.ts";
import { requireResponse, writeResponse } from "./writtenResponse.ts";

export { createContractHandler };

/**
 * A server as a function from a request to its response.
 *
 * @example
 * const respond = (handle: RequestHandler<unknown>) => handle(new Request("https://api.example.com/teams"));
 */
export type RequestHandler<Context> = (
  request: Request,
  ...context: undefined extends Context ? [context?: Context] : [context: Context]
) => Promise<Response>;

/** The options of {@link createContractHandler}, without the types of a contract. */
type UntypedOptions = HandlerOptions<object, object, unknown, unknown>;

/** What all requests share. */
type Served = ReturnType<typeof serveOperations>;

/** A request to an operation. */
interface RoutedRequest {
  readonly operation: CheckedOperation;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Target["query"];
  readonly fields: Fields;
  readonly info: ServedOperationRequest<unknown>;
}

/**
 * Creates a server from the document of a contract. It rejects if a function of the options throws anything
 * but a `Problem` or returns something of another type, or if the request is aborted. Throws `TypeError` if
 * an option is missing or of another type, or if a handler is for no operation.
 */
function createContractHandler<Operations, Credentials, Principal, Context>(
  document: object,
  options: HandlerOptions<Operations, Credentials, Principal, Context>,
): RequestHandler<Context>;
function createContractHandler(document: object, options: UntypedOptions): RequestHandler<unknown> {
  const served = serveOperations(document, options);
  return async (request, context) => {
    const response = await respondTo(served, request, context);
    const { status, headers, body } = response;
    if (request.method !== "HEAD" || body === null) return response;
    await body.cancel();
    return new Response(null, { status, headers });
  };
}

/** Reads what all requests share. Throws `TypeError` for an unusable document or option. */
function serveOperations(document: object, options: UntypedOptions) {
  if (!isDocument(document)) throw new TypeError("the document is not an OpenAPI 3.1 bundle");
  const operations = readCheckedOperations(document);
  checkOptions(options);
  const handlers = readHandlers(options.handlers, operations.map(operationIdOf));
  const takeTurn = createTurns();
  const prepared = new Map<CheckedOperation, ReturnType<typeof prepare>>();
  const prepare = (operation: CheckedOperation) => ({
    checkParameters: createParameterCheck(operation),
    checkInTurn: createCheckTurns(takeTurn),
    checkBody: createBodyCheck(operation, takeTurn),
  });
  return {
    options,
    handlers,
    routes: indexRoutes([{ name: "", operations }]),
    prepare: (operation: CheckedOperation) => getOrCreate(prepared, operation, () => prepare(operation)),
  };
}

type AnyHandler = (request: object) => unknown;

/** Throws `TypeError` for wrong options, for callers without the compiler. */
function checkOptions(options: UntypedOptions): void {
  if (!isObject(options)) throw new TypeError("the options must be an object");
  const { authenticate, bodyLimit = 0, refuse, unmatched, validateResponses = false } = options;
  if (authenticate !== "none" && typeof authenticate !== "function")
    throw new TypeError('authenticate must be a function, or "none" if credentials are checked elsewhere');
  if (!(bodyLimit >= 0)) throw new TypeError(`bodyLimit must be a number of bytes, not ${bodyLimit}`);
  if (![true, false, "strip"].includes(validateResponses))
    throw new TypeError('validateResponses must be true, false or "strip"');
  for (const [name, option] of Object.entries({ refuse, unmatched }))
    if (!["function", "undefined"].includes(typeof option)) throw new TypeError(`${name} must be a function`);
}

/** The handlers by operation. Throws `TypeError`, for callers without the compiler. */
function readHandlers(handlers: unknown, operationIds: readonly string[]): ReadonlyMap<string, AnyHandler> {
  const prototype: unknown = isObject(handlers) ? Object.getPrototypeOf(handlers) : undefined;
  // The methods of a class would be overlooked.
  if (prototype !== Object.prototype && prototype !== null)
    throw new TypeError("handlers must be a plain object or a module");
  const found = new Map<string, AnyHandler>();
  for (const [name, handler] of membersOf(handlers)) {
    if (!operationIds.includes(name)) throw new TypeError(`there is no operation ${name} for a handler`);
    if (isHandler(handler)) found.set(name, handler);
    else if (handler !== undefined) throw new TypeError(`the handler of ${name} must be a function`);
  }
  return found;
}

function isHandler(value: unknown): value is AnyHandler {
  return typeof value === "function";
}

function operationIdOf({ operationId, name }: CheckedOperation): string {
  return operationId ?? name;
}

/**
 * Finds the operation of a request, and responds. Refuses the request if the contract has no operation for
 * it.
 */
async function respondTo(served: Served, request: Request, context: unknown): Promise<Response> {
  const { routes, options } = served;
  const { pathname, search } = new URL(request.url);
  const target = readTarget(pathname + search);
  const unknown = { request, context, operationId: undefined };
  if (isRefusal(target)) return refuse(served, problemOf(target), unknown);
  const route = findRoute(routes, target.segments, request.method.toLowerCase());
  if (route !== undefined && "operation" in route) {
    const { operation, parameters: path } = route;
    const info = { request, context, operationId: operationIdOf(operation) };
    return respondWith(served, { operation, path, query: target.query, fields: fieldsOf(request), info });
  }
  if (route !== undefined && request.method === "OPTIONS")
    return new Response(null, { status: 204, headers: { allow: allowedMethods(route.others.map(methodOf)) } });
  if (options.unmatched !== undefined) return requireResponse(await options.unmatched(request, context), "unmatched");
  const refusal = route === undefined ? refusePath(target) : refuseMethod(request.method, route.others);
  return refuse(served, problemOf(refusal), unknown);
}

/** The header fields of a request by their names in lower case. */
function fieldsOf({ headers }: Request): Fields {
  return Object.fromEntries(headers);
}

/** Checks a request, and calls the handler of its operation. */
async function respondWith(served: Served, routed: RoutedRequest): Promise<Response> {
  const { operation, query, fields, info } = routed;
  const { validateResponses = false } = served.options;
  const handler = served.handlers.get(info.operationId);
  if (handler === undefined)
    return refuse(served, problemOf({ status: 501, detail: `${operation.name} isn't implemented.` }), info);
  try {
    const checked = await checkRequest(served, routed);
    if (isRefusal(checked)) return await refuse(served, problemOf(checked), info);
    const returned = await handler({ ...checked, ...info });
    const response = await writeResponse(returned, operation);
    if (validateResponses === false) return response;
    // Servers that check no responses load none of this.
    const { checkOwnResponse } = await import("./ownResponse.ts");
    const strips = validateResponses === "strip" && !isResponse(returned);
    const kept = await checkOwnResponse({ operation, request: info.request, fields, query, strips }, response);
    return isRefusal(kept) ? await refuse(served, problemOf(kept), info) : kept;
  } catch (error) {
    const problem = thrownProblem(error, operation);
    if (problem === undefined) throw error;
    return refuse(served, problem, info);
  }
}

/** What a handler gets of a checked request, or the first reason to refuse it. */
async function checkRequest(served: Served, routed: RoutedRequest) {
  const { operation, path, query, fields, info } = routed;
  const { authenticate, bodyLimit = 2 ** 20 } = served.options;
  const found =
    authenticate === "none"
      ? { principal: undefined }
      : await findPrincipal(operation, fields, query, (credentials) => authenticate(credentials, info));
  if (isRefusal(found)) return found;
  if (info.request.bodyUsed) return { status: 500, detail: `The body has been read before. ${readAdvice}` };
  const content = await readContent(info.request, bodyLimit);
  if (content === undefined) throw info.request.signal.reason;
  // The rest of the body would come before the next request on the connection.
  if (content === "too large") return { ...refuseSize(bodyLimit, "the server"), headers: { connection: "close" } };
  const emptied = content.length === 0 ? refuseEmptied(operation, fields) : undefined;
  if (emptied !== undefined) return emptied;
  const check = async () => {
    const { checkBody, checkParameters, checkInTurn } = served.prepare(operation);
    const body = await checkBody(fields, content);
    if (isRefusal(body)) return body;
    const sent = { path, query, header: fields, cookie: readCookies(fields["cookie"]) };
    const { values, violations } = await checkInTurn(() => checkParameters(sent));
    const all = [...violations, ...body.violations];
    return all.length > 0 ? refuseContent(all) : { ...found, ...values, body: body.received };
  };
  return check().catch((error: unknown): Refusal => {
    if (!(error instanceof UnusableSchema)) throw error;
    return { status: 500, detail: `The request cannot be checked: ${error.message}.` };
  });
}

const readAdvice = "If a body parser, such as express.json(), reads it, put it behind this server.";

/** Refuses an empty body that isn't, or may not be, what the client has sent: adapters don't notice that it has been read. */
function refuseEmptied({ requestBody }: CheckedOperation, fields: Fields): Refusal | undefined {
  if (Number(fields["content-length"]) > 0)
    return { status: 500, detail: `The body has been read before. ${readAdvice}` };
  const mayBeEmptied = requestBody?.required === true && "transfer-encoding" in fields;
  return mayBeEmptied ? { status: 422, detail: `A body is required, and this one is empty. ${readAdvice}` } : undefined;
}

/** Writes the response to a refused request, with the headers that it needs. */
async function refuse({ options }: Served, problem: ProblemDetails, info: ServedRequest<unknown>): Promise<Response> {
  const written = await requireResponse(await (options.refuse ?? writeProblem)(problem, info), "refuse");
  const missing = Object.entries(problem.headers).filter(([name]) => !written.headers.has(name));
  if (missing.length === 0) return written;
  const headers = new Headers(written.headers);
  for (const [name, value] of missing) headers.set(name, value);
  return new Response(written.body, { status: written.status, headers });
}

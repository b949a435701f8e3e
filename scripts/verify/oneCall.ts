/* Sends one request of a run, and keeps the results of the response. */
import { messageOf } from "../contract/failures.ts";
import { isSent, jsonContent, successResponses, type Operation } from "../contract/generation.ts";
import { resourcesIn, successContent, type Properties, type ResourceType } from "../contract/resources.ts";
import type { SecurityAlternative, SecurityScheme } from "../contract/security.ts";
import { escapeControls } from "../values/text.ts";
import { recall } from "../values/collections.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { shorten } from "../exchange/secrets.ts";
import { sampleRequest } from "../samples/exampleRequest.ts";
import { writeRequest, type SampleRequest, type WrittenRequest } from "../samples/writeRequest.ts";
import { equalJson, isObject, membersOf, parseExactJson } from "../values/json.ts";
import { responseOf } from "../spec/openapi.ts";
import { isShownAs, sentProperties } from "./expectations.ts";
import { givenValue } from "./givenValues.ts";
import { credentialsOf } from "./ownSecrets.ts";
import { namingParameters, type PlannedCall } from "./planCalls.ts";
import type { SkipReason } from "../exchange/observation.ts";
import type { Send } from "../exchange/sender.ts";
import type { RequestCheck, WrongRequest } from "./wrongRequests.ts";

export interface CallOptions {
  /** Values by parameter names, optionally below the name of a generation or an operation, which may have a `body`. */
  readonly values: unknown;
  /** The wrong requests to send. */
  readonly checks: ReadonlySet<RequestCheck>;
  readonly send: Send;
  readonly stop: AbortSignal;
  /** Called for each exchange. `wrong`: the reason why the server must reject the request. */
  readonly onExchange: (exchange: Exchange, wrong?: WrongRequest) => void;
}

/** The state of a run. */
export interface CallRun extends CallOptions {
  /** Wrong requests for created resources, which are sent before these are deleted. */
  readonly deferred: (() => Promise<void>)[];
  readonly plan: readonly PlannedCall[];
  readonly seen: SeenResource[];
  readonly created: CreatedResource[];
  /** Changes of other resources than the created ones. */
  readonly lasting: LastingChange[];
  /** The reasons for skipped operations. */
  readonly reasons: Map<Operation, SkipReason>;
  /** The outcomes of calls with credentials, by credential. */
  readonly credentials: Map<SecurityScheme, CredentialUse>;
  /** The checks that have sent a wrong request. */
  readonly sent: Set<RequestCheck>;
  /** The last call with a response. */
  answered?: Exchange | undefined;
  /** The calls since then. */
  silent: readonly Exchange[];
  /** Calls whose last response was a 429. */
  limited: number;
}

/** A change by a run, and its outcome. */
export interface LastingChange {
  readonly kind: "created" | "changed" | "deleted";
  readonly operation: Operation;
  /** The values of path parameters. */
  readonly path: ReadonlyMap<string, unknown>;
  /** The identifier of the created resource. `undefined` if the response doesn't show it. */
  readonly id: unknown;
  /** False if no response confirms the change. */
  readonly isCertain: boolean;
}

/** The outcomes of the calls with a credential that got a response. */
export interface CredentialUse {
  /** The name of the generation. */
  readonly generation: string;
  /** The name of the security scheme. */
  readonly scheme: string;
  calls: number;
  /** The number of these calls with the response 401 or 403. */
  refusals: number;
  /** The number of successful calls for which the contract requires credentials. */
  successes: number;
}

/** A resource from a response. */
interface SeenResource {
  readonly type: ResourceType;
  readonly server: string;
  readonly properties: Properties;
}

export interface CreatedResource extends SeenResource {
  readonly operation: Operation;
  /** The values of path parameters in the request that created it. */
  readonly path: ReadonlyMap<string, unknown>;
  /** The properties in that request. */
  readonly sent: Properties;
  /** `doubtful`: a response contradicts the request, so it may be another resource. The run leaves that alone. */
  state: "deleted" | "doubtful" | "kept";
}

/** The properties of one call that differ from other calls of the operation. */
export interface CallChoice {
  /** The values of path parameters. */
  readonly path: ReadonlyMap<string, unknown>;
  /** The created resource that the call acts on. `undefined` if it acts on another one, or on none. */
  readonly own?: CreatedResource | undefined;
  /** The name of the body's example. */
  readonly body?: string | undefined;
  /** Credentials that replace those that the operation requires. */
  readonly schemes?: SecurityAlternative;
  readonly query?: Readonly<Record<string, unknown>>;
}

/** The run ends after this number of consecutive calls without a response. */
const mostSilent = 5;
/** The run ends after this number of calls with a 429, even after waiting as long as the server asked. */
const mostLimited = 3;

export function isSilent({ silent }: CallRun): boolean {
  return silent.length >= mostSilent;
}

export function whyEnded(run: CallRun): string | undefined {
  const { stop, silent, answered, limited } = run;
  if (stop.aborted) return messageOf(stop.reason);
  if (limited >= mostLimited) return `${limited} calls got the response 429, even after waiting. Try a lower --rate`;
  const [first] = silent;
  if (!isSilent(run) || first === undefined) return undefined;
  const { failure } = silent.at(-1) ?? first;
  const reason = failure === undefined ? "" : ` (${escapeControls(failure)})`;
  const before = answered === undefined ? "" : `. The first was ${nameOf(first)}, after ${nameOf(answered)}`;
  return `${silent.length} calls in a row had no response${reason}${before}`;
}

function nameOf({ method, url }: Exchange): string {
  return `${method} ${escapeControls(shorten(new URL(url).pathname))}`;
}

/** A right request for a call, with values from the file, from earlier responses, and from examples. */
export function requestFor(run: CallRun, planned: PlannedCall, choice: CallChoice): SampleRequest {
  const { generation, operation, server } = planned;
  const schemes = choice.schemes ?? schemesOf(run, planned, choice);
  const sample = sampleRequest(operation, server, { schemes, body: choice.body });
  // Never change a resource that only examples name.
  const naming = planned.change === undefined ? [] : namingParameters(operation).map(({ name }) => name);
  const parameters = operation.parameters.filter(isSent).flatMap((parameter) => {
    const { name, in: place } = parameter;
    const isExample = place === "path" || !naming.includes(name);
    const example = isExample
      ? sample.parameters.find((one) => one.name === name && one.in === place)?.value
      : undefined;
    const chosen = place === "path" ? choice.path.get(name) : choice.query?.[name];
    const value = chosen ?? givenValue(run.values, generation, operation, name) ?? example;
    return value === undefined ? [] : [{ ...parameter, value }];
  });
  const body = givenValue(run.values, generation, operation, "body") ?? sample.body;
  return { ...sample, parameters, body };
}

function schemesOf(run: CallRun, planned: PlannedCall, choice: CallChoice): SecurityAlternative {
  const credentials = credentialsOf(run, planned, choice);
  return "code" in credentials ? [] : credentials;
}

/** Sends one request. Returns the exchange and whether it succeeded. */
export async function call(run: CallRun, planned: PlannedCall, choice: CallChoice, stop = run.stop) {
  const written = writeRequest(requestFor(run, planned, choice));
  if (stop.aborted) return { exchange: unsent(written), isSuccess: false };
  const exchange = await run.send(written, stop);
  countResponse(run, exchange);
  run.onExchange(exchange);
  const { status = 0 } = exchange.response ?? {};
  const isSuccess = status >= 200 && status < 300;
  const found = isSuccess ? resourcesShown(planned, exchange) : [];
  // Only the run's own credentials can be refused: not wrong ones, and not those of a created resource.
  if ((choice.schemes ?? schemesOf(run, planned, choice)) === planned.schemes) countAnswer(run, planned, status);
  keepChange(run, planned, choice, { exchange, found });
  if (planned.resource?.effect !== "create") run.seen.push(...found);
  return { exchange, isSuccess };
}

export async function sendOneWrong(
  run: CallRun,
  planned: PlannedCall,
  choice: CallChoice,
  wrong: WrongRequest,
): Promise<void> {
  if (whyEnded(run) !== undefined || choice.own?.state === "deleted") return;
  const exchange = await run.send(wrong.request, run.stop);
  if (wrong.check !== undefined) run.sent.add(wrong.check);
  countResponse(run, exchange);
  run.onExchange(exchange, wrong);
  const { status = 0 } = exchange.response ?? {};
  // A request with another method doesn't show the effects of the operation.
  if (wrong.check === undefined || wrong.check === "methods") return;
  keepChange(run, planned, choice, { exchange, found: status < 300 ? resourcesShown(planned, exchange) : [] });
}

/** Keeps the calls without a response, and counts those with a 429. */
function countResponse(run: CallRun, exchange: Exchange): void {
  const { response } = exchange;
  if (response !== undefined) run.answered = exchange;
  run.silent = response === undefined ? [...run.silent, exchange] : [];
  if (response?.status === 429) run.limited += 1;
}

function unsent({ method, url }: WrittenRequest): Exchange {
  return { method, url, request: { headers: [], body: undefined }, response: undefined };
}

/** Counts the outcomes of a call's credentials. A `status` of 0 means no response. */
function countAnswer(
  { credentials }: CallRun,
  { generation, operation, schemes = [] }: PlannedCall,
  status: number,
): void {
  if (status === 0) return;
  const isRequired = operation.security.every((alternative) => alternative.length > 0);
  for (const scheme of schemes) {
    const none = { generation: generation.name, scheme: scheme.name, calls: 0, refusals: 0, successes: 0 };
    const use = recall(credentials, scheme, () => none);
    use.calls += 1;
    if (status === 401 || status === 403) use.refusals += 1;
    if (isRequired && status >= 200 && status < 300) use.successes += 1;
  }
}

/** The resources with an identifier in a response. */
function resourcesShown({ operation, resource, server }: PlannedCall, { response }: Exchange): readonly SeenResource[] {
  if (resource === undefined || resource.effect === "delete" || response === undefined) return [];
  const { type, view } = resource;
  if (resource.effect === "create" && !isShownBy(operation, response.status)) return [];
  const value = parseExactJson(Buffer.from(response.body ?? []).toString());
  // In a body without a description, the objects with an identifier.
  const shown =
    view === undefined
      ? [value, ...membersOf(value).map(([, member]) => member)].filter(isObject)
      : resourcesIn(value, view);
  return shown
    .filter((properties) => identifierIn(type, properties) !== undefined)
    .map((properties) => ({ type, server, properties }));
}

/** Checks whether the contract describes the resource in a response of the operation that creates it. A 202 describes work. */
function isShownBy(operation: Operation, status: number): boolean {
  const content = jsonContent(responseOf(operation.responses, status)?.content);
  return status !== 202 && content !== undefined && equalJson(content.schema, successContent(operation)?.schema);
}

/** Checks whether a status says that a resource was created: a 201, or a 200 if no other success is listed. */
function isCreation(operation: Operation, status: number): boolean {
  const [listed, ...others] = successResponses(operation).map((response) => response.status.toUpperCase());
  return status === 201 || (status === 200 && others.length === 0 && (listed === "200" || listed === "2XX"));
}

/** Records the changes of a call. `found`: the resources in its response. */
function keepChange(
  run: CallRun,
  { operation, server, resource, change }: PlannedCall,
  { path, own }: CallChoice,
  { exchange, found }: { readonly exchange: Exchange; readonly found: readonly SeenResource[] },
): void {
  const { status = 0 } = exchange.response ?? {};
  const isRefused = status >= 400 && status < 500;
  if (change === undefined || isRefused) return;
  const isSuccess = status >= 200 && status < 300;
  if (own !== undefined && change.kind === "deletes" && isSuccess) own.state = "deleted";
  if (own === undefined && change.kind !== "creates") {
    const kind = change.kind === "deletes" ? "deleted" : "changed";
    run.lasting.push({ kind, operation, path, id: undefined, isCertain: isSuccess });
  }
  if (resource?.effect !== "create") return;
  const { type } = resource;
  const properties = found[0]?.properties ?? {};
  const id = identifierIn(type, properties);
  const isSame = (one: SeenResource) =>
    one.type === type && one.server === server && shareIdentifier(type, one.properties, properties);
  // A create operation may return an existing resource.
  if (isSuccess && run.seen.some(isSame)) run.lasting.push({ kind: "changed", operation, path, id, isCertain: true });
  else if (isSuccess && run.created.some(isSame)) return;
  else if (!isSuccess || !isCreation(operation, status))
    run.lasting.push({ kind: "created", operation, path, id, isCertain: false });
  else {
    const body = parseExactJson(Buffer.from(exchange.request.body ?? []).toString());
    const sent = Object.fromEntries(sentProperties({ resource, body }));
    const created: CreatedResource = { type, server, operation, path, properties, sent, state: "kept" };
    run.created.push(created);
    doubtCreated(created, properties);
  }
}

/** Doubts that a run has created a resource, if a response shows another identifier or other values than the request. */
function doubtCreated(created: CreatedResource, shown: Properties): void {
  const { type, properties, sent } = created;
  const isOther = [...type.keys, "id"].some(
    (key) => key in shown && key in properties && String(shown[key]) !== String(properties[key]),
  );
  const isDifferent = Object.entries(sent).some(([name, value]) => name in shown && !isShownAs(value, shown[name]));
  if (created.state === "kept" && (isOther || isDifferent)) created.state = "doubtful";
}

/** Doubts that a run has created a resource, if a read contradicts that. */
export function doubtAfterRead(created: CreatedResource, reading: PlannedCall, exchange: Exchange): void {
  const { status = 0 } = exchange.response ?? {};
  if (created.state === "kept" && (status === 404 || status === 410)) created.state = "doubtful";
  const [shown] = status >= 200 && status < 300 ? resourcesShown(reading, exchange) : [];
  if (shown !== undefined) doubtCreated(created, shown.properties);
}

/** Checks whether two resources have the same value of an identifying property. */
function shareIdentifier({ keys }: ResourceType, one: Properties, other: Properties): boolean {
  return [...keys, "id"].some((key) => key in one && key in other && String(one[key]) === String(other[key]));
}

/** The value of the first property that identifies a resource. `undefined` if it has none. */
export function identifierIn({ keys }: ResourceType, properties: Properties): unknown {
  const name = [...keys, "id"].find((key) => key in properties);
  return name === undefined ? undefined : properties[name];
}

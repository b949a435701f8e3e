/* One request of a run, and what the run keeps of the response. */
import { messageOf } from "../contract/failures.ts";
import { isSent, type Operation } from "../contract/generation.ts";
import { resourcesIn, type Properties, type ResourceType } from "../contract/resources.ts";
import type { SecurityAlternative, SecurityScheme } from "../contract/security.ts";
import { recall } from "../contract/text.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { sampleRequest } from "../samples/exampleRequest.ts";
import { writeRequest, type SampleRequest, type WrittenRequest } from "../samples/writeRequest.ts";
import { isObject, membersOf, parseJson } from "../spec/json.ts";
import { givenValue } from "./givenValues.ts";
import { namingParameters, type PlannedCall } from "./planCalls.ts";
import type { Send } from "./sender.ts";
import type { RequestCheck, WrongRequest } from "./wrongRequests.ts";

export interface CallOptions {
  /** Values by the names of parameters; also below the name of a generation or an operation, which may have a `body`. */
  readonly values: unknown;
  readonly allowsDeletes: boolean;
  /** The wrong requests to send, too. */
  readonly checks: ReadonlySet<RequestCheck>;
  readonly send: Send;
  readonly stop: AbortSignal;
  /** Is told what was sent; `wrong`: what has to be refused in it. */
  readonly onExchange: (exchange: Exchange, wrong?: WrongRequest) => void;
}

/** What a run has found out and done so far. */
export interface CallRun extends CallOptions {
  /** Wrong requests about what was created, which are sent before that is deleted. */
  readonly deferred: (() => Promise<void>)[];
  readonly plan: readonly PlannedCall[];
  readonly seen: SeenResource[];
  readonly created: CreatedResource[];
  /** What it has changed and does not put back, apart from what it has created. */
  readonly lasting: LastingChange[];
  /** Why operations were not called. */
  readonly reasons: Map<Operation, string>;
  /** What became of calls with credentials, by these. */
  readonly credentials: Map<SecurityScheme, CredentialUse>;
  /** Calls in a row without a response. */
  silent: number;
  /** Calls that were answered with 429 until the end. */
  limited: number;
}

/** Something that a run has changed, and what became of it. */
export interface LastingChange {
  readonly kind: "created" | "changed" | "deleted" | "restored";
  readonly operation: Operation;
  /** The values of the path's parameters, by their names. */
  readonly path: ReadonlyMap<string, unknown>;
  /** The identifier of what was created; `undefined` if the response does not show any. */
  readonly id: unknown;
  /** False if no response says whether it has happened. */
  readonly isCertain: boolean;
  /** The names of what is not as it was, although it was written back. */
  readonly differing?: string;
}

/** What became of the calls that carried a credential, and were answered. */
export interface CredentialUse {
  /** The name of the generation. */
  readonly generation: string;
  /** The name of the security scheme. */
  readonly scheme: string;
  calls: number;
  /** Of these, the ones answered with 401 or 403. */
  refusals: number;
  /** The successful ones for which the contract requires credentials. */
  successes: number;
}

/** A resource that a response has shown. */
interface SeenResource {
  readonly type: ResourceType;
  readonly server: string;
  readonly properties: Properties;
}

export interface CreatedResource extends SeenResource {
  readonly operation: Operation;
  /** The values of the path's parameters in the request that created it. */
  readonly path: ReadonlyMap<string, unknown>;
  isDeleted: boolean;
}

/** How one call differs from others with the same operation. */
export interface CallChoice {
  /** The values of the path's parameters. */
  readonly path: ReadonlyMap<string, unknown>;
  /** What the run has created and the call acts on; `undefined` if it acts on something else, or on nothing. */
  readonly own?: CreatedResource | undefined;
  /** The name of the body's example. */
  readonly body?: string | undefined;
  /** Other credentials than those that the operation requires. */
  readonly schemes?: SecurityAlternative;
  readonly query?: Readonly<Record<string, unknown>>;
  /** A body in the place of any other. */
  readonly content?: unknown;
}

/** Calls in a row without a response after which no more are made. */
const mostSilent = 5;
/** Calls that a server has no time for, although they waited as it asked, after which no more are made. */
const mostLimited = 3;

export function whyEnded({ stop, silent, limited }: CallRun): string | undefined {
  if (stop.aborted) return messageOf(stop.reason);
  if (limited >= mostLimited)
    return `${limited} calls were answered with 429, also after waiting: a lower --rate may help`;
  return silent < mostSilent ? undefined : `${silent} calls in a row had no response`;
}

/** A right request for a call: with values of the file, of earlier responses, and of examples. */
export function requestFor(run: CallRun, planned: PlannedCall, choice: CallChoice): SampleRequest {
  const { generation, operation, server } = planned;
  const schemes = choice.schemes ?? planned.schemes ?? [];
  const sample = sampleRequest(operation, server, { schemes, body: choice.body });
  // Nothing is changed by what only examples name.
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
  const body = choice.content ?? givenValue(run.values, generation, operation, "body") ?? sample.body;
  return { ...sample, parameters, body };
}

/** Sends one request, and gives the exchange and whether it succeeded. */
export async function call(run: CallRun, planned: PlannedCall, choice: CallChoice, stop = run.stop) {
  const written = writeRequest(requestFor(run, planned, choice));
  if (stop.aborted) return { exchange: unsent(written), isSuccess: false };
  const exchange = await run.send(written, stop);
  countResponse(run, exchange);
  run.onExchange(exchange);
  const { status = 0 } = exchange.response ?? {};
  const isSuccess = status >= 200 && status < 300;
  const found = isSuccess ? resourcesShown(planned, exchange) : [];
  if (choice.schemes === undefined) countAnswer(run, planned, status);
  keepChange(run, planned, choice, { status, found });
  if (planned.resource?.effect !== "create") run.seen.push(...found);
  return { exchange, isSuccess };
}

export async function sendOneWrong(
  run: CallRun,
  planned: PlannedCall,
  choice: CallChoice,
  wrong: WrongRequest,
): Promise<void> {
  if (whyEnded(run) !== undefined || choice.own?.isDeleted === true) return;
  const exchange = await run.send(wrong.request, run.stop);
  countResponse(run, exchange);
  run.onExchange(exchange, wrong);
  const { status = 0 } = exchange.response ?? {};
  // Another method than that of the operation says nothing of what it has done.
  if (wrong.check === undefined || wrong.check === "methods") return;
  keepChange(run, planned, choice, { status, found: status < 300 ? resourcesShown(planned, exchange) : [] });
}

/** Counts calls without a response, and those that a server has no time for. */
function countResponse(run: CallRun, { response }: Exchange): void {
  run.silent = response === undefined ? run.silent + 1 : 0;
  if (response?.status === 429) run.limited += 1;
}

function unsent({ method, url }: WrittenRequest): Exchange {
  return { method, url, request: { headers: [], body: undefined }, response: undefined };
}

/** Counts what became of the credentials of a call; a `status` of 0 means that it had no response. */
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
function resourcesShown({ resource, server }: PlannedCall, { response }: Exchange): readonly SeenResource[] {
  if (resource === undefined || resource.effect === "delete") return [];
  const { type, view } = resource;
  const value = parseJson(Buffer.from(response?.body ?? []).toString());
  // Of a body that the contract does not describe, what has an identifier.
  const shown =
    view === undefined
      ? [value, ...membersOf(value).map(([, member]) => member)].filter(isObject)
      : resourcesIn(value, view);
  return shown
    .filter((properties) => identifierIn(type, properties) !== undefined)
    .map((properties) => ({ type, server, properties }));
}

/** Keeps what a call has changed. `found`: the resources that its response shows. */
function keepChange(
  run: CallRun,
  { operation, server, resource, change }: PlannedCall,
  { path, own }: CallChoice,
  { status, found }: { readonly status: number; readonly found: readonly SeenResource[] },
): void {
  const isRefused = status >= 400 && status < 500;
  if (change === undefined || isRefused) return;
  const isCertain = status >= 200 && status < 300;
  if (own !== undefined && change.kind === "deletes") own.isDeleted = isCertain;
  if (own === undefined && change.kind !== "creates") {
    const kind = change.kind === "deletes" ? "deleted" : "changed";
    run.lasting.push({ kind, operation, path, id: undefined, isCertain });
  }
  if (resource?.effect !== "create") return;
  const { type } = resource;
  const properties = found[0]?.properties ?? {};
  const id = identifierIn(type, properties);
  const isSame = (one: SeenResource) =>
    one.type === type && one.server === server && shareIdentifier(type, one.properties, properties);
  if (!isCertain) run.lasting.push({ kind: "created", operation, path, id, isCertain });
  // A create may give what was there before.
  else if (run.seen.some(isSame)) run.lasting.push({ kind: "changed", operation, path, id, isCertain });
  else if (!run.created.some(isSame)) run.created.push({ type, server, operation, path, properties, isDeleted: false });
}

/** Tells whether two resources have the same value of a property that identifies them. */
function shareIdentifier({ keys }: ResourceType, one: Properties, other: Properties): boolean {
  return [...keys, "id"].some((key) => key in one && key in other && String(one[key]) === String(other[key]));
}

/** The value of the first property that identifies a resource; `undefined` if it has none. */
export function identifierIn({ keys }: ResourceType, properties: Properties): unknown {
  const name = [...keys, "id"].find((key) => key in properties);
  return name === undefined ? undefined : properties[name];
}

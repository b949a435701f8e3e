import { messageOf } from "../contract/failures.ts";
import { isSent, type Operation } from "../contract/generation.ts";
import { resourcesIn, type Properties, type ResourceType } from "../contract/resources.ts";
import type { SecurityAlternative, SecurityScheme } from "../contract/security.ts";
import { recall } from "../contract/text.ts";
import { pointerTo } from "../exchange/describedValues.ts";
import { sampleRequest, sentContent } from "../samples/exampleRequest.ts";
import { writeRequest, type SampleRequest, type WrittenRequest } from "../samples/writeRequest.ts";
import { isObject, membersOf, parseJson } from "../spec/json.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { untested } from "./describeCalls.ts";
import { givenValue } from "./givenValues.ts";
import { isSegment, pathParameters } from "../spec/pathTemplate.ts";
import { isDelete, namingParameters, type PlannedCall } from "./planCalls.ts";
import { bodyToPutBack, describeDifference, isReadable, isSameBody } from "./putBack.ts";
import type { Send } from "./sender.ts";
import { insufficientCredentials, wrongRequests } from "./wrongRequests.ts";
import type { RequestCheck, RightRequest, WrongRequest } from "./wrongRequests.ts";

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
interface Run extends CallOptions {
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

interface CreatedResource extends SeenResource {
  readonly operation: Operation;
  /** The values of the path's parameters in the request that created it. */
  readonly path: ReadonlyMap<string, unknown>;
  isDeleted: boolean;
}

/** How one call differs from others with the same operation. */
interface CallChoice {
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

/**
 * Calls the operations of a plan one after the other, and deletes what that creates. Gives the reasons for what was not
 * called, what was changed and stays so, the credentials that were refused, and why it ended early, if it did.
 */
export async function callOperations(plan: readonly PlannedCall[], options: CallOptions) {
  const found = { seen: [], created: [], lasting: [], reasons: new Map(), credentials: new Map() };
  const run: Run = { ...options, ...found, plan, deferred: [], silent: 0, limited: 0 };
  for (const planned of plan) {
    if (isDelete(planned)) await sendDeferred(run);
    // What was created is deleted even when the time is over, or with an operation that is not selected.
    const deleted = planned.change?.kind === "deletes" ? await deleteCreated(run, planned) : 0;
    const reason = planned.reason ?? whyEnded(run) ?? (await callPlanned(run, planned));
    if (reason !== undefined && deleted === 0) run.reasons.set(planned.operation, reason);
  }
  await sendDeferred(run);
  const left = run.created.filter(({ isDeleted }) => !isDeleted);
  const lasting = [...left.map(changeOf), ...run.lasting];
  // An operation that requires no credentials may ignore them.
  const refused = [...run.credentials.values()].filter(({ refusals, successes }) => refusals > 0 && successes === 0);
  return { reasons: run.reasons, ended: whyEnded(run), lasting, refused };
}

async function sendDeferred({ deferred }: Run): Promise<void> {
  for (const send of deferred.splice(0)) await send();
}

function whyEnded({ stop, silent, limited }: Run): string | undefined {
  if (stop.aborted) return messageOf(stop.reason);
  if (limited >= mostLimited)
    return `${limited} calls were answered with 429, also after waiting: a lower --rate may help`;
  return silent < mostSilent ? undefined : `${silent} calls in a row had no response`;
}

/** Deletes what was created, where an operation can do that. Gives how many resources that concerned. */
async function deleteCreated(run: Run, planned: PlannedCall): Promise<number> {
  const targets = ownTargets(run, planned);
  const [first] = targets;
  const isTested = first !== undefined && planned.reason === undefined && whyEnded(run) === undefined;
  if (isTested) await sendWrong(run, planned, first);
  for (const target of targets.filter(({ own }) => own?.isDeleted !== true)) {
    const { isSuccess } = await call(run, planned, target, new AbortController().signal);
    if (isSuccess && isTested && target === first) await readDeleted(run, planned, target);
  }
  return targets.length;
}

/** Calls an operation in all ways that tell something of it. Gives the reason if it cannot be called at all. */
async function callPlanned(run: Run, planned: PlannedCall): Promise<string | undefined> {
  const target = chooseTarget(run, planned);
  if (typeof target === "string") return target;
  const { reading } = planned;
  if (reading === undefined || target.own !== undefined) return callInAllWays(run, planned, target);
  const { exchange: before } = await call(run, reading, { path: target.path });
  if (!isReadable(before)) return whyEnded(run) ?? untested.notReadable;
  const known = run.lasting.length;
  await callInAllWays(run, planned, target);
  const isChanged = run.lasting.length > known;
  const outcome = await putBack(run, { ...planned, reading }, target, before);
  const isSame = outcome.kind === "restored" && !isChanged;
  run.lasting.splice(known, Infinity, ...(isSame ? [] : [outcome]));
  return undefined;
}

async function callInAllWays(run: Run, planned: PlannedCall, target: CallChoice): Promise<undefined> {
  const { generation, operation } = planned;
  const { isSuccess } = await call(run, planned, target);
  const isBodyGiven = givenValue(run.values, generation, operation, "body") !== undefined;
  const [, ...others] = isBodyGiven ? [] : (sentContent(operation)?.examples ?? []);
  for (const { name } of others) await call(run, planned, { ...target, body: name });
  if (isSuccess && planned.change !== undefined) await readWritten(run, planned, target);
  // What the service accepts of them by mistake must not disturb other calls.
  if (isSuccess && target.own !== undefined) run.deferred.push(() => sendWrong(run, planned, target));
  else if (isSuccess) await sendWrong(run, planned, target);
  if (operation.method !== "get" || !isSuccess) return undefined;
  if (!run.checks.has("credentials")) {
    for (const schemes of insufficientCredentials(operation, planned.credentials))
      await call(run, planned, { ...target, schemes });
  }
  if ((planned.resource?.view?.renews.length ?? 0) > 0) await call(run, planned, target);
  for (const query of pageQueries(operation)) await call(run, planned, { ...target, query });
  return undefined;
}

/** The pages of a list that together show whether it takes and skips as many items as it is asked to. */
function pageQueries({ pagination }: Operation): readonly Readonly<Record<string, unknown>>[] {
  if (pagination === undefined) return [];
  const { limit, offset } = pagination;
  return [
    [1, 0],
    [1, 1],
    [2, 1],
  ].map(([taken, skipped]) => ({ [limit]: taken, [offset]: skipped }));
}

/** Reads what a call has created or changed, so that responses can be compared. */
async function readWritten(run: Run, planned: PlannedCall, { own, path }: CallChoice): Promise<void> {
  const { server, resource, change } = planned;
  const created = run.created.findLast((one) => one.server === server && one.type === resource?.type);
  const isNew = resource?.effect === "create";
  const reader = readerOf(run, planned, isNew ? resource.type : change?.target?.type);
  if (reader === undefined) return;
  const written = isNew ? created : own;
  const target = written === undefined ? { path } : targetOf(run, reader, written);
  if (typeof withWholePath(reader.operation, target) !== "string") await call(run, reader, target);
}

/** Tries to read what a call has deleted. */
async function readDeleted(run: Run, planned: PlannedCall, { path }: CallChoice): Promise<void> {
  const { generation, operation, change } = planned;
  const reader = readerOf(run, planned, change?.target?.type);
  if (reader === undefined || typeof withWholePath(reader.operation, { path }) === "string") return;
  const common = { check: undefined, kind: "doubt", generation: generation.name, operation } as const;
  const request = writeRequest(requestFor(run, reader, { path }));
  const told = { place: pointerTo(operation), rule: "what it deleted is gone", sent: `for ${reader.operation.name}` };
  await sendOneWrong(run, planned, { path }, { ...common, ...told, request });
}

/** The call that reads a resource of some type at the same server, if it may be called. */
function readerOf({ plan }: Run, { server }: PlannedCall, type: ResourceType | undefined): PlannedCall | undefined {
  return plan.find(
    ({ resource, reason, change, ...one }) =>
      one.server === server &&
      reason === undefined &&
      change === undefined &&
      resource?.type === type &&
      resource?.effect === "read",
  );
}

/** Sends the wrong requests that can be made of a right one. Where these change something, only at what the run has created. */
async function sendWrong(run: Run, planned: PlannedCall, choice: CallChoice): Promise<void> {
  const { change } = planned;
  if (change !== undefined && change.kind !== "creates" && choice.own === undefined) return;
  const right = rightRequest(planned, requestFor(run, planned, choice), choice.own !== undefined);
  for (const wrong of wrongRequests(right, run.checks)) await sendOneWrong(run, planned, choice, wrong);
}

async function sendOneWrong(run: Run, planned: PlannedCall, choice: CallChoice, wrong: WrongRequest): Promise<void> {
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
function countResponse(run: Run, { response }: Exchange): void {
  run.silent = response === undefined ? run.silent + 1 : 0;
  if (response?.status === 429) run.limited += 1;
}

/** Writes back what was read before, even when the time is over, and reads it again. Gives what became of the changes. */
async function putBack(
  run: Run,
  planned: PlannedCall & { readonly reading: PlannedCall },
  { path }: CallChoice,
  before: Exchange,
): Promise<LastingChange> {
  const { operation, reading } = planned;
  const stop = new AbortController().signal;
  const read = async () => (await call(run, reading, { path }, stop)).exchange;
  const changed = await read();
  const content = isReadable(changed) ? bodyToPutBack(planned, before, changed) : undefined;
  if (content !== undefined) await call(run, planned, { path, content }, stop);
  const after = content === undefined ? changed : await read();
  const change = { operation, path, id: undefined, isCertain: true } as const;
  if (isSameBody(before, after)) return { ...change, kind: "restored" };
  const differing = isReadable(after) ? describeDifference(planned, before, after) : "what can't be read now";
  return { ...change, kind: "changed", differing };
}

/** What a call acts on, or why there is nothing: only what this run has created, or the file with values names. */
function chooseTarget(run: Run, planned: PlannedCall): CallChoice | string {
  const { operation, change } = planned;
  if (change === undefined || change.kind === "creates") {
    const path = new Map<string, unknown>(change?.given);
    for (const name of pathParameters(operation.path)) {
      const value = identifierFor(run, planned, name);
      if (isSegment(value)) path.set(name, value);
    }
    return change === undefined ? { path } : withWholePath(operation, { path });
  }
  if (change.isNamed && isDelete(planned) && !run.allowsDeletes) return untested.deletesNotAllowed;
  if (change.isNamed) return withWholePath(operation, { path: change.given });
  const [own] = change.kind === "deletes" ? [] : ownTargets(run, planned);
  return own ?? untested.notOurs(operation, change.parameter);
}

function withWholePath(operation: Operation, choice: CallChoice): CallChoice | string {
  const missing = pathParameters(operation.path).filter((name) => !choice.path.has(name));
  return missing.length === 0 ? choice : untested.onlyExamples(missing);
}

/** What this run has created at a server and not deleted, as the targets of an operation that acts on such resources. */
function ownTargets(run: Run, planned: PlannedCall): readonly CallChoice[] {
  const { operation, server, change } = planned;
  const { target } = change ?? {};
  if (target === undefined) return [];
  const { type, key } = target;
  const targets = run.created
    .filter((one) => one.type === type && one.server === server && !one.isDeleted)
    .map((own) => targetOf(run, planned, own, key));
  return targets.filter((choice) => typeof withWholePath(operation, choice) !== "string");
}

/** What this run has created as the target of an operation whose path names it with a parameter. */
function targetOf(run: Run, planned: PlannedCall, own: CreatedResource, key = planned.resource?.key): CallChoice {
  const path = new Map<string, unknown>();
  for (const name of pathParameters(planned.operation.path)) {
    // Its identifier may be that of another resource below other parents.
    const parent = own.path.get(name) ?? own.properties[name];
    const other = own.type.scope.includes(name) ? undefined : identifierFor(run, planned, name);
    const value = key !== undefined && name === key.parameter ? own.properties[key.property] : (parent ?? other);
    if (isSegment(value)) path.set(name, value);
  }
  return { path, own };
}

/** The value of a path parameter: from the file, or else an identifier that a response has shown. */
function identifierFor(
  run: Run,
  { generation, operation, resource, server, change }: PlannedCall,
  name: string,
): unknown {
  const given = givenValue(run.values, generation, operation, name);
  const ancestor = resource?.ancestors.find(({ key }) => key.parameter === name);
  if (given !== undefined || ancestor === undefined) return given;
  const own = run.created.filter((one) => one.server === server && !one.isDeleted);
  // Nothing is changed by an identifier of another server.
  const seen = run.seen.filter((one) => change === undefined || one.server === server);
  return [...own, ...seen]
    .filter(({ type }) => type === ancestor.type)
    .map(({ properties }) => properties[ancestor.key.property])
    .find(isSegment);
}

/** A right request for a call: with values of the file, of earlier responses, and of examples. */
function requestFor(run: Run, planned: PlannedCall, choice: CallChoice): SampleRequest {
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
async function call(run: Run, planned: PlannedCall, choice: CallChoice, stop = run.stop) {
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

function unsent({ method, url }: WrittenRequest): Exchange {
  return { method, url, request: { headers: [], body: undefined }, response: undefined };
}

/** Counts what became of the credentials of a call; a `status` of 0 means that it had no response. */
function countAnswer({ credentials }: Run, { generation, operation, schemes = [] }: PlannedCall, status: number): void {
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
  run: Run,
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

function changeOf({ type, operation, path, properties }: CreatedResource): LastingChange {
  return { kind: "created", operation, path, id: identifierIn(type, properties), isCertain: true };
}

/** Tells whether two resources have the same value of a property that identifies them. */
function shareIdentifier({ keys }: ResourceType, one: Properties, other: Properties): boolean {
  return [...keys, "id"].some((key) => key in one && key in other && String(one[key]) === String(other[key]));
}

/** The value of the first property that identifies a resource; `undefined` if it has none. */
function identifierIn({ keys }: ResourceType, properties: Properties): unknown {
  const name = [...keys, "id"].find((key) => key in properties);
  return name === undefined ? undefined : properties[name];
}

/** What the wrong requests of a call are made of. */
function rightRequest(planned: PlannedCall, sample: SampleRequest, isOwn: boolean): RightRequest {
  const { generation, operation, credentials } = planned;
  const here = generation.operations.filter(({ path }) => path === operation.path);
  const listed = here.map(({ method }) => method);
  return { generation: generation.name, operation, sample, credentials, listed, isOwn };
}

/** About how many requests a run sends: how many resources the responses show, and what they are, nobody knows before. */
export function countRequests(plan: readonly PlannedCall[], checks: ReadonlySet<RequestCheck>): number {
  return plan
    .filter(({ reason }) => reason === undefined)
    .map((planned) => {
      const { operation, server, change, schemes } = planned;
      const right = rightRequest(planned, sampleRequest(operation, server, { schemes }), change !== undefined);
      const examples = Math.max(1, sentContent(operation)?.examples.length ?? 0);
      const credentials = insufficientCredentials(operation, planned.credentials).length;
      const probes = wrongRequests(right, checks).length;
      const missing = operation.method === "get" && !checks.has("credentials") ? credentials : 0;
      const reading = change === undefined ? pageQueries(operation).length : 1;
      return examples + probes + missing + reading;
    })
    .reduce((sum, count) => sum + count, 0);
}

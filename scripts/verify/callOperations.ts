import { pointerTo } from "../exchange/describedValues.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Operation } from "../contract/generation.ts";
import type { ResourceType } from "../contract/resources.ts";
import { sampleRequest, sentContent } from "../samples/exampleRequest.ts";
import { writeRequest, type SampleRequest } from "../samples/writeRequest.ts";
import { chooseTarget, ownTargets, callTarget, withWholePath } from "./callTargets.ts";
import { untested } from "./describeCalls.ts";
import { givenValue } from "./givenValues.ts";
import { call, identifierIn, requestFor, sendOneWrong, whyEnded } from "./oneCall.ts";
import type { CallChoice, CallOptions, CreatedResource, LastingChange, CallRun } from "./oneCall.ts";
import { isDelete, type PlannedCall } from "./planCalls.ts";
import { bodyToPutBack, describeDifference, isReadable, isSameBody } from "./putBack.ts";
import { insufficientCredentials, wrongRequests, type RequestCheck, type RightRequest } from "./wrongRequests.ts";

/**
 * Calls the operations of a plan one after the other, and deletes what that creates. Gives the reasons for what was not
 * called, what was changed and stays so, the credentials that were refused, and why it ended early, if it did.
 */
export async function callOperations(plan: readonly PlannedCall[], options: CallOptions) {
  const found = { seen: [], created: [], lasting: [], reasons: new Map(), credentials: new Map() };
  const run: CallRun = { ...options, ...found, plan, deferred: [], silent: 0, limited: 0 };
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

async function sendDeferred({ deferred }: CallRun): Promise<void> {
  for (const send of deferred.splice(0)) await send();
}

/** Deletes what was created, where an operation can do that. Gives how many resources that concerned. */
async function deleteCreated(run: CallRun, planned: PlannedCall): Promise<number> {
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
async function callPlanned(run: CallRun, planned: PlannedCall): Promise<string | undefined> {
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

async function callInAllWays(run: CallRun, planned: PlannedCall, target: CallChoice): Promise<undefined> {
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
async function readWritten(run: CallRun, planned: PlannedCall, { own, path }: CallChoice): Promise<void> {
  const { server, resource, change } = planned;
  const created = run.created.findLast((one) => one.server === server && one.type === resource?.type);
  const isNew = resource?.effect === "create";
  const reader = readerOf(run, planned, isNew ? resource.type : change?.target?.type);
  if (reader === undefined) return;
  // Elsewhere, the same identifier may be that of another resource.
  if (!isNew && own === undefined && !planned.operation.path.startsWith(reader.operation.path)) return;
  const written = isNew ? created : own;
  const target = written === undefined ? { path } : callTarget(run, reader, written);
  if (typeof withWholePath(reader.operation, target) !== "string") await call(run, reader, target);
}

/** Tries to read what a call has deleted. */
async function readDeleted(run: CallRun, planned: PlannedCall, { path }: CallChoice): Promise<void> {
  const { generation, operation, change } = planned;
  const reader = readerOf(run, planned, change?.target?.type);
  if (reader === undefined || typeof withWholePath(reader.operation, { path }) === "string") return;
  const common = { check: undefined, kind: "doubt", generation: generation.name, operation } as const;
  const request = writeRequest(requestFor(run, reader, { path }));
  const told = { place: pointerTo(operation), rule: "what it deleted is gone", sent: `for ${reader.operation.name}` };
  await sendOneWrong(run, planned, { path }, { ...common, ...told, request });
}

/** The call that reads a resource of some type at the same server, if it may be called. */
function readerOf({ plan }: CallRun, { server }: PlannedCall, type: ResourceType | undefined): PlannedCall | undefined {
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
async function sendWrong(run: CallRun, planned: PlannedCall, choice: CallChoice): Promise<void> {
  const { change } = planned;
  if (change !== undefined && change.kind !== "creates" && choice.own === undefined) return;
  const right = rightRequest(planned, requestFor(run, planned, choice), choice.own !== undefined);
  for (const wrong of wrongRequests(right, run.checks)) await sendOneWrong(run, planned, choice, wrong);
}

/** Writes back what was read before, even when the time is over, and reads it again. Gives what became of the changes. */
async function putBack(
  run: CallRun,
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

function changeOf({ type, operation, path, properties }: CreatedResource): LastingChange {
  return { kind: "created", operation, path, id: identifierIn(type, properties), isCertain: true };
}

/** What the wrong requests of a call are made of. */
function rightRequest(planned: PlannedCall, sample: SampleRequest, isOwn: boolean): RightRequest {
  const { generation, operation, credentials } = planned;
  const here = generation.operations.filter(({ path }) => path === operation.path);
  const listed = here.map(({ method }) => method);
  return { generation: generation.name, operation, sample, credentials, listed, isOwn };
}

/** About how much a run sends, and how long that takes. */
interface Estimate {
  readonly requests: number;
  /** The seconds that the rate needs for them. */
  readonly seconds: number;
  /** The seconds after which the run ends by itself. */
  readonly limit: number;
}

/** In seconds, for a run that nothing else is said of. */
const usualLimit = 300;

/**
 * Estimates a run with so many requests a second: what there is to page through, and what the run creates, nobody knows
 * before.
 */
export function estimateRun(
  plan: readonly PlannedCall[],
  checks: ReadonlySet<RequestCheck>,
  rate: number,
  limit?: number,
): Estimate {
  const called = plan.filter(({ reason }) => reason === undefined);
  const requests = called.reduce((sum, planned) => sum + countRequests(planned, checks), 0);
  const seconds = Math.ceil(requests / rate);
  return { requests, seconds, limit: limit ?? Math.max(usualLimit, 2 * seconds) };
}

function countRequests(planned: PlannedCall, checks: ReadonlySet<RequestCheck>): number {
  const { operation, server, change, schemes, credentials } = planned;
  const right = rightRequest(planned, sampleRequest(operation, server, { schemes }), change !== undefined);
  const examples = Math.max(1, sentContent(operation)?.examples.length ?? 0);
  const isMissingSent = operation.method === "get" && !checks.has("credentials");
  const missing = isMissingSent ? insufficientCredentials(operation, credentials).length : 0;
  // What was changed is read.
  const reading = change === undefined ? pageQueries(operation).length : 1;
  return examples + missing + reading + wrongRequests(right, checks).length;
}

import { pointerTo } from "../contract/operationPointer.ts";
import type { Operation } from "../contract/generation.ts";
import type { ResourceType } from "../contract/resources.ts";
import { sampleRequest, sentContent } from "../samples/exampleRequest.ts";
import { writeRequest, type SampleRequest } from "../samples/writeRequest.ts";
import { chooseTarget, ownTargets, callTarget, withWholePath } from "./callTargets.ts";
import { givenValue } from "./givenValues.ts";
import {
  call,
  doubtAfterRead,
  identifierIn,
  requestFor,
  sendOneWrong,
  isSilent,
  whyEnded,
  type CallChoice,
  type CallOptions,
  type CreatedResource,
  type LastingChange,
  type CallRun,
} from "./oneCall.ts";
import { isDelete, type PlannedCall } from "./planCalls.ts";
import { credentialsOf } from "./ownSecrets.ts";
import type { SkipReason } from "../exchange/observation.ts";
import { untested } from "./skipReasons.ts";
import { explainUnsent } from "./unsentChecks.ts";
import {
  insufficientCredentials,
  wrongRequests,
  type RequestCheck,
  type RightRequest,
  type WrongRequest,
} from "./wrongRequests.ts";

/**
 * Calls the operations of a plan one after the other, and deletes the created resources. Returns the reasons for
 * skipped operations, the lasting changes, the refused credentials, the checks that sent nothing, and the reason for an
 * early end, if there is one. `isSilent`: the server has stopped responding.
 */
export async function callOperations(plan: readonly PlannedCall[], options: CallOptions) {
  const found = { seen: [], created: [], lasting: [], reasons: new Map(), credentials: new Map() };
  const sent = new Set<RequestCheck>();
  const run: CallRun = { ...options, ...found, plan, deferred: [], sent, silent: [], limited: 0 };
  for (const planned of plan) {
    if (isDelete(planned)) await sendDeferred(run);
    // Delete created resources even after the time limit, or with an operation that isn't selected.
    const deleted = planned.change?.kind === "deletes" ? await deleteCreated(run, planned) : 0;
    const ended = whyEnded(run);
    const isOver = ended === undefined ? undefined : untested.ended(ended);
    const reason = planned.reason ?? isOver ?? (await callPlanned(run, planned));
    if (reason !== undefined && deleted === 0) run.reasons.set(planned.operation, reason);
  }
  await sendDeferred(run);
  const left = run.created.filter(({ state }) => state !== "deleted");
  const lasting = [...left.map(changeOf), ...run.lasting];
  // An operation that requires no credentials may ignore them.
  const refused = [...run.credentials.values()].filter(({ refusals, successes }) => refusals > 0 && successes === 0);
  const unsent = [...run.checks]
    .filter((check) => !sent.has(check))
    .map((check) => explainUnsent(check, plan, (one) => plannedWrong(one, new Set([check])).length > 0, run.reasons));
  return { reasons: run.reasons, ended: whyEnded(run), isSilent: isSilent(run), lasting, refused, unsent };
}

async function sendDeferred({ deferred }: CallRun): Promise<void> {
  for (const send of deferred.splice(0)) await send();
}

/** Deletes created resources, if an operation can delete them. Returns their number. */
async function deleteCreated(run: CallRun, planned: PlannedCall): Promise<number> {
  const targets = ownTargets(run, planned);
  const [first] = targets;
  const isTested = first !== undefined && planned.reason === undefined && whyEnded(run) === undefined;
  if (isTested) await sendWrong(run, planned, first);
  for (const target of targets.filter(({ own }) => own?.state !== "deleted")) {
    const { isSuccess } = await call(run, planned, target, new AbortController().signal);
    if (isSuccess && isTested && target === first) await readDeleted(run, planned, target);
  }
  return targets.length;
}

/** Calls an operation in all useful ways. Returns the reason if it can't be called at all. */
async function callPlanned(run: CallRun, planned: PlannedCall): Promise<SkipReason | undefined> {
  const target = chooseTarget(run, planned);
  if ("code" in target) return target;
  const credentials = credentialsOf(run, planned, target);
  if ("code" in credentials) return credentials;
  const { generation, operation } = planned;
  const { isSuccess } = await call(run, planned, target);
  const isBodyGiven = givenValue(run.values, generation, operation, "body") !== undefined;
  const [, ...others] = isBodyGiven ? [] : (sentContent(operation)?.examples ?? []);
  for (const { name } of others) await call(run, planned, { ...target, body: name });
  if (isSuccess && planned.change !== undefined) await readWritten(run, planned, target);
  // A wrong request that the server accepts by mistake must not affect other calls.
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

/** Pages that together show whether a list respects the limit and the offset. */
function pageQueries({ pagination }: Operation): readonly Readonly<Record<string, unknown>>[] {
  if (pagination === undefined) return [];
  const { limit, offset } = pagination;
  return [
    [1, 0],
    [1, 1],
    [2, 1],
  ].map(([taken, skipped]) => ({ [limit]: taken, [offset]: skipped }));
}

/** Reads a created or changed resource, so that responses can be compared. */
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
  if ("code" in withWholePath(reader.operation, target)) return;
  const { exchange } = await call(run, reader, target);
  if (isNew && created !== undefined) doubtAfterRead(created, reader, exchange);
}

/** Tries to read a deleted resource. */
async function readDeleted(run: CallRun, planned: PlannedCall, { path }: CallChoice): Promise<void> {
  const { generation, operation, change } = planned;
  const reader = readerOf(run, planned, change?.target?.type);
  if (reader === undefined || "code" in withWholePath(reader.operation, { path })) return;
  const common = { check: undefined, kind: "doubt", generation: generation.name, operation } as const;
  const request = writeRequest(requestFor(run, reader, { path }));
  const told = {
    place: pointerTo(operation),
    code: "deleted",
    rule: "a deleted resource can't be read",
    sent: `for ${reader.operation.name}`,
  };
  await sendOneWrong(run, planned, { path }, { ...common, ...told, request });
}

/** The call that reads resources of a type at the same server, if it's allowed. */
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

/** Sends wrong variants of a right request. If they may change something, only for resources of the run. */
async function sendWrong(run: CallRun, planned: PlannedCall, choice: CallChoice): Promise<void> {
  const { change } = planned;
  if (change !== undefined && change.kind !== "creates" && choice.own === undefined) return;
  const right = rightRequest(planned, requestFor(run, planned, choice), choice.own !== undefined);
  for (const wrong of wrongRequests(right, run.checks)) await sendOneWrong(run, planned, choice, wrong);
}

function changeOf({ type, operation, path, properties, state }: CreatedResource): LastingChange {
  const id = identifierIn(type, properties);
  return { kind: "created", operation, path, id, isCertain: state === "kept" };
}

/** The input for the wrong requests of a call. */
function rightRequest(planned: PlannedCall, sample: SampleRequest, isOwn: boolean): RightRequest {
  const { generation, operation, credentials, resource } = planned;
  const here = generation.operations.filter(({ path }) => path === operation.path);
  const listed = here.map(({ method }) => method);
  const key = resource?.effect === "read" ? resource.key?.parameter : undefined;
  return { generation: generation.name, operation, sample, credentials, listed, isOwn, key };
}

/** The estimated number of requests of a run, and its duration. */
interface Estimate {
  readonly requests: number;
  /** The seconds that they take at the given rate. */
  readonly seconds: number;
  /** The time limit of the run, in seconds. */
  readonly limit: number;
}

/** The default time limit, in seconds. */
const usualLimit = 300;

/**
 * Estimates a run at `rate` requests a second. The estimate leaves out further pages of lists, and requests for created
 * resources, because their numbers are unknown before the run.
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
  const { operation, change, credentials } = planned;
  const examples = Math.max(1, sentContent(operation)?.examples.length ?? 0);
  const isMissingSent = operation.method === "get" && !checks.has("credentials");
  const missing = isMissingSent ? insufficientCredentials(operation, credentials).length : 0;
  // Changed resources are read.
  const reading = change === undefined ? pageQueries(operation).length : 1;
  return examples + missing + reading + plannedWrong(planned, checks).length;
}

/** The wrong requests that a call can have, with values from examples. */
function plannedWrong(planned: PlannedCall, checks: ReadonlySet<RequestCheck>): readonly WrongRequest[] {
  const { operation, server, change, schemes } = planned;
  const right = rightRequest(planned, sampleRequest(operation, server, { schemes }), change !== undefined);
  return wrongRequests(right, checks);
}

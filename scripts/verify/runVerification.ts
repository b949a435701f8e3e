/*
 * A run of `verify`, from the plan of its calls to the report. Each exchange is judged when it is made, by the `add` of
 * createVerification, which `onExchange` leads to.
 */
import type { Operation } from "../contract/generation.ts";
import { pointerTo } from "../contract/operationPointer.ts";
import type { ResourceType } from "../contract/resources.ts";
import { mayDelete, type Permission } from "../exchange/dataChanges.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { SkipReason } from "../exchange/observation.ts";
import { createSender, type Send } from "../exchange/sender.ts";
import type { CommandReport } from "../report/report.ts";
import { sentContent } from "../samples/exampleRequest.ts";
import { serializeRequest } from "../samples/serializeRequest.ts";
import { countOf } from "../values/text.ts";
import {
  countCredentials,
  countResponse,
  isSilent,
  refusedCredentials,
  whyEnded,
  type CallCounts,
} from "./callCounts.ts";
import {
  callTarget,
  chooseTarget,
  credentialsOf,
  hasOptionalParts,
  ownTargets,
  requestFor,
  schemesOf,
  withWholePath,
  type CallChoice,
} from "./callTargets.ts";
import { describeLastingChanges, describePlan, describeRefusedCredential } from "./describeCalls.ts";
import { estimateRun, pageQueries, plannedWrong } from "./estimateRun.ts";
import { createVerification } from "./findings.ts";
import { reportFindings, type LocatedFinding } from "./findingReport.ts";
import type { Finding } from "./gatherFindings.ts";
import { givenValue } from "./givenValues.ts";
import type { Recording } from "./har.ts";
import { deletesCreated, planCalls, type CalledGeneration, type PlannedCall } from "./planCalls.ts";
import {
  doubtAfterRead,
  identifierIn,
  lastingChanges,
  rememberChanges,
  type CallTarget,
  type RunMemory,
} from "./runMemory.ts";
import { explainUnsent, untested } from "./skipReasons.ts";
import { insufficientCredentials, wrongRequests, type RequestCheck, type WrongRequest } from "./wrongRequests.ts";

/** What to verify: servers, by calling them, or recorded traffic. */
export interface VerifyTask {
  readonly sources: readonly (Omit<CalledGeneration, "server"> & { readonly server: string | undefined })[];
  readonly selected: ReadonlySet<Operation>;
  readonly traffic: { readonly calls: CallSettings } | { readonly recorded: Recording };
  /** Responses that take more milliseconds are slow. */
  readonly maxTime: number | undefined;
  /** The kinds of findings that make the run fail. */
  readonly failing: readonly Finding["kind"][];
  /** The lowest acceptable coverage, in percent. */
  readonly required: number;
}

/** How to call operations. */
interface CallSettings extends Pick<CallOptions, "checks" | "values"> {
  readonly allowed: ReadonlySet<Permission>;
  /** The checks that have no result if no operation has a request for them. */
  readonly expected: ReadonlySet<RequestCheck>;
  /** Requests a second. */
  readonly rate: number;
  /** The time limit of the run, in seconds. By default, it depends on the estimate. */
  readonly limit: number | undefined;
}

interface CallOptions {
  /** Values by parameter names, optionally below the name of a generation or an operation, which may have a `body`. */
  readonly values: unknown;
  /** The wrong requests to send. */
  readonly checks: ReadonlySet<RequestCheck>;
  readonly send: Send;
  readonly stop: AbortSignal;
  /** Judges an exchange. `wrong`: what is wrong with the request, if the server must reject it. */
  readonly onExchange: (exchange: Exchange, wrong?: WrongRequest) => void;
}

/** The effects of a run on the user: progress, an interruption, and lines of sources. */
interface RunTools {
  readonly tell: (line: string) => void;
  readonly whenStopped: () => Promise<void>;
  readonly locate: (findings: readonly Finding[]) => Promise<readonly LocatedFinding[]>;
}

/** Verifies servers, or recorded traffic. Returns the report, and the exit code. */
export async function runVerification(
  task: VerifyTask,
  tools: RunTools,
): Promise<{ readonly report: CommandReport; readonly code: number }> {
  const { sources, selected, traffic, maxTime, failing, required } = task;
  const verification = createVerification(sources, selected, "calls" in traffic, maxTime);
  const told =
    "calls" in traffic
      ? await callServers(task, traffic.calls, verification.add, tools)
      : readRecording(traffic.recorded, verification.add);
  const findings = await tools.locate(verification.findings(told.reasons));
  const lack = verification.lackOfProof();
  return reportFindings({
    ...{ findings, failing, required, shares: verification.shares(), tested: verification.cases() },
    causes: [...told.causes, ...(lack === undefined ? [] : [`No result: ${lack}`])],
    notes: told.notes,
  });
}

function readRecording({ exchanges, leftOut }: Recording, onExchange: CallOptions["onExchange"]) {
  for (const exchange of exchanges) onExchange(exchange);
  return { reasons: undefined, causes: [], notes: leftOut };
}

/** Plans the calls, tells what they will change, and makes them within the time limit. */
async function callServers(
  { sources, selected }: VerifyTask,
  { rate, limit: given, ...settings }: CallSettings,
  onExchange: CallOptions["onExchange"],
  { tell, whenStopped }: RunTools,
) {
  const called = sources.flatMap(({ server, ...one }) => (server === undefined ? [] : [{ ...one, server }]));
  const plan = planCalls(called, { ...settings, selected });
  for (const line of describePlan(plan, called, rate)) tell(line);
  const { requests, seconds, limit } = estimateRun(plan, settings.checks, rate, given);
  tell(`About ${countOf(requests, "request")} in ${seconds} s, with a time limit of ${limit} s\n`);
  const stopping = new AbortController();
  const stop = (reason: string) => {
    stopping.abort(new Error(reason));
  };
  void whenStopped().then(() => {
    stop("it was interrupted");
  });
  setTimeout(stop, limit * 1_000, `the time limit of ${limit} s was reached`).unref();
  const callTime = Math.min(10_000, limit * 100);
  const send = createSender({
    rate,
    callTime,
    takeStream: ({ leave }) => {
      leave();
    },
  });
  const outcome = await callOperations(plan, { ...settings, send, stop: stopping.signal, onExchange });
  return tellOutcome(outcome, settings.expected);
}

/** The state of a run. */
interface CallRun extends CallOptions {
  readonly plan: readonly PlannedCall[];
  readonly memory: RunMemory;
  readonly counts: CallCounts;
  /** Wrong requests for created resources, which are sent before these are deleted. */
  readonly deferred: (() => Promise<void>)[];
  /** The checks that have sent a wrong request. */
  readonly sent: Set<RequestCheck>;
}

/**
 * Calls the operations of a plan one after the other, and deletes the created resources. Returns the reasons for
 * skipped operations, the lasting changes, the refused credentials, the checks that sent nothing, and the reason for an
 * early end, if there is one. `isSilent`: the server has stopped responding.
 */
export async function callOperations(plan: readonly PlannedCall[], options: CallOptions) {
  const run: CallRun = {
    ...{ ...options, plan, deferred: [], sent: new Set() },
    memory: { seen: [], created: [], lasting: [] },
    counts: { credentials: new Map(), silent: [], limited: 0 },
  };
  const reasons = new Map<Operation, SkipReason>();
  for (const planned of plan) {
    if (mayDelete(planned.operation)) await sendDeferred(run);
    // Delete created resources even after the time limit, or with an operation that isn't selected.
    const deleted = planned.change?.kind === "deletes" ? await deleteCreated(run, planned) : 0;
    const ended = whyEnded(run);
    const isOver = ended === undefined ? undefined : untested.ended(ended);
    const reason = planned.reason ?? isOver ?? (await callPlanned(run, planned));
    if (reason !== undefined && deleted === 0) reasons.set(planned.operation, reason);
  }
  await sendDeferred(run);
  await listAgain(run);
  const unsent = [...run.checks]
    .filter((check) => !run.sent.has(check))
    .map((check) => explainUnsent(check, plan, (one) => plannedWrong(one, new Set([check])).length > 0, reasons));
  return {
    ...{ reasons, unsent, ended: whyEnded(run), isSilent: isSilent(run.counts) },
    ...{ lasting: lastingChanges(run.memory), refused: refusedCredentials(run.counts) },
  };
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
  const isHarmless = willBeDeleted(run, planned) || (planned.resource?.effect === "update" && target.own !== undefined);
  if (isSuccess && isHarmless && hasOptionalParts(run, planned, target))
    await call(run, planned, { ...target, isSmallest: true });
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

/** Returns whether the run has certainly created a resource with an operation, and can delete it. */
function willBeDeleted(run: CallRun, planned: PlannedCall): boolean {
  return run.plan
    .filter((one) => one.reason === undefined && deletesCreated(one, planned))
    .some((one) => ownTargets(run, one).some(({ own }) => own?.operation === planned.operation));
}

/**
 * Sends a request with valid content, has the exchange judged, and remembers what it shows. Returns the exchange and
 * whether it succeeded.
 */
async function call(run: CallRun, planned: PlannedCall, choice: CallChoice, stop = run.stop) {
  const request = serializeRequest(requestFor(run, planned, choice));
  const { method, url } = request;
  const unsent: Exchange = { method, url, request: { headers: [], body: undefined }, response: undefined };
  if (stop.aborted) return { exchange: unsent, isSuccess: false };
  const exchange = await run.send(request, stop);
  countResponse(run.counts, exchange);
  run.onExchange(exchange);
  const { status = 0 } = exchange.response ?? {};
  // Only the run's own credentials can be refused: not wrong ones, and not those of a created resource.
  if ((choice.schemes ?? schemesOf(run, planned, choice)) === planned.schemes)
    countCredentials(run.counts, planned, status);
  const shown = rememberChanges(run.memory, planned, choice, exchange);
  if (planned.resource?.effect !== "create") run.memory.seen.push(...shown);
  return { exchange, isSuccess: status >= 200 && status < 300 };
}

/** Reads a created or changed resource, so that responses can be compared. */
async function readWritten(run: CallRun, planned: PlannedCall, { own, path }: CallTarget): Promise<void> {
  const { server, resource, change } = planned;
  const created = run.memory.created.findLast((one) => one.server === server && one.type === resource?.type);
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

/** Lists the resources of the types of which the run created some, to see what else has changed. */
async function listAgain(run: CallRun): Promise<void> {
  const { created } = run.memory;
  const gone = created.filter(({ state }) => state === "deleted").map((one) => identifierIn(one.type, one.properties));
  const targets = new Map<PlannedCall, CallTarget>();
  for (const own of created) {
    const list = callOn(run, own.server, own.type, "list");
    if (list !== undefined) targets.set(list, callTarget(run, list, own));
  }
  for (const [list, target] of targets) {
    const { path } = target;
    const isBelowGone = [...path.values()].some((id) => gone.some((one) => String(one) === String(id)));
    const isPossible = !isBelowGone && !("code" in withWholePath(list.operation, target));
    if (isPossible && whyEnded(run) === undefined) await call(run, list, target);
  }
}

/** The call that reads resources of a type at the same server, if it's allowed. */
function readerOf(run: CallRun, { server }: PlannedCall, type: ResourceType | undefined): PlannedCall | undefined {
  return callOn(run, server, type, "read");
}

function callOn({ plan }: CallRun, server: string, type: ResourceType | undefined, effect: "list" | "read") {
  return plan.find(
    ({ resource, reason, change, ...one }) =>
      one.server === server &&
      reason === undefined &&
      change === undefined &&
      resource?.type === type &&
      resource?.effect === effect,
  );
}

/** Sends wrong variants of a right request. If they may change something, only for resources of the run. */
async function sendWrong(run: CallRun, planned: PlannedCall, target: CallTarget): Promise<void> {
  const { change } = planned;
  if (change !== undefined && change.kind !== "creates" && target.own === undefined) return;
  const right = { planned, sample: requestFor(run, planned, target), isOwn: target.own !== undefined };
  for (const wrong of wrongRequests(right, run.checks)) await sendOneWrong(run, planned, target, wrong);
}

async function sendOneWrong(run: CallRun, planned: PlannedCall, target: CallTarget, wrong: WrongRequest) {
  if (whyEnded(run) !== undefined || target.own?.state === "deleted") return;
  const exchange = await run.send(wrong.request, run.stop);
  if (wrong.check !== undefined) run.sent.add(wrong.check);
  countResponse(run.counts, exchange);
  run.onExchange(exchange, wrong);
  // A request with another method doesn't show the effects of the operation.
  if (wrong.check !== undefined && wrong.check !== "methods") rememberChanges(run.memory, planned, target, exchange);
}

async function sendDeferred({ deferred }: CallRun): Promise<void> {
  for (const send of deferred.splice(0)) await send();
}

/** Deletes stop after this number in a row without a response or with a 429, since no time limit ends them. */
const maxInVain = 3;

/** Tries to delete the created resources that an operation can delete. Returns their number. */
async function deleteCreated(run: CallRun, planned: PlannedCall): Promise<number> {
  const targets = ownTargets(run, planned);
  const [first] = targets;
  const isTested = first !== undefined && planned.reason === undefined && whyEnded(run) === undefined;
  if (isTested) await sendWrong(run, planned, first);
  let inVain = 0;
  for (const target of targets.filter(({ own }) => own?.state !== "deleted")) {
    if (inVain >= maxInVain) break;
    const { exchange, isSuccess } = await call(run, planned, target, new AbortController().signal);
    const { status = 429 } = exchange.response ?? {};
    inVain = status === 429 ? inVain + 1 : 0;
    if (isSuccess && isTested && target === first) await readDeleted(run, planned, target);
  }
  return targets.length;
}

/** Tries to read a deleted resource. */
async function readDeleted(run: CallRun, planned: PlannedCall, { path }: CallTarget): Promise<void> {
  const { generation, operation, change } = planned;
  const reader = readerOf(run, planned, change?.target?.type);
  if (reader === undefined || "code" in withWholePath(reader.operation, { path })) return;
  const wrong: WrongRequest = {
    ...{ check: undefined, kind: "doubt", generation: generation.name, operation, place: pointerTo(operation) },
    ...{ code: "deleted", rule: "a deleted resource can't be read", sent: `for ${reader.operation.name}` },
    request: serializeRequest(requestFor(run, reader, { path })),
  };
  await sendOneWrong(run, planned, { path }, wrong);
}

/**
 * What to say of the calls. `causes`: why the run has no result, or only a part of one: refused credentials, checks that
 * sent nothing, an early end. `notes`: the lasting changes, and the checks that have nothing to send.
 */
function tellOutcome(
  { reasons, lasting, refused, unsent, ended, isSilent }: Awaited<ReturnType<typeof callOperations>>,
  expected: CallSettings["expected"],
) {
  const isCause = ({ check, isPossible }: (typeof unsent)[number]) => isPossible || expected.has(check);
  const causes = [
    ...refused.map((use) => `Refused credentials: ${describeRefusedCredential(use)}`),
    ...unsent.filter(isCause).map(({ reason }) => reason),
    ...(ended === undefined ? [] : [`Ended early: ${ended}`]),
    ...(isSilent ? ["Check that the server runs, and its address in --server"] : []),
  ];
  const notes = [
    ...describeLastingChanges(lasting),
    ...unsent.filter((one) => !isCause(one)).map(({ reason }) => reason),
  ];
  return { reasons, causes: [...new Set(causes)], notes: [...new Set(notes)] };
}

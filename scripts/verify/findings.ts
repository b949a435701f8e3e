import type { Operation } from "../contract/generation.ts";
import type { SecurityScheme } from "../contract/security.ts";
import { getOrCreate } from "../values/collections.ts";
import { createExchangeCheck, type VerifiedGeneration } from "../exchange/checkExchange.ts";
import { createCoverage } from "./coverage.ts";
import { responseOf } from "../spec/openapi.ts";
import { isDefaultStatus } from "../spec/statusKeys.ts";
import { pathParameters } from "../spec/pathTemplate.ts";
import { pointerTo } from "../contract/operationPointer.ts";
import { hideCredentials, type Exchange } from "../exchange/exchange.ts";
import { createDoubtCheck } from "./doubts.ts";
import { gatherFindings, type CheckedObservation, type Finding } from "./gatherFindings.ts";
import { faultKinds, type Observation, type SkipReason } from "../exchange/observation.ts";
import { secretsOf } from "../exchange/secrets.ts";
import { reasonText } from "./skipReasons.ts";
import { judgeWrongRequest, type WrongRequest } from "./wrongRequests.ts";

/**
 * Collects the results of exchanges with some operations. `isComplete` is as in {@link createExchangeCheck}.
 * `maxTime`: responses that take more milliseconds are slow.
 */
export function createVerification(
  sources: readonly VerifiedGeneration[],
  selected: ReadonlySet<Operation>,
  isComplete: boolean,
  maxTime = Infinity,
) {
  const check = createChecks(sources, isComplete);
  const generations = sources.map(({ generation }) => generation);
  const secrets = secretsOf(generations);
  const contexts = sources.map(({ generation, server, credentials = new Map<string, SecurityScheme>() }) => ({
    ...{ generation, secrets, credentials: [...credentials.values()], isRecorded: !isComplete },
    origin: server === undefined ? undefined : new URL(server).origin,
  }));
  const coverage = createCoverage(selected);
  const observations: CheckedObservation[] = [];
  const cases = createCases();
  const answers = new Map<Operation, OperationResponse[]>();
  const silence = createSilence();
  const subjectOf = (operation: Operation): Subject => {
    const generation = generations.find(({ operations }) => operations.includes(operation))?.name ?? "";
    return { generation, operation: operation.name, place: pointerTo(operation) };
  };
  return {
    /**
     * Checks an exchange against the contract. Returns `undefined` if it isn't with the API. `wrong`: what is
     * wrong with the request, if the server must reject it.
     */
    add: (exchange: Exchange, wrong?: WrongRequest): readonly Observation[] | undefined => {
      const result = wrong === undefined ? check(exchange) : judge(wrong, exchange, check);
      const operation = result?.operation;
      if (result === undefined || (operation !== undefined && !selected.has(operation))) return undefined;
      const checked = wrong?.check ?? "responses";
      const kept = withoutContent(exchange);
      const found = [...result.observations];
      if (operation !== undefined) {
        const subject = subjectOf(operation);
        cases.add({ ...subject, operation: testedName(operation, exchange, checked) }, checked, exchange);
        found.push(...lateness(exchange, subject, maxTime));
      }
      const hide = hideCredentials(exchange, secrets);
      const told = found.map((one) => {
        // A doubt may be about an earlier exchange.
        const about = one.exchange === exchange ? kept : one.exchange && withoutContent(one.exchange);
        return { ...withoutSecrets({ ...one, exchange: about }, hide), check: checked };
      });
      observations.push(...told);
      silence.add(kept);
      if (operation !== undefined && exchange.response !== undefined && wrong === undefined) {
        const { status } = exchange.response;
        const isEmptyList = result.isEmptyList === true;
        const answer = { status, isTested: isExpected(operation, status) && !isEmptyList, isEmptyList, exchange: kept };
        getOrCreate(answers, operation, () => []).push(answer);
        coverage.add(operation, { status, isTested: answer.isTested, fields: result.fields ?? [] });
      }
      return told;
    },
    /** The current findings. `reasons`: the reasons for skipped operations, if this run calls operations. */
    findings: (reasons?: ReadonlyMap<Operation, SkipReason>): readonly Finding[] => {
      const known = silence.withoutOthers(observations);
      const told = new Set(known.filter(isWithoutResponse).map(({ operation }) => operation));
      const untested = generations
        .flatMap(({ operations }) => operations)
        .filter((operation) => selected.has(operation) && (answers.has(operation) || !told.has(operation.name)))
        .flatMap((operation) =>
          observeUntested(subjectOf(operation), operation, answers.get(operation) ?? [], reasons),
        );
      return gatherFindings([...known, ...untested], contexts);
    },
    /** The covered share of the contract. */
    shares: coverage.shares,
    /** The operations that got requests, with each check. */
    cases: cases.list,
    /** Why a run without contradictions would prove nothing. `undefined` if an operation was tested. */
    lackOfProof: () => lackOfProof([...answers.values()].flat()),
  };
}

/** Observes that no response of an operation proves anything, with the last response. Empty if one does. */
function observeUntested(
  subject: Subject,
  operation: Operation,
  came: readonly OperationResponse[],
  reasons: ReadonlyMap<Operation, SkipReason> | undefined,
): readonly CheckedObservation[] {
  if (came.some((one) => one.isTested)) return [];
  const reason = explainAnswers(operation, came, reasons);
  const about = { ...subject, exchange: came.at(-1)?.exchange, check: "responses", received: undefined };
  return [{ ...about, kind: "untested", code: reason.code, message: reasonText(reason), reason }];
}

/** Makes a function that checks an exchange against the generation that has its operation. */
function createChecks(sources: readonly VerifiedGeneration[], isComplete: boolean) {
  const checks = sources.map((source) =>
    createExchangeCheck(source, isComplete, createDoubtCheck(source.generation, isComplete)),
  );
  return (exchange: Exchange): ExchangeResult | undefined => {
    const results = checks.flatMap((check) => check(exchange) ?? []);
    return results.find(({ operation }) => operation !== undefined) ?? results[0];
  };
}

function lackOfProof(answers: readonly OperationResponse[]): string | undefined {
  if (answers.some((one) => one.isTested)) return undefined;
  if (answers.some(({ status }) => status < 300)) return "all responses were empty lists";
  const isUnknown = answers.length > 0 && answers.every(({ status }) => status === 404);
  return `no operation succeeded${isUnknown ? ": each response was a 404. Check the address of the server" : ""}`;
}

/** Makes functions that count the time of operations with each check. */
function createCases() {
  const cases = new Map<string, TestedCase>();
  return {
    add: ({ generation, operation }: Omit<Subject, "place">, check: string, { duration = 0 }: Exchange): void => {
      const key = JSON.stringify([generation, operation, check]);
      const known = getOrCreate(cases, key, () => ({ generation, operation, check, seconds: 0 }));
      known.seconds += duration / 1_000;
    },
    list: (): readonly TestedCase[] => [...cases.values()],
  };
}

/**
 * Makes functions that find out which requests had no response because the server had failed before. Only another response
 * shows that it hadn't. If no response came at all, each of them is untested.
 */
function createSilence() {
  let hasResponse = false;
  let exchanges: Exchange[] = [];
  return {
    add: (exchange: Exchange): void => {
      hasResponse ||= exchange.response !== undefined;
      if (exchange.response === undefined) exchanges.push(exchange);
      else exchanges = [];
    },
    /** Observations in which only the first of the last exchanges without a response is a failure of the server. */
    withoutOthers: (observations: readonly CheckedObservation[]): readonly CheckedObservation[] => {
      const others = new Set<Exchange | undefined>(hasResponse ? exchanges.slice(1) : exchanges);
      return observations.flatMap((one) => {
        if (!others.has(one.exchange) || one.kind !== "server error") return [one];
        // A wrong request says nothing about the operation.
        if (one.check !== "responses") return [];
        const { code, received: message = one.message } = one;
        return [{ ...one, kind: "untested" as const, message, reason: { code, text: message }, received: undefined }];
      });
    },
  };
}

function isWithoutResponse({ kind, exchange }: CheckedObservation): boolean {
  return kind === "untested" || (exchange !== undefined && exchange.response === undefined);
}

/** The name of the tested operation. An unlisted method isn't an operation of the contract. */
function testedName({ name, path }: Operation, { method }: Exchange, check: string): string {
  return check === "methods" ? `${method} ${path}` : name;
}

/** An observation without credentials. `hide` masks those of its exchange in a text. */
function withoutSecrets(observation: Observation, hide: (text: string) => string): Observation {
  const { message, received, place, shape } = observation;
  const form = JSON.stringify(shape);
  // A server may repeat a credential as a property's name, too.
  const safeShape = shape && hide(form) === form ? shape : undefined;
  const texts = { message: hide(message), received: received && hide(received), place: hide(place) };
  return { ...observation, ...texts, shape: safeShape };
}

/**
 * An exchange without the body of its response, which findings don't use, and which would fill the memory.
 */
function withoutContent(exchange: Exchange): Exchange {
  return { ...exchange, ...(exchange.response && { response: { ...exchange.response, body: undefined } }) };
}

/**
 * Judges the response to a wrong request. Rejecting it is correct, but the response may have other problems,
 * and for some requests, only a response shows whether a success is wrong.
 */
function judge(
  wrong: WrongRequest,
  exchange: Exchange,
  check: (exchange: Exchange) => ExchangeResult | undefined,
): ExchangeResult {
  const { status = 0 } = exchange.response ?? {};
  const { operation, proof } = wrong;
  const isRead = status >= 200 && status < 300 && (proof === "content" || proof === "items");
  const checked = (status >= 400 && status < 500) || isRead ? check(exchange) : undefined;
  // A parent that nobody has may have nothing below it.
  if (isRead && proof === "items" && checked?.isEmptyList === true) return { operation, observations: [] };
  const told = [...judgeWrongRequest(wrong, exchange), ...(checked?.observations ?? [])];
  const observations = told.filter(({ kind }) => kind === "doubt" || faultKinds.includes(kind));
  return { operation, observations };
}

type ExchangeResult = NonNullable<ReturnType<ReturnType<typeof createExchangeCheck>>>;

/** What observations about an operation have in common. */
type Subject = Pick<Observation, "generation" | "operation" | "place">;

/** Observes a response that took too long. */
function lateness(exchange: Exchange, subject: Subject, maxTime: number): readonly Observation[] {
  const time = exchange.duration ?? 0;
  if (time <= maxTime) return [];
  const fact = { kind: "doubt", code: "slow", direction: "response", received: `${Math.ceil(time)} ms` } as const;
  return [{ ...subject, ...fact, message: `a response takes at most ${maxTime} ms`, exchange }];
}

/** An operation that got requests, with one check. */
export interface TestedCase extends Pick<CheckedObservation, "generation" | "operation" | "check"> {
  /** The time of its responses together. */
  seconds: number;
}

/** The response of an operation. */
interface OperationResponse {
  readonly exchange: Exchange;
  readonly status: number;
  /** True if the response proves more than that the operation exists. */
  readonly isTested: boolean;
  /** True if the response succeeded with an empty list. */
  readonly isEmptyList: boolean;
}

/** Checks whether a status is a success, or a redirect that the contract lists. */
function isExpected({ responses }: Operation, status: number): boolean {
  const listed = status < 400 ? responseOf(responses, status) : undefined;
  return status < 300 || (listed !== undefined && !isDefaultStatus(listed.status));
}

/** Explains why the responses of an operation tested nothing. */
function explainAnswers(
  operation: Operation,
  came: readonly OperationResponse[],
  reasons: ReadonlyMap<Operation, SkipReason> | undefined,
): SkipReason {
  if (came.some(({ isEmptyList }) => isEmptyList)) return { code: "empty-list", text: "its list was empty" };
  const reason = reasons?.get(operation);
  if (reason !== undefined) return reason;
  const statuses = new Set(came.map(({ status }) => status));
  if (statuses.size === 0) return { code: "no-exchange", text: "no exchange" };
  const failures = `only failures: ${[...statuses].join(", ")}`;
  const names = pathParameters(operation.path);
  const isUnknown = reasons !== undefined && statuses.has(404) && names.length > 0;
  const advice = isUnknown ? `. Name an existing resource with --values, by its ${names.join(" and ")}` : "";
  return { code: "only-failures", text: failures + advice };
}

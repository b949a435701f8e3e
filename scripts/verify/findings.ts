import type { Operation } from "../contract/generation.ts";
import { recall } from "../contract/text.ts";
import { createExchangeCheck, type VerifiedGeneration } from "./checkExchange.ts";
import { createCoverage } from "./coverage.ts";
import { pathParameters } from "../spec/pathTemplate.ts";
import { pointerTo } from "../exchange/describedValues.ts";
import { hideCredentials, type Exchange } from "../exchange/exchange.ts";
import { gatherFindings, type Finding } from "./gatherFindings.ts";
import { faultKinds, type Observation } from "./observation.ts";
import { secretsOf } from "../exchange/secrets.ts";
import { judgeWrongRequest, type WrongRequest } from "./wrongRequests.ts";

/**
 * Gathers what exchanges tell about some operations. `isComplete` is as in {@link createExchangeCheck}. `maxTime`: the
 * milliseconds after which a response is slow.
 */
export function createVerification(
  sources: readonly VerifiedGeneration[],
  selected: ReadonlySet<Operation>,
  isComplete: boolean,
  maxTime = Infinity,
) {
  const checks = sources.map((source) => createExchangeCheck(source, isComplete));
  const secrets = secretsOf(sources.map(({ generation }) => generation));
  const coverage = createCoverage(selected);
  const observations: Observation[] = [];
  const answers = new Map<Operation, Answer[]>();
  const generationOf = (operation: Operation) =>
    sources.find(({ generation }) => generation.operations.includes(operation))?.generation.name ?? "";
  const check = (exchange: Exchange) => {
    const results = checks.flatMap((one) => one(exchange) ?? []);
    return results.find(({ operation }) => operation !== undefined) ?? results[0];
  };
  return {
    /**
     * Holds an exchange against the contract; `undefined` if it is none with the API. `wrong`: what has to be refused in the
     * request.
     */
    add: (exchange: Exchange, wrong?: WrongRequest): readonly Observation[] | undefined => {
      const result = wrong === undefined ? check(exchange) : judge(wrong, exchange, check);
      const operation = result?.operation;
      if (result === undefined || (operation !== undefined && !selected.has(operation))) return undefined;
      const hide = hideCredentials(exchange, secrets);
      const late = operation === undefined ? [] : lateness(exchange, operation, maxTime, generationOf(operation));
      // What came back is in no finding, and would fill the memory.
      const kept = withoutContent(exchange);
      const told = [...result.observations, ...late].map(({ message, received, place, shape, ...one }): Observation => {
        const form = JSON.stringify(shape);
        const shown = { message: hide(message), received: received && hide(received), place: hide(place) };
        // A doubt may be about an earlier exchange.
        const about = one.exchange === exchange ? kept : one.exchange && withoutContent(one.exchange);
        // A server may repeat a credential as a name, too.
        return { ...one, ...shown, exchange: about, shape: shape && hide(form) === form ? shape : undefined };
      });
      observations.push(...told);
      if (operation !== undefined && exchange.response !== undefined && wrong === undefined) {
        const { status } = exchange.response;
        const answer = { status, isEmptyList: result.isEmptyList === true };
        recall(answers, operation, () => []).push(answer);
        coverage.add(operation, { status, isTested: isTested(answer), fields: result.fields ?? [] });
      }
      return told;
    },
    /** Everything that is known now. `reasons` say why operations were not called, of a run that calls them. */
    findings: (reasons?: ReadonlyMap<Operation, string>): readonly Finding[] => {
      const told = new Set(observations.filter(({ kind }) => kind === "untested").map(({ operation }) => operation));
      const untested: Observation[] = [];
      for (const { generation } of sources) {
        for (const operation of generation.operations.filter((one) => selected.has(one))) {
          const { name } = operation;
          const came = answers.get(operation) ?? [];
          if (came.some(isTested) || (came.length === 0 && told.has(name))) continue;
          const message = describeAnswers(operation, came, reasons);
          const common = { generation: generation.name, operation: name, place: pointerTo(operation) };
          untested.push({ kind: "untested", ...common, message, received: undefined, exchange: undefined });
        }
      }
      const generations = sources.map(({ generation }) => generation);
      return gatherFindings([...observations, ...untested], generations, secrets);
    },
    /** How much of the contract was seen. */
    shares: coverage.shares,
    /** True if any operation was tested, so that not being contradicted means something. */
    hasProof: () => [...answers.values()].flat().some(isTested),
  };
}

/** An exchange without the body of its response. */
function withoutContent(exchange: Exchange): Exchange {
  return { ...exchange, ...(exchange.response && { response: { ...exchange.response, body: undefined } }) };
}

/** What the response to a wrong request tells: that it is refused is no news, but the refusal may be wrong. */
function judge(
  wrong: WrongRequest,
  exchange: Exchange,
  check: (exchange: Exchange) => ExchangeResult | undefined,
): ExchangeResult {
  const { status = 0 } = exchange.response ?? {};
  const refusal = status >= 400 && status < 500 ? check(exchange) : undefined;
  const told = [...judgeWrongRequest(wrong, exchange), ...(refusal?.observations ?? [])];
  const observations = told.filter(({ kind }) => kind === "doubt" || faultKinds.includes(kind));
  return { operation: wrong.operation, observations };
}

type ExchangeResult = NonNullable<ReturnType<ReturnType<typeof createExchangeCheck>>>;

/** Tells of a response that took too long. */
function lateness(
  exchange: Exchange,
  operation: Operation,
  maxTime: number,
  generation: string,
): readonly Observation[] {
  const time = exchange.timing?.duration ?? 0;
  if (time <= maxTime) return [];
  const common = {
    kind: "doubt",
    generation,
    operation: operation.name,
    place: pointerTo(operation),
    exchange,
  } as const;
  return [{ ...common, message: `a response takes ${maxTime} ms at most`, received: `${Math.ceil(time)} ms` }];
}

/** How an operation answered. */
interface Answer {
  readonly status: number;
  /** True if it succeeded, and all that came was a list without items. */
  readonly isEmptyList: boolean;
}

/** Tells whether an answer says more than that the operation is there. */
function isTested({ status, isEmptyList }: Answer): boolean {
  return status < 300 && !isEmptyList;
}

/** Why nothing was tested by some answers of an operation. */
function describeAnswers(
  operation: Operation,
  came: readonly Answer[],
  reasons: ReadonlyMap<Operation, string> | undefined,
): string {
  if (came.some(({ isEmptyList }) => isEmptyList)) return "its list was empty, so no item was checked";
  const reason = reasons?.get(operation);
  if (reason !== undefined) return reason;
  const statuses = new Set(came.map(({ status }) => status));
  if (statuses.size === 0) return "no exchange with it";
  const failures = `only failures came: ${[...statuses].join(", ")}`;
  const names = pathParameters(operation.path);
  const isUnknown = reasons !== undefined && statuses.has(404) && names.length > 0;
  return isUnknown ? `${failures}; --values can name what exists, by its ${names.join(" and ")}` : failures;
}

import type { Operation } from "../contract/generation.ts";
import { recall } from "../contract/text.ts";
import { createExchangeCheck, type VerifiedGeneration } from "./checkExchange.ts";
import { createCoverage } from "./coverage.ts";
import { pathParameters } from "../spec/pathTemplate.ts";
import { pointerTo } from "../exchange/describedValues.ts";
import { hideCredentials, type Exchange } from "../exchange/exchange.ts";
import { gatherFindings, type Finding } from "./gatherFindings.ts";
import type { Observation } from "./observation.ts";
import { secretsOf } from "../exchange/secrets.ts";

/** Gathers what exchanges tell about some operations. `isComplete` is as in {@link createExchangeCheck}. */
export function createVerification(
  sources: readonly VerifiedGeneration[],
  selected: ReadonlySet<Operation>,
  isComplete: boolean,
) {
  const checks = sources.map((source) => createExchangeCheck(source, isComplete));
  const secrets = secretsOf(sources.map(({ generation }) => generation));
  const coverage = createCoverage(selected);
  const observations: Observation[] = [];
  const answers = new Map<Operation, Answer[]>();
  return {
    /** Holds an exchange against the contract; `undefined` if it is none with the API. */
    add: (exchange: Exchange): readonly Observation[] | undefined => {
      const results = checks.flatMap((check) => check(exchange) ?? []);
      const result = results.find(({ operation }) => operation !== undefined) ?? results[0];
      const operation = result?.operation;
      if (result === undefined || (operation !== undefined && !selected.has(operation))) return undefined;
      const hide = hideCredentials(exchange, secrets);
      // What came back is in no finding, and would fill the memory.
      const kept = { ...exchange, ...(exchange.response && { response: { ...exchange.response, body: undefined } }) };
      const told = result.observations.map(({ message, received, place, shape, ...one }): Observation => {
        const form = JSON.stringify(shape);
        const shown = { message: hide(message), received: received && hide(received), place: hide(place) };
        // A server may repeat a credential as a name, too.
        return { ...one, ...shown, exchange: kept, shape: shape && hide(form) === form ? shape : undefined };
      });
      observations.push(...told);
      if (operation !== undefined && exchange.response !== undefined) {
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

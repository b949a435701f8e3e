import type { Generation } from "../contract/generation.ts";
import { compareText } from "../values/text.ts";
import { groupBy } from "../values/collections.ts";
import { jsonPointer, pointerKeys } from "../values/json.ts";
import { exchangeCommand, type CommandContext } from "./exchangeCommand.ts";
import { faultKinds, findingKinds, type Observation } from "../exchange/observation.ts";
import { proposalOf, type Proposal } from "./proposals.ts";

/** A statement of the contract, and the observations about it in all exchanges. Several operations may share it. */
export interface Finding extends Pick<
  Observation,
  "kind" | "generation" | "operation" | "place" | "code" | "direction" | "expected" | "reason"
> {
  readonly message: string;
  /** The received values, most frequent first, with the number of exchanges. */
  readonly received: readonly (readonly [text: string, count: number])[];
  readonly count: number;
  /** A command line that sends the first of these requests, without secrets. */
  readonly curl: string | undefined;
  readonly operations: readonly FoundOperation[];
  /** Lines that would fill the gap in the sources. `undefined` if there are none. */
  readonly proposal: Proposal | undefined;
}

/** An operation with a finding, the place in the contract, and the checks that found it. */
interface FoundOperation extends Pick<Observation, "generation" | "operation" | "place"> {
  readonly checks: readonly string[];
}

/** An observation, and the check that made it: `responses`, or the name of a check with wrong requests. */
export interface CheckedObservation extends Observation {
  readonly check: string;
}

/** Combines observations into findings, one for each cause. The most important kinds come first. */
export function gatherFindings(
  observations: readonly CheckedObservation[],
  contexts: readonly Omit<CommandContext, "isMade" | "operation">[],
): readonly Finding[] {
  const depths = new Map(contexts.map(({ generation }) => [generation.name, depthsOf(generation)]));
  /** The place within its operation, or the whole place if operations share it. */
  const ownPlace = ({ generation, operation, place }: Observation) => {
    const depth = depths.get(generation)?.get(operation) ?? [];
    const keys = pointerKeys(place);
    return depth.every((key, index) => keys[index] === key) ? jsonPointer(keys.slice(depth.length)) : place;
  };
  const faulty = new Set(observations.filter(({ kind }) => faultKinds.includes(kind)).map(({ exchange }) => exchange));
  const byOperation = groupBy(observations, ({ kind, generation, operation, message, place }) =>
    JSON.stringify([kind, generation, operation, message, place]),
  );
  const causes = groupBy([...byOperation.values()], (group) => causeOf(group, ownPlace));
  const total = operationsIn(observations.filter(({ exchange }) => exchange?.response !== undefined)).length;
  const found = [...causes.values()].flatMap((groups): Finding[] => {
    const group = groups.flat();
    const [first] = group;
    if (first === undefined) return [];
    const operations = operationsIn(group);
    // A finding about every response doesn't belong to one operation.
    const isEverywhere = isOfHeaders(first) && total > 1 && operations.length === total;
    const operation = isEverywhere ? "*" : first.operation;
    const { kind, generation, place, code, direction, expected, message, reason, exchange, check } = first;
    const count = new Set(group.map((one) => one.exchange)).size;
    const context = contexts.find((one) => one.generation.name === generation);
    // `undefined` for `*`, and for an operation that the contract doesn't have.
    const named = context?.generation.operations.find(({ name }) => name === first.operation);
    const isMade = check !== "responses";
    const curl = exchange && context && exchangeCommand(exchange, { ...context, operation: named, isMade });
    const proposal = proposalOf(group.filter((one) => !faulty.has(one.exchange)));
    const facts = { kind, code, direction, generation, operation, operations, place, expected, message, reason };
    return [{ ...facts, received: receivedIn(group), count, curl, proposal }];
  });
  return found.sort((a, b) => findingKinds.indexOf(a.kind) - findingKinds.indexOf(b.kind));
}

/** The JSON Pointer keys of the operations of a generation, by name. */
function depthsOf({ operations }: Generation): ReadonlyMap<string, readonly string[]> {
  return new Map(operations.map(({ name, pointer }) => [name, pointerKeys(pointer)]));
}

function isOfHeaders({ place }: Observation): boolean {
  return place.endsWith("/headers");
}

/**
 * The key of an observation's cause. Observations at the same place have one cause, whatever was received. Observations
 * at the same place in several operations have one cause only if the received values are equal.
 */
function causeOf(group: readonly Observation[], ownPlace: (observation: Observation) => string): string {
  const [first] = group;
  if (first === undefined) return "";
  const { kind, generation, message } = first;
  if (isOfHeaders(first)) return JSON.stringify([kind, message]);
  const place = ownPlace(first);
  const came = place === first.place ? [] : [...new Set(group.map(({ received = "" }) => received))].sort(compareText);
  return JSON.stringify([kind, generation, message, place, came]);
}

function operationsIn(observations: readonly CheckedObservation[]): Finding["operations"] {
  const groups = groupBy(observations, ({ generation, operation }) => `${generation} ${operation}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { generation, operation, place } = first;
    return [{ generation, operation, place, checks: [...new Set(group.map(({ check }) => check))] }];
  });
}

/** The received values, most frequent first, with the number of exchanges. An exchange may repeat a value. */
function receivedIn(group: readonly Observation[]): Finding["received"] {
  const texts = groupBy(
    group.filter(({ received }) => received !== undefined),
    ({ received }) => received ?? "",
  );
  return Array.from(texts, ([text, all]) => [text, new Set(all.map(({ exchange }) => exchange)).size] as const).sort(
    ([, a], [, b]) => b - a,
  );
}

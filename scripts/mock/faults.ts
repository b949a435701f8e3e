import { createHash, randomUUID } from "node:crypto";
import { closest } from "fastest-levenshtein";
import type { Generation, Operation } from "../contract/generation.ts";
import { jsonPointer } from "../spec/jsonPointer.ts";
import { isObject } from "../spec/json.ts";
import type { Delay, FaultRule, FaultRules } from "./mockTypes.ts";
import { isRefusal, listedViolations, refuseContent, type Refusal, type Violation } from "./response/refusal.ts";
import { shorten } from "./secrets.ts";

/** A fault that is injected into the response to one request. */
export interface Fault extends Pick<FaultRule, "bytesPerSecond" | "delivery" | "retryAfter" | "status"> {
  /** In milliseconds. */
  readonly delay: number;
  /** The rule or option that asks for it, as a sentence; `undefined` if only `latency` does. */
  readonly reason?: string;
}

export interface FaultOptions {
  readonly latency?: Delay | undefined;
  readonly fail?: number | undefined;
  readonly seed?: string | undefined;
}

/** The fault rules of a session, and what they have decided so far. */
export interface Faults {
  readonly list: () => readonly FaultRule[];
  readonly set: (rules: readonly FaultRule[]) => void;
  /** Decides what happens to the next request to an operation, and counts it. */
  readonly next: (operation: Operation, generation: string) => Fault;
}

/** The longest delay, in milliseconds: more is a mistake in the unit. */
export const longestDelay = 60_000;
const mostRules = 100;

const noFault: Fault = { delay: 0 };

/**
 * Makes a list of fault rules, which is empty at first. Faults depend on the seed, the rules and the requests to
 * an operation since the rules were set; it is the same however they interleave with requests to others.
 * Throws `TypeError` if an option is not what it should be.
 */
export function createFaults({ latency = 0, fail = 0, seed = randomUUID() }: FaultOptions): Faults {
  if (!members.delay.accepts(latency)) throw new TypeError(`latency must be ${members.delay.expected}`);
  if (!members.probability.accepts(fail)) throw new TypeError(`fail must be ${members.probability.expected}`);
  let rules: readonly FaultRule[] = [];
  let drawn = new Map<string, number>();

  /** A number from 0 to 1, without 1. */
  const draw = ({ name }: Operation): number => {
    const count = drawn.get(name) ?? 0;
    drawn.set(name, count + 1);
    return (
      createHash("sha256")
        .update(JSON.stringify([seed, name, count]))
        .digest()
        .readUInt32BE() /
      2 ** 32
    );
  };
  const happens = (operation: Operation, probability = 1) =>
    probability === 1 || (probability > 0 && draw(operation) < probability);
  const drawDelay = (operation: Operation, delay: Delay) => {
    if (typeof delay === "number") return delay;
    const [least, most] = delay;
    return Math.round(least + draw(operation) * (most - least));
  };
  return {
    list: () => rules,
    set: (next) => {
      // Two that are equal are still two, and the caller may change its own.
      rules = next.map((rule) => ({ ...rule }));
      drawn = new Map();
    },
    next: (operation, generation) => {
      if (rules.length === 0 && fail === 0 && latency === 0) return noFault;
      const rule = rules.find(
        (candidate) => concerns(candidate, operation, generation) && happens(operation, candidate.probability),
      );
      if (rule === undefined) {
        const failure = happens(operation, fail)
          ? { status: 503, reason: `The mock fails requests with a probability of ${fail}, as it was started.` }
          : {};
        return { ...failure, delay: drawDelay(operation, latency) };
      }
      if (rule.times !== undefined) rules = rules.flatMap((other) => (other === rule ? useUp(other) : [other]));
      return { ...rule, delay: drawDelay(operation, rule.delay ?? latency), reason: describeRule(rule) };
    },
  };
}

/** The rules of all sessions as programs see them: what is wrong with one is thrown. */
export function faultRules(
  faultsOf: (session?: string) => Faults,
  generations: () => readonly Generation[],
): FaultRules {
  return {
    list: (session) => faultsOf(session).list(),
    set: (rules, session) => {
      faultsOf(session).set(orThrow(readRules(rules, generations())));
    },
    add: (rule, session) => {
      const { list, set } = faultsOf(session);
      set([...list(), orThrow(readRule(rule, list(), generations()))]);
    },
    clear: (session) => {
      faultsOf(session).set([]);
    },
  };
}

function orThrow<T extends object>(value: T | Refusal): T {
  if (isRefusal(value)) throw new TypeError(value.detail);
  return value;
}

/** Reads a delay; `undefined` if the text is not a number of milliseconds, or is too large. */
export function readDelay(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) && isDelay(Number(text)) ? Number(text) : undefined;
}

/** Checks a list of fault rules, which may only name operations of some generations. */
export function readRules(value: unknown, generations: readonly Generation[]): readonly FaultRule[] | Refusal {
  if (!Array.isArray(value)) return refuseContent([violation("", "The fault rules must be an array.")]);
  if (value.length > mostRules) return tooMany;
  const items: readonly unknown[] = value;
  const rules: FaultRule[] = [];
  const violations: Violation[] = [];
  for (const [index, item] of items.entries()) {
    const found = checkRule(item, `/${index}`, generations);
    if (isRule(item, found)) rules.push(item);
    violations.push(...found);
    if (violations.length >= listedViolations) break;
  }
  return violations.length === 0 ? rules : refuseContent(violations);
}

/** Checks a fault rule that is to be added to others. */
export function readRule(
  value: unknown,
  others: readonly FaultRule[],
  generations: readonly Generation[],
): FaultRule | Refusal {
  if (others.length >= mostRules) return tooMany;
  const violations = checkRule(value, "", generations);
  return isRule(value, violations) ? value : refuseContent(violations);
}

function checkRule(value: unknown, pointer: string, generations: readonly Generation[]): readonly Violation[] {
  if (!isObject(value)) return [violation(pointer, "A fault rule must be an object.")];
  const given = Object.entries(value).filter(([, member]) => member !== undefined);
  const wrong = given.flatMap(([name, member]) => checkMember(pointer + jsonPointer([shorten(name)]), name, member));
  if (wrong.length > 0) return wrong.slice(0, listedViolations);
  if (!given.some(([name]) => effects.includes(name))) {
    return [violation(pointer, `A fault rule must have at least one of ${effects.join(", ")}.`, effects)];
  }
  return checkNames(value, pointer, generations);
}

function checkMember(pointer: string, name: string, value: unknown): readonly Violation[] {
  const names = Object.keys(members);
  const member = Object.entries(members).find(([known]) => known === name)?.[1];
  if (member === undefined) {
    const message = `${pointer}: a fault rule has no such member; it may have ${names.join(", ")}.`;
    return [violation(pointer, message, names)];
  }
  return member.accepts(value) ? [] : [violation(pointer, `${pointer} must be ${member.expected}.`)];
}

function checkNames(
  { operation, generation }: Readonly<Record<string, unknown>>,
  pointer: string,
  generations: readonly Generation[],
): readonly Violation[] {
  const named = generations.filter(({ name }) => generation === undefined || name === generation);
  if (named.length === 0)
    return [
      unknownName(
        `${pointer}/generation`,
        generation,
        generations.map(({ name }) => name),
      ),
    ];
  const ids = named.flatMap(({ operations }) => operations.flatMap(({ operationId }) => operationId ?? []));
  if (operation === undefined || ids.some((id) => id === operation)) return [];
  const elsewhere = generations.filter(({ operations }) =>
    operations.some(({ operationId }) => operationId === operation),
  );
  if (elsewhere.length === 0) return [unknownName(`${pointer}/operation`, operation, ids)];
  const owners = new Intl.ListFormat("en").format(elsewhere.map(({ name }) => name));
  return [
    violation(
      `${pointer}/operation`,
      `${pointer}/operation: ${String(generation)} has no such operation, but ${owners} does.`,
    ),
  ];
}

function unknownName(pointer: string, value: unknown, names: readonly string[]): Violation {
  // Long names are compared by their beginnings only, so that no request takes long.
  const name = String(value).slice(0, 200);
  const nearest = names.length === 0 ? undefined : closest(name, names);
  const kind = pointer.endsWith("/operation") ? "operation has the operationId" : "generation has the name";
  const hint = nearest === undefined ? "" : ` The most similar one is ${JSON.stringify(nearest)}.`;
  return violation(pointer, `${pointer}: no ${kind} ${JSON.stringify(shorten(name))}.${hint}`, nearest);
}

function violation(pointer: string, message: string, expected?: unknown): Violation {
  return { in: "body", pointer, message, ...(expected !== undefined && { expected }) };
}

const tooMany = refuseContent([violation("", `There can be no more than ${mostRules} fault rules.`)]);

/** Tells whether a value is a fault rule, by its violations. */
function isRule(value: unknown, violations: readonly Violation[]): value is FaultRule {
  return isObject(value) && violations.length === 0;
}

function concerns(rule: FaultRule, { operationId }: Operation, generation: string): boolean {
  return (rule.operation ?? operationId) === operationId && (rule.generation ?? generation) === generation;
}

function useUp({ times = 1, ...rule }: FaultRule): readonly FaultRule[] {
  return times === 1 ? [] : [{ ...rule, times: times - 1 }];
}

function describeRule({ operation = "every operation", status, delay, bytesPerSecond, delivery }: FaultRule): string {
  const effects = [
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(delay === undefined ? [] : [`a delay of ${[delay].flat().join(" to ")} ms`]),
    ...(bytesPerSecond === undefined ? [] : [`${bytesPerSecond} bytes per second`]),
    ...(delivery === undefined ? [] : [deliveries[delivery]]),
  ];
  return `A fault rule for ${operation} asks for ${new Intl.ListFormat("en").format(effects)}.`;
}

const deliveries = {
  none: "no response",
  reset: "a connection reset",
  truncated: "a truncated response",
} satisfies Record<NonNullable<FaultRule["delivery"]>, string>;

interface Member {
  /** Continues "must be". */
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

const text: Member = { expected: "a string", accepts: (value) => typeof value === "string" };

/** The members of a fault rule and their values. */
const members = {
  operation: text,
  generation: text,
  status: wholeNumber(400, 599),
  retryAfter: wholeNumber(0, 2 ** 31),
  delay: {
    expected: `a number of milliseconds from 0 to ${longestDelay}, or an array of two of them, the smaller one first`,
    accepts: (value) => isDelay(value) || (Array.isArray(value) && isRange(value)),
  },
  bytesPerSecond: wholeNumber(1, 2 ** 31),
  delivery: {
    expected: new Intl.ListFormat("en", { type: "disjunction" }).format(
      Object.keys(deliveries).map((name) => JSON.stringify(name)),
    ),
    accepts: (value) => typeof value === "string" && Object.hasOwn(deliveries, value),
  },
  times: wholeNumber(1, 2 ** 31),
  probability: {
    expected: "a number from 0 to 1",
    accepts: (value) => typeof value === "number" && value >= 0 && value <= 1,
  },
} satisfies Record<keyof FaultRule, Member>;

/** The members that say what happens. */
const effects: readonly string[] = ["status", "delay", "bytesPerSecond", "delivery"] satisfies (keyof FaultRule)[];

function wholeNumber(least: number, most: number): Member {
  return {
    expected: `a whole number from ${least} to ${most}`,
    accepts: (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
  };
}

function isDelay(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= longestDelay;
}

function isRange([least, most, ...others]: readonly unknown[]): boolean {
  return isDelay(least) && isDelay(most) && least <= most && others.length === 0;
}

import { closest } from "fastest-levenshtein";
import type { Generation } from "../contract/generation.ts";
import { isObject } from "../spec/json.ts";
import { jsonPointer } from "../spec/jsonPointer.ts";
import type { FaultRule } from "./mockTypes.ts";
import { listedViolations, refuseContent, type Refusal, type Violation } from "./response/refusal.ts";
import { shorten } from "./secrets.ts";

/** The longest delay, in milliseconds: more is a mistake in the unit. */
export const longestDelay = 60_000;
const mostRules = 100;

/** Reads a delay; `undefined` if the text is not a number of milliseconds, or is too large. */
export function readDelay(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) && isDelay(Number(text)) ? Number(text) : undefined;
}

/** Checks a list of fault rules, which may only name operations of some generations. */
export function readRules(value: unknown, generations: readonly Generation[]): readonly FaultRule[] | Refusal {
  if (!Array.isArray(value)) return refuseContent([violation("", "The fault rules must be an array.")]);
  if (value.length > mostRules) return tooMany;
  const rules: FaultRule[] = [];
  const violations: Violation[] = [];
  for (const [index, item] of value.entries()) {
    if (violations.length >= listedViolations) break;
    const found = checkRule(item, `/${index}`, generations);
    if (isRule(item, found)) rules.push(item);
    violations.push(...found);
  }
  return violations.length === 0 ? rules : refuseContent(violations);
}

/** Checks a fault rule, and returns it after the others. */
export function addRule(
  value: unknown,
  others: readonly FaultRule[],
  generations: readonly Generation[],
): readonly FaultRule[] | Refusal {
  if (others.length >= mostRules) return tooMany;
  const violations = checkRule(value, "", generations);
  return isRule(value, violations) ? [...others, value] : refuseContent(violations);
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
  const namesOf = (some: readonly Generation[]) => some.map(({ name }) => name);
  const named = generations.filter(({ name }) => generation === undefined || name === generation);
  if (named.length === 0) return [unknownName(`${pointer}/generation`, generation, namesOf(generations))];
  const hasOperation = ({ operations }: Generation) => operations.some(({ operationId }) => operationId === operation);
  if (operation === undefined || named.some(hasOperation)) return [];
  const owners = namesOf(generations.filter(hasOperation));
  if (owners.length === 0) {
    const ids = named.flatMap(({ operations }) => operations.flatMap(({ operationId }) => operationId ?? []));
    return [unknownName(`${pointer}/operation`, operation, ids)];
  }
  const list = new Intl.ListFormat("en").format(owners);
  const message = `${pointer}/operation: ${String(generation)} has no such operation, but ${list} does.`;
  return [violation(`${pointer}/operation`, message)];
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

function isRule(value: unknown, violations: readonly Violation[]): value is FaultRule {
  return isObject(value) && violations.length === 0;
}

/** The ways in which a response can break, in words. */
export const deliveries = {
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
export const members = {
  operation: text,
  generation: text,
  status: wholeNumber(400, 599),
  retryAfter: wholeNumber(0, 2 ** 31),
  delay: {
    expected: `a number of milliseconds from 0 to ${longestDelay}, or an array of two of them, the smaller one first`,
    accepts: (value) =>
      isDelay(value) ||
      (Array.isArray(value) && value.length === 2 && value.every(isDelay) && Number(value[0]) <= Number(value[1])),
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

import type { Operation } from "../../contract/generation.ts";
import type { Delay, FaultRule, ListedRule, MockOptions } from "../mockTypes.ts";
import { withoutMembers } from "../../values/json.ts";
import type { Budget } from "../state/budget.ts";
import { delays, isDelay } from "../content/delays.ts";
import { hashOf } from "../content/variants.ts";
import { createRuleList, createRuleReader, violationAt } from "./rules.ts";

/** A fault that is injected into the response to one request. */
export interface Fault extends Pick<FaultRule, "bytesPerSecond" | "delivery" | "retryAfter" | "status"> {
  /** `undefined` if an option is behind the fault. */
  readonly rule?: ListedRule<FaultRule>;
  readonly delay: number;
  /** A sentence that names the rule or option behind the fault. `undefined` if only `latency` applies. */
  readonly reason?: string;
}

const effects = ["status", "delay", "bytesPerSecond", "delivery"] as const;

const readRules = createRuleReader<FaultRule>(
  {
    status: { type: "integer", minimum: 400, maximum: 599 },
    retryAfter: { type: "integer", minimum: 0, maximum: 2 ** 31 },
    delay: {},
    bytesPerSecond: { type: "integer", minimum: 1, maximum: 2 ** 31 },
    delivery: { type: "string", enum: ["none", "reset", "truncated"] },
    probability: { type: "number", minimum: 0, maximum: 1 },
  },
  [],
  (rule, pointer) => {
    if (effects.every((name) => rule[name] === undefined))
      return [violationAt(pointer, `A fault rule must have at least one of ${effects.join(", ")}.`, effects)];
    const at = `${pointer}/delay`;
    return rule.delay === undefined || isDelay(rule.delay) ? [] : [violationAt(at, `${at} must be ${delays}.`)];
  },
);

/** The fault rules of a session, and their random state. */
export type Faults = ReturnType<typeof createFaults>;

/**
 * Creates an empty list of fault rules. Faults depend on the seed, the rules, and the requests to an
 * operation since the rules were set. Requests to other operations have no influence. Throws `TypeError` if
 * an option is invalid.
 */
export function createFaults(
  { latency = 0, fail = 0, seed = String(Math.random()) }: Pick<MockOptions, "fail" | "latency" | "seed">,
  budget: Budget,
) {
  if (!isDelay(latency)) throw new TypeError(`latency must be ${delays}`);
  if (!(fail >= 0 && fail <= 1)) throw new TypeError("fail must be a number from 0 to 1");
  const drawn = new Map<string, number>();
  const rules = createRuleList(readRules, budget, () => {
    drawn.clear();
  });
  const draw = ({ name }: Operation): number => {
    const count = drawn.get(name) ?? 0;
    drawn.set(name, count + 1);
    return spread(hashOf(JSON.stringify([seed, name, count]))) / 2 ** 32;
  };
  const happens = (operation: Operation, probability = 1) =>
    probability === 1 || (probability > 0 && draw(operation) < probability);
  const drawDelay = (operation: Operation, delay: Delay) => {
    if (typeof delay === "number") return delay;
    const [least, most] = delay;
    return Math.round(least + draw(operation) * (most - least));
  };
  return {
    ...rules,
    /** Returns the fault for the next request to an operation, and counts the request. */
    next: (operation: Operation, generation: string): Fault => {
      const { operationId } = operation;
      const isConcerned = ({ operation: id = operationId, generation: name = generation }: FaultRule) =>
        id === operationId && name === generation;
      const rule = rules.list().find((one) => isConcerned(one) && happens(operation, one.probability));
      if (rule === undefined) {
        const failure = happens(operation, fail)
          ? { status: 503, reason: `The mock was started to fail requests with a probability of ${fail}.` }
          : {};
        return { ...failure, delay: drawDelay(operation, latency) };
      }
      const reason = `The fault rule ${JSON.stringify(withoutMembers(rule, ["id", "used"]))} applies.`;
      rules.count(rule);
      return { ...rule, rule, delay: drawDelay(operation, rule.delay ?? latency), reason };
    },
  };
}

/**
 * Maps whole numbers from 0 to 2^32 - 1 one to one, so that neighbors are as far apart as any two
 * (MurmurHash3's fmix32).
 */
function spread(hash: number): number {
  const first = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return (second ^ (second >>> 16)) >>> 0;
}

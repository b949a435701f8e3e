import type { FaultRule } from "./mockTypes.ts";
import { createRuleReader, violationAt, type OwnMembers } from "./rules.ts";

/** The longest delay, in milliseconds: more is a mistake in the unit. */
export const longestDelay = 60_000;

/** Reads a delay; `undefined` if the text is not a number of milliseconds, or is too large. */
export function readDelay(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) && isTime(Number(text)) ? Number(text) : undefined;
}

/** Continues "must be". */
export const delays = `a number of milliseconds from 0 to ${longestDelay}, or an array of two of them, the smaller one first`;

export function isDelay(value: unknown): boolean {
  if (!Array.isArray(value)) return isTime(value);
  return value.length === 2 && value.every(isTime) && Number(value[0]) <= Number(value[1]);
}

function isTime(value: unknown): boolean {
  return typeof value === "number" && value >= 0 && value <= longestDelay;
}

/** The ways in which a response can break, in words. */
export const deliveries = {
  none: "no response",
  reset: "a connection reset",
  truncated: "a truncated response",
} satisfies Record<NonNullable<FaultRule["delivery"]>, string>;

const members: OwnMembers<FaultRule> = {
  status: { type: "integer", minimum: 400, maximum: 599 },
  retryAfter: { type: "integer", minimum: 0, maximum: 2 ** 31 },
  delay: {},
  bytesPerSecond: { type: "integer", minimum: 1, maximum: 2 ** 31 },
  delivery: { type: "string", enum: Object.keys(deliveries) },
  probability: { type: "number", minimum: 0, maximum: 1 },
};

/** The members that say what happens. */
const effects = ["status", "delay", "bytesPerSecond", "delivery"] as const;

export const faultRules = createRuleReader<FaultRule>(members, [], (rule, pointer) => {
  if (effects.every((name) => rule[name] === undefined))
    return [violationAt(pointer, `A fault rule must have at least one of ${effects.join(", ")}.`, effects)];
  const at = `${pointer}/delay`;
  return rule.delay === undefined || isDelay(rule.delay) ? [] : [violationAt(at, `${at} must be ${delays}.`)];
});

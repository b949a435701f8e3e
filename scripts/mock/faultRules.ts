import type { SchemaObject } from "../spec/openapi.ts";
import type { FaultRule } from "./mockTypes.ts";
import { createRuleReader, violationAt, type OwnMembers } from "./rules.ts";

/** The longest delay, in milliseconds: more is a mistake in the unit. */
export const longestDelay = 60_000;

/** Reads a delay; `undefined` if the text is not a number of milliseconds, or is too large. */
export function readDelay(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) && Number(text) <= longestDelay ? Number(text) : undefined;
}

/** The ways in which a response can break, in words. */
export const deliveries = {
  none: "no response",
  reset: "a connection reset",
  truncated: "a truncated response",
} satisfies Record<NonNullable<FaultRule["delivery"]>, string>;

const milliseconds: SchemaObject = { type: "number", minimum: 0, maximum: longestDelay };

const members: OwnMembers<FaultRule> = {
  status: { type: "integer", minimum: 400, maximum: 599 },
  retryAfter: { type: "integer", minimum: 0, maximum: 2 ** 31 },
  delay: { ...milliseconds, type: ["number", "array"], items: milliseconds, minItems: 2, maxItems: 2 },
  bytesPerSecond: { type: "integer", minimum: 1, maximum: 2 ** 31 },
  delivery: { type: "string", enum: Object.keys(deliveries) },
  probability: { type: "number", minimum: 0, maximum: 1 },
};

/** The members that say what happens. */
const effects = ["status", "delay", "bytesPerSecond", "delivery"] as const;

export const faultRules = createRuleReader<FaultRule>(members, [], (rule, pointer) =>
  effects.some((name) => rule[name] !== undefined)
    ? []
    : [violationAt(pointer, `A fault rule must have at least one of ${effects.join(", ")}.`, effects)],
);

import { UserError } from "../contract/failures.ts";
import { longestDelay, readDelay } from "../mock/faultRules.ts";
import type { MockOptions } from "../mock/mockTypes.ts";

/** The options of a command that let operations be slow or fail. */
export const faultOptions = {
  latency: { type: "string", value: "MS", description: "respond this much later, e.g. 200, or 100-400 at random" },
  fail: { type: "string", value: "P", description: "make requests fail with a 503, with this probability, e.g. 0.05" },
} as const;

/** Reads the values of {@link faultOptions}. Throws {@link UserError} for an unusable one. */
export function readFaultOptions(values: {
  readonly latency: string | undefined;
  readonly fail: string | undefined;
}): Pick<MockOptions, "fail" | "latency"> {
  const { latency, fail } = values;
  return {
    ...(latency !== undefined && { latency: readLatency(latency) }),
    ...(fail !== undefined && { fail: readProbability(fail) }),
  };
}

function readLatency(text: string): NonNullable<MockOptions["latency"]> {
  const delays = text.split("-").map(readDelay);
  const [least, most = least] = delays;
  if (least === undefined || most === undefined || least > most || delays.length > 2 || delays.includes(undefined)) {
    const form = "milliseconds, as in 200, or two of them, the smaller one first, as in 100-400";
    throw new UserError(`--latency must be ${form}, and at most ${longestDelay}, not "${text}"`);
  }
  return [least, most];
}

function readProbability(text: string): number {
  const probability = Number(text);
  if (/^[\d.]+$/.test(text) && probability <= 1) return probability;
  throw new UserError(`--fail must be a probability from 0 to 1, as in 0.05, not "${text}"`);
}

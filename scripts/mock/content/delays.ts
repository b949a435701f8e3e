import { isDigits } from "../../values/text.ts";
import type { Delay } from "../mockTypes.ts";

/** The longest delay, in milliseconds. A larger number is a mistake in the unit. */
export const maxDelay = 60_000;

/** Reads a delay in milliseconds. Returns `undefined` if the text isn't a number, or if it is too large. */
export function readDelay(text: string): number | undefined {
  return text.length < 10 && isDigits(text) && isTime(Number(text)) ? Number(text) : undefined;
}

/** The valid values of a delay, in words. */
export const delays = `a number of milliseconds from 0 to ${maxDelay}, or an array of two of them, the smaller one first`;

/** Returns whether a value is a {@link Delay}. */
export function isDelay(value: unknown): value is Delay {
  if (!Array.isArray(value)) return isTime(value);
  return value.length === 2 && value.every(isTime) && Number(value[0]) <= Number(value[1]);
}

function isTime(value: unknown): boolean {
  return typeof value === "number" && value >= 0 && value <= maxDelay;
}

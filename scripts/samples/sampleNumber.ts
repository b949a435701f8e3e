import type { SchemaObject } from "../spec/openapi.ts";

/**
 * A number that schemas allow together: the smallest one, or else 0, or else the largest one. `undefined` if there's none
 * that JavaScript doesn't round. `n`: numbers with different ones are different.
 */
export function sampleNumber(schemas: readonly SchemaObject[], isInteger: boolean, n: number): number | undefined {
  const all = (keyword: "exclusiveMaximum" | "exclusiveMinimum" | "maximum" | "minimum" | "multipleOf") =>
    schemas.flatMap((schema) => (typeof schema[keyword] === "number" ? schema[keyword] : []));
  const [low, above] = [Math.max(...all("minimum")), Math.max(...all("exclusiveMinimum"))];
  const [high, below] = [Math.min(...all("maximum")), Math.min(...all("exclusiveMaximum"))];
  const isAllowed = (value: number) =>
    value >= low && value > above && value <= high && value < below && (!isInteger || Number.isSafeInteger(value));
  const [divisor = isInteger ? 1 : undefined] = all("multipleOf").toSorted((a, b) => b - a);
  const [least, most] = [Math.max(low, above), Math.min(high, below)];
  if (divisor === undefined) {
    const middle = least + (most - least) / (n + 2);
    const simple = [least + n, least + 1 + n, n, most - n, most - 1 - n, middle];
    return simple.find(isAllowed);
  }
  // An integer that is a multiple of a fraction.
  const step = isInteger && !Number.isInteger(divisor) ? 1 : divisor;
  const first = least === -Infinity ? Math.min(0, Math.floor(most / step)) : Math.ceil(least / step);
  const towards = least === -Infinity && first < 0 ? -1 : 1;
  const isMultiple = (value: number) => all("multipleOf").every((one) => isWhole(value / one));
  for (let at = 0, found = 0; at < 1_000; at += 1) {
    // 19.99 rather than 19.990000000000002.
    const value = Number(((first + at * towards) * step).toPrecision(15));
    if (isAllowed(value) && isMultiple(value) && (found += 1) > n) return value;
  }
  return undefined;
}

function isWhole(quotient: number): boolean {
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
}

/** Memory use of the resources and rules in all sessions of a mock. */
export interface Budget {
  /** Memory limit, in bytes. */
  readonly limit: number;
  /** Approximate memory use, in bytes. */
  used: number;
  /** Number of changes to resources and counts. */
  changes: number;
}

/** Takes some bytes from a budget, or gives them back if `growth` is negative. Returns whether there was room. */
export function spend(budget: Budget, growth: number): boolean {
  if (growth > 0 && budget.used + growth > budget.limit) return false;
  budget.used += growth;
  return true;
}

/**
 * Approximate memory of a JSON value, in bytes: half of the actual size to three times as much, for values of
 * every kind (Node 24). It can be twenty times the length of the text, since each `{}` takes 64 bytes.
 */
export function memoryOf(value: unknown): number {
  if (typeof value === "string") return 24 + value.length;
  if (typeof value !== "object" || value === null) return 8;
  let size = 64;
  if (Array.isArray(value)) for (const item of value) size += memoryOf(item);
  else for (const [name, member] of Object.entries(value)) size += 24 + name.length + memoryOf(member);
  return size;
}

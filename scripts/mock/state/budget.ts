/** What a mock keeps of what callers add in all its sessions: resources and rules. */
export interface Budget {
  /** The most memory that all of it may take, in bytes. */
  readonly limit: number;
  /** About how much it takes now, in bytes. */
  used: number;
  /** Number of changes of resources and counts. */
  changes: number;
}

/** Takes some bytes of a budget, or gives them back if they are negative. Returns whether it could: it may be used up. */
export function spend(budget: Budget, growth: number): boolean {
  if (growth > 0 && budget.used + growth > budget.limit) return false;
  budget.used += growth;
  return true;
}

/**
 * About how much memory a JSON value takes, in bytes: half of it to three times as much, for values of every kind (Node 24).
 * Of its text, it can be more than twenty times the length, since each `{}` takes 64 bytes.
 */
export function memoryOf(value: unknown): number {
  if (typeof value === "string") return 24 + value.length;
  if (typeof value !== "object" || value === null) return 8;
  let size = 64;
  if (Array.isArray(value)) for (const item of value) size += memoryOf(item);
  else for (const [name, member] of Object.entries(value)) size += 24 + name.length + memoryOf(member);
  return size;
}

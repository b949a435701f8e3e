import type { RequestEntry } from "../../../mock/mockTypes.ts";

export type { RequestEntry };
export type Finding = NonNullable<RequestEntry["findings"]>[number];

/**
 * Whether someone should look at a request: it failed, breaks the contract, met a fault, or its client
 * didn't wait for the response.
 */
export function isProblem(entry: RequestEntry): boolean {
  const { status, violations, fault } = entry;
  return status >= 400 || violations !== undefined || fault !== undefined || hasLeft(entry);
}

export function hasLeft({ left }: RequestEntry): boolean {
  return left === true;
}

export function isViolation({ kind }: Finding): boolean {
  return kind === "violation";
}

/**
 * What to list of a request's violations. The mock lists the headers of all credentials that it accepts, of which one
 * is enough.
 */
export function listViolations({ status, reason, findings = [] }: RequestEntry): readonly Finding[] {
  const violations = findings.filter(isViolation);
  const [first] = violations;
  return status === 401 && first && reason !== undefined ? [{ ...first, message: reason }] : violations;
}

export function countViolations(entry: RequestEntry): number {
  return listViolations(entry).reduce((sum, { more = 1 }) => sum + more, 0);
}

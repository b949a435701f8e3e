import type { CheckedOperation } from "../contract/generation.ts";
import { challengesOf } from "../exchange/authentication.ts";
import { describeRefusal, type Refusal } from "../exchange/refusal.ts";
import { realm } from "./principal.ts";
import { Problem } from "./problem.ts";
import type { ProblemDetails } from "./serverTypes.ts";

/** The problem details of a refusal. */
export function problemOf(refusal: Refusal): ProblemDetails {
  const { violations, ...described } = describeRefusal(refusal);
  return { ...described, ...(violations !== undefined && { violations }), headers: refusal.headers ?? {} };
}

/**
 * The problem details of something that an operation's function has thrown. `undefined` if it isn't a {@link Problem}.
 */
export function thrownProblem(error: unknown, operation: CheckedOperation): ProblemDetails | undefined {
  if (!(error instanceof Problem)) return undefined;
  const { status, message: detail, details } = error;
  // A 401 must have a challenge (RFC 9110, section 15.5.2).
  const challenges = status === 401 ? challengesOf(operation, realm) : {};
  return { ...problemOf({ status, detail }), ...details, headers: { ...challenges, ...details.headers } };
}

/** Writes problem details as JSON (RFC 9457, section 3). */
export function writeProblem(problem: ProblemDetails): Response {
  const headers = { "content-type": "application/problem+json" };
  return new Response(JSON.stringify({ ...problem, headers: undefined }), { status: problem.status, headers });
}

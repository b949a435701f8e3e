import { describeRefusal, type Refusal } from "../exchange/refusal.ts";
import { Problem } from "./problem.ts";
import type { ProblemDetails } from "./serverTypes.ts";

/** The problem details of a refusal. */
export function problemOf(refusal: Refusal): ProblemDetails {
  const { violations, ...described } = describeRefusal(refusal);
  return { ...described, ...(violations !== undefined && { violations }), headers: refusal.headers ?? {} };
}

/** The problem details of something thrown. `undefined` if it isn't a {@link Problem}. */
export function thrownProblem(error: unknown): ProblemDetails | undefined {
  if (!(error instanceof Problem)) return undefined;
  return { ...problemOf({ status: error.status, detail: error.message }), ...error.details };
}

/** Writes problem details as JSON (RFC 9457, section 3). */
export function writeProblem(problem: ProblemDetails): Response {
  const headers = { "content-type": "application/problem+json" };
  return new Response(JSON.stringify({ ...problem, headers: undefined }), { status: problem.status, headers });
}

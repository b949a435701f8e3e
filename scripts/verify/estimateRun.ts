import type { Operation } from "../contract/generation.ts";
import { sampleRequest, sentContent } from "../samples/exampleRequest.ts";
import type { PlannedCall } from "./planCalls.ts";
import {
  insufficientCredentials,
  violationBy,
  wrongRequests,
  type RequestCheck,
  type WrongRequest,
} from "./wrongRequests.ts";

/** The estimated number of requests of a run, and its duration. */
interface Estimate {
  readonly requests: number;
  /** The seconds that they take at the given rate. */
  readonly seconds: number;
  /** The time limit of the run, in seconds. */
  readonly limit: number;
}

/** The default time limit, in seconds. */
const usualLimit = 300;

/**
 * Estimates a run at `rate` requests a second. The estimate leaves out further pages of lists, smallest bodies, and
 * requests for created resources, because their numbers are unknown before the run.
 */
export function estimateRun(
  plan: readonly PlannedCall[],
  checks: ReadonlySet<RequestCheck>,
  rate: number,
  limit?: number,
): Estimate {
  const called = plan.filter(({ reason }) => reason === undefined);
  const requests = called.reduce((sum, planned) => sum + countRequests(planned, checks), 0);
  const seconds = Math.ceil(requests / rate);
  return { requests, seconds, limit: limit ?? Math.max(usualLimit, 2 * seconds) };
}

function countRequests(planned: PlannedCall, checks: ReadonlySet<RequestCheck>): number {
  const { operation, change, credentials } = planned;
  const examples = Math.max(1, sentContent(operation)?.examples.length ?? 0);
  const isMissingSent = operation.method === "get" && !checks.has("credentials");
  const missing = isMissingSent ? insufficientCredentials(operation, credentials).length : 0;
  // Changed resources are read.
  const reading = change === undefined ? pageQueries(operation).length : 1;
  return examples + missing + reading + plannedWrong(planned, checks).length;
}

/** The wrong requests that a call can have, with values from examples. */
export function plannedWrong(planned: PlannedCall, checks: ReadonlySet<RequestCheck>): readonly WrongRequest[] {
  const { operation, server, change, schemes } = planned;
  const sample = sampleRequest(operation, server, { schemes });
  return wrongRequests({ planned, sample, isOwn: change !== undefined }, checks);
}

/** An offset behind the items of most lists. Services may refuse to skip very many. */
const farOffset = 1_000;

/** Pages that together show whether a list respects the limit and the offset. The last one is empty in most lists. */
export function pageQueries(operation: Operation): readonly Readonly<Record<string, unknown>>[] {
  const { pagination, parameters } = operation;
  if (pagination === undefined) return [];
  const { limit, offset } = pagination;
  const parameter = parameters.find((one) => one.name === offset && one.in === "query");
  const isAllowed = parameter === undefined || violationBy(parameter, operation, String(farOffset)) === undefined;
  return [[1, 0], [1, 1], [2, 1], ...(isAllowed ? [[1, farOffset]] : [])].map(([taken, skipped]) => ({
    [limit]: taken,
    [offset]: skipped,
  }));
}

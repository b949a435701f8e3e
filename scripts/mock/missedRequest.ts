import type { AwaitedRequest, RequestEntry } from "./mockTypes.ts";

/** How long `waitForRequest` waits by default, in milliseconds. */
export const awaitedMilliseconds = 5_000;

const listedRequests = 5;

/** The error for an awaited request that didn't come, although others may have. */
export function missedRequest(awaited: AwaitedRequest, entries: readonly RequestEntry[]): Error {
  const { timeout = awaitedMilliseconds, ...filter } = awaited;
  const last = entries.slice(-listedRequests).map(({ method, target, status }) => `${method} ${target} (${status})`);
  const others =
    last.length === 0 ? "The session has no requests" : `The last requests of the session are: ${last.join(", ")}`;
  return new Error(`No request with ${JSON.stringify(filter)} came within ${timeout} ms. ${others}.`);
}

import { setImmediate } from "node:timers/promises";

let last: Promise<unknown> = Promise.resolve();

/**
 * Does work that keeps the event loop busy, one at a time. It calls `pause` between its steps, and before the first one
 * too other requests are answered.
 */
export function takeTurn<T>(work: (pause: () => Promise<void>) => Promise<T>): Promise<T> {
  const pause = () => setImmediate();
  const result = last.then(pause).then(() => work(pause));
  last = result.catch(() => undefined);
  return result;
}

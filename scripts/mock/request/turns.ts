import { setImmediate } from "node:timers/promises";

/** Does work after all work that was given before. It calls `pause` between its steps. */
export type TakeTurn = <T>(work: (pause: () => Promise<void>) => Promise<T>) => Promise<T>;

/** Makes a queue of work that keeps the event loop busy. Before each piece, and in its pauses, other requests are answered. */
function createTurns(): TakeTurn {
  let last: Promise<unknown> = Promise.resolve();
  const pause = () => setImmediate();
  return (work) => {
    const result = last.then(pause).then(() => work(pause));
    last = result.catch(() => undefined);
    return result;
  };
}

export const takeBodyTurn = createTurns();

const takeRequestTurn = createTurns();
/** In characters. What usual requests have is shorter. */
const longestTogether = 1_000;

/** Waits until a request may be answered that takes more time than others because it has long headers or a long target. */
export async function awaitTurn(...texts: readonly (string | undefined)[]): Promise<void> {
  if (texts.join("").length > longestTogether) await takeRequestTurn(() => Promise.resolve());
}

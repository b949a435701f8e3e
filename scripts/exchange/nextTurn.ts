/** Browsers have none, where `setTimeout` is as good; in Node.js, that takes a millisecond. */
const { setImmediate }: Partial<typeof globalThis> = globalThis;

/** Lets whatever waits for the event loop go first. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    (setImmediate ?? setTimeout)(resolve);
  });
}

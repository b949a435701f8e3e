/** Browsers don't have it, but their `setTimeout` is fast. In Node.js, `setTimeout` takes a millisecond. */
const { setImmediate }: Partial<typeof globalThis> = globalThis;

/** Lets pending work in the event loop run first. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    (setImmediate ?? setTimeout)(resolve);
  });
}

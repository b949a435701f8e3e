import type { RequestEntry } from "../mockTypes.ts";
import type { MockRequest } from "./mockRequest.ts";
import type { Sessions } from "./sessions.ts";

/**
 * Waits for a request of a session. Resolves to the first entry that passes the filter, whether it was there
 * before or comes later, or to `undefined` after `timeout` milliseconds. `whenGone` calls its listener when
 * nobody waits any more, until the function that it returns is called.
 */
export function awaitRequest(
  { all, listeners }: Sessions,
  name: string,
  isAsked: (entry: RequestEntry) => boolean,
  { timeout, whenGone }: Pick<MockRequest, "whenGone"> & { readonly timeout: number },
): Promise<RequestEntry | undefined> {
  const known = all.get(name)?.requests.map(({ readEntry }) => readEntry());
  const found = known?.find(isAsked);
  if (found !== undefined) return Promise.resolve(found);
  return new Promise((resolve) => {
    const finish = (entry?: RequestEntry) => {
      clearTimeout(timer);
      listeners.delete(listener);
      release();
      resolve(entry);
    };
    const listener: Parameters<typeof listeners.add>[0] = (session, { readEntry }) => {
      if (all.get(name) === session && isAsked(readEntry())) finish(readEntry());
    };
    const timer = setTimeout(finish, timeout);
    const release = whenGone(finish);
    listeners.add(listener);
  });
}

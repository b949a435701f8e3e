import { unwatchFile, watchFile, type StatsListener } from "node:fs";
import { stat } from "node:fs/promises";

/** Time between two looks at the files, in milliseconds. */
const interval = 50;

/** For how long, in milliseconds, nothing may change before a change is complete: tools write in steps. More than the interval. */
const settling = 80;

/** A file's time of change may lie this far before the moment of the change. In milliseconds. */
const clockTick = 10;

/**
 * Calls `onChange`, with absolute paths, after files that are followed have changed, and never while an earlier call is
 * still at work.
 *
 * Files are polled. Node's recursive `fs.watch` and the libraries that use `fs.watch` (chokidar 6.0, watchpack 2.6) all
 * stopped reporting, on Linux, after folders or symbolic links had been replaced a few times.
 */
export function watchFiles(onChange: (changed: ReadonlySet<string>) => Promise<void>) {
  const listeners = new Map<string, StatsListener>();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let changed = new Set<string>();

  const run = () => {
    const taken = changed;
    changed = new Set();
    return taken.size === 0 ? undefined : onChange(taken);
  };
  const note = (file: string) => {
    changed.add(file);
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(run);
    }, settling);
  };
  const keepOnly = (files: ReadonlySet<string>) => {
    for (const [file, listener] of listeners) {
      if (files.has(file)) continue;
      unwatchFile(file, listener);
      listeners.delete(file);
    }
  };
  return {
    /** Follows these absolute paths from now on, there or not. A change since a time, in ms since the epoch, is not lost. */
    follow: async (files: readonly string[], since: number) => {
      keepOnly(new Set(files));
      for (const file of files.filter((one) => !listeners.has(one))) {
        const listener: StatsListener = (current, previous) => {
          // Node also reports, once, that a file has not been there from the beginning.
          if (current.ctimeMs !== 0 || previous.ctimeMs !== 0) note(file);
        };
        // Not persistent: a call that is still at work after disposal must not keep the process from ending.
        watchFile(file, { interval, persistent: false }, listener);
        listeners.set(file, listener);
        const stats = await stat(file).catch(() => undefined);
        if (stats !== undefined && stats.ctimeMs > since - clockTick) note(file);
      }
    },
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      keepOnly(new Set());
    },
  };
}

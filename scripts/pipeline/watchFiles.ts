import { unwatchFile, watchFile, type StatsListener } from "node:fs";
import { stat } from "node:fs/promises";

/** Time between two polls, in milliseconds. */
const interval = 50;

/**
 * How long nothing may change before a change counts as complete, in milliseconds. Tools write in steps.
 * Longer than the interval.
 */
const settling = 80;

/** A file's timestamp may be this much earlier than the actual change, in milliseconds. */
const clockTick = 10;

/**
 * Calls `onChange`, with absolute paths, after followed files have changed, and never while an earlier call is
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
    /**
     * Replaces the followed files. They are absolute paths, and need not exist. Changes after `since`, in
     * milliseconds since the epoch, are reported.
     */
    follow: async (files: readonly string[], since: number) => {
      keepOnly(new Set(files));
      for (const file of files.filter((one) => !listeners.has(one))) {
        const listener: StatsListener = (current, previous) => {
          // Node also reports a missing file once.
          if (current.ctimeMs !== 0 || previous.ctimeMs !== 0) note(file);
        };
        // Not persistent: a running call must not keep the process alive after disposal.
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

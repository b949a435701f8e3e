import { watch, type FSWatcher } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Editors write a file in several steps, and other tools several files; they are one change. In milliseconds. */
const settling = 40;

export interface FileWatcher extends Disposable {
  /** Says which files are of interest from now on, by absolute paths. */
  readonly follow: (files: readonly string[]) => void;
}

/**
 * Calls `onChange`, with absolute paths, after files that are followed have changed, and never while an earlier call is
 * still at work. Folders are watched, not files: an editor that writes aside and renames leaves the old file's watcher
 * with nothing. So YAML files that are new in a folder are noticed as well.
 */
export function watchFiles(onChange: (changed: ReadonlySet<string>) => Promise<void>): FileWatcher {
  const watchers = new Map<string, FSWatcher>();
  let followed: ReadonlySet<string> = new Set();
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  let changed = new Set<string>();

  const run = async () => {
    isRunning = true;
    while (changed.size > 0) {
      const taken = changed;
      changed = new Set();
      await onChange(taken);
    }
    isRunning = false;
  };
  const onEvent = (path: string) => {
    if (!followed.has(path) && !/^[^.].*\.ya?ml$/.test(basename(path))) return;
    changed.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!isRunning) void run();
    }, settling);
  };
  return {
    follow: (files) => {
      followed = new Set(files);
      const directories = new Set(files.map((file) => dirname(file)));
      for (const [directory, watcher] of watchers) {
        if (directories.has(directory)) continue;
        watcher.close();
        watchers.delete(directory);
      }
      for (const directory of directories) {
        if (watchers.has(directory)) continue;
        const watcher = watch(directory, (_event, file) => {
          if (file !== null) onEvent(join(directory, file));
        });
        // A folder that is removed takes its watcher along.
        watcher.on("error", () => {
          watcher.close();
          watchers.delete(directory);
        });
        watchers.set(directory, watcher);
      }
    },
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}

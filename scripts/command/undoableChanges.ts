import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { changeFolder, type FolderChanges, type TextFile } from "./files.ts";
import { ifAbsent } from "../contract/failures.ts";

/** A file that was written or removed. */
interface ChangedFile {
  readonly folder: string;
  /** Relative to the folder. */
  readonly path: string;
  /** What it had before; `undefined` if it did not exist. */
  readonly before: string | undefined;
  /** What was written; `undefined` if it was removed. */
  readonly after: string | undefined;
}

/** Changes folders in a way that can be undone, even half way, without touching what others change meanwhile. */
export function recordChanges() {
  const changed: ChangedFile[] = [];
  return {
    /** Does what {@link changeFolder} does. */
    change: async (folder: string, changes: FolderChanges): Promise<void> => {
      const removed = changes.removed.map((path) => ({ path, content: undefined }));
      for (const { path, content } of [...changes.written, ...removed]) {
        changed.push({ folder, path, before: await readIfThere(join(folder, path)), after: content });
      }
      await changeFolder(folder, changes);
    },
    /** Puts everything back but what others have changed since. Resolves to the paths of those files. */
    undo: async (): Promise<readonly string[]> => {
      const left: string[] = [];
      for (const { folder, path, before, after } of changed.toReversed()) {
        const file = join(folder, path);
        const current = await readIfThere(file);
        if (current === before) continue;
        if (current !== after) left.push(file);
        else await changeFolder(folder, restoring(path, before));
      }
      return left;
    },
  };
}

/** What puts a file back. */
function restoring(path: string, before: string | undefined): FolderChanges {
  const written: TextFile[] = before === undefined ? [] : [{ path, content: before }];
  return { written, removed: before === undefined ? [path] : [] };
}

/** The text of a file; `undefined` if it does not exist. */
function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch(ifAbsent(undefined));
}

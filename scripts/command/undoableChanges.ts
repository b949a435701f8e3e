import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { changeFolder, type FolderChanges, type TextFile } from "./files.ts";
import { ifAbsent } from "../contract/failures.ts";

/** A file that was written or removed. */
interface ChangedFile {
  readonly folder: string;
  /** Relative to the folder. */
  readonly path: string;
  /** The text before. `undefined` if the file didn't exist. */
  readonly before: string | undefined;
  /** The written text. `undefined` if the file was removed. */
  readonly after: string | undefined;
}

/**
 * Changes folders, and can undo its changes at any point. Files that others changed in the meantime are left
 * alone.
 */
export function recordChanges() {
  const changed: ChangedFile[] = [];
  return {
    /** Changes a folder as {@link changeFolder} does. */
    change: async (folder: string, changes: FolderChanges): Promise<void> => {
      const removed = changes.removed.map((path) => ({ path, content: undefined }));
      for (const { path, content } of [...changes.written, ...removed]) {
        changed.push({ folder, path, before: await readIfThere(join(folder, path)), after: content });
      }
      await changeFolder(folder, changes);
    },
    /** Restores all files except those that others have changed. Resolves to the paths of these. */
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

/** The change that restores a file. */
function restoring(path: string, before: string | undefined): FolderChanges {
  const written: TextFile[] = before === undefined ? [] : [{ path, content: before }];
  return { written, removed: before === undefined ? [path] : [] };
}

/** The text of a file; `undefined` if it does not exist. */
function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch(ifAbsent(undefined));
}

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { watchFiles } from "../command/watchFiles.ts";
import { messageOf, UserError } from "../contract/failures.ts";
import type { Generation } from "../contract/generation.ts";
import { createSourceLoader } from "./sourceLoader.ts";

/** The contract as it was saved. */
export interface SavedContract {
  readonly generations: readonly Generation[];
  /** Checks it by all lint rules. Resolves to a report of warnings; empty if there are none. */
  readonly lint: () => Promise<string>;
  /** Time at which reading it began, in milliseconds since the epoch. */
  readonly since: number;
}

export interface SourcesListener {
  /** Serves what has been saved. Not called for the first contract. */
  readonly onSave: (contract: SavedContract) => void;
  /**
   * Does all that takes longer, one contract at a time, the first one included. A contract that has been replaced
   * meanwhile is left out, and `isLatest` tells when work on it may stop.
   */
  readonly afterSave: (contract: SavedContract, isLatest: () => boolean) => Promise<void>;
  /** Receives the reason for which a contract cannot be served, or not be worked on. */
  readonly onMistake: (reason: string) => void;
}

/**
 * Reads the sources of the generations in redocly.yaml, or of only one of them, and makes `follow`, which reads them
 * again whenever one of their files, or one in `folders` (absolute paths), is saved, until it is disposed. Throws
 * {@link UserError} if they cannot be served now.
 */
export async function followSources(only: string | undefined, folders: readonly string[] = []) {
  const load = createSourceLoader(only);
  const read = async (changed: ReadonlySet<string>) => {
    const since = Date.now();
    const { files, ...loaded } = await load(changed);
    const listed = await Promise.all(folders.map(listFolder));
    return { ...loaded, since, files: [...files, ...listed.flat()] };
  };
  const { generations, report, lint, since, files } = await read(new Set());
  if (generations === undefined) throw new UserError(`the contract cannot be served\n\n${report}`);
  const first: SavedContract = { generations, lint, since };

  const follow = async ({ onSave, afterSave, onMistake }: SourcesListener): Promise<Disposable> => {
    let latest = first;
    let work = Promise.resolve();
    const begin = (contract: SavedContract) => {
      const isLatest = () => latest === contract;
      latest = contract;
      work = work
        .then(() => (isLatest() ? afterSave(contract, isLatest) : undefined))
        .catch((error: unknown) => {
          onMistake(messageOf(error));
        });
    };
    const watcher = watchFiles(async (changed) => {
      try {
        const { generations, report, lint, since, files } = await read(changed);
        await watcher.follow(files, since);
        if (generations === undefined) throw new UserError(report);
        const contract = { generations, lint, since };
        onSave(contract);
        begin(contract);
      } catch (error) {
        onMistake(`${messageOf(error)}\n\nThis change was not loaded: the last valid contract is still served.`);
      }
    });
    await watcher.follow(files, since);
    begin(first);
    return watcher;
  };
  return { first, follow };
}

/** A folder, which changes when a file is added to it, and the files in it. */
async function listFolder(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return [folder, ...names.map((name) => join(folder, name))];
}

import { setTimeout as wait } from "node:timers/promises";
import { watchFiles } from "../command/watchFiles.ts";
import { messageOf, UserError } from "../contract/failures.ts";
import { createSourceLoader, type SavedContract } from "./sourceLoader.ts";

/** Time in which whoever waits for the saved contract gets an answer, before long work blocks the process, in milliseconds. */
const answering = 30;

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
  const load = createSourceLoader(only, folders);
  const { contract: first, report: mistakes, files: read } = await load(new Set());
  if (first === undefined) throw new UserError(`the contract cannot be served\n\n${mistakes}`);

  const follow = async ({ onSave, afterSave, onMistake }: SourcesListener): Promise<Disposable> => {
    let latest = first;
    let work = Promise.resolve();
    const begin = (contract: SavedContract) => {
      const isLatest = () => latest === contract;
      latest = contract;
      work = work
        .then(() => wait(answering))
        .then(() => (isLatest() ? afterSave(contract, isLatest) : undefined))
        .catch((error: unknown) => {
          onMistake(messageOf(error));
        });
    };
    const watcher = watchFiles(async (changed) => {
      try {
        const { contract, report, files, since } = await load(changed);
        await watcher.follow(files, since);
        if (contract === undefined) throw new UserError(report);
        onSave(contract);
        begin(contract);
      } catch (error) {
        onMistake(`${messageOf(error)}\n\nThis change was not loaded: the last valid contract is still served.`);
      }
    });
    await watcher.follow(read, first.since);
    begin(first);
    return watcher;
  };
  return { first, follow };
}

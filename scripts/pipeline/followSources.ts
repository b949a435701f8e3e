import { setTimeout as wait } from "node:timers/promises";
import { reportOf, UserError } from "../contract/failures.ts";
import type { TextStyle } from "../values/textStyle.ts";
import type { Configuration } from "./configuration.ts";
import { formatProblems, LintError } from "./formatProblems.ts";
import { createSourceLoader, type SavedContract } from "./loadSources.ts";
import { watchFiles } from "./watchFiles.ts";

interface SourcesListener {
  /** Serves a saved contract. Not called for the first one. */
  readonly onSave: (contract: SavedContract) => void;
  /**
   * Runs slower work, one contract at a time, including the first. Skipped if a newer contract has replaced
   * this one. Work may stop when that happens.
   */
  readonly afterSave: (contract: SavedContract, isLatest: () => boolean) => Promise<void>;
  /**
   * Receives the failure because of which a contract can't be served, or, if it `isServed`, the one of the slower work.
   * Not called for the work on a contract that a newer one has replaced.
   */
  readonly onMistake: (failure: unknown, isServed: boolean) => void;
}

/**
 * Reads the sources of the generations in redocly.yaml, or of only one of them, or the descriptions that `configure`
 * lists. Returns `follow`, which reads them again whenever they or files in `folders` (absolute paths) are saved. Throws
 * {@link LintError} if they can't be served now.
 */
export async function followSources(
  only: string | undefined,
  folders: readonly string[] = [],
  configure?: () => Promise<Configuration>,
) {
  const load = createSourceLoader(only, folders, configure);
  const { contract: first, problems: mistakes, files: read } = await load(new Set());
  if (first === undefined) throw new LintError("the contract cannot be served", mistakes);

  const follow = async ({ onSave, afterSave, onMistake }: SourcesListener): Promise<Disposable> => {
    let latest = first;
    let work = Promise.resolve();
    const refuse = (details: (style: TextStyle) => string) => {
      const message = "This change was not loaded: the last valid contract is still served.";
      onMistake(new UserError(message, details), false);
    };
    const begin = (contract: SavedContract) => {
      const isLatest = () => latest === contract;
      latest = contract;
      work = work
        // Waiting requests get the saved contract before long work blocks the process.
        .then(() => wait(30))
        .then(() => (isLatest() ? afterSave(contract, isLatest) : undefined))
        .catch((error: unknown) => {
          if (isLatest()) onMistake(error, true);
        });
    };
    const watcher = watchFiles(async (changed) => {
      try {
        const { contract, problems, files, since } = await load(changed);
        await watcher.follow(files, since);
        if (contract === undefined) {
          refuse((style) => formatProblems(problems, style));
          return;
        }
        onSave(contract);
        begin(contract);
      } catch (error) {
        refuse((style) => reportOf(error, style));
      }
    });
    await watcher.follow(read, first.since);
    begin(first);
    return watcher;
  };
  return { first, follow };
}

import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { watchFiles } from "./watchFiles.ts";
import { reportOf, UserError } from "../contract/failures.ts";
import { readGeneration, selectByName, type Generation } from "../contract/generation.ts";
import type { TextStyle } from "../values/textStyle.ts";
import { workflowsFolder } from "../workflows/arazzoFiles.ts";
import { bundleSources, lintSource } from "./bundleSources.ts";
import { readConfiguration, type Configuration, type GenerationSource } from "./configuration.ts";
import { formatProblems, LintError } from "./formatProblems.ts";
import type { LintProblem } from "./lintProblems.ts";
import { lintWorkflows } from "./lintWorkflows.ts";

export interface SavedContract {
  readonly generations: readonly Generation[];
  /** Runs all lint rules. Resolves to a report of warnings, which is empty if there are none. */
  readonly lint: (style: TextStyle) => Promise<string>;
  /** When reading started, in milliseconds since the epoch. */
  readonly since: number;
}

export interface SourcesListener {
  /** Serves a saved contract. Not called for the first one. */
  readonly onSave: (contract: SavedContract) => void;
  /**
   * Runs slower work, one contract at a time, including the first. Skipped if a newer contract has replaced
   * this one. Work may stop when that happens.
   */
  readonly afterSave: (contract: SavedContract, isLatest: () => boolean) => Promise<void>;
  /** Receives the failure because of which a contract can't be served, or, if it `isServed`, can't be processed. */
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
    const begin = (contract: SavedContract) => {
      const isLatest = () => latest === contract;
      latest = contract;
      work = work
        // Waiting requests get the saved contract before long work blocks the process.
        .then(() => wait(30))
        .then(() => (isLatest() ? afterSave(contract, isLatest) : undefined))
        .catch((error: unknown) => {
          onMistake(error, true);
        });
    };
    const watcher = watchFiles(async (changed) => {
      try {
        const { contract, problems, files, since } = await load(changed);
        await watcher.follow(files, since);
        if (contract === undefined) {
          onMistake(
            notLoaded((style) => formatProblems(problems, style)),
            false,
          );
          return;
        }
        onSave(contract);
        begin(contract);
      } catch (error) {
        onMistake(
          notLoaded((style) => reportOf(error, style)),
          false,
        );
      }
    });
    await watcher.follow(read, first.since);
    begin(first);
    return watcher;
  };
  return { first, follow };
}

/** The failure of a save, with its details above what is served now. */
function notLoaded(details: (style: TextStyle) => string): UserError {
  return new UserError("This change was not loaded: the last valid contract is still served.", details);
}

/**
 * Creates a function that bundles the generations with changed files (absolute paths). It runs only the rules
 * that serving needs, which takes a fifth of the time of all rules. `lint` runs all of them.
 */
export function createSourceLoader(
  only: string | undefined,
  folders: readonly string[],
  configure?: () => Promise<Configuration>,
) {
  const configurationFile = resolve("redocly.yaml");
  const loaded = new Map<string, Awaited<ReturnType<typeof loadSource>>>();
  let configuration: Configuration | undefined;
  return async (changed: ReadonlySet<string>) => {
    const since = Date.now();
    if (changed.has(configurationFile)) {
      // Bundles of the old configuration are obsolete, even if the new one can't be read.
      configuration = undefined;
      loaded.clear();
    }
    const contract = (configuration ??= await (configure?.() ?? readConfiguration(undefined, true)));
    const sources = selectByName(contract.sources, only);
    for (const source of sources) {
      const known = loaded.get(source.name);
      const isUpToDate = known?.document !== undefined && !known.files.some((file) => changed.has(file));
      if (!isUpToDate) loaded.set(source.name, await loadSource(source));
    }
    const current = [...loaded.values()];
    const generations = current.flatMap(({ name, document }) =>
      document === undefined ? [] : [readGeneration(name, document)],
    );
    const lint = async (style: TextStyle) => {
      const problems = [contract.unknownRules, ...(await Promise.all(current.map((one) => one.lint())))].flat();
      if (only === undefined && configure === undefined) {
        const workflows = await lintWorkflows(resolve(workflowsFolder), { ...contract, generations });
        problems.push(...workflows.problems);
      }
      return formatProblems(
        problems.map((problem) => ({ ...problem, severity: "warn" })),
        style,
      );
    };
    const saved: SavedContract = { generations, lint, since };
    const listed = await Promise.all(folders.map(listFolder));
    return {
      /** `undefined` if a generation can't be served. */
      contract: generations.length === sources.length ? saved : undefined,
      /** The mistakes that prevent serving. */
      problems: current.flatMap(({ problems }) => problems),
      /** Absolute paths of all files that were read or missing, and of all files in the folders. */
      files: [...new Set([configurationFile, ...current.flatMap(({ files }) => files), ...listed.flat()])],
      since,
    };
  };
}

async function loadSource(source: GenerationSource) {
  const bundle = await bundleSources({ ...source, config: source.servingConfig });
  let problems: Promise<readonly LintProblem[]> | undefined;
  return { ...bundle, name: source.name, lint: () => (problems ??= lintSource(source)) };
}

/** A folder, which changes when a file is added to it, and its files. */
async function listFolder(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return [folder, ...names.map((name) => join(folder, name))];
}

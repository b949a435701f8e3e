import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { selectByName } from "../contract/bundles.ts";
import { readGeneration, type Generation } from "../contract/generation.ts";
import { workflowsFolder } from "../workflows/arazzoFiles.ts";
import { bundleSources, lintSource, type Bundle } from "./bundleSources.ts";
import { readConfiguration, type Configuration } from "./configuration.ts";
import { formatProblems, sortProblems, type LintProblem } from "./lintProblems.ts";
import { lintWorkflows } from "./lintWorkflows.ts";

/** The contract as it was saved. */
export interface SavedContract {
  readonly generations: readonly Generation[];
  /** Checks it by all lint rules. Resolves to a report of warnings; empty if there are none. */
  readonly lint: () => Promise<string>;
  /** Time at which reading it began, in milliseconds since the epoch. */
  readonly since: number;
}

/**
 * Makes a function that bundles the generations of redocly.yaml, or only one of them, without writing anything. They are
 * checked only as far as is needed to serve them, which takes a fifth of the time of all rules; for these there is `lint`.
 * Told which files have changed since its last call, by absolute paths, it bundles only the generations that use them.
 * What is in `folders` (absolute paths) is only listed. It throws `UserError` if redocly.yaml cannot be used, or has no such generation.
 */
export function createSourceLoader(only: string | undefined, folders: readonly string[]) {
  const configurationFile = resolve("redocly.yaml");
  const bundles = new Map<string, Bundle>();
  const linted = new WeakMap<Bundle, readonly LintProblem[]>();
  let configuration: Configuration | undefined;
  return async (changed: ReadonlySet<string>) => {
    const since = Date.now();
    if (configuration === undefined || changed.has(configurationFile)) {
      // Bundles of the old configuration are of no use, even if the new one cannot be read.
      configuration = undefined;
      bundles.clear();
      configuration = await readConfiguration(undefined, true);
    }
    const contract = configuration;
    const sources = selectByName(contract.sources, only);
    for (const source of sources) {
      const known = bundles.get(source.name);
      const isUpToDate = known?.document !== undefined && !known.files.some((file) => changed.has(file));
      if (!isUpToDate) bundles.set(source.name, await bundleSources({ ...source, config: source.servingConfig }));
    }
    const current = new Map(bundles);
    const generations = [...current].flatMap(([name, { document }]) =>
      document === undefined ? [] : [readGeneration(name, document)],
    );
    const files = [...current.values()].flatMap((bundle) => bundle.files);
    const lint = async () => {
      const problems: LintProblem[] = [...contract.unknownRules];
      for (const source of sources) {
        const bundle = current.get(source.name);
        if (bundle === undefined) continue;
        const own = linted.get(bundle) ?? (await lintSource(source));
        linted.set(bundle, own);
        problems.push(...own);
      }
      if (only === undefined) {
        const workflows = await lintWorkflows(resolve(workflowsFolder), { ...contract, generations });
        problems.push(...workflows.problems);
      }
      return formatProblems(sortProblems(problems.map((problem) => ({ ...problem, severity: "warn" }))));
    };
    const saved: SavedContract = { generations, lint, since };
    return {
      /** `undefined` if one of the generations cannot be served. */
      contract: generations.length === sources.length ? saved : undefined,
      /** Report of the mistakes for which they cannot be served, with file, line and column. */
      report: formatProblems(sortProblems([...current.values()].flatMap(({ problems }) => problems))),
      /** Absolute paths of all files that were read, or that were missing, and of all in the folders. */
      files: [configurationFile, ...new Set(files), ...(await Promise.all(folders.map(listFolder))).flat()],
      since,
    };
  };
}

/** A folder, which changes when a file is added to it, and the files in it. */
async function listFolder(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return [folder, ...names.map((name) => join(folder, name))];
}

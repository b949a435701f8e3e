import { resolve } from "node:path";
import { selectByName } from "../contract/bundles.ts";
import { readGeneration } from "../contract/generation.ts";
import { workflowsFolder } from "../workflows/arazzoFiles.ts";
import { bundleSources, lintSource, type Bundle } from "./bundleSources.ts";
import { readConfiguration, type Configuration } from "./configuration.ts";
import { formatProblems, sortProblems, type LintProblem } from "./lintProblems.ts";
import { lintWorkflows } from "./lintWorkflows.ts";

/**
 * Makes a function that bundles the generations of redocly.yaml, or only one of them, without writing anything. They are
 * checked only as far as is needed to serve them, which takes a fifth of the time of all rules; for these there is `lint`.
 * Told which files have changed since its last call, by absolute paths, it bundles only the generations that use them.
 * It throws `UserError` if redocly.yaml cannot be used, or has no such generation.
 */
export function createSourceLoader(only: string | undefined) {
  const configurationFile = resolve("redocly.yaml");
  const bundles = new Map<string, Bundle>();
  const linted = new WeakMap<Bundle, readonly LintProblem[]>();
  let configuration: Configuration | undefined;
  return async (changed: ReadonlySet<string>) => {
    if (configuration === undefined || changed.has(configurationFile)) {
      // Bundles of the old configuration are of no use, even if the new one cannot be read.
      configuration = undefined;
      bundles.clear();
      configuration = await readConfiguration();
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
    const lintAll = async () => {
      const problems: LintProblem[] = [];
      for (const source of sources) {
        const bundle = current.get(source.name);
        if (bundle === undefined) continue;
        const own = linted.get(bundle) ?? (await lintSource(source));
        linted.set(bundle, own);
        problems.push(...own);
      }
      if (only !== undefined) return problems;
      return [...problems, ...(await lintWorkflows(resolve(workflowsFolder), { ...contract, generations })).problems];
    };
    return {
      /** `undefined` if one of them cannot be served. */
      generations: generations.length === sources.length ? generations : undefined,
      /** Report of the mistakes for which they cannot be served, with file, line and column. */
      report: report([...current.values()].flatMap(({ problems }) => problems)),
      /** Checks them, and their workflows, by all rules. Resolves to a report of warnings; empty if there are none. */
      lint: async () => report((await lintAll()).map((problem) => ({ ...problem, severity: "warn" }))),
      /** Absolute paths of all files that were read, or that were missing. */
      files: [configurationFile, ...new Set(files)],
    };
  };
}

function report(problems: readonly LintProblem[]): string {
  return formatProblems(sortProblems(problems));
}

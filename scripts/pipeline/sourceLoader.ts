import { resolve } from "node:path";
import { selectByName } from "../contract/bundles.ts";
import { readGeneration } from "../contract/generation.ts";
import { bundleSources, type Bundle } from "./bundleSources.ts";
import { readConfiguration, type GenerationSource } from "./configuration.ts";
import { formatProblems, sortProblems } from "./lintProblems.ts";

/**
 * Makes a function that lints and bundles the generations of redocly.yaml, or only one of them, without writing
 * anything. Told which files have changed since its last call, by absolute paths, it bundles only the generations that
 * use them. It throws `UserError` if redocly.yaml cannot be used, or has no such generation.
 */
export function createSourceLoader(only: string | undefined) {
  const configuration = resolve("redocly.yaml");
  const bundles = new Map<string, Bundle>();
  let sources: readonly GenerationSource[] | undefined;
  return async (changed: ReadonlySet<string>) => {
    if (sources === undefined || changed.has(configuration)) {
      // Bundles of the old configuration are of no use, even if the new one cannot be read.
      sources = undefined;
      bundles.clear();
      sources = selectByName((await readConfiguration()).sources, only);
    }
    for (const source of sources) {
      const known = bundles.get(source.name);
      const isUpToDate = known?.document !== undefined && !known.files.some((file) => changed.has(file));
      if (!isUpToDate) bundles.set(source.name, await bundleSources(source));
    }
    const generations = [...bundles].flatMap(([name, { document }]) =>
      document === undefined ? [] : [readGeneration(name, document)],
    );
    const all = [...bundles.values()];
    return {
      /** `undefined` if a source has an error. */
      generations: generations.length === all.length ? generations : undefined,
      /** The report of lint, with file, line and column; empty if there is nothing to report. */
      report: formatProblems(sortProblems(all.flatMap(({ problems }) => problems))),
      /** Absolute paths of all files that were read, or that were missing. */
      files: [configuration, ...new Set(all.flatMap(({ files }) => files))],
    };
  };
}

import { resolve } from "node:path";
import { selectByName } from "../contract/bundles.ts";
import { readGeneration, type Generation } from "../contract/generation.ts";
import { bundleSources, type Bundle } from "./bundleSources.ts";
import { readConfiguration, type GenerationSource } from "./configuration.ts";
import { formatProblems, sortProblems } from "./lintProblems.ts";

export interface LoadedSources {
  /** `undefined` if a source has an error. */
  readonly generations: readonly Generation[] | undefined;
  /** The report of lint, with file, line and column; empty if there is nothing to report. */
  readonly report: string;
  /** Absolute paths of all files that were read, or that were missing. */
  readonly files: readonly string[];
}

/**
 * Makes a function that lints and bundles the generations of redocly.yaml, or only one of them, without writing
 * anything. Told which files have changed since its last call, by absolute paths, it bundles only the generations that
 * use them. It throws `UserError` if redocly.yaml cannot be used, or has no such generation.
 */
export function createSourceLoader(only: string | undefined): (changed: ReadonlySet<string>) => Promise<LoadedSources> {
  const configuration = resolve("redocly.yaml");
  const bundles = new Map<string, Bundle>();
  let sources: readonly GenerationSource[] | undefined;
  return async (changed) => {
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
    return {
      generations: generations.length === bundles.size ? generations : undefined,
      report: formatProblems(sortProblems([...bundles.values()].flatMap(({ problems }) => problems))),
      files: [configuration, ...new Set([...bundles.values()].flatMap(({ files }) => files))],
    };
  };
}

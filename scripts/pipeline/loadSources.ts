import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readGeneration, selectByName, type Generation } from "../contract/generation.ts";
import type { TextStyle } from "../values/textStyle.ts";
import { workflowsFolder } from "../workflows/arazzoFiles.ts";
import { bundleSources, lintSource } from "./bundleSources.ts";
import { readConfiguration, type Configuration, type GenerationSource } from "./configuration.ts";
import { formatProblems } from "./formatProblems.ts";
import type { LintProblem } from "./lintProblems.ts";
import { lintWorkflows } from "./lintWorkflows.ts";

export interface SavedContract {
  readonly generations: readonly Generation[];
  /** Runs all lint rules. Resolves to a report of warnings, which is empty if there are none. */
  readonly lint: (style: TextStyle) => Promise<string>;
  /** When reading started, in milliseconds since the epoch. */
  readonly since: number;
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

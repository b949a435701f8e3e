import { resolve } from "node:path";
import { CommandError } from "../command.ts";
import { bundleGeneration, type Bundle } from "../contract/bundle.ts";
import type { Document } from "../contract/document.ts";
import { readGenerations, type Generation } from "../contract/generations.ts";
import { formatProblem, sortProblems } from "../contract/problems.ts";

export interface Sources {
  /** The bundles, by generation; `undefined` where a source has an error. */
  readonly generations: Readonly<Record<string, Document>> | undefined;
  /** What lint says, with file, line and column; empty where it says nothing. */
  readonly report: string;
  /** Absolute paths of all files that have a part in it. */
  readonly files: readonly string[];
}

/**
 * Makes a function that lints and bundles the generations of redocly.yaml, or only one of them, without writing
 * anything. Told which files have changed since its last call, by absolute paths, it bundles only the generations that
 * they have a part in. It throws {@link CommandError} where redocly.yaml cannot be used, or has no such generation.
 */
export function createSourceLoader(only: string | undefined): (changed: ReadonlySet<string>) => Promise<Sources> {
  const configuration = resolve("redocly.yaml");
  const bundles = new Map<string, Bundle>();
  let generations: readonly Generation[] | undefined;
  return async (changed) => {
    if (generations === undefined || changed.has(configuration)) {
      // What the old configuration made is worth nothing, whether the new one can be read or not.
      generations = undefined;
      bundles.clear();
      generations = select(await readGenerations(), only);
    }
    for (const generation of generations) {
      const known = bundles.get(generation.name);
      const isUpToDate = known?.document !== undefined && !known.files.some((file) => changed.has(file));
      if (!isUpToDate) bundles.set(generation.name, await bundleGeneration(generation));
    }
    return combine(bundles, configuration);
  };
}

function select(all: readonly Generation[], only: string | undefined): readonly Generation[] {
  const selected = all.filter(({ name }) => only === undefined || name === only);
  if (selected.length > 0) return selected;
  const names = all.map(({ name }) => name).join(" and ");
  throw new CommandError(`there is no generation "${only ?? ""}": there are ${names}`);
}

function combine(bundles: ReadonlyMap<string, Bundle>, configuration: string): Sources {
  const documents = [...bundles].flatMap(([name, { document }]) =>
    document === undefined ? [] : [[name, document] as const],
  );
  const problems = sortProblems([...bundles.values()].flatMap((bundle) => bundle.problems));
  return {
    generations: documents.length === bundles.size ? Object.fromEntries(documents) : undefined,
    report: problems.map((problem) => formatProblem(problem, process.cwd())).join("\n\n"),
    files: [configuration, ...new Set([...bundles.values()].flatMap(({ files }) => files))],
  };
}

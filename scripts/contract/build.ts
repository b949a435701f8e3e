import { CommandError } from "../command.ts";
import { bundleGeneration } from "./bundle.ts";
import { listOperations } from "./document.ts";
import { applyChanges, findChanges, type Changes } from "./generated.ts";
import { readGenerations } from "./generations.ts";
import { generateOutputs, type Output } from "./outputs.ts";
import { formatProblem, sortProblems, type Problem } from "./problems.ts";

export interface BuildOptions {
  /** The folder that everything is written to, with a subfolder for each generation. */
  readonly directory: string;
  /** Write nothing, and fail where something would be written. */
  readonly check?: boolean;
  /** Is told, a line at a time, what was done. */
  readonly report: (line: string) => void;
}

/**
 * Lints and bundles every generation of redocly.yaml in the current folder, and writes what is made from them.
 * Throws {@link CommandError} with every mistake where the sources have any; the folder is then as it was before.
 */
export async function buildGenerated({ directory, check = false, report }: BuildOptions): Promise<void> {
  const generations = await readGenerations();
  const outputs: Output[] = [];
  const problems: Problem[] = [];
  for (const generation of generations) {
    const bundle = await bundleGeneration(generation);
    problems.push(...bundle.problems);
    if (bundle.document === undefined) continue;
    report(`${generation.name}: ${listOperations(bundle.document).length} operations are in order`);
    outputs.push(...(await generateOutputs(generation.name, bundle.document)));
  }
  const sorted = sortProblems(problems);
  refuseErrors(sorted);
  for (const problem of sorted) report(formatProblem(problem, process.cwd()));

  const names = generations.map(({ name }) => name);
  const changes = await findChanges(directory, names, outputs);
  if (check) refuseChanges(changes);
  else await applyChanges(directory, changes);
  report(describeChanges(changes));
}

function refuseErrors(problems: readonly Problem[]): void {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  if (errors === 0) return;
  throw new CommandError(
    [
      `${errors === 1 ? "1 mistake" : `${errors} mistakes`} in the contract; generated/ is as it was`,
      ...problems.map((problem) => formatProblem(problem, process.cwd())),
    ].join("\n\n"),
  );
}

function refuseChanges({ written, removed }: Changes): void {
  const paths = [...written.map(({ path }) => path), ...removed].map((path) => `generated/${path}`);
  if (paths.length === 0) return;
  throw new CommandError(
    [
      "these files are not what openapi/ gives; run `npm run build` and commit what it changes:",
      ...paths.map((path) => `  ${path}`),
    ].join("\n"),
  );
}

function describeChanges({ written, removed }: Changes): string {
  const lines = [...written.map(({ path }) => `  wrote ${path}`), ...removed.map((path) => `  removed ${path}`)];
  return lines.length === 0 ? "generated/ was up to date" : ["generated/", ...lines].join("\n");
}

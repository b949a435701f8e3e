import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { changeFolder, compareFolder, type FolderChanges, type TextFile } from "../command/files.ts";
import { listBundles, selectByName } from "../contract/bundles.ts";
import { UserError } from "../contract/failures.ts";
import { readGeneration, type Generation } from "../contract/generation.ts";
import { countOf } from "../contract/text.ts";
import { listArazzoFiles, workflowsFolder } from "../workflows/arazzoFiles.ts";
import { responsesFile } from "../workflows/recordedResponses.ts";
import { bundleSources } from "./bundleSources.ts";
import { formatJson } from "../contract/documentText.ts";
import { readConfiguration, reservedNames } from "./configuration.ts";
import { placeIn } from "../redocly/sourceFiles.ts";
import { jsonPointer } from "../spec/jsonPointer.ts";
import { errorAt, formatProblems, groupAlike, hasErrors, sortProblems, type LintProblem } from "./lintProblems.ts";
import { findSharedPaths } from "./sharedPaths.ts";
import { lintWorkflows } from "./lintWorkflows.ts";

const responsesFolder = "workflows";

/**
 * Lints and bundles the generations of redocly.yaml in the current folder, or only one, and returns them. If all of them,
 * it lints the workflows in openapi/workflows/ too, which may use several.
 * Throws {@link UserError} with every mistake in the sources if there is one.
 */
export async function lintSources(report: (line: string) => void, only?: string): Promise<readonly Generation[]> {
  const generations: Generation[] = [];
  const problems: LintProblem[] = [];
  const configuration = await readConfiguration();
  const { sources } = configuration;
  for (const source of selectByName(sources, only)) {
    const bundle = await bundleSources(source);
    problems.push(...bundle.problems);
    if (bundle.document === undefined) continue;
    const generation = readGeneration(source.name, bundle.document);
    generations.push(generation);
    report(`${generation.name}: no mistakes in ${countOf(generation.operations.length, "operation")}`);
  }
  if (only === undefined) {
    const workflows = await lintWorkflows(resolve(workflowsFolder), { ...configuration, generations });
    problems.push(...findSharedPaths(generations, sources), ...workflows.problems);
    if (workflows.count > 0 && !hasErrors(workflows.problems))
      report(`no mistakes in ${countOf(workflows.count, "workflow")}`);
  }
  const sorted = sortProblems(problems);
  const text = formatProblems(sorted);
  const errors = groupAlike(sorted.filter(({ severity }) => severity === "error")).length;
  if (errors > 0) throw new UserError(`${countOf(errors, "mistake")} in the contract\n\n${text}`);
  if (text !== "") report(text);
  return generations;
}

/**
 * Lints and bundles every generation of redocly.yaml in the current folder, and writes what is made from them to a folder,
 * with a subfolder for each; with `check`, it fails if something would be written. `report` gets each line of the report.
 * Resolves to the generations.
 * Throws {@link UserError} with every mistake if the sources have any; the folder is then as it was before.
 */
export async function buildGenerated(
  directory: string,
  report: (line: string) => void,
  check = false,
): Promise<readonly Generation[]> {
  const generations = await lintSources(report);
  await writeGenerated(directory, generations, report, check);
  return generations;
}

/** Does the same for generations that have been bundled already. */
export async function writeGenerated(
  directory: string,
  generations: readonly Generation[],
  report: (line: string) => void,
  check = false,
): Promise<void> {
  // Loaded late, because it brings the TypeScript compiler: a build that stops at lint need not wait for it.
  const { generateFiles } = await import("./generateFiles.ts");
  const files = (await Promise.all([...generations.map(generateFiles), recordWorkflows(generations)])).flat();
  const names = generations.map(({ name }) => name);
  const former = await listFormer(directory, names);
  const changes = await compareFolder(directory, files, [...names, responsesFolder, ...former]);
  if (check) refuseChanges(changes);
  else await changeFolder(directory, changes);
  report(describeChanges(changes));
}

/** Writes the mock's responses to the workflows, which the docs show, and nothing else. */
export async function writeResponses(directory: string, generations: readonly Generation[]): Promise<void> {
  const files = await recordWorkflows(generations);
  await changeFolder(directory, await compareFolder(directory, files, [responsesFolder]));
}

/** The names of generations that were built once and are no longer in redocly.yaml. Other folders are left alone. */
async function listFormer(directory: string, names: readonly string[]): Promise<readonly string[]> {
  const others = (await listBundles(directory)).filter((name) => ![...names, ...reservedNames].includes(name));
  return others.filter((name) => existsSync(join(directory, name, "types.ts")));
}

/** The mock's responses to the workflows. The same bundles and workflows give the same text. */
async function recordWorkflows(generations: readonly Generation[]): Promise<readonly TextFile[]> {
  const folder = resolve(workflowsFolder);
  if ((await listArazzoFiles(folder)).length === 0) return [];
  // Loaded late, because it brings the mock.
  const { recordResponses } = await import("../workflows/recordResponses.ts");
  const { responses, problems } = await recordResponses(folder, generations);
  if (problems.length > 0) {
    const found = problems.map(({ file, keys, message, suggestion }) =>
      errorAt(placeIn(file, jsonPointer(keys)), "workflow-response", message, suggestion),
    );
    throw new UserError(
      `${countOf(found.length, "mistake")} in the workflows\n\n${formatProblems(sortProblems(found))}`,
    );
  }
  const content = formatJson(responses);
  return [{ path: `${responsesFolder}/${responsesFile}`, content }];
}

function refuseChanges({ written, removed }: FolderChanges): void {
  const paths = [...written.map(({ path }) => path), ...removed].map((path) => `  generated/${path}`);
  if (paths.length === 0) return;
  const advice = "these files do not match openapi/; run `npm run build` and commit what it changes:";
  throw new UserError([advice, ...paths].join("\n"));
}

function describeChanges({ written, removed }: FolderChanges): string {
  const lines = [...written.map(({ path }) => `  wrote ${path}`), ...removed.map((path) => `  removed ${path}`)];
  return lines.length === 0 ? "generated/ is up to date" : ["generated/", ...lines].join("\n");
}

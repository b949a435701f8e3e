import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { changeFolder, compareFolder, type FolderChanges, type TextFile } from "../command/files.ts";
import { listBundles } from "../contract/bundles.ts";
import { ifAbsent, UserError } from "../contract/failures.ts";
import { readGeneration, selectByName, type Generation } from "../contract/generation.ts";
import { countOf } from "../values/text.ts";
import { listArazzoFiles, workflowsFolder } from "../workflows/arazzoFiles.ts";
import { responsesFile } from "../workflows/readWorkflows.ts";
import { bundleSources } from "./bundleSources.ts";
import { formatJson } from "../contract/documentText.ts";
import { editorFolder, generateEditorSchema } from "./editorSchema.ts";
import { configureFiles, readConfiguration, type GenerationSource } from "./configuration.ts";
import { placeIn } from "../redocly/sourceFiles.ts";
import { jsonPointer } from "../values/json.ts";
import { fillTemplate } from "../spec/pathTemplate.ts";
import { formatProblems, refuseErrors } from "./formatProblems.ts";
import { errorAt, type LintProblem } from "./lintProblems.ts";
import { lintWorkflows } from "./lintWorkflows.ts";
import { findDamageIn } from "./yamlProblems.ts";

const responsesFolder = "workflows";

/**
 * Lints and bundles the generations of redocly.yaml in the current folder, or only one of them, and returns
 * them. Lints the workflows too unless `only` is given. Reports the warnings, formatted with `format`, and then
 * what has no mistakes. Throws {@link LintError} with every mistake in the sources, without a report.
 */
export async function lintSources(
  report: (line: string) => void,
  only?: string,
  format: (warnings: readonly LintProblem[]) => string = formatProblems,
): Promise<readonly Generation[]> {
  const generations: Generation[] = [];
  const problems: LintProblem[] = [];
  const configuration = await readConfiguration();
  const { sources } = configuration;
  for (const source of selectByName(sources, only)) {
    const bundle = await bundleSources(source);
    problems.push(...bundle.problems);
    if (bundle.document === undefined) continue;
    generations.push(readGeneration(source.name, bundle.document));
  }
  const parts = generations.map(
    ({ name, operations }) => `${name}: no mistakes in ${countOf(operations.length, "operation")}`,
  );
  if (only === undefined) {
    const workflows = await lintWorkflows(resolve(workflowsFolder), { ...configuration, generations });
    problems.push(...findSharedPaths(generations, sources), ...workflows.problems, ...findDamageIn("openapi"));
    if (workflows.count > 0) parts.push(`no mistakes in ${countOf(workflows.count, "workflow")}`);
  }
  refuseErrors(problems, "the contract");
  if (problems.length > 0) report(`${format(problems)}\n`);
  for (const part of parts) report(part);
  return generations;
}

/**
 * Bundles descriptions that no redocly.yaml lists, by their files. Reports warnings. Throws {@link LintError} with
 * every mistake that keeps them from being served. Other files are read only in their folders, and in the `allowed` one.
 */
export async function readDescriptions(files: readonly string[], report: (line: string) => void, allowed?: string) {
  const { sources } = await configureFiles(files, allowed);
  const bundles = await Promise.all(sources.map(bundleSources));
  const problems = bundles.flatMap((bundle) => bundle.problems);
  refuseErrors(problems, files.join(" and "));
  if (problems.length > 0) report(formatProblems(problems));
  return sources.flatMap(({ name }, index) => {
    const { document } = bundles[index] ?? {};
    return document === undefined ? [] : [readGeneration(name, document)];
  });
}

/** Finds operations that match the same requests as those of another generation. No server could serve both. */
function findSharedPaths(generations: readonly Generation[], sources: readonly GenerationSource[]) {
  const owners = new Map<string, string>();
  return generations.flatMap(({ name, operations }) =>
    operations.flatMap(({ method, path }) => {
      const request = `${method} ${fillTemplate(path, () => "{}")}`;
      const owner = owners.get(request) ?? name;
      owners.set(request, owner);
      if (owner === name) return [];
      const root = sources.find((source) => source.name === name)?.root ?? "";
      const place = { ...placeIn(root, jsonPointer(["paths", path])), reportOnKey: true };
      const message = `The generation ${owner} has the same path, but one server serves both.`;
      return [errorAt(place, "shared-path", message, `Begin each path of ${name} with /${name}/.`)];
    }),
  );
}

/**
 * Writes the generated files of all generations to a folder, and returns whether that changed the folder. With
 * `check`, throws {@link UserError} instead of changing it.
 */
export async function writeGenerated(
  directory: string,
  generations: readonly Generation[],
  report: (line: string) => void,
  check = false,
): Promise<boolean> {
  const changes = await compareGenerated(directory, generations);
  const [wrote, removed] = check ? ["would write", "would remove"] : ["wrote", "removed"];
  const lines = [
    ...changes.written.map(({ path }) => `  ${wrote} ${path}`),
    ...changes.removed.map((path) => `  ${removed} ${path}`),
  ];
  if (check && lines.length > 0) {
    const advice = "generated/ does not match openapi/. Run `npm run build` and commit the changes:";
    throw new UserError([advice, ...lines].join("\n"));
  }
  await changeFolder(directory, changes);
  report(lines.length === 0 ? "generated/ is up to date" : ["generated/", ...lines].join("\n"));
  return lines.length > 0;
}

/** Returns whether generated/ has the bundles of these generations. Doesn't compare its other files, which is slow. */
export async function isGenerated(generations: readonly Generation[]): Promise<boolean> {
  const bundles = generations.map(async ({ name, document }) => {
    const built = await readFile(resolve("generated", name, "openapi.json"), "utf8").catch(ifAbsent(""));
    return built === formatJson(document);
  });
  return (await Promise.all(bundles)).every(Boolean);
}

/** Compares a folder with the generated files of all generations. */
export async function compareGenerated(directory: string, generations: readonly Generation[]): Promise<FolderChanges> {
  // Loaded late because it imports the TypeScript compiler, which a failed lint doesn't need.
  const { generateFiles } = await import("./generateFiles.ts");
  const files = [
    ...generations.flatMap(generateFiles),
    ...(await recordWorkflows(generations)),
    generateEditorSchema(),
  ];
  // Includes files of generations that are no longer in redocly.yaml. Other files in the folder are left
  // alone.
  const built = (await listBundles(directory)).filter((name) => existsSync(join(directory, name, "types.ts")));
  const folders = new Set([...generations.map(({ name }) => name), responsesFolder, editorFolder, ...built]);
  return compareFolder(directory, files, [...folders]);
}

/** Writes only the mock's responses to the workflows, which the docs show. */
export async function writeResponses(directory: string, generations: readonly Generation[]): Promise<void> {
  const files = await recordWorkflows(generations);
  await changeFolder(directory, await compareFolder(directory, files, [responsesFolder]));
}

/** The mock's responses to the workflows. The output is deterministic. */
async function recordWorkflows(generations: readonly Generation[]): Promise<readonly TextFile[]> {
  const folder = resolve(workflowsFolder);
  if ((await listArazzoFiles(folder)).length === 0) return [];
  // Loaded late because it imports the mock.
  const { recordResponses } = await import("../workflows/recordResponses.ts");
  const { responses, problems } = await recordResponses(folder, generations);
  const unmet = problems.map(({ file, keys, message, suggestion }) =>
    errorAt(placeIn(file, jsonPointer(keys)), "workflow-response", message, suggestion),
  );
  refuseErrors(unmet, "the workflows");
  return [{ path: `${responsesFolder}/${responsesFile}`, content: formatJson(responses) }];
}

import { BaseResolver, lintDocument, YamlParseError, type Config, type Source } from "@redocly/openapi-core";
import { basename, dirname, resolve } from "node:path";
import type { Generation } from "../contract/generation.ts";
import { jsonPointer } from "../spec/jsonPointer.ts";
import { isArazzo, readArazzo, type ArazzoDescription } from "../workflows/arazzo.ts";
import { listArazzoFiles } from "../workflows/arazzoFiles.ts";
import { checkStep, findStepOperation } from "../workflows/stepOperation.ts";
import type { GenerationSource } from "./configuration.ts";
import { errorAt, fromRedocly, fromYamlError, hasErrors, type LintProblem } from "./lintProblems.ts";

/** The contract that workflows are checked against. */
interface Contract {
  readonly config: Config;
  readonly sources: readonly GenerationSource[];
  /** Those of the sources that have no mistakes. */
  readonly generations: readonly Generation[];
}

/**
 * Lints the Arazzo descriptions in a folder, if there is one, with Redocly's rules, and checks that the contract has all
 * that their steps name, unless a generation has mistakes of its own.
 */
export async function lintWorkflows(
  folder: string,
  contract: Contract,
): Promise<{ readonly problems: readonly LintProblem[]; readonly count: number }> {
  const files = await Promise.all((await listArazzoFiles(folder)).map((file) => lintFile(file, contract)));
  const seen = new Set<string>();
  const repeated = files.flatMap(({ source, ids }) =>
    ids.flatMap((id, index) => {
      const isNew = !seen.has(id);
      seen.add(id);
      if (isNew || source === undefined) return [];
      const pointer = pointerTo(["workflows", String(index), "workflowId"]);
      return [
        errorAt({ source, pointer }, "workflow-id", `Another file has a workflow ${id} too.`, "Rename one of them."),
      ];
    }),
  );
  const problems = [...files.flatMap((file) => file.problems), ...repeated];
  return { problems, count: seen.size };
}

interface LintedFile {
  readonly source: Source | undefined;
  readonly problems: readonly LintProblem[];
  readonly ids: readonly string[];
}

async function lintFile(file: string, contract: Contract): Promise<LintedFile> {
  const { config, sources, generations } = contract;
  const externalRefResolver = new BaseResolver(config.resolve);
  const document = await externalRefResolver.resolveDocument(null, file, true).catch((error: unknown) => {
    if (error instanceof Error) return error;
    throw error;
  });
  if (document instanceof YamlParseError) return { source: undefined, problems: [fromYamlError(document)], ids: [] };
  if (document instanceof Error) throw document;
  const { parsed, source } = document;
  if (!isArazzo(parsed)) {
    const problem = errorAt(
      { source, pointer: "#/" },
      "root",
      `${basename(file)} is no Arazzo 1.0 description with workflows.`,
      'Begin it with "arazzo: 1.0.1".',
    );
    return { source, problems: [problem], ids: [] };
  }
  const linted = await lintDocument({ document, config, externalRefResolver });
  const problems = linted.filter(({ ignored }) => ignored !== true).map(fromRedocly);
  if (hasErrors(problems)) return { source, problems, ids: [] };
  const description = readArazzo(parsed);
  const mistakes = generations.length < sources.length ? [] : checkSteps(source, description, contract);
  return { source, problems: [...problems, ...mistakes], ids: description.workflows.map(({ id }) => id) };
}

function checkSteps(
  source: Source,
  { sources, workflows }: ArazzoDescription,
  { sources: roots, generations }: Contract,
): readonly LintProblem[] {
  const wrong = [...sources].flatMap(([name, url], index) => {
    const generation = roots.find((root) => root.name === name);
    if (generation?.root === resolve(dirname(source.absoluteRef), url)) return [];
    const pointer = pointerTo(["sourceDescriptions", String(index), generation === undefined ? "name" : "url"]);
    const names = roots.map((root) => root.name).join(" or ");
    const message =
      generation === undefined
        ? `${name} is no generation: a source description has the name of the one it stands for.`
        : `This is not where the generation ${name} is described.`;
    const suggestion = generation === undefined ? `Write ${names}.` : "Write the path of its `root` in redocly.yaml.";
    return [errorAt({ source, pointer }, "workflow-source", message, suggestion)];
  });
  if (wrong.length > 0) return wrong;
  const named = generations.filter(({ name }) => sources.has(name));
  return workflows.flatMap(({ steps }, workflowIndex) =>
    steps.flatMap((step, stepIndex) => {
      const found = findStepOperation(step, named);
      const problems = "message" in found ? [found] : checkStep(step, found.operation);
      return problems.map(({ keys, message, suggestion }) => {
        const pointer = pointerTo(["workflows", String(workflowIndex), "steps", String(stepIndex), ...keys]);
        return errorAt({ source, pointer }, "workflow-step", message, suggestion);
      });
    }),
  );
}

function pointerTo(keys: readonly string[]): string {
  return `#${jsonPointer(keys)}`;
}

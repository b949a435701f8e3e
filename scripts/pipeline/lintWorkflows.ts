import { BaseResolver, lintDocument, YamlParseError, type LocationObject, type Source } from "@redocly/openapi-core";
import { basename, dirname, resolve } from "node:path";
import type { Generation } from "../contract/generation.ts";
import { jsonPointer } from "../spec/jsonPointer.ts";
import { isArazzo, readArazzo, type ArazzoDescription } from "../workflows/arazzo.ts";
import { checkExpressions } from "../workflows/checkExpressions.ts";
import { listArazzoFiles } from "../workflows/arazzoFiles.ts";
import { checkStep, findStepOperation } from "../workflows/stepOperation.ts";
import type { Configuration } from "./configuration.ts";
import { errorAt, fromRedocly, fromYamlError, hasErrors, type LintProblem } from "./lintProblems.ts";

/** The contract that workflows are checked against; `generations` are those of its sources that have no mistakes. */
type Contract = Configuration & { readonly generations: readonly Generation[] };

/**
 * Lints the Arazzo descriptions in a folder, if there is one, with Redocly's rules, and checks that the contract has all
 * that their steps name, unless a generation has mistakes of its own.
 */
export async function lintWorkflows(folder: string, contract: Contract) {
  const files = await Promise.all((await listArazzoFiles(folder)).map((file) => lintFile(file, contract)));
  const seen = new Set<string>();
  const repeated = files.flatMap(({ source, ids }) =>
    ids.flatMap((id, index) => {
      const isNew = !seen.has(id);
      seen.add(id);
      if (isNew || source === undefined) return [];
      const place = placeIn(source, "workflows", index, "workflowId");
      return [errorAt(place, "workflow-id", `Another file has a workflow ${id} too.`, "Rename one of them.")];
    }),
  );
  return { problems: [...files.flatMap(({ problems }) => problems), ...repeated], count: seen.size };
}

async function lintFile(file: string, contract: Contract) {
  const { config, sources, generations } = contract;
  const externalRefResolver = new BaseResolver(config.resolve);
  const document = await externalRefResolver.resolveDocument(null, file, true).catch((error: unknown) => {
    if (error instanceof Error) return error;
    throw error;
  });
  if (document instanceof YamlParseError) return { problems: [fromYamlError(document)], ids: [] };
  if (document instanceof Error) throw document;
  const { parsed, source } = document;
  if (!isArazzo(parsed)) {
    const message = `${basename(file)} is no Arazzo 1.0 description with workflows.`;
    return { problems: [errorAt(placeIn(source, ""), "root", message, 'Begin it with "arazzo: 1.0.1".')], ids: [] };
  }
  const linted = await lintDocument({ document, config, externalRefResolver });
  const problems = linted.filter(({ ignored }) => ignored !== true).map(fromRedocly);
  if (hasErrors(problems)) return { problems, ids: [] };
  const description = readArazzo(parsed);
  const mistakes = [
    ...checkExpressions(parsed, description).map(({ keys, message, suggestion }) =>
      errorAt(placeIn(source, ...keys), "workflow-expression", message, suggestion),
    ),
    ...(generations.length < sources.length ? [] : checkSteps(source, description, contract)),
  ];
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
    const report = (field: string, message: string, suggestion: string) => [
      errorAt(placeIn(source, "sourceDescriptions", index, field), "workflow-source", message, suggestion),
    ];
    if (generation === undefined) {
      const message = `${name} is no generation: a source description has the name of the one it stands for.`;
      return report("name", message, `Write ${roots.map((root) => root.name).join(" or ")}.`);
    }
    const message = `This is not where the generation ${name} is described.`;
    return report("url", message, "Write the path of its `root` in redocly.yaml.");
  });
  if (wrong.length > 0) return wrong;
  const named = generations.filter(({ name }) => sources.has(name));
  return workflows.flatMap(({ steps }, workflowIndex) =>
    steps.flatMap((step, stepIndex) => {
      const found = findStepOperation(step, named);
      const problems = "message" in found ? [found] : checkStep(step, found.operation);
      return problems.map(({ keys, message, suggestion }) => {
        const place = placeIn(source, "workflows", workflowIndex, "steps", stepIndex, ...keys);
        return errorAt(place, "workflow-step", message, suggestion);
      });
    }),
  );
}

function placeIn(source: Source, ...keys: readonly (string | number)[]): LocationObject {
  return { source, pointer: `#${jsonPointer(keys.map(String))}` };
}

import { YamlParseError } from "@redocly/openapi-core";
import { basename, dirname, resolve } from "node:path";
import type { Generation } from "../contract/generation.ts";
import { groupBy } from "../values/collections.ts";
import { placeIn, sourceFolder, traceReferences } from "../redocly/sourceFiles.ts";
import { jsonPointer } from "../values/json.ts";
import { isArazzo, readArazzo, type ArazzoDescription } from "../workflows/arazzo.ts";
import { checkExpressions } from "../workflows/checkExpressions.ts";
import { listArazzoFiles } from "../workflows/arazzoFiles.ts";
import { checkStep, findStepOperation } from "../workflows/stepOperation.ts";
import type { Configuration } from "./configuration.ts";
import { errorAt, hasErrors, lint, readDocument } from "./lintProblems.ts";
import { createResolver, refuseOutside } from "./sourceResolver.ts";
import { fromYamlError } from "./yamlProblems.ts";

/** The contract that workflows are checked against. `generations` are those without mistakes in their sources. */
type Contract = Configuration & { readonly generations: readonly Generation[] };

/**
 * Lints the Arazzo descriptions in a folder. Checks the operations of their steps only if no generation has
 * mistakes.
 */
export async function lintWorkflows(folder: string, contract: Contract) {
  const files = await Promise.all((await listArazzoFiles(folder)).map((file) => lintFile(file, contract)));
  const uses = files.flatMap(({ file, ids }) => ids.map((id, index) => ({ id, file, index })));
  const byId = groupBy(uses, ({ id }) => id);
  const repeated = [...byId.values()].flatMap(([, ...others]) =>
    others.map(({ id, file, index }) => {
      const place = placeIn(file, `/workflows/${index}/workflowId`);
      return errorAt(place, "workflow-id", `Another file also has a workflow ${id}.`, "Rename one of them.");
    }),
  );
  return { problems: [...files.flatMap(({ problems }) => problems), ...repeated], count: byId.size };
}

async function lintFile(file: string, contract: Contract) {
  const { config, sources, generations } = contract;
  const folders = [sourceFolder(file)];
  const externalRefResolver = createResolver({ root: file, folders, config });
  const document = await readDocument(externalRefResolver, file).catch((error: unknown) => {
    if (error instanceof YamlParseError) return error;
    throw error;
  });
  if (document instanceof YamlParseError) return { file, problems: fromYamlError(document), ids: [] };
  const { parsed } = document;
  if (!isArazzo(parsed)) {
    const message = `${basename(file)} is not an Arazzo 1.0 description with workflows.`;
    return { file, problems: [errorAt(placeIn(file, ""), "root", message, 'Begin it with "arazzo: 1.0.1".')], ids: [] };
  }
  const { outside } = traceReferences(file, folders);
  if (outside.length > 0) return { file, problems: refuseOutside(outside, { folders, isUnlisted: false }), ids: [] };
  const problems = await lint({ document, config, externalRefResolver });
  if (hasErrors(problems)) return { file, problems, ids: [] };
  const description = readArazzo(parsed);
  const expressions = checkExpressions(parsed, description).map((one) => ({ ...one, rule: "workflow-expression" }));
  const steps = generations.length < sources.length ? [] : checkSteps(file, description, contract);
  const mistakes = [...expressions, ...steps].map(({ rule, keys, message, suggestion }) =>
    errorAt(placeIn(file, jsonPointer(keys)), rule, message, suggestion),
  );
  return { file, problems: [...problems, ...mistakes], ids: description.workflows.map(({ id }) => id) };
}

function checkSteps(
  file: string,
  { sources, workflows }: ArazzoDescription,
  { sources: roots, generations }: Contract,
) {
  const wrong = [...sources].flatMap(([name, url], index) => {
    if (roots.some((one) => one.name === name && one.root === resolve(dirname(file), url))) return [];
    const message = `There is no generation ${name} there.`;
    const suggestion = `Name one of ${roots.map((one) => one.name).join(" and ")}, with the path of its \`root\` in redocly.yaml.`;
    return [{ rule: "workflow-source", keys: ["sourceDescriptions", String(index)], message, suggestion }];
  });
  if (wrong.length > 0) return wrong;
  const named = generations.filter(({ name }) => sources.has(name));
  return workflows.flatMap(({ steps }, workflowIndex) =>
    steps.flatMap((step, stepIndex) => {
      const around = ["workflows", String(workflowIndex), "steps", String(stepIndex)];
      const found = findStepOperation(step, named);
      const mistakes = "message" in found ? [found] : checkStep(step, found.operation);
      return mistakes.map((mistake) => ({ ...mistake, rule: "workflow-step", keys: [...around, ...mistake.keys] }));
    }),
  );
}

import { closest } from "fastest-levenshtein";
import type { Generation, Operation } from "../contract/generation.ts";
import { pointerKeys } from "../spec/jsonPointer.ts";
import type { ArazzoStep, ArazzoWorkflow } from "./arazzo.ts";
import { fileError } from "./arazzoFiles.ts";

type StepOperation = ReturnType<typeof operationsOf>[number];
type StepProblem = ReturnType<typeof stepProblem>;

/**
 * Finds the operation that a step names, by ID or by path (Arazzo 1.0.1, section 4.6.4), among the generations that the
 * source descriptions name.
 */
export function findStepOperation(
  { operationId, operationPath }: ArazzoStep,
  candidates: readonly Generation[],
): StepOperation | StepProblem {
  if (operationId !== undefined) return byId(operationId, candidates);
  if (operationPath !== undefined) return byPath(operationPath, candidates);
  return stepProblem(["stepId"], "A step sends a request: this one names no operation.", "Name it as `operationId`.");
}

/** Finds the operation as {@link findStepOperation} does. Throws {@link UserError} with the file if there is none. */
export function requireOperation(
  file: string,
  { id }: ArazzoWorkflow,
  step: ArazzoStep,
  sources: readonly Generation[],
) {
  const found = findStepOperation(step, sources);
  if (!("message" in found)) return found;
  throw fileError(file, `step ${step.id} of workflow ${id}: ${found.message} ${found.suggestion}`);
}

/** Finds what else contradicts the contract in a step: parameters and credentials that its operation does not take. */
export function checkStep(step: ArazzoStep, operation: Operation): readonly StepProblem[] {
  const schemes = operation.security.flat();
  const accepted = new Set(schemes.map(({ name }) => name));
  // A parameter may also carry a credential, which is none of the operation's parameters in OpenAPI.
  const carriers = schemes.map(({ in: place, parameter }) => ({ name: parameter, in: place }));
  const known = [...operation.parameters, ...carriers].map(placeOf);
  const named = step.parameters.map(placeOf);
  const unknown = step.parameters.filter((parameter) => !known.includes(placeOf(parameter)));
  // One that stands in the wrong place is told once.
  const isMisplaced = ({ name }: { readonly name: string }) => unknown.some((parameter) => parameter.name === name);
  const missing = operation.parameters.filter(
    (parameter) => parameter.required && !named.includes(placeOf(parameter)) && !isMisplaced(parameter),
  );
  const refused = step.credentials
    .map(({ schemeName }) => schemeName)
    .filter((name) => name !== "" && !accepted.has(name));
  const hasBody = step.requestBody !== undefined && operation.requestBody === undefined;
  const missingAt = named.length === 0 ? "stepId" : "parameters";
  return [
    ...unknown
      .map(placeOf)
      .map((name) => stepProblem(["parameters"], `has no parameter ${name}.`, suggestSimilar(name, known))),
    ...missing.map((one) =>
      stepProblem([missingAt], `requires the parameter ${one.name} in ${one.in}.`, "Give it a value."),
    ),
    ...(hasBody ? [stepProblem(["requestBody"], "takes no request body.", "Remove it.")] : []),
    ...refused.map((name) => stepProblem(["x-security"], `does not take the credential ${name}.`, list([...accepted]))),
  ].map(({ message, ...others }) => ({ ...others, message: `${operation.name} ${message}` }));
}

/** Header names are the same in any case (RFC 9110, section 5.1). */
function placeOf({ name, in: place }: { readonly name: string; readonly in: string }): string {
  return `${place === "header" ? name.toLowerCase() : name} in ${place}`;
}

function byId(text: string, candidates: readonly Generation[]): StepOperation | StepProblem {
  const [, source, qualified] = /^\$sourceDescriptions\.([^.]+)\.(.+)$/.exec(text) ?? [];
  const id = qualified ?? text;
  const within = candidates.filter(({ name }) => source === undefined || name === source);
  const all = operationsOf(within);
  const found = all.filter(({ operation }) => operation.operationId === id);
  const [first, second] = found;
  if (first !== undefined && second === undefined) return first;
  if (first !== undefined) {
    const names = found.map(({ generation }) => `$sourceDescriptions.${generation.name}.${id}`);
    return stepProblem(["operationId"], `Several generations have an operation ${id}.`, list(names));
  }
  const message =
    within.length === 0
      ? `${text} names no source description that is a generation.`
      : `${within.map(({ name }) => name).join(" and ")} has no operation ${id}.`;
  const known = all.flatMap(({ operation }) => operation.operationId ?? []);
  return stepProblem(["operationId"], message, suggestSimilar(id, known));
}

function byPath(text: string, candidates: readonly Generation[]): StepOperation | StepProblem {
  const [, source, pointer = ""] = /^\{\$sourceDescriptions\.([^.]+)\.url\}(#.+)$/.exec(text) ?? [];
  const [, path = "", method = ""] = pointerKeys(pointer);
  const found = operationsOf(candidates.filter(({ name }) => name === source)).find(
    ({ operation }) => operation.path === path && operation.method === method,
  );
  if (found !== undefined) return found;
  const suggestion = "Write it as `{$sourceDescriptions.<name>.url}#/paths/<path>/<method>`, with / as ~1 in the path.";
  return stepProblem(["operationPath"], `There is no operation at ${text}.`, suggestion);
}

function operationsOf(generations: readonly Generation[]) {
  return generations.flatMap((generation) => generation.operations.map((operation) => ({ generation, operation })));
}

/** Something wrong with a step; `keys` lead to where in it. */
export function stepProblem(keys: readonly string[], message: string, suggestion: string) {
  return { keys, message, suggestion };
}

export function suggestSimilar(name: string, known: readonly string[]): string {
  return known.length === 0 ? "There are none." : `Did you mean: ${closest(name, [...known])}?`;
}

function list(names: readonly string[]): string {
  return names.length === 0 ? "It takes none." : `Write one of: ${names.join(", ")}.`;
}

import type { Generation, Operation } from "../contract/generation.ts";
import { meantName, suggestNames } from "../values/similarName.ts";
import { capitalize } from "../values/text.ts";
import { jsonPointer } from "../values/json.ts";
import type { ArazzoStep } from "./arazzo.ts";

type StepProblem = ReturnType<typeof stepProblem>;

/** Finds the operation of a step, by ID or by path (Arazzo 1.0.1, section 4.6.4), in its sources. */
export function findStepOperation({ operationId, operationPath }: ArazzoStep, candidates: readonly Generation[]) {
  const name = operationId ?? operationPath;
  if (name === undefined)
    return stepProblem(["stepId"], "A step sends a request.", "Name its operation as `operationId`.");
  const operations = candidates.flatMap((generation) =>
    generation.operations.map((operation) => ({ generation, operation, names: namesOf(generation.name, operation) })),
  );
  const [found, ...others] = operations.filter(({ names }) => names.includes(name));
  if (found !== undefined && others.length === 0) return found;
  const field = operationId === undefined ? "operationPath" : "operationId";
  if (found !== undefined) {
    const advice = "Write `$sourceDescriptions.<name>.` before it.";
    return stepProblem([field], `Several generations have an operation ${name}.`, advice);
  }
  const known = operations.flatMap(({ names }) => names);
  const message = `${candidates.map((one) => one.name).join(" and ") || "The contract"} has no operation ${name}.`;
  return stepProblem([field], message, suggestSimilar(name, known));
}

/** The possible names of an operation in a step. */
function namesOf(generation: string, { operationId, path, method }: Operation): readonly string[] {
  const source = `$sourceDescriptions.${generation}`;
  const byPath = `{${source}.url}#${jsonPointer(["paths", path, method])}`;
  return operationId === undefined ? [byPath] : [byPath, operationId, `${source}.${operationId}`];
}

/** Finds other contract violations in a step: parameters and credentials that its operation doesn't accept. */
export function checkStep(step: ArazzoStep, operation: Operation): readonly StepProblem[] {
  const accepted = operation.security.flat().map(({ name }) => name);
  const known = operation.parameters.map(placeOf);
  const unknown = step.parameters.filter((parameter) => !known.includes(placeOf(parameter)));
  const named = step.parameters.map(placeOf);
  // A parameter in the wrong place is reported once.
  const misplaced = unknown.map(({ name }) => name);
  const missing = operation.parameters.filter(
    (parameter) => parameter.required && !named.includes(placeOf(parameter)) && !misplaced.includes(parameter.name),
  );
  const refused = step.credentials.filter(({ schemeName }) => schemeName !== "" && !accepted.includes(schemeName));
  const hasBody = step.payload !== undefined && operation.requestBody === undefined;
  const missingAt = named.length === 0 ? "stepId" : "parameters";
  const problems: StepProblem[] = [];
  const tell = (keys: readonly string[], message: string, suggestion: string) =>
    problems.push(stepProblem(keys, `${operation.name} ${message}`, suggestion));
  for (const parameter of unknown) {
    const [place] = operation.parameters.filter(({ name }) => name === parameter.name).map(placeOf);
    const suggestion = place === undefined ? suggestSimilar(placeOf(parameter), known) : `Did you mean: ${place}?`;
    tell(parameter.keys, `has no parameter ${placeOf(parameter)}.`, suggestion);
  }
  for (const place of missing.map(placeOf)) tell([missingAt], `requires the parameter ${place}.`, "Give it a value.");
  if (hasBody) tell(["requestBody"], "takes no request body.", "Remove it.");
  for (const { schemeName } of refused)
    tell(["x-security"], `doesn't take the credential ${schemeName}.`, suggestSimilar(schemeName, accepted));
  return problems;
}

/** Identifies a parameter. Header names are case-insensitive (RFC 9110, section 5.1). */
export function placeOf({ name, in: place }: { readonly name: string; readonly in: string }): string {
  return `${place === "header" ? name.toLowerCase() : name} in ${place}`;
}

/** A problem of a step. `keys` lead to its place. */
export function stepProblem(keys: readonly string[], message: string, suggestion: string) {
  return { keys, message, suggestion };
}

export function suggestSimilar(name: string, known: readonly string[]): string {
  const meant = meantName(name, known);
  return meant === undefined ? `${capitalize(suggestNames(name, known))}.` : `Did you mean: ${meant}?`;
}

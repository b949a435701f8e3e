import { attempt } from "../contract/failures.ts";
import { isObject, membersOf, objectsOf, stringsOf } from "../spec/json.ts";
import { valueAt } from "../spec/jsonPointer.ts";
import type { ArazzoDescription } from "./arazzo.ts";
import { readCondition } from "./conditions.ts";
import { stepProblem, suggestSimilar } from "./stepOperation.ts";

type Keys = readonly string[];
type ExpressionProblem = ReturnType<typeof stepProblem>;

/** What expressions can refer to: the workflow's inputs, and the outputs of the steps so far, `<step>.outputs.<name>`. */
type Known = Readonly<Record<"inputs" | "steps", string[]>>;

const sources = [
  ...["inputs", "steps", "statusCode", "response", "request", "url", "method"],
  ...["workflows", "sourceDescriptions", "components"],
];

/**
 * Finds runtime expressions that refer to nothing, and criteria that are none, in the workflows of a document. The `keys`
 * of what is found lead to it from the document.
 */
export function checkExpressions(
  document: Readonly<Record<string, unknown>>,
  { workflows }: ArazzoDescription,
): readonly ExpressionProblem[] {
  return objectsOf(document["workflows"]).flatMap(({ steps, ...workflow }, index) => {
    const keys = ["workflows", String(index)];
    const known: Known = { inputs: (workflows[index]?.inputs ?? []).map(({ name }) => name), steps: [] };
    const problems = objectsOf(steps).flatMap((step, position) => {
      const place = [...keys, "steps", String(position)];
      const actions = ["onSuccess", "onFailure"].filter((name) => name in step);
      const found = [
        ...actions.map((name) => stepProblem([...place, name], "Steps follow one another here.", "Remove this.")),
        ...check(step, place, known),
      ];
      known.steps.push(...membersOf(step["outputs"]).map(([name]) => `${String(step["stepId"])}.outputs.${name}`));
      return found;
    });
    return [...problems, ...check(workflow, keys, known)];
  });
}

function check(value: unknown, keys: Keys, known: Known): ExpressionProblem[] {
  if (typeof value === "string") {
    const isWhole = /^\$[a-zA-Z]+(?:[.#]|$)/.test(value);
    const parts = Array.from(value.matchAll(/\{(\$[a-zA-Z][^{}]*)\}/g), ([, part = ""]) => part);
    return (isWhole ? [value] : parts).flatMap((expression) => checkExpression(expression, keys, known));
  }
  const members = Array.isArray(value) ? Object.entries<unknown>(value) : membersOf(value);
  const isCriterion = isObject(value) && typeof value["condition"] === "string";
  return [
    ...(isCriterion ? checkCriterion(value, String(value["condition"]), keys, known) : []),
    ...members.flatMap(([key, member]) => (key === "condition" ? [] : check(member, [...keys, key], known))),
  ];
}

function checkCriterion(
  { context, type }: Readonly<Record<string, unknown>>,
  condition: string,
  keys: Keys,
  known: Known,
): ExpressionProblem[] {
  const kind = isObject(type) ? type["type"] : (type ?? "simple");
  const place = [...keys, "condition"];
  if (kind !== "simple") {
    const isPattern = kind !== "regex" || attempt(() => new RegExp(condition)) !== undefined;
    const suggestion = "Write in `context` what it is applied to, such as `$response.body`.";
    return [
      ...(context === undefined ? [stepProblem(place, "This criterion is applied to nothing.", suggestion)] : []),
      ...(isPattern ? [] : [stepProblem(place, "This is no regular expression.", "Correct it.")]),
    ];
  }
  if (readCondition(condition) === undefined) {
    const suggestion = "Compare an expression with a value, as in `$statusCode == 200`; texts are in single quotes.";
    return [stepProblem(place, "This is no condition.", suggestion)];
  }
  const expressions = condition.replaceAll(/'[^']*'/g, "").match(/\$[^\s=!<>&|()]+/g) ?? [];
  return expressions.flatMap((expression) => checkExpression(expression, place, known));
}

function checkExpression(expression: string, keys: Keys, known: Known): ExpressionProblem[] {
  const [, source = "", name = ""] = /^\$(\w+)(?:\.([^#]*))?/.exec(expression) ?? [];
  if (!sources.includes(source)) {
    return [stepProblem(keys, `Runtime expressions have no source $${source}.`, suggestSimilar(source, sources))];
  }
  const named = stringsOf(valueAt(known, [source]) ?? [name]);
  if (named.includes(name)) return [];
  const what = source === "inputs" ? `The workflow has no input ${name}.` : `No step before has ${name}.`;
  return [stepProblem(keys, what, suggestSimilar(name, named))];
}

import { isObject, membersOf, objectsOf, valueAt } from "../spec/json.ts";
import { readCriterion, type ArazzoDescription } from "./arazzo.ts";
import { readTest } from "./expressions.ts";
import { stepProblem, suggestSimilar } from "./stepOperation.ts";

type ExpressionProblem = ReturnType<typeof stepProblem>;

/** Parts of steps that nothing here reads. */
const unread = [["onSuccess"], ["onFailure"], ["requestBody", "replacements"]];

/** Finds runtime expressions that refer to nothing, and criteria that are none. `keys` lead to them from the document. */
export function checkExpressions(document: Readonly<Record<string, unknown>>, { workflows }: ArazzoDescription) {
  return objectsOf(document["workflows"]).flatMap(({ steps, ...workflow }, index) => {
    const keys = ["workflows", String(index)];
    const known = (workflows[index]?.inputs ?? []).map(({ name }) => `$inputs.${name}`);
    const problems = objectsOf(steps).flatMap((step, position) => {
      const place = [...keys, "steps", String(position)];
      const found = unread
        .filter((part) => valueAt(step, part) !== undefined)
        .map((part) =>
          stepProblem([...place, ...part], "Steps follow one another, and send their payloads.", "Remove this."),
        );
      const wrong = check(step, place, known);
      known.push(...membersOf(step["outputs"]).map(([name]) => `$steps.${String(step["stepId"])}.outputs.${name}`));
      return [...found, ...wrong];
    });
    return [...problems, ...check(workflow, keys, known)];
  });
}

function check(value: unknown, keys: readonly string[], known: readonly string[]): readonly ExpressionProblem[] {
  if (typeof value === "string") return checkNames(expressionsIn(value), keys, known);
  if (isObject(value) && typeof value["condition"] === "string") return checkCriterion(value, keys, known);
  const members = Array.isArray(value) ? Object.entries<unknown>(value) : membersOf(value);
  return members.flatMap(([key, member]) => check(member, [...keys, key], known));
}

function expressionsIn(text: string): readonly string[] {
  if (/^\$[a-zA-Z]+(?:[.#]|$)/.test(text)) return [text];
  return Array.from(text.matchAll(/\{(\$[a-zA-Z][^{}]*)\}/g), ([, part = ""]) => part);
}

function checkCriterion(value: Readonly<Record<string, unknown>>, keys: readonly string[], known: readonly string[]) {
  const criterion = readCriterion(value);
  const { condition, context = "", type } = criterion;
  const place = [...keys, "condition"];
  if (readTest(criterion) === undefined) {
    const suggestion =
      "Compare an expression with a value, as in `$statusCode == 200`; texts are in single quotes, and more comparisons " +
      "follow `&&`. A regular expression or a JSONPath query needs its `type`, and in `context` what it is applied to.";
    return [stepProblem(place, "This is no condition.", suggestion)];
  }
  const isSimple = type === "simple";
  const compared = isSimple ? (condition.replaceAll(/'[^']*'/g, "").match(/\$[^\s=!<>&|()]+/g) ?? []) : [];
  return [...checkNames(expressionsIn(context), [...keys, "context"], known), ...checkNames(compared, place, known)];
}

function checkNames(expressions: readonly string[], keys: readonly string[], known: readonly string[]) {
  return expressions.flatMap((expression) => {
    const [name = ""] = expression.split("#");
    const isOfResponse = /^\$(?:statusCode|response\.body|response\.header\..+)$/.test(name);
    if (isOfResponse || known.includes(name) || /^\$(?:sourceDescriptions|components)\./.test(name)) return [];
    const all = [...known, "$statusCode", "$response.body"];
    return [stepProblem(keys, `Nothing here is called ${name}.`, suggestSimilar(name, all))];
  });
}

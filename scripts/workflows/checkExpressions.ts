import { entriesOf, isObject, membersOf, objectsOf, valueAt } from "../values/json.ts";
import { isSlow } from "../spec/patterns.ts";
import { readCriterion, type ArazzoDescription } from "./arazzo.ts";
import { readComparisons, readTest } from "./expressions.ts";
import { stepProblem, suggestSimilar } from "./stepOperation.ts";

type ExpressionProblem = ReturnType<typeof stepProblem>;

/** Parts of steps, and of workflows, that are ignored here, and what happens instead. */
const unread = {
  step: {
    parts: [["onSuccess"], ["onFailure"], ["requestBody", "replacements"]],
    message: "Steps run in order and send their payloads unchanged.",
  },
  workflow: {
    parts: [["dependsOn"], ["successActions"], ["failureActions"]],
    message: "Workflows run in order, and so do their steps, each once.",
  },
};

/** Finds runtime expressions with unknown names, and invalid criteria. `keys` lead to them in the document. */
export function checkExpressions(document: Readonly<Record<string, unknown>>, { workflows }: ArazzoDescription) {
  return objectsOf(document["workflows"]).flatMap(({ steps, ...workflow }, index) => {
    const keys = ["workflows", String(index)];
    const known = (workflows[index]?.inputs ?? []).map(({ name }) => `$inputs.${name}`);
    const problems: ExpressionProblem[] = [...checkUnread("workflow", workflow, keys)];
    for (const [position, step] of objectsOf(steps).entries()) {
      const place = [...keys, "steps", String(position)];
      problems.push(...checkUnread("step", step, place), ...check(step, place, known));
      // Only later steps can refer to its outputs.
      for (const [name] of membersOf(step["outputs"])) known.push(`$steps.${String(step["stepId"])}.outputs.${name}`);
    }
    return [...problems, ...check(workflow, keys, known)];
  });
}

function checkUnread(
  kind: keyof typeof unread,
  value: Readonly<Record<string, unknown>>,
  place: readonly string[],
): readonly ExpressionProblem[] {
  const { parts, message } = unread[kind];
  const present = parts.filter((part) => valueAt(value, part) !== undefined);
  return present.map((part) => stepProblem([...place, ...part], message, "Remove this."));
}

function check(value: unknown, keys: readonly string[], known: readonly string[]): readonly ExpressionProblem[] {
  if (typeof value === "string") return checkNames(expressionsIn(value), keys, known);
  if (isObject(value) && typeof value["condition"] === "string") return checkCriterion(value, keys, known);
  return entriesOf(value).flatMap(([key, member]) => check(member, [...keys, key], known));
}

function expressionsIn(text: string): readonly string[] {
  if (/^\$[a-zA-Z]+(?:[.#]|$)/.test(text)) return [text];
  return Array.from(text.matchAll(/\{(\$[a-zA-Z][^{}]*)\}/g), ([, part = ""]) => part);
}

function checkCriterion(value: Readonly<Record<string, unknown>>, keys: readonly string[], known: readonly string[]) {
  const criterion = readCriterion(value);
  const { condition, context = "", type } = criterion;
  const place = [...keys, "condition"];
  if (valueAt(value, ["type", "version"]) !== undefined)
    return [
      stepProblem([...keys, "type"], "A query is that of RFC 9535, in no other version.", "Write `type: jsonpath`."),
    ];
  if (readTest(criterion) === undefined) {
    const suggestion =
      "Compare an expression with a value, as in `$statusCode == 200`; texts are in single quotes, and more comparisons " +
      "follow `&&`. A regular expression or a JSONPath query needs its `type`, and the value that it is applied to in `context`.";
    return [stepProblem(place, "This is not a condition.", suggestion)];
  }
  if (type === "regex" && isSlow(condition))
    return [stepProblem(place, "JavaScript may take long for this pattern.", linearPattern)];
  const comparisons = type === "simple" ? (readComparisons(condition) ?? []) : [];
  const operands = comparisons.flatMap(({ left, right }) => [left, right]);
  const compared = operands.filter((operand) => operand.startsWith("$"));
  return [...checkNames(expressionsIn(context), [...keys, "context"], known), ...checkNames(compared, place, known)];
}

const linearPattern =
  "No response will meet it. Begin it with `^`, with one part at most that is repeated (`*`, `+`) or refers to a group, and few " +
  "alternatives.";

/** The values of every response. */
const ofResponse = ["$statusCode", "$response.body"];

/**
 * Prefixes of names that aren't checked. A response may have any header, and the others aren't values of a
 * run.
 */
const unchecked = ["$response.header.", "$sourceDescriptions.", "$components."];

function checkNames(expressions: readonly string[], keys: readonly string[], known: readonly string[]) {
  const all = [...known, ...ofResponse];
  const problems: ExpressionProblem[] = [];
  for (const expression of expressions) {
    const [name = ""] = expression.split("#");
    if (all.includes(name) || unchecked.some((start) => name.startsWith(start) && name !== start)) continue;
    problems.push(stepProblem(keys, `Nothing here is called ${name}.`, suggestSimilar(name, all)));
  }
  return problems;
}

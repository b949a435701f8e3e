import { capitalize, isDigits } from "../../values/text.ts";
import type { Criterion, StepOutput } from "../../workflows/arazzo.ts";
import { readComparisons, keysOfExpression } from "../../workflows/expressions.ts";
import { code, joined } from "../parts/blocks.ts";
import type { Flow } from "../parts/pageNodes.ts";

/** The steps of a workflow, which expressions name by their IDs, and readers by their numbers. */
type Steps = readonly { readonly id: string }[];

const operators: Readonly<Record<string, string>> = {
  "==": "is",
  "!=": "isn't",
  "<": "is below",
  "<=": "is at most",
  ">": "is above",
  ">=": "is at least",
};

/** A success criterion in words: `The status code is at least 200`. As it is written, if there are no words for it. */
export function criterionWords({ text, condition, context, type }: Criterion, steps: Steps): Flow {
  if (context !== undefined) {
    const matches = type === "regex" ? " matches the pattern " : " matches the JSONPath ";
    return atBeginning([...valueWords(context, steps), matches, code(condition)]);
  }
  const comparisons = readComparisons(condition);
  if (comparisons === undefined) return [code(text)];
  const parts = comparisons.map(({ left, operator, right }, index): Flow => {
    const isSame = comparisons[index - 1]?.left === left;
    const subject: Flow = isSame ? [] : [...valueWords(left, steps), " "];
    return [...subject, operators[operator] ?? operator, " ", ...valueWords(right, steps)];
  });
  return atBeginning(joined(parts, " and "));
}

/** What a step keeps for later ones, in words. */
export function outputWords({ name, expression }: StepOutput, steps: Steps): Flow {
  return atBeginning([...valueWords(expression, steps), " is kept as ", code(name)]);
}

function atBeginning([first = "", ...rest]: Flow): Flow {
  return [typeof first === "string" ? capitalize(first) : first, ...rest];
}

/** A runtime expression, or a literal. */
function valueWords(text: string, steps: Steps): Flow {
  const [source, second = "", ...keys] = keysOfExpression(text) ?? [];
  switch (source) {
    case "statusCode":
      return ["the status code"];
    case "inputs":
      return ["the input ", code(pathOf([second, ...keys]))];
    case "response":
      if (second === "header") return ["the header ", code(pathOf(keys))];
      return keys.length === 0 ? ["the body"] : [code(pathOf(keys))];
    case "steps": {
      const number = steps.findIndex(({ id }) => id === second) + 1;
      return [code(pathOf(keys.slice(1))), ` of step ${String(number)}`];
    }
    default:
      // A quote in a text is doubled (Arazzo 1.0.1, section 4.6.12.1).
      return [code(text.startsWith("'") ? text.slice(1, -1).replaceAll("''", "'") : text)];
  }
}

/** The keys to a value, as fields are named in the docs: `data.hosts[0].name`. */
function pathOf(keys: readonly string[]): string {
  return keys.map((key, index) => (isDigits(key) ? `[${key}]` : index === 0 ? key : `.${key}`)).join("");
}

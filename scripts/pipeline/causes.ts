import { readSourceFile } from "../redocly/sourceFiles.ts";
import { pointerKeys, valueAt } from "../spec/json.ts";
import { isReference } from "../spec/openapi.ts";
import type { LintProblem } from "./lintProblems.ts";

/** Rules whose problems keep others from being what they were meant to be. */
const causingRules = ["merge-conflict", "no-unresolved-refs", "reference-cycle", "root", "struct", "yaml"];

/** Messages of `struct` about what is not there: mostly, it is there under a wrong name. */
const lacks = ["must be present on this level", "is not allowed here", "Must contain at least"];

/** Rules whose problems follow from those above, and can lead to others. */
const betweenRules = [
  ...["house/schema-keywords", "no-required-schema-properties-undefined", "operation-tag-defined"],
  ...["build/named-scheme", "rule/path-template"],
];

/** Rules about what nothing refers to: mostly, a reference to it is wrong. */
const unusedRules = ["house/unused-source", "no-unused-components"];

/** Messages of other rules about a name that nothing has: mostly, it is the wrong one. */
const wrongNames = ["is not used in the path", "security scheme defined"];

/** Tells whether a problem is one of structure, to be corrected before the others. */
export function isCause(problem: LintProblem): boolean {
  return rankOf(problem) === 0;
}

/**
 * Finds the problems that may follow from another, which is told instead: a key that is misspelt is also one that is missing.
 * Gives that cause for each of them.
 */
export function findCauses(problems: readonly LintProblem[]): ReadonlyMap<LintProblem, LintProblem> {
  const ranked = problems.map((problem) => ({ problem, rank: rankOf(problem) })).sort((a, b) => a.rank - b.rank);
  const possible = ranked.filter(({ rank }) => rank < 3);
  const causes = new Map<LintProblem, LintProblem>();
  for (const { problem, rank } of ranked) {
    const cause = possible.find(
      (one) => one.rank < rank && canCause(one.problem, problem) && follows(problem, one.problem),
    )?.problem;
    if (cause !== undefined) causes.set(problem, causes.get(cause) ?? cause);
  }
  return causes;
}

/** How far a problem may be from its cause: 0 for one that has none. */
function rankOf(problem: LintProblem): number {
  const { rule, message } = problem;
  if (rule === "struct" && (lacks.some((part) => message.includes(part)) || isOfReference(problem))) return 1;
  if (causingRules.includes(rule)) return 0;
  return betweenRules.includes(rule) || isWrongName({ message }) ? 2 : 3;
}

/** Whether a value of the wrong type is a reference, such as one to a Markdown file that is not there. */
function isOfReference({ file, pointer, message }: LintProblem): boolean {
  return (
    message.startsWith("Expected type") && isReference(valueAt(readSourceFile(file).content, pointerKeys(pointer)))
  );
}

function isWrongName({ message }: Pick<LintProblem, "message">): boolean {
  return wrongNames.some((part) => message.includes(part));
}

/** An error does not follow from what is only a warning. */
function canCause(cause: LintProblem, problem: LintProblem): boolean {
  return cause.severity === "error" || problem.severity === "warn";
}

function follows(problem: LintProblem, cause: LintProblem): boolean {
  if (problem.message.includes("Example validation errored")) return true;
  if (unusedRules.includes(problem.rule)) return cause.rule === "no-unresolved-refs" || isWrongName(cause);
  if (cause.rule === "no-required-schema-properties-undefined") return namesSameProperty(problem, cause);
  if (cause.rule === "path-parameters-defined" && problem.rule === cause.rule) return namesSamePath(problem, cause);
  if (problem.file !== cause.file) return false;
  return isAround(problem.pointer, cause.pointer) || isMissingBeside(problem, cause);
}

/** Whether an example lacks the property that a schema requires, but does not have. */
function namesSameProperty(problem: LintProblem, cause: LintProblem): boolean {
  const [, name = ""] = cause.message.split("'");
  return problem.message.includes(`required property '${name}'`);
}

/** Whether an operation lacks a parameter of the path that another parameter is not in. */
function namesSamePath(problem: LintProblem, cause: LintProblem): boolean {
  return problem.message.split("`").at(-2) === cause.message.split("`").at(-2);
}

/** Whether one place is the other, or holds it: directly, or as the member of a list. */
function isAround(outer: string, inner: string): boolean {
  if (outer === "" || !`${inner}/`.startsWith(`${outer}/`)) return false;
  return pointerKeys(inner).length - pointerKeys(outer).length <= 2;
}

/** Whether a problem is of something missing in the object that the cause is in, or of a key that depends on it. */
function isMissingBeside(problem: LintProblem, cause: LintProblem): boolean {
  const keys = pointerKeys(problem.pointer);
  const holder = pointerKeys(cause.pointer).slice(0, -1);
  if (keys.slice(0, -1).join("/") !== holder.join("/")) return false;
  return rankOf(problem) === 1 || valueAt(readSourceFile(problem.file).content, keys) === undefined;
}

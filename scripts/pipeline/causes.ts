import { readSourceFile } from "../redocly/sourceFiles.ts";
import { pointerKeys, valueAt } from "../spec/json.ts";
import { isReference } from "../spec/openapi.ts";
import type { LintProblem } from "./lintProblems.ts";

/** Rules whose problems cause others. */
const causingRules = ["merge-conflict", "no-unresolved-refs", "reference-cycle", "root", "struct", "yaml"];

/** Messages of `struct` about something missing, which mostly exists under a wrong name. */
const lacks = ["must be present on this level", "is not allowed here", "Must contain at least"];

/** Rules whose problems follow from those above, and may cause others. */
const betweenRules = [
  ...["house/schema-keywords", "no-required-schema-properties-undefined", "operation-tag-defined"],
  ...["build/named-scheme", "rule/path-template"],
];

/** Rules about unreferenced parts. Mostly, a reference to them is wrong. */
const unusedRules = ["house/unused-source", "no-unused-components"];

/** Messages of other rules about an unknown name, which is mostly misspelled. */
const wrongNames = ["is not used in the path", "security scheme defined"];

/** Returns whether a problem is structural, to be fixed before the others. */
export function isCause(problem: LintProblem): boolean {
  return rankOf(problem) === 0;
}

/**
 * Finds the likely consequences of other problems. A misspelled key, for example, is reported as unknown and
 * as missing. Returns the cause of each consequence.
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

/** How far a problem may be from its cause. 0 for a cause. */
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

/** A warning can't cause an error. */
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

/** Returns whether an example lacks a property that its schema requires and doesn't describe. */
function namesSameProperty(problem: LintProblem, cause: LintProblem): boolean {
  const [, name = ""] = cause.message.split("'");
  return problem.message.includes(`required property '${name}'`);
}

/** Returns whether an operation lacks a parameter of the path in which another parameter is missing. */
function namesSamePath(problem: LintProblem, cause: LintProblem): boolean {
  return problem.message.split("`").at(-2) === cause.message.split("`").at(-2);
}

/** Returns whether the first place contains the second, directly or as an item of a list. */
function isAround(outer: string, inner: string): boolean {
  if (outer === "" || !`${inner}/`.startsWith(`${outer}/`)) return false;
  return pointerKeys(inner).length - pointerKeys(outer).length <= 2;
}

/**
 * Returns whether a problem is something missing in the object with the cause, or a key that depends on the
 * cause.
 */
function isMissingBeside(problem: LintProblem, cause: LintProblem): boolean {
  const keys = pointerKeys(problem.pointer);
  const holder = pointerKeys(cause.pointer).slice(0, -1);
  if (keys.slice(0, -1).join("/") !== holder.join("/")) return false;
  return rankOf(problem) === 1 || valueAt(readSourceFile(problem.file).content, keys) === undefined;
}

import { compareText } from "../values/text.ts";
import { readSourceFile } from "../redocly/sourceFiles.ts";
import { jsonPointer, pointerKeys, valueAt } from "../values/json.ts";
import { isReference } from "../spec/openapi.ts";
import type { LintProblem } from "./lintProblems.ts";

/** Rules whose problems cause others. */
const causingRules = [
  "merge-conflict",
  "no-unresolved-refs",
  "outside-reference",
  "reference-cycle",
  "root",
  "struct",
  "yaml",
];

/** Rules whose problems follow from those above, and may cause others. */
const betweenRules = [
  ...["house/schema-keywords", "no-required-schema-properties-undefined", "operation-tag-defined"],
  ...["build/named-scheme", "rule/path-template"],
];

/** Rules about unreferenced parts. Mostly, a reference to them is wrong. */
const unusedRules = ["house/unused-source", "no-unused-components"];

/** Removes duplicate problems. Sorts causes before their consequences, and then by place. */
export function sortProblems(problems: readonly LintProblem[]): LintProblem[] {
  const identity = (one: LintProblem) => [one.file, one.line, one.column, one.rule, one.message].join("\n");
  const unique = new Map(problems.map((problem) => [identity(problem), problem]));
  return [...unique.values()].sort(compareProblems);
}

function compareProblems(a: LintProblem, b: LintProblem): number {
  // Those that others follow from are to be fixed first.
  const [isFirst, isSecond] = [a, b].map((one) => rankOf(one) === 0);
  if (isFirst !== isSecond) return isFirst === true ? -1 : 1;
  return compareText(a.file, b.file) || a.line - b.line || a.column - b.column || compareText(a.rule, b.rule);
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
  const { rule, facts } = problem;
  // What is missing mostly exists under a wrong name.
  if (rule === "struct" && (facts?.topic === "lack" || isOfReference(problem))) return 1;
  if (causingRules.includes(rule)) return 0;
  return betweenRules.includes(rule) || facts?.topic === "unknown name" ? 2 : 3;
}

/** Whether a value of the wrong type is a reference, such as one to a Markdown file that is not there. */
function isOfReference({ file, pointer, facts }: LintProblem): boolean {
  return facts?.topic === "type" && isReference(valueAt(readSourceFile(file).content, pointerKeys(pointer)));
}

/** A warning can't cause an error. */
function canCause(cause: LintProblem, problem: LintProblem): boolean {
  return cause.severity === "error" || problem.severity === "warn";
}

function follows(problem: LintProblem, cause: LintProblem): boolean {
  if (problem.facts?.topic === "unchecked example") return isInSchema(cause);
  if (unusedRules.includes(problem.rule))
    return cause.rule === "no-unresolved-refs" || cause.facts?.topic === "unknown name";
  const named = problem.facts?.named;
  const isSame = named !== undefined && named === cause.facts?.named;
  // An example lacks a property that its schema requires and doesn't describe.
  if (cause.rule === "no-required-schema-properties-undefined") return isSame;
  // An operation lacks a parameter of the path in which another one is missing.
  if (cause.rule === "path-parameters-defined" && problem.rule === cause.rule) return isSame;
  if (problem.file !== cause.file) return false;
  if (isAround(problem.pointer, cause.pointer) || isMissingBeside(problem, cause)) return true;
  return isLimitOfUnknownType(problem, cause) || isUnderMisspelledProperties(problem, cause);
}

/** Keys on the way to a schema. */
const schemaKeys = ["schema", "schemas", "properties", "items", "allOf", "anyOf", "oneOf", "type"];

/** Returns whether a problem is in a schema, or is a reference of one. Without its schemas, no example can be checked. */
function isInSchema({ pointer }: LintProblem): boolean {
  return pointerKeys(pointer).some((key) => schemaKeys.includes(key));
}

/** Returns whether a keyword doesn't fit the type of its schema because there is no such type. */
function isLimitOfUnknownType(problem: LintProblem, cause: LintProblem): boolean {
  if (cause.facts?.topic !== "unknown type") return false;
  return cause.pointer.startsWith(`${memberOf(problem).holder}/type`);
}

/** Returns whether a required property isn't defined because `properties` is misspelled. */
function isUnderMisspelledProperties(problem: LintProblem, cause: LintProblem): boolean {
  if (cause.facts?.similar !== "properties") return false;
  const isUndefined = problem.rule === "no-required-schema-properties-undefined";
  return isUndefined && problem.pointer.startsWith(`${memberOf(cause).holder}/required/`);
}

/** The object that a problem is in, as a JSON Pointer, and its key there. */
function memberOf({ pointer }: LintProblem): { readonly holder: string; readonly key: string } {
  const keys = pointerKeys(pointer);
  return { holder: jsonPointer(keys.slice(0, -1)), key: keys.at(-1) ?? "" };
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
  if (memberOf(problem).holder !== memberOf(cause).holder) return false;
  const { content } = readSourceFile(problem.file);
  return rankOf(problem) === 1 || valueAt(content, pointerKeys(problem.pointer)) === undefined;
}

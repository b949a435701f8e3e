import { UserError } from "../contract/failures.ts";
import { countOf } from "../values/text.ts";
import { groupBy } from "../values/collections.ts";
import { plainStyle } from "../values/textStyle.ts";
import { shownPath } from "../redocly/sourceFiles.ts";
import { githubReport } from "../report/github.ts";
import { reportedPlace, type CommandReport, type ReportedFinding, type ReportedPlace } from "../report/report.ts";
import { textReport } from "../report/textReport.ts";
import { findCauses, sortProblems } from "./causes.ts";
import type { LintProblem } from "./lintProblems.ts";

/** Mistakes in the sources. The message counts them. */
export class LintError extends UserError {
  override name = "LintError";
  readonly problems: readonly LintProblem[];

  constructor(message: string, problems: readonly LintProblem[]) {
    super(message, (style) => formatProblems(problems, style));
    this.problems = problems;
  }
}

/**
 * Throws {@link LintError} with all problems if one of them is an error. `where` names the sources in its
 * message.
 */
export function refuseErrors(problems: readonly LintProblem[], where: string): void {
  const errors = groupProblems(problems).filter(({ first }) => first.severity === "error").length;
  if (errors > 0) throw new LintError(`${countOf(errors, "mistake")} in ${where}`, problems);
}

/** A problem at one or several places. */
interface ProblemGroup {
  readonly first: LintProblem;
  /** The same problem at other places. */
  readonly others: readonly LintProblem[];
  /** Problems that probably disappear along with this one. */
  readonly consequences: readonly LintProblem[];
}

/** Groups problems with the same message, and consequences with their cause. Causes come first. */
function groupProblems(problems: readonly LintProblem[]): readonly ProblemGroup[] {
  const sorted = sortProblems(problems);
  const causes = findCauses(sorted);
  const saying = ({ severity, rule, message, suggestion }: LintProblem) =>
    [severity, rule, message, suggestion].join("\n");
  const alike = groupBy(
    sorted.filter((problem) => !causes.has(problem)),
    saying,
  );
  return [...alike.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const own = new Set([first, ...others]);
    const consequences = [...causes].flatMap(([problem, cause]) => (own.has(cause) ? [problem] : []));
    return [{ first, others, consequences }];
  });
}

/**
 * Reports problems, the causes first. Each message appears once with all of its places, and consequences are listed below
 * their cause.
 */
export function reportProblems(problems: readonly LintProblem[]): CommandReport {
  return reportOfFindings(groupProblems(problems).map(findingOf));
}

function reportOfFindings(findings: readonly ReportedFinding[]): CommandReport {
  return { sections: [{ layout: "places", groups: findings.map((one) => ({ findings: [one] })) }] };
}

/** Formats problems as text. */
export function formatProblems(problems: readonly LintProblem[], style = plainStyle): string {
  return textReport(reportProblems(problems), style);
}

/** Writes a failure that the user can fix as annotations of GitHub, with its message below. Throws any other error. */
export function annotateFailure(error: unknown): string {
  if (!(error instanceof UserError)) throw error;
  const { message } = error;
  if (error instanceof LintError) return [githubReport(reportProblems(error.problems)), message].join("\n");
  const place = { pointer: "" };
  return githubReport(reportOfFindings([{ severity: "error", title: "The command failed", sentence: message, place }]));
}

function findingOf({ first, others, consequences }: ProblemGroup): ReportedFinding {
  const { severity, rule: title, message: sentence, suggestion = "", codeFrame: frame } = first;
  return {
    ...{ title, sentence, severity: severity === "error" ? "error" : "warning", frame },
    ...{ place: placeOf(first), others: others.map(placeOf) },
    advice: suggestion === "" ? [] : [{ text: suggestion }],
    consequences: [...groupBy(consequences, ({ rule }) => rule).values()].flatMap(consequenceText),
  };
}

/** The consequences that violate the same rule. */
function consequenceText([first, ...others]: readonly LintProblem[]): readonly string[] {
  if (first === undefined) return [];
  const rest = others.length === 0 ? "" : ` and ${countOf(others.length, "other place")}`;
  return [`${reportedPlace(placeOf(first))}${rest} (${first.rule})`];
}

function placeOf({ file, line, column, pointer }: LintProblem): ReportedPlace {
  return { file: file === "" ? undefined : shownPath(file), line, column, pointer };
}

import { UserError } from "../contract/failures.ts";
import { countOf, escapeControls, groupBy } from "../contract/text.ts";
import { plainStyle, type TextStyle } from "../contract/textStyle.ts";
import { shownPath } from "../redocly/sourceFiles.ts";
import { annotation } from "../report/github.ts";
import { reportedPlace } from "../report/reported.ts";
import { wrapParagraph } from "../report/paragraph.ts";
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
 * Formats problems as text, the causes first. Each message appears once with all of its places, and
 * consequences are listed below their cause.
 */
export function formatProblems(problems: readonly LintProblem[], style = plainStyle): string {
  return groupProblems(problems)
    .map((group) => formatGroup(group, style))
    .join("\n\n");
}

function formatGroup({ first, others, consequences }: ProblemGroup, style: TextStyle): string {
  const { severity, rule, message, suggestion, codeFrame } = first;
  const kind = severity === "error" ? style.paint("red", "error") : style.paint("yellow", "warning");
  const texts = [message, suggestion ?? ""].filter((text) => text !== "");
  const lines = [`${style.paint("cyan", placeText(first))}: ${kind} (${rule})`];
  lines.push(...texts.flatMap((text) => wrapParagraph(text, style, "  ", "  ")));
  if (codeFrame !== "") lines.push("", ...formatFrame(codeFrame, style));
  if (others.length > 0) {
    const places = others.map((one) => `  ${style.paint("cyan", placeText(one))}`);
    lines.push("", `  ${sameAt(others)}:`, ...places);
  }
  if (consequences.length > 0) {
    const rules = [...groupBy(consequences, (one) => one.rule).values()];
    lines.push("", "  Possible consequences:", ...rules.flatMap((group) => formatConsequence(group, style)));
  }
  return lines.join("\n");
}

function sameAt(others: readonly LintProblem[]): string {
  return `The same at ${countOf(others.length, "other place")}`;
}

/** The consequences that violate the same rule. */
function formatConsequence([first, ...others]: readonly LintProblem[], style: TextStyle): readonly string[] {
  if (first === undefined) return [];
  const rest = others.length === 0 ? "" : ` and ${countOf(others.length, "other place")}`;
  const text = `${placeText(first)}${rest} (${first.rule})`;
  return wrapParagraph(text, style, "  ").map((line) => style.paint("dim", line));
}

/** The surrounding lines. Those that don't fit are cut, unless that would cut the marked part. */
function formatFrame(frame: string, { columns, paint }: TextStyle): readonly string[] {
  return frame.split("\n").map((line) => {
    const text = `  ${escapeControls(line)}`;
    // Other lines begin with their number.
    if (line.trimStart().startsWith("|")) return paint("red", text.slice(0, Math.max(columns, text.indexOf("^") + 1)));
    return text.length > columns ? `${text.slice(0, columns - 1)}…` : text;
  });
}

function placeText(problem: LintProblem): string {
  return reportedPlace({ ...problem, file: shownPath(problem.file) });
}

/**
 * Writes a failure that the user can fix as annotations of GitHub: one for each problem, if it has any. Throws
 * any other error.
 */
export function annotateFailure(error: unknown): readonly string[] {
  if (error instanceof LintError) return [...annotateProblems(error.problems), error.message];
  if (!(error instanceof UserError)) throw error;
  const title = "The command failed";
  return [annotation({ severity: "error", title, sentence: error.message, details: [] })];
}

/** Formats problems as annotations of GitHub, without the consequences of others. */
export function annotateProblems(problems: readonly LintProblem[]): readonly string[] {
  return groupProblems(problems).map(({ first, others }) => {
    const { severity, rule: title, message: sentence, suggestion = "", file } = first;
    const elsewhere = others.length === 0 ? "" : `${sameAt(others)}.`;
    return annotation({
      ...{ ...first, title, sentence, severity: severity === "error" ? "error" : "warning" },
      details: [suggestion, elsewhere].filter((text) => text !== ""),
      file: file === "" ? undefined : shownPath(file),
    });
  });
}

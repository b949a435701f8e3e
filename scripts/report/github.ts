import { phraseText } from "./phrase.ts";
import { adviceText, findingsOf, sameElsewhere, type CommandReport, type ReportedFinding } from "./report.ts";

/** Writes a report as annotations that GitHub shows beside lines, and the verdict below them. */
export function githubReport(report: CommandReport): string {
  const { outcome = "", rest = "" } = report.verdict ?? {};
  return [...findingsOf(report).flatMap(annotation), outcome + rest].filter((line) => line !== "").join("\n");
}

/**
 * Writes a finding as a workflow command of GitHub Actions, on one line. The message can't begin another command, because
 * line breaks are escaped. GitHub shows ten annotations of each severity for a step, and those without a file in the
 * summary of a run.
 */
function annotation(finding: ReportedFinding): readonly string[] {
  const { severity, title, sentence, place, operations = [], advice = [], others = [] } = finding;
  if (severity === undefined) return [];
  const { file, line, column: col } = place;
  const properties = Object.entries({ ...(file !== undefined && { file, line, col }), title }).flatMap(
    ([name, value]) => (value === undefined ? [] : [`${name}=${escapeProperty(String(value))}`]),
  );
  const message = [
    phraseText(sentence),
    ...(operations.length === 0 ? [] : [`Operations: ${operations.join(", ")}`]),
    ...advice.map(adviceText),
    ...(others.length === 0 ? [] : [`${sameElsewhere(others)}.`]),
  ];
  return [`::${severity} ${properties.join(",")}::${escapeMessage(message.join("\n"))}`];
}

// As in @actions/core (3.0), which the runner reverses.

function escapeMessage(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

import type { Reported, ReportedPlace } from "./reported.ts";

/** A finding that GitHub shows beside a line, or in the summary of a run if it has no file. */
export interface Annotation extends Reported, Omit<ReportedPlace, "pointer"> {
  readonly severity: "error" | "warning" | "notice";
}

/**
 * Writes an annotation as a workflow command of GitHub Actions, on one line. The message can't begin another
 * command, because line breaks are escaped. GitHub shows ten annotations of each severity for a step.
 */
export function annotation({ severity, title, sentence, details, file, line, column: col }: Annotation): string {
  const place = file === undefined ? {} : { file, line, col };
  const properties = Object.entries({ ...place, title }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escapeProperty(String(value))}`],
  );
  return `::${severity} ${properties.join(",")}::${escapeMessage([sentence, ...details].join("\n"))}`;
}

// As in @actions/core (3.0), which the runner reverses.

function escapeMessage(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

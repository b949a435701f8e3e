/** A message beside a line of a file in GitHub's interface. */
export interface Annotation {
  readonly severity: "error" | "warning" | "notice";
  readonly title: string;
  readonly message: string;
  /** The path, relative to the repository. Without one, the annotation belongs to no file. */
  readonly file?: string | undefined;
  /** 1-based. */
  readonly line?: number | undefined;
  readonly col?: number | undefined;
}

/**
 * Writes an annotation as a workflow command of GitHub Actions, on one line. The message can't begin another
 * command, because line breaks are escaped. GitHub shows ten annotations of each severity for a step.
 */
export function formatAnnotation({ severity, message, file, line, col, title }: Annotation): string {
  const properties = Object.entries({ file, line, col, title }).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [`${name}=${escapeProperty(String(value))}`],
  );
  return `::${severity} ${properties.join(",")}::${escapeMessage(message)}`;
}

// As in @actions/core (3.0), which the runner reverses.

function escapeMessage(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

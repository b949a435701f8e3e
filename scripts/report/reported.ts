/** A place: a line of a source file, or a JSON Pointer in the bundle where the line isn't known. */
export interface ReportedPlace {
  /** Relative to the current folder. */
  readonly file?: string | undefined;
  /** 1-based. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly pointer: string;
}

/** What a command has found, as the reports for programs show it: the rule or the kind, and what follows the sentence. */
export interface Reported {
  readonly title: string;
  readonly sentence: string;
  readonly details: readonly string[];
}

/** `openapi/rooms.yaml:7:3`, or `#/paths/~1rooms`. */
export function reportedPlace({ file, line = 1, column, pointer }: ReportedPlace): string {
  return file === undefined ? `#${pointer}` : [file, line, ...(column === undefined ? [] : [column])].join(":");
}

import type { TextStyle } from "../contract/textStyle.ts";
import { junitReport } from "../report/junit.ts";
import type { TestedCase } from "./findings.ts";
import { sentenceOf, type LocatedFinding } from "./findingText.ts";
import { markdownReport } from "./markdownReport.ts";
import { testCases } from "./testCases.ts";
import { textReport } from "./textReport.ts";
import { verdictLine, type RunVerdict } from "./verdict.ts";

export const findingFormats = ["text", "markdown", "json", "junit"] as const;

/** The content of a report. */
interface Report {
  readonly findings: readonly LocatedFinding[];
  readonly verdict: RunVerdict;
  readonly tested: readonly TestedCase[];
  /** The kinds that make the run fail. */
  readonly failing: readonly LocatedFinding["kind"][];
}

/**
 * Formats findings as text in a style, as a comment, or for programs. The result doesn't end with a line
 * break.
 */
export function formatFindings(report: Report, format: (typeof findingFormats)[number], style: TextStyle): string {
  const { findings, verdict, tested, failing } = report;
  switch (format) {
    case "text":
      return textReport(findings, verdict, style);
    case "markdown":
      return markdownReport(findings, verdict);
    case "junit": {
      const seconds = tested.reduce((sum, one) => sum + one.seconds, 0);
      return junitReport("verify", testCases(findings, tested, failing, verdict.causes), seconds);
    }
    case "json": {
      const found = findings.map((one) => ({ ...one, message: sentenceOf(one) }));
      return JSON.stringify({ verdict: verdictLine(verdict), causes: verdict.causes, findings: found }, null, 2);
    }
  }
}

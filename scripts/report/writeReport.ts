import type { TextStyle } from "../values/textStyle.ts";
import { githubReport } from "./github.ts";
import { junitReport } from "./junit.ts";
import { markdownReport } from "./markdown.ts";
import type { CommandReport } from "./report.ts";
import { textReport } from "./textReport.ts";

const writers = {
  ...{ text: textReport, markdown: markdownReport, github: githubReport, junit: junitReport },
  json: ({ facts }: CommandReport) => JSON.stringify(facts, null, 2),
};

/** Writes a report in a format. The style is that of text. The result doesn't end with a line break. */
export function writeReport(report: CommandReport, format: keyof typeof writers, style: TextStyle): string {
  return writers[format](report, style);
}

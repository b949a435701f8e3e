import { formatRequest } from "../../scripts/command/requestLog.ts";
import { plainStyle, type TextStyle } from "../../scripts/values/textStyle.ts";
import type { RequestEntry } from "../../scripts/mock/mockTypes.ts";

/** A request as the mock logs it. */
export interface LoggedRequest {
  /** Hyphens if no response arrived. */
  readonly status: string;
  readonly method: string;
  readonly target: string;
  readonly milliseconds: number;
  /** What follows on the same line. */
  readonly notes: readonly string[];
  /** The lines below it, with a stack trace. */
  readonly details: readonly string[];
}

/** The requests in the output of a mock. */
export function readRequestLog(output: string): readonly LoggedRequest[] {
  return output.split(/^(?=\d\d:\d\d:\d\d \S+ [A-Z]+ )/m).flatMap((text) => {
    const [first = "", ...details] = text.trimEnd().split("\n");
    const line =
      /^\S+ (?<status>\S+) (?<method>[A-Z]+) +(?<target>\S+) {2}(?<number>[\d.]+) (?<unit>m?s)(?: {2}|$)/.exec(first);
    if (line?.groups === undefined) return [];
    const { status = "", method = "", target = "", number, unit } = line.groups;
    const milliseconds = Number(number) * (unit === "s" ? 1_000 : 1);
    const notes = first
      .slice(line[0].length)
      .split("  ")
      .filter((note) => note !== "");
    return [
      { status, method, target, milliseconds, notes, details: details.map((detail) => detail.replace(/^ {2}/, "")) },
    ];
  });
}

/** A request as a terminal shows it. */
export function logged(entry: RequestEntry | undefined, style: TextStyle = plainStyle): LoggedRequest | undefined {
  return entry && readRequestLog(formatRequest(entry, style))[0];
}

import { styleText } from "node:util";
import { countOf, escapeControls, groupBy } from "../contract/text.ts";
import { wrapWords } from "../contract/textStyle.ts";
import { shorten } from "../exchange/secrets.ts";
import type { InjectedFault, RequestEntry } from "../mock/mockTypes.ts";
import { columnsOf, printLine } from "./commandLine.ts";
import { formatDuration, formatTime } from "./times.ts";

/** How long a line waits for others, in milliseconds. */
const delay = 10;

/**
 * Creates a function that prints each request on stdout. With `quiet`, prints only requests that failed
 * because of an exception in the mock.
 */
export function printRequests(quiet: boolean): (entry: RequestEntry) => void {
  let lines: string[] = [];
  const print = () => {
    printLine(lines.join("\n"));
    lines = [];
  };
  return (entry) => {
    if (quiet && entry.exception === undefined) return;
    // Lines are written together, because a write takes as long as a response.
    if (lines.length === 0) setTimeout(print, delay);
    lines.push(formatRequest(entry, process.stdout));
  };
}

/**
 * A request on one line. Below it are the reason, the violations and the stack trace of an exception, indented.
 * In color if `stream` is a terminal.
 */
export function formatRequest(entry: RequestEntry, stream: NodeJS.WriteStream): string {
  const { time, method, target, session, milliseconds, reason, note, violations = [], fault, exception } = entry;
  const paint = (color: Color, text: string) => styleText(color, text, { stream });
  const remarks = [
    formatDuration(milliseconds),
    ...(fault === undefined ? [] : [paint("magenta", deliveries[fault.delivery ?? "whole"])]),
    ...(violations.length === 0 ? [] : [paint("red", countOf(violations.length, "violation"))]),
    ...(session === undefined ? [] : [`session ${escapeControls(shorten(session))}`]),
  ];
  const lines = [
    `${formatTime(new Date(time))} ${paint(...statusOf(entry))} ${method.padEnd(6)} ${escapeControls(target)}`,
    ...[reason, note, ...countAlike(violations)].filter((text) => text !== undefined),
  ];
  const [first = "", ...others] = lines;
  const width = columnsOf(stream) - 2;
  const details = others.flatMap((text) => wrapWords(escapeControls(text).split(" "), width - 2, "  "));
  return [
    [first, ...remarks].join("  "),
    ...details.map((line) => `  ${line}`),
    ...(exception === undefined ? [] : [exception]),
  ].join("\n");
}

type Color = "cyan" | "green" | "magenta" | "red" | "yellow";

/** What an injected fault did to the delivery of a response. */
const deliveries = {
  whole: "fault",
  none: "fault: no response",
  reset: "fault: connection reset",
  truncated: "fault: cut off halfway",
} satisfies Record<NonNullable<InjectedFault["delivery"]> | "whole", string>;

/** The status that the client got, and its color. Hyphens if no response arrived. */
function statusOf({ status, violations, fault }: RequestEntry): readonly [Color, string] {
  if (fault?.delivery === "none" || fault?.delivery === "reset") return ["magenta", "---"];
  if (status >= 500) return ["red", String(status)];
  if (status >= 400 || violations !== undefined || fault?.delivery !== undefined) return ["yellow", String(status)];
  return [status < 300 ? "green" : "cyan", String(status)];
}

/** Each violation once, with the number of its places if there are several. */
function countAlike(violations: readonly string[]): readonly string[] {
  const groups = groupBy(violations, (text) => text);
  return Array.from(groups, ([text, { length }]) => (length === 1 ? text : `${length} × ${text}`));
}

import { styleText } from "node:util";
import { countOf, escapeCharacters, groupBy } from "../contract/text.ts";
import type { InjectedFault, RequestEntry } from "../mock/mockTypes.ts";
import { columnsOf, printLine, wrapWords } from "./commandLine.ts";
import { formatDuration, formatTime } from "./times.ts";

/** How long a line waits for others, in milliseconds. */
const delay = 10;

/**
 * Creates a function that prints each request of a session on stdout. With `quiet`, prints only requests that
 * failed because of an exception in the mock.
 */
export function printRequests(quiet: boolean): (entry: RequestEntry, session?: string) => void {
  let lines: string[] = [];
  const print = () => {
    printLine(lines.join("\n"));
    lines = [];
  };
  return (entry, session) => {
    if (quiet && entry.exception === undefined) return;
    // Lines are written together, because a write takes as long as a response.
    if (lines.length === 0) setTimeout(print, delay);
    lines.push(formatRequest(entry, process.stdout, session));
  };
}

/**
 * A request on one line. Below it are the reason, the violations and the stack trace of an exception, indented.
 * In color if `stream` is a terminal.
 */
export function formatRequest(entry: RequestEntry, stream: NodeJS.WriteStream, session = ""): string {
  const { time, method, target, milliseconds, reason, note, violations = [], fault, exception } = entry;
  const delivery = fault?.delivery;
  const paint = (color: Color, text: string) => styleText(color, text, { stream });
  const remarks = [
    formatDuration(milliseconds),
    ...(delivery === undefined ? [] : [paint("magenta", deliveries[delivery])]),
    ...(violations.length === 0 ? [] : [paint("red", countOf(violations.length, "violation"))]),
    ...(session === "" ? [] : [`session ${printable(session)}`]),
  ];
  const lines = [
    `${formatTime(new Date(time))} ${paint(...statusOf(entry))} ${method.padEnd(6)} ${printable(target)}`,
    ...[reason, note, ...countAlike(violations)].filter((text) => text !== undefined),
  ];
  const [first = "", ...others] = lines;
  const width = columnsOf(stream) - 2;
  const details = others.flatMap((text) => wrapWords(printable(text).split(" "), width - 2, "  "));
  return [
    [first, ...remarks].join("  "),
    ...details.map((line) => `  ${line}`),
    ...(exception === undefined ? [] : [exception]),
  ].join("\n");
}

type Color = "cyan" | "green" | "magenta" | "red" | "yellow";

/** What an injected fault did to a response. */
const deliveries = {
  none: "fault: no response",
  reset: "fault: connection reset",
  truncated: "fault: cut off halfway",
} satisfies Record<NonNullable<InjectedFault["delivery"]>, string>;

/** The status that the client got, and its color. Hyphens if no response arrived. */
function statusOf({ status, violations, fault }: RequestEntry): readonly [Color, string] {
  const delivery = fault?.delivery;
  if (delivery === "none" || delivery === "reset") return ["magenta", "---"];
  if (status >= 500) return ["red", String(status)];
  if (status >= 400 || violations !== undefined || delivery !== undefined) return ["yellow", String(status)];
  return [status < 300 ? "green" : "cyan", String(status)];
}

/** Each violation once, with the number of its places if there are several. */
function countAlike(violations: readonly string[]): readonly string[] {
  const groups = groupBy(violations, (text) => text);
  return Array.from(groups, ([text, { length }]) => (length === 1 ? text : `${length} × ${text}`));
}

/** Escapes a client's characters that would control the terminal. */
function printable(text: string): string {
  return escapeCharacters(text, /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu);
}

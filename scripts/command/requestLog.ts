import { styleText } from "node:util";
import { escapeCharacters } from "../contract/text.ts";
import type { RequestEntry } from "../mock/mockTypes.ts";
import { printLine } from "./commandLine.ts";

/** For how long a line waits for others, in milliseconds. */
const delay = 10;

/** Makes a function that prints each request on stdout; if `quiet`, only those on which the mock itself failed. */
export function printRequests(quiet: boolean): (entry: RequestEntry) => void {
  let lines: string[] = [];
  const print = () => {
    printLine(lines.join("\n"));
    lines = [];
  };
  return (entry) => {
    if (quiet && entry.exception === undefined) return;
    // One write for many: a write each takes as long as the response.
    if (lines.length === 0) setTimeout(print, delay);
    lines.push(formatRequest(entry, process.stdout));
  };
}

/** A request as one line, and the stack trace of an exception below it. Coloured if `stream` is a terminal. */
export function formatRequest(entry: RequestEntry, stream: NodeJS.WriteStream): string {
  const { method, target, status, milliseconds, reason, note, violations = [], exception } = entry;
  const colour = status < 300 ? "green" : status < 400 ? "cyan" : status < 500 ? "yellow" : "red";
  const line = [
    method,
    printable(target),
    styleText(colour, String(status), { stream }),
    styleText("dim", `${milliseconds.toFixed(1)} ms`, { stream }),
    ...[reason, note, ...violations].flatMap((text) => (text === undefined ? [] : [printable(text)])),
  ].join(" ");
  return exception === undefined ? line : `${line}\n${exception}`;
}

/** Characters that a client chose must not steer the terminal. */
function printable(text: string): string {
  return escapeCharacters(text, /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g);
}

import { styleText } from "node:util";
import { escapeControls } from "../contract/text.ts";
import type { RequestEntry } from "../mock/mockTypes.ts";
import { printLine } from "./commandLine.ts";

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

/** A request as one line, with the stack trace of an exception below. In color if `stream` is a terminal. */
export function formatRequest(entry: RequestEntry, stream: NodeJS.WriteStream): string {
  const { method, target, status, milliseconds, reason, note, violations = [], exception } = entry;
  const parts = [
    method,
    escapeControls(target),
    styleText(colorOf(status), String(status), { stream }),
    styleText("dim", `${milliseconds.toFixed(1)} ms`, { stream }),
  ];
  for (const text of [reason, note, ...violations]) {
    if (text !== undefined) parts.push(escapeControls(text));
  }
  const line = parts.join(" ");
  return exception === undefined ? line : `${line}\n${exception}`;
}

function colorOf(status: number): "green" | "cyan" | "yellow" | "red" {
  if (status < 300) return "green";
  if (status < 400) return "cyan";
  return status < 500 ? "yellow" : "red";
}

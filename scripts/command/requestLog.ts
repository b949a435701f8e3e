import { countOf, escapeControls } from "../values/text.ts";
import { groupBy } from "../values/collections.ts";
import { wrapText, type Emphasis, type TextStyle } from "../values/textStyle.ts";
import { maskAndCut } from "../exchange/secrets.ts";
import type { InjectedFault, RequestEntry } from "../mock/mockTypes.ts";
import { printLine } from "./commandLine.ts";
import { terminalStyle } from "./terminal.ts";
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
    lines.push(formatRequest(entry, terminalStyle(process.stdout)));
  };
}

/**
 * A request on one line. Below it are the reason, the violations and the stack trace of an exception, indented.
 */
export function formatRequest(entry: RequestEntry, style: TextStyle): string {
  const { time, method, target, session, milliseconds, reason, refusal, note, findings = [], fault, exception } = entry;
  const { paint } = style;
  const violations = findings.filter(({ kind }) => kind === "violation");
  const doubts = findings.filter(({ kind }) => kind === "doubt");
  const withDirection = ({ direction, message }: (typeof findings)[number]) => `${direction}: ${message}`;
  // A reason that has only the first violations is shown as all of them.
  const isListed = reason === undefined || (fault === undefined && refusal?.isSummary === true);
  // With a reason, the mock has responded, so only the request has violations.
  const texts = violations.map((one) => (reason === undefined ? withDirection(one) : one.message));
  const listed = isListed ? texts : [];
  const [color, status] = statusOf(entry);
  const start = `${formatTime(new Date(time))} ${paint(color, status)} ${method.padEnd(6)} ${escapeControls(target)}`;
  const request = [start, formatDuration(milliseconds)];
  if (fault) request.push(paint("magenta", deliveries[fault.delivery ?? "whole"]));
  if (listed.length > 0) request.push(paint(color, countOf(listed.length, "violation")));
  if (session !== undefined) request.push(`session ${escapeControls(maskAndCut(session))}`);
  const remarks = [note ?? [], doubts.map(withDirection)].flat();
  const details = [...(isListed ? [] : [reason]), ...countAlike(listed), ...remarks];
  const lines = [
    request.join("  "),
    ...details.flatMap((text) => wrapText(escapeControls(text), style, "  ", "    ")),
    exception,
  ];
  return lines.filter((line) => line !== undefined).join("\n");
}

/** What an injected fault did to the delivery of a response. */
const deliveries = {
  whole: "fault",
  none: "fault: no response",
  reset: "fault: connection reset",
  truncated: "fault: cut off halfway",
} satisfies Record<NonNullable<InjectedFault["delivery"]> | "whole", string>;

/** The status that the client got, and the color of the worst fact. Hyphens if no response arrived. */
function statusOf(entry: RequestEntry): readonly [Emphasis, string] {
  const { status, fault, left } = entry;
  if (fault?.delivery === "none" || fault?.delivery === "reset") return ["magenta", "---"];
  if (left === true) return ["yellow", "---"];
  if (status >= 500 || isWrongResponse(entry)) return ["red", String(status)];
  if (status >= 400 || fault?.delivery !== undefined) return ["yellow", String(status)];
  return [status < 300 ? "green" : "cyan", String(status)];
}

/** Returns whether a response violates the contract: in itself, or because it accepts a request that does. */
function isWrongResponse({ status, findings = [] }: RequestEntry): boolean {
  return findings.some(({ kind, direction }) => kind === "violation" && (status < 400 || direction === "response"));
}

/** Each violation once, with the number of its places if there are several. */
function countAlike(violations: readonly string[]): readonly string[] {
  const groups = groupBy(violations, (text) => text);
  return Array.from(groups, ([text, { length }]) => (length === 1 ? text : `${length} × ${text}`));
}

import { styleText } from "node:util";
import type { RequestEntry } from "./server.ts";

/** A request as one line. Colours are for `stream`, if it is a terminal that takes them. */
export function formatRequest(entry: RequestEntry, stream: NodeJS.WriteStream): string {
  const { method, target, status, milliseconds, reason } = entry;
  const colour = status < 300 ? "green" : status < 400 ? "cyan" : "yellow";
  return [
    method,
    printable(target),
    styleText(colour, String(status), { stream }),
    styleText("dim", `${milliseconds.toFixed(1)} ms`, { stream }),
    ...(reason === undefined ? [] : [printable(reason)]),
  ].join(" ");
}

/** Characters that a client chose must not steer the terminal. */
function printable(text: string): string {
  return text.replaceAll(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => String.raw`\u` + character.charCodeAt(0).toString(16).padStart(4, "0"),
  );
}

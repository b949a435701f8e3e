import { countOf } from "../contract/text.ts";
import { wrapText, type TextStyle } from "../contract/textStyle.ts";
import { wrapParagraph } from "../report/paragraph.ts";
import { untested } from "./skipReasons.ts";
import { byRequest, countedSentenceOf, otherOperations, relate, sourceOf, untestedByReason } from "./findingText.ts";
import type { LocatedFinding, Related } from "./findingText.ts";
import type { RunVerdict } from "./verdict.ts";

const colors = {
  contradiction: "red",
  "server error": "red",
  doubt: "yellow",
  unlisted: "cyan",
  gap: "cyan",
  untested: "dim",
} as const;

const verdictColors = { 0: "green", 1: "red", 2: "yellow" } as const;

/** The reasons for a missing result, the findings by operations, and the untested operations by reasons. */
export function textReport(findings: readonly LocatedFinding[], verdict: RunVerdict, style: TextStyle): string {
  const related = relate(findings).map((one) => textOf(one, style));
  const skipped = untestedByReason(findings).map((one) => untestedText(one, style));
  return [...causesOf(verdict, style), ...related, ...skipped].join("\n\n");
}

/** The last lines of a run: notes, and the verdict in color. */
export function endText(notes: readonly string[], { code, outcome, details }: RunVerdict, style: TextStyle): string {
  const [first = "", ...others] = wrapText(details, style, `${outcome}: `, "  ");
  const verdict = [style.paint(verdictColors[code], outcome) + first.slice(outcome.length), ...others];
  return [...notes.flatMap((note) => wrapParagraph(note, style)), ...verdict].join("\n");
}

function causesOf({ code, causes }: RunVerdict, style: TextStyle): readonly string[] {
  if (causes.length === 0) return [];
  const title = code === 1 ? "Could not tell everything:" : "Could not tell:";
  return [[title, ...causes.flatMap((cause) => wrapParagraph(cause, style, "  "))].join("\n")];
}

function textOf(related: Related, style: TextStyle): string {
  const [{ kind, generation, operation, operations }] = related;
  const count = operation === "*" || operations.length < 2 ? "" : ` and ${countOf(operations.length - 1, "other")}`;
  const head = `${style.paint(colors[kind], kind)}  ${generation}  ${operation}${count}`;
  const others = otherOperations(related).map((one) => `    also: ${one}`);
  const requests = byRequest(related).map(([curl, findings]) => {
    const command = curl === "" ? [] : curl.split("\n").map((line) => `    ${line}`);
    return [...findings.flatMap((one) => linesOf(one, style)), ...command].join("\n");
  });
  return [head, ...others, requests.join("\n\n")].join("\n");
}

function linesOf(finding: LocatedFinding, style: TextStyle): readonly string[] {
  const { proposal } = finding;
  return [
    ...wrapParagraph(countedSentenceOf(finding), style, "    "),
    `      ${finding.file === undefined ? "place" : "source"}: ${sourceOf(finding)}`,
    ...(proposal === undefined
      ? []
      : [`      write ${proposal.where}:`, ...proposal.lines.map((line) => `        ${line}`)]),
  ];
}

/** A reason, and the operations, unless they only need an option. */
function untestedText(
  { line, reason, operations }: ReturnType<typeof untestedByReason>[number],
  style: TextStyle,
): string {
  const isAllowable = reason.code === untested.changesNotAllowed.code;
  const listed = isAllowable ? [] : operations.flatMap((one) => wrapParagraph(one, style, "    "));
  return [...wrapParagraph(line, style), ...listed].join("\n");
}

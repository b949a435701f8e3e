import { styleText } from "node:util";
import { countOf } from "../contract/text.ts";
import { wrapWords } from "../contract/textStyle.ts";
import { untested } from "./describeCalls.ts";
import { byRequest, otherOperations, relate, sentenceOf, sourceOf, untestedByReason } from "./findingText.ts";
import type { LocatedFinding, Related, UntestedOperations } from "./findingText.ts";
import type { RunVerdict } from "./verdict.ts";

/** The columns of the smallest common terminal. */
const columns = 80;

const colors: Readonly<Record<LocatedFinding["kind"], Parameters<typeof styleText>[0]>> = {
  contradiction: "red",
  "server error": "red",
  doubt: "yellow",
  unlisted: "cyan",
  gap: "cyan",
  untested: "dim",
};

const verdictColors = { 0: "green", 1: "red", 2: "yellow" } as const;

/** The reasons for a missing result, the findings by operations, and the untested operations by reasons. */
export function textReport(findings: readonly LocatedFinding[], verdict: RunVerdict): string {
  return [...causesOf(verdict), ...relate(findings).map(textOf), ...untestedByReason(findings).map(untestedText)].join(
    "\n\n",
  );
}

/** The last line of a run, with its verdict in color. */
export function verdictText({ code, line }: RunVerdict): string {
  const [verdict = "", ...rest] = wrapLine(line).join("\n").split(": ");
  return [styleText([verdictColors[code], "bold"], verdict), ...rest].join(": ");
}

/** Wraps a line at 80 columns. Other lines than the first are indented. */
export function wrapLine(line: string): readonly string[] {
  return wrap(line, 0);
}

function causesOf({ code, causes }: RunVerdict): readonly string[] {
  if (causes.length === 0) return [];
  const title = code === 1 ? "Could not tell everything:" : "Could not tell:";
  return [[title, ...causes.flatMap((cause) => wrap(cause, 2))].join("\n")];
}

/** Wraps a sentence. Other lines than the first are indented by two more spaces. */
function wrap(sentence: string, indent: number): readonly string[] {
  return wrapWords(sentence.split(" "), columns - indent, "  ").map((line) => " ".repeat(indent) + line);
}

function textOf(related: Related): string {
  const [{ kind, generation, operation, operations }] = related;
  const count = operation === "*" || operations.length < 2 ? "" : ` and ${countOf(operations.length - 1, "other")}`;
  const head = `${styleText(colors[kind], kind)}  ${generation}  ${operation}${count}`;
  const others = otherOperations(related).map((one) => `    also: ${one}`);
  const requests = byRequest(related).map(([curl, findings]) => {
    const command = curl === "" ? [] : curl.split("\n").map((line) => `    ${line}`);
    return [...findings.flatMap(linesOf), ...command].join("\n");
  });
  return [head, ...others, requests.join("\n\n")].join("\n");
}

function linesOf(finding: LocatedFinding): readonly string[] {
  const { count, received, proposal } = finding;
  const times = count > 1 && received.length === 0 ? `, in ${count} exchanges` : "";
  return [
    ...wrap(sentenceOf(finding) + times, 4),
    `      ${finding.file === undefined ? "place" : "source"}: ${sourceOf(finding)}`,
    ...(proposal === undefined
      ? []
      : [`      write ${proposal.where}:`, ...proposal.lines.map((line) => `        ${line}`)]),
  ];
}

/** A reason, and the operations, unless they only need an option. */
function untestedText({ line, operations }: UntestedOperations): string {
  const isAllowable = line.endsWith(untested.changesNotAllowed);
  return [...wrap(line, 0), ...(isAllowable ? [] : operations.map((one) => `    ${one}`))].join("\n");
}

import { countOf, escapeXml, groupBy } from "../contract/text.ts";
import type { Finding } from "./gatherFindings.ts";
import { faultKinds, findingKinds } from "./observation.ts";

interface Located {
  readonly file?: string;
  readonly line?: number;
}

export interface LocatedFinding extends Finding, Located {
  readonly operations: readonly (Finding["operations"][number] & Located)[];
}

export const findingFormats = ["text", "markdown", "json", "junit"] as const;

/**
 * Formats findings as text, as a comment, or for programs. The result doesn't end with a line break. `failing`: the
 * kinds that make the run fail.
 */
export function formatFindings(
  findings: readonly LocatedFinding[],
  format: (typeof findingFormats)[number],
  failing: readonly Finding["kind"][] = faultKinds,
): string {
  if (format === "json")
    return JSON.stringify({ findings: findings.map((one) => ({ ...one, message: sentenceOf(one) })) }, null, 2);
  if (format === "junit") return junit(findings, failing);
  const texts = findings.map((finding) => (format === "markdown" ? markdownOf(finding) : textOf(finding)));
  return [`${summaryOf(findings)}.`, ...texts].join("\n\n");
}

function summaryOf(findings: readonly Finding[]): string {
  const kinds = groupBy(findings, ({ kind }) => kind);
  const counts = findingKinds.map((kind) => {
    const found = kinds.get(kind) ?? [];
    // For untested operations, the number of operations is more useful than the number of reasons.
    const length = kind === "untested" ? found.flatMap(({ operations }) => operations).length : found.length;
    return faultKinds.includes(kind) || kind === "doubt" ? countOf(length, kind) : `${length} ${kind}`;
  });
  return counts.join(", ");
}

/** The maximum number of received values shown in a finding. */
const mostShown = 12;

/** The statement of the contract and the received values: the range of numbers, or the most frequent other values. */
function sentenceOf({ kind, message, received, count }: Finding): string {
  if (received.length === 0) return message;
  const numbers = received.map(([text]) => Number(text));
  const shown = received
    .slice(0, mostShown)
    .map(([text, times]) => (count === 1 ? text : `${text} in ${times} of ${count}`));
  const rest = received.length > mostShown ? [`${received.length - mostShown} others`] : [];
  const isRange = kind === "gap" && received.length > mostShown && numbers.every(Number.isFinite);
  const text = isRange ? `from ${Math.min(...numbers)} to ${Math.max(...numbers)}` : [...shown, ...rest].join(", ");
  return kind === "gap" ? `${message} ${text}` : `${message}; received ${text}`;
}

/** The maximum number of operations shown for a finding. */
const mostOperations = 20;

function textOf(finding: LocatedFinding): string {
  const { kind, generation, operation, operations, count, received, curl, proposal } = finding;
  const lines = [sentenceOf(finding)];
  for (const [title, where] of placesOf(finding)) lines.push(`${title}: ${where}`);
  for (const one of otherOperations(finding)) lines.push(`also: ${one}`);
  if (proposal !== undefined) lines.push(`write ${proposal.where}:`, ...proposal.lines.map((line) => `  ${line}`));
  if (count > 1 && received.length === 0) lines.push(`seen in ${count} exchanges`);
  if (curl !== undefined && kind !== "gap" && kind !== "untested") lines.push(...curl.split("\n"));
  const others = operation === "*" || operations.length < 2 ? "" : ` and ${countOf(operations.length - 1, "other")}`;
  return [`${kind}  ${generation}  ${operation}${others}`, ...lines.map((line) => `    ${line}`)].join("\n");
}

function markdownOf(finding: LocatedFinding): string {
  const { kind, generation, operation, count } = finding;
  const places = placesOf(finding).map(([title, place]) => `\n  - ${title}: \`${place}\``);
  const others = otherOperations(finding).map((one) => `\n  - also: \`${one}\``);
  return `- **${kind}** ${generation} \`${operation}\`: ${sentenceOf(finding)} (${count}×)${[...places, ...others].join("")}`;
}

/** The other operations of a finding, with the source line of each if they differ. */
function otherOperations({ operation, operations, place }: LocatedFinding): readonly string[] {
  if (operation === "*") return [];
  const [, ...others] = operations;
  const shown = others
    .slice(0, mostOperations)
    .map((one) =>
      one.place === place || one.file === undefined ? one.operation : `${one.operation} (${one.file}:${one.line})`,
    );
  return others.length > mostOperations ? [...shown, `${others.length - mostOperations} others`] : shown;
}

/** The place in the contract and in its sources, each with a title. */
function placesOf({ place, file, line }: LocatedFinding): readonly (readonly [title: string, place: string])[] {
  return [["place", `#${place}`], ...(file === undefined ? [] : [["source", `${file}:${line}`] as const])];
}

/** The JUnit element for a kind of finding, if there is one. */
function junitTag(kind: Finding["kind"], failing: readonly Finding["kind"][]): string | undefined {
  if (kind === "server error") return "error";
  if (failing.includes(kind)) return "failure";
  return kind === "untested" ? "skipped" : undefined;
}

/** A test for each operation. It fails if a finding's kind is failing, and is skipped if the operation is untested. */
function junit(findings: readonly Finding[], failing: readonly Finding["kind"][]): string {
  const attribute = (text: string) => escapeXml(text).replaceAll('"', "&quot;");
  const shown = findings.flatMap((finding) =>
    (finding.operation === "*" ? [finding] : finding.operations).map(({ generation, operation }) => {
      return { ...finding, generation, operation };
    }),
  );
  const cases = [...groupBy(shown, ({ generation, operation }) => `${generation} ${operation}`)].map(([name, all]) => {
    const tags = all.flatMap((finding) => {
      const tag = junitTag(finding.kind, failing);
      const content = escapeXml(`#${finding.place}\n${finding.curl ?? ""}`);
      return tag === undefined ? [] : [`    <${tag} message="${attribute(sentenceOf(finding))}">${content}</${tag}>`];
    });
    return [`  <testcase classname="verify" name="${attribute(name)}">`, ...tags, "  </testcase>"].join("\n");
  });
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuite name="verify">', ...cases, "</testsuite>"].join("\n");
}

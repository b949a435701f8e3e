import { countOf, escapeXml, groupBy } from "../contract/text.ts";
import type { Finding } from "./findings.ts";
import { findingKinds } from "../mock/upstream/observation.ts";

/** The ways to write findings. */
export const findingFormats = ["text", "markdown", "json", "junit"] as const;

/** Writes findings for people, for a comment, or for programs; without a line break at the end. */
export function formatFindings(findings: readonly Finding[], format: (typeof findingFormats)[number]): string {
  if (format === "json")
    return JSON.stringify({ findings: findings.map((one) => ({ ...one, message: sentenceOf(one) })) }, null, 2);
  if (format === "junit") return junit(findings);
  const texts = findings.map((finding) => (format === "markdown" ? markdownOf(finding) : textOf(finding)));
  return [`${summaryOf(findings)}.`, ...texts].join("\n\n");
}

/** The number of findings of each kind: `2 contradictions, 1 news`. */
function summaryOf(findings: readonly Finding[]): string {
  const kinds = groupBy(findings, ({ kind }) => kind);
  const counts = findingKinds.map((kind) => {
    const { length } = kinds.get(kind) ?? [];
    return kind === "contradiction" ? countOf(length, kind) : `${length} ${kind}`;
  });
  return counts.join(", ");
}

/** Of what came, the most frequent texts that are shown. */
const mostShown = 12;

/** What the contract says, and what came: of numbers the range, of other values the most frequent. */
function sentenceOf({ kind, message, received, count }: Finding): string {
  if (received.length === 0) return message;
  const numbers = received.map(([text]) => Number(text));
  const shown = received
    .slice(0, mostShown)
    .map(([text, times]) => (count === 1 ? text : `${text} in ${times} of ${count}`));
  const rest = received.length > mostShown ? [`${received.length - mostShown} others`] : [];
  const isRange = kind === "evidence" && received.length > mostShown && numbers.every(Number.isFinite);
  const text = isRange ? `from ${Math.min(...numbers)} to ${Math.max(...numbers)}` : [...shown, ...rest].join(", ");
  return kind === "evidence" ? `${message} ${text}` : `${message}; received ${text}`;
}

function textOf(finding: Finding): string {
  const { kind, generation, operation, place, count, curl } = finding;
  const lines = [
    sentenceOf(finding),
    `place: #${place}`,
    ...(count > 1 && finding.received.length === 0 ? [`seen in ${count} exchanges`] : []),
  ];
  const shown = kind === "contradiction" || kind === "news" ? (curl?.split("\n") ?? []) : [];
  return [`${kind}  ${generation}  ${operation}`, ...[...lines, ...shown].map((line) => `    ${line}`)].join("\n");
}

function markdownOf(finding: Finding): string {
  const { kind, generation, operation, place, count } = finding;
  return `- **${kind}** ${generation} \`${operation}\`: ${sentenceOf(finding)} (${count}×)\n  - place: \`#${place}\``;
}

/** A test for each operation, which fails if something contradicts, and is skipped if it is untested. */
function junit(findings: readonly Finding[]): string {
  const attribute = (text: string) => escapeXml(text).replaceAll('"', "&quot;");
  const cases = [...groupBy(findings, ({ generation, operation }) => `${generation} ${operation}`)].map(
    ([name, all]) => {
      const tags = all.flatMap((finding) => {
        const tag = finding.kind === "contradiction" ? "failure" : finding.kind === "untested" ? "skipped" : undefined;
        const content = escapeXml(`#${finding.place}\n${finding.curl ?? ""}`);
        return tag === undefined ? [] : [`    <${tag} message="${attribute(sentenceOf(finding))}">${content}</${tag}>`];
      });
      return [`  <testcase classname="verify" name="${attribute(name)}">`, ...tags, "  </testcase>"].join("\n");
    },
  );
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuite name="verify">', ...cases, "</testsuite>"].join("\n");
}

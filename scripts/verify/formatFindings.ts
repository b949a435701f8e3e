import { countOf, escapeXml, groupBy } from "../contract/text.ts";
import type { Finding } from "./findings.ts";
import { faultKinds, findingKinds } from "./observation.ts";
import { mask } from "../exchange/secrets.ts";
import { parseJson, pointerKeys } from "../spec/json.ts";
import { isStatusRange } from "../spec/statusKeys.ts";

export interface LocatedFinding extends Finding {
  readonly file?: string;
  readonly line?: number;
}

export const findingFormats = ["text", "markdown", "json", "junit"] as const;

/**
 * Writes findings for people, for a comment, or for programs; without a line break at the end. `failing`: the kinds with
 * which the run fails.
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
    const { length } = kinds.get(kind) ?? [];
    return faultKinds.includes(kind) || kind === "doubt" ? countOf(length, kind) : `${length} ${kind}`;
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

function textOf(finding: LocatedFinding): string {
  const { kind, generation, operation, count, received, curl } = finding;
  const lines = [sentenceOf(finding)];
  for (const [title, where] of placesOf(finding)) lines.push(`${title}: ${where}`);
  for (const line of proposalOf(finding)) lines.push(`write: ${line}`);
  if (count > 1 && received.length === 0) lines.push(`seen in ${count} exchanges`);
  if (curl !== undefined && kind !== "evidence" && kind !== "untested") lines.push(...curl.split("\n"));
  return [`${kind}  ${generation}  ${operation}`, ...lines.map((line) => `    ${line}`)].join("\n");
}

function markdownOf(finding: LocatedFinding): string {
  const { kind, generation, operation, count } = finding;
  const places = placesOf(finding).map(([title, place]) => `\n  - ${title}: \`${place}\``);
  return `- **${kind}** ${generation} \`${operation}\`: ${sentenceOf(finding)} (${count}×)${places.join("")}`;
}

/** Where the contract says it, and where its sources do, each with what it is. */
function placesOf({ place, file, line }: LocatedFinding): readonly (readonly [title: string, place: string])[] {
  return [["place", `#${place}`], ...(file === undefined ? [] : [["source", `${file}:${line}`] as const])];
}

/** The line that would fill a gap in the sources; none for what was masked or cut off. */
function proposalOf({ kind, place, received }: Finding): readonly string[] {
  const texts = received.map(([text]) => text).filter((text) => !text.includes(mask) && !text.includes("…"));
  const [holder, key = ""] = pointerKeys(place).slice(-2);
  if (kind === "evidence" && holder === "responses" && isStatusRange(key)) return texts.map((text) => `"${text}":`);
  if (kind !== "news") return [];
  if (place.endsWith("/x-extensible-enum")) return texts.map((text) => `- ${text}`);
  const types = [...new Set(texts.map(typeOf))].join(", ");
  return holder === "properties" ? [`${key}: { type: [${types}] }`] : [];
}

function typeOf(text: string): string {
  const [, described] = /^an? (\w+)/.exec(text) ?? [];
  const value = parseJson(text);
  if (value === null) return '"null"';
  return described ?? (Number.isInteger(value) ? "integer" : typeof value);
}

/** The element of JUnit's format that tells a kind of finding, if there is one. */
function junitTag(kind: Finding["kind"], failing: readonly Finding["kind"][]): string | undefined {
  if (kind === "server error") return "error";
  if (failing.includes(kind)) return "failure";
  return kind === "untested" ? "skipped" : undefined;
}

/** A test for each operation, which fails if one of its findings is of a failing kind, and is skipped if it is untested. */
function junit(findings: readonly Finding[], failing: readonly Finding["kind"][]): string {
  const attribute = (text: string) => escapeXml(text).replaceAll('"', "&quot;");
  const cases = [...groupBy(findings, ({ generation, operation }) => `${generation} ${operation}`)].map(
    ([name, all]) => {
      const tags = all.flatMap((finding) => {
        const tag = junitTag(finding.kind, failing);
        const content = escapeXml(`#${finding.place}\n${finding.curl ?? ""}`);
        return tag === undefined ? [] : [`    <${tag} message="${attribute(sentenceOf(finding))}">${content}</${tag}>`];
      });
      return [`  <testcase classname="verify" name="${attribute(name)}">`, ...tags, "  </testcase>"].join("\n");
    },
  );
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuite name="verify">', ...cases, "</testsuite>"].join("\n");
}

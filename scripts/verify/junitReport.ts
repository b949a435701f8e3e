import { distinctName, escapeXml, groupBy } from "../contract/text.ts";
import type { TestedCase } from "./findings.ts";
import { sentenceOf, sourceOf, type LocatedFinding } from "./findingText.ts";
import type { RunVerdict } from "./verdict.ts";

/** A test case: the result of one check of an operation. */
interface Case {
  /** The generation and the operation. */
  readonly owner: string;
  readonly name: string;
  readonly seconds: number;
  readonly outcome: Outcome | undefined;
}

interface Outcome {
  readonly tag: "error" | "failure" | "skipped";
  readonly type: string;
  /** The rule, which is the same in each run. */
  readonly rule: string;
  readonly message: string;
  readonly details: string;
}

/**
 * A test suite as XML, in the form that JUnit's tasks for Ant write. Each operation has a case for each check that
 * passed, and one for each failed rule of a check. It is skipped if it wasn't tested. A run without a result has a
 * case with an error, too. `failing`: the kinds of findings that fail.
 */
export function junitReport(
  findings: readonly LocatedFinding[],
  tested: readonly TestedCase[],
  failing: readonly LocatedFinding["kind"][],
  { causes }: RunVerdict,
): string {
  const cases = [...listCases(findings, tested, failing), ...causes.map(causeCase)];
  const count = (tag: Outcome["tag"]) => cases.filter(({ outcome }) => outcome?.tag === tag).length;
  const suite = {
    ...{ name: "verify", timestamp: new Date().toISOString().slice(0, 19), hostname: "localhost", tests: cases.length },
    ...{ failures: count("failure"), errors: count("error"), skipped: count("skipped") },
    time: secondsText(tested.reduce((sum, { seconds }) => sum + seconds, 0)),
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite ${attributes(suite)}>`,
    "  <properties/>",
    ...cases.map(caseElement),
    "  <system-out/>",
    "  <system-err/>",
    "</testsuite>",
  ].join("\n");
}

function listCases(
  findings: readonly LocatedFinding[],
  tested: readonly TestedCase[],
  failing: readonly LocatedFinding["kind"][],
): readonly Case[] {
  const outcomes = groupBy(outcomesOf(findings, failing), ({ owner, check }) => keyOf(owner, check));
  const times = groupBy(tested, ({ generation, operation, check }) => keyOf(`${generation} ${operation}`, check));
  const names = new Set<string>();
  return [...new Set([...times.keys(), ...outcomes.keys()])].flatMap((key): readonly Case[] => {
    const [owner = "", check = ""] = key.split("\n");
    const found = outcomes.get(key) ?? [];
    const failed = found.filter(({ tag }) => tag !== "skipped");
    const shown = failed.length === 0 ? found.slice(0, 1) : failed;
    const seconds = (times.get(key)?.[0]?.seconds ?? 0) / Math.max(1, shown.length);
    if (shown.length === 0) return [{ owner, name: check, seconds, outcome: undefined }];
    return shown.map((outcome) => {
      const rule = outcome.tag === "skipped" ? check : `${check}: ${outcome.rule}`;
      // Readers take a second case with the same name for a retry.
      const name = distinctName(`${owner} ${rule}`, names, " ").slice(owner.length + 1);
      return { owner, name, seconds, outcome };
    });
  });
}

function causeCase(message: string): Case {
  const outcome = { tag: "error", type: "no result", rule: message, message, details: "" } as const;
  return { owner: "verify", name: message, seconds: 0, outcome };
}

function keyOf(owner: string, check: string): string {
  return `${owner}\n${check}`;
}

function outcomesOf(findings: readonly LocatedFinding[], failing: readonly LocatedFinding["kind"][]) {
  return findings.flatMap((finding) => {
    const tag = tagOf(finding.kind, failing);
    if (tag === undefined) return [];
    const details = `${sourceOf(finding)}\n${finding.curl ?? ""}`;
    const outcome = { tag, type: finding.kind, rule: finding.message, message: sentenceOf(finding), details };
    return finding.operations.flatMap(({ generation, operation, checks }) =>
      checks.map((check) => ({ owner: `${generation} ${operation}`, check, ...outcome })),
    );
  });
}

/** The element for a kind of finding. `undefined` if the check passes with it. */
function tagOf(kind: LocatedFinding["kind"], failing: readonly LocatedFinding["kind"][]): Outcome["tag"] | undefined {
  if (kind === "server error") return "error";
  if (failing.includes(kind)) return "failure";
  return kind === "untested" ? "skipped" : undefined;
}

function caseElement({ owner, name, seconds, outcome }: Case): string {
  const start = `  <testcase ${attributes({ classname: owner, name, time: secondsText(seconds) })}`;
  if (outcome === undefined) return `${start}/>`;
  const { tag, type, message, details } = outcome;
  if (tag === "skipped") return `${start}>\n    <skipped ${attributes({ message })}/>\n  </testcase>`;
  return `${start}>\n    <${tag} ${attributes({ type, message })}>${escapeXml(details)}</${tag}>\n  </testcase>`;
}

function attributes(values: Readonly<Record<string, number | string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escapeXml(String(value)).replaceAll('"', "&quot;")}"`)
    .join(" ");
}

function secondsText(seconds: number): string {
  return seconds.toFixed(3);
}

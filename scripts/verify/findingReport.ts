import { compareText, countOf } from "../values/text.ts";
import { groupBy } from "../values/collections.ts";
import { codeOf, phrase } from "../report/phrase.ts";
import type { CommandReport, ReportedFinding, ReportGroup } from "../report/report.ts";
import type { TestedCase } from "./findings.ts";
import type { Finding } from "./gatherFindings.ts";
import { asIn, untested } from "./skipReasons.ts";
import { judgeRun, type JudgedRun } from "./verdict.ts";

interface Located {
  readonly file?: string;
  readonly line?: number;
}

/** A finding with the source lines of its places. */
export interface LocatedFinding extends Finding, Located {
  readonly operations: readonly (Finding["operations"][number] & Located)[];
}

interface VerifiedRun extends JudgedRun {
  readonly findings: readonly LocatedFinding[];
  readonly tested: readonly TestedCase[];
  readonly notes: readonly string[];
}

const colors = {
  contradiction: "red",
  "server error": "red",
  doubt: "yellow",
  unlisted: "cyan",
  gap: "cyan",
  untested: "dim",
} as const;

/** By exit code. */
const verdictColors = { 0: "green", 1: "red", 2: "yellow" } as const;

/** Reports findings: those of the same operations together, then gaps, then untested operations by their reasons. */
export function reportFindings(run: VerifiedRun): { readonly report: CommandReport; readonly code: number } {
  const { findings, causes, tested, failing, notes } = run;
  const { code, coverage, outcome, details } = judgeRun(run);
  const heading = `${outcome}: ${details}`;
  const gaps = findings.filter(({ kind }) => kind === "gap");
  const told = findings.filter(({ kind }) => kind !== "gap" && kind !== "untested");
  const report: CommandReport = {
    causes: { title: code === 1 ? "Could not tell everything:" : "Could not tell:", texts: causes },
    sections: [
      { layout: "list", groups: groupFindings(told, failing) },
      { layout: "list", groups: groupFindings(gaps, failing), summary: countOf(gaps.length, "gap") },
      { layout: "names", groups: groupUntested(findings, failing) },
    ],
    notes: [...notes, ...coverage],
    verdict: { outcome, rest: `: ${details}`, heading, emphasis: verdictColors[code] },
    whole: [codeOf("npm run verify")],
    tests: { name: "verify", checks: tested.map((one) => ({ ...one, operation: nameOf(one) })) },
    facts: { verdict: heading, causes, findings: findings.map((one) => ({ ...one, message: sentenceOf(one) })) },
  };
  return { report, code };
}

/** Findings of one kind in the same operations. Those with the same request are in a row. */
function groupFindings(findings: readonly LocatedFinding[], failing: VerifiedRun["failing"]): readonly ReportGroup[] {
  const groups = groupBy(findings, ({ kind, generation, operation, operations }) =>
    JSON.stringify([kind, generation, operation, operations.map((one) => one.operation)]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { kind, generation, operation } = first;
    const others = operation === "*" ? [] : first.operations.slice(1);
    const count = others.length === 0 ? "" : ` and ${countOf(others.length, "other")}`;
    return {
      kind: { name: kind, emphasis: colors[kind] },
      title: phrase`${generation}  ${codeOf(operation)}${count}`,
      names: shortened(others.map((one) => one.operation)),
      label: "also: ",
      findings: [...groupBy(group, ({ curl }) => curl).values()].flat().map((one) => findingOf(one, failing)),
    };
  });
}

function findingOf(finding: LocatedFinding, failing: VerifiedRun["failing"]): ReportedFinding {
  const { kind: title, message: rule, curl, operations, file, line, place: pointer, proposal } = finding;
  const outcome = outcomeOf(title, failing);
  const checks = operations.flatMap((one) => one.checks.map((check) => ({ operation: nameOf(one), check })));
  return {
    ...{ title, sentence: countedSentenceOf(finding), place: { file, line, pointer }, proposal },
    command: title === "gap" ? undefined : curl,
    ...{ test: outcome && { outcome, rule }, checks },
  };
}

/** What a kind of finding is in a suite of tests. `undefined` if the check passes with it. */
function outcomeOf(kind: LocatedFinding["kind"], failing: VerifiedRun["failing"]) {
  if (kind === "server error") return "error";
  if (failing.includes(kind)) return "failure";
  return kind === "untested" ? "skipped" : undefined;
}

function nameOf({ generation, operation }: { readonly generation: string; readonly operation: string }): string {
  return `${generation} ${operation}`;
}

/** The maximum number of received values shown in a finding, and of operations. */
const most = { values: 12, operations: 20 };

/** The statement of the contract and the received values: the range of numbers, or the most frequent other values. */
export function sentenceOf({ kind, message, received, count }: Finding): string {
  if (received.length === 0) return message;
  const numbers = received.map(([text]) => Number(text));
  const shown = received
    .slice(0, most.values)
    .map(([text, times]) => (count === 1 ? text : `${text} in ${times} of ${count}`));
  const rest = received.length > most.values ? [`${received.length - most.values} others`] : [];
  const isRange = kind === "gap" && received.length > most.values && numbers.every(Number.isFinite);
  const text = isRange ? `from ${Math.min(...numbers)} to ${Math.max(...numbers)}` : [...shown, ...rest].join(", ");
  return kind === "gap" ? `${message} ${text}` : `${message}; received ${text}`;
}

/** The sentence of a finding, and in how many exchanges it was found, unless it says so. */
function countedSentenceOf(finding: Finding): string {
  const isCounted = finding.count === 1 || finding.received.length > 0 || finding.kind === "untested";
  return `${sentenceOf(finding)}${isCounted ? "" : `, in ${finding.count} exchanges`}`;
}

function shortened(names: readonly string[]): readonly string[] {
  if (names.length <= most.operations) return names;
  return [...names.slice(0, most.operations), `${names.length - most.operations} others`];
}

/**
 * The untested operations by their reasons, with those that weren't called first: `Not called, 19: …`, or `Not checked,
 * 3: …` if there were calls. An operation may have an example of values that allow to call it.
 */
function groupUntested(findings: readonly LocatedFinding[], failing: VerifiedRun["failing"]): readonly ReportGroup[] {
  const skipped = findings
    .filter(({ kind }) => kind === "untested")
    .map((finding) => {
      const { code, text = sentenceOf(finding), example } = finding.reason ?? {};
      const names = finding.operations.map((one) => nameOf(one) + (example === undefined ? "" : asIn(example)));
      return { finding, code, text, names, verb: finding.curl === undefined ? "called" : "checked" };
    });
  const ordered = skipped.toSorted((a, b) => compareText(a.verb, b.verb));
  return [...groupBy(ordered, ({ verb, text }) => `${verb}: ${text}`).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const names = group.flatMap((one) => one.names);
    return {
      title: [`Not ${first.verb}, ${names.length}: ${first.text}`],
      names: shortened(names),
      // They only need an option.
      isBrief: first.code === untested["allow-changes"].code,
      findings: group.map(({ finding }) => findingOf(finding, failing)),
    };
  });
}

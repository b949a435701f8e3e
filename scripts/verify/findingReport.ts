import { compareText, countOf } from "../values/text.ts";
import { groupBy } from "../values/collections.ts";
import { codeOf, phrase } from "../report/phrase.ts";
import type { CommandReport, ReportedFinding, ReportGroup } from "../report/report.ts";
import { findingKinds } from "../exchange/observation.ts";
import type { Emphasis } from "../values/textStyle.ts";
import { describeShares, percentOf, type Share } from "./coverage.ts";
import type { TestedCase } from "./findings.ts";
import type { Finding } from "./gatherFindings.ts";
import { asIn, untested } from "./skipReasons.ts";

interface Located {
  readonly file?: string;
  readonly line?: number;
}

/** A finding with the source lines of its places. */
export interface LocatedFinding extends Finding, Located {
  readonly operations: readonly (Finding["operations"][number] & Located)[];
}

/** The kinds of findings that make a run fail only on request. */
export const askedKinds = ["unlisted", "untested", "doubt"] as const;

/** The result of a run. */
interface RunVerdict {
  /** The exit code: 1 if the run failed, 2 if it has no result, and 0 otherwise. */
  readonly code: 0 | 1 | 2;
  /** The shares of the contract that were seen, and those that are too low, in lines. */
  readonly coverage: readonly string[];
  readonly outcome: "Failed" | "Could not tell" | "No contradictions";
  /** The numbers of findings and of tested operations: `2 contradictions; 5 of 25 operations tested, 1 doubt`. */
  readonly details: string;
}

/** The facts that a run is judged by, and reported. */
interface VerifiedRun {
  readonly findings: readonly LocatedFinding[];
  /** The kinds that make the run fail. */
  readonly failing: readonly Finding["kind"][];
  /** The reasons why the run has no result, or only a part of one. Empty if there are none. */
  readonly causes: readonly string[];
  /** The shares of operations, and of other parts of the contract. */
  readonly shares: readonly [operations: Share, ...others: Share[]];
  /** The lowest acceptable share, in percent. */
  readonly required: number;
  readonly tested: readonly TestedCase[];
  readonly notes: readonly string[];
}

/** The colors of the kinds of findings, and whether a number before one makes it plural. */
const kindFacts: Readonly<Record<Finding["kind"], { readonly color: Emphasis; readonly isNoun: boolean }>> = {
  contradiction: { color: "red", isNoun: true },
  "server error": { color: "red", isNoun: true },
  doubt: { color: "yellow", isNoun: true },
  unlisted: { color: "cyan", isNoun: false },
  gap: { color: "cyan", isNoun: true },
  untested: { color: "dim", isNoun: false },
};

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

/** Judges a run by its findings and its coverage. */
function judgeRun({ findings, failing, causes, shares, required }: VerifiedRun): RunVerdict {
  const [operations] = shares;
  const missed = shares.filter((share) => percentOf(share) < required).map(({ plural }) => plural);
  const unlike = findingKinds.filter((kind) => kind !== "untested" && !failing.includes(kind));
  const faults = [...countKinds(findings, failing), ...(missed.length === 0 ? [] : ["the coverage is too low"])];
  const tested = `${operations.seen} of ${countOf(operations.all, operations.noun)} tested`;
  const rest = [tested, ...countKinds(findings, unlike)].join(", ");
  const coverage = [
    describeShares(shares),
    ...missed.map((nouns) => `Coverage too low: less than ${required}% of ${nouns}`),
  ];
  if (faults.length > 0) return { code: 1, coverage, outcome: "Failed", details: `${faults.join(", ")}; ${rest}` };
  if (causes.length > 0) return { code: 2, coverage, outcome: "Could not tell", details: rest };
  return { code: 0, coverage, outcome: "No contradictions", details: rest };
}

/** The numbers of findings of some kinds, without zeros: `2 contradictions`, `1 unlisted`. */
function countKinds(findings: readonly Finding[], kinds: readonly Finding["kind"][]): readonly string[] {
  return kinds.flatMap((kind) => {
    const found = findings.filter((finding) => finding.kind === kind);
    // For untested operations, the number of operations is more useful than the number of reasons.
    const count = kind === "untested" ? found.flatMap(({ operations }) => operations).length : found.length;
    if (count === 0) return [];
    return [kindFacts[kind].isNoun ? countOf(count, kind) : `${count} ${kind}`];
  });
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
      kind: { name: kind, emphasis: kindFacts[kind].color },
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

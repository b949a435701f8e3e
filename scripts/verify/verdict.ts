import { countOf } from "../values/text.ts";
import { describeShares, percentOf, type Share } from "./coverage.ts";
import type { Finding } from "./gatherFindings.ts";
import { faultKinds, findingKinds } from "../exchange/observation.ts";

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

/** The facts that a run is judged by. */
export interface JudgedRun {
  readonly findings: readonly Finding[];
  /** The kinds that make the run fail. */
  readonly failing: readonly Finding["kind"][];
  /** The reasons why the run has no result, or only a part of one. Empty if there are none. */
  readonly causes: readonly string[];
  /** The shares of operations, and of other parts of the contract. */
  readonly shares: readonly [operations: Share, ...others: Share[]];
  /** The lowest acceptable share, in percent. */
  readonly required: number;
}

/** Judges a run by its findings and its coverage. */
export function judgeRun({ findings, failing, causes, shares, required }: JudgedRun): RunVerdict {
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
    return [isNoun(kind) ? countOf(count, kind) : `${count} ${kind}`];
  });
}

function isNoun(kind: Finding["kind"]): boolean {
  return faultKinds.includes(kind) || kind === "doubt" || kind === "gap";
}

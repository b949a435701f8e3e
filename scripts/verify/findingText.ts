/* The parts of findings in words, for all reports. */
import { compareText, groupBy } from "../contract/text.ts";
import { reportedPlace } from "../report/reported.ts";
import { asIn } from "./skipReasons.ts";
import type { Finding } from "./gatherFindings.ts";

interface Located {
  readonly file?: string;
  readonly line?: number;
}

/** A finding with the source lines of its places. */
export interface LocatedFinding extends Finding, Located {
  readonly operations: readonly (Finding["operations"][number] & Located)[];
}

/** The maximum number of received values shown in a finding. */
const mostShown = 12;

/** The statement of the contract and the received values: the range of numbers, or the most frequent other values. */
export function sentenceOf({ kind, message, received, count }: Finding): string {
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

/** The sentence of a finding, and in how many exchanges it was found, unless it says so. */
export function countedSentenceOf(finding: Finding): string {
  const isCounted = finding.count === 1 || finding.received.length > 0;
  return `${sentenceOf(finding)}${isCounted ? "" : `, in ${finding.count} exchanges`}`;
}

/** The line in the sources, or else the place in the bundle. */
export function sourceOf({ file, line, place }: LocatedFinding): string {
  return reportedPlace({ file, line, pointer: place });
}

/** Findings of one kind in the same operations. They are shown together. */
export type Related = readonly [LocatedFinding, ...LocatedFinding[]];

/** Groups findings that concern the same operations. Leaves out untested operations. */
export function relate(findings: readonly LocatedFinding[]): readonly Related[] {
  const groups = groupBy(
    findings.filter(({ kind }) => kind !== "untested"),
    ({ kind, generation, operation, operations }) =>
      JSON.stringify([kind, generation, operation, operations.map((one) => one.operation)]),
  );
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [[first, ...others] as const],
  );
}

/** The findings of a group by their requests, in order. Several often have the same. */
export function byRequest(related: Related): readonly (readonly [curl: string, findings: readonly LocatedFinding[]])[] {
  const isShown = related[0].kind !== "gap";
  return [...groupBy(related, ({ curl = "" }) => (isShown ? curl : ""))];
}

/** The maximum number of operations shown for a finding. */
const mostOperations = 20;

/** The other operations of a group. */
export function otherOperations([{ operation, operations }]: Related): readonly string[] {
  return operation === "*" ? [] : shortened(operations.slice(1).map((one) => one.operation));
}

function shortened(names: readonly string[]): readonly string[] {
  if (names.length <= mostOperations) return names;
  return [...names.slice(0, mostOperations), `${names.length - mostOperations} others`];
}

/**
 * The untested operations by their reasons, with those that weren't called first: `Not called, 19: …`, or `Not checked,
 * 3: …` if there were calls. An operation may have an example of values that allow to call it.
 */
export function untestedByReason(findings: readonly LocatedFinding[]) {
  const untested = findings
    .filter(({ kind }) => kind === "untested")
    .flatMap((one) => {
      const { code = "unchecked", text = sentenceOf(one), example } = one.reason ?? {};
      return one.operations.map(({ generation, operation }) => ({
        verb: one.curl === undefined ? "called" : "checked",
        reason: { code, text },
        operation: `${generation} ${operation}${example === undefined ? "" : asIn(example)}`,
      }));
    });
  const ordered = untested.toSorted((a, b) => compareText(a.verb, b.verb));
  return [...groupBy(ordered, ({ verb, reason }) => `${verb}: ${reason.text}`).values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined) return [];
    const { verb, reason } = first;
    const operations = shortened(all.map(({ operation }) => operation));
    return [{ line: `Not ${verb}, ${all.length}: ${reason.text}`, reason, operations }];
  });
}

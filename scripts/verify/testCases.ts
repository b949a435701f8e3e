import { distinctName, groupBy } from "../contract/text.ts";
import type { TestCase, TestOutcome } from "../report/junit.ts";
import type { TestedCase } from "./findings.ts";
import { sentenceOf, sourceOf, type LocatedFinding } from "./findingText.ts";

/** A check of an operation. Its name is the check, and the rule if that failed, which is the same in each run. */
interface OperationCase extends TestCase {
  readonly check: string;
}

/**
 * The test cases of a run. Each operation has a case for each check that passed, and one for each failed rule of a
 * check. It is skipped if it wasn't tested. A run without a result has a case with an error, too. `failing`: the kinds
 * of findings that fail.
 */
export function testCases(
  findings: readonly LocatedFinding[],
  tested: readonly TestedCase[],
  failing: readonly LocatedFinding["kind"][],
  causes: readonly string[],
): readonly TestCase[] {
  const passed = tested.map(({ generation, operation, check, seconds }): OperationCase => {
    return { owner: `${generation} ${operation}`, name: check, check, seconds, outcome: undefined };
  });
  const cases = [...passed, ...findings.flatMap((one) => casesOf(one, tagOf(one.kind, failing)))];
  const groups = groupBy(cases, ({ owner, check }) => JSON.stringify([owner, check]));
  const names = new Set<string>();
  const shown = [...groups.values()].flatMap((all): readonly TestCase[] => {
    const [first] = all;
    const failed = all.filter(({ outcome }) => outcome !== undefined && outcome.tag !== "skipped");
    const skipped = all.filter(({ outcome }) => outcome?.tag === "skipped");
    const told = failed.length > 0 ? failed : [...skipped, ...all].slice(0, 1);
    const seconds = (first?.seconds ?? 0) / told.length;
    return told.map(({ owner, name, outcome }) => {
      // Readers take a second case with the same name for a retry.
      const distinct = distinctName(`${owner} ${name}`, names, " ").slice(owner.length + 1);
      return { owner, name: outcome === undefined ? name : distinct, seconds, outcome };
    });
  });
  return [...shown, ...causes.map(causeCase)];
}

function causeCase(sentence: string): TestCase {
  const outcome = { tag: "error", title: "no result", sentence, details: [] } as const;
  return { owner: "verify", name: sentence, seconds: 0, outcome };
}

function casesOf(finding: LocatedFinding, tag: TestOutcome["tag"] | undefined): readonly OperationCase[] {
  if (tag === undefined) return [];
  const details = [sourceOf(finding), finding.curl ?? ""];
  const outcome = { tag, title: finding.kind, sentence: sentenceOf(finding), details };
  return finding.operations.flatMap(({ generation, operation, checks }) =>
    checks.map((check) => {
      const name = tag === "skipped" ? check : `${check}: ${finding.message}`;
      return { owner: `${generation} ${operation}`, name, check, seconds: 0, outcome };
    }),
  );
}

/** The element for a kind of finding. `undefined` if the check passes with it. */
function tagOf(
  kind: LocatedFinding["kind"],
  failing: readonly LocatedFinding["kind"][],
): TestOutcome["tag"] | undefined {
  if (kind === "server error") return "error";
  if (failing.includes(kind)) return "failure";
  return kind === "untested" ? "skipped" : undefined;
}

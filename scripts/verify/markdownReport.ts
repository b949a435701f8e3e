import { countOf } from "../contract/text.ts";
import { bulletList, folded, inlineText, withPointers, type CommentItem } from "../report/markdown.ts";
import { codeOf } from "../report/phrase.ts";
import { byRequest, countedSentenceOf, otherOperations, relate, sourceOf, untestedByReason } from "./findingText.ts";
import type { LocatedFinding, Related } from "./findingText.ts";
import { verdictLine, type RunVerdict } from "./verdict.ts";

/** A comment with the verdict as its heading. Gaps and untested operations are folded. */
export function markdownReport(findings: readonly LocatedFinding[], verdict: RunVerdict): string {
  const { causes, coverage } = verdict;
  const gaps = findings.filter(({ kind }) => kind === "gap");
  const others = findings.filter(({ kind }) => kind !== "gap");
  const untested = untestedByReason(findings).map(({ line, operations }) =>
    folded(line, bulletList(operations.map((one) => ({ text: [codeOf(one)] })))),
  );
  return [
    `### ${inlineText([verdictLine(verdict)])}`,
    ...(causes.length === 0 ? [] : [bulletList(causes.map((one) => ({ text: [one] })))]),
    ...relate(others).map(itemOf),
    ...(gaps.length === 0 ? [] : [folded(countOf(gaps.length, "gap"), relate(gaps).map(itemOf).join("\n\n"))]),
    ...untested,
    ...coverage.map((one) => inlineText([one])),
  ].join("\n\n");
}

function itemOf(related: Related): string {
  const [{ kind, generation, operation }] = related;
  const others = otherOperations(related).map((one): CommentItem => ({ text: ["also: ", codeOf(one)] }));
  const items = byRequest(related).flatMap(([curl, findings]) =>
    findings.map((one, index): CommentItem => {
      const text = [...withPointers(countedSentenceOf(one)), ": ", codeOf(sourceOf(one))];
      return { text, ...(curl !== "" && index === findings.length - 1 && { command: curl }) };
    }),
  );
  return bulletList([{ text: [{ strong: kind }, ` ${generation} `, codeOf(operation)], items: [...others, ...items] }]);
}

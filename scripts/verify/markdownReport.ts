import { countOf } from "../contract/text.ts";
import { bulletList, folded, inlineText, withPointers, type CommentItem } from "../report/markdown.ts";
import { codeOf } from "../report/phrase.ts";
import { byRequest, countedSentenceOf, otherOperations, relate, sourceOf, untestedByReason } from "./findingText.ts";
import type { LocatedFinding, Related } from "./findingText.ts";
import { verdictLine, type RunVerdict } from "./verdict.ts";

/** A comment with the verdict as its heading. Gaps and untested operations are folded. */
export function markdownReport(findings: readonly LocatedFinding[], verdict: RunVerdict): string {
  const gaps = findings.filter(({ kind }) => kind === "gap");
  const others = findings.filter(({ kind }) => kind !== "gap");
  const parts = [`### ${inlineText([verdictLine(verdict)])}`];
  if (verdict.causes.length > 0) parts.push(bulletList(verdict.causes.map((one) => ({ text: [one] }))));
  parts.push(...relate(others).map(itemOf));
  if (gaps.length > 0) parts.push(folded(countOf(gaps.length, "gap"), relate(gaps).map(itemOf).join("\n\n")));
  for (const { line, operations } of untestedByReason(findings))
    parts.push(folded(line, bulletList(operations.map((one) => ({ text: [codeOf(one)] })))));
  parts.push(...verdict.coverage.map((one) => inlineText([one])));
  return parts.join("\n\n");
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

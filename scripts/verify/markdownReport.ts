import { codeFence, codeSpan, escapeComment as escape } from "../contract/escapeMarkdown.ts";
import { countOf } from "../contract/text.ts";
import { byRequest, countedSentenceOf, otherOperations, relate, sourceOf, untestedByReason } from "./findingText.ts";
import type { LocatedFinding, Related, UntestedOperations } from "./findingText.ts";
import { verdictLine, type RunVerdict } from "./verdict.ts";

/** A comment with the verdict as its heading. Gaps and untested operations are folded. */
export function markdownReport(findings: readonly LocatedFinding[], verdict: RunVerdict): string {
  const { causes, coverage } = verdict;
  const isGap = ({ kind }: LocatedFinding) => kind === "gap";
  const gaps = relate(findings.filter(isGap)).map(itemOf);
  const others = relate(findings.filter((one) => !isGap(one))).map(itemOf);
  const count = countOf(findings.filter(isGap).length, "gap");
  const parts = [`### ${escape(verdictLine(verdict))}`, ...listed(causes.map(escape)), ...others];
  if (gaps.length > 0) parts.push(folded(count, gaps.join("\n\n")));
  parts.push(...untestedByReason(findings).map(untestedOf), ...coverage.map(escape));
  return parts.join("\n\n");
}

function listed(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [lines.map((line) => `- ${line}`).join("\n")];
}

/** GitHub renders Markdown in HTML only after an empty line. */
function folded(title: string, content: string): string {
  return `<details>\n<summary>${escape(title)}</summary>\n\n${content}\n\n</details>`;
}

function itemOf(related: Related): string {
  const [{ kind, generation, operation }] = related;
  const others = otherOperations(related).map((one) => `  - also: ${codeSpan(one)}`);
  const parts = byRequest(related).map(([curl, findings]) => {
    const lines = findings.map((one) => `  - ${withCode(countedSentenceOf(one))}: ${codeSpan(sourceOf(one))}`);
    return [...lines, ...(curl === "" ? [] : [fenced(curl, "sh")])].join("\n");
  });
  return [`- **${kind}** ${generation} ${codeSpan(operation)}`, ...others, ...parts].join("\n");
}

function untestedOf({ line, operations }: UntestedOperations): string {
  return folded(line, operations.map((one) => `- ${codeSpan(one)}`).join("\n"));
}

/** A fenced block in an item of an inner list. */
function fenced(text: string, language: string): string {
  const fence = codeFence(text, "```");
  return [`${fence}${language}`, ...text.split("\n"), fence].map((line) => `    ${line}`).join("\n");
}

/** A sentence with its JSON Pointers as code. Everything else is text. */
function withCode(sentence: string): string {
  return sentence
    .split(" ")
    .map((word) => (word.startsWith("/") ? codeSpan(word) : escape(word)))
    .join(" ");
}

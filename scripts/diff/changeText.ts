import { codeSpan } from "../contract/escapeMarkdown.ts";
import { onOneLine } from "../contract/text.ts";
import { describePlace } from "../contract/gaps.ts";
import type { Deprecation, Difference, GapChange, Subject } from "./changes.ts";

/** A change in words. Its subject can be replaced. */
export function changeMessage({ fact, subject: own }: Difference, subject: Subject = own): string {
  switch (fact.type) {
    case "sentence":
      return introductionOf(subject) + fact.text;
    case "sunset":
      return sunsetText(subjectText(subject), fact.day, fact.former);
    case "deprecation":
      return deprecationText(subjectText(subject), fact);
  }
}

/** The operation in the message on a change. `undefined` if it names none. */
export function namedOperation({ fact, subject }: Difference): string | undefined {
  if (subject.type !== "operation") return undefined;
  return fact.type !== "sentence" || fact.isNamed === true ? subject.name : undefined;
}

/** A subject for the beginning of a sentence. */
function subjectText(subject: Subject): string {
  if (subject.type === "generation") return "The generation";
  if (subject.type === "every operation") return "Every operation";
  const isPart = subject.type === "place" && subject.part !== "";
  return isPart ? `The ${subject.part} \`${subject.name}\`` : `\`${subject.name}\``;
}

/** The introduction of a sentence about a part of an operation, or about a schema. */
function introductionOf(subject: Subject): string {
  return subject.type === "place" ? `${describePlace(subject)}: ` : "";
}

function sunsetText(subject: string, day?: string, former?: string): string {
  if (day === undefined) return `${subject} is no longer due to be removed.`;
  return `${subject} will be removed on ${day}${former === undefined ? "" : `, not on ${former}`}.`;
}

function deprecationText(subject: string, { isDeprecated, since, sunset }: Deprecation): string {
  if (!isDeprecated) return `${subject} is no longer deprecated.`;
  const beginning = since === undefined ? "" : ` as of ${since}`;
  const end = sunset === undefined ? "" : `, and will be removed on ${sunset}`;
  return `${subject} is deprecated${beginning}${end}.`;
}

export function gapsText({ closed, opened }: GapChange): string {
  const sentences = [];
  if (closed.length > 0) sentences.push(`Now specified: ${closed.join(", ")}.`);
  if (opened.length > 0) sentences.push(`No longer specified: ${opened.join(", ")}.`);
  return sentences.join(" ");
}

/** Fields whose changes are reported without their values, with their names in words where these differ. */
const prose: Readonly<Record<string, string>> = { value: "example", externalDocs: "external documentation" };

/** Says that a text, an example or a similar field was added, removed or changed. */
export function proseText(field: string, before: unknown, after: unknown): string {
  const has = ["examples", "links"].includes(field) ? "were" : "was";
  const kind = kindOf(before, after);
  return `The ${prose[field] ?? field} ${kind === "changed" ? kind : `${has} ${kind}`}.`;
}

/** Whether a value was added, removed or changed. */
export function kindOf(before: unknown, after: unknown): "added" | "removed" | "changed" {
  if (before === undefined) return "added";
  return after === undefined ? "removed" : "changed";
}

/** The verb for a change: `was added`, `was removed` or `changed`. */
export function verbOf(kind: ReturnType<typeof kindOf>): string {
  return kind === "changed" ? kind : `was ${kind}`;
}

/** Says that a field was added, removed or changed, with its values. */
export function fieldText(field: string, before: unknown, after: unknown): string {
  if (after === undefined) return `\`${field}\` was removed.`;
  if (before === undefined) return `\`${field}\` was set to ${quote(after, true)}.`;
  const isSameType = typeof before === typeof after;
  const [from, to] = [quote(before, isSameType), quote(after, isSameType)];
  // If long values differ only at the end, the difference isn't shown.
  return `\`${field}\` changed${from === to ? "" : ` from ${from} to ${to}`}.`;
}

/** Values in words: `'a', 'b', 3`. */
export function valueList(values: readonly unknown[]): string {
  return values.map((value) => (typeof value === "string" ? `'${value}'` : JSON.stringify(value))).join(", ");
}

/** Names in words, as code. */
export function codeList(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

/** A value as a code span. A string is written as JSON unless it is plain. */
function quote(value: unknown, isPlain: boolean): string {
  const text = typeof value === "string" && isPlain ? value : JSON.stringify(value);
  const line = onOneLine(text);
  return codeSpan(line.length > 60 ? `${line.slice(0, 60)}…` : line);
}

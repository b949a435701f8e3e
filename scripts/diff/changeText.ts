import { isDeepStrictEqual } from "node:util";
import { describePlace } from "../contract/gaps.ts";
import { sentenceOn } from "./breakageText.ts";
import type { Deprecation, Difference, Fact, FieldFact, GapChange, Subject } from "./changes.ts";
import type { ToolChange } from "./runRedoclyDiff.ts";

/** A change in words, which may be said of another subject than its own. */
export function changeMessage(
  { fact, kind, generation, rule, subject: own }: Difference,
  subject: Subject = own,
): string {
  switch (fact.type) {
    case "existence":
      return `The generation ${generation} was ${kind}.`;
    case "path parameters":
      return `The path parameters of \`${fact.former}\` have other names: \`${fact.path}\`.`;
    case "success status":
      return `The success status code, so far 2XX, is ${fact.status}.`;
    case "sunset":
      return sunsetText(subjectText(subject), fact.day, fact.former);
    case "deprecation":
      return deprecationText(subjectText(subject), fact);
    case "gaps":
      return introductionOf(subject) + gapsText(fact.gaps);
    case "field":
      return introductionOf(subject) + (credentialsText(fact) ?? sentenceOn(rule, fact) ?? fieldText(fact));
  }
}

/** The operation that the message on a change names; `undefined` if it names none. */
export function namedOperation({ fact, rule, subject }: Difference): string | undefined {
  if (subject.type !== "operation") return undefined;
  const isSubject = fact.type === "sunset" || fact.type === "deprecation";
  const isInSentence = rule === "operation-removed" || (rule === "operation-id-changed" && isUnset(fact));
  return isSubject || isInSentence ? subject.name : undefined;
}

function isUnset(fact: Fact): boolean {
  return fact.type === "field" && fact.change.after === undefined;
}

/** A subject, as sentences begin with it. */
function subjectText(subject: Subject): string {
  if (subject.type === "generation") return "The generation";
  if (subject.type === "every operation") return "Every operation";
  const isPart = subject.type === "place" && subject.part !== "";
  return isPart ? `The ${subject.part} \`${subject.name}\`` : `\`${subject.name}\``;
}

/** What stands before a sentence on a part of an operation, or on a schema. */
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

function gapsText({ closed, opened }: GapChange): string {
  const sentences = [];
  if (closed.length > 0) sentences.push(`Is specified now: ${closed.join(", ")}.`);
  if (opened.length > 0) sentences.push(`Is no longer specified: ${opened.join(", ")}.`);
  return sentences.join(" ");
}

/** Says what becomes of the alternative that needs no credentials, if the change is about that. */
function credentialsText({ change: { typeName, kind, before, after } }: FieldFact): string | undefined {
  const isEmpty = isDeepStrictEqual(before, {}) || isDeepStrictEqual(after, {});
  if (typeName !== "SecurityRequirement" || !isEmpty) return undefined;
  return `Credentials are now ${kind === "removed" ? "required" : "optional"}.`;
}

/** Fields of which only is told that they differ, and what they are called. */
const prose = new Map([
  ["description", "description"],
  ["example", "example"],
  ["examples", "examples"],
  ["value", "example"],
]);

function fieldText({ change }: FieldFact): string {
  const { kind, property, typeName, before, after } = change;
  if (kind === "renamed") return `\`${String(before)}\` was renamed to \`${String(after)}\`.`;
  if (kind !== "modified") return `The ${nounOf(change)} was ${kind}.`;
  if (typeName === "SecurityRequirement" && after === undefined) return `\`${property}\` is no longer needed.`;
  const noun = prose.get(property);
  if (noun !== undefined) return `The ${noun} ${verbOf(change)}.`;
  if (after === undefined) return `\`${property}\` was removed.`;
  if (before === undefined) return `\`${property}\` was set to ${quote(after, true)}.`;
  const isSameType = typeof before === typeof after;
  const [from, to] = [quote(before, isSameType), quote(after, isSameType)];
  // Where only the end of long values differs, it isn't shown.
  return `\`${property}\` changed${from === to ? "" : ` from ${from} to ${to}`}.`;
}

function verbOf({ before, after }: ToolChange): string {
  if (before === undefined) return "was added";
  return after === undefined ? "was removed" : "changed";
}

/** Redocly's name of what was added or removed, in words: `security requirement` for `SecurityRequirement`. */
function nounOf({ keys, typeName }: ToolChange): string {
  if (keys.at(-2) === "properties") return "field";
  return (typeName === "PathItem" ? "Path" : typeName).replaceAll(/\B[A-Z]/g, " $&").toLowerCase();
}

/** A value as code in Markdown, whatever backticks it has. A string is written as JSON only if it isn't plain. */
function quote(value: unknown, isPlain: boolean): string {
  const text = typeof value === "string" && isPlain ? value : JSON.stringify(value);
  const line = text.split(/\s+/).join(" ");
  const short = line.length > 60 ? `${line.slice(0, 60)}…` : line;
  const longest = Math.max(0, ...(short.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? fence + short + fence : `${fence} ${short} ${fence}`;
}

import { getCodeframe, getLineColLocation, lintDocument } from "@redocly/openapi-core";
import type { BaseResolver, Document, LocationObject, NormalizedProblem, YamlParseError } from "@redocly/openapi-core";
import { relative, sep } from "node:path";
import { UserError } from "../contract/failures.ts";
import { compareText, countOf, groupBy } from "../contract/text.ts";
import { readSourceFile, targetOf } from "../redocly/sourceFiles.ts";
import { jsonPointer, pointerKeys, valueAt } from "../spec/json.ts";
import { methods } from "../spec/openapi.ts";
import { indent } from "../samples/javaScriptText.ts";

/** A problem in a source file, with all that its author needs to correct it. */
export interface LintProblem extends SourcePlace {
  readonly severity: "error" | "warn";
  /** The rule that it breaks. */
  readonly rule: string;
  /** What is wrong. */
  readonly message: string;
  /** What to do about it. */
  readonly suggestion: string | undefined;
}

/** A place in a source file. */
interface SourcePlace {
  /** The absolute path; empty if the problem is in no file. */
  readonly file: string;
  /** Both begin with 1. */
  readonly line: number;
  readonly column: number;
  /** The lines around it, without colour. */
  readonly codeFrame: string;
}

const matchExample = "Change the example or its schema so that they match.";

/** Suggestions for problems whose message says what is wrong, but not what to do about it. */
const adviceOnMessages: readonly (readonly [part: string, advice: string])[] = [
  ["Property `nullable` is not", 'OpenAPI 3.1 has `null` among the types: `type: [string, "null"]`.'],
  ["Property `$ref` is not", "Write the reference in quotes: without them, `#` begins a comment."],
  ["Example validation errored", "Correct the schema: no example can be checked against it."],
  ["duplicated mapping key", "Keep one of the two, or rename it."],
  ["not valid YAML", "Check the indentation, quotes and brackets of this line and of the one before it."],
];

/** Suggestions for problems whose message gives none. Those of other rules are in their messages, or on their pages. */
const advice: Readonly<Record<string, string>> = {
  "component-name-unique": "Rename one of the two, or define it once, in a file that both places refer to.",
  "no-unresolved-refs": "Correct the $ref, or add what it points to.",
  "no-invalid-media-type-examples": matchExample,
  "no-invalid-parameter-examples": matchExample,
  "no-invalid-schema-examples": matchExample,
  "no-schema-type-mismatch": "Change the type, or remove the keyword.",
};

/** Reads the root of a description. Rejects with Redocly's error if it cannot be read or parsed. */
export async function readDocument(resolver: BaseResolver, file: string): Promise<Document> {
  const document = await resolver.resolveDocument(null, file, true);
  if (document instanceof Error) throw document;
  return document;
}

/** Lints a document by Redocly's rules and ours. */
export async function lint(options: Parameters<typeof lintDocument>[0]): Promise<LintProblem[]> {
  const problems = await lintDocument(options);
  return problems.filter(({ ignored }) => ignored !== true).map(fromRedocly);
}

/** A problem as lint or the bundler of @redocly/openapi-core reports it. */
export function fromRedocly(problem: NormalizedProblem): LintProblem {
  const { severity, location, ruleId: rule, message, suggest, reference } = problem;
  const [similar] = suggest;
  const general = advice[rule] ?? (reference === undefined ? undefined : `See ${reference}`);
  const suggestion = adviceOn(message) ?? (similar === undefined ? general : `Did you mean: ${similar}?`);
  return { severity, ...placeOf(location[0]), rule, message: withTarget(message, location[0]), suggestion };
}

/** Redocly's message with relative paths, and with where a wrong reference leads: all that lead there are reported as one. */
function withTarget(message: string, location: LocationObject | undefined): string {
  if (message !== "Can't resolve $ref" || location?.pointer === undefined) {
    return message.replaceAll(process.cwd() + sep, "");
  }
  const file = location.source.absoluteRef;
  const reference = valueAt(readSourceFile(file).content, [...pointerKeys(location.pointer), "$ref"]);
  const target = targetOf(file, String(reference));
  if (target === undefined) return message;
  return `Can't resolve $ref: nothing is at ${relative(process.cwd(), target.file)}#${jsonPointer(target.keys)}.`;
}

/** A suggestion for a message that calls for one of its own. */
function adviceOn(message: string): string | undefined {
  const method = methods.find((name) => message.toLowerCase() === `property \`${name}\` is not expected here.`);
  if (method !== undefined) return `Did you mean: ${method}?`;
  return adviceOnMessages.find(([part]) => message.includes(part))?.[1];
}

/** A file that is not YAML. */
export function fromYamlError({ source, message, line, col }: YamlParseError): LintProblem {
  const start = Number.isNaN(line) ? { line: 1, col: 1 } : { line, col };
  const text = `This is not valid YAML: ${message.replace(/ in "[^"]*"| \(\d+:\d+\)$/g, "")}`;
  return errorAt({ source, pointer: undefined, start }, "yaml", text, adviceOn(text) ?? "");
}

/** An error at a place in a source file; without a place, it has no file. */
export function errorAt(
  location: LocationObject | undefined,
  rule: string,
  message: string,
  suggestion: string,
): LintProblem {
  return { severity: "error", ...placeOf(location), rule, message, suggestion };
}

function placeOf(location: LocationObject | undefined): SourcePlace {
  if (location === undefined) return { file: "", line: 1, column: 1, codeFrame: "" };
  const place = getLineColLocation(location);
  const { line, col: column } = place.start;
  return { file: place.source.absoluteRef, line, column, codeFrame: getCodeframe(place, false) };
}

/** The same problems in the order of their places, each of them once. */
export function sortProblems(problems: readonly LintProblem[]): LintProblem[] {
  const identity = (one: LintProblem) => [one.file, one.line, one.column, one.rule, one.message].join("\n");
  const unique = new Map(problems.map((problem) => [identity(problem), problem]));
  return [...unique.values()].sort(
    (a, b) => compareText(a.file, b.file) || a.line - b.line || a.column - b.column || compareText(a.rule, b.rule),
  );
}

export function hasErrors(problems: readonly LintProblem[]): boolean {
  return problems.some(({ severity }) => severity === "error");
}

/** Problems that say the same of several places, together. */
function groupAlike(problems: readonly LintProblem[]) {
  const saying = ({ severity, rule, message, suggestion }: LintProblem) =>
    [severity, rule, message, suggestion].join("\n");
  return [...groupBy(problems, saying).values()];
}

function placeText({ file, line, column }: LintProblem): string {
  return `${relative(process.cwd(), file)}:${line}:${column}`;
}

/** Problems as text for people. What is said of several places is said once, at the first. */
export function formatProblems(problems: readonly LintProblem[]): string {
  const texts = groupAlike(problems).flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { severity, rule, message, suggestion, codeFrame } = first;
    const kind = severity === "error" ? "error" : "warning";
    const elsewhere = [`The same at ${countOf(others.length, "other place")}:`, ...others.map(placeText)];
    const lines = [
      ...(suggestion === undefined ? [message] : [message, suggestion]),
      ...(codeFrame === "" ? [] : ["", codeFrame]),
      ...(others.length === 0 ? [] : ["", ...elsewhere]),
    ];
    return [`${placeText(first)}: ${kind} (${rule})\n${indent(lines.join("\n"))}`];
  });
  return texts.join("\n\n");
}

/** Throws {@link UserError} with the text of all problems if one of them is an error; otherwise, it returns that text. */
export function refuseErrors(problems: readonly LintProblem[], where: string): string {
  const sorted = sortProblems(problems);
  const text = formatProblems(sorted);
  const errors = groupAlike(sorted.filter(({ severity }) => severity === "error")).length;
  if (errors > 0) throw new UserError(`${countOf(errors, "mistake")} in ${where}\n\n${text}`);
  return text;
}

import {
  getCodeframe,
  getLineColLocation,
  type LocationObject,
  type NormalizedProblem,
  type YamlParseError,
} from "@redocly/openapi-core";
import { relative } from "node:path";
import { compareText } from "../contract/text.ts";
import { methods } from "../spec/openapi.ts";
import { indent } from "../samples/javaScriptText.ts";

/** A problem in a source file, with all that its author needs to correct it. */
export type LintProblem = Readonly<ReturnType<typeof fromRedocly>>;

const matchExample = "Change the example or its schema so that they match.";

/** Suggestions for problems whose message gives none. Those of other rules are in their messages, or on their pages. */
const advice: Readonly<Record<string, string>> = {
  "no-unresolved-refs": "Correct the $ref, or add what it points to.",
  "no-invalid-media-type-examples": matchExample,
  "no-invalid-parameter-examples": matchExample,
  "no-invalid-schema-examples": matchExample,
  "no-schema-type-mismatch": "Change the type, or remove the keyword.",
};

/** A problem as lint or the bundler of @redocly/openapi-core reports it. */
export function fromRedocly({ severity, location, ruleId: rule, message, suggest, reference }: NormalizedProblem) {
  const [similar] = suggest;
  const general = adviceOnField(message) ?? advice[rule] ?? (reference === undefined ? undefined : `See ${reference}`);
  const suggestion = similar === undefined ? general : `Did you mean: ${similar}?`;
  return { severity, ...placeOf(location[0]), rule, message, suggestion };
}

/** A suggestion for a field that is not expected in OpenAPI 3.1; `undefined` if it needs none. */
function adviceOnField(message: string): string | undefined {
  const [, field = ""] = /^Property `(.+)` is not expected here\.$/.exec(message) ?? [];
  if (methods.some((method) => method === field.toLowerCase())) return `Did you mean: ${field.toLowerCase()}?`;
  return field === "nullable" ? 'OpenAPI 3.1 has `null` among the types: `type: [string, "null"]`.' : undefined;
}

/** A file that is not YAML. */
export function fromYamlError({ source, message, line, col }: YamlParseError): LintProblem {
  const start = Number.isNaN(line) ? { line: 1, col: 1 } : { line, col };
  const text = `This is not valid YAML: ${message.replace(/ in "[^"]*"| \(\d+:\d+\)$/g, "")}`;
  const suggestion = "Check the indentation, quotes and brackets of this line and of the one before it.";
  return errorAt({ source, pointer: undefined, start }, "yaml", text, suggestion);
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

/** A place in a source file, whose path is absolute, with the lines around it, without colour. */
function placeOf(location: LocationObject | undefined) {
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

/** Problems as text for people, with paths relative to the current folder; without a line break at the end. */
export function formatProblems(problems: readonly LintProblem[]): string {
  const texts = problems.map(({ file, line, column, severity, rule, message, suggestion, codeFrame }) => {
    const kind = severity === "error" ? "error" : "warning";
    const parts = [message, suggestion, ...(codeFrame === "" ? [] : ["", codeFrame])];
    const text = parts.filter((part) => part !== undefined).join("\n");
    return `${relative(process.cwd(), file)}:${line}:${column}: ${kind} (${rule})\n${indent(text)}`;
  });
  return texts.join("\n\n");
}

import {
  getCodeframe,
  getLineColLocation,
  type LocationObject,
  type NormalizedProblem,
  type YamlParseError,
} from "@redocly/openapi-core";
import { relative } from "node:path";

/** Something wrong with a source file, with what its author needs to mend it. */
export interface Problem {
  readonly severity: "error" | "warn";
  /** Absolute path. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** The lint rule, or the step of the pipeline, that found it. */
  readonly rule: string;
  readonly message: string;
  /** What to do about it. */
  readonly suggestion: string | undefined;
  /** The lines around the place, with line numbers; without colour. Empty where no file could be read. */
  readonly codeFrame: string;
}

/** What to do about a problem whose message only says what is wrong. Other rules' messages, or their pages, say it. */
const advice: Readonly<Record<string, string>> = {
  "no-unresolved-refs": "Correct the $ref, or add what it points to.",
  "no-invalid-media-type-examples": "Change the example or its schema, so that the one fits the other.",
  "no-invalid-parameter-examples": "Change the example or its schema, so that the one fits the other.",
  "no-invalid-schema-examples": "Change the example or its schema, so that the one fits the other.",
  "no-schema-type-mismatch": "Change the type, or take the keyword away.",
};

/** A problem as lint or the bundler of @redocly/openapi-core reports it. */
export function fromRedocly({ severity, location, ruleId, message, suggest, reference }: NormalizedProblem): Problem {
  const [where] = location;
  const [similar] = suggest;
  const suggestion =
    similar === undefined
      ? (advice[ruleId] ?? (reference === undefined ? undefined : `See ${reference}`))
      : `Did you mean: ${similar}?`;
  return where === undefined
    ? { severity, file: "", line: 1, column: 1, rule: ruleId, message, suggestion, codeFrame: "" }
    : { severity, ...placeOf(where), rule: ruleId, message, suggestion };
}

/** A file that is not YAML. */
export function fromYamlError({ source, message, line, col }: YamlParseError): Problem {
  const start = Number.isNaN(line) ? { line: 1, col: 1 } : { line, col };
  return {
    severity: "error",
    ...placeOf({ source, pointer: undefined, start }),
    rule: "yaml",
    message: `This is not valid YAML: ${message.replace(/ in "[^"]*"| \(\d+:\d+\)$/g, "")}`,
    suggestion: "Look at the indentation, quotes and brackets of this line and of the one before it.",
  };
}

/** The file, line and column of a place in a source file, and the lines around it. */
export function placeOf(location: LocationObject): Pick<Problem, "file" | "line" | "column" | "codeFrame"> {
  const place = getLineColLocation(location);
  return {
    file: place.source.absoluteRef,
    line: place.start.line,
    column: place.start.col,
    codeFrame: getCodeframe(place, false),
  };
}

/** The same problems in the order of their places, each of them once. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  const unique = new Map(
    problems.map((problem) => [
      [problem.file, problem.line, problem.column, problem.rule, problem.message].join("\n"),
      problem,
    ]),
  );
  return [...unique.values()].sort(
    (a, b) => compareText(a.file, b.file) || a.line - b.line || a.column - b.column || compareText(a.rule, b.rule),
  );
}

/** A problem as text of several lines, the file's path relative to `directory`; without a line break at the end. */
export function formatProblem(problem: Problem, directory: string): string {
  const { file, line, column, severity, rule, message, suggestion, codeFrame } = problem;
  return [
    `${relative(directory, file)}:${line}:${column}: ${severity === "error" ? "error" : "warning"} (${rule})`,
    ...indent(message),
    ...(suggestion === undefined ? [] : indent(suggestion)),
    ...(codeFrame === "" ? [] : ["", ...indent(codeFrame)]),
  ].join("\n");
}

/** Compares by code units, so the order is the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function indent(text: string): string[] {
  return text.split("\n").map((line) => (line === "" ? "" : `  ${line}`));
}

import { getCodeframe, getLineColLocation, lintDocument } from "@redocly/openapi-core";
import type { BaseResolver, Document, LocationObject, NormalizedProblem, Source } from "@redocly/openapi-core";
import { adviceOnKeyword } from "../redocly/rules/schemaRules.ts";
import { readSourceFile } from "../redocly/sourceFiles.ts";
import { jsonPointer, pointerKeys, valueAt } from "../values/json.ts";
import {
  adviceOnMessage,
  hasReason,
  listsValues,
  readMessage,
  shownMessage,
  type MessageFacts,
} from "./foreignMessages.ts";
import { adviceOnRules } from "./lintAdvice.ts";
import { describeMissing } from "./missingTarget.ts";

/** A problem in a source file, with everything its author needs to fix it. */
export interface LintProblem extends SourcePlace {
  readonly severity: "error" | "warn";
  /** The violated rule. */
  readonly rule: string;
  /** The problem in words. */
  readonly message: string;
  /** The solution in words. */
  readonly suggestion: string | undefined;
  /** What the message says. Absent if the problem isn't one of Redocly's lint or bundler. */
  readonly facts?: MessageFacts;
}

/** A place in a source file. */
interface SourcePlace {
  /** The absolute path. Empty if the problem isn't in a file. */
  readonly file: string;
  /** JSON Pointer of the value in the file. Empty for the whole file or its text. */
  readonly pointer: string;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
  /** The surrounding lines, without color. */
  readonly codeFrame: string;
}

/** Reads the root of a description. Rejects with Redocly's error if it can't be read or parsed. */
export async function readDocument(resolver: BaseResolver, file: string): Promise<Document> {
  const document = await resolver.resolveDocument(null, file, true);
  if (document instanceof Error) throw document;
  return document;
}

/** Lints a document with Redocly's rules and ours. */
export async function lint(options: Parameters<typeof lintDocument>[0]): Promise<LintProblem[]> {
  const problems = await lintDocument(options);
  return problems.filter(({ ignored }) => ignored !== true).map(fromRedocly);
}

/** A problem as lint or the bundler of @redocly/openapi-core reports it. */
export function fromRedocly(problem: NormalizedProblem): LintProblem {
  const { severity, location, ruleId: rule, message, suggest, reference } = problem;
  const [place] = location;
  const facts = readMessage(rule, message, suggest);
  const missing = facts.topic === "unresolved" ? describeMissing(place, hasReason(message)) : undefined;
  if (missing !== undefined) return { severity, ...placeOf(missing.location), rule, ...missing.words };
  const { similar } = facts;
  const keys = pointerKeys(place?.pointer ?? "");
  const suggestion =
    adviceOnMessage(message, keys) ??
    adviceOnForm(rule, place, keys) ??
    (similar && `Did you mean: ${similar}?`) ??
    (listsValues(message) ? "Write one of these values." : adviceOnRules[rule]) ??
    (reference && `See ${reference}`);
  return { severity, ...placeOf(place), rule, message: shownMessage(message), suggestion, facts };
}

/** The suggestion for a malformed value of a keyword. */
function adviceOnForm(rule: string, place: LocationObject | undefined, keys: readonly string[]): string | undefined {
  if (place === undefined || (rule !== "house/schema-keywords" && rule !== "build/ignored-keyword")) return undefined;
  return adviceOnKeyword(keys.at(-1) ?? "", valueAt(readSourceFile(place.source.absoluteRef).content, keys));
}

/** An error at a place in a source file. Without a place, it has no file. */
export function errorAt(
  location: LocationObject | undefined,
  rule: string,
  message: string,
  suggestion: string,
): LintProblem {
  return { severity: "error", ...placeOf(location), rule, message, suggestion };
}

/** A place in a text that has no JSON Pointer. */
export function placeAt(source: Source, line = 1, col = 1): LocationObject {
  return { source, pointer: undefined, start: { line, col } };
}

function placeOf(location: LocationObject | undefined): SourcePlace {
  if (location === undefined) return { file: "", pointer: "", line: 1, column: 1, codeFrame: "" };
  const place = getLineColLocation(location);
  const { line, col: column } = place.start;
  const pointer = jsonPointer(pointerKeys(location.pointer ?? ""));
  const codeFrame = place.source.body.trim() === "" ? "" : getCodeframe(place, false);
  return { file: place.source.absoluteRef, pointer, line, column, codeFrame };
}

/** Nothing reads an unknown field, so it can't mislead the steps that rely on the structure of a description. */
export function asWarning(problem: LintProblem): LintProblem {
  const isUnknownField = problem.rule === "struct" && problem.facts?.topic === "unknown field";
  return isUnknownField ? { ...problem, severity: "warn" } : problem;
}

export function hasErrors(problems: readonly LintProblem[]): boolean {
  return problems.some(({ severity }) => severity === "error");
}

import { distance } from "fastest-levenshtein";
import type { Operation } from "../../contract/generation.ts";
import { listInWords } from "../../contract/text.ts";
import type { Target } from "../../exchange/requestTarget.ts";
import { methodOf, type PathSuggestion } from "../../exchange/unknownOperation.ts";
import { pathParameters } from "../../spec/pathTemplate.ts";

/**
 * Suggests the most similar path. For the root path, which people try first, lists the first segments of all
 * paths.
 */
export function suggestPath(operations: readonly Operation[], { segments }: Target): PathSuggestion {
  const templates = [...new Set(operations.map((operation) => operation.path))];
  const beginnings = [...new Set(templates.map(firstSegmentOf))];
  if (segments.every((segment) => segment === "") && beginnings.length > 0 && beginnings.length <= 5) {
    const hint = ` The paths of operations begin with ${listInWords(beginnings, "disjunction")}.`;
    return { hint, expected: beginnings };
  }
  const compared = segments.slice(0, comparedLength);
  const distances = templates.map((template) => distanceBetween(compared, template.slice(1).split("/")));
  const nearest = templates[distances.indexOf(Math.min(...distances))];
  if (nearest === undefined) return { hint: "", expected: [] };
  const methods = operations.filter((operation) => operation.path === nearest).map(methodOf);
  return { hint: ` The most similar path is ${nearest} (${methods.join(", ")}).`, expected: nearest };
}

/** The first segment of a path, such as `/teams` of `/teams/{teamId}`. */
function firstSegmentOf(path: string): string {
  const end = path.indexOf("/", 1);
  return end === -1 ? path : path.slice(0, end);
}

/** Returns whether a path segment consists of a single parameter. */
function isParameter(segment: string): boolean {
  const [name] = pathParameters(segment);
  return name !== undefined && segment === `{${name}}`;
}

/** In characters. Only the beginnings of longer paths are compared, so that every request is fast. */
const comparedLength = 200;

/** The number of edits between a path and a template that has the path's segments in place of its parameters. */
function distanceBetween(segments: readonly string[], template: readonly string[]): number {
  // The path may lack segments at its beginning or its end. It may also have extra ones, for example when the
  // base URL already has the first segment.
  const shifts = new Set([0, segments.length - template.length]);
  const distances = Array.from(shifts, (shift) => {
    const filled = template.map((part, index) => {
      const { [index + shift]: segment = "" } = segments;
      return isParameter(part) ? segment || "?" : part;
    });
    const [from = "", to = ""] = [segments, filled].map((list) => list.join("/").slice(0, comparedLength));
    return distance(from, to);
  });
  return Math.min(...distances);
}

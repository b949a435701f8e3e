import { distance } from "fastest-levenshtein";
import type { Operation } from "../../contract/generation.ts";
import { listInWords } from "../../contract/text.ts";
import { refusalOf, type Refusal } from "../../exchange/refusal.ts";
import { pathParameters } from "../../spec/pathTemplate.ts";
import { shorten } from "../../exchange/secrets.ts";
import type { Target } from "../../exchange/requestTarget.ts";

/** Refuses a path that no operation has, and suggests a similar one. */
export function refusePath(operations: readonly Operation[], { path, segments }: Target): Refusal {
  const received = shorten(path, 200);
  const { hint, expected } = similarPaths(operations, segments);
  const message = `No operation has the path ${received}.${hint}`;
  return refusalOf(404, { in: "path", message, ...(expected.length > 0 && { expected }), received });
}

/** Refuses a method that the path doesn't support. `others` are the operations of the path with other methods. */
export function refuseMethod(method: string, others: readonly Operation[]): Refusal {
  const expected = others.map(methodOf);
  const path = [...new Set(others.map((operation) => operation.path))].join(" and ");
  const received = shorten(method);
  const message = `${path} supports ${listInWords(expected)}, but not ${received}.`;
  return refusalOf(405, { in: "method", message, expected, received }, { allow: allowedMethods(expected) });
}

/** The value of an `Allow` header: the given methods, HEAD if there is GET, and OPTIONS. */
export function allowedMethods(methods: readonly string[]): string {
  return [...new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"])].join(", ");
}

export function methodOf({ method }: Operation): string {
  return method.toUpperCase();
}

/**
 * Suggests the most similar path. For the root path, which people try first, lists the first segments of all
 * paths.
 */
function similarPaths(operations: readonly Operation[], segments: readonly string[]) {
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

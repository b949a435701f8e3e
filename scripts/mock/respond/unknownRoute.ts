import { distance } from "fastest-levenshtein";
import type { Operation } from "../../contract/generation.ts";
import { listInWords } from "../../contract/text.ts";
import { refusalOf, type Refusal } from "../../exchange/refusal.ts";
import { pathParameters } from "../../spec/pathTemplate.ts";
import { shorten } from "../../exchange/secrets.ts";
import type { Target } from "../../exchange/requestTarget.ts";

/** Refuses a path that no operation has, and names one that it is like. */
export function refusePath(operations: readonly Operation[], { path, segments }: Target): Refusal {
  const received = shorten(path, 200);
  const { hint, expected } = similarPaths(operations, segments);
  const message = `No operation has the path ${received}.${hint}`;
  return refusalOf(404, { in: "path", message, ...(expected.length > 0 && { expected }), received });
}

/** Refuses a method that no operation with the path has. `others` are those with another one. */
export function refuseMethod(method: string, others: readonly Operation[]): Refusal {
  const expected = others.map(methodOf);
  const path = [...new Set(others.map((operation) => operation.path))].join(" and ");
  const received = shorten(method);
  const message = `${path} supports ${listInWords(expected)}, but not ${received}.`;
  return refusalOf(405, { in: "method", message, expected, received }, { allow: allowedMethods(expected) });
}

/** The value of an `Allow` header: some methods, with those that the mock adds, HEAD to GET, and OPTIONS. */
export function allowedMethods(methods: readonly string[]): string {
  return [...new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"])].join(", ");
}

export function methodOf({ method }: Operation): string {
  return method.toUpperCase();
}

/** The path that a path is most like; for the root, where a person looks first, what all paths begin with. */
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

/** The beginning of a path: `/teams` of `/teams/{teamId}`. */
function firstSegmentOf(path: string): string {
  const end = path.indexOf("/", 1);
  return end === -1 ? path : path.slice(0, end);
}

/** Tells whether a segment of a path is nothing but a parameter. */
function isParameter(segment: string): boolean {
  const [name] = pathParameters(segment);
  return name !== undefined && segment === `{${name}}`;
}

/** Longer paths are compared by their beginnings only, so that no request takes long. In characters. */
const comparedLength = 200;

/** The edits that turn a template, with the path's own segments in the places of its parameters, into the path. */
function distanceBetween(segments: readonly string[], template: readonly string[]): number {
  // Segments may be missing at the beginning of the path as well as at its end. There may also be more of them, as where a
  // base URL ends in what the path begins with.
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

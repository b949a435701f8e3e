import { distance } from "fastest-levenshtein";
import type { Generation } from "../../contract/generation.ts";
import { listInWords } from "../../values/text.ts";
import type { Target } from "../../exchange/requestTarget.ts";
import { methodOf, type PathSuggestion } from "../../exchange/unknownOperation.ts";
import { basePaths } from "../../spec/openapi.ts";
import { pathParameters } from "../../spec/pathTemplate.ts";

/**
 * Suggests the most similar path. For the root path, which people try first, lists the first segments of all
 * paths.
 */
export function suggestPath(generations: readonly Generation[], { segments }: Target): PathSuggestion {
  const operations = generations.flatMap((generation) => generation.operations);
  const templates = [...new Set(operations.map((operation) => operation.path))];
  const beginnings = [...new Set(templates.map((template) => template.split("/", 2).join("/")))];
  if (segments.every((segment) => segment === "") && beginnings.length > 0 && beginnings.length <= 5) {
    const hint = ` The paths of operations begin with ${listInWords(beginnings, "disjunction")}.`;
    return { hint, expected: beginnings };
  }
  const base = generations
    .flatMap(({ document }) => basePaths(document))
    .find((one) => `/${segments.join("/")}/`.startsWith(`${one}/`));
  const inside = segments.slice(base === undefined ? 0 : base.split("/").length - 1);
  const nearest = nearestTemplate(templates, inside);
  if (nearest === undefined) return { hint: "", expected: [] };
  const methods = operations.filter((operation) => operation.path === nearest).map(methodOf);
  const unserved = base === undefined ? "" : ` The server's base path ${base} isn't served here.`;
  return { hint: `${unserved} The most similar path is ${nearest} (${methods.join(", ")}).`, expected: nearest };
}

/** Only the beginnings of longer paths and segments are compared, so that every request is fast. */
const comparedSegments = 20;
const comparedLength = 50;

/** The path that needs the fewest changed, added and removed segments. */
function nearestTemplate(templates: readonly string[], segments: readonly string[]): string | undefined {
  const compared = segments.slice(0, comparedSegments).map((segment) => segment.slice(0, comparedLength));
  const distances = templates.map((template) => distanceBetween(compared, template.slice(1).split("/")));
  return templates[distances.indexOf(Math.min(...distances))];
}

/** The edit distance of segments (Levenshtein), where a similar segment counts for less than one. */
function distanceBetween(segments: readonly string[], template: readonly string[]): number {
  const literals = template.map((part) => (isParameter(part) ? undefined : part));
  let former = template.map((_, index) => index + 1);
  for (const [row, segment] of segments.entries()) {
    let left = row + 1;
    let diagonal = row;
    former = former.map((above, column) => {
      const changed = diagonal + changeOf(segment, literals[column]);
      diagonal = above;
      left = Math.min(above + 1, left + 1, changed);
      return left;
    });
  }
  return former.at(-1) ?? segments.length;
}

/** Returns whether a path segment consists of a single parameter. */
function isParameter(segment: string): boolean {
  const [name] = pathParameters(segment);
  return name !== undefined && segment === `{${name}}`;
}

/** From 0 for the same segment to 1 for another. Any segment may be the value of a parameter, which has no literal. */
function changeOf(segment: string, literal: string | undefined): number {
  if (literal === undefined) return segment === "" ? 1 : 0.3;
  const longest = Math.max(segment.length, literal.length, 1);
  // So many characters are missing at least.
  if (Math.abs(segment.length - literal.length) * 2 > longest) return 1;
  const share = distance(segment, literal) / longest;
  return share > 0.5 ? 1 : share;
}

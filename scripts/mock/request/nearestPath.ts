import { distance } from "fastest-levenshtein";

/** Longer paths are compared by their beginnings only, so that no request takes long. In characters. */
const comparedLength = 200;

/** The path template that a path, given as its segments, is most like; `undefined` if there are no templates. */
export function nearestPath(templates: ReadonlySet<string>, segments: readonly string[]): string | undefined {
  const paths = [...templates];
  const compared = segments.slice(0, comparedLength);
  const distances = paths.map((path) => distanceBetween(compared, path.slice(1).split("/")));
  return paths[distances.indexOf(Math.min(...distances))];
}

/** The edits that turn a template, with the path's own segments in the places of its parameters, into the path. */
function distanceBetween(segments: readonly string[], template: readonly string[]): number {
  // Segments may be missing at the beginning of the path as well as at its end. There may also be more of them, as where a
  // base URL ends in what the path begins with.
  const shifts = new Set([0, segments.length - template.length]);
  const distances = Array.from(shifts, (shift) => {
    const filled = template.map((part, index) => {
      const { [index + shift]: segment = "" } = segments;
      return !/^\{[^{}]+\}$/.test(part) ? part : segment === "" ? "?" : segment;
    });
    const [from = "", to = ""] = [segments, filled].map((list) => list.join("/").slice(0, comparedLength));
    return distance(from, to);
  });
  return Math.min(...distances);
}

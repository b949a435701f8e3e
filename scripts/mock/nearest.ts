import type { Route } from "./routes.ts";

/** Longer paths and segments are compared by their beginnings only, so that no request takes long. */
const comparedSegments = 24;
const comparedCharacters = 48;

/** The operations of the path template that a path resembles most; empty where there are no routes. */
export function nearestRoutes(routes: readonly Route[], segments: readonly string[]): readonly Route[] {
  const wanted = segments.slice(0, comparedSegments).map((segment) => segment.slice(0, comparedCharacters));
  const known = new Map<string, number>();
  let nearest: string | undefined;
  let smallest = Infinity;
  for (const path of new Set(routes.map((route) => route.path))) {
    const distance = editDistance(wanted, path.slice(1).split("/"), (segment, template) => {
      if (template.includes("{")) return segment === "" ? 1 : 0.2;
      if (segment === template) return 0;
      const key = `${template}/${segment}`;
      const cost = known.get(key) ?? unlikeness(segment, template);
      known.set(key, cost);
      return cost;
    });
    if (distance < smallest) [nearest, smallest] = [path, distance];
  }
  return routes.filter(({ path }) => path === nearest);
}

/** From 0, the same, to 1, nothing in common. */
function unlikeness(a: string, b: string): number {
  const length = Math.max(a.length, b.length);
  return length === 0 ? 0 : editDistance(Array.from(a), Array.from(b), (x, y) => (x === y ? 0 : 1)) / length;
}

/** What it takes to make one list from the other: 1 for an element too many or too few, `cost` for one changed. */
function editDistance(
  from: readonly string[],
  to: readonly string[],
  cost: (from: string, to: string) => number,
): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [row, element] of from.entries()) {
    const current = [row + 1];
    for (const [column, other] of to.entries()) {
      current.push(
        Math.min(
          (previous[column + 1] ?? Infinity) + 1,
          (current[column] ?? Infinity) + 1,
          (previous[column] ?? Infinity) + cost(element, other),
        ),
      );
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}

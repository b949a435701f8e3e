import { canonicalJson, pointerKeys, valueAt } from "../values/json.ts";
import { compareText } from "../values/text.ts";
import { reachable } from "../values/collections.ts";
import { mapObjects, referencesIn } from "../spec/walk.ts";
import { explaining, tellField, type Comparison } from "./comparison.ts";
import type { Circumstances } from "./differences.ts";
import { childOf, type BothPlaces, type Place } from "./places.ts";

/** Reports a field that has no comparison of its own, if it means something else. Returns whether it does. */
export function compareMeaning(to: Comparison, both: BothPlaces, field: string, where: Circumstances): boolean {
  const [before, after] = [both.before, both.after].map((place) => childOf(place, field));
  if ((before && meaningOf(before)) === (after && meaningOf(after))) return false;
  tellField(to, both, field, { code: "uncompared", facts: { field }, ...where });
  return true;
}

/** A value with everything that it refers to, as JSON without texts, examples and extensions. */
export function meaningOf({ document, value }: Pick<Place, "document" | "value">): string {
  const targetOf = (reference: string) => valueAt(document, pointerKeys(reference));
  const reached = reachable(referencesIn(value), (reference) => referencesIn(targetOf(reference)));
  const targets = [...reached].toSorted(compareText).map((reference) => [reference, withoutNotes(targetOf(reference))]);
  return canonicalJson([withoutNotes(value), targets]);
}

function withoutNotes(value: unknown): unknown {
  return mapObjects(value, (object) =>
    Object.fromEntries(Object.entries(object).filter(([field]) => !(field in explaining) && !field.startsWith("x-"))),
  );
}

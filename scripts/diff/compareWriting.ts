import { stringOf, valueAt } from "../values/json.ts";
import type { Direction } from "../spec/schemas.ts";
import { tellField, type Comparison } from "./comparison.ts";
import { flatten, knownTypes } from "./flatSchema.ts";
import { childOf, type BothPlaces, type Place } from "./places.ts";

/** Compares the serialization of the values of parameters and headers. `where`: their `in`. */
export function compareWriting(
  to: Comparison,
  pair: BothPlaces,
  where: string,
  direction: Direction | undefined,
): void {
  const [before, after] = [writingOf(pair.before, where), writingOf(pair.after, where)];
  for (const field of ["style", "explode", "allowEmptyValue", "allowReserved"] as const) {
    if (before[field] === after[field]) continue;
    // The default of `explode` depends on the style, and a single value looks the same.
    if (field === "explode" && (before.style !== after.style || (before.isPlain && after.isPlain))) continue;
    const isWider = field.startsWith("allow") && after[field] === true;
    const [old, current] = [before[field], after[field]].map((value) =>
      value === false && field !== "explode" ? undefined : value,
    );
    const code = isWider ? "parameter-serialization-extended" : "parameter-serialization-changed";
    tellField(to, pair, field, { code, facts: { field, before: old, after: current }, direction });
  }
}

function writingOf(place: Place, where: string) {
  const isForm = ["query", "cookie"].includes(where);
  const style = stringOf(valueAt(place.value, ["style"])) ?? (isForm ? "form" : "simple");
  const explode = valueAt(place.value, ["explode"]) ?? style === "form";
  const schema = childOf(place, "schema");
  const types = schema === undefined ? [] : knownTypes(flatten([schema]));
  const isPlain = types.length > 0 && !types.includes("array") && !types.includes("object");
  return {
    style,
    isPlain,
    explode: explode === true,
    allowEmptyValue: valueAt(place.value, ["allowEmptyValue"]) === true,
    allowReserved: valueAt(place.value, ["allowReserved"]) === true,
  };
}

import { hiding, type Direction } from "../spec/schemas.ts";
import { isSameMeaning, sortedStrings, tell, type Comparison } from "./comparison.ts";
import { isTrue, type FlatPair } from "./flatPair.ts";
import {
  flatten,
  hasValue,
  holderIn,
  impliedIn,
  isNothing,
  schemasIn,
  valueIn,
  type SchemaView,
} from "./flatSchema.ts";
import { childOf, pairRenamed, type NamedPair } from "./places.ts";

/** Compares the properties. Those on only one side may have been renamed. */
export function compareProperties(to: Comparison, pair: FlatPair, isOtherType: boolean): void {
  const { before, after, compare } = pair;
  const [old, current] = [schemasIn(before, "properties"), schemasIn(after, "properties")];
  const properties = pairRenamed(old, current, (one, other) =>
    isSameMeaning(compare(one, other, { direction: undefined })),
  );
  if (old.size > 1 && properties.every((one) => one.after === undefined))
    tellEmptied(to, pair, [...old.keys()], isOtherType);
  else for (const property of properties) compareProperty(to, pair, property);
  const told = properties.filter((one) => one.after === undefined || one.former !== one.name);
  compareRequired(to, pair, new Set(told.flatMap(({ former, name }) => [former, name])));
}

function compareProperty(to: Comparison, pair: FlatPair, { former, name, before, after }: NamedPair<SchemaView>): void {
  const { direction, compare } = pair;
  const view = after ?? before ?? [];
  const [place] = view;
  if (place === undefined) return;
  const where = { place, direction: isHiddenView(view, direction) ? undefined : direction };
  if (after === undefined) tell(to, { ...where, code: "property-removed", facts: { name } });
  else if (before === undefined) compareAdded(to, pair, after);
  else if (former === name) to.parts.push(compare(before, after, { direction }));
  else tell(to, { ...where, code: "property-renamed", facts: { before: former, after: name } });
}

/** Reports a property that is listed now. Before, it may have had the schema of unlisted ones. */
function compareAdded(to: Comparison, { before, direction, compare }: FlatPair, view: SchemaView): void {
  const [place] = view;
  if (place === undefined) return;
  tell(to, { code: "property-added", facts: {}, place, direction });
  const former = schemasIn(before, "additionalProperties").get("") ?? [];
  if (former.length > 0 && !isNothing(former)) to.parts.push(compare(former, view, { direction }));
}

/** Reports once that no property is left. If the type is another one, it says so. */
function tellEmptied(to: Comparison, pair: FlatPair, names: readonly string[], isOtherType: boolean): void {
  const { after, place, direction } = pair;
  const isObject = impliedIn(after).length === 0 || impliedIn(after).includes("object");
  if (isObject || !isOtherType) tell(to, { code: "properties-removed", facts: { names }, place, direction });
}

function isHiddenView(view: SchemaView | undefined, direction: Direction | undefined): boolean {
  return view !== undefined && direction !== undefined && isTrue(flatten(view), hiding[direction]);
}

/**
 * Compares which properties are required. Properties in `told` were added or removed, which is reported
 * already.
 */
function compareRequired(to: Comparison, pair: FlatPair, told: ReadonlySet<string>): void {
  const { before, after, place, direction } = pair;
  const [old, current] = [before, after].map((flat) => sortedStrings(valueIn(flat, "required")));
  if (old === undefined || current === undefined) return;
  const views = {
    ...Object.fromEntries(schemasIn(before, "properties")),
    ...Object.fromEntries(schemasIn(after, "properties")),
  };
  const isTold = (name: string) => !told.has(name) && !isHiddenView(views[name], direction);
  const gained = current.filter((name) => !old.includes(name) && isTold(name));
  const lost = old.filter((name) => !current.includes(name) && isTold(name));
  const holder = after.written
    .get("required")
    ?.find(({ value }) => gained.some((name) => hasValue(value, name)))?.holder;
  const subject = holder ?? holderIn(after, "required") ?? place;
  const where = { place: childOf(subject, "required") ?? subject, subject, direction };
  if (gained.length > 0) tell(to, { ...where, code: "properties-became-required", facts: { names: gained } });
  if (lost.length > 0) tell(to, { ...where, code: "properties-became-optional", facts: { names: lost } });
}

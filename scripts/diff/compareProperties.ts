import { hiding, type Direction } from "../spec/schemas.ts";
import { isSameMeaning, sortedStrings, tell, type Comparison } from "./comparison.ts";
import { isTrue, type FlatPair } from "./flatPair.ts";
import { flatten, hasValue, holderIn, schemasIn, valueIn, type SchemaView } from "./flatSchema.ts";
import { childOf, pairMaps, renamedIn } from "./places.ts";

/** Compares the properties. Those on only one side may have been renamed. */
export function compareProperties(to: Comparison, pair: FlatPair): void {
  const { before, after, direction, compare } = pair;
  const properties = pairMaps(schemasIn(before, "properties"), schemasIn(after, "properties"));
  const removed = [...properties].filter(([, { after: view }]) => view === undefined);
  const renamed = renamedIn(properties, (old, current) =>
    isSameMeaning(compare(old, current, { direction: undefined })),
  );
  for (const [name, { before: old, after: current }] of properties) {
    const former = [...renamed].find(([, now]) => now === name)?.[0];
    const [first] = current ?? old ?? [];
    if (first === undefined) continue;
    if (old !== undefined && current !== undefined) to.parts.push(compare(old, current, { direction }));
    else if (former !== undefined) {
      tell(to, { code: "property-renamed", facts: { before: former, after: name }, place: first, direction });
    } else if (current !== undefined) tell(to, { code: "property-added", facts: {}, place: first, direction });
    else if (!renamed.has(name)) {
      const facts = { name, isHidden: isHiddenView(old, direction) };
      tell(to, { code: "property-removed", facts, place: first, direction });
    }
  }
  compareRequired(to, pair, new Set([...removed.map(([name]) => name), ...renamed.values()]));
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

import { isDeepStrictEqual } from "node:util";
import { mapMembers, membersOf } from "../spec/json.ts";
import { jsonPointer, valueAt } from "../spec/jsonPointer.ts";
import { reach } from "./operationUses.ts";

/**
 * Leaves out of two documents the paths that are the same in both with all that they refer to, and the components that no
 * other path needs: to read them would take most of the time.
 */
export function keepChangedParts(base: object, next: object) {
  const isChanged = (keys: readonly string[]) => !isDeepStrictEqual(valueAt(base, keys), valueAt(next, keys));
  const names = (keys: readonly string[]) =>
    [...new Set([base, next].flatMap((document) => membersOf(valueAt(document, keys)).map(([name]) => name)))].map(
      (name) => [...keys, name],
    );
  const components = names(["components"]).flatMap(names);
  const changed = new Set(components.filter(isChanged).map(jsonPointer));
  const kept = new Set(changed);
  for (const keys of [...names(["paths"]), ...names(["webhooks"])]) {
    const pointer = jsonPointer(keys);
    const reached = [base, next].flatMap((document) => [...reach(document, [pointer])]);
    if (isChanged(keys) || reached.some((place) => changed.has(place))) for (const place of reached) kept.add(place);
  }
  const keep = (members: unknown, ...around: readonly string[]) =>
    Object.fromEntries(membersOf(members).filter(([name]) => kept.has(jsonPointer([...around, name]))));
  const prune = (document: object) =>
    mapMembers(document, (members, field) => {
      if (field === "components") return mapMembers(members, (named, kind) => keep(named, field, kind));
      return field === "paths" || field === "webhooks" ? keep(members, field) : members;
    });
  return [prune(base), prune(next)] as const;
}

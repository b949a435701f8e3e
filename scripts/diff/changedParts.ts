import { isDeepStrictEqual } from "node:util";
import { membersOf } from "../spec/json.ts";
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
  const keep = ([name, members]: readonly [string, unknown], ...around: readonly string[]) => {
    const keys = [...around, name];
    return [
      name,
      Object.fromEntries(membersOf(members).filter(([key]) => kept.has(jsonPointer([...keys, key])))),
    ] as const;
  };
  const prune = (document: object) =>
    Object.fromEntries(
      membersOf(document).map((field) => {
        const [name, members] = field;
        if (name === "paths" || name === "webhooks") return keep(field);
        if (name !== "components") return field;
        return [name, Object.fromEntries(membersOf(members).map((kind) => keep(kind, name)))];
      }),
    );
  return [prune(base), prune(next)] as const;
}

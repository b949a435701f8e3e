import { elementsOf, pointerKeys } from "../spec/json.ts";
import { isNamedSchema } from "./breakage.ts";
import type { ToolChange } from "./runRedoclyDiff.ts";

/** Fields that change with another one of the same place. */
const consequences: Readonly<Record<string, readonly string[]>> = {
  style: ["in"],
  explode: ["in", "style"],
  "x-extensible-enum": ["enum"],
  "x-deprecated-on": ["deprecated"],
  "x-sunset": ["deprecated"],
};

/**
 * Chooses the changes to tell of. Components are told where operations use them, and their names on their own; versions
 * follow from changes, and some changes from others.
 */
export function selectTold(changes: readonly ToolChange[]): readonly ToolChange[] {
  return changes.filter((change) => isTold(change, changes));
}

function isTold(change: ToolChange, all: readonly ToolChange[]): boolean {
  const { path, keys, typeName, kind, property } = change;
  const [root, section] = keys;
  if (isNamedSchema(keys)) return kind === "removed" || kind === "renamed";
  const isSecurityScheme = section === "securitySchemes" && keys.length > 2;
  if (root === "components" && !isSecurityScheme) return false;
  if (path === "/info" && isOwnFact(property)) return false;
  if (kind === "added" || kind === "removed") return !isReplacement(change, all);
  if (property === "openapi") return false;
  if (property === "x-pagination") return !renamesParameter(path, all);
  if (property === "required" && typeName === "Schema") return requiresOthers(change, all);
  const causes = consequences[property] ?? [];
  return !all.some((one) => one.path === path && causes.includes(one.property));
}

/** Tells whether a field of `info` says something of the description only, such as its version. */
function isOwnFact(property: string): boolean {
  return property === "version" || (property.startsWith("x-") && property !== "x-unspecified");
}

/** Tells whether something came or went because the schema that it belongs to has another type, or a body another name. */
function isReplacement({ path, keys }: ToolChange, all: readonly ToolChange[]): boolean {
  const isInside = keys.at(-1) === "items" || keys.at(-1) === "content";
  const holder = isInside ? path.slice(0, path.lastIndexOf("/")) : path;
  return all.some((one) => one.path === holder && (one.property === "type" || one.kind === "renamed"));
}

/** Tells whether a parameter of an operation has another name, which is why its pagination differs. */
function renamesParameter(path: string, all: readonly ToolChange[]): boolean {
  return changesInside(path, all).some((one) => one.typeName === "Parameter" && one.property === "name");
}

/** Tells whether other properties of a schema are required, and not only properties with other names. */
function requiresOthers({ path, before, after }: ToolChange, all: readonly ToolChange[]): boolean {
  const told = new Set<unknown>();
  for (const one of changesInside(path, all)) {
    const isProperty = one.path.lastIndexOf("/properties/") === path.length;
    if (!isProperty || (one.kind !== "removed" && one.kind !== "renamed")) continue;
    for (const name of [pointerKeys(one.former).at(-1), one.before, one.after]) told.add(name);
  }
  const [old, current] = [elementsOf(before), elementsOf(after)];
  const differing = [...old, ...current].filter((name) => old.includes(name) !== current.includes(name));
  return differing.some((name) => !told.has(name));
}

function changesInside(path: string, all: readonly ToolChange[]): readonly ToolChange[] {
  return all.filter((one) => one.path.startsWith(`${path}/`));
}

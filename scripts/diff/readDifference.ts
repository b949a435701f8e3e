import { nameOfPlace } from "../contract/gaps.ts";
import { isObject, pointerKeys, stringOf, stringsOf, valueAt } from "../spec/json.ts";
import { lifecycleDays, lifecycleOf } from "../spec/lifecycle.ts";
import type { Direction } from "../spec/schemas.ts";
import { directionOf, findBreakage } from "./breakage.ts";
import type { ChangeKind, Difference, Fact, GapChange, Subject } from "./changes.ts";
import type { ComparedGeneration } from "./comparedGeneration.ts";
import { extensionList, originOf, templateOf } from "./normalizedDocument.ts";
import type { ToolChange } from "./runRedoclyDiff.ts";

/** Objects and fields that only explain. */
const explaining = new Set([
  ...["Example", "ExamplesMap", "ExternalDocs", "Info", "Contact", "License", "Tag", "TagList", "Link", "LinksMap"],
  ...["description", "summary", "title", "example", "examples", "$comment", "tags", "x-unspecified"],
]);

/** What is never sent, and what is never received. */
const hiding = { request: "readOnly", response: "writeOnly" } as const;

const lifecycleFields = new Set<string>(["deprecated", ...Object.values(lifecycleDays)]);

/** Keywords that limit a value, and its default. */
const limits = new Set([
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "format", "pattern", "default"],
  ...["minLength", "maxLength", "minItems", "maxItems", "minContains", "maxContains", "minProperties", "maxProperties"],
]);

/**
 * Reads what a change of Redocly means: where it is, whom it concerns and how much it asks of them. `all` are the changes
 * of the same generation, of which one may explain another.
 */
export function readDifference(
  change: ToolChange,
  all: readonly ToolChange[],
  base: ComparedGeneration,
  next: ComparedGeneration,
): Difference {
  const { document } = (change.kind === "removed" ? base : next).generation;
  const pointer = originOf((change.kind === "removed" ? base : next).normalized, change.place);
  const uses = listUses(change, pointer, base, next);
  const breakage = findBreakage(change, uses, [base.normalized.document, next.normalized.document]);
  const direction = directionOf(breakage, uses);
  const operations = findOperations(change, base, next, direction);
  const explains = isExplanation(change, all);
  const rule = explains || !isFelt(pointer, operations) ? undefined : breakage;
  const gaps = change.property === "x-unspecified" ? compareGaps(change) : undefined;
  const opensGap = gaps !== undefined && gaps.opened.length > 0;
  const harmless = explains && !opensGap ? "patch" : "minor";
  const holderKeys = keysOfHolder(change, pointer, change.kind === "removed" ? change.before : change.after);
  return {
    impact: rule === undefined ? harmless : "major",
    kind: kindOf(change, explains),
    generation: next.generation.name,
    operations,
    pointer,
    ...(rule !== undefined && { rule }),
    ...(direction !== undefined && { direction }),
    ...(gaps !== undefined && { gaps }),
    subject: subjectOf(document, holderKeys, operations),
    fact: readFact(change, valueAt(document, holderKeys), base, next),
  };
}

/** The directions in which values of a place travel: those in which operations use it, or else all that it allows. */
function listUses(
  change: ToolChange,
  pointer: string,
  base: ComparedGeneration,
  next: ComparedGeneration,
): readonly Direction[] {
  const { document } = (change.kind === "removed" ? base : next).generation;
  const keys = pointerKeys(pointer);
  const around = keys.map((_, index) => valueAt(document, keys.slice(0, index + 1)));
  const isHidden = (direction: Direction) => around.some((one) => valueAt(one, [hiding[direction]]) === true);
  const possible = (["request", "response"] as const).filter((direction) => !isHidden(direction));
  const used = possible.filter((direction) => findOperations(change, base, next, direction).length > 0);
  return used.length === 0 ? possible : used;
}

/** The operations that a change concerns, before and after, by their names now. */
function findOperations(
  { former, place }: ToolChange,
  base: ComparedGeneration,
  next: ComparedGeneration,
  direction?: Direction,
): readonly string[] {
  const [, , , field] = pointerKeys(place);
  // Operations inherit the document's requirements one by one.
  const operation = field === "security" ? place.split("/").slice(0, 4).join("/") : undefined;
  const before = base.findOperations(originOf(base.normalized, operation ?? former), direction);
  const after = next.findOperations(originOf(next.normalized, operation ?? place), direction);
  return [...before.map((name) => next.names.get(templateOf(name)) ?? name), ...after];
}

/** Tells whether a change only explains something, or says what a gap has left open. */
function isExplanation(change: ToolChange, all: readonly ToolChange[]): boolean {
  return explaining.has(change.property) || explaining.has(change.typeName) || fillsGap(change, all);
}

/** Tells whether a keyword only says what a gap of the same place has left open. Types are not the same as before. */
function fillsGap({ path, property, before }: ToolChange, all: readonly ToolChange[]): boolean {
  if (!limits.has(property) || before !== undefined) return false;
  const word = property.replace("exclusiveM", "m");
  return all.some((gap) => {
    const isSamePlace = gap.path === path || `${gap.path}/schema` === path;
    if (!isSamePlace || gap.property !== "x-unspecified") return false;
    return compareGaps(gap).closed.some((text) => text.startsWith(word));
  });
}

/** The gaps that a change of `x-unspecified` closes and opens. */
function compareGaps(change: ToolChange): GapChange {
  const before = stringsOf(extensionList(change.before));
  const after = stringsOf(extensionList(change.after));
  return {
    closed: before.filter((gap) => !after.includes(gap)),
    opened: after.filter((gap) => !before.includes(gap)),
  };
}

/** What no operation uses in that direction harms nobody; what is about the generation as a whole is about all. */
function isFelt(pointer: string, operations: readonly string[]): boolean {
  const [root = "", ...inside] = pointerKeys(pointer);
  const isPart = ["paths", "webhooks", "components"].includes(root) && inside.length > 0;
  return operations.length > 0 || !isPart;
}

function kindOf({ kind, property, after }: ToolChange, explains: boolean): ChangeKind {
  if (lifecycleFields.has(property) && after !== undefined) return "deprecated";
  if (explains) return "clarified";
  return kind === "added" || kind === "removed" ? kind : "changed";
}

/** The keys of the object that has the field that was modified, in one document: a place without it is the object's own. */
function keysOfHolder({ kind }: ToolChange, pointer: string, value: unknown): readonly string[] {
  const keys = pointerKeys(pointer);
  return kind === "modified" && value !== undefined ? keys.slice(0, -1) : keys;
}

function subjectOf(document: object, keys: readonly string[], operations: readonly string[]): Subject {
  const place = nameOfPlace(document, keys);
  if (place.name !== "") return { type: "place", ...place };
  return { type: "operation", name: operations.at(-1) ?? "" };
}

/** What has become of a place. `holder` is the object that has the field, as it is by now. */
function readFact(change: ToolChange, holder: unknown, base: ComparedGeneration, next: ComparedGeneration): Fact {
  const { property, before, after, former, place } = change;
  const { isDeprecated, deprecatedOn, sunset } = lifecycleOf(isObject(holder) ? holder : {});
  if (property === lifecycleDays.sunset) return { type: "sunset", day: sunset, former: stringOf(before) };
  if (lifecycleFields.has(property)) return { type: "deprecation", isDeprecated, since: deprecatedOn, sunset };
  if (property === "x-unspecified") return { type: "gaps", gaps: compareGaps(change) };
  const documents = [base.normalized.document, next.normalized.document] as const;
  const holders = [
    valueAt(documents[0], keysOfHolder(change, former, before)),
    valueAt(documents[1], keysOfHolder(change, place, after)),
  ] as const;
  return { type: "field", change: withPathNames(change, base, next), holders, documents };
}

/** A change with the paths as they are written, instead of those with numbers for parameters. */
function withPathNames(change: ToolChange, base: ComparedGeneration, next: ComparedGeneration): ToolChange {
  const { keys, kind, former } = change;
  const [root, current = "", ...inside] = keys;
  if (root !== "paths" || current === "") return change;
  // What was removed was in the former document, where its path may have had another name.
  const [formerRoot, formerPath = ""] = pointerKeys(former);
  const isFormer = kind === "removed" && formerRoot === "paths";
  const path = isFormer ? pathIn(base, formerPath) : pathIn(next, current);
  const named = { ...change, keys: [root, path, ...inside] };
  if (kind !== "renamed" || inside.length > 0) return named;
  return { ...named, before: pathIn(base, String(change.before)), after: pathIn(next, String(change.after)) };
}

function pathIn({ paths }: ComparedGeneration, template: string): string {
  return paths.get(template) ?? template;
}

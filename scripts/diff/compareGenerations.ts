import { isDeepStrictEqual } from "node:util";
import { placeName } from "../contract/gaps.ts";
import type { Generation, Operation } from "../contract/generation.ts";
import { compareText, groupBy } from "../contract/text.ts";
import { elementsOf, jsonPointer, pointerKeys, valueAt } from "../spec/json.ts";
import { lifecycleDays } from "../spec/lifecycle.ts";
import type { Direction } from "../spec/schemas.ts";
import { findBreakage, namedSchema } from "./breakage.ts";
import { directionOf, impacts, rateBreakage, rateHarmless, type Change } from "./changes.ts";
import { compareGaps, describeToolChange } from "./describeToolChange.ts";
import { alignAlternatives, alignStatuses, normalizeDocument, originOf, templateOf } from "./normalizedDocument.ts";
import type { NormalizedDocument } from "./normalizedDocument.ts";
import { createOperationFinder, keepChangedParts } from "./operationUses.ts";
import { runRedoclyDiff, type ToolChange } from "./runRedoclyDiff.ts";

/** A generation as it is compared. */
type Side = ReturnType<typeof sideOf>;

/**
 * Compares two states of a contract, generation by generation, and rates each change as consumers feel it. The most severe
 * changes come first. What only reorders or reformats the descriptions is no change.
 */
export async function compareGenerations(base: readonly Generation[], next: readonly Generation[]) {
  const names = [...new Set([...base, ...next].map(({ name }) => name))];
  const changes = names.map(async (name): Promise<readonly Change[]> => {
    const [before, after] = [base, next].map((all) => all.find((generation) => generation.name === name));
    if (before !== undefined && after !== undefined) return compareGeneration(before, after);
    const kind = before === undefined ? "added" : "removed";
    const operations = (before ?? after)?.operations.map((operation) => operation.name) ?? [];
    const message = `The generation ${name} was ${kind}.`;
    const rating = kind === "added" ? rateHarmless(kind, "minor") : rateBreakage(kind, "generation-removed");
    return [{ ...rating, generation: name, operations, pointer: "", message }];
  });
  const all = (await Promise.all(changes)).flat();
  // Changes of one rating stay in the order of the description.
  return all.toSorted((a, b) => impacts.indexOf(a.impact) - impacts.indexOf(b.impact));
}

async function compareGeneration(before: Generation, after: Generation): Promise<readonly Change[]> {
  if (isDeepStrictEqual(before.document, after.document)) return [];
  const [first, second] = [normalizeDocument(before.document), normalizeDocument(after.document)];
  const [old, current] = keepChangedParts(first.document, second.document);
  const changed = { ...first, document: old };
  const { aligned, renamings } = alignStatuses(changed, { ...second, document: current });
  const base = sideOf(before, alignAlternatives(changed, aligned));
  const next = sideOf(after, alignAlternatives(aligned, changed));
  const isSame = isDeepStrictEqual(base.normalized.document, next.normalized.document);
  const found = isSame ? [] : await runRedoclyDiff(base.normalized.document, next.normalized.document);
  const told = mergeChanges([
    ...renamings.map((one) => {
      const operations = next.findOperations(one.pointer);
      return { ...rateHarmless("clarified", "patch"), ...one, generation: after.name, operations };
    }),
    ...listParameterNames(base, next),
    ...found.filter((change) => isTold(change, found)).map((change) => describeChange(change, found, base, next)),
  ]);
  const remaining = new Set(next.names.values());
  // A schema that went with the last operation that used it is no change of its own.
  const felt = told.filter(
    ({ pointer, operations }) => !namedSchema.test(pointer) || operations.some((name) => remaining.has(name)),
  );
  return mergeOperations(felt, after.operations.length);
}

function sideOf(generation: Generation, normalized: NormalizedDocument) {
  const names = new Map(generation.operations.map(({ name }) => [templateOf(name), name]));
  return { generation, normalized, names, findOperations: createOperationFinder(generation) };
}

/** Changes of one place that come with another. */
const consequences: Readonly<Record<string, readonly string[]>> = {
  ...{ style: ["in"], explode: ["in", "style"], "x-extensible-enum": ["enum"] },
  ...{ "x-deprecated-on": ["deprecated"], "x-sunset": ["deprecated"] },
};

/** Components are told where operations use them, and their names on their own; versions follow from changes. */
function isTold(change: ToolChange, all: readonly ToolChange[]): boolean {
  const { path, typeName, kind, property } = change;
  if (namedSchema.test(path)) return kind === "removed" || property === "key";
  if (/^#\/components(?!\/securitySchemes\/)/.test(path)) return false;
  if (path === "#/info" && /^version$|^x-(?!un)/.test(property)) return false;
  const has = (place: string, causes: readonly string[]) =>
    all.some((one) => one.path === place && causes.includes(one.property));
  if (kind !== "modified") return !has(path.replace(/\/(?:items|content)$/, ""), ["type", "key"]);
  const inside = all.filter((one) => one.path.startsWith(`${path}/`));
  // Parameters and fields with other names tell why lists of their names differ.
  if (property === "x-pagination")
    return !inside.some((one) => one.typeName === "Parameter" && one.property === "name");
  if (property === "required" && typeName === "Schema") {
    const told = inside
      .filter((one) => one.path.lastIndexOf("/properties/") === path.length)
      .filter((one) => one.kind === "removed" || one.property === "key")
      .flatMap(({ former, before, after }) => [pointerKeys(former).at(-1), before, after]);
    const [before, after] = [elementsOf(change.before), elementsOf(change.after)];
    return [...before, ...after].some((name) => before.includes(name) !== after.includes(name) && !told.includes(name));
  }
  return property !== "openapi" && !has(path, consequences[property] ?? []);
}

/** Objects and fields that only explain. */
const explaining = new Set([
  ...["Example", "ExamplesMap", "ExternalDocs", "Info", "Contact", "License", "Tag", "TagList", "Link", "LinksMap"],
  ...["description", "summary", "title", "example", "examples", "$comment", "tags", "x-unspecified"],
]);

/** What is never sent, and what is never received. */
const hiding = { request: "readOnly", response: "writeOnly" } as const;
const lifecycleFields = new Set<string>(["deprecated", ...Object.values(lifecycleDays)]);

function describeChange(change: ToolChange, all: readonly ToolChange[], base: Side, next: Side): Change {
  const { kind, property, typeName, former, place, after } = change;
  const side = kind === "removed" ? base : next;
  const { document } = side.generation;
  const pointer = originOf(side.normalized, place);
  const keys = pointerKeys(pointer);
  // Operations inherit the document's requirements one by one.
  const [user] = /^\/\w+\/[^/]+\/[a-z]+(?=\/security)/.exec(place) ?? [];
  const operationsIn = (direction?: Direction) => [
    ...base
      .findOperations(originOf(base.normalized, user ?? former), direction)
      .map((name) => next.names.get(templateOf(name)) ?? name),
    ...next.findOperations(originOf(next.normalized, user ?? place), direction),
  ];
  const around = keys.map((_, index) => valueAt(document, keys.slice(0, index + 1)));
  const possible = (["request", "response"] as const).filter(
    (direction) => !around.some((one) => valueAt(one, [hiding[direction]]) === true),
  );
  const used = possible.filter((direction) => operationsIn(direction).length > 0);
  const directions = used.length === 0 ? possible : used;
  const breakage = findBreakage(change, directions, base.normalized.document, next.normalized.document);
  const direction = directionOf(breakage?.ruleId ?? "", directions);
  const operations = operationsIn(direction);

  const gaps = property === "x-unspecified" ? compareGaps(change) : undefined;
  const explains = [property, typeName].some((name) => explaining.has(name)) || fillsGap(change, all);
  const changeKind = kind === "modified" ? "changed" : kind;
  const isDeprecation = lifecycleFields.has(property) && after !== undefined;
  const ownKind = isDeprecation ? "deprecated" : explains ? "clarified" : changeKind;
  // What no operation uses in that direction harms nobody; what is about the generation as a whole is about all.
  const isFelt = operations.length > 0 || !/^\/(?:paths|webhooks|components)\//.test(pointer);
  const isBreaking = breakage !== undefined && !explains && isFelt;
  const isLess = !explains || (gaps !== undefined && gaps.opened.length > 0);
  const detail = changeKind === "changed" && after === undefined ? "unset" : property;
  const [, path = ""] = keys;
  const message = isBreaking
    ? breakage.message?.replaceAll(templateOf(path), path).replace(/ of `[^`]+`/, "")
    : undefined;
  const holder = keys.at(-1) === property ? keys.slice(0, -1) : keys;
  const name = placeName(document, holder) || (operations.at(-1) ?? "");
  return {
    ...(isBreaking
      ? rateBreakage(ownKind, breakage.ruleId, direction, detail)
      : rateHarmless(ownKind, isLess ? "minor" : "patch", property)),
    generation: next.generation.name,
    operations,
    pointer,
    message: describeToolChange(change, name, valueAt(document, holder), message),
    ...(gaps !== undefined && { gaps }),
  };
}

/** Tells whether a keyword only says what a gap of the same place has left open. Types are not the same as before. */
function fillsGap({ path, property, before }: ToolChange, all: readonly ToolChange[]): boolean {
  const isLimit = /^(?:format|pattern|multipleOf|default|(?:exclusiveM|m)(?:ax|in)imum|(?:max|min)[A-Z]\w+)$/;
  if (!isLimit.test(property) || before !== undefined) return false;
  const word = property.replace("exclusiveM", "m");
  return all.some((gap) => {
    const isSamePlace = gap.path === path || `${gap.path}/schema` === path;
    return (
      isSamePlace && gap.property === "x-unspecified" && compareGaps(gap).closed.some((text) => text.startsWith(word))
    );
  });
}

/** Names of path parameters mean nothing to HTTP, and are properties in the types. */
function listParameterNames(base: Side, next: Side): readonly Change[] {
  const before = new Map(base.generation.operations.map(({ name, path }) => [templateOf(name), path]));
  const formerOf = ({ name, path }: Operation) => before.get(templateOf(name)) ?? path;
  const renamed = next.generation.operations.filter((operation) => formerOf(operation) !== operation.path);
  return [...groupBy(renamed, ({ path }) => path)].map(([path, operations]) => ({
    ...rateBreakage("changed", "name"),
    generation: next.generation.name,
    operations: operations.map(({ name }) => name),
    pointer: jsonPointer(["paths", path]),
    message: `The path parameters of \`${operations.map(formerOf)[0] ?? ""}\` have other names: \`${path}\`.`,
  }));
}

/** One change for what several operations share. */
function mergeChanges(changes: readonly Change[]): readonly Change[] {
  const merged = new Map<string, Change>();
  for (const change of changes) {
    const key = [change.pointer, change.impact, change.message].join("\n");
    const operations = new Set([...(merged.get(key)?.operations ?? []), ...change.operations]);
    merged.set(key, { ...change, operations: [...operations].toSorted(compareText) });
  }
  return [...merged.values()];
}

/** One change for what is told alike of each operation. */
function mergeOperations(changes: readonly Change[], count: number): readonly Change[] {
  const shared = ({ message, operations }: Change) => message.replace(`\`${operations.join()}\``, "Every operation");
  const alike = groupBy(changes, (change) => [change.impact, shared(change)].join("\n"));
  return [...alike.values()].flatMap((group) => {
    const operations = new Set(group.flatMap((change) => change.operations));
    const [first, second] = group;
    if (first === undefined || second === undefined || operations.size < count) return group;
    return [{ ...first, operations: [...operations].toSorted(compareText), message: shared(first) }];
  });
}

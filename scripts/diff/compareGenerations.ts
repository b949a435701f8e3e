import { isDeepStrictEqual } from "node:util";
import { placeName } from "../contract/gaps.ts";
import type { Generation } from "../contract/generation.ts";
import { compareText } from "../contract/text.ts";
import { membersOf, parseJson, stringsOf } from "../spec/json.ts";
import { jsonPointer, pointerKeys, valueAt } from "../spec/jsonPointer.ts";
import type { Direction } from "../spec/schemas.ts";
import { findBreakage } from "./breakage.ts";
import { alignAlternatives, alignNames, type Renaming } from "./alignedNames.ts";
import { breakingAdvice, compatibleAdvice, directionOf, impacts, type Change, type Impact } from "./changes.ts";
import { normalizeDocument, originOf, templateOf, type NormalizedDocument } from "./normalizedDocument.ts";
import { createOperationFinder, type FindOperations } from "./operationUses.ts";
import { runRedoclyDiff, type ToolChange } from "./runRedoclyDiff.ts";

/** A generation as it is compared. */
interface Side {
  readonly generation: Generation;
  readonly normalized: NormalizedDocument;
  readonly findOperations: FindOperations;
}

const noGaps = { closed: [], opened: [] };

/**
 * Compares two states of a contract, generation by generation, and rates each change as consumers feel it. The most severe
 * changes come first. What only reorders or reformats the descriptions is no change.
 */
export async function compareGenerations(
  base: readonly Generation[],
  next: readonly Generation[],
): Promise<readonly Change[]> {
  const names = [...new Set([...base, ...next].map(({ name }) => name))];
  const changes = names.map(async (name): Promise<readonly Change[]> => {
    const [before, after] = [base, next].map((all) => all.find((generation) => generation.name === name));
    if (before !== undefined && after !== undefined) return compareGeneration(before, after);
    const kind = before === undefined ? "added" : "removed";
    const operations = (before ?? after)?.operations.map((operation) => operation.name) ?? [];
    const message = `The generation ${name} was ${kind}.`;
    const rating = kind === "added" ? rateCompatible("minor", kind) : rateBreaking("generation-removed");
    return [{ ...rating, kind, generation: name, operations, pointer: "", message, gaps: noGaps }];
  });
  const all = (await Promise.all(changes)).flat();
  // Changes of one rating stay in the order of the description.
  return all.toSorted((a, b) => impacts.indexOf(a.impact) - impacts.indexOf(b.impact));
}

async function compareGeneration(before: Generation, after: Generation): Promise<readonly Change[]> {
  if (isDeepStrictEqual(before.document, after.document)) return [];
  const normalized = normalizeDocument(before.document);
  const { aligned, renamings } = alignNames(normalized, normalizeDocument(after.document));
  const base = sideOf(before, alignAlternatives(normalized, aligned));
  const next = sideOf(after, alignAlternatives(aligned, normalized));
  const [old, current] = [base.normalized.document, next.normalized.document];
  const found = isDeepStrictEqual(old, current) ? [] : await runRedoclyDiff(old, current);
  const told = found.filter(isTold);
  const filled = told.filter(({ property }) => property === "x-unspecified");
  return mergeChanges([
    ...renamings.map((renaming) => describeRenaming(renaming, next)),
    ...comparePathParameters(base, next),
    ...compareSchemaNames(base, next),
    ...told.map((change) => describeChange(change, filled, base, next)),
  ]);
}

function sideOf(generation: Generation, normalized: NormalizedDocument): Side {
  return { generation, normalized, findOperations: createOperationFinder(generation) };
}

/** Components are told where operations use them, and their names on their own; versions follow from changes. */
function isTold({ path, property, kind }: ToolChange): boolean {
  if (path.startsWith("#/components/securitySchemes/")) return property !== "key";
  if (property === "key" && kind === "modified" && path.includes("/$ref")) return true;
  return !path.startsWith("#/components") && !(path === "#/info" && property === "version") && property !== "openapi";
}

/** Objects and fields that only explain. */
const explaining = new Set([
  ...["Example", "ExamplesMap", "ExternalDocs", "Info", "Contact", "License", "Tag", "TagList", "Link", "LinksMap"],
  ...["description", "summary", "title", "example", "examples", "$comment", "tags"],
]);

function describeChange(change: ToolChange, all: readonly ToolChange[], base: Side, next: Side): Change {
  const { kind, property, typeName } = change;
  const side = change.revision === undefined ? base : next;
  const place = (change.revision ?? change.base)?.pointer ?? "";
  const pointer = originOf(side.normalized, place);
  const breakage = findBreakage(change);
  const { rule = "" } = breakage ?? {};
  const direction = directionOf(rule, change.directions);
  const operations = [
    ...base.findOperations(originOf(base.normalized, change.base?.pointer ?? place), direction),
    ...next.findOperations(pointer, direction),
  ];
  const gaps = property === "x-unspecified" ? compareGaps(change) : noGaps;
  const isExplained = [property ?? "", typeName].some((name) => explaining.has(name));
  const explains = isExplained || property === "x-unspecified" || fillsGap(change, all);
  const isDeprecation = property === "deprecated" && change.revision?.value === true;
  const toldKind = kind === "modified" ? "changed" : kind;
  const changeKind = isDeprecation ? "deprecated" : explains ? "clarified" : toldKind;
  const isBreaking = breakage !== undefined && !explains && operations.length > 0;
  return {
    ...(isBreaking
      ? rateBreaking(rule, direction)
      : rateCompatible(explains && gaps.opened.length === 0 ? "patch" : "minor", changeKind)),
    kind: changeKind,
    generation: next.generation.name,
    operations: [...new Set(operations)],
    pointer,
    message: messageOf(change, isBreaking ? breakage.message : undefined, side, pointer),
    gaps,
  };
}

function rateBreaking(rule: string, direction?: Direction) {
  return { impact: "major", advice: breakingAdvice(rule, direction) } as const;
}

function rateCompatible(impact: Impact, kind: Change["kind"]) {
  return { impact, advice: compatibleAdvice(kind) };
}

/** Tells whether a keyword only says what a gap of the same place has left open. Types are not the same as before. */
function fillsGap({ path, property = "", base }: ToolChange, all: readonly ToolChange[]): boolean {
  const isLimit = /^(?:format|pattern|multipleOf|default|(?:exclusiveM|m)(?:ax|in)imum|(?:max|min)[A-Z]\w+)$/.test(
    property,
  );
  if (!isLimit || base?.value !== undefined) return false;
  const word = property.replace("exclusiveM", "m");
  return all.some((gap) => {
    const isSamePlace = gap.path === path || `${gap.path}/schema` === path;
    return isSamePlace && compareGaps(gap).closed.some((text) => text.startsWith(word));
  });
}

function compareGaps({ base, revision }: ToolChange): Change["gaps"] {
  const [before = [], after = []] = [base, revision].map((one) => stringsOf(parseJson(String(one?.value))));
  return {
    closed: before.filter((gap) => !after.includes(gap)),
    opened: after.filter((gap) => !before.includes(gap)),
  };
}

function messageOf(change: ToolChange, verdict: string | undefined, side: Side, pointer: string): string {
  const keys = pointerKeys(pointer);
  const place = placeName(side.generation.document, keys);
  const [, path = ""] = keys;
  const text = verdict === undefined ? describe(change) : verdict.replaceAll(templateOf(path), path);
  return place === "" ? text : `${place}: ${text.replace(/ of `[^`]+`/, "")}`;
}

function describe(change: ToolChange): string {
  const { kind, property = "", typeName, base, revision } = change;
  if (kind !== "modified") {
    const noun = typeName.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
    return `The ${noun} was ${kind}.`;
  }
  if (property === "x-unspecified") {
    const { closed, opened } = compareGaps(change);
    const parts = [[closed, "is specified now"] as const, [opened, "is no longer specified"] as const];
    return parts.flatMap(([gaps, what]) => (gaps.length === 0 ? [] : [`${gaps.join(", ")} ${what}.`])).join(" ");
  }
  if (property === "deprecated") return revision?.value === true ? "It is deprecated." : "It is no longer deprecated.";
  const [before, after] = [base?.value, revision?.value];
  if (before === undefined) return `\`${property}\` was set to ${shortened(after)}.`;
  if (after === undefined) return `\`${property}\` was removed.`;
  if (Array.isArray(before) && Array.isArray(after)) {
    const [lost, gained] = [difference(before, after), difference(after, before)];
    const parts = [
      ...(gained.length > 0 ? [`gained ${gained.join(", ")}`] : []),
      ...(lost.length > 0 ? [`lost ${lost.join(", ")}`] : []),
    ];
    return `\`${property}\` ${parts.join(" and ")}.`;
  }
  return `\`${property}\` changed from ${shortened(before)} to ${shortened(after)}.`;
}

function difference(values: readonly unknown[], others: readonly unknown[]): readonly string[] {
  return values.filter((value) => !others.includes(value)).map((value) => `\`${String(value)}\``);
}

function shortened(value: unknown): string {
  const text = (typeof value === "string" ? value : JSON.stringify(value)).replaceAll(/\s+/g, " ");
  return `\`${text.length > 60 ? `${text.slice(0, 60)}…` : text}\``;
}

function describeRenaming({ kind, pointer, base, next }: Renaming, side: Side): Change {
  const origin = originOf(side.normalized, pointer);
  const operations = side.findOperations(origin);
  const common = { generation: side.generation.name, operations, pointer: origin, gaps: noGaps };
  if (kind === "status") {
    const message = `The success status code, so far ${base}, is ${next}.`;
    return { ...common, ...rateCompatible("patch", "clarified"), kind: "clarified", message };
  }
  const message = `The security scheme \`${base}\` was renamed to \`${next}\`.`;
  return { ...common, ...rateBreaking("scheme-name"), kind: "changed", message };
}

/** Names of path parameters mean nothing to HTTP, and are properties in the types. */
function comparePathParameters(base: Side, next: Side): readonly Change[] {
  const paths = new Map(base.generation.operations.map(({ path }) => [templateOf(path), path]));
  const renamed = new Set(next.generation.operations.map(({ path }) => path));
  return [...renamed].flatMap((path): Change[] => {
    const before = paths.get(templateOf(path));
    if (before === undefined || before === path) return [];
    const operations = next.generation.operations.filter((one) => one.path === path).map(({ name }) => name);
    const message = `The path parameters of \`${before}\` have other names: \`${path}\`.`;
    const common = {
      generation: next.generation.name,
      operations,
      pointer: jsonPointer(["paths", path]),
      gaps: noGaps,
    };
    return [{ ...common, ...rateBreaking("path-parameter-name"), kind: "changed", message }];
  });
}

/** Names of schemas are names of types. One that went with the last operation that used it is no change of its own. */
function compareSchemaNames(base: Side, next: Side): readonly Change[] {
  const schemasOf = ({ normalized }: Side) =>
    new Map(membersOf(valueAt(normalized.document, ["components", "schemas"])));
  const [before, after] = [schemasOf(base), schemasOf(next)];
  const remaining = new Set(next.generation.operations.map(({ name }) => name));
  return [...before].flatMap(([name, schema]): Change[] => {
    const pointer = jsonPointer(["components", "schemas", name]);
    const operations = base.findOperations(pointer).filter((operation) => remaining.has(operation));
    if (after.has(name) || operations.length === 0) return [];
    const same = [...after].find(([other, value]) => !before.has(other) && isDeepStrictEqual(value, schema))?.[0];
    const message = `The schema \`${name}\` ${same === undefined ? "was removed" : `was renamed to \`${same}\``}.`;
    const common = { generation: next.generation.name, operations, pointer, gaps: noGaps };
    return [{ ...common, ...rateBreaking("schema-name"), kind: same === undefined ? "removed" : "changed", message }];
  });
}

/** One change for what several operations share. */
function mergeChanges(changes: readonly Change[]): readonly Change[] {
  const merged = new Map<string, Change>();
  for (const change of changes) {
    const key = [change.pointer, change.impact, change.message].join("\n");
    const operations = [...new Set([...(merged.get(key)?.operations ?? []), ...change.operations])].toSorted(
      compareText,
    );
    merged.set(key, { ...change, operations });
  }
  return [...merged.values()];
}

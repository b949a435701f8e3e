import { getLineColLocation, parseYaml, Source } from "@redocly/openapi-core";
import { relative } from "node:path";
import { formatYaml } from "../contract/documentText.ts";
import { attempt, UserError } from "../contract/failures.ts";
import { canonicalJson, elementsOf, isObject, jsonPointer, valueAt } from "../values/json.ts";

/** A YAML file: its absolute path and its text. */
export interface YamlFile {
  readonly file: string;
  readonly text: string;
}

/** An addition to a YAML file, and its place. */
interface Addition {
  /** The keys of the object or list to add to. It need not exist, but its parent must. */
  readonly keys: readonly string[];
  /** An object with new members, or a list of new items. */
  readonly value: Readonly<Record<string, unknown>> | readonly unknown[];
  /** The key or index of the member to insert before. Without one, it is added at the end. */
  readonly before?: string | undefined;
  /** Whether a blank line separates it from the rest, as between the parts of a group's file. */
  readonly isApart?: boolean;
}

/**
 * Adds something to a file. The rest, including comments, stays as written. Throws {@link UserError} if the
 * file's format doesn't allow this.
 */
export function addToYaml({ file, text }: YamlFile, addition: Addition): YamlFile {
  const { keys, value, before, isApart = false } = addition;
  const known = valueAt(parseYaml(text), keys);
  const lines = text.trimEnd().replaceAll("\r\n", "\n").split("\n");
  const start = keys.length === 0 ? -1 : lineOf({ file, text }, keys);
  const holder = lines[start];
  // `paths: {}`, which becomes a block.
  if (holder !== undefined && isEmpty(known)) lines[start] = holder.slice(0, holder.indexOf(":") + 1);
  const indent = " ".repeat(holder === undefined ? 0 : indentOf(holder) + 2);
  const added = formatYaml(value, "double")
    .trimEnd()
    .split("\n")
    .map((line) => `${indent}${line}`);
  const end = before === undefined ? endOfBlock(lines, start) : lineOf({ file, text }, [...keys, before]);
  lines.splice(end, 0, ...(isApart && !isEmpty(known) ? ["", ...added] : added));
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const after = [...lines, ""].join(lineEnd);
  const expected = withAddition(parseYaml(text), addition);
  if (attempt(() => canonicalJson(parseYaml(after))) === canonicalJson(expected)) return { file, text: after };
  const place = `${relative(process.cwd(), file)}#${jsonPointer(keys)}`;
  throw new UserError(`nothing was added, because ${place} is not written in YAML's block style: add it by hand`);
}

function withAddition(holder: unknown, { keys: [key, ...rest], value, before }: Addition): unknown {
  if (key !== undefined) {
    const inner = withAddition(valueAt(holder, [key]), { keys: rest, value, before });
    return { ...(isObject(holder) ? holder : {}), [key]: inner };
  }
  if (isObject(value)) return { ...(isObject(holder) ? holder : {}), ...value };
  const items = elementsOf(holder);
  return items.toSpliced(before === undefined ? items.length : Number(before), 0, ...elementsOf(value));
}

function isEmpty(value: unknown): boolean {
  return Object.keys(value ?? {}).length === 0;
}

/** The index of the line with a key. */
function lineOf({ file, text }: YamlFile, keys: readonly string[]): number {
  const place = { source: new Source(file, text), pointer: `#${jsonPointer(keys)}`, reportOnKey: true };
  return getLineColLocation(place).start.line - 1;
}

/** The index of the line after a block: deeper lines, and the items of a list on the same level. */
function endOfBlock(lines: readonly string[], start: number): number {
  if (start === -1) return lines.length;
  const indent = indentOf(lines[start] ?? "");
  const isWithin = (line: string) => line.trim() === "" || indentOf(line) > indent;
  const next = lines.findIndex((line, index) => index > start && !isWithin(line));
  let end = next === -1 ? lines.length : next;
  while ((lines[end - 1] ?? "").trim() === "") end -= 1;
  return end;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

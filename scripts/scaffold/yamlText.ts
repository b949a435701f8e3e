import { getLineColLocation, parseYaml, Source } from "@redocly/openapi-core";
import { dump } from "js-yaml";
import { relative } from "node:path";
import { attempt, UserError } from "../contract/failures.ts";
import { canonicalJson } from "../contract/text.ts";
import { elementsOf, isObject, jsonPointer, valueAt } from "../spec/json.ts";

/** A YAML file: its absolute path, and its text. */
export interface YamlFile {
  readonly file: string;
  readonly text: string;
}

/** What is added to a YAML file, and where. */
interface Addition {
  /** The keys that lead to the object or list that gets it; it need not be there, but what is around it. */
  readonly keys: readonly string[];
  /** An object with the new members, or a list of the new items. */
  readonly value: Readonly<Record<string, unknown>> | readonly unknown[];
  /** The key of the member that it goes before; without one, it goes behind all of them. */
  readonly before?: string | undefined;
  /** Whether a blank line is between it and what is there, as between the parts of a group's file. */
  readonly isApart?: boolean;
}

/** A value as the YAML of this project is written: in blocks, and in double quotes where quotes are needed. */
export function yamlText(value: object): string {
  return dump(value, { noRefs: true, lineWidth: -1, quoteStyle: "double" });
}

/**
 * The file with something added. All that is there stays as it is written, comments too. Throws {@link UserError} if it is
 * written in a way that does not allow this.
 */
export function addToYaml({ file, text }: YamlFile, addition: Addition): YamlFile {
  const { keys, value, before, isApart = false } = addition;
  const known = valueAt(parseYaml(text), keys);
  const lines = text.trimEnd().replaceAll("\r\n", "\n").split("\n");
  const start = keys.length === 0 ? -1 : lineOf({ file, text }, keys);
  const holder = lines[start];
  // `paths: {}`, which has a block from now on.
  if (holder !== undefined && isEmpty(known)) lines[start] = holder.slice(0, holder.indexOf(":") + 1);
  const indent = " ".repeat(holder === undefined ? 0 : indentOf(holder) + 2);
  const added = yamlText(value)
    .trimEnd()
    .split("\n")
    .map((line) => `${indent}${line}`);
  const end = before === undefined ? endOfBlock(lines, start) : lineOf({ file, text }, [...keys, before]);
  lines.splice(end, 0, ...(isApart && !isEmpty(known) ? ["", ...added] : added));
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const after = [...lines, ""].join(lineEnd);
  const expected = withAddition(parseYaml(text), keys, value);
  if (attempt(() => canonicalJson(parseYaml(after))) === canonicalJson(expected)) return { file, text: after };
  const place = `${relative(process.cwd(), file)}#${jsonPointer(keys)}`;
  throw new UserError(`nothing was added, because ${place} is not written in YAML's block style: add it by hand`);
}

function withAddition(holder: unknown, [key, ...rest]: readonly string[], value: Addition["value"]): unknown {
  if (key !== undefined) {
    const inner = withAddition(valueAt(holder, [key]), rest, value);
    return { ...(isObject(holder) ? holder : {}), [key]: inner };
  }
  if (isObject(value)) return { ...(isObject(holder) ? holder : {}), ...value };
  return [...elementsOf(holder), ...elementsOf(value)];
}

function isEmpty(value: unknown): boolean {
  return Object.keys(value ?? {}).length === 0;
}

/** The index of the line that a key is in. */
function lineOf({ file, text }: YamlFile, keys: readonly string[]): number {
  const place = { source: new Source(file, text), pointer: `#${jsonPointer(keys)}`, reportOnKey: true };
  return getLineColLocation(place).start.line - 1;
}

/** The index of the line behind all that belongs to a line: what is deeper, and the items of a list on its level. */
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

import { countOf, groupBy } from "../contract/text.ts";
import { elementsOf, parseJson } from "../spec/json.ts";
import { jsonPointer, lastKey, pointerKeys, valueAt } from "../spec/jsonPointer.ts";
import type { OpenApiDocument } from "../spec/openapi.ts";
import type { Finding } from "./findings.ts";

/** A line of a source file, counted from 1, and all lines of the file. */
interface SourceLine {
  readonly file: string;
  readonly line: number;
  readonly lines: readonly string[];
}

/** Puts lines before a line, or in its place. */
interface Edit extends SourceLine {
  readonly inserted: readonly string[];
  readonly isReplaced: boolean;
}

interface Proposal extends Pick<Finding, "received"> {
  readonly place: string;
  readonly document: OpenApiDocument;
  /** The line with the key or item that a JSON Pointer leads to, and what it begins with, if it is as expected. */
  readonly find: (pointer: string, expected: RegExp) => (SourceLine & { readonly indent: string }) | undefined;
}

/** The findings that are proposals, by kind, place and what came; and the edit, `undefined` if it cannot be made. */
const proposed: readonly (readonly [Finding["kind"], RegExp, RegExp, (proposal: Proposal) => Edit | undefined])[] = [
  ["evidence", /\/responses\/\dxx$/i, /^\d+$/, nameStatus],
  ["news", /\/x-extensible-enum$/, /./, addValues],
  ["news", /\/properties\/[^/]+$/, /./, addProperty],
  ["evidence", /\/security$/, /^refused with 40[13]$/, requireCredentials],
];

/**
 * Writes what findings propose as a unified diff of the sources, each change with the number of observations in a comment;
 * empty if there is none. `skipped` says what else they propose. `locate` finds a place of a generation's bundle in the
 * sources.
 */
export function writeProposals(
  findings: readonly Finding[],
  documents: ReadonlyMap<string, OpenApiDocument>,
  locate: (generation: string, pointer: string) => SourceLine | undefined,
): { readonly patch: string; readonly skipped: readonly string[] } {
  const edits: Edit[] = [];
  const skipped: string[] = [];
  for (const [kind, pattern, came, makeEdit] of proposed) {
    const fitting = findings.filter(
      (one) => one.kind === kind && pattern.test(one.place) && one.received.every(([text]) => came.test(text)),
    );
    for (const [first, ...others] of groupBy(fitting, ({ generation, place }) => `${generation} ${place}`).values()) {
      const document = documents.get(first?.generation ?? "");
      if (first === undefined || document === undefined) continue;
      const { generation, place } = first;
      const find: Proposal["find"] = (pointer, expected) => {
        const found = locate(generation, pointer);
        const [, indent] = expected.exec(found?.lines[found.line - 1] ?? "") ?? [];
        return found && indent !== undefined ? { ...found, indent } : undefined;
      };
      const received = [first, ...others].flatMap((one) => one.received);
      const edit = makeEdit({ place, document, received, find });
      if (edit === undefined) skipped.push(`${generation} #${place}: ${received.map(([text]) => text).join(", ")}`);
      else edits.push(edit);
    }
  }
  const files = [...groupBy(edits, ({ file }) => file).values()];
  return { patch: files.map(patchOf).join(""), skipped };
}

/** The one status that came for a range of them. */
function nameStatus({ place, received, find }: Proposal): Edit | undefined {
  const [[status, count] = ["", 0], ...others] = received;
  const found = find(place, /^(\s*)["']?\dxx["']?:/i);
  if (found === undefined || others.length > 0) return undefined;
  const named = found.lines[found.line - 1]?.replace(/["']?\dxx["']?:/i, `"${status}":`) ?? "";
  return {
    ...found,
    isReplaced: true,
    inserted: [`${found.indent}# Observed in ${count} of ${count} responses.`, named],
  };
}

/** Values at the end of a list of known ones, unless they are masked or cut off. */
function addValues({ place, document, received, find }: Proposal): Edit | undefined {
  const { length } = elementsOf(valueAt(document, pointerKeys(place)));
  const found = find(`${place}/${length - 1}`, /^(\s*)- \S/);
  const isWhole = received.every(([text]) => parseJson(text) !== undefined && !/\*{3}|…/.test(text));
  if (found === undefined || !isWhole) return undefined;
  const inserted = received.map(([text, count]) => `${found.indent}- ${text} # Observed ${countOf(count, "time")}.`);
  return { ...found, line: found.line + 1, isReplaced: false, inserted };
}

/** A property that is not required, with the types of its values. */
function addProperty({ place, received, find }: Proposal): Edit | undefined {
  const found = find(jsonPointer(pointerKeys(place).slice(0, -1)), /^(\s*)properties:$/);
  const types = [...new Set(received.map(([text]) => typeOf(text)))];
  const [indent = ""] = /^\s*/.exec(found?.lines[found.line] ?? "") ?? [];
  if (found === undefined || indent.length <= found.indent.length || types.every((type) => type === '"null"'))
    return undefined;
  const inserted = [
    `# Observed ${countOf(totalOf(received), "time")}.`,
    `${JSON.stringify(lastKey(place))}:`,
    `  type: ${types.length > 1 ? `[${types.join(", ")}]` : types.join("")}`,
  ];
  return { ...found, line: found.line + 1, isReplaced: false, inserted: inserted.map((line) => indent + line) };
}

function totalOf(received: Proposal["received"]): number {
  return received.reduce((sum, [, count]) => sum + count, 0);
}

/** The type of a value, of which only a description is there. */
function typeOf(text: string): string {
  const [, described] = /^an? (\w+)/.exec(text) ?? [];
  if (described !== undefined) return described;
  if (text.startsWith('"')) return "string";
  if (text === "null") return '"null"';
  if (text === "true" || text === "false") return "boolean";
  return /^-?\d+$/.test(text) ? "integer" : "number";
}

/** Leaves out that no credentials are needed, where all calls without them were refused. */
function requireCredentials({ place, document, received, find }: Proposal): Edit | undefined {
  const alternatives = elementsOf(valueAt(document, pointerKeys(place)));
  const index = alternatives.findIndex((one) => JSON.stringify(one) === "{}");
  const found = find(`${place}/${index}`, /^(\s*)- \{\}$/);
  const count = totalOf(received);
  const inserted = [`${found?.indent ?? ""}# Observed: ${count} of ${count} calls without credentials were refused.`];
  return found && { ...found, isReplaced: true, inserted };
}

/** Lines around edits, by which `git apply` finds them. */
const context = 3;

/** The unified diff of a file, with all edits in one hunk. */
function patchOf(edits: readonly Edit[]): string {
  const [{ file, lines } = { file: "", lines: [] }] = edits;
  const places = edits.map(({ line }) => line);
  const start = Math.max(1, Math.min(...places) - context);
  // An edit may be behind the last line.
  const written = [...lines.slice(start - 1, Math.max(...places) + context), undefined].flatMap((text, index) => {
    const here = edits.filter(({ line }) => line === start + index);
    const sign = here.some(({ isReplaced }) => isReplaced) ? "-" : " ";
    const inserted = here.flatMap((edit) => edit.inserted.map((one) => `+${one}`));
    return text === undefined ? inserted : [...inserted, sign + text];
  });
  const lengths = ["+", "-"].map((sign) => written.filter((one) => !one.startsWith(sign)).length);
  const head = `@@ -${start},${lengths[0] ?? 0} +${start},${lengths[1] ?? 0} @@`;
  return [`--- a/${file}`, `+++ b/${file}`, head, ...written, ""].join("\n");
}

import { Source, type YamlParseError } from "@redocly/openapi-core";
import { isUtf8 } from "node:buffer";
import { globSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { getOrCreate } from "../values/collections.ts";
import { readYamlMessage } from "./foreignMessages.ts";
import { errorAt, placeAt, type LintProblem } from "./lintProblems.ts";

/** The problems of a file that isn't valid YAML, or isn't even text. */
export function fromYamlError(error: YamlParseError): readonly LintProblem[] {
  const { source, line, col } = error;
  const causes = [...findWrongBytes(source), ...findConflicts(source)];
  if (causes.length > 0) return causes;
  const { text: reason, advice, isInQuote } = readYamlMessage(error);
  const open = isInQuote ? findOpenQuote(source.getLines(), line) : undefined;
  if (open !== undefined) {
    const text = "This is not valid YAML: the quote that begins here is not closed.";
    return [errorAt(placeAt(source, ...open), "yaml", text, "Close it at the end of the text.")];
  }
  const place = Number.isNaN(line) ? placeAt(source) : placeAt(source, line, col);
  return [errorAt(place, "yaml", `This is not valid YAML: ${reason}`, advice)];
}

/** Merge conflicts and wrong bytes in all text files of a folder. In Markdown, nothing else would find them. */
export function findDamageIn(folder: string): readonly LintProblem[] {
  return globSync("**/*.{md,yaml,yml,json}", { cwd: resolve(folder) }).flatMap((path) => {
    const file = resolve(folder, path);
    // A folder may have such a name.
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return [];
    const source = new Source(file, readFileSync(file, "utf8"));
    return [...findWrongBytes(source), ...findConflicts(source)];
  });
}

/** The lines of a local file with bytes that aren't UTF-8. Decoding puts U+FFFD in their place. */
export function findWrongBytes(source: Source): readonly LintProblem[] {
  const { body, absoluteRef: file } = source;
  if (!body.includes("\uFFFD")) return [];
  const bytes = readFileSync(file);
  // The decoder finds the character itself, if someone has written it, no mistake.
  if (isUtf8(bytes)) return [];
  const message = "This line has a byte that isn't UTF-8.";
  const suggestion = "Save the file as UTF-8. If it is in Latin-1, `iconv -f latin1 -t utf-8` converts it.";
  return body.split("\n").flatMap((text, index) => {
    const column = text.indexOf("\uFFFD") + 1;
    return column === 0 ? [] : [errorAt(placeAt(source, index + 1, column), "encoding", message, suggestion)];
  });
}

/** Git's conflict markers in a text. */
function findConflicts(source: Source): readonly LintProblem[] {
  if (!source.body.includes("<<<<<<< ")) return [];
  const message = "This is a merge conflict marker.";
  const suggestion =
    "Between `<<<<<<<` and `>>>>>>>` are two versions of these lines, separated by `=======`. Keep the right parts of both, " +
    "and delete the markers.";
  return source
    .getLines()
    .flatMap((text, index) =>
      text.startsWith("<<<<<<< ") ? [errorAt(placeAt(source, index + 1), "merge-conflict", message, suggestion)] : [],
    );
}

/** The last opening quote of a value before some line that isn't closed on its own line. */
function findOpenQuote(lines: readonly string[], before: number): readonly [line: number, column: number] | undefined {
  for (let line = Math.min(before, lines.length); line > 0; line -= 1) {
    const text = (lines[line - 1] ?? "").trimEnd();
    const [opening = "", quote = ""] = /^[^"'#]*?(?:: |- )(["'])/.exec(text) ?? [];
    if (quote !== "" && !text.slice(opening.length).includes(quote)) return [line, opening.length];
  }
  return undefined;
}

/** The most values of a file. Large descriptions have two million. Lint takes minutes for more. */
const maxValues = 10_000_000;

/** Returns whether the aliases in a parsed file repeat so much that it has too many values. It has no cycles. */
export function repeatsTooMuch(content: unknown): boolean {
  const counts = new Map<object, number>();
  const count = (value: unknown): number => {
    if (typeof value !== "object" || value === null) return 1;
    return getOrCreate(counts, value, () => Object.values(value).reduce<number>((sum, one) => sum + count(one), 1));
  };
  return count(content) > maxValues;
}

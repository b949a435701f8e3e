import { onOneLine } from "../values/text.ts";
import { codeOf, phrase, type Code, type Phrase } from "../report/phrase.ts";

/** Values in words: `'a', 'b', 3`. */
export function valueList(values: readonly unknown[]): string {
  return values.map((value) => (typeof value === "string" ? `'${value}'` : JSON.stringify(value))).join(", ");
}

/** The values of a field in two states. */
export interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Says that a field was added, removed or changed, with its values. */
export function fieldPhrase({ field, before, after }: FieldChange): Phrase {
  const name = codeOf(field);
  if (after === undefined) return phrase`${name} was removed.`;
  if (before === undefined) return phrase`${name} was set to ${shortValue(after, true)}.`;
  const isSameType = typeof before === typeof after;
  const [from, to] = [shortValue(before, isSameType), shortValue(after, isSameType)];
  // If long values differ only at the end, the difference isn't shown.
  return from.code === to.code ? phrase`${name} changed.` : phrase`${name} changed from ${from} to ${to}.`;
}

/** A value as code. A string is written as JSON unless it is plain. */
function shortValue(value: unknown, isPlain: boolean): Code {
  const text = typeof value === "string" && isPlain ? value : JSON.stringify(value);
  const line = onOneLine(text);
  return codeOf(line.length > 60 ? `${line.slice(0, 60)}…` : line);
}

/** Fields whose changes are reported without their values, with their names in words where these differ. */
const prose: Readonly<Record<string, string>> = { value: "example", externalDocs: "external documentation" };

/** Says that a text, an example or a similar field was added, removed or changed. */
export function prosePhrase({ field, before, after }: FieldChange): Phrase {
  const has = ["examples", "links", "descriptions of values"].includes(field) ? "were" : "was";
  const kind = kindOf(before, after);
  return [`The ${prose[field] ?? field} ${kind === "changed" ? kind : `${has} ${kind}`}.`];
}

/** Whether a value was added, removed or changed. */
export function kindOf(before: unknown, after: unknown): "added" | "removed" | "changed" {
  if (before === undefined) return "added";
  return after === undefined ? "removed" : "changed";
}

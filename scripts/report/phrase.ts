import { codeSpan } from "../values/markdown.ts";

/** Text in code font: a name, a path or a value. */
export interface Code {
  readonly code: string;
}

/** A sentence, or a part of one, whose code isn't written yet: each format has its own way to write it. */
export type Phrase = readonly (string | Code)[];

export function codeOf(code: string): Code {
  return { code };
}

/** Makes a phrase of a template. Its values are text, code or phrases. */
export function phrase(texts: readonly string[], ...values: readonly (string | Code | Phrase)[]): Phrase {
  return texts.flatMap((text, index) => [text, values[index] ?? []].flat()).filter((part) => part !== "");
}

/** A phrase with its code between backticks. */
export function phraseText(parts: Phrase | string): string {
  if (typeof parts === "string") return parts;
  return parts.map((part) => (typeof part === "string" ? part : codeSpan(part.code))).join("");
}

/** A phrase with its code as it is. */
export function plainText(parts: Phrase): string {
  return parts.map((part) => (typeof part === "string" ? part : part.code)).join("");
}

/** Names as code: `a`, `b`. */
export function codeList(names: readonly string[]): Phrase {
  return names.flatMap((name, index) => (index === 0 ? [codeOf(name)] : [", ", codeOf(name)]));
}

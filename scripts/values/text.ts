/** Compares by code units, so that the order is the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A number of things in words: `1 operation`, `2 operations`. */
export function countOf(count: number | string, noun: string): string {
  return `${String(count)} ${noun}${String(count) === "1" ? "" : "s"}`;
}

/** Names in words: `a, b, and c`, or `a, b, or c` for alternatives. */
export function listInWords(names: readonly string[], type: "conjunction" | "disjunction" = "conjunction"): string {
  return new Intl.ListFormat("en", { type }).format(names);
}

/** The text before the first separator, and the text after it. Only the whole text if it has no separator. */
export function splitOnce(text: string, separator: string): [before: string, after?: string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** Removes an ending from a text, if it has it. */
export function withoutEnd(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, text.length - end.length) : text;
}

/** Removes all slashes at the end of a URL or path. */
export function withoutSlashes(text: string): string {
  return text.replace(/\/+$/, "");
}

/** Returns whether a text consists of decimal digits. */
export function isDigits(text: string): boolean {
  return /^\d+$/.test(text);
}

/** Returns whether a JSON text may have a number that `JSON.parse` rounds: one above 2^53, which has 16 digits. */
export function hasLongNumber(json: string): boolean {
  return /\d{16}/.test(json);
}

/** Replaces each line break and other whitespace with a single space. */
export function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

/** The words of a text: its runs of letters and digits. */
export function wordsIn(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The words of an identifier: `create`, `OAuth` and `Client` for `createOAuthClient`. */
export function splitIdentifier(identifier: string): string[] {
  return identifier.split(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z]{2})(?=[A-Z][a-z])/);
}

/** The words of a sentence, or of a name in camelCase, PascalCase, snake_case or kebab-case, in lower case. */
export function wordsOf(text: string): readonly string[] {
  return wordsIn(text.replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2").toLowerCase());
}

/** An identifier as a title: `create_OAuthClient` becomes `Create OAuth client`. */
export function titleOfIdentifier(identifier: string): string {
  const words = wordsIn(identifier).flatMap(splitIdentifier);
  return capitalize(words.map((word) => (/^[A-Z]{2}/.test(word) ? word : word.toLowerCase())).join(" "));
}

/** A text with its first letter in upper case. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A text with its first letter in lower case. */
export function uncapitalize(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/**
 * Text for an address in the docs: letters of any script in lower case and digits, with hyphens in between. Latin letters
 * lose their accents.
 */
export function slugOf(text: string): string {
  const words = withoutAccents(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.join("-");
}

/** Text for a name that tools read, such as that of a file: as an address, but only with ASCII letters. */
export function asciiSlugOf(text: string): string {
  const words = withoutAccents(text).match(/[a-z0-9]+/g) ?? [];
  return words.join("-");
}

/** A text in lower case and without the accents of Latin letters. */
function withoutAccents(text: string): string {
  const plain = text.normalize("NFKD").replaceAll(/(?<=[a-z])[\u0300-\u036f]+/gi, "");
  return plain.normalize("NFC").toLowerCase().replaceAll("ß", "ss");
}

/** Reserves a name, with a number appended if it is taken. */
export function distinctName(wanted: string, taken: Set<string>, separator = "-"): string {
  let name = wanted;
  for (let count = 2; taken.has(name); count += 1) name = `${wanted}${separator}${count}`;
  taken.add(name);
  return name;
}

/** A regular expression that matches a text literally. Node 20 lacks `RegExp.escape`. */
export function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

/** Escapes text for an XML or HTML element. Replaces characters that no XML may have (XML 1.0, section 2.2). */
export function escapeXml(text: string): string {
  const allowed = text.replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "\ufffd");
  return allowed.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Escapes all but printable ASCII characters as in JSON, for use in a header. */
export function escapeForHeader(text: string): string {
  return escapeCharacters(text, /[^ -~]/g);
}

/**
 * Escapes the characters that would control a terminal, or change the order of a line, as in JSON. Line breaks are among
 * them. So what others wrote stays on its line.
 */
export function escapeControls(text: string): string {
  return escapeCharacters(text, /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu);
}

/** Escapes the same characters in a text of several lines, which keeps its line breaks and tabs. JSON stays valid. */
export function escapeControlsInLines(text: string): string {
  return escapeCharacters(text, /(?!\t|\r?\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu);
}

/** Escapes some characters as in JSON. */
function escapeCharacters(text: string, characters: RegExp): string {
  return text.replaceAll(characters, (one) => String.raw`\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A text without the byte order mark that some editors write at its beginning. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

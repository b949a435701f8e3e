import { parametersOf } from "./mediaTypes.ts";

/** Tells whether a text is a token, as the name of a header field is one (RFC 9110, section 5.6.2). */
export function isToken(text: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(text);
}

/** Tells whether a header field may have a value: visible characters of Latin-1, spaces and tabs (RFC 9110, section 5.5). */
export function isFieldValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

/** The name that a Content-Disposition gives a file (RFC 6266, section 4.1), without folders; `undefined` if it gives none. */
export function fileNameIn(contentDisposition: string): string | undefined {
  const name = parametersOf(contentDisposition).get("filename") ?? "";
  return name.split("/").at(-1) || undefined;
}

/** A text as a quoted string (RFC 9110, section 5.6.4). */
export function quoteText(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

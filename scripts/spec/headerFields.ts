import { parametersOf } from "./mediaTypes.ts";

/** Returns whether a text is a token, like the name of a header field (RFC 9110, section 5.6.2). */
export function isToken(text: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(text);
}

/**
 * Returns whether a text can be the value of a header field: visible characters of Latin-1, spaces and tabs
 * (RFC 9110, section 5.5).
 */
export function isFieldValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

/**
 * The file name in a Content-Disposition (RFC 6266, section 4.1), without folders. `undefined` if there is
 * none.
 */
export function fileNameIn(contentDisposition: string): string | undefined {
  const name = parametersOf(contentDisposition).get("filename") ?? "";
  return name.split("/").at(-1) || undefined;
}

/** A text as a quoted string (RFC 9110, section 5.6.4). */
export function quoteText(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** The pairs of a Cookie header: `name=value` (RFC 6265, section 4.2.1). */
export function splitCookies(header: string): readonly string[] {
  return header.split(/; */);
}

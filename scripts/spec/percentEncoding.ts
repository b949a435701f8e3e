/** Text as it stands between the delimiters of a URL. Halves of surrogate pairs, which UTF-8 has not, become U+FFFD. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, "\ufffd"));
}

/** Text without its percent-encoding; `undefined` if it is not the percent-encoded form of UTF-8. */
export function percentDecode(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Encodes text for the parts of a URL. Lone surrogates, which UTF-8 can't encode, become U+FFFD. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, "\ufffd"));
}

/** Decodes text. Returns `undefined` if it isn't percent-encoded UTF-8. */
export function percentDecode(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The text that is written in base64 or base64url (RFC 4648, sections 4 and 5); `undefined` if it is neither. */
export function decodeBase64(encoded: string): string | undefined {
  try {
    const characters = atob(encoded.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder().decode(Uint8Array.from(characters, (one) => one.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

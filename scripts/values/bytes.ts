/** Returns whether a value is an array of bytes. In Jest, some are not instances of the global Uint8Array. */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value);
}

/** Concatenates pieces of bytes. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0));
  let end = 0;
  for (const piece of pieces) {
    joined.set(piece, end);
    end += piece.length;
  }
  return joined;
}

/** A text with one character per byte. */
export function characterPerByte(bytes: Uint8Array | ArrayBuffer): string {
  return new TextDecoder("latin1").decode(bytes);
}

/** Decodes base64 or base64url (RFC 4648, sections 4 and 5). Throws if the text is neither. */
export function bytesOfBase64(encoded: string): Uint8Array {
  return Uint8Array.from(atob(encoded.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
}

/** Decodes text in base64 or base64url. Returns `undefined` if it is neither. */
export function decodeBase64(encoded: string): string | undefined {
  try {
    return new TextDecoder().decode(bytesOfBase64(encoded));
  } catch {
    return undefined;
  }
}

/** Tells whether a value is an array of bytes. In Jest, not all of them are instances of the global Uint8Array. */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value);
}

/** The bytes of some pieces, one after another. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0));
  let end = 0;
  for (const piece of pieces) {
    joined.set(piece, end);
    end += piece.length;
  }
  return joined;
}

/** The text of some bytes, with a character for each. */
export function characterPerByte(bytes: Uint8Array | ArrayBuffer): string {
  return new TextDecoder("latin1").decode(bytes);
}

/** The bytes that a text of base64 or base64url stands for (RFC 4648, sections 4 and 5). Throws if it is neither. */
export function bytesOfBase64(encoded: string): Uint8Array {
  return Uint8Array.from(atob(encoded.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
}

/** The text that is written in base64 or base64url; `undefined` if it is neither. */
export function decodeBase64(encoded: string): string | undefined {
  try {
    return new TextDecoder().decode(bytesOfBase64(encoded));
  } catch {
    return undefined;
  }
}

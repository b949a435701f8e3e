import { escapeControls } from "../contract/text.ts";
import { inflateRawSync } from "node:zlib";
import { attempt, UserError } from "../contract/failures.ts";

/** The maximum size of everything that is read from an archive, in bytes. */
const largestContent = 2 ** 29;

/** Checks for the signature of a ZIP archive. */
export function isZip(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 4)).toString("latin1") === "PK\u0003\u0004";
}

/**
 * Makes functions that list and read the files in a ZIP archive (APPNOTE 6.3.10, sections 4.3.7 to 4.3.16). Skips files
 * that are encrypted or use a compression other than Deflate. Throws {@link UserError} if there is no directory. `file`
 * is its name in the message.
 */
export function openZip(content: Uint8Array, file: string) {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const places = attempt(() => readDirectory(bytes));
  if (places === undefined) throw new UserError(`${file} isn't a ZIP archive, or is damaged`);
  // A small archive may name the same large file many times.
  const contents = new Map<string, Uint8Array>();
  let left = largestContent;
  return {
    names: [...places.keys()],
    /** Returns the content of a file, `undefined` if it doesn't exist. Throws {@link UserError} if it can't be read. */
    read: (name: string): Uint8Array | undefined => {
      const place = places.get(name);
      if (place === undefined) return undefined;
      const found = contents.get(name) ?? attempt(() => readEntry(bytes, place, left));
      const reasons = `broken, encrypted, or more than ${largestContent / 2 ** 20} MiB with what was read before`;
      if (found === undefined)
        throw new UserError(`${escapeControls(name)} in ${file} can't be read: it is ${reasons}`);
      if (!contents.has(name)) left -= found.length;
      contents.set(name, found);
      return found;
    },
  };
}

/** The position and format of a file in an archive. */
interface ZipPlace {
  /** `undefined` if it is encrypted. */
  readonly method: number | undefined;
  readonly size: number;
  readonly start: number;
}

/** The files by name, from the directory at the end of an archive. */
function readDirectory(bytes: Buffer): ReadonlyMap<string, ZipPlace> | undefined {
  const end = bytes.lastIndexOf("PK\u0005\u0006", undefined, "latin1");
  const places = new Map<string, ZipPlace>();
  if (end === -1) return undefined;
  let at = bytes.readUInt32LE(end + 16);
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count -= 1) {
    const lengths = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    const [nameLength = 0] = lengths;
    const name = bytes.toString("utf8", at + 46, at + 46 + nameLength);
    const isEncrypted = (bytes.readUInt16LE(at + 8) & 1) === 1;
    const place = { method: isEncrypted ? undefined : bytes.readUInt16LE(at + 10), size: bytes.readUInt32LE(at + 20) };
    places.set(name, { ...place, start: bytes.readUInt32LE(at + 42) });
    at += 46 + lengths.reduce((sum, length) => sum + length, 0);
  }
  return places;
}

/** The content of a file; `undefined` if it is encrypted, cut off, or compressed in another way. Throws if it is too large. */
function readEntry(bytes: Buffer, { method, size, start }: ZipPlace, limit: number): Uint8Array | undefined {
  const begin = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28);
  const written = bytes.subarray(begin, begin + size);
  if (written.length < size || limit < 1) return undefined;
  if (method === 0) return size > limit ? undefined : written;
  return method === 8 ? inflateRawSync(written, { maxOutputLength: limit }) : undefined;
}

import { isDigits } from "../../values/text.ts";

const uuid = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;
const [digits, lower] = ["0123456789", "abcdefghijklmnopqrstuvwxyz"];
/** Fewer possible texts than this could run out. */
const enough = 2n ** 32n;

/**
 * The nth value with an example's type and form. Each n below 2^32 has a different value, and the same n
 * always has the same one. Values other than numbers and text have no variants.
 */
export function variantOf(example: unknown, n: number): unknown {
  if (typeof example === "number") return Math.trunc(example) + n;
  if (typeof example !== "string") return example;
  const isUrl = example.startsWith("http://") || example.startsWith("https://");
  if (isUrl && URL.canParse(example)) return variantOfUrl(example, n);
  // Prefixes that show the kind (`rec_2f6c81d9`) stay, and so does the version of a UUID.
  const lastPart = Math.max(example.lastIndexOf("_"), example.lastIndexOf("-")) + 1;
  const start = uuid.test(example) ? 24 : lastPart;
  return example.slice(0, start) + permute(example.slice(start), n);
}

/** Hashes a text to a whole number from 0 to 2^32 - 1 (FNV-1a). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

function variantOfUrl(example: string, n: number): string {
  const url = new URL(example);
  url.searchParams.set("renewal", String(n));
  return url.href;
}

/**
 * Reads a text as a number whose digits are its letters and digits, each within its alphabet, and adds n
 * steps. The step is coprime to the number of possible texts, so none comes twice.
 */
function permute(text: string, n: number): string {
  if (isDigits(text) && !text.startsWith("0")) return String(BigInt(text) + BigInt(n));
  const alphabets = alphabetsOf(text);
  const count = alphabets.reduce((product, { length }) => product * BigInt(length), 1n);
  if (count < enough) return `${text}${n}`;
  let rest = alphabets.reduce(
    (sum, alphabet, i) => sum * BigInt(alphabet.length) + BigInt(alphabet.indexOf(text[i] ?? "")),
    0n,
  );
  rest = (rest + BigInt(n) * stepFor(count)) % count;
  return alphabets.reduceRight((end, alphabet) => {
    const size = BigInt(alphabet.length);
    const character = alphabet[Number(rest % size)] ?? "";
    rest /= size;
    return character + end;
  }, "");
}

/**
 * The alphabet of each character. For text that may be hexadecimal, it's the hexadecimal digits. Other
 * characters stay as they are.
 */
function alphabetsOf(text: string): readonly string[] {
  const characters = Array.from(text);
  const hasDigit = characters.some((character) => digits.includes(character));
  const hexadecimal = [`${digits}abcdef`, `${digits}ABCDEF`].find((alphabet) =>
    characters.every((character) => alphabet.includes(character)),
  );
  if (hasDigit && hexadecimal !== undefined) return characters.map(() => hexadecimal);
  const alphabets = [digits, lower, lower.toUpperCase()];
  return characters.map((character) => alphabets.find((alphabet) => alphabet.includes(character)) ?? character);
}

/** About 0.62 of a count, so that neighbors look different, without a common factor with 10, 16 or 26. */
function stepFor(count: bigint): bigint {
  let step = (count * 618n) / 1000n;
  while (step % 2n === 0n || step % 5n === 0n || step % 13n === 0n) step += 1n;
  return step;
}

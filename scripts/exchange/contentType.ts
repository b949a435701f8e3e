import { essenceOf, parametersOf } from "../spec/mediaTypes.ts";
import { isToken, quoteText } from "../spec/headerFields.ts";

/** A media type in a message (RFC 9110, section 8.3.1). */
export interface SentMediaType {
  /** Without its parameters, in lower case. */
  readonly essence: string;
  /** By lower-case name. */
  readonly params: ReadonlyMap<string, string>;
  /** Normalized, however it was written. */
  readonly toString: () => string;
}

/** In characters. Legitimate media types are shorter. */
const maxTypeLength = 1_000;

/** Reads a media type. Returns `undefined` if the text isn't one. */
export function readMediaType(text: string): SentMediaType | undefined {
  const essence = essenceOf(text);
  const names = essence.split("/");
  if (text.length > maxTypeLength || names.length !== 2 || !names.every(isToken)) return undefined;
  const params = parametersOf(text);
  const write = ([name, value]: readonly [string, string]) => `;${name}=${isToken(value) ? value : quoteText(value)}`;
  return { essence, params, toString: () => essence + Array.from(params, write).join("") };
}

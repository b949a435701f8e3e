/**
 * How a style serializes a value (OpenAPI 3.1.1, section 4.8.12.6). The parts of a list are its items. The
 * parts of an object are its names and values.
 */
export interface StyleNotation {
  /** The prefix of a value. */
  readonly prefix: string;
  /** The delimiter between the parts of a value that isn't exploded. A URL may have to percent-encode it. */
  readonly delimiter: string;
  /**
   * The delimiter between exploded items, or members such as `name=value`. `undefined` if each is a separate
   * pair.
   */
  readonly explodedDelimiter: string | undefined;
  /**
   * Whether the parameter's name precedes a value, or each exploded item, without being the name of a pair:
   * `;name=1`.
   */
  readonly isNamed: boolean;
}

const form: StyleNotation = { prefix: "", delimiter: ",", explodedDelimiter: undefined, isNamed: false };

const notations: ReadonlyMap<string, StyleNotation> = new Map([
  ["form", form],
  ["spaceDelimited", { ...form, delimiter: " " }],
  ["pipeDelimited", { ...form, delimiter: "|" }],
  ["simple", { prefix: "", delimiter: ",", explodedDelimiter: ",", isNamed: false }],
  ["label", { prefix: ".", delimiter: ",", explodedDelimiter: ".", isNamed: false }],
  ["matrix", { prefix: ";", delimiter: ",", explodedDelimiter: ";", isNamed: true }],
]);

/**
 * The notation of a style. `deepObject` has none, because it serializes an object as pairs with names like
 * `name[member]`.
 */
export function notationOf(style: string): StyleNotation {
  return notations.get(style) ?? form;
}

/**
 * The style of a parameter in a place such as `query`, and whether it is exploded, with defaults for missing
 * fields (OpenAPI 3.1.1, section 4.8.12.2.2). Fields of a form have the defaults of `query` (section 4.8.15).
 */
export function styleOf(
  place: string,
  given: { readonly style?: string | undefined; readonly explode?: boolean | undefined },
): { readonly style: string; readonly explode: boolean } {
  const usual = place === "query" || place === "cookie" ? "form" : "simple";
  const { style = usual, explode = style === "form" } = given;
  return { style, explode };
}

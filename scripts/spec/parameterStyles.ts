/** How a style writes a value (OpenAPI 3.1.1, section 4.8.12.6). The parts of a list are its items, those of an object its names and values. */
export interface StyleNotation {
  /** What a value begins with. */
  readonly prefix: string;
  /** What stands between the parts of a value that is not exploded. A URL may have to percent-encode it. */
  readonly delimiter: string;
  /** What stands between items, or members such as `name=value`, if exploded; `undefined` if each is a pair of its own. */
  readonly explodedDelimiter: string | undefined;
  /** Whether a value, or each exploded item, has the parameter's name before it, which is not that of a pair: `;name=1`. */
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

/** The notation of a style. `deepObject` has none: it writes an object as pairs whose names are like `name[member]`. */
export function notationOf(style: string): StyleNotation {
  return notations.get(style) ?? form;
}

/**
 * The style of a parameter in a place such as `query`, and whether it is exploded, with the defaults for what is not given
 * (OpenAPI 3.1.1, section 4.8.12.2.2). Fields of a form have the defaults of `query` (section 4.8.15).
 */
export function styleOf(
  place: string,
  given: { readonly style?: string | undefined; readonly explode?: boolean | undefined },
): { readonly style: string; readonly explode: boolean } {
  const usual = place === "query" || place === "cookie" ? "form" : "simple";
  const { style = usual, explode = style === "form" } = given;
  return { style, explode };
}

/**
 * Returns whether a media type is JSON: `application/json`, or one with the suffix `+json` (RFC 6839, section
 * 3.1).
 */
export function isJson(mediaType: string): boolean {
  const essence = essenceOf(mediaType);
  return essence.endsWith("/json") || essence.endsWith("+json");
}

/** A media type without its parameters, in lower case (RFC 9110, section 8.3.1). */
export function essenceOf(mediaType: string): string {
  return (mediaType.split(";")[0] ?? "").trim().toLowerCase();
}

/** Parameters that don't distinguish contents. Each body has its own boundary, and JSON is always UTF-8. */
const ownParameters = ["boundary", "charset"];

/** The parameters that distinguish a media type from others. */
function tellingParametersOf(mediaType: string): ReadonlyMap<string, string> {
  const parameters = parametersOf(mediaType);
  for (const name of ownParameters) parameters.delete(name);
  return parameters;
}

/** A media type in one spelling: in lower case, with the parameters that distinguish it in order. */
export function normalizeMediaType(mediaType: string): string {
  const parameters = [...tellingParametersOf(mediaType)].map(([name, value]) => `; ${name}=${value}`);
  return [essenceOf(mediaType), ...parameters.sort()].join("");
}

/**
 * The parameters of a media type, with lower-case names and unquoted values. If a name is repeated, the first
 * value applies.
 */
export function parametersOf(mediaType: string): Map<string, string> {
  const parameters = new Map<string, string>();
  if (!mediaType.includes(";")) return parameters;
  for (const [, name = "", quoted, plain = ""] of mediaType.matchAll(parameter)) {
    const value = quoted === undefined ? plain.trim() : unescapeQuoted(quoted);
    if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value);
  }
  return parameters;
}

/** The text within a quoted string (RFC 9110, section 5.6.4), without its backslashes. */
export function unescapeQuoted(text: string): string {
  return text.replaceAll(/\\(.)/g, "$1");
}

/** A name and a value, quoted or not (RFC 9110, section 5.6.6). */
const parameter = /;\s*([^\s=;"]+)=(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/g;

/**
 * The content that describes a body of a media type. If there are several, it's the most specific one in any
 * order (OpenAPI 3.1.1, section 4.8.13). A type is more specific than a range, and more parameters are more
 * specific than fewer. The media type must have all of them.
 */
export function contentOfType<Content extends { readonly mediaType: string }>(
  contents: readonly Content[],
  mediaType: string,
): Content | undefined {
  const sent = tellingParametersOf(mediaType);
  const described = contents.filter((content) => {
    const required = [...tellingParametersOf(content.mediaType)];
    const hasAll = required.every(([name, value]) => sent.get(name) === value);
    return hasAll && fallsUnder(essenceOf(mediaType), content.mediaType);
  });
  const [mostSpecific] = described.sort((a, b) => compareSpecificity(a.mediaType, b.mediaType));
  return mostSpecific;
}

function compareSpecificity(a: string, b: string): number {
  const asterisksIn = (declared: string) => essenceOf(declared).split("*").length;
  return asterisksIn(a) - asterisksIn(b) || tellingParametersOf(b).size - tellingParametersOf(a).size;
}

/**
 * Returns whether a media type, without parameters, is included in another one or in a range such as
 * `text/*`.
 */
export function fallsUnder(essence: string, declared: string): boolean {
  const range = essenceOf(declared);
  return range === essence || range === "*/*" || (range.endsWith("/*") && essence.startsWith(range.slice(0, -1)));
}

/** Returns whether a media type, without parameters, is that of a form (OpenAPI 3.1.1, section 4.8.14). */
export function isForm(essence: string): boolean {
  return essence === "application/x-www-form-urlencoded" || essence === "multipart/form-data";
}

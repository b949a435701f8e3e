/** Tells whether a media type is JSON: `application/json`, or one with the suffix `+json` (RFC 6839, section 3.1). */
export function isJson(mediaType: string): boolean {
  const essence = essenceOf(mediaType);
  return essence.endsWith("/json") || essence.endsWith("+json");
}

/** Tells whether a media type is XML: `application/xml`, or another one with the suffix `+xml` (RFC 7303, sections 9.1 and 8.1). */
export function isXml(mediaType: string): boolean {
  const essence = essenceOf(mediaType);
  return essence === "application/xml" || (essence.startsWith("application/") && essence.endsWith("+xml"));
}

/** A media type without its parameters (RFC 9110, section 8.3.1), in lower case. */
export function essenceOf(mediaType: string): string {
  return (mediaType.split(";")[0] ?? "").trim().toLowerCase();
}

/** Parameters that don't tell contents apart: a body has a boundary of its own, and JSON no charset but UTF-8. */
const ownParameters = ["boundary", "charset"];

/** The parameters of a media type that tell it from others. */
function tellingParametersOf(mediaType: string): ReadonlyMap<string, string> {
  const parameters = parametersOf(mediaType);
  for (const name of ownParameters) parameters.delete(name);
  return parameters;
}

/** The parameters of a media type, with names in lower case and values without quotes. Of two with a name, it's the first. */
export function parametersOf(mediaType: string): Map<string, string> {
  const parameters = new Map<string, string>();
  if (!mediaType.includes(";")) return parameters;
  for (const [, name = "", quoted, plain = ""] of mediaType.matchAll(parameter)) {
    const value = quoted === undefined ? plain.trim() : unescapeQuoted(quoted);
    if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value);
  }
  return parameters;
}

/** What stands between the quotes of a quoted string (RFC 9110, section 5.6.4), without its backslashes. */
export function unescapeQuoted(text: string): string {
  return text.replaceAll(/\\(.)/g, "$1");
}

/** A name, and a value that is in quotes or not (RFC 9110, section 5.6.6). */
const parameter = /;\s*([^\s=;"]+)=(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/g;

/**
 * The content that describes a body of a media type. If several do, it is the most specific one, whatever their order
 * (OpenAPI 3.1.1, section 4.8.13): a type rather than a range, and of two alike the one with more parameters, all of which
 * the media type must have.
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

/** Tells whether a media type, without parameters, falls under another or under a range such as `text/*`. */
export function fallsUnder(essence: string, declared: string): boolean {
  const range = essenceOf(declared);
  return range === essence || range === "*/*" || (range.endsWith("/*") && essence.startsWith(range.slice(0, -1)));
}

/** Tells whether a media type, without parameters, is one of a form (OpenAPI 3.1.1, section 4.8.14). */
export function isForm(essence: string): boolean {
  return essence === "application/x-www-form-urlencoded" || essence === "multipart/form-data";
}

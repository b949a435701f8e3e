/** Tells whether a media type is JSON: `application/json`, or one with the suffix `+json` (RFC 6839, section 3.1). */
export function isJson(mediaType: string): boolean {
  return /^[^;]*[/+]json\s*(?:;|$)/i.test(mediaType);
}

/** A media type without its parameters (RFC 9110, section 8.3.1), in lower case. */
export function essenceOf(mediaType: string): string {
  return (mediaType.split(";")[0] ?? "").trim().toLowerCase();
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

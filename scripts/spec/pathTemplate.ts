/** Names in braces, in the paths of operations and in the URLs of servers: `/teams/{teamId}` (OpenAPI 3.1.1, section 4.8.8). */
const inBraces = /\{([^{}]+)\}/g;

/** The names of a path's parameters, in order. */
export function pathParameters(path: string): readonly string[] {
  return Array.from(path.matchAll(inBraces), ([, name = ""]) => name);
}

/** Replaces each parameter of a template, including its braces. */
export function fillTemplate(template: string, valueOf: (name: string) => string): string {
  return template.replaceAll(inBraces, (_, name: string) => valueOf(name));
}

/** Returns whether a value can be a path segment. Dot segments lead to another path (RFC 3986, section 5.2.4). */
export function isSegment(value: unknown): boolean {
  if (typeof value === "string") return !["", ".", ".."].includes(value);
  return typeof value === "number";
}

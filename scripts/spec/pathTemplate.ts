/** Names in braces, in the paths of operations and in the URLs of servers: `/teams/{teamId}` (OpenAPI 3.1.1, section 4.8.8). */
const inBraces = /\{([^{}]+)\}/g;

/** The names of the parameters in a path, in their order. */
export function pathParameters(path: string): readonly string[] {
  return Array.from(path.matchAll(inBraces), ([, name = ""]) => name);
}

/** A template with something else for each of its parameters, braces included. */
export function fillTemplate(template: string, valueOf: (name: string) => string): string {
  return template.replaceAll(inBraces, (_, name: string) => valueOf(name));
}

/** Tells whether a value can be a segment of a path: dots lead to another path (RFC 3986, section 5.2.4). */
export function isSegment(value: unknown): boolean {
  if (typeof value === "string") return !["", ".", ".."].includes(value);
  return typeof value === "number";
}

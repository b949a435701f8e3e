import { defaultPathSerializer } from "openapi-fetch";

/**
 * Fills the parameters of a path template, percent-encoded.
 * Throws for a value that would lead to another path: none, an empty one, and one that leaves `.` or `..` as a segment,
 * which a URL cannot hold, not even percent-encoded (URL Standard, section 4.4).
 */
export function fillPath(template: string, values: Record<string, unknown>): string {
  for (const [, name = ""] of template.matchAll(/\{([^{}]+)\}/g)) {
    if ([undefined, null, ""].some((nothing) => nothing === values[name])) {
      throw new TypeError(`The path parameter ${name} of ${template} is empty.`);
    }
  }
  const path = defaultPathSerializer(template, values);
  if (/\/\.\.?(\/|$)/.test(path)) throw new TypeError(`No path parameter of ${template} can be "." or "..".`);
  return path;
}

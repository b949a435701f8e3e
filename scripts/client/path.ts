import { defaultPathSerializer } from "openapi-fetch";

/**
 * Fills the parameters of a path template, percent-encoded.
 * Throws for a value that would lead to another path: none, an empty one, and `.` and `..`, which cannot be segments of a
 * URL, not even percent-encoded (URL Standard, section 4.4).
 */
export function fillPath(template: string, values: Record<string, unknown>): string {
  for (const [, name = ""] of template.matchAll(/\{([^{}]+)\}/g)) {
    const value = values[name] ?? "";
    if (value === "" || value === "." || value === "..") {
      throw new TypeError(`${template}: ${name} cannot be "${value}"`);
    }
  }
  return defaultPathSerializer(template, values);
}

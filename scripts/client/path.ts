import { defaultPathSerializer } from "openapi-fetch";

/**
 * Fills the parameters of a path template, percent-encoded.
 * Throws a {@link TypeError} where a segment with a parameter would lead to another path: without a value, empty, `.` or
 * `..`, which cannot be segments of a URL, not even percent-encoded (URL Standard, section 4.4), and with a delimiter:
 * openapi-fetch (0.17) encodes the values of an object, but not its keys.
 */
export function fillPath(template: string, values: Record<string, unknown>): string {
  return template.replace(/[^/]*\{[^/]*/g, (segment) => {
    let filled = "";
    try {
      filled = defaultPathSerializer(segment, values);
    } catch {
      // Half of a surrogate pair cannot be encoded.
    }
    if (/^(\.|%2e){0,2}$|[{/\\?#]/i.test(filled)) {
      throw new TypeError(`${template}: ${segment} has no value, or one that cannot be a segment of a path`);
    }
    return filled;
  });
}

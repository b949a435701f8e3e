/**
 * Fills in the parameters of a path template, percent-encoded, in the style `simple`, which is the default (OpenAPI 3.1.1,
 * section 4.8.12.3). Throws a {@link TypeError} if a parameter has no value, or if its segment would be empty, `.` or `..`:
 * these lead to another path, even percent-encoded (URL Standard, section 4.4).
 */
export function fillPath(template: string, values: Record<string, unknown>): string {
  return template.replace(/[^/]*\{[^/]*/g, (segment) => {
    let filled = "";
    try {
      filled = segment.replace(/\{(.*?)\}/g, (_, name: string) => serialize(values[name]));
    } catch {
      // Reported below. Half of a surrogate pair cannot be encoded.
    }
    if (/^(\.|%2e){0,2}$/i.test(filled)) {
      throw new TypeError(`${template}: ${segment} has no value, or one that cannot be a segment of a path`);
    }
    return filled;
  });
}

function serialize(value: unknown): string {
  if (value === undefined || value === null) throw new TypeError("no value");
  const object = typeof value === "object" ? Object.entries(value).flat() : [value];
  const parts: readonly unknown[] = Array.isArray(value) ? value : object;
  return parts.map((part) => encodeURIComponent(String(part))).join();
}

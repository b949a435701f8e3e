/** The JSON type of a value. */
export function jsonType(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

/** Returns whether a value has a type of JSON Schema (2020-12 Validation, section 6.1.1). */
export function isOfType(value: unknown, type: string): boolean {
  return type === "integer" ? Number.isInteger(value) : jsonType(value) === type;
}

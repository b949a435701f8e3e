/* The names of responses in a Responses Object: a status code, a range such as `2XX`, or `default` (OpenAPI 3.1.1, section 4.8.16.2). */

/** Returns whether a name is `default`, ignoring case. */
export function isDefaultStatus(status: string): boolean {
  return status.toLowerCase() === "default";
}

/** Returns whether a name is a range such as `2XX`, ignoring case. */
export function isStatusRange(status: string): boolean {
  return status.length === 3 && status.toUpperCase().endsWith("XX");
}

/** Returns whether a name is that of a success, or of a range of successes. */
export function isSuccessStatus(status: string): boolean {
  return status.startsWith("2");
}

/** Returns whether a name is that of a failure, or of a range of failures. */
export function isFailureStatus(status: string): boolean {
  return status.startsWith("4") || status.startsWith("5");
}

/** The first status code of a name: itself, the lowest code of a range, or 200 for `default`. */
export function firstStatus(status: string): string {
  if (isDefaultStatus(status)) return "200";
  return isStatusRange(status) ? `${status.charAt(0)}00` : status;
}

/** Status codes of responses without content (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). */
export const withoutContent: ReadonlySet<number> = new Set([204, 205, 304]);

/* The names of responses in a Responses Object: a status code, a range such as `2XX`, or `default` (OpenAPI 3.1.1, section 4.8.16.2). */

/** Tells whether a name is `default`, however it is written. */
export function isDefaultStatus(status: string): boolean {
  return status.toLowerCase() === "default";
}

/** Tells whether a name is a range such as `2XX`, however it is written. */
export function isStatusRange(status: string): boolean {
  return status.length === 3 && status.toUpperCase().endsWith("XX");
}

/** Tells whether a name is that of a success, or of a range of them. */
export function isSuccessStatus(status: string): boolean {
  return status.startsWith("2");
}

/** Tells whether a name is that of a failure, or of a range of them. */
export function isFailureStatus(status: string): boolean {
  return status.startsWith("4") || status.startsWith("5");
}

/** The status code that a name stands for first: itself, the lowest of a range, and 200 of `default`. */
export function firstStatus(status: string): string {
  if (isDefaultStatus(status)) return "200";
  return isStatusRange(status) ? `${status.charAt(0)}00` : status;
}

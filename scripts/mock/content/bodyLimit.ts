/** In bytes. */
export const defaultBodyLimit = 2 ** 20;

/** In bytes. Larger JSON may have more objects, arrays and members than the mock reads. */
export const maxBodyLimit = 2 ** 26;

export function isBodyLimit(size: number): boolean {
  return Number.isInteger(size) && size >= 1 && size <= maxBodyLimit;
}

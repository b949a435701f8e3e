import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { attempt, errorCode, messageOf, UserError } from "../contract/failures.ts";
import { meantName } from "../values/similarName.ts";

/** The error for a file that a person has named and that cannot be read. If there is none, it may suggest another. */
export function unreadable(file: string, error: unknown): UserError {
  const meant = errorCode(error) === "ENOENT" ? similarFile(file) : undefined;
  return new UserError(
    meant === undefined ? `${file} cannot be read: ${messageOf(error)}` : `there is no ${file}: did you mean ${meant}?`,
  );
}

/** The file in the same folder that was probably meant by the name of a missing one. `undefined` if there is none. */
export function similarFile(file: string): string | undefined {
  const others = attempt(() => readdirSync(dirname(file))) ?? [];
  const meant = meantName(basename(file), others);
  return meant === undefined ? undefined : join(dirname(file), meant);
}

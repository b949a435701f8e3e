import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { attempt, errorCode, messageOf, UserError } from "../contract/failures.ts";
import { meantName } from "../contract/similarName.ts";

/** The error for a file that a person has named and that cannot be read. If there is none, it may suggest another. */
export function unreadable(file: string, error: unknown): UserError {
  const reason = `${file} cannot be read: ${messageOf(error)}`;
  if (errorCode(error) !== "ENOENT") return new UserError(reason);
  const others = attempt(() => readdirSync(dirname(file))) ?? [];
  const meant = meantName(basename(file), others);
  return new UserError(
    meant === undefined ? reason : `there is no ${file}: did you mean ${join(dirname(file), meant)}?`,
  );
}

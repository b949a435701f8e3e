import { access, constants, lstat, readFile, realpath, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { ifAbsent, messageOf, UserError } from "../contract/failures.ts";
import { isOwnHar } from "./har.ts";

/** The file of an archive. */
export interface HarFile {
  readonly name: string;
  /** True if any existing file may be replaced. Otherwise only an archive that this program wrote. */
  readonly isForced: boolean;
}

/** Throws {@link UserError} if an archive can't be written to the file, or the file must not be replaced. */
export async function checkHarFile({ name, isForced }: HarFile): Promise<void> {
  if (name === "") throw new UserError("--har-out needs a file name");
  const file = await realpath(name).catch(ifAbsent(name)).catch(refuse(name));
  await access(dirname(file), constants.W_OK).catch(refuse(name));
  const found = await stat(file).catch(ifAbsent(undefined)).catch(refuse(name));
  if (found === undefined) {
    const link = await lstat(name).catch(ifAbsent(undefined)).catch(refuse(name));
    if (link === undefined) return;
    throw new UserError(`${name} is a link to a missing file. Name a file with --har-out`);
  }
  if (!found.isFile()) throw new UserError(`${name} isn't a file. Name a file with --har-out`);
  // Anyone who can write to the folder could replace the file anyway.
  if ((found.mode & 0o222) === 0 && !isForced)
    throw new UserError(`${name} is read-only. Name another file with --har-out, or use --force`);
  if (isForced || isOwnHar(await readFile(file, "utf8").catch(refuse(name)))) return;
  throw new UserError(
    `${name} already exists, and this command didn't write it. Name another file with --har-out, or replace it with --force`,
  );
}

/** The name of the temporary file next to the archive. A link stays a link. */
export async function asideOf({ name }: HarFile): Promise<string> {
  const file = await realpath(name).catch(ifAbsent(name));
  return `${file}.${process.pid}.new`;
}

/**
 * Moves a finished archive into place, so that the file is never half written. If another program has changed the file
 * in the meantime, that content stays, and the archive keeps its temporary name.
 */
export async function moveIntoPlace(har: HarFile, aside: string): Promise<void> {
  const { name } = har;
  const file = await realpath(name).catch(ifAbsent(name));
  await checkHarFile(har).catch((error: unknown) => {
    throw new UserError(`${messageOf(error)}. The recording is in ${aside}`);
  });
  await rename(aside, file);
}

/** Makes a function that throws {@link UserError} because a file can't be written. */
export function refuse(name: string): (error: unknown) => never {
  return (error) => {
    throw new UserError(`${name} can't be written: ${messageOf(error)}`);
  };
}

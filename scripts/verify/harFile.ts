import { access, constants, lstat, readFile, realpath, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { ifAbsent, messageOf, UserError } from "../contract/failures.ts";
import { isOwnHar } from "./har.ts";

/** Where an archive is written. */
export interface HarFile {
  readonly name: string;
  /** True if whatever file is there may be replaced; otherwise only an archive that was written here before. */
  readonly isForced: boolean;
}

/** Throws {@link UserError} if an archive cannot be written to a file, or something else is in it. */
export async function checkHarFile({ name, isForced }: HarFile): Promise<void> {
  if (name === "") throw new UserError("--har-out needs the name of a file");
  const file = await realpath(name).catch(ifAbsent(name)).catch(refuse(name));
  await access(dirname(file), constants.W_OK).catch(refuse(name));
  const found = await stat(file).catch(ifAbsent(undefined)).catch(refuse(name));
  if (found === undefined) {
    const link = await lstat(name).catch(ifAbsent(undefined)).catch(refuse(name));
    if (link === undefined) return;
    throw new UserError(`${name} is a link that leads nowhere: name a file with --har-out`);
  }
  if (!found.isFile()) throw new UserError(`${name} is no file: name another with --har-out`);
  // Who may write to the folder could replace it all the same.
  if ((found.mode & 0o222) === 0 && !isForced)
    throw new UserError(`${name} is read-only: name another with --har-out, or use --force`);
  if (isForced || isOwnHar(await readFile(file, "utf8").catch(refuse(name)))) return;
  throw new UserError(
    `${name} is there already, and this command did not write it: name another file with --har-out, or replace it with --force`,
  );
}

/** The name of the file in which an archive is written until it is moved into its place. A link stays one. */
export async function asideOf({ name }: HarFile): Promise<string> {
  const file = await realpath(name).catch(ifAbsent(name));
  return `${file}.${process.pid}.new`;
}

/**
 * Moves an archive that was written aside into its place: the file is never half written, and if somebody has saved something
 * else there meanwhile, that stays, and the archive stays aside.
 */
export async function moveIntoPlace(har: HarFile, aside: string): Promise<void> {
  const { name } = har;
  const file = await realpath(name).catch(ifAbsent(name));
  await checkHarFile(har).catch((error: unknown) => {
    throw new UserError(`${messageOf(error)}. What was recorded is in ${aside}`);
  });
  await rename(aside, file);
}

/** Makes a function that throws {@link UserError}, because a file cannot be written. */
export function refuse(name: string): (error: unknown) => never {
  return (error) => {
    throw new UserError(`${name} cannot be written: ${messageOf(error)}`);
  };
}

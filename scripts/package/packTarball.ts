import { execFile } from "node:child_process";
import { mkdtempDisposable, readdir, rename } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { messageOf, UserError } from "../contract/failures.ts";

/**
 * Packs a folder as npm publishes it. The tarball's name has no version, so that a project which installs a
 * later one from there keeps the path in its package.json. Throws {@link UserError} if npm fails.
 */
export async function packTarball(folder: string, tarball: string): Promise<void> {
  // Beside the tarball, because files can't be renamed across file systems.
  await using aside = await mkdtempDisposable(join(dirname(tarball), ".pack-"));
  // On Windows, npm needs a shell. It reads no special characters in the relative path.
  const args = ["pack", relative(aside.path, folder), "--silent", "--ignore-scripts"];
  const options = { cwd: aside.path, shell: process.platform === "win32" };
  await promisify(execFile)("npm", args, options).catch((error: unknown) => {
    throw new UserError(`npm could not pack the package: ${messageOf(error)}`);
  });
  const [name = ""] = await readdir(aside.path);
  await rename(join(aside.path, name), tarball);
}

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { messageOf, UserError } from "../contract/failures.ts";

/** Runs git in the current folder and gives what it prints. Throws {@link UserError} with its reason if it fails. */
export async function git(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("git", args, { maxBuffer: 2 ** 28 }).catch((error: unknown) => {
    const [command = "", ...reason] = messageOf(error).trim().split("\n");
    throw new UserError(`git: ${reason.length === 0 ? command : reason.join("\n").replace(/^fatal: /, "")}`);
  });
  return stdout;
}

/** Tells whether git has files of a folder, or would add them: it's in the work tree of the current folder, and not ignored. */
export async function isInGit(folder: string): Promise<boolean> {
  const listing = ["ls-files", "--cached", "--others", "--exclude-standard", "--directory"];
  // Outside the work tree, and without git, there is nothing to add it to.
  return (await git(...listing, "--", folder).catch(() => "")) !== "";
}

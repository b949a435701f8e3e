import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { messageOf, UserError } from "../contract/failures.ts";

/**
 * Runs git in the current folder and returns its output. Throws {@link UserError} with git's message if it
 * fails.
 */
export async function git(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("git", args, { maxBuffer: 2 ** 28 }).catch((error: unknown) => {
    const [command = "", ...reason] = messageOf(error).trim().split("\n");
    throw new UserError(`git: ${reason.length === 0 ? command : reason.join("\n").replace(/^fatal: /, "")}`);
  });
  return stdout;
}

/**
 * Returns whether git tracks a folder or would add it: it's in the work tree of the current folder and isn't
 * ignored.
 */
export async function isInGit(folder: string): Promise<boolean> {
  const listing = ["ls-files", "--cached", "--others", "--exclude-standard", "--directory"];
  // Outside the work tree, or without git, nothing would be added.
  return (await git(...listing, "--", folder).catch(() => "")) !== "";
}

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

import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { changelogFile } from "../contract/changelog.ts";

const formatter = join(dirname(createRequire(import.meta.url).resolve("oxfmt/package.json")), "bin/oxfmt");

/** Formats the text of an entry as `npm run format` does in the changelog of the current folder. */
export async function formatEntry(text: string): Promise<string> {
  const run = promisify(execFile)(process.execPath, [formatter, "--stdin-filepath", changelogFile]);
  run.child.stdin?.end(text);
  return (await run).stdout.trim();
}

import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { promisify } from "node:util";
import { readBuiltGenerations } from "../command/builtGenerations.ts";
import { changeFolder, compareFolder } from "../command/files.ts";
import { git } from "../command/git.ts";
import { changelogFile } from "../contract/changelog.ts";
import { formatJson, formatYaml } from "../contract/documentText.ts";
import { messageOf, UserError } from "../contract/failures.ts";
import { releasedFolder } from "../diff/baseGenerations.ts";
import { lintSources, writeGenerated } from "../pipeline/buildGenerated.ts";
import { readConfiguration } from "../pipeline/configuration.ts";
import { historyFile } from "../pipeline/releaseHistory.ts";
import type { ReleasePlan } from "./planRelease.ts";

/** Throws {@link UserError} if the work tree has changes that are not committed: a release that fails could not be undone. */
export async function requireCleanTree(): Promise<void> {
  const changed = await git("status", "--porcelain", "--untracked-files=all");
  if (changed !== "") throw new UserError(`commit your changes first, or stash them:\n${changed.trimEnd()}`);
}

/**
 * Writes a release: its entry in the changelog, its version wherever that stands, generated/, and the bundles that later
 * ones are compared with. If anything fails, or `isStopped` says so, all is as it was before, for which the work tree has
 * to be clean.
 */
export async function writeRelease(plan: ReleasePlan, report: (line: string) => void, isStopped: () => boolean) {
  // The tests took their time.
  await requireCleanTree();
  try {
    await writeFile(resolve(changelogFile), plan.changelog);
    await setVersions(plan.version);
    const history = { path: basename(historyFile), content: formatJson(plan.history) };
    await writeFile(resolve(historyFile), history.content);
    await writeGenerated(resolve("generated"), await lintSources(report), report);
    const generations = await readBuiltGenerations();
    const missing = generations.find(({ document }) => document.info?.version !== plan.version);
    if (missing !== undefined) throw new UserError(`info.version of ${missing.name} was not found in its description`);
    const files = generations.map(({ name, document }) => ({
      path: `${name}.yaml`,
      content: `# The last release: written by "npm run release" only.\n${formatYaml(document)}`,
    }));
    await changeFolder(releasedFolder, await compareFolder(releasedFolder, [...files, history]));
    if (isStopped()) throw new UserError("stopped");
  } catch (error) {
    await git("checkout", "--quiet", "--", ".");
    await git("clean", "--quiet", "--force", "-d", ".");
    throw new UserError(`nothing was released, and all files are as before: ${messageOf(error)}`);
  }
}

/** Sets the version of the package, and of each generation's description as it is written. */
async function setVersions(version: string): Promise<void> {
  const quiet = ["--no-git-tag-version", "--no-workspaces-update", "--allow-same-version", "--ignore-scripts"];
  await promisify(execFile)("npm", ["version", version, ...quiet]);
  for (const { root } of (await readConfiguration()).sources) {
    const text = await readFile(root, "utf8");
    await writeFile(root, text.replace(/^(info:\r?\n(?:[ #].*\r?\n|\r?\n)*? +version: *)[^\r\n]*/m, `$1${version}`));
  }
}

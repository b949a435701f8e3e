import { applyEdits, modify } from "jsonc-parser";
import { readFile } from "node:fs/promises";
import { basename, relative, resolve } from "node:path";
import { readBuiltGenerations } from "../command/builtGenerations.ts";
import { compareFolder, type TextFile } from "../command/files.ts";
import { git } from "../command/git.ts";
import { changelogFile } from "../contract/changelog.ts";
import { formatJson, formatYaml } from "../contract/documentText.ts";
import { ifAbsent, messageOf, UserError } from "../contract/failures.ts";
import { releasedFolder } from "../diff/baseGenerations.ts";
import { compareGenerated, lintSources } from "../pipeline/buildGenerated.ts";
import { readConfiguration } from "../pipeline/configuration.ts";
import { historyFile } from "../pipeline/releaseHistory.ts";
import type { ReleasePlan } from "./planRelease.ts";
import { recordChanges } from "../command/undoableChanges.ts";

/** Throws {@link UserError} if the work tree has uncommitted changes, because a release is a separate commit. */
export async function requireCleanTree(): Promise<void> {
  const changed = await git("status", "--porcelain", "--untracked-files=all");
  if (changed !== "") throw new UserError("commit these changes first, or stash them", () => changed.trimEnd());
}

/**
 * Writes a release: its entry in the changelog, its version everywhere, generated/, and the bundles for later
 * comparisons. If a step fails, or if `isStopped` returns true, all written files are restored. Files that
 * others saved in the meantime are left alone.
 */
export async function writeRelease(plan: ReleasePlan, report: (line: string) => void, isStopped: () => boolean) {
  // The tests may take long.
  await requireCleanTree();
  const { change, undo } = recordChanges();
  try {
    const history = formatJson(plan.history);
    const sources = [
      { path: changelogFile, content: plan.changelog },
      { path: historyFile, content: history },
      ...(await setVersions(plan.version)),
    ];
    await change(resolve("."), { written: sources, removed: [] });
    await change(resolve("generated"), await compareGenerated(resolve("generated"), await lintSources(report)));
    const generations = await readBuiltGenerations();
    const missing = generations.find(({ document }) => document.info?.version !== plan.version);
    if (missing !== undefined) throw new UserError(`info.version of ${missing.name} was not found in its description`);
    const released = generations.map(({ name, document }) => ({
      path: `${name}.yaml`,
      content: `# The last release: written by "npm run release" only.\n${formatYaml(document)}`,
    }));
    const files = [...released, { path: basename(historyFile), content: history }];
    await change(resolve(releasedFolder), await compareFolder(releasedFolder, files));
    if (isStopped()) throw new UserError("stopped");
  } catch (error) {
    const left = (await undo()).map((file) => relative("", file));
    const exception = left.length === 0 ? "" : ` except files saved in the meantime (${left.join(", ")})`;
    const details = error instanceof UserError ? error.details : undefined;
    throw new UserError(`nothing was released, and all files are as before${exception}: ${messageOf(error)}`, details);
  }
}

/** The files with the version of the package and of each generation's description, set to a new version. */
async function setVersions(version: string): Promise<readonly TextFile[]> {
  const files: TextFile[] = [];
  for (const [path, places] of [
    ["package.json", [["version"]]],
    ["package-lock.json", [["version"], ["packages", "", "version"]]],
  ] as const) {
    const text = await readFile(path, "utf8").catch(ifAbsent(undefined));
    if (text === undefined) continue;
    const set = (before: string, place: readonly string[]) =>
      applyEdits(before, modify(before, [...place], version, {}));
    files.push({ path, content: places.reduce(set, text) });
  }
  for (const { root } of (await readConfiguration()).sources) {
    const text = await readFile(root, "utf8");
    const pattern = /^(info:\r?\n(?:[ #].*\r?\n|\r?\n)*? +version: *)[^\r\n]*/m;
    files.push({ path: relative("", root), content: text.replace(pattern, `$1${version}`) });
  }
  return files;
}

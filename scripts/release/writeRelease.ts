import { parseYaml } from "@redocly/openapi-core";
import { applyEdits, modify } from "jsonc-parser";
import { readFile } from "node:fs/promises";
import { basename, relative, resolve } from "node:path";
import { readBuiltGenerations } from "../command/builtGenerations.ts";
import { changeFolder, compareFolder, type TextFile } from "../command/files.ts";
import { git } from "../command/git.ts";
import { releasedFolder } from "../contract/bundles.ts";
import { changelogFile } from "../contract/changelog.ts";
import { formatJson, formatYaml } from "../contract/documentText.ts";
import { ifAbsent, messageOf, UserError } from "../contract/failures.ts";
import { compareGenerated, lintSources } from "../pipeline/buildGenerated.ts";
import { readConfiguration } from "../pipeline/configuration.ts";
import { historyFile } from "../pipeline/releaseHistory.ts";
import { valueAt } from "../values/json.ts";
import type { ReleasePlan } from "./planRelease.ts";

/** Throws {@link UserError} if the work tree has uncommitted changes, because a release is a separate commit. */
export async function requireCleanTree(): Promise<void> {
  const changed = await git("status", "--porcelain", "--untracked-files=all");
  if (changed !== "") throw new UserError("commit these changes first, or stash them", () => changed.trimEnd());
}

/**
 * Writes a release: its entry in the changelog, its version everywhere, generated/, and the bundles for later
 * comparisons. Throws {@link UserError}, with all files unchanged, if a description has no version to set. After any
 * other failure, git has the files as they were.
 */
export async function writeRelease(plan: ReleasePlan, report: (line: string) => void): Promise<void> {
  // The tests may take long.
  await requireCleanTree();
  const history = formatJson(plan.history);
  const sources = [
    { path: changelogFile, content: plan.changelog },
    { path: historyFile, content: history },
    ...(await setVersions(plan.version)),
  ];
  try {
    await changeFolder(resolve("."), { written: sources, removed: [] });
    await changeFolder(resolve("generated"), await compareGenerated(resolve("generated"), await lintSources(report)));
    const released = (await readBuiltGenerations()).map(({ name, document }) => ({
      path: `${name}.yaml`,
      content: `# The last release: written by "npm run release" only.\n${formatYaml(document)}`,
    }));
    const files = [...released, { path: basename(historyFile), content: history }];
    await changeFolder(resolve(releasedFolder), await compareFolder(releasedFolder, files));
  } catch (error) {
    const advice = `the release is incomplete, and "git restore ." takes back what was written`;
    const details = error instanceof UserError ? error.details : undefined;
    throw new UserError(`${advice}: ${messageOf(error)}`, details);
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
  for (const { name, root } of (await readConfiguration()).sources) {
    const text = await readFile(root, "utf8");
    const pattern = /^(info:\r?\n(?:[ #].*\r?\n|\r?\n)*? +version: *)[^\r\n]*/m;
    const content = text.replace(pattern, `$1${version}`);
    const path = relative("", root);
    if (valueAt(parseYaml(content), ["info", "version"]) !== version) {
      throw new UserError(`nothing was released: ${path} has no line "version: …" in the block "info:" of ${name}`);
    }
    files.push({ path, content });
  }
  return files;
}

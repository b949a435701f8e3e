import { chmod, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readBuiltGenerations } from "./command/builtGenerations.ts";
import { printLine, runCommand } from "./command/commandLine.ts";
import { changeFolder, compareFolder } from "./command/files.ts";
import { loadChangelog } from "./contract/changelog.ts";
import { UserError } from "./contract/failures.ts";
import { readReleased } from "./diff/baseGenerations.ts";
import { compareGenerations } from "./diff/compareGenerations.ts";
import { makePackageFiles } from "./package/packageFiles.ts";
import { nextVersion } from "./release/planRelease.ts";
import { membersOf, parseJson } from "./spec/json.ts";

await runCommand({
  name: "npm run package",
  summary: "Writes the npm package to generated/package/: clients, bundles, and the mock with its command.",
  options: {
    preview: {
      type: "boolean",
      description: "package a contract that has changed since its release, as a preview of the next version",
    },
  },
  examples: ["npm run package && npm pack ./generated/package"],
  run: async ({ preview = false }) => {
    const folder = resolve("generated/package");
    const generations = await readBuiltGenerations();
    const names = generations.map(({ name }) => name);
    const project = Object.fromEntries(membersOf(parseJson(await readFile("package.json", "utf8"))));
    const former = String(project["version"]);
    const changelog = await loadChangelog();
    const isReleased = changelog?.entries.some((entry) => entry.version === former) === true;
    const [worst] = isReleased ? compareGenerations(await readReleased(), generations) : [];
    if (worst !== undefined && !preview) {
      const remedy = "run npm run release, or add -- --preview to try the package";
      throw new UserError(`the contract has changed since ${former} was released: ${remedy}`);
    }
    const version = worst === undefined ? former : `${nextVersion(former, worst.impact)}-preview`;
    const { files, unfilled } = await makePackageFiles({ ...project, version }, names);
    await changeFolder(folder, await compareFolder(folder, files));
    // Those in the tarball, whatever the umask is here.
    await Promise.all(files.map(({ path }) => chmod(join(folder, path), 0o644)));
    printLine(`generated/package/: ${files.length} files`);
    if (unfilled.length > 0) {
      printLine(`npm refuses to publish it: fill in ${unfilled.join(", ")} in ${resolve("package.json")} first`);
    }
  },
});

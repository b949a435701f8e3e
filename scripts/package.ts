import { chmod, readFile } from "node:fs/promises";
import { enableCompileCache } from "node:module";
import { join, resolve } from "node:path";

enableCompileCache();
const { printLine, printSentence, runCommand } = await import("./command/commandLine.ts");

await runCommand({
  name: "npm run package",
  summary: "Writes the npm package to generated/package/: clients, bundles, docs, the mock, and its commands.",
  options: {
    preview: {
      type: "boolean",
      description: "package a contract that has changed since its release, as a preview of the next version",
    },
  },
  examples: ["npm run package && npm pack ./generated/package"],
  run: async ({ preview = false }) => {
    const { changeFolder, compareFolder } = await import("./command/files.ts");
    const { loadChangelog } = await import("./contract/changelog.ts");
    const { UserError } = await import("./contract/failures.ts");
    const { listInWords } = await import("./contract/text.ts");
    const { readReleased } = await import("./diff/baseGenerations.ts");
    const { compareGenerations } = await import("./diff/compareGenerations.ts");
    const { makePackageFiles } = await import("./package/packageFiles.ts");
    const { lintSources, writeGenerated } = await import("./pipeline/buildGenerated.ts");
    const { nextVersion } = await import("./release/planRelease.ts");
    const { membersOf, parseJson } = await import("./spec/json.ts");

    const folder = resolve("generated/package");
    const generations = await lintSources(printLine);
    await writeGenerated(resolve("generated"), generations, printLine, true);
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
    // The permissions in the tarball don't depend on the umask.
    await Promise.all(files.map(({ path }) => chmod(join(folder, path), 0o644)));
    printLine(`generated/package/: ${files.length} files`);
    if (!preview && unfilled.length > 0) {
      printSentence(`The package is private. To publish it, first fill in ${listInWords(unfilled)} in package.json.`);
    } else if (!preview) printLine("To publish it: npm publish ./generated/package");
    printLine(`To try it in another project: npm install --install-links ${folder}`);
  },
});

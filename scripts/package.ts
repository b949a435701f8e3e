import { chmod, readFile } from "node:fs/promises";
import { enableCompileCache } from "node:module";
import { join, resolve } from "node:path";

enableCompileCache();
const { printLine, runCommand } = await import("./command/commandLine.ts");

await runCommand({
  name: "npm run package",
  summary:
    "Writes the npm package to generated/package/ (clients, bundles, docs, the mock, and its commands), packs it into a " +
    "tarball, and says what is missing to publish it.",
  options: {
    preview: {
      type: "boolean",
      description: "package a contract that has changed since its release, with a version for previews",
    },
  },
  examples: ["npm run package", "npm run package -- --preview"],
  run: async ({ preview = false }) => {
    const { changeFolder, compareFolder } = await import("./command/files.ts");
    const { loadChangelog } = await import("./contract/changelog.ts");
    const { UserError } = await import("./contract/failures.ts");
    const { makePackageFiles } = await import("./package/packageFiles.ts");
    const { packTarball } = await import("./package/packTarball.ts");
    const { isAsReleased, previewVersion } = await import("./package/releasedContract.ts");
    const { lintSources, writeGenerated } = await import("./pipeline/buildGenerated.ts");
    const { membersOf, parseJson } = await import("./values/json.ts");

    const folder = resolve("generated/package");
    const generations = await lintSources(printLine);
    await writeGenerated(resolve("generated"), generations, printLine, true);
    const names = generations.map(({ name }) => name);
    const project = Object.fromEntries(membersOf(parseJson(await readFile("package.json", "utf8"))));
    const former = String(project["version"]);
    const changelog = await loadChangelog();
    const isReleased = changelog?.entries.some((entry) => entry.version === former) === true;
    const isChanged = isReleased && !(await isAsReleased(generations));
    if (isChanged && !preview) {
      const remedy = "run npm run release, or add -- --preview to try the package";
      throw new UserError(`the contract has changed since ${former} was released: ${remedy}`);
    }
    const version = isChanged ? previewVersion(former) : former;
    const { files, unfilled } = await makePackageFiles({ ...project, version }, names);
    await changeFolder(folder, await compareFolder(folder, files));
    // The permissions in the tarball don't depend on the umask.
    await Promise.all(files.map(({ path }) => chmod(join(folder, path), 0o644)));
    const tarball = resolve("generated", `${String(project["name"])}.tgz`);
    await packTarball(folder, tarball);
    printLine(`generated/package/: ${files.length} files, version ${version}`);
    printLine(`To use it in another project: npm install ${tarball}`);
    if (unfilled.length > 0) {
      printLine("To publish it, first fill in package.json:");
      for (const { field, about } of unfilled) printLine(`  ${field.padEnd(10)}  ${about}`);
    } else if (!preview) printLine(`To publish it: npm publish ${tarball}`);
  },
});

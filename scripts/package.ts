import { chmod, mkdtempDisposable, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { readBuiltGenerations } from "./command/builtGenerations.ts";
import { printLine, runCommand } from "./command/commandLine.ts";
import { changeFolder, compareFolder, readFolder } from "./command/files.ts";
import { changelogFile, loadChangelog } from "./contract/changelog.ts";
import { UserError } from "./contract/failures.ts";
import { readReleased } from "./diff/baseGenerations.ts";
import { compareGenerations } from "./diff/compareGenerations.ts";
import { membersOf, parseJson } from "./spec/json.ts";
import { formatBillOfMaterials } from "./package/billOfMaterials.ts";
import { bundleModules } from "./package/bundleModules.ts";
import { compilePackage, layOutModules } from "./package/compilePackage.ts";
import { formatLicenses } from "./package/licenseTexts.ts";
import { nextVersion } from "./release/planRelease.ts";
import { describePackage } from "./package/packageManifest.ts";

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
    const name = String(project["name"]);
    const former = String(project["version"]);
    const changelog = await loadChangelog();
    const isReleased = changelog?.entries.some((entry) => entry.version === former) === true;
    const [worst] = isReleased ? await compareGenerations(await readReleased(), generations) : [];
    if (worst !== undefined && !preview) {
      const remedy = "run npm run release, or add -- --preview to try the package";
      throw new UserError(`the contract has changed since ${former} was released: ${remedy}`);
    }
    const version = worst === undefined ? former : `${nextVersion(former, worst.impact)}-preview`;
    await using compiled = await mkdtempDisposable(join(tmpdir(), "package-"));
    const [bundled] = await Promise.all([
      bundleModules(resolve("."), { index: "scripts/mock/index.ts", bin: "scripts/bin.ts" }),
      compilePackage(resolve("."), compiled.path),
    ]);
    // Of what is bundled, only the declarations of what is exported are needed.
    const needed = /^(?:generated|scripts\/client)\/|^scripts\/mock\/(?:index|mockTypes)\.d\.ts$/;
    const pageFiles = (await readFolder("scripts/mock/server/page")).filter(({ path }) => !path.endsWith(".ts"));
    const made = [
      ...layOutModules((await readFolder(compiled.path)).filter(({ path }) => needed.test(path))),
      ...[
        ...[...bundled.files, ...pageFiles],
        { path: "THIRD-PARTY-LICENSES.txt", content: await formatLicenses(bundled.packages) },
        { path: "bom.cdx.json", content: formatBillOfMaterials({ name, version }, bundled.packages) },
      ].map(({ path, content }) => ({ path: `mock/${path}`, content })),
    ];
    const { manifest, unfilled } = describePackage(
      { ...project, version },
      names,
      made.map(({ path }) => path),
    );
    const bundles = names.flatMap((name) => [`${name}/openapi.json`, `${name}/openapi.yaml`]);
    const sources = {
      ...Object.fromEntries(bundles.map((path) => [path, `generated/${path}`])),
      "README.md": "scripts/package/README.md",
      "openapi.yaml.d.ts": "scripts/package/openapi.yaml.d.ts",
      LICENSE: "LICENSE",
      ...(changelog && { "CHANGELOG.md": changelogFile }),
    };
    const copied = Object.entries(sources).map(async ([path, from]) => ({
      path,
      content: await readFile(from, "utf8"),
    }));
    const files = [
      ...made,
      { path: "package.json", content: `${JSON.stringify(manifest, null, 2)}\n` },
      ...(await Promise.all(copied)),
    ];
    await changeFolder(folder, await compareFolder(folder, files));
    // Those in the tarball, whatever the umask is here.
    await Promise.all(files.map(({ path }) => chmod(join(folder, path), 0o644)));
    printLine(`generated/package/: ${files.length} files`);
    if (unfilled.length > 0) {
      printLine(`npm refuses to publish it: fill in ${unfilled.join(", ")} in ${resolve("package.json")} first`);
    }
  },
});

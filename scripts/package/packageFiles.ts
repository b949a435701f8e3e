import { existsSync } from "node:fs";
import { mkdtempDisposable, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { readFolder, type TextFile } from "../command/files.ts";
import { changelogFile } from "../contract/changelog.ts";
import { formatJson } from "../contract/documentText.ts";
import { formatBillOfMaterials } from "./billOfMaterials.ts";
import { bundleModules } from "./bundleModules.ts";
import { compilePackage, layOutModules } from "./compilePackage.ts";
import { formatLicenses } from "./licenseTexts.ts";
import { describePackage } from "./packageManifest.ts";

/**
 * Makes the files of the package from the project in the current folder, for generations by name. `project` is its
 * package.json, with the version of the package. `unfilled` lists the fields that the publisher has to fill in.
 */
export async function makePackageFiles(project: Readonly<Record<string, unknown>>, generations: readonly string[]) {
  const [clients, mock, copied] = await Promise.all([
    compileClients(),
    bundleMock({ name: String(project["name"]), version: String(project["version"]) }),
    copySources(generations),
  ]);
  const made = [...clients, ...mock];
  const { manifest, unfilled } = describePackage(
    project,
    generations,
    made.map(({ path }) => path),
  );
  return { files: [...made, ...copied, { path: "package.json", content: formatJson(manifest) }], unfilled };
}

async function compileClients(): Promise<readonly TextFile[]> {
  await using compiled = await mkdtempDisposable(join(tmpdir(), "package-"));
  await compilePackage(resolve("."), compiled.path);
  const all = await readFolder(compiled.path);
  return layOutModules(all.filter(({ path }) => isNeeded(path)));
}

/** Of what is bundled, the declarations of what is exported. */
const mockDeclarations = ["scripts/mock/index.d.ts", "scripts/mock/mockTypes.d.ts"];

/** Tells whether the package contains a compiled file as it is. */
function isNeeded(path: string): boolean {
  return path.startsWith("generated/") || path.startsWith("scripts/client/") || mockDeclarations.includes(path);
}

async function bundleMock(own: { readonly name: string; readonly version: string }): Promise<readonly TextFile[]> {
  const { files, packages } = await bundleModules(resolve("."), {
    index: "scripts/mock/index.ts",
    bin: "scripts/bin.ts",
  });
  const pageFiles = (await readFolder("scripts/mock/server/page")).filter(({ path }) => !path.endsWith(".ts"));
  const all = [
    ...files,
    ...pageFiles,
    { path: "THIRD-PARTY-LICENSES.txt", content: await formatLicenses(packages) },
    { path: "bom.cdx.json", content: formatBillOfMaterials(own, packages) },
  ];
  return all.map(({ path, content }) => ({ path: `mock/${path}`, content }));
}

/** What is in the package as it is here. */
async function copySources(generations: readonly string[]): Promise<readonly TextFile[]> {
  const bundles = generations.flatMap((name) => [`${name}/openapi.json`, `${name}/openapi.yaml`]);
  const sources = {
    ...Object.fromEntries(bundles.map((path) => [path, `generated/${path}`])),
    "README.md": "scripts/package/README.md",
    "openapi.yaml.d.ts": "scripts/package/openapi.yaml.d.ts",
    LICENSE: "LICENSE",
    ...(existsSync(changelogFile) && { "CHANGELOG.md": changelogFile }),
  };
  return Promise.all(
    Object.entries(sources).map(async ([path, from]) => ({ path, content: await readFile(from, "utf8") })),
  );
}

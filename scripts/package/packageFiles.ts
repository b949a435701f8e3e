import { existsSync } from "node:fs";
import { mkdtempDisposable, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import type { Plugin } from "rolldown";
import { readFolder, type TextFile } from "../command/files.ts";
import { changelogFile } from "../contract/changelog.ts";
import { formatJson } from "../contract/documentText.ts";
import { readBundles } from "../contract/bundles.ts";
import { bundleScript, readStatic } from "../docs/site/assets.ts";
import { readMark } from "../docs/site/siteStamp.ts";
import { generateMockContract } from "../pipeline/mockContractModule.ts";
import { formatBillOfMaterials } from "./billOfMaterials.ts";
import { bundleModules } from "./bundleModules.ts";
import { compilePackage, layOutModules } from "./compilePackage.ts";
import { formatLicenses } from "./licenseTexts.ts";
import { makeDocsFiles } from "./docsFiles.ts";
import { mcpLibraries } from "./mcpLibraries.ts";
import { describePackage } from "./packageManifest.ts";
import { makeRootModule } from "./rootModule.ts";

/**
 * Creates the files of the package from the project in the current folder, with the given generations.
 * `project` is its package.json, with the package's version. `unfilled` lists the fields that the publisher
 * must fill in.
 */
export async function makePackageFiles(project: Readonly<Record<string, unknown>>, generations: readonly string[]) {
  const [clients, server, mock, docs, copied] = await Promise.all([
    compileClients(),
    bundleServer(),
    bundleMock({ name: String(project["name"]), version: String(project["version"]) }, generations),
    makeDocsFiles(generations),
    copySources(generations),
  ]);
  const made = [...clients, ...server, ...mock];
  const { manifest, exports, unfilled } = describePackage(
    project,
    generations,
    made.map(({ path }) => path),
  );
  const root = makeRootModule(String(project["name"]), exports);
  const described = { path: "package.json", content: formatJson(manifest) };
  return { files: [...made, ...root, ...docs, ...copied, described], unfilled };
}

async function compileClients(): Promise<readonly TextFile[]> {
  await using compiled = await mkdtempDisposable(join(tmpdir(), "package-"));
  await compilePackage(resolve("."), compiled.path);
  const all = await readFolder(compiled.path);
  return layOutModules(all.filter(({ path }) => isNeeded(path)));
}

/** Declarations of the bundled modules' exports. */
const bundledDeclarations = [
  ...["index", "browser", "connect", "mockTypes", "responseTypes"].map((name) => `scripts/mock/${name}.d.ts`),
  ...["index", "contractHandler", "problem", "serverTypes"].map((name) => `scripts/server/${name}.d.ts`),
  "scripts/exchange/requestViolation.d.ts",
  "scripts/spec/statusCodes.d.ts",
];

/** The modules of `values` that `client` imports. */
const importedByClient = ["textFormats", "dateTimes", "jsonType", "multiples"];
const clientFolders = ["scripts/client/", ...importedByClient.map((name) => `scripts/values/${name}.`)];

/** Returns whether the package contains a compiled file. */
function isNeeded(path: string): boolean {
  // The bundles are copied.
  if (path.startsWith("generated/")) return !path.endsWith(".json");
  return clientFolders.some((start) => path.startsWith(start)) || bundledDeclarations.includes(path);
}

/** The runtime of the generated servers. It contains no other package. */
async function bundleServer(): Promise<readonly TextFile[]> {
  // What the checks of responses share with the rest stays in index.js: a third file would cost 1 kB.
  const options = { preserveEntrySignatures: "allow-extension" } as const;
  const { files } = await bundleModules(resolve("."), { index: "scripts/server/index.ts" }, [], options);
  return files.map(({ path, content }) => ({ path: `server/${path}`, content }));
}

async function bundleMock(
  own: { readonly name: string; readonly version: string },
  generations: readonly string[],
): Promise<readonly TextFile[]> {
  const entries = ["index", "browser", "connect"].map((name) => [name, `scripts/mock/${name}.ts`] as const);
  const input = { ...Object.fromEntries(entries), bin: "scripts/bin.ts" };
  const { files, packages } = await bundleModules(resolve("."), input, [
    documentsOf(generations),
    manifestOf(own),
    await pageScriptOf(),
    mcpLibraries,
  ]);
  const all = [
    ...files,
    ...(await readPageFiles()),
    { path: "THIRD-PARTY-LICENSES.txt", content: await formatLicenses(packages) },
    { path: "mockContract.d.ts", content: generateMockContract(await readBundles("generated", generations)) },
    { path: "bom.cdx.json", content: formatBillOfMaterials(own, packages) },
  ];
  return all.map((file) => ({ ...file, path: `mock/${file.path}` }));
}

/** The files of the mock's page, with the contract's mark, and the font and the common styles of the docs. */
async function readPageFiles(): Promise<readonly TextFile[]> {
  const font = "hanken-grotesk";
  return [
    { path: "page.html", content: await readFile("scripts/mock/server/page.html", "utf8") },
    { path: "page.css", content: await readFile("scripts/mock/server/page.css", "utf8") },
    { path: "base.css", content: await readStatic("base.css") },
    { path: "mark.svg", content: (await readMark()) ?? (await readStatic("mark.svg")) },
    { path: `${font}.woff2`, content: await readStatic(`${font}.woff2`, "base64"), encoding: "base64" },
    { path: `${font}.LICENSE.txt`, content: await readStatic(`${font}.LICENSE.txt`) },
  ];
}

/** A rolldown plugin that replaces the project's package.json, whose version isn't the package's. */
function manifestOf(own: { readonly name: string; readonly version: string }): Plugin {
  const code = JSON.stringify(own);
  return {
    name: "packaged-manifest",
    load: (id) => (id === resolve("package.json") ? { code, moduleType: "json" } : undefined),
  };
}

/** A rolldown plugin that replaces the module that bundles the script of the mock's page with the script. */
async function pageScriptOf(): Promise<Plugin> {
  const code = `export const pageScript = ${JSON.stringify(await bundleScript("mockPage/mockPage.ts"))};`;
  return {
    name: "packaged-page-script",
    load: (id) => (basename(id) === "pageScript.ts" ? code : undefined),
  };
}

/** A rolldown plugin that replaces a placeholder module with the generations' documents. */
function documentsOf(generations: readonly string[]): Plugin {
  return {
    name: "packaged-documents",
    load: async (id) => {
      if (basename(id) !== "packagedDocuments.ts") return undefined;
      const texts = await Promise.all(
        generations.map((name) => readFile(join("generated", name, "openapi.json"), "utf8")),
      );
      // Browsers parse a text as JSON faster than the same data as code.
      const members = texts.map((text, index) => {
        const compact = JSON.stringify(JSON.parse(text));
        return `${JSON.stringify(generations[index])}: JSON.parse(${JSON.stringify(compact)})`;
      });
      return `export const packagedDocuments = { ${members.join(", ")} };`;
    },
  };
}

/** Files that are copied into the package unchanged. */
async function copySources(generations: readonly string[]): Promise<readonly TextFile[]> {
  const bundles = generations.map((name) => `${name}/openapi.json`);
  const sources = {
    ...Object.fromEntries(bundles.map((path) => [path, `generated/${path}`])),
    "README.md": "scripts/package/README.md",
    "AGENTS.md": "scripts/package/AGENTS.md",
    LICENSE: "LICENSE",
    ...(existsSync(changelogFile) && { "CHANGELOG.md": changelogFile }),
  };
  return Promise.all(
    Object.entries(sources).map(async ([path, from]) => ({ path, content: await readFile(from, "utf8") })),
  );
}

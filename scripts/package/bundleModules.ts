import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { UserError } from "../contract/failures.ts";
import { compareText } from "../contract/text.ts";
import { isObject } from "../spec/json.ts";

/**
 * Bundles modules with everything that they use and Node does not have, and the licenses of the packages in the bundle.
 * Throws {@link UserError} if something cannot be bundled, or may not be.
 */
export async function bundleModules(root: string, input: Readonly<Record<string, string>>) {
  const build = await rolldown({
    cwd: root,
    input: { ...input },
    platform: "node",
    // `module` first: rolldown does not understand the UMD build that is jsonc-parser's `main`.
    resolve: { mainFields: ["module", "main"] },
    transform: { target: "es2022" },
    onLog: (_level, { code, message }) => {
      if (code === "UNRESOLVED_IMPORT") throw new UserError(`the package cannot be bundled: ${message}`);
    },
  });
  const { output } = await build.generate({ format: "esm", chunkFileNames: "[name].js" });
  await build.close();
  const chunks = output.filter((file) => file.type === "chunk");
  const folders = new Set(chunks.flatMap(({ moduleIds }) => moduleIds.flatMap((id) => packageOf(id) ?? [])));
  const licenses = await Promise.all([...folders].map(describeLicense));
  return [
    ...chunks.map(({ fileName, code }) => ({ path: fileName, content: code })),
    { path: "THIRD-PARTY-LICENSES.txt", content: licenses.sort(compareText).join(`\n${"-".repeat(80)}\n\n`) },
  ];
}

/** The folder of the package that a module in a bundle is from; `undefined` for the project's own. */
function packageOf(id: string): string | undefined {
  // Modules that do not exist as files are rolldown's own helpers.
  if (id.startsWith("\0")) return dirname(dirname(fileURLToPath(import.meta.resolve("rolldown"))));
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/.exec(id)?.[0];
}

/** The name, version, author and license of a package, whose text has to be distributed with it. */
async function describeLicense(folder: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const { name, version, author, license } = isObject(manifest) ? manifest : {};
  const readTexts = async (pattern: RegExp) => {
    const files = (await readdir(folder, { withFileTypes: true })).filter((file) => file.isFile());
    const found = files.map((file) => file.name).filter((file) => pattern.test(file));
    return Promise.all(found.sort(compareText).map((file) => readFile(join(folder, file), "utf8")));
  };
  const texts = await readTexts(/^(?:licen[cs]e|copying|(?:copyright)?notice)(?:\.|$)/i);
  if (texts.length === 0) {
    if (license !== "MIT") {
      throw new UserError(`${String(name)} cannot be bundled: it has no license file, and its license is not MIT`);
    }
    // Some authors name themselves only at the end of the README.
    const readmes = await readTexts(/^readme\b/i);
    const mit = await readFile(new URL("MIT.txt", import.meta.url), "utf8");
    texts.push(...readmes.flatMap((readme) => /^\W*licen[cs]e\b[^]*/im.exec(readme) ?? []), mit);
  }
  const lines = [
    `${String(name)} ${String(version)}`,
    ...(typeof author === "string" ? [`Author: ${author}`] : []),
    ...texts.map((text) => `\n${text.trim()}`),
  ];
  return `${lines.join("\n")}\n`;
}

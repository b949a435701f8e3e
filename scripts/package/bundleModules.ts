import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import type { TextFile } from "../command/files.ts";
import { UserError } from "../contract/failures.ts";
import { describeLicenses } from "./thirdPartyLicenses.ts";

/**
 * Bundles modules with everything that they use and Node does not have, each under its name, and adds the licenses of
 * the packages that are in the bundle. Paths are relative to the project.
 * Throws {@link UserError} if something cannot be bundled, or may not be.
 */
export async function bundleModules(
  root: string,
  input: Readonly<Record<string, string>>,
): Promise<readonly TextFile[]> {
  const build = await rolldown({
    cwd: root,
    input: { ...input },
    platform: "node",
    resolve: {
      // `module` first: rolldown does not understand the UMD build that is jsonc-parser's `main`.
      mainFields: ["module", "main"],
    },
    transform: { target: "es2022" },
    onLog: (_level, { code, message }) => {
      if (code === "UNRESOLVED_IMPORT") throw new UserError(`the package cannot be bundled: ${message}`);
    },
  });
  const { output } = await build.generate({ format: "esm", chunkFileNames: "[name].js" });
  await build.close();
  const chunks = output.filter((file) => file.type === "chunk");
  const folders = new Set(chunks.flatMap(({ moduleIds }) => moduleIds.flatMap((id) => packageOf(id) ?? [])));
  return [
    ...chunks.map(({ fileName, code }) => ({ path: fileName, content: code })),
    { path: "THIRD-PARTY-LICENSES.txt", content: await describeLicenses([...folders]) },
  ];
}

/** The folder of the package that a module in a bundle is from; `undefined` for the project's own. */
function packageOf(id: string): string | undefined {
  // Modules that do not exist as files are rolldown's own helpers.
  if (id.startsWith("\0")) return dirname(dirname(fileURLToPath(import.meta.resolve("rolldown"))));
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/.exec(id)?.[0];
}

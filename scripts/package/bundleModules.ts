import { rolldown, type InputOptions, type Plugin } from "rolldown";
import { prismLibraries } from "../docs/site/prismLibraries.ts";
import { UserError } from "../contract/failures.ts";
import { readBundledPackages } from "./bundledPackages.ts";

/**
 * Bundles modules with all of their dependencies except Node's. Resolves to the files, and to the packages
 * with modules in them. `options` are rolldown's. Throws {@link UserError} if a module can't be bundled.
 */
export async function bundleModules(
  root: string,
  input: Readonly<Record<string, string>>,
  plugins: readonly Plugin[] = [],
  options: Pick<InputOptions, "preserveEntrySignatures"> = {},
) {
  const build = await rolldown({
    ...options,
    cwd: root,
    input: { ...input },
    platform: "node",
    resolve: {
      // `module` first, because rolldown doesn't support the UMD build in jsonc-parser's `main`.
      mainFields: ["module", "main"],
      // `import` even for modules that CommonJS requires, because a build for `require` may contain other
      // packages without naming them.
      conditionNames: ["import", "node", "module", "default"],
    },
    transform: { target: "es2022" },
    plugins: [prismLibraries, ...plugins],
    onLog: (_level, { code, message }) => {
      if (code === "UNRESOLVED_IMPORT") throw new UserError(`the package cannot be bundled: ${message}`);
    },
  });
  // Declarations have the doc comments. In the bundles, they would be a quarter.
  const comments = { annotation: true, jsdoc: false, legal: false };
  const { output } = await build.generate({ format: "esm", chunkFileNames: "[name].js", comments });
  await build.close();
  const chunks = output.filter((file) => file.type === "chunk");
  return {
    files: chunks.map(({ fileName, code }) => ({ path: fileName, content: code })),
    packages: await readBundledPackages(chunks.flatMap(({ moduleIds }) => moduleIds)),
  };
}

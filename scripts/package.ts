import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { printLine, runCommand } from "./command/commandLine.ts";
import { changeFolder, compareFolder, readFolder } from "./command/files.ts";
import { bundleModules } from "./pipeline/bundleModules.ts";
import { compilePackage } from "./pipeline/compilePackage.ts";

await runCommand({
  name: "npm run package",
  summary: "Compiles the clients, and bundles the mock, for the npm package, to generated/package/.",
  options: {},
  examples: ["npm pack"],
  run: async () => {
    const folder = resolve("generated/package");
    const compiled = await mkdtemp(join(tmpdir(), "package-"));
    try {
      await compilePackage(resolve("."), compiled);
      // Of what is bundled, only the declarations of what is exported are needed.
      const needed = /^(?:generated|scripts\/client)\/|^scripts\/mock\/(?:index|mockTypes)\.d\.ts$/;
      const bundled = await bundleModules(resolve("."), { index: "scripts/mock/index.ts", bin: "scripts/bin.ts" });
      const files = [
        ...(await readFolder(compiled)).filter(({ path }) => needed.test(path)),
        ...bundled.map(({ path, content }) => ({ path: `scripts/mock/${path}`, content })),
      ];
      await changeFolder(folder, await compareFolder(folder, files));
      printLine(`generated/package/: ${files.length} files`);
    } finally {
      await rm(compiled, { recursive: true });
    }
  },
});

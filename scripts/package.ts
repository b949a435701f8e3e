import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { printLine, runCommand } from "./command/commandLine.ts";
import { changeFolder, compareFolder, readFolder } from "./command/files.ts";
import { compilePackage } from "./pipeline/compilePackage.ts";

await runCommand({
  name: "npm run package",
  summary: "Compiles what the npm package contains besides the bundles, clients and mock, to generated/package/.",
  options: {},
  examples: ["npm pack"],
  run: async () => {
    const folder = resolve("generated/package");
    const compiled = await mkdtemp(join(tmpdir(), "package-"));
    try {
      await compilePackage(resolve("."), compiled);
      // Nothing that is exported refers to the declarations of what the mock is made of.
      const internal = /^scripts\/(?:contract\/|mock\/(?!index|mockTypes)).*\.d\.ts$/;
      const files = (await readFolder(compiled)).filter(({ path }) => !internal.test(path));
      await changeFolder(folder, await compareFolder(folder, files));
      printLine(`generated/package/: ${files.length} files`);
    } finally {
      await rm(compiled, { recursive: true });
    }
  },
});

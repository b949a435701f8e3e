import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { readBuiltGenerations } from "./command/builtGenerations.ts";
import { printLine, runCommand } from "./command/commandLine.ts";
import { changeFolder, compareFolder, readFolder } from "./command/files.ts";
import { isObject, parseJson } from "./spec/json.ts";
import { bundleModules } from "./package/bundleModules.ts";
import { compilePackage } from "./package/compilePackage.ts";
import { layOutModules } from "./package/layOutModules.ts";
import { describePackage } from "./package/packageManifest.ts";

await runCommand({
  name: "npm run package",
  summary: "Writes the npm package to generated/package/: clients, bundles, and the mock with its command.",
  options: {},
  examples: ["npm run package && npm pack ./generated/package"],
  run: async () => {
    const folder = resolve("generated/package");
    const names = (await readBuiltGenerations()).map(({ name }) => name);
    const compiled = await mkdtemp(join(tmpdir(), "package-"));
    try {
      const [bundled] = await Promise.all([
        bundleModules(resolve("."), { index: "scripts/mock/index.ts", bin: "scripts/bin.ts" }),
        compilePackage(resolve("."), compiled),
      ]);
      // Of what is bundled, only the declarations of what is exported are needed.
      const needed = /^(?:generated|scripts\/client)\/|^scripts\/mock\/(?:index|mockTypes)\.d\.ts$/;
      const modules = [
        ...layOutModules((await readFolder(compiled)).filter(({ path }) => needed.test(path))),
        ...bundled.map(({ path, content }) => ({ path: `mock/${path}`, content })),
      ];
      const project = parseJson(await readFile("package.json", "utf8"));
      const paths = modules.map(({ path }) => path);
      const { manifest, unfilled } = describePackage(isObject(project) ? project : {}, names, paths);
      const bundles = names.flatMap((name) => [`${name}/openapi.json`, `${name}/openapi.yaml`]);
      const sources = { "README.md": "scripts/package/README.md", LICENSE: "LICENSE" };
      const copied = [...Object.entries(sources), ...bundles.map((path) => [path, `generated/${path}`] as const)].map(
        async ([path, from]) => ({ path, content: await readFile(from, "utf8") }),
      );
      const files = [
        ...modules,
        { path: "package.json", content: `${JSON.stringify(manifest, null, 2)}\n` },
        ...(await Promise.all(copied)),
      ];
      await changeFolder(folder, await compareFolder(folder, files));
      printLine(`generated/package/: ${files.length} files`);
      if (unfilled.length > 0) {
        printLine(`npm refuses to publish it: fill in ${unfilled.join(", ")} in ${resolve("package.json")} first`);
      }
    } finally {
      await rm(compiled, { recursive: true });
    }
  },
});

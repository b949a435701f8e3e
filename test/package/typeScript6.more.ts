import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { createProject, runIn, strict, typeScript6 } from "./project.ts";

it("TypeScript 6 compiles a consumer's modules, with bundler", async () => {
  await using project = await createProject();
  await project.write("module.ts", await readFile("test/package/fixtures/module.ts", "utf8"));
  const modules = { module: "esnext", moduleResolution: "bundler", lib: ["es2022", "dom"], types: [] };
  const compilerOptions = { ...strict, ...modules, resolveJsonModule: true, outDir: "out" };
  const config = await project.write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["module.ts"] }));
  expect(await runIn(project.folder, process.execPath, [...typeScript6, "--project", config])).toBe("");
}, 120_000);

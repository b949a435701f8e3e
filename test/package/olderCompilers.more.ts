import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { compile, createProject, olderCompilers, type Project } from "./project.ts";

let project: Project;
beforeAll(async () => {
  project = await createProject();
  for (const file of ["module.ts", "common.cts"]) {
    await project.write(file, await readFile(`test/package/fixtures/${file}`, "utf8"));
  }
});
afterAll(() => project[Symbol.asyncDispose]());

it.each(olderCompilers)("TypeScript $version compiles a consumer's modules, with $settings.name", async (compiler) => {
  expect(await compile(project, compiler.command, compiler.settings)).toBe("");
});

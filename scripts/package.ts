import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { runCommand } from "./command.ts";
import { readGenerations } from "./contract/generations.ts";
import { compile, type CompiledFile } from "./package/compile.ts";

const root = resolve(".");
const directory = join(root, "generated", "package");

await runCommand({
  name: "npm run package",
  summary: "Compiles what the npm package holds beside the bundles, clients and mock, to generated/package/.",
  options: {},
  examples: ["npm pack"],
  run: async () => {
    const generations = await readGenerations();
    const clients = generations.map(({ name }) => `generated/${name}/client.ts`);
    const files = compile(root, [...clients, "scripts/package/mock.ts"]);
    await replaceFolder(directory, files);
    process.stdout.write(`generated/package/: ${files.length} files\n`);
    return 0;
  },
});

/** Fills a folder anew: written aside first, so that a failure leaves what was there. */
async function replaceFolder(folder: string, files: readonly CompiledFile[]): Promise<void> {
  const aside = await mkdtemp(join(dirname(folder), ".new-"));
  try {
    for (const { path, content } of files) {
      await mkdir(dirname(join(aside, path)), { recursive: true });
      await writeFile(join(aside, path), content);
    }
    await rm(folder, { recursive: true, force: true });
    await rename(aside, folder);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

const run = promisify(execFile);

/** Bytes of a bundle. */
export interface Size {
  readonly minified: number;
  readonly gzipped: number;
}

/** Bundles a module in a folder for browsers, and measures what comes out. */
export async function measureBundle(folder: string, code: string): Promise<Size> {
  const input = join(folder, "entry.ts");
  await writeFile(input, code);
  const build = await rolldown({ input, platform: "browser", logLevel: "silent" });
  const { output } = await build.generate({ format: "esm", minify: true });
  await build.close();
  const text = output[0].code;
  return { minified: text.length, gzipped: gzipSync(text, { level: 9 }).byteLength };
}

/** Has `redocly generate-client` make a client; gives a module that exports all of it. */
export async function generateRedoclyClient(folder: string, description: string): Promise<string> {
  const script = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js");
  const output = join(folder, "redocly.ts");
  await run(process.execPath, [script, "generate-client", description, "--output", output], { cwd: folder });
  return `export * from ${JSON.stringify(output)};`;
}

/**
 * Has @hey-api/openapi-ts make a client; gives a module that exports all of it. It is installed for this alone, into a
 * folder inside the given one.
 */
export async function generateHeyApiClient(folder: string, description: string): Promise<string> {
  const tools = join(folder, "tools");
  await mkdir(tools);
  await writeFile(join(tools, "package.json"), "{}");
  const packages = ["@hey-api/openapi-ts@0.99.0", "typescript@5.9.3"];
  await run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...packages], { cwd: tools });
  const script = join(tools, "node_modules", "@hey-api", "openapi-ts", "bin", "run.js");
  const output = join(folder, "hey-api");
  await run(process.execPath, [script, "--input", description, "--output", output, "--silent"], { cwd: tools });
  return `export * from ${JSON.stringify(join(output, "index.ts"))};`;
}

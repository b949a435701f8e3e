import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
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
 * Has @hey-api/openapi-ts make a client; gives a module that exports all of it. It is not one of this project's
 * dependencies: gives `undefined` where it is not installed.
 */
export async function generateHeyApiClient(folder: string, description: string): Promise<string | undefined> {
  const script = findHeyApi();
  if (script === undefined) return undefined;
  const output = join(folder, "hey-api");
  await run(process.execPath, [script, "--input", description, "--output", output, "--silent"], { cwd: folder });
  return `export * from ${JSON.stringify(join(output, "index.ts"))};`;
}

function findHeyApi(): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve("@hey-api/openapi-ts/package.json");
    return join(dirname(manifest), "bin", "run.js");
  } catch {
    return undefined;
  }
}

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

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

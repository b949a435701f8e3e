import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

/** Bundles a module for browsers, minified, and gives its text. */
export async function bundle(input: string): Promise<string> {
  const build = await rolldown({ input, platform: "browser", logLevel: "silent" });
  const { output } = await build.generate({ format: "esm", minify: true });
  await build.close();
  return output[0].code;
}

/** Bytes after gzip, as a server would send them. */
export function gzippedSize(text: string): number {
  return gzipSync(text, { level: 9 }).byteLength;
}

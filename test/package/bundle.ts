import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

/** Bundles a module for browsers, minified, and gives its text. */
export async function bundle(input: string): Promise<string> {
  const [entry] = await bundleFiles(input);
  return entry.code;
}

/** Bundles a module as {@link bundle} does. Gives the text of all files that load at once. */
export async function bundleOfFirstLoad(input: string): Promise<string> {
  const files = await bundleFiles(input);
  const names = new Set([files[0].fileName]);
  // Names added during the iteration are visited too.
  for (const name of names) {
    for (const file of files)
      if (file.type === "chunk" && file.fileName === name) for (const one of file.imports) names.add(one);
  }
  return files.flatMap((file) => (file.type === "chunk" && names.has(file.fileName) ? [file.code] : [])).join("");
}

async function bundleFiles(input: string) {
  const build = await rolldown({ input, platform: "browser", logLevel: "silent" });
  const { output } = await build.generate({ format: "esm", minify: true });
  await build.close();
  return output;
}

/** Bytes after gzip, as a server would send them. */
export function gzippedSize(text: string): number {
  return gzipSync(text, { level: 9 }).byteLength;
}

import { cp, mkdir, mkdtempDisposable, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import type { Generation } from "../../scripts/contract/generation.ts";
import { generateClient } from "../../scripts/pipeline/clientModule.ts";

/** The growth of a client's bundle, in bytes after gzip. */
export interface ClientSize {
  /** The size of `createClient` for a generation without operations. */
  readonly withoutOperations: number;
  /**
   * The median size of one operation. The code for files comes with the first operation that needs it, and
   * doesn't grow.
   */
  readonly share: number;
}

/** The number of measured operations, which represent all. */
const mostMeasured = 25;

/** Measures how a client grows with its contract. */
export async function measureClientSize(generation: Generation): Promise<ClientSize> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "client-size-"));
  const generated = join(folder.path, "generated/contract");
  await mkdir(generated, { recursive: true });
  await cp(resolve("scripts/client"), join(folder.path, "scripts/client"), { recursive: true });
  await symlink(resolve("node_modules"), join(folder.path, "node_modules"));
  const sizeWith = async (operations: Generation["operations"]) => {
    await writeFile(join(generated, "client.ts"), generateClient({ ...generation, operations }));
    const code = 'export { createClient } from "./generated/contract/client.ts";';
    return (await measureBundle(folder.path, code)).gzipped;
  };
  const { operations } = generation;
  const all = await sizeWith(operations);
  const step = Math.ceil(operations.length / mostMeasured);
  const measured = operations.filter((_, index) => index % step === 0);
  const shares: number[] = [];
  for (const one of measured) shares.push(all - (await sizeWith(operations.filter((other) => other !== one))));
  shares.sort((a, b) => a - b);
  return { withoutOperations: await sizeWith([]), share: shares[Math.floor(shares.length / 2)] ?? 0 };
}

/** Bundles a module in a folder for browsers, and measures the output in bytes. */
export async function measureBundle(folder: string, code: string) {
  const input = join(folder, "entry.ts");
  await writeFile(input, code);
  const build = await rolldown({ input, platform: "browser", logLevel: "silent" });
  const { output } = await build.generate({ format: "esm", minify: true });
  await build.close();
  const text = output[0].code;
  return { minified: text.length, gzipped: gzipSync(text, { level: 9 }).byteLength };
}

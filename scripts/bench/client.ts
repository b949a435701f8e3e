import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { generateClient } from "../client/generate.ts";
import type { Document } from "../contract/document.ts";
import { generateTypes } from "../contract/types.ts";
import { readBundles } from "../mock/bundles.ts";
import { compile } from "../package/compile.ts";
import { typeCheck, type Work } from "./client/compile.ts";
import { callingProgram } from "./client/programs.ts";
import { generateHeyApiClient, generateRedoclyClient, measureBundle, type Size } from "./client/sizes.ts";
import { syntheticDocument } from "./mock/synthetic.ts";

const root = resolve(import.meta.dirname, "../..");
const calls = 25;
const rounds = 3;

/**
 * Measures what a client costs those who use it: the bytes of its bundle, and the compiler's work for a program of 25
 * calls. Beside it stand openapi-fetch without what a contract adds, and the
 * clients that other generators make.
 */
export async function benchClient(report: (line: string) => void): Promise<void> {
  const bundles = await readBundles(join(root, "generated"));
  report("contract          client                        minified    gzipped");
  for (const [name, document] of Object.entries(bundles)) await reportSizes(name, document, report);
  report("");
  report(
    `contract          client         instantiations   check time   (${calls} calls, TypeScript 5.9, median of ${rounds})`,
  );
  for (const [name, document] of Object.entries(bundles)) await reportTypes(name, document, report);
  await reportTypes("1,000 operations", syntheticDocument(1_000), report);
}

async function reportSizes(contract: string, document: Document, report: (line: string) => void): Promise<void> {
  await inProject(document, async (folder) => {
    const description = join(folder, "openapi.json");
    await writeFile(description, JSON.stringify(document));
    const clients: readonly (readonly [name: string, code: string])[] = [
      ["ours, types only", 'import type { paths } from "./generated/contract/client.ts"; export type P = paths;'],
      ["ours, createClient", 'export { createClient } from "./generated/contract/client.ts";'],
      ["ours, everything", 'export * from "./generated/contract/client.ts";'],
      ["openapi-fetch", 'export { default } from "openapi-fetch";'],
      ["redocly generate-client", await generateRedoclyClient(folder, description)],
      ["@hey-api/openapi-ts", await generateHeyApiClient(folder, description)],
    ];
    for (const [client, code] of clients) {
      report(`${contract.padEnd(18)}${client.padEnd(26)}${describeSize(await measureBundle(folder, code))}`);
    }
  });
}

function describeSize({ minified, gzipped }: Size): string {
  return `${String(minified).padStart(10)} B${String(gzipped).padStart(9)} B`;
}

async function reportTypes(contract: string, document: Document, report: (line: string) => void): Promise<void> {
  await inProject(document, async (folder) => {
    // As in the package: consumers' compilers read declarations, not sources.
    for (const { path, content } of compile(folder, ["generated/contract/client.ts"])) {
      await mkdir(dirname(join(folder, "package", path)), { recursive: true });
      await writeFile(join(folder, "package", path), content);
    }
    const plain = [
      'import createFetchClient from "openapi-fetch";',
      'import type { paths } from "./package/generated/contract/types.js";',
      'const create = () => createFetchClient<paths>({ baseUrl: "http://127.0.0.1" });',
    ];
    const ours = [
      'import { createClient } from "./package/generated/contract/client.js";',
      'const create = () => createClient({ baseUrl: "http://127.0.0.1" });',
    ];
    await writeFile(join(folder, "plain.ts"), callingProgram(plain.join("\n"), document, calls));
    await writeFile(join(folder, "ours.ts"), callingProgram(ours.join("\n"), document, calls));
    const works: Record<"plain" | "ours", Work[]> = { plain: [], ours: [] };
    for (let round = 0; round < rounds; round++) {
      works.plain.push(await typeCheck(folder, "plain.ts"));
      works.ours.push(await typeCheck(folder, "ours.ts"));
    }
    const [plainWork, ourWork] = [medianOf(works.plain), medianOf(works.ours)];
    const row = (client: string, { instantiations, checkTime }: Work) =>
      `${contract.padEnd(18)}${client.padEnd(14)}${String(instantiations).padStart(17)}${checkTime.toFixed(2).padStart(11)} s`;
    report(row("openapi-fetch", plainWork));
    const times = (key: keyof Work) => `${(ourWork[key] / plainWork[key]).toFixed(2)} times`;
    report(`${row("ours", ourWork)}   (${times("instantiations")}, ${times("checkTime")})`);
  });
}

/** Runs a step in a temporary project that has a contract's types and client in generated/contract/. */
async function inProject(document: Document, step: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "bench-client-"));
  try {
    await symlink(join(root, "node_modules"), join(folder, "node_modules"));
    for (const name of ["package.json", "tsconfig.json", "scripts/client/runtime"]) {
      await cp(join(root, name), join(folder, name), { recursive: true });
    }
    const generated = join(folder, "generated", "contract");
    await mkdir(generated, { recursive: true });
    await writeFile(join(generated, "types.ts"), await generateTypes(document));
    await writeFile(join(generated, "client.ts"), generateClient(document));
    await step(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function medianOf(works: readonly Work[]): Work {
  const median = (key: keyof Work) =>
    works.map((work) => work[key]).sort((a, b) => a - b)[Math.floor(works.length / 2)] ?? Number.NaN;
  return { instantiations: median("instantiations"), checkTime: median("checkTime") };
}

import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { syntheticDocument } from "../../test/fixtures/syntheticContract.ts";
import { readBuiltGenerations } from "../command/builtGenerations.ts";
import { readGeneration, type Generation } from "../contract/generation.ts";
import { generateClient } from "../pipeline/clientModule.ts";
import { compilePackage } from "../package/compilePackage.ts";
import { generateTypes } from "../pipeline/typesModule.ts";
import { generateHeyApiClient, generateRedoclyClient, measureBundle, type Size } from "./bundleSize.ts";
import { callingProgram } from "./callingProgram.ts";
import { median } from "./statistics.ts";
import { typeCheck, type Work } from "./typeCheck.ts";

const root = resolve(import.meta.dirname, "../..");
const calls = 25;
const rounds = 3;

/**
 * Measures what a client costs those who use it: the bytes of its bundle, and the compiler's work for a program of 25
 * calls; beside openapi-fetch without what a contract adds, and the clients that other generators make.
 */
export async function benchClient(report: (line: string) => void): Promise<void> {
  const generations = await readBuiltGenerations();
  report("contract          client                        minified    gzipped");
  for (const generation of generations) await reportSizes(generation, report);
  report("");
  report(
    `contract          client         instantiations   check time   (${calls} calls, TypeScript 5.9, median of ${rounds})`,
  );
  for (const generation of generations) await reportTypes(generation, report);
  await reportTypes(readGeneration("1,000 operations", syntheticDocument(1_000)), report);
}

async function reportSizes(generation: Generation, report: (line: string) => void): Promise<void> {
  await inProject(generation, async (folder) => {
    const description = join(folder, "openapi.json");
    await writeFile(description, JSON.stringify(generation.document));
    const clients: readonly (readonly [name: string, code: string])[] = [
      ["ours, types only", 'import type { paths } from "./generated/contract/client.ts"; export type P = paths;'],
      ["ours, createClient", 'export { createClient } from "./generated/contract/client.ts";'],
      ["ours, everything", 'export * from "./generated/contract/client.ts";'],
      ["openapi-fetch", 'export { default } from "openapi-fetch";'],
      ["redocly generate-client", await generateRedoclyClient(folder, description)],
      ["@hey-api/openapi-ts", await generateHeyApiClient(folder, description)],
    ];
    for (const [client, code] of clients) {
      report(`${generation.name.padEnd(18)}${client.padEnd(26)}${describeSize(await measureBundle(folder, code))}`);
    }
  });
}

function describeSize({ minified, gzipped }: Size): string {
  return `${String(minified).padStart(10)} B${String(gzipped).padStart(9)} B`;
}

async function reportTypes(generation: Generation, report: (line: string) => void): Promise<void> {
  await inProject(generation, async (folder) => {
    // As in the package: consumers' compilers read declarations, not sources.
    await compilePackage(folder, join(folder, "package"));
    const plain = [
      'import createFetchClient from "openapi-fetch";',
      'import type { paths } from "./package/generated/contract/types.js";',
      'const create = () => createFetchClient<paths>({ baseUrl: "http://127.0.0.1" });',
    ];
    const ours = [
      'import { createClient } from "./package/generated/contract/client.js";',
      'const create = () => createClient({ baseUrl: "http://127.0.0.1" });',
    ];
    await writeFile(join(folder, "plain.ts"), callingProgram(plain.join("\n"), generation, calls));
    await writeFile(join(folder, "ours.ts"), callingProgram(ours.join("\n"), generation, calls));
    const works: Record<"plain" | "ours", Work[]> = { plain: [], ours: [] };
    for (let round = 0; round < rounds; round++) {
      works.plain.push(await typeCheck(folder, "plain.ts"));
      works.ours.push(await typeCheck(folder, "ours.ts"));
    }
    const [plainWork, ourWork] = [medianOf(works.plain), medianOf(works.ours)];
    const row = (client: string, { instantiations, checkTime }: Work) =>
      `${generation.name.padEnd(18)}${client.padEnd(14)}${String(instantiations).padStart(17)}${checkTime.toFixed(2).padStart(11)} s`;
    report(row("openapi-fetch", plainWork));
    const times = (key: keyof Work) => `${(ourWork[key] / plainWork[key]).toFixed(2)} times`;
    report(`${row("ours", ourWork)}   (${times("instantiations")}, ${times("checkTime")})`);
  });
}

/** Runs a step in a temporary project that has a generation's types and client in generated/contract/. */
async function inProject(generation: Generation, step: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "bench-client-"));
  try {
    await symlink(join(root, "node_modules"), join(folder, "node_modules"));
    for (const name of ["package.json", "tsconfig.json", "tsconfig.package.json", "scripts/client"]) {
      await cp(join(root, name), join(folder, name), { recursive: true });
    }
    const generated = join(folder, "generated", "contract");
    await mkdir(generated, { recursive: true });
    await writeFile(join(generated, "types.ts"), await generateTypes(generation.document));
    await writeFile(join(generated, "client.ts"), generateClient(generation));
    await step(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function medianOf(works: readonly Work[]): Work {
  const of = (key: keyof Work) => median(works.map((work) => work[key]));
  return { instantiations: of("instantiations"), checkTime: of("checkTime") };
}

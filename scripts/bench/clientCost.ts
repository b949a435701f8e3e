import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { syntheticDocument } from "../../test/fixtures/syntheticContract.ts";
import { readBuiltGenerations } from "../command/builtGenerations.ts";
import { UserError } from "../contract/failures.ts";
import { readGeneration, type Generation } from "../contract/generation.ts";
import { generateClient } from "../pipeline/clientModule.ts";
import { compilePackage } from "../package/compilePackage.ts";
import { generateOperations } from "../pipeline/operationsModule.ts";
import { generateTypes } from "../pipeline/typesModule.ts";
import { measureBundle, type Size } from "./bundleSize.ts";
import { callByFunction, callingProgram } from "./callingProgram.ts";
import { generateOtherClients } from "./otherClients.ts";
import { median, tableRow } from "./statistics.ts";
import { typeCheck, type Work } from "./typeCheck.ts";

const root = resolve(import.meta.dirname, "../..");
const calls = 25;
const rounds = 3;

/**
 * Measures what a client costs those who use it: the bytes of its bundle, and the compiler's work; for a program of one
 * call, beside openapi-fetch without what a contract adds and the clients that other generators make, and for one of 25.
 */
export async function benchClient(report: (line: string) => void): Promise<void> {
  const generations = await readBuiltGenerations();
  for (const generation of generations.slice(-1)) await reportOneCall(generation, report);
  report("");
  report(
    `contract          client         instantiations   check time   (${calls} calls, TypeScript 5.9, median of ${rounds})`,
  );
  for (const generation of generations) await reportTypes(generation, report);
  await reportTypes(readGeneration("1,000 operations", syntheticDocument(1_000)), report);
}

const columns = [36, 12, 12, 16, 12];

async function reportOneCall(generation: Generation, report: (line: string) => void): Promise<void> {
  const operation = generation.operations.find(
    ({ operationId, parameters, requestBody }) =>
      operationId !== undefined &&
      requestBody === undefined &&
      parameters.every((parameter) => parameter.in === "path"),
  );
  if (operation === undefined) throw new UserError(`${generation.name} has no operation with path parameters alone`);
  await inProject(generation, async (folder) => {
    await compilePackage(folder, join(folder, "package"));
    const others = await generateOtherClients(folder, generation, operation);
    const callOf = (create: readonly string[]) => callingProgram(create.join("\n"), { operations: [operation] }, 1);
    const schemas = join(root, "generated", generation.name, "schemas.ts");
    const program = async (name: string, code: string) => {
      const size = await measureBundle(folder, code);
      await writeFile(join(folder, "program.ts"), code);
      const works: Work[] = [];
      for (let round = 0; round < rounds; round++) works.push(await typeCheck(folder, "program.ts"));
      const { instantiations, checkTime } = medianOf(works);
      const work = [String(instantiations), `${checkTime.toFixed(2)} s`];
      report(tableRow([name, ...describeSize(size), ...work], columns));
    };
    const exported = async (name: string, code: string) => {
      report(tableRow([name, ...describeSize(await measureBundle(folder, code))], columns));
    };

    report(tableRow([`${generation.name}, one call`, "minified", "gzipped", "instantiations", "check time"], columns));
    await program("ours", callOf(ours));
    await program("ours, by function", callingProgram(functions, { operations: [operation] }, 1, callByFunction));
    await program("openapi-fetch", callOf(plain));
    for (const { name, call } of others) await program(name, call);
    report(tableRow([`${generation.name}, one schema`, "minified", "gzipped"], columns));
    if (existsSync(schemas)) {
      await exported("ours", `export { ${operation.operationId ?? ""}Response } from ${JSON.stringify(schemas)};`);
    }
    for (const { name, schema } of others) await exported(name, schema);
    report(tableRow([`${generation.name}, a part of ours`, "minified", "gzipped"], columns));
    await exported("types", 'import type { paths } from "./generated/contract/client.ts"; export type P = paths;');
    await exported("createClient", 'export { createClient } from "./generated/contract/client.ts";');
    await exported("everything", 'export * from "./generated/contract/client.ts";');
  });
}

function describeSize({ minified, gzipped }: Size): readonly string[] {
  return [`${minified} B`, `${gzipped} B`];
}

// As in the package: consumers' compilers read declarations, not sources.
const plain = [
  'import createFetchClient from "openapi-fetch";',
  'import type { paths } from "./package/generated/contract/types.js";',
  'const create = () => createFetchClient<paths>({ baseUrl: "http://127.0.0.1" });',
];
const ours = [
  'import { createClient } from "./package/generated/contract/client.js";',
  'const create = () => createClient({ baseUrl: "http://127.0.0.1" });',
];
const functions = [...ours, 'import * as operations from "./package/generated/contract/operations.js";'].join("\n");

async function reportTypes(generation: Generation, report: (line: string) => void): Promise<void> {
  await inProject(generation, async (folder) => {
    await compilePackage(folder, join(folder, "package"));
    await writeFile(join(folder, "plain.ts"), callingProgram(plain.join("\n"), generation, calls));
    await writeFile(join(folder, "ours.ts"), callingProgram(ours.join("\n"), generation, calls));
    await writeFile(join(folder, "functions.ts"), callingProgram(functions, generation, calls, callByFunction));
    const works: Record<"plain" | "ours" | "functions", Work[]> = { plain: [], ours: [], functions: [] };
    for (let round = 0; round < rounds; round++) {
      works.plain.push(await typeCheck(folder, "plain.ts"));
      works.ours.push(await typeCheck(folder, "ours.ts"));
      works.functions.push(await typeCheck(folder, "functions.ts"));
    }
    const plainWork = medianOf(works.plain);
    const row = (client: string, { instantiations, checkTime }: Work) =>
      `${generation.name.padEnd(18)}${client.padEnd(14)}${String(instantiations).padStart(17)}${checkTime.toFixed(2).padStart(11)} s`;
    report(row("openapi-fetch", plainWork));
    for (const [name, all] of [["ours", works.ours] as const, ["by function", works.functions] as const]) {
      const work = medianOf(all);
      const times = (key: keyof Work) => `${(work[key] / plainWork[key]).toFixed(2)} times`;
      report(`${row(name, work)}   (${times("instantiations")}, ${times("checkTime")})`);
    }
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
    await writeFile(join(generated, "operations.ts"), generateOperations(generation));
    await step(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function medianOf(works: readonly Work[]): Work {
  const of = (key: keyof Work) => median(works.map((work) => work[key]));
  return { instantiations: of("instantiations"), checkTime: of("checkTime") };
}

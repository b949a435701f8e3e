import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { syntheticDocument } from "../fixtures/syntheticContract.ts";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { UserError } from "../../scripts/contract/failures.ts";
import { type Generation, type Operation, jsonContent, readGeneration } from "../../scripts/contract/generation.ts";
import { compilePackage } from "../../scripts/package/compilePackage.ts";
import { generateClient } from "../../scripts/pipeline/clientModule.ts";
import { generateOperations } from "../../scripts/pipeline/operationsModule.ts";
import { generateTypes } from "../../scripts/pipeline/typesModule.ts";
import { measureBundle, measureClientSize } from "./clientSize.ts";
import { type Benchmark, type MeasuredFigures, compare } from "./figures.ts";
import { runProgram, temporaryFolder } from "./programs.ts";

const { resolve: find } = createRequire(import.meta.url);
const compiler = find("typescript/bin/tsc");
const redocly = find("@redocly/cli/bin/cli.js");
const compilerOptions =
  "--strict --noEmit --skipLibCheck --module esnext --moduleResolution bundler --target es2024 --lib es2024,dom,dom.iterable";
const checkMetrics = { instantiations: { unit: "", goal: { ratio: 1.2 } }, "type check": { unit: "s" } };

/**
 * Measures what a client costs consumers: the bytes of its bundle, and the compiler's work. A program with
 * one call is compared with openapi-fetch alone and with clients of other generators. A program with 25 calls
 * is measured too.
 */
export const benchClient: Benchmark = async function* () {
  const generations = await readBuiltGenerations();
  for (const generation of generations) yield await measureGrowth(generation);
  for (const generation of generations.slice(-1)) yield* compareOneCall(generation);
  for (const generation of [...generations, readGeneration("1,000 operations", syntheticDocument(1_000))]) {
    const title = `client: 25 calls of ${generation.name}`;
    const folder = await makeProject(generation);
    const measure = (code: string) => typeCheck(folder, code);
    const programs = callingPrograms(generation.operations, 25);
    yield await compare({ title, metrics: checkMetrics, measure, ...programs });
  }
};

/** The size that the contract adds to the bundle of a client, and the size without it. */
async function measureGrowth(generation: Generation): Promise<MeasuredFigures> {
  const { withoutOperations, share } = await measureClientSize(generation);
  return {
    title: `client: createClient of ${generation.name}, gzipped`,
    figures: [
      { name: "without operations", unit: "B", ours: withoutOperations, goal: { ours: 4_000 } },
      { name: "for each operation", unit: "B", ours: share, goal: { ours: 12 } },
    ],
  };
}

async function* compareOneCall(generation: Generation): AsyncGenerator<MeasuredFigures, void> {
  const operation = generation.operations.find(
    ({ operationId, parameters, requestBody }) =>
      operationId !== undefined && !requestBody && parameters.every((parameter) => parameter.in === "path"),
  );
  if (operation === undefined) throw new UserError(`${generation.name} has no operation with path parameters alone`);
  const folder = await makeProject(generation);
  const generated = await generateOtherClients(folder, generation, operation);
  const measure = (code: string) => measureBundle(folder, code);
  const { ours, others } = callingPrograms([operation], 1);
  const sizes = { minified: { unit: "B" }, gzipped: { unit: "B" } };
  yield await compare({
    title: `client: one call of ${generation.name}`,
    metrics: { ...sizes, ...checkMetrics },
    measure: async (code) => ({ ...(await measure(code)), ...(await typeCheck(folder, code)) }),
    ours,
    others: { ...others, ...generated.calls },
  });
  const schemas = JSON.stringify(resolve("generated", generation.name, "schemas.ts"));
  const client = '"./generated/contract/client.ts"';
  for (const [name, limit, ours, others] of [
    ["one schema", 1_000, `export { ${operation.operationId ?? ""}Response } from ${schemas};`, generated.schemas],
    ["createClient", undefined, `export { createClient } from ${client};`, {}],
    ["everything", undefined, `export * from ${client};`, {}],
    // The size of an empty input after gzip.
    ["types", 20, `export type { paths } from ${client};`, {}],
  ] as const) {
    const goal = limit === undefined ? undefined : { ours: limit };
    const metrics = { ...sizes, gzipped: { unit: "B", goal } };
    yield await compare({ title: `client: ${name}`, rounds: 1, metrics, measure, ours, others });
  }
}

/** Type-checks a program in a folder in strict mode, and reads the compiler's statistics. */
async function typeCheck(folder: string, code: string) {
  await writeFile(join(folder, "program.ts"), code);
  const options = [...compilerOptions.split(" "), "--typeRoots", "none", "--extendedDiagnostics"];
  const report = await runProgram(process.execPath, [compiler, ...options, "program.ts"], folder);
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+([\\d.]+)`, "m").exec(report)?.[1]);
  return { instantiations: read("Instantiations"), "type check": read("Check time") };
}

/** Programs that call operations in turn with the contract's examples, by client. */
function callingPrograms(operations: readonly Operation[], count: number) {
  // As in the package, where consumers' compilers read declarations instead of sources.
  const create = `import { createClient } from "./package/generated/contract/client.js";
    const client = createClient({ baseUrl: "http://127.0.0.1" });\n`;
  const plain = `import createClient from "openapi-fetch";
    import type { paths } from "./package/generated/contract/types.js";
    const client = createClient<paths>({ baseUrl: "http://127.0.0.1" });\n`;
  const functions = `import * as operations from "./package/generated/contract/operations.js";\n`;
  const called = Array.from({ length: count }, () => operations).flat();
  const exportAll = (callOf: (operation: Operation, options: string) => string) => {
    const all = called.slice(0, count).map((operation) => callOf(operation, optionsOf(operation)));
    return all.map((call, index) => `export const call${index} = await ${call};`).join("\n");
  };
  const byPath = exportAll(({ method, path }, options) => `client.${method.toUpperCase()}("${path}", ${options})`);
  const byFunction = exportAll(({ operationId = "" }, options) => `operations.${operationId}(client, ${options})`);
  const others = { "openapi-fetch": plain + byPath, "our functions": create + functions + byFunction };
  return { ours: create + byPath, others };
}

/** The options of a call, with the contract's examples. */
function optionsOf({ parameters, requestBody }: Operation): string {
  const params: Record<string, Record<string, unknown>> = {};
  for (const { in: place, name, example } of parameters) params[place] = { ...params[place], [name]: example };
  return JSON.stringify({ params, body: jsonContent(requestBody?.content)?.examples[0]?.value });
}

/** Creates a project with a generation's types and client in generated/contract/, and its package in package/. */
export async function makeProject(generation: Generation): Promise<string> {
  const folder = await temporaryFolder();
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  for (const name of ["package.json", "tsconfig.json", "tsconfig.package.json", "scripts/client", "scripts/values"]) {
    await cp(resolve(name), join(folder, name), { recursive: true });
  }
  const generated = join(folder, "generated/contract");
  await mkdir(generated, { recursive: true });
  await writeFile(join(generated, "types.ts"), generateTypes(generation.document));
  await writeFile(join(generated, "client.ts"), generateClient(generation));
  await writeFile(join(generated, "operations.ts"), generateOperations(generation));
  await compilePackage(folder, join(folder, "package"));
  return folder;
}

const packages = ["@hey-api/openapi-ts@0.99.0", "orval@8.28.1", "typescript@5.9.3", "zod@4.6.7"];
const heyApi =
  "--input openapi.json --output hey-api --silent --plugins @hey-api/typescript @hey-api/sdk @hey-api/client-fetch zod";
const orval = `export default {
  client: { input: "openapi.json", output: { target: "orval/client.ts", client: "fetch", baseUrl: "http://127.0.0.1" } },
  zod: { input: "openapi.json", output: { target: "orval/zod.ts", client: "zod" } },
};`;

/**
 * Makes other generators, which are installed into the folder, write clients and Zod schemas. Returns
 * programs for the folder by generator. Some call an operation, and some export the schema of its response.
 */
async function generateOtherClients(folder: string, { document }: Generation, operation: Operation) {
  const { operationId = "", parameters } = operation;
  const tools = join(folder, "tools");
  await mkdir(tools);
  await writeFile(join(tools, "package.json"), "{}");
  await writeFile(join(tools, "openapi.json"), JSON.stringify(document));
  await writeFile(join(tools, "orval.config.mjs"), orval);
  await runProgram("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...packages], tools);
  await runProgram("node_modules/.bin/openapi-ts", heyApi.split(" "), tools);
  await runProgram("node_modules/.bin/orval", ["--config", "orval.config.mjs"], tools);
  const output = ["--output", "redocly/client.ts"];
  await runProgram(process.execPath, [redocly, "generate-client", "openapi.json", ...output], tools);

  const typeName = operationId.charAt(0).toUpperCase() + operationId.slice(1);
  const path = Object.fromEntries(parameters.map(({ name, example }) => [name, example]));
  const values = Object.values(path).map((value) => JSON.stringify(value));
  return {
    calls: {
      "@hey-api/openapi-ts, zod": `import { client } from "./tools/hey-api/client.gen";
        import { ${operationId} } from "./tools/hey-api/index";
        client.setConfig({ baseUrl: "http://127.0.0.1" });
        export const call = await ${operationId}(${JSON.stringify({ path })});`,
      "orval (no credentials), zod": `import { ${operationId} } from "./tools/orval/client";
        export const call = await ${operationId}(${values.join(", ")});`,
      "redocly generate-client": `import { client, ${operationId} } from "./tools/redocly/client";
        client.configure({ serverUrl: "http://127.0.0.1" });
        export const call = await ${operationId}(${JSON.stringify({ path })});`,
    },
    schemas: {
      "@hey-api/openapi-ts, zod": `export { z${typeName}Response } from "./tools/hey-api/zod.gen";`,
      "orval (no credentials), zod": `export { ${typeName}Response } from "./tools/orval/zod";`,
    },
  };
}

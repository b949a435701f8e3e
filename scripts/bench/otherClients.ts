import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Generation, Operation } from "../contract/generation.ts";
import { runProgram } from "./programs.ts";

const packages = ["@hey-api/openapi-ts@0.99.0", "orval@8.28.1", "typescript@5.9.3", "zod@4.6.7"];
const heyApi = "--input openapi.json --output hey-api --silent --plugins @hey-api/typescript @hey-api/sdk";
const orval = `export default {
  client: { input: "openapi.json", output: { target: "orval/client.ts", client: "fetch", baseUrl: "http://127.0.0.1" } },
  zod: { input: "openapi.json", output: { target: "orval/zod.ts", client: "zod" } },
};`;

/**
 * Has other generators make clients and Zod schemas, and returns programs of their users, by the generators' names: one
 * that calls an operation, and one that exports the schema of what it returns. The programs belong into the given folder;
 * the generators are installed for this alone, into a folder inside it.
 */
export async function generateOtherClients(folder: string, { document }: Generation, operation: Operation) {
  const { operationId = "", parameters } = operation;
  const tools = join(folder, "tools");
  await mkdir(tools);
  await writeFile(join(tools, "package.json"), "{}");
  await writeFile(join(tools, "openapi.json"), JSON.stringify(document));
  await writeFile(join(tools, "orval.config.mjs"), orval);
  await runProgram("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...packages], tools);
  const plugins = ["@hey-api/client-fetch", "zod"];
  await runProgram("node_modules/.bin/openapi-ts", [...heyApi.split(" "), ...plugins], tools);
  await runProgram("node_modules/.bin/orval", ["--config", "orval.config.mjs"], tools);

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
    },
    schemas: {
      "@hey-api/openapi-ts, zod": `export { z${typeName}Response } from "./tools/hey-api/zod.gen";`,
      "orval (no credentials), zod": `export { ${typeName}Response } from "./tools/orval/zod";`,
    },
  };
}

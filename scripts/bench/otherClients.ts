import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Generation, Operation } from "../contract/generation.ts";

const run = promisify(execFile);

/** Two programs of somebody who uses what a generator has made. */
export interface OtherClient {
  readonly name: string;
  /** Calls one operation. */
  readonly call: string;
  /** Exports the schema of what that operation returns. */
  readonly schema: string;
}

/**
 * Has other generators make clients and Zod schemas; the programs, which a bundler resolves, belong into the same
 * folder. The generators are installed for this alone, into a folder inside the given one.
 */
export async function generateOtherClients(
  folder: string,
  { document }: Generation,
  { operationId = "", parameters }: Operation,
): Promise<readonly OtherClient[]> {
  const tools = join(folder, "tools");
  await mkdir(tools);
  await writeFile(join(tools, "package.json"), "{}");
  await writeFile(join(tools, "openapi.json"), JSON.stringify(document));
  const orval = {
    client: {
      input: "openapi.json",
      output: { target: "orval/client.ts", client: "fetch", baseUrl: "http://127.0.0.1" },
    },
    zod: { input: "openapi.json", output: { target: "orval/zod.ts", client: "zod" } },
  };
  await writeFile(join(tools, "orval.config.mjs"), `export default ${JSON.stringify(orval)};`);
  const packages = ["@hey-api/openapi-ts@0.99.0", "orval@8.28.1", "typescript@5.9.3", "zod@4.6.7"];
  await run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...packages], { cwd: tools });
  const plugins = ["@hey-api/typescript", "@hey-api/sdk", "@hey-api/client-fetch", "zod"];
  const inHeyApi = ["--input", "openapi.json", "--output", "hey-api", "--silent", "--plugins", ...plugins];
  await run(process.execPath, ["node_modules/@hey-api/openapi-ts/bin/run.js", ...inHeyApi], { cwd: tools });
  await run(process.execPath, ["node_modules/orval/dist/bin/orval.mjs", "--config", "orval.config.mjs"], {
    cwd: tools,
  });

  const typeName = operationId.charAt(0).toUpperCase() + operationId.slice(1);
  const path = Object.fromEntries(parameters.map(({ name, example }) => [name, example]));
  return [
    {
      name: "@hey-api/openapi-ts, zod",
      call: [
        'import { client } from "./tools/hey-api/client.gen";',
        `import { ${operationId} } from "./tools/hey-api/index";`,
        'client.setConfig({ baseUrl: "http://127.0.0.1" });',
        `export const call = await ${operationId}(${JSON.stringify({ path })});`,
      ].join("\n"),
      schema: `export { z${typeName}Response } from "./tools/hey-api/zod.gen";`,
    },
    {
      name: "orval (no credentials), zod",
      call: [
        `import { ${operationId} } from "./tools/orval/client";`,
        `export const call = await ${operationId}(${Object.values(path)
          .map((value) => JSON.stringify(value))
          .join(", ")});`,
      ].join("\n"),
      schema: `export { ${typeName}Response } from "./tools/orval/zod";`,
    },
  ];
}

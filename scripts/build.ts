import { enableCompileCache } from "node:module";
import { resolve } from "node:path";
import { runCommand } from "./command.ts";

// Loading the TypeScript compiler, which makes the types, takes 0.4 s with the cache and 0.7 s without.
enableCompileCache();

await runCommand({
  name: "npm run build",
  summary: "Checks the contract under openapi/, and makes generated/ from it: bundles, TypeScript types and clients.",
  options: {
    check: { type: "boolean", description: "write nothing; fail where generated/ is not what openapi/ gives" },
  },
  examples: ["npm run build", "npm run build -- --check"],
  run: async ({ check }) => {
    const { buildGenerated } = await import("./contract/build.ts");
    const report = (line: string) => process.stdout.write(`${line}\n`);
    await buildGenerated({ directory: resolve("generated"), check, report });
    return 0;
  },
});

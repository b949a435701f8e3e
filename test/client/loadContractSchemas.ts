import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { ContractSchemas } from "../../scripts/client/contractSchemas.ts";
import { valueAt } from "../../scripts/values/json.ts";

/** What clients validate with, of a generated module of schemas. */
export async function loadContractSchemas(text: string): Promise<ContractSchemas<string>> {
  const folder = await mkdtemp(join(tmpdir(), "schemas-"));
  try {
    const file = join(folder, "schemas.ts");
    await writeFile(file, text.replaceAll("../../scripts", resolve("scripts")));
    const module: unknown = await import(file);
    const schemas = valueAt(module, ["schemas"]);
    if (!isContractSchemas(schemas)) throw new Error("the module has no schemas");
    return schemas;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function isContractSchemas(value: unknown): value is ContractSchemas<string> {
  return typeof value === "function";
}

import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readFolder } from "./files.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));

/** A digest of what something is made from: some data, which JSON can hold, these scripts, and the installed packages. */
export async function digestOf(data: unknown): Promise<string> {
  const scripts = await readFolder(join(project, "scripts"));
  const lock = await readFile(join(project, "package-lock.json"), "utf8");
  return hash("sha256", JSON.stringify([data, scripts, lock]));
}

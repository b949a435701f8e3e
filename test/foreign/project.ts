import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repository } from "../pipeline/project.ts";

const files = ["scripts", "package.json", "package-lock.json", "LICENSE", "tsconfig.json", "tsconfig.package.json"];
const packages = createRequire(import.meta.url);
const written = (name: string) => join(import.meta.dirname, "descriptions", `${name}.yaml`);

/** Descriptions of others, and those that are written in their manner, by the names of their generations. */
export const descriptions: Readonly<Record<string, string>> = {
  galaxy: packages.resolve("@scalar/galaxy/3.1.yaml"),
  petstore: packages.resolve("@readme/oas-examples/3.1/yaml/petstore.yaml"),
  museum: written("museum"),
  ferries: written("ferries"),
  oddments: written("oddments"),
  harbor: written("harbor"),
  library: written("library"),
};

/**
 * A copy of this project in a folder of its own, with other descriptions. In its redocly.yaml, one line for each of them
 * turns the house's rules off. It is removed when it is disposed of.
 */
export async function createForeignProject(): Promise<AsyncDisposable & { readonly directory: string }> {
  const directory = await mkdtemp(join(tmpdir(), "foreign-"));
  const copy = (path: string) => cp(join(repository, path), join(directory, path), { recursive: true });
  await Promise.all(files.map(copy));
  await symlink(join(repository, "node_modules"), join(directory, "node_modules"));
  await mkdir(join(directory, "openapi"));
  const names = Object.keys(descriptions);
  const apis = names.map((name) => `  ${name}:\n    root: openapi/${name}.yaml\n    extends: [minimal, house/off]\n`);
  const configuration = await readFile(join(repository, "redocly.yaml"), "utf8");
  await writeFile(
    join(directory, "redocly.yaml"),
    configuration.replace(/^apis:\n(?: .*\n)+/m, `apis:\n${apis.join("")}`),
  );
  for (const [name, file] of Object.entries(descriptions)) {
    await cp(file, join(directory, "openapi", `${name}.yaml`));
  }
  await cp(join(import.meta.dirname, "descriptions/harbor"), join(directory, "openapi/harbor"), { recursive: true });
  return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true }) };
}

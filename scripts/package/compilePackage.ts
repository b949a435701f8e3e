import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { TextFile } from "../command/files.ts";
import { UserError } from "../contract/failures.ts";
import { isObject } from "../values/json.ts";

/** TypeScript 7 takes a fifth of the time of 5.9, which openapi-typescript needs. */
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript-7/package.json")), "bin/tsc");

/**
 * Compiles the files in a project's tsconfig.package.json. Throws {@link UserError} with the compiler's
 * report.
 */
export async function compilePackage(root: string, folder: string): Promise<void> {
  const args = [compiler, "--singleThreaded", "--project", join(root, "tsconfig.package.json"), "--outDir", folder];
  await promisify(execFile)(process.execPath, args, { cwd: root }).catch((error: unknown) => {
    if (!isObject(error) || error["stdout"] === "") throw error;
    throw new UserError(`the package does not compile:\n${String(error["stdout"])}`);
  });
}

/** JavaScript without effect: comments, and the mark of a module. */
const onlyTypes = /^(?:(?:export \{\};|\/\/.*)\s*)+$/;

/**
 * Moves compiled modules to their places in the package: the folders of generated/ and scripts/, side by
 * side. The JavaScript of modules with only types is left out.
 */
export function layOutModules(compiled: readonly TextFile[]): readonly TextFile[] {
  return compiled
    .filter(({ path, content }) => !path.endsWith(".js") || !onlyTypes.test(content))
    .map(({ path, content }) => ({ path: path.slice(path.indexOf("/") + 1), content: adjust(path, content) }));
}

function adjust(path: string, content: string): string {
  const relative = content.replaceAll(/"(?:\.\.\/)+(?:generated|scripts)\//g, '"../');
  // TypeScript rewrites extensions in scripts only.
  if (!path.endsWith(".d.ts")) return relative;
  return relative.replaceAll(/(from |import\()"(\.[^"]+)\.ts"/g, '$1"$2.js"');
}

import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { isObject } from "../spec/json.ts";

const run = promisify(execFile);
const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");

/** What the compiler says of its work. */
export interface Work {
  readonly instantiations: number;
  /** In seconds. */
  readonly checkTime: number;
}

/** Type-checks a program in a folder, strictly. Rejects with the compiler's report where there is an error in it. */
export async function typeCheck(folder: string, file: string): Promise<Work> {
  const config = join(folder, "tsconfig.program.json");
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: "esnext",
    moduleResolution: "bundler",
    target: "es2024",
    lib: ["es2024", "dom", "dom.iterable"],
    types: [],
  };
  await writeFile(config, JSON.stringify({ compilerOptions, files: [file] }));
  const { stdout } = await run(process.execPath, [compiler, "--project", config, "--extendedDiagnostics"]).catch(
    (error: unknown) => {
      throw new Error(`${file} does not compile: ${isObject(error) ? String(error["stdout"]) : String(error)}`);
    },
  );
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+([\\d.]+)`, "m").exec(stdout)?.[1]);
  return { instantiations: read("Instantiations"), checkTime: read("Check time") };
}

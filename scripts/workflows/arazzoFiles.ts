import { load } from "js-yaml";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { ifAbsent, messageOf, UserError } from "../contract/failures.ts";
import { byVersion } from "../contract/generation.ts";
import { isArazzo, readArazzo } from "./arazzo.ts";

/** The folder of the workflows, in the project's. */
export const workflowsFolder = "openapi/workflows";

export type ArazzoFile = Awaited<ReturnType<typeof readArazzoFile>>;

/** The paths of the Arazzo descriptions in a folder, `*.arazzo.yaml`, by the numbers that their names begin with; none if there is no such folder. */
export async function listArazzoFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(ifAbsent([]));
  return names
    .filter((name) => name.endsWith(".arazzo.yaml"))
    .map((name) => ({ name, file: join(folder, name) }))
    .sort(byVersion)
    .map(({ file }) => file);
}

/** Reads the Arazzo descriptions in a folder. Throws {@link UserError} with the file if one cannot be used. */
export async function readArazzoFiles(folder: string): Promise<readonly ArazzoFile[]> {
  return Promise.all((await listArazzoFiles(folder)).map(readArazzoFile));
}

async function readArazzoFile(file: string) {
  try {
    const document = load(await readFile(file, "utf8"));
    if (isArazzo(document)) return { file, document, description: readArazzo(document) };
  } catch (error) {
    const [reason = ""] = messageOf(error).split("\n");
    throw fileError(file, `it cannot be read: ${reason}`);
  }
  throw fileError(file, "it is no Arazzo 1.0 description with workflows: begin it with `arazzo: 1.0.1`");
}

/** An error whose message begins with the file, relative to the current folder. */
export function fileError(file: string, reason: string): UserError {
  return new UserError(`${relative(process.cwd(), file)}: ${reason}`);
}

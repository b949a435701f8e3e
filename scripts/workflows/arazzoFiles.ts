import { load } from "js-yaml";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { ifAbsent, messageOf, UserError } from "../contract/failures.ts";
import { byVersion, type Generation } from "../contract/generation.ts";
import { isArazzo, readArazzo, type ArazzoDescription } from "./arazzo.ts";
import { findStepOperation } from "./stepOperation.ts";

/** The folder of the workflows, in the project's. */
export const workflowsFolder = "openapi/workflows";

export type ArazzoFile = Awaited<ReturnType<typeof readArazzoFile>>;
/** A workflow, each step of which has its operation. */
export type WorkflowOfFile = ArazzoFile["workflows"][number];
export type StepOfFile = WorkflowOfFile["steps"][number];

/** The paths of the `*.arazzo.yaml` in a folder, by the numbers that their names begin with; none if there is no such folder. */
export async function listArazzoFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(ifAbsent([]));
  return names
    .filter((name) => name.endsWith(".arazzo.yaml"))
    .map((name) => ({ name, file: join(folder, name) }))
    .sort(byVersion)
    .map(({ file }) => file);
}

/** Reads the Arazzo descriptions in a folder. Throws {@link UserError} with the file of one that cannot be used. */
export async function readArazzoFiles(folder: string, generations: readonly Generation[]) {
  return Promise.all((await listArazzoFiles(folder)).map((file) => readArazzoFile(file, generations)));
}

/** An error whose message begins with the file, relative to the current folder. */
export function fileError(file: string, reason: string): UserError {
  return new UserError(`${relative(process.cwd(), file)}: ${reason}`);
}

async function readArazzoFile(file: string, generations: readonly Generation[]) {
  const refuse = (reason: string) => fileError(file, reason);
  const { sources, workflows } = await readDescription(file).catch((error: unknown) => {
    throw refuse(`it cannot be read: ${messageOf(error).split("\n")[0] ?? ""}`);
  });
  const named = generations.filter(({ name }) => sources.has(name));
  const read = workflows.map(({ steps, ...workflow }, index) => ({
    ...workflow,
    file,
    index,
    steps: steps.map((step) => {
      const found = findStepOperation(step, named);
      if (!("message" in found)) return { ...step, generation: found.generation, operation: found.operation };
      throw refuse(`step ${step.id} of workflow ${workflow.id}: ${found.message} ${found.suggestion}`);
    }),
  }));
  return { generations: named, workflows: read };
}

async function readDescription(file: string): Promise<ArazzoDescription> {
  const document = load(await readFile(file, "utf8"));
  if (isArazzo(document)) return readArazzo(document);
  throw new Error("it is no Arazzo 1.0 description with workflows: begin it with `arazzo: 1.0.1`");
}

import { load } from "js-yaml";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { ifAbsent, messageOf, UserError } from "../contract/failures.ts";
import { byVersion, type Generation, type Operation } from "../contract/generation.ts";
import { isArazzo, readArazzo, type ArazzoDescription, type ArazzoStep, type ArazzoWorkflow } from "./arazzo.ts";
import { findStepOperation } from "./stepOperation.ts";

/** The project's folder of workflows. */
export const workflowsFolder = "openapi/workflows";

export interface ArazzoFile {
  /** The generations among the file's sources. */
  readonly generations: readonly Generation[];
  readonly workflows: readonly WorkflowOfFile[];
}

/** A workflow with the operation of each step. */
export interface WorkflowOfFile extends ArazzoWorkflow {
  readonly file: string;
  /** Its index in the file. */
  readonly index: number;
  readonly steps: readonly StepOfFile[];
}

export interface StepOfFile extends ArazzoStep {
  readonly generation: Generation;
  readonly operation: Operation;
}

/**
 * The paths of a folder's `*.arazzo.yaml` files, sorted by the numbers in their names. Empty if there is no
 * such folder.
 */
export async function listArazzoFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(ifAbsent([]));
  return names
    .filter((name) => name.endsWith(".arazzo.yaml"))
    .map((name) => ({ name, file: join(folder, name) }))
    .sort(byVersion)
    .map(({ file }) => file);
}

/** Reads the Arazzo descriptions in a folder. Throws {@link UserError} with the name of an unusable file. */
export async function readArazzoFiles(
  folder: string,
  generations: readonly Generation[],
): Promise<readonly ArazzoFile[]> {
  return Promise.all((await listArazzoFiles(folder)).map((file) => readArazzoFile(file, generations)));
}

/** An error whose message begins with the file, relative to the current folder. */
export function fileError(file: string, reason: string): UserError {
  return new UserError(`${relative(process.cwd(), file)}: ${reason}`);
}

async function readArazzoFile(file: string, generations: readonly Generation[]): Promise<ArazzoFile> {
  const { sources, workflows } = await readDescription(file).catch((error: unknown) => {
    throw fileError(file, `it cannot be read: ${messageOf(error).split("\n")[0] ?? ""}`);
  });
  const named = generations.filter(({ name }) => sources.has(name));
  const read = workflows.map((workflow, index) => {
    const steps = workflow.steps.map((step): StepOfFile => {
      const found = findStepOperation(step, named);
      if (!("message" in found)) return { ...step, generation: found.generation, operation: found.operation };
      throw fileError(file, `step ${step.id} of workflow ${workflow.id}: ${found.message} ${found.suggestion}`);
    });
    return { ...workflow, file, index, steps };
  });
  return { generations: named, workflows: read };
}

async function readDescription(file: string): Promise<ArazzoDescription> {
  const document = load(await readFile(file, "utf8"));
  if (isArazzo(document)) return readArazzo(document);
  throw new Error("it is not an Arazzo 1.0 description with workflows: begin it with `arazzo: 1.0.1`");
}

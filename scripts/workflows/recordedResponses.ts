import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { UserError } from "../contract/failures.ts";
import { valueAt } from "../spec/jsonPointer.ts";
import { isObject, parseJson } from "../spec/json.ts";
import type { StartWorkflow, StepResponse } from "./readWorkflows.ts";

/** The file with the responses to the steps of the workflows, which `npm run build` makes. */
export const responsesFile = "responses.json";

/** Reads the responses in a folder. What it resolves to throws {@link UserError} for a step that has none. */
export async function readRecordedResponses(folder: string): Promise<StartWorkflow> {
  const file = join(folder, responsesFile);
  const responses = parseJson(await readFile(file, "utf8").catch(() => ""));
  return (workflow) => (step) => {
    const response = valueAt(responses, [workflow, step]);
    if (isResponse(response)) return response;
    const name = relative(process.cwd(), file);
    throw new UserError(`${name} has no response to step ${step} of workflow ${workflow}: run npm run build`);
  };
}

function isResponse(value: unknown): value is StepResponse {
  return isObject(value) && typeof value["status"] === "number" && isObject(value["headers"]);
}

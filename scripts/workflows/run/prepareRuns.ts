import { isOnThisMachine } from "../../contract/defaultAddress.ts";
import { UserError } from "../../contract/failures.ts";
import { credentialVariable, readCredentials } from "../../contract/security.ts";
import type { ArazzoFile, WorkflowOfFile } from "../arazzoFiles.ts";
import type { GivenValues } from "../readWorkflows.ts";
import { findChanges, requireGiven, type ResourceOperations, type StepChange } from "./stepChanges.ts";

/** The workflows of a file, prepared for a run. */
export interface PreparedRun extends ArazzoFile {
  /** The URLs of servers by generation. `undefined` for a mock. */
  readonly servers: ReadonlyMap<string, string> | undefined;
  /** The given values by workflow. */
  readonly given: ReadonlyMap<string, GivenValues>;
  /** What the workflows change at a server. */
  readonly changes: readonly StepChange[];
  /** The missing values, one line for each workflow. */
  readonly missing: readonly string[];
}

/** Prepares workflows for a mock, which they may change freely. */
export function prepareForMock(file: ArazzoFile, given: GivenValues): PreparedRun {
  const givenByName = new Map(file.workflows.map(({ id }) => [id, given]));
  return { ...file, servers: undefined, given: givenByName, changes: [], missing: [] };
}

/** Prepares workflows for servers. Throws {@link UserError} if a server or a credential is missing. */
export function prepareForServers(
  file: ArazzoFile,
  allServers: ReadonlyMap<string, string>,
  { given, resources }: { readonly given: GivenValues; readonly resources: ResourceOperations },
): PreparedRun {
  const servers = serversOf(file, allServers);
  const inputs = { ...given.inputs, ...readCredentialInputs(file.workflows, servers) };
  const givenByName = new Map<string, GivenValues>();
  const changes: StepChange[] = [];
  const missing: string[] = [];
  for (const workflow of file.workflows) {
    let own: GivenValues = { ...given, inputs };
    const isHere = workflow.steps.every(({ generation }) => isOnThisMachine(servers.get(generation.name) ?? ""));
    if (!isHere) {
      const required = requireGiven(workflow, findChanges(workflow, resources, own), own);
      if (required.missing.length > 0) missing.push(`${workflow.id}: ${required.missing.join(", ")}`);
      own = required.given;
    }
    givenByName.set(workflow.id, own);
    changes.push(...findChanges(workflow, resources, own));
  }
  return { ...file, servers, given: givenByName, changes, missing };
}

/** The servers of a file's generations. */
function serversOf({ generations }: ArazzoFile, servers: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const missing = generations.find(({ name }) => !servers.has(name));
  if (missing === undefined) return servers;
  throw new UserError(`these workflows need a server for ${missing.name} too: add --server ${missing.name}=URL`);
}

/**
 * The inputs that are credentials. They come from the environment, or from the contract's examples for a
 * server on this machine.
 */
function readCredentialInputs(workflows: readonly WorkflowOfFile[], servers: ReadonlyMap<string, string>) {
  const inputs: Record<string, string> = {};
  for (const { credentials, generation } of workflows.flatMap(({ steps }) => steps)) {
    const known = readCredentials(generation, servers.get(generation.name), process.env);
    for (const { schemeName, values } of credentials) {
      for (const value of Object.values(values).map(String)) {
        if (!value.startsWith("$inputs.")) continue;
        const variable = credentialVariable(generation.name, schemeName);
        const credential = known.get(schemeName)?.example;
        if (credential === undefined) throw new UserError(`set ${variable} to the credential for ${generation.name}`);
        inputs[value.replace("$inputs.", "")] = credential;
      }
    }
  }
  return inputs;
}

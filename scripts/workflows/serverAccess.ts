import { credentialVariable, readCredentials } from "../contract/security.ts";
import { UserError } from "../contract/failures.ts";
import type { WorkflowOfFile } from "./arazzoFiles.ts";

/** Refuses workflows that change something. */
export function refuseChanges(workflows: readonly WorkflowOfFile[]): void {
  const changes = workflows.flatMap(({ id, steps }) =>
    steps
      .filter(({ operation }) => !/^(?:get|head|options)$/.test(operation.method))
      .map(({ operation }) => `  ${id}: ${operation.name}`),
  );
  if (changes.length === 0) return;
  const listed = [...new Set(changes)].join("\n");
  throw new UserError(`these workflows would change what is there:\n${listed}\nIf they may, give --allow-changes.`);
}

/** The inputs that are credentials, from the environment, or for a server on this machine the contract's examples. */
export function readCredentialInputs(
  workflows: readonly WorkflowOfFile[],
  servers: ReadonlyMap<string, string>,
): Readonly<Record<string, string>> {
  const inputs: Record<string, string> = {};
  for (const { credentials, generation } of workflows.flatMap(({ steps }) => steps)) {
    const known = readCredentials(generation, servers.get(generation.name) ?? "", process.env);
    for (const { schemeName, values } of credentials) {
      for (const value of Object.values(values)
        .map(String)
        .filter((text) => text.startsWith("$inputs."))) {
        const variable = credentialVariable(generation.name, schemeName);
        const credential = known.get(schemeName)?.example;
        if (credential === undefined) throw new UserError(`set ${variable} to the credential for ${generation.name}`);
        inputs[value.replace("$inputs.", "")] = credential;
      }
    }
  }
  return inputs;
}

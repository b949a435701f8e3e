import { credentialVariable, readCredentials } from "../contract/credentialVariables.ts";
import { UserError } from "../contract/failures.ts";
import type { StepOfFile, WorkflowOfFile } from "./arazzoFiles.ts";

/** Refuses workflows that change on a server what no given input names, nor what they read or have changed before. */
export function refuseUnnamedChanges(
  workflows: readonly WorkflowOfFile[],
  given: Readonly<Record<string, string>>,
): void {
  const lines = workflows.flatMap(({ id, steps }) =>
    steps.filter(isChange).flatMap((step) => {
      const missing = new Set(inputsNaming(step, steps).filter((input) => input === undefined || !(input in given)));
      if (missing.size === 0) return [];
      const hint = missing.has(undefined)
        ? ""
        : `, without ${Array.from(missing, (name) => `--input ${name}=…`).join(" ")}`;
      return [`  ${id}: ${step.operation.name}${hint}`];
    }),
  );
  if (lines.length === 0) return;
  const listed = [...new Set(lines)].join("\n");
  const advice = "Name with --input what they may change, or give --allow-changes.";
  throw new UserError(`these workflows would change what you have not named:\n${listed}\n${advice}`);
}

function isChange({ operation }: StepOfFile): boolean {
  return !/^(?:get|head|options)$/.test(operation.method);
}

/** The inputs that name what a step's path leads to; `undefined` for what none of them names, such as the first of a list. */
function inputsNaming(step: StepOfFile, steps: readonly StepOfFile[]): readonly (string | undefined)[] {
  const values = step.parameters.filter((parameter) => parameter.in === "path").map(({ value }) => String(value));
  if (values.length === 0) return [undefined];
  return values.flatMap((value) => {
    const [, kind, name, output] = /\$(inputs|steps)\.([\w-]+)(?:\.outputs\.([\w-]+))?/.exec(value) ?? [];
    if (kind !== "steps") return [name];
    const source = steps.find((one) => one.id === name && one !== step);
    const found = source?.outputs.find((one) => one.name === output);
    if (source === undefined || found === undefined || /\/\d+(?:\/|$)/.test(found.expression)) return [undefined];
    return isChange(source) ? [] : inputsNaming(source, steps);
  });
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

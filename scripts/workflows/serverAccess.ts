import { credentialVariable, readCredentials } from "../contract/credentialVariables.ts";
import { UserError } from "../contract/failures.ts";
import type { Generation } from "../contract/generation.ts";
import type { ArazzoFile } from "./arazzoFiles.ts";
import { requireOperation } from "./stepOperation.ts";

/** The steps of the workflows in a file, with their operations. Throws {@link UserError} for one that names none. */
export function findOperations({ file, description }: ArazzoFile, generations: readonly Generation[]) {
  const sources = generations.filter(({ name }) => description.sources.has(name));
  return description.workflows.flatMap((workflow) =>
    workflow.steps.map((step) => ({ workflow, step, ...requireOperation(file, workflow, step, sources) })),
  );
}

type FoundStep = ReturnType<typeof findOperations>[number];

/**
 * Says of each workflow what it changes on a server without that being named in the path: by inputs that are given, by what
 * the workflow reads with these, or by what it has changed before. No line for one that changes nothing else.
 */
export function listUnnamedChanges(steps: readonly FoundStep[], given: ReadonlySet<string>): readonly string[] {
  const lines = steps.filter(isChange).flatMap((step) => {
    const { workflow, operation } = step;
    const inputs = inputsNaming(step, steps);
    const missing = [...new Set(inputs)].filter((input) => input === undefined || !given.has(input));
    if (missing.length === 0) return [];
    const hint = missing.includes(undefined) ? "" : `, without ${missing.map((name) => `--input ${name}=…`).join(" ")}`;
    return [`  ${workflow.id}: ${operation.name}${hint}`];
  });
  return [...new Set(lines)];
}

function isChange({ operation }: FoundStep): boolean {
  return !/^(?:get|head|options)$/.test(operation.method);
}

/** The inputs that name what a step's path leads to; `undefined` for what none of them names, such as the first of a list. */
function inputsNaming({ step, workflow }: FoundStep, steps: readonly FoundStep[]): readonly (string | undefined)[] {
  const values = step.parameters.filter((parameter) => parameter.in === "path").map(({ value }) => String(value));
  if (values.length === 0) return [undefined];
  return values.flatMap((value) => {
    const [, kind, name, output] = /\$(inputs|steps)\.([\w-]+)(?:\.outputs\.([\w-]+))?/.exec(value) ?? [];
    if (kind !== "steps") return [name];
    const source = steps.find((one) => one.workflow === workflow && one.step.id === name && one.step !== step);
    const found = source?.step.outputs.find((one) => one.name === output);
    if (source === undefined || found === undefined || /\/\d+(?:\/|$)/.test(found.expression)) return [undefined];
    return isChange(source) ? [] : inputsNaming(source, steps);
  });
}

/**
 * The values of the inputs that are credentials, from the environment. Without any there, a server on this machine gets
 * the contract's examples; for another one, this throws {@link UserError}.
 */
export function readCredentialInputs(
  steps: readonly FoundStep[],
  servers: ReadonlyMap<string, string>,
  environment: NodeJS.ProcessEnv,
): Readonly<Record<string, string>> {
  const inputs = steps.flatMap(({ step, generation }) =>
    step.credentials.flatMap(({ schemeName, values }) =>
      Object.values(values).flatMap((value): [string, string][] => {
        const [, input] = /^\$inputs\.(.+)$/.exec(String(value)) ?? [];
        if (input === undefined) return [];
        const credentials = readCredentials(generation, servers.get(generation.name) ?? "", environment);
        const credential = credentials.get(schemeName)?.example;
        if (credential !== undefined) return [[input, credential]];
        const variable = credentialVariable(generation.name, schemeName);
        throw new UserError(`set ${variable} to the credential for ${generation.name}`);
      }),
    ),
  );
  return Object.fromEntries(inputs);
}

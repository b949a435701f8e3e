import { enableCompileCache } from "node:module";

enableCompileCache();
const { printSentence, runCommand } = await import("./command/commandLine.ts");
const { UserError } = await import("./contract/failures.ts");
const { listInWords } = await import("./values/text.ts");

const example = 'npm run new -- operation --method get --path /v2/teams/{teamId} --group "Teams"';

const options = {
  method: { type: "string", value: "METHOD", description: "get, post or another" },
  path: { type: "string", value: "PATH", description: "with its parameters in braces: /v2/teams/{teamId}" },
  group: { type: "string", value: "GROUP", description: "the tag that it belongs to: Orgs / Teams" },
  "group-description": {
    type: "string",
    value: "TEXT",
    description: "for a group without operations: its description",
  },
  generation: { type: "string", value: "NAME", description: "default: the one at the beginning of the path" },
  "operation-id": { type: "string", value: "NAME", description: "default: derived from method and path" },
  summary: { type: "string", value: "TEXT", description: "default: derived from the operationId" },
} as const;

await runCommand({
  name: "npm run new",
  summary:
    "Adds an operation to the contract. Only its method, path and group must be known: the rest becomes gaps. To undo " +
    "it, use git.",
  options,
  positionals: "operation",
  examples: [example],
  run: async (values, [kind, ...others]) => {
    if (kind !== "operation") throw new UserError(`say what to add, as in\n  ${example}`);
    if (others.length > 0)
      throw new UserError(`unexpected ${others.join(" ")}: quote values that contain spaces, as in\n  ${example}`);
    const { method: givenMethod, path, group, "operation-id": givenId, summary } = values;
    if (givenMethod === undefined || path === undefined || group === undefined) {
      const missing = (["method", "path", "group"] as const).filter((name) => values[name] === undefined);
      throw new UserError(`give ${listInWords(missing.map((name) => `--${name}`))}, as in\n  ${example}`);
    }
    const { checkGroup, checkPath, findGeneration, isDescribedGroup, readDescribed, readMethod } =
      await import("./scaffold/describedContract.ts");
    const { addOperation } = await import("./scaffold/addOperation.ts");
    const { lintSources } = await import("./pipeline/buildGenerated.ts");

    const method = readMethod(givenMethod);
    const described = findGeneration(await readDescribed(), path, values.generation);
    checkPath(described, path, method);
    checkGroup(described, group, path);
    const { "group-description": groupDescription } = values;
    if (groupDescription === undefined && !isDescribedGroup(described, group)) {
      const advice = 'say what it is about, as in\n  --group-description "Teams of users."';
      throw new UserError(`the group "${group}" is not described yet: ${advice}`);
    }
    const request = { described, method, path, group, operationId: givenId, summary, groupDescription };
    const { operationId, files } = await addOperation(request);
    printSentence(`Added ${operationId}, ${method.toUpperCase()} ${path}, to ${files.join(" and ")}.`);
    await lintSources(() => undefined, described.name);
    printSentence("Next: describe it there, and run npm run build.");
  },
});

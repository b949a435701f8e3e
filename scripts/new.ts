import { enableCompileCache } from "node:module";

enableCompileCache();
const { printSentence, runCommand } = await import("./command/commandLine.ts");
const { UserError } = await import("./contract/failures.ts");

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
  waits: true,
  summary:
    "Adds an operation to the contract. Only its method, path and group must be known: the rest becomes gaps. On a " +
    "terminal, it asks for missing options.",
  options,
  positionals: "operation",
  examples: [
    "npm run new -- operation",
    'npm run new -- operation --method get --path /v2/teams/{teamId} --group "Teams"',
  ],
  run: async (values, [kind, ...others]) => {
    if (kind !== "operation") throw new UserError("say what to add: npm run new -- operation");
    if (others.length > 0)
      throw new UserError(`unexpected ${others.join(" ")}: give --method, --path and --group, or answer the questions`);
    const { checkGroup, checkPath, findGeneration, isDescribedGroup, readDescribed, readMethod } =
      await import("./scaffold/describedContract.ts");
    const { addOperation } = await import("./scaffold/addOperation.ts");
    const { openQuestions } = await import("./command/questions.ts");

    const all = await readDescribed();
    using questions = openQuestions();
    const method = await questions.ask("method", "Method", values.method, readMethod);
    const { path, described } = await questions.ask("path", "Path", values.path, (answer) => {
      const found = findGeneration(all, answer, values.generation);
      checkPath(found, answer, method);
      return { path: answer, described: found };
    });
    const group = await questions.ask("group", "Group", values.group, (answer) => {
      checkGroup(described, answer, path);
      return answer;
    });
    const groupDescription = isDescribedGroup(described, group)
      ? undefined
      : await questions.ask(
          "group-description",
          "What is the group about?",
          values["group-description"],
          (answer) => answer,
        );

    let isStopped = false;
    process.on("SIGINT", () => (isStopped = true));
    const { "operation-id": givenId, summary } = values;
    const request = { described, method, path, group, operationId: givenId, summary, groupDescription };
    const { operationId, files } = await addOperation(request, () => isStopped);
    printSentence(`Added ${operationId}, ${method.toUpperCase()} ${path}, to ${files.join(" and ")}.`);
    printSentence("Next: describe it there, and run npm run build.");
  },
});

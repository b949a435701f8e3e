import { enableCompileCache } from "node:module";

enableCompileCache();
const { printLine, runCommand } = await import("./command/commandLine.ts");
const { UserError } = await import("./contract/failures.ts");

const options = {
  method: { type: "string", value: "METHOD", description: "get, post or another" },
  path: { type: "string", value: "PATH", description: "with its parameters in braces: /v2/teams/{teamId}" },
  group: { type: "string", value: "GROUP", description: "the tag that it belongs to: Orgs / Teams" },
  "group-description": { type: "string", value: "TEXT", description: "what a group without operations is about" },
  generation: { type: "string", value: "NAME", description: "by default the one that the path begins with" },
  "operation-id": { type: "string", value: "NAME", description: "by default made of method and path" },
  summary: { type: "string", value: "TEXT", description: "by default made of the operationId" },
} as const;

await runCommand({
  name: "npm run new",
  summary:
    "Adds an operation to the contract, of which nothing but its method, path and group is known: all else is a gap. On a " +
    "terminal, it asks for what no option gives.",
  options,
  positionals: "operation",
  examples: [
    "npm run new -- operation",
    'npm run new -- operation --method get --path /v2/teams/{teamId} --group "Teams"',
  ],
  run: async (values, [kind, ...others]) => {
    if (kind !== "operation" || others.length > 0) throw new UserError("say what is new: npm run new -- operation");
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
    printLine(`Added ${operationId}, ${method.toUpperCase()} ${path}, to ${files.join(" and ")}.`);
    printLine("Write there what is known of it, and run npm run build.");
  },
});

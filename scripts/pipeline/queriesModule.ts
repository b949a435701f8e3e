import { gapsByOperation } from "../contract/gaps.ts";
import type { Generation } from "../contract/generation.ts";
import { inBrackets, indent, literal } from "../samples/javaScriptText.ts";
import { listProperty } from "./clientModule.ts";
import { clientExport, createNames, operationKey } from "./generatedNames.ts";
import { exampleCall, operationComment } from "./operationsModule.ts";
import { moduleComment, renamed } from "./typeScriptText.ts";

/**
 * Makes the text of a generation's queries module, which lies beside its `client.ts`: for each operation, functions that
 * make the options with which TanStack Query calls it, with what the contract says of the operation as their comment.
 */
export function generateQueries(generation: Generation): string {
  const { document, operations, title } = generation;
  const gaps = gapsByOperation(generation);
  const nameOf = createNames(["runtime", "Client", "Init", "Operations", "Query", "InfiniteQuery", "Mutation"]);
  const examples: string[] = [];
  const functions = operations.flatMap((operation) => {
    const { method, path, pagination } = operation;
    const key = operationKey(operation);
    const place = `<"${method}", ${literal(path)}>`;
    const names = literal([key, generation.name]);
    const call = `(init) => client.${method.toUpperCase()}(${literal(path)}, init)`;
    const write = (type: string, parameters: readonly string[], args: readonly string[]) => {
      const name = nameOf(key + type);
      // A rest parameter may have no comma behind it.
      const list = inBrackets("(", parameters, ")").replace(/,\n\)$/, "\n)");
      const made = inBrackets(`return runtime.make${type}(`, args, ");");
      if (type === "Query") examples.push(`const options = ${exampleCall(name, operation)};`);
      return `${operationComment(operation, gaps.get(operation))}export function ${name}${list}: ${type}${place} {
${indent(made)}
}`;
    };
    if (method !== "get") return write("Mutation", ["client: Client"], [names, call]);
    const parameters = ["client: Client", `...[init]: Init${place}`];
    const list = listProperty(operation);
    const paging = pagination &&
      list && [literal([pagination.limit, pagination.offset]), `(page) => ${list.of("page")}`];
    return [
      write("Query", parameters, [names, "init", call]),
      ...(paging ? [write("InfiniteQuery", parameters, [names, "init", call, ...paging])] : []),
    ];
  });
  const comment = `Options for TanStack Query 5, for each operation of ${title}: a query for \`GET\`, and a mutation for the rest.`;
  const imported = ["Client", "Operations"].map((name) => renamed(clientExport(name, document), name));
  const aliases = ["Init", "Query", "InfiniteQuery", "Mutation"].map(
    (name) => `export type ${name}<Method extends keyof Operations, Path extends keyof Operations[Method]> =
  runtime.${name === "Init" ? "QueryInit" : `${name}Of`}<Operations[Method][Path]>;`,
  );
  return `${moduleComment(comment, examples[0] ?? "")}import * as runtime from "../../scripts/client/queries.ts";
import type { ${imported.join(", ")} } from "./client.ts";

${[...functions, "// By method and path: an editor shows a call's types as they are written here, and no operation as a whole.", ...aliases].join("\n\n")}
`;
}

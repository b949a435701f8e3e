import { gapsByOperation } from "../contract/gaps.ts";
import type { Generation } from "../contract/generation.ts";
import { inBrackets, indent, literal } from "../samples/javaScriptText.ts";
import { listProperty } from "./clientModule.ts";
import { clientExport, createNames, operationKey } from "./generatedNames.ts";
import { exampleCall, operationComment } from "./operationsModule.ts";
import { moduleComment, renamed } from "./typeScriptText.ts";

const shown = ["QueryOptions", "InfiniteQueryOptions", "MutationOptions"];
const runtime = [...shown, "Data", "MutationVariables", "QueryArgument", "QueryData", "SomeParameters"];
const makers = ["query", "infiniteQuery", "mutation"];

/**
 * Makes the text of a generation's queries module, which lies beside its `client.ts`: for each operation, functions that
 * make the options with which TanStack Query calls it, with what the contract says of the operation as their comment.
 */
export function generateQueries(generation: Generation): string {
  const { document, operations, title } = generation;
  const gaps = gapsByOperation(generation);
  const own = ["Client", "Init", "InfiniteQuery", "Mutation", "Operations", "Queries", "Query", "queryKey"];
  const nameOf = createNames([...own, ...runtime, ...makers]);
  const examples: string[] = [];
  const queries: string[] = [];
  const functions = operations.flatMap((operation) => {
    const { method, path: template, pagination } = operation;
    const key = operationKey(operation);
    const path = JSON.stringify(template);
    const names = literal([key, generation.name]);
    const call = `(init) => client.${method.toUpperCase()}(${path}, init)`;
    const write = (suffix: string, parameters: readonly string[], result: string, made: string) => {
      // A rest parameter may have no comma behind it.
      const list = inBrackets("(", parameters, ")").replace(/,\n\)$/, "\n)");
      const head = `export function ${nameOf(key + suffix)}${list}: ${result}`;
      return `${operationComment(operation, gaps.get(operation))}${head} {\n${indent(`return ${made};`)}\n}`;
    };
    if (method !== "get") {
      const made = inBrackets("mutation(", [names, call], ")");
      return write("Mutation", ["client: Client"], `Mutation<"${method}", ${path}>`, made);
    }
    queries.push(`  ${JSON.stringify(key)}: ${path};`);
    examples.push(`const options = ${exampleCall(`${key}Query`, operation)};`);
    const parameters = ["client: Client", `...[init]: Init<${path}>`];
    const single = write("Query", parameters, `Query<${path}>`, inBrackets("query(", [names, "init", call], ")"));
    const list = listProperty(operation);
    if (pagination === undefined || list === undefined) return single;
    const paging = [literal([pagination.limit, pagination.offset]), call, `(page) => ${list.of("page")}`];
    const made = inBrackets("infiniteQuery(", [names, "init", ...paging], ")");
    return [single, write("InfiniteQuery", parameters, `InfiniteQuery<${path}>`, made)];
  });
  const isUsed = (name: string) => functions.some((text) => text.includes(`): ${name}<`));
  const text = [
    ...functions,
    ...(queries.length > 0 ? [queryHelpers(queries)] : []),
    ...(isUsed("InfiniteQuery") ? [infiniteQueryType] : []),
    ...(isUsed("Mutation") ? [mutationType] : []),
  ].join("\n\n");
  const comment = `Options for TanStack Query 5, for each operation of ${title}: a query for \`GET\`, and a mutation for the rest.`;
  const clientTypes = ["Client", "Operations"].map((name) => renamed(clientExport(name, document), name));
  const imported = [...makers, ...runtime].filter((name) => new RegExp(`\\b${name}[(<]`).test(text));
  const from = '"../../scripts/client/queries.ts"';
  return `${moduleComment(comment, examples[0] ?? "")}import {
${imported.map((name) => `  ${makers.includes(name) ? "" : "type "}${name},\n`).join("")}} from ${from};
import type { ${clientTypes.join(", ")} } from "./client.ts";

export type { ${shown.join(", ")} } from ${from};

${text}
`;
}

const queryHelpers = (queries: readonly string[]) => `/**
 * The beginning of the keys of all queries of an operation, or of those with some parameters, for
 * \`queryClient.invalidateQueries\`.
 */
export function queryKey<Name extends keyof Queries>(
  operation: Name,
  params?: SomeParameters<Operations["get"][Queries[Name]]>,
): readonly unknown[] {
  return params === undefined ? [operation] : [operation, params];
}

interface Queries {
${queries.join("\n")}
}

// By path: an editor shows a call's types as they are written here, and no operation as a whole.
type Init<Path extends keyof Operations["get"]> = QueryArgument<Operations["get"][Path]>;

type Query<Path extends keyof Operations["get"]> = QueryOptions<QueryData<Operations["get"][Path]>>;`;

const infiniteQueryType = `type InfiniteQuery<Path extends keyof Operations["get"]> =
  InfiniteQueryOptions<Data<Operations["get"][Path]>>;`;

const mutationType = `type Mutation<Method extends keyof Operations, Path extends keyof Operations[Method]> =
  MutationOptions<Data<Operations[Method][Path]>, MutationVariables<Operations[Method][Path]>>;`;

import { deprecationText } from "../spec/lifecycle.ts";
import { gapsByOperation, gapText, type GapPlace } from "../contract/gaps.ts";
import type { Generation, Operation } from "../contract/generation.ts";
import { neededCredentials, needText, scopesText, type SecurityScheme } from "../contract/security.ts";
import { groupBy } from "../values/collections.ts";
import { singleValuedHeaders } from "../contract/singleValuedHeaders.ts";
import { sampleRequest } from "../samples/exampleRequest.ts";
import { inBrackets, indent, literal, memberAccess, objectText } from "../samples/javaScriptText.ts";
import { valueWithFiles } from "../samples/sampleFiles.ts";
import { parametersByPlace } from "../samples/typeScriptSample.ts";
import { listProperty, nameOperationTypes } from "./clientModule.ts";
import { createNames, docComment, moduleText, operationKey } from "./moduleText.ts";

/**
 * Generates a generation's operations module: a function for each operation, with the contract's description
 * as its comment. Editors show the comment at each call, which they don't for a path.
 */
export function generateOperations(generation: Generation): string {
  const { operations, title } = generation;
  if (operations.length === 0) return moduleText({ parts: [] });
  const gaps = gapsByOperation(generation);
  const nameOf = createNames(["Client", "contract", "Init", "InitArgument", "ParseAs", "Result"]);
  const typeOf = nameOperationTypes(generation);
  const calls: string[] = [];
  const functions = operations.map((operation) => {
    const name = nameOf(operationKey(operation));
    calls.push(exampleCall(name, operation));
    return operationComment(operation, gaps.get(operation)) + callingFunction(name, typeOf(operation), operation);
  });
  calls.sort((a, b) => a.length - b.length);
  const example = `const { data, error } = await ${calls.find((call) => call.includes("params")) ?? calls[0] ?? ""};`;
  return moduleText({
    about: `A function for each operation of ${title}.`,
    example,
    imports: [
      'import type { Init, InitArgument, ParseAs, Result } from "../../scripts/client/index.ts";',
      'import type * as contract from "./client.ts";',
      'import type { Client } from "./client.ts";',
    ],
    parts: functions,
  });
}

function callingFunction(name: string, type: string, { method, path }: Operation): string {
  return `export function ${name}<As extends ParseAs = "json">(
  client: Client,
  ...paramsAndBody: InitArgument<Init<contract.${type}, As>>
): Promise<Result<contract.${type}, As>> {
  return ${callStart(method)}${JSON.stringify(path)}, ...paramsAndBody);
}`;
}

/** The beginning of a call of the client. Its `TRACE` is that of openapi-fetch. */
function callStart(method: string): string {
  return method === "trace" ? 'client.request("trace", ' : `client${memberAccess(method.toUpperCase())}(`;
}

/** A call to an operation's function with a client and the contract's examples. */
function exampleCall(name: string, operation: Operation): string {
  const { body, files, ...request } = sampleRequest(operation, "");
  const headers = singleValuedHeaders(operation).map(([header]) => header);
  const params = parametersByPlace(request, headers);
  const init = {
    ...(Object.keys(params).length > 0 && { params: literal(params) }),
    ...(body !== undefined && { body: valueWithFiles(body, files) }),
  };
  const args = Object.keys(init).length > 0 ? ["client", objectText(init)] : ["client"];
  return `${name}(${args.join(", ")})`;
}

function operationComment(operation: Operation, gaps: readonly GapPlace[] = []): string {
  const { name, title, description, lifecycle } = operation;
  const deprecation = deprecationText(lifecycle);
  const unspecified = describeGaps(operation, gaps);
  const parts: string[] = [];
  if (title !== name) parts.push(title);
  if (description !== "") parts.push(description.trim());
  parts.push(`\`${name}\``, `Credentials: ${describeCredentials(operation)}.`);
  if (unspecified.length > 0) parts.push(["Not specified:", ...unspecified].join("\n- "));
  if (lifecycle.since !== undefined) parts.push(`Since ${lifecycle.since}.`);
  if (deprecation !== undefined) parts.push(`@${deprecation}`);
  return docComment(parts.join("\n\n"));
}

function describeCredentials(operation: Operation): string {
  const { need, alternatives } = neededCredentials(operation);
  if (need === "none") return "none";
  const nameOf = (scheme: SecurityScheme) => {
    const scopes = scopesText(scheme, "`");
    return `\`${scheme.name}\`${scopes === "" ? "" : ` (${scopes})`}`;
  };
  const listed = alternatives.map((schemes) => schemes.map(nameOf).join(" with "));
  return listed.join(", or ") + needText[need];
}

/** The gaps of an operation, of its credentials and of everything that it refers to. One line for each place. */
function describeGaps({ security }: Operation, gaps: readonly GapPlace[]): readonly string[] {
  const schemes = new Set(security.flat());
  const ofSchemes = [...schemes].map(({ name, unspecified }) => ({ place: name, gaps: unspecified }));
  return [...groupBy([...gaps, ...ofSchemes], ({ place }) => place)].flatMap(([place, parts]) => {
    const gaps = new Set(parts.flatMap((part) => part.gaps.map(gapText)));
    return gaps.size === 0 ? [] : [`${place === "" ? "" : `${place}: `}${[...gaps].join(", ")}`];
  });
}

/**
 * Generates a generation's queries module: functions that return options for TanStack Query to call
 * operations.
 */
export function generateQueries(generation: Generation): string {
  const { operations, title } = generation;
  const gaps = gapsByOperation(generation);
  const taken = "runtime shouldRetry Client Init KeyParams Operations Query InfiniteQuery Mutation";
  const nameOf = createNames(taken.split(" "));
  const examples: string[] = [];
  const functions = operations.flatMap((operation) => {
    const { method, path, pagination } = operation;
    const key = operationKey(operation);
    const place = `<"${method}", ${literal(path)}>`;
    const names = literal([key, generation.name]);
    const call = `(init) => ${callStart(method)}${literal(path)}, init)`;
    const write = (type: string, parameters: readonly string[], args: readonly string[]) => {
      const name = nameOf(key + type);
      // A rest parameter may not have a trailing comma.
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
    const query = `${write("Query", parameters, [names, "init", call])}\n\n${keyFunction(nameOf(`${key}Key`), key, place)}`;
    if (!pagination || !list) return query;
    const paging = objectText({
      limit: literal(pagination.limit),
      offset: literal(pagination.offset),
      itemsOf: `(page) => ${list.of("page")}`,
    });
    return [query, write("InfiniteQuery", parameters, [names, "init", call, paging])];
  });
  const aliases = Object.entries({
    Init: "QueryInit",
    KeyParams: "KeyParams",
    Query: "QueryOf",
    InfiniteQuery: "InfiniteQueryOf",
    Mutation: "MutationOf",
  }).map(
    ([name, type]) => `export type ${name}<Method extends keyof Operations, Path extends keyof Operations[Method]> =
  runtime.${type}<Operations[Method][Path]>;`,
  );
  const [example] = examples;
  return moduleText({
    about: `Options for TanStack Query 5, for each operation of ${title}: a query for \`GET\`, and a mutation for the rest.`,
    ...(example !== undefined && { example }),
    imports: [
      'import * as runtime from "../../scripts/client/queries.ts";',
      `import type { ${operations.length > 0 ? "Client, " : ""}Operations } from "./client.ts";`,
    ],
    exports: ['export { shouldRetry } from "../../scripts/client/queries.ts";'],
    parts: [
      ...functions,
      "// Indexed by method and path, so that editors show short types for a call instead of the whole operation.",
      ...aliases,
    ],
  });
}

function keyFunction(name: string, key: string, place: string): string {
  const comment =
    `The key prefix of \`${key}\`, for \`invalidateQueries\` and other filters. With some of its ` +
    "parameters, it matches the queries with these. Without parameters, it matches all queries of the operation.";
  return `${docComment(comment)}export function ${name}(params?: KeyParams${place}): readonly unknown[] {
  return runtime.makeKey(${literal(key)}, params);
}`;
}

import type { ClientContract, OperationFacts } from "../client/clientContract.ts";
import { sentMediaType, successReadings } from "../contract/bodies.ts";
import { isBinaryContent } from "../spec/binary.ts";
import { jsonContent, successResponses } from "../contract/generation.ts";
import type { Generation, MediaType, Operation, Response } from "../contract/generation.ts";
import { methods, resolveSchema, type SchemaObject } from "../spec/openapi.ts";
import { isUntyped } from "../spec/schemaKeywords.ts";
import { compareText, groupBy } from "../contract/text.ts";
import type { SecurityScheme } from "../contract/security.ts";
import { singleValuedHeaders } from "../contract/singleValuedHeaders.ts";
import { sampleRequest } from "../samples/exampleRequest.ts";
import { literal, objectText, propertyName } from "../samples/javaScriptText.ts";
import { parametersByPlace } from "../samples/typeScriptSample.ts";
import { datePlaces } from "./datePlaces.ts";
import { docComment, memberAccess, operationKey } from "./moduleText.ts";

/**
 * Generates a generation's client module. It re-exports `types.ts`, and adds the facts that the shared
 * runtime needs and the types that specialize it for this contract. All logic is in the runtime.
 */
export function generateClient(generation: Generation): string {
  const { title, operations } = generation;
  const [first] = operations;
  const paged = operations.flatMap((operation) =>
    operation.pagination === undefined ? [] : [{ operation, ...operation.pagination }],
  );
  const auth = exampleCredentials(generation);
  const options = objectText({
    baseUrl: '"https://api.example.com"',
    ...(Object.keys(auth).length > 0 && { auth: literal(auth) }),
  });
  const creation = `createClient(${options})`;
  const operation = first && `Operations[${JSON.stringify(first.method)}][${JSON.stringify(first.path)}]`;
  // Declaration files for a consumer's exports refer to `Init` and `InitArgument`.
  return `import * as runtime from "../../scripts/client/index.ts";
import type { paths } from "./types.ts";

export type * from "./types.ts";
export { createClient${paged.length > 0 ? ", paginate" : ""} };
export type { Auth, Client, ClientOptions, Operations };
export { renewing, unwrap, ApiError, NetworkError, NotSentError } from "../../scripts/client/index.ts";
export type { Credential, Failure, Init, InitArgument, Result, Success, TimeLike } from "../../scripts/client/index.ts";

${docComment(`Creates a client of ${title}. Throws if \`baseUrl\` is not a URL.`, `const client = ${creation};`)}\
function createClient(options: ClientOptions): Client {
  return runtime.createContractClient<Operations, paths>(contract, options);
}

${paged.length > 0 ? paginateFunction(paged) : ""}\
${docComment(`A client of ${title}.`, `const client: Client = ${creation};`)}\
type Client = runtime.Client<Operations, paths>;

${docComment("The options of a client.", `const options: ClientOptions = ${options};`)}\
type ClientOptions = runtime.ClientOptions<Auth, paths>;

${docComment("The credentials of a client.", `const auth: Auth = ${literal(auth)};`)}\
${authTypes(generation)}

${docComment("The request and the responses of each operation, by method and path template.", operation && `type Operation = ${operation};`)}\
interface Operations {
${operationTypes(operations)}}

const contract: runtime.ClientContract = ${contractText(generation)};
`;
}

/** The members of `Operations`: the types of each operation in `types.ts`, by method and path template. */
function operationTypes(operations: readonly Operation[]): string {
  const members = methods.map((method) => {
    const lines = operations
      .filter((operation) => operation.method === method)
      .map((operation) => {
        const path = JSON.stringify(operation.path);
        const places = datePlaces(operation);
        const ofBundle = `paths[${path}]["${method}"]`;
        const ofPath = places === undefined ? ofBundle : `runtime.WithDates<${ofBundle}, ${literal(places)}>`;
        const type = method === "head" ? `runtime.WithoutContent<${ofPath}>` : ofPath;
        const headers = singleValuedHeaders(operation).map(([name]) => JSON.stringify(name));
        return `    ${path}: ${headers.length > 0 ? `runtime.WithOptionalHeaders<${type}, ${headers.join(" | ")}>` : type};\n`;
      });
    return lines.length > 0 ? `  ${method}: {\n${lines.join("")}  };\n` : "";
  });
  return members.join("");
}

/**
 * `paginate`, with an overload for each pair of query parameters that page lists, in the order of their
 * names.
 */
function paginateFunction(
  paged: readonly (NonNullable<Operation["pagination"]> & { readonly operation: Operation })[],
): string {
  const pairs = [...groupBy(paged, ({ limit, offset }) => `${limit} ${offset}`)]
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([, alike]) => {
      const lists = [...new Set(alike.flatMap(({ operation }) => listProperty(operation)?.name ?? []))];
      return alike.slice(0, 1).map((first) => ({ ...first, lists }));
    });
  const overloads = pairs.map(({ operation, limit, offset, lists }) => {
    // Without the second name, the first one alone identifies the pair.
    const mark = pairs.filter((pair) => pair.limit === limit).length > 1 ? "" : "?";
    const start = `readonly ${propertyName(offset)}${mark}: number${mark === "" ? "" : " | undefined"}`;
    return `${paginateComment(operation, limit, offset)}\
function paginate<Init, Page>(
  operation: (client: Client, init: Init) => Promise<runtime.Success<Page> | runtime.Failure<unknown>>,
  client: Client,
  init: Init & { readonly params: { readonly query: { readonly ${propertyName(limit)}: number; ${start} } } },
): AsyncGenerator<runtime.ItemOf<Page, ${lists.map((name) => JSON.stringify(name)).join(" | ") || "never"}>, void, undefined>;
`;
  });
  return `${overloads.join("\n")}\
function paginate(
  operation: (client: never, init: never) => ReturnType<runtime.ListCall>,
  client: object,
  init: runtime.ListInit,
): AsyncGenerator<unknown, void, undefined> {
  return runtime.walkPages(${literal(pairs.map(({ limit, offset, lists }) => [limit, offset, ...lists]))}, operation, client, init);
}

`;
}

function paginateComment(operation: Operation, limit: string, offset: string): string {
  const { path } = parametersByPlace(sampleRequest(operation, ""), []);
  const params = objectText({ ...(path && { path: literal(path) }), query: `{ ${propertyName(limit)}: 50 }` });
  const comment =
    `Iterates over the items of a list paged by \`${limit}\` and \`${offset}\`. A page is requested when its first ` +
    "item is needed, and the iteration ends with the first page that is shorter than requested.\nThrows the error of " +
    "the call, the reason of an aborted signal, or an error if a page has more items than requested.";
  return docComment(comment, `const items = paginate(${operationKey(operation)}, client, { params: ${params} });`);
}

/** The property with the list in an operation's body, and the access to it. `undefined` if there is none. */
export function listProperty(operation: Operation) {
  const schemaOf = (schema: SchemaObject) => resolveSchema(operation.document, schema);
  const body = jsonContent(successResponses(operation)[0]?.content);
  const { properties = {}, required = [] } = body ? schemaOf(body.schema) : {};
  const [name] = Object.entries(properties).find(([, schema]) => schemaOf(schema).type === "array") ?? [];
  if (name === undefined) return undefined;
  return { name, of: (page: string) => page + memberAccess(name) + (required.includes(name) ? "" : " ?? []") };
}

function exampleCredentials(generation: Generation): Readonly<Record<string, string>> {
  const [smallest = []] = distinctAlternatives(generation).toSorted((a, b) => a.length - b.length);
  return Object.fromEntries(smallest.map((name) => [name, generation.securitySchemes.get(name)?.example ?? ""]));
}

/** The type of `auth`: at least one complete set of credentials of some operation. */
function authTypes(generation: Generation): string {
  const alternatives = distinctAlternatives(generation);
  if (alternatives.length === 0) return "type Auth = Record<string, never>;";
  const given = (names: readonly string[]) =>
    `{ ${names.map((name) => `${propertyName(name)}: runtime.Credential`).join("; ")} }`;
  const smallest = alternatives.filter(
    (names) => !alternatives.some((others) => others.length < names.length && others.every((n) => names.includes(n))),
  );
  const schemes = clientSchemes(generation.securitySchemes.values()).filter(({ name }) =>
    alternatives.some((names) => names.includes(name)),
  );
  const companions = schemes.flatMap(({ name }) => {
    const sets = alternatives.filter((names) => names.includes(name));
    if (sets.some(({ length }) => length === 1)) return [];
    return [[...sets.map(given), `{ ${propertyName(name)}?: undefined }`]];
  });
  // If no alternative is complete, the compiler's error is about the last one in the type. So the first
  // listed alternative comes last, and credentials that are only needed in combination come earlier.
  const unions = [...companions, smallest.map(given).toReversed()];
  const members = schemes.map(
    (scheme) =>
      `${docComment(describeCredential(scheme), "", 2)}  ${propertyName(scheme.name)}?: runtime.Credential | undefined;`,
  );
  return `type Auth = Credentials &
${unions.map((union) => `  (${union.join(" | ")})`).join(" &\n")};

type Credentials = {
${members.join("\n")}
};`;
}

function describeCredential({ description, prefix }: SecurityScheme): string {
  return prefix === "Basic " ? `${description}\n\nThe user name, a colon and the password, in Base64.` : description;
}

/** The facts of a generation, and the handling of bodies other than JSON if it has any. */
function contractText(generation: Generation): string {
  const contract = collectFacts(generation);
  const hasOther = contract.facts.some(({ contentType, reads }) => (contentType ?? reads) !== undefined);
  const facts = JSON.stringify(contract, null, 2);
  return hasOther ? `${facts.slice(0, -2)},\n  other: runtime.otherContent\n}` : facts;
}

/** The facts of a generation that a client needs at run time. */
export function collectFacts({ operations, securitySchemes }: Generation): ClientContract {
  const facts = [...groupBy(operations, (operation) => JSON.stringify(factsOf(operation))).values()]
    .sort((a, b) => a.length - b.length)
    .flatMap((group, index, { length }) => {
      const names = index < length - 1 && { names: group.map(({ name }) => name) };
      return group.slice(0, 1).map((first) => ({ ...factsOf(first), ...names }));
    });
  const schemes = clientSchemes(securitySchemes.values()).map((scheme) => [scheme.name, placeOf(scheme)] as const);
  return { schemes: Object.fromEntries(schemes), facts };
}

/** The security schemes whose credentials a client can send. Certificates belong to the connection. */
function clientSchemes(schemes: Iterable<SecurityScheme>): readonly SecurityScheme[] {
  return [...schemes].filter((scheme) => scheme.in !== "connection");
}

/** The distinct sets of schemes among the alternatives of operations. */
function distinctAlternatives({ operations }: Generation): readonly (readonly string[])[] {
  const sets = operations.flatMap(({ security }) => security.map(schemeNames)).filter((names) => names.length > 0);
  return [...new Map(sets.map((names) => [names.toSorted().join(), names.toSorted()])).values()];
}

function factsOf(operation: Operation): OperationFacts {
  const headers = singleValuedHeaders(operation);
  return {
    security: operation.security.length > 0 ? operation.security.map(schemeNames) : [[]],
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...bodyFacts(operation),
    ...(mayBeEmpty(operation) && { empty: true }),
  };
}

/**
 * The media type of an operation's request unless it is JSON, and how its successes are read unless all are
 * JSON.
 */
function bodyFacts(operation: Operation): Pick<OperationFacts, "contentType" | "reads"> {
  const contentType = sentMediaType(operation);
  const readings = successReadings(operation);
  const [, usual] = readings.find(([, as]) => as !== "json") ?? [];
  const others = readings.filter(([, as]) => as !== usual).map(([type, as]) => [type.replace("*", ""), as] as const);
  return {
    ...(contentType !== "application/json" && { contentType }),
    ...(usual !== undefined && { reads: [...others, ["", usual]] }),
  };
}

/** Returns whether the contract has a success without a body, or doesn't say whether it has one. */
function mayBeEmpty(operation: Operation): boolean {
  const successes = successResponses(operation);
  const { document } = operation;
  const isSaid = (content: MediaType) =>
    !isUntyped({ ...resolveSchema(document, content.schema) }) || isBinaryContent(document, content);
  const hasBody = ({ content }: Response) => content.length > 0 && content.every(isSaid);
  return operation.method === "head" || successes.length === 0 || !successes.every(hasBody);
}

function schemeNames(schemes: readonly SecurityScheme[]): string[] {
  return clientSchemes(schemes).map(({ name }) => name);
}

function placeOf({ in: place, parameter, prefix }: SecurityScheme): ClientContract["schemes"][string] {
  if (place === "query") return ["", `${encodeURIComponent(parameter)}=`];
  if (place === "cookie") return ["Cookie", `${parameter}=`];
  return prefix === "" ? [parameter] : [parameter, prefix];
}

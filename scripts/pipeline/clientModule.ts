import type { ClientContract, OperationFacts } from "../client/clientContract.ts";
import { sentMediaType, successReadings } from "../contract/bodies.ts";
import { isBinaryContent } from "../spec/binary.ts";
import {
  jsonContent,
  successResponses,
  type Generation,
  type MediaType,
  type Operation,
  type Response,
} from "../contract/generation.ts";
import { methods, resolveSchema, type SchemaObject } from "../spec/openapi.ts";
import { isUntyped } from "../spec/schemaKeywords.ts";
import { capitalize, compareText } from "../values/text.ts";
import { groupBy } from "../values/collections.ts";
import type { SecurityScheme } from "../contract/security.ts";
import { singleValuedHeaders } from "../contract/singleValuedHeaders.ts";
import { sampleRequest } from "../samples/exampleRequest.ts";
import { literal, memberAccess, objectText, propertyName } from "../samples/javaScriptText.ts";
import { parametersByPlace } from "../samples/typeScriptSample.ts";
import { datePlaces } from "./datePlaces.ts";
import {
  createNames,
  docComment,
  listNamedTypes,
  moduleText,
  operationKey,
  operationType,
  unionOf,
} from "./moduleText.ts";

/**
 * Generates a generation's client module. It re-exports `types.ts`, and adds the facts that the shared
 * runtime needs and the types that specialize it for this contract. All logic is in the runtime.
 */
export function generateClient(generation: Generation): string {
  const { name, title, operations } = generation;
  const nameOf = nameOperationTypes(generation);
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
  const hasCookies = operations.some((each) => cookiesOf(each).length > 0);
  const created = "runtime.createContractClient<Operations, paths>(contract, options);\n";
  const withCookies = `  const client = ${created}  client.use(runtime.cookieParameters);\n  return client;\n`;
  return moduleText({
    imports: ['import * as runtime from "../../scripts/client/index.ts";', 'import type { paths } from "./types.ts";'],
    // Declaration files for a consumer's exports refer to `Init` and `InitArgument`.
    exports: [
      'export type * from "./types.ts";',
      `export { createClient${paged.length > 0 ? ", paginate" : ""} };`,
      "export type { Auth, Client, ClientOptions, Operations };",
      'export { renewing, unwrap, ApiError, NetworkError, NotSentError } from "../../scripts/client/index.ts";',
      'export type { Credential, Failure, Init, InitArgument, Result, Success, TimeLike } from "../../scripts/client/index.ts";',
    ],
    parts: [
      `${docComment(`Creates a client of ${title}. Throws if \`baseUrl\` is not a URL.`, `const client = ${creation};`)}\
function createClient(
  options: runtime.OptionsWithBaseUrl<Auth, ${literal(name)}> | runtime.OptionsWithBaseUrlAndSchemas<Auth, ${literal(name)}>,
): Client {
${hasCookies ? withCookies : `  return ${created}`}\
}`,
      paged.length > 0 ? paginateFunction(paged) : "",
      `${docComment(`A client of ${title}.`, `const client: Client = ${creation};`)}\
type Client = runtime.Client<Operations, paths>;`,
      `${docComment("The options of a client.", `const options: ClientOptions = ${options};`)}\
type ClientOptions = runtime.ClientOptions<Auth, ${literal(name)}>;`,
      `${docComment("The credentials of a client.", `const auth: Auth = ${literal(auth)};`)}\
${authTypes(generation)}`,
      `${docComment("The request and the responses of each operation, by method and path template.", operation && `type Operation = ${operation};`)}\
interface Operations {
${operationTypes(operations, nameOf)}}`,
      "// Editors and the compiler's errors show these names instead of whole operations.",
      ...operations.map((each) => operationInterface(each, nameOf(each))),
      `\nconst contract: runtime.ClientContract = ${contractText(generation)};`,
    ],
  });
}

/** Names the types of operations, which are distinct from the other types of a generation. */
export function nameOperationTypes({ operations, document }: Generation): (operation: Operation) => string {
  const taken =
    "ApiError Auth Client ClientOptions CompleteAuth Credential Credentials Failure Init InitArgument Operations Result Success";
  const nameOf = createNames([...taken.split(" "), ...listNamedTypes(document)]);
  const names = new Map(
    operations.map((operation) => [operation, nameOf(`${capitalize(operationKey(operation))}Operation`)]),
  );
  return (operation) => names.get(operation) ?? "never";
}

/** The members of `Operations`: the types of operations, by method and path template. */
function operationTypes(operations: readonly Operation[], nameOf: (operation: Operation) => string): string {
  const members = methods.map((method) => {
    const lines = operations
      .filter((operation) => operation.method === method)
      .map((operation) => `    ${JSON.stringify(operation.path)}: ${nameOf(operation)};\n`);
    return lines.length > 0 ? `  ${propertyName(method)}: {\n${lines.join("")}  };\n` : "";
  });
  return members.join("");
}

/** The cookie parameters of an operation. */
function cookiesOf({ parameters }: Operation): Operation["parameters"] {
  return parameters.filter((parameter) => parameter.in === "cookie");
}

/**
 * An operation's type in `types.ts`, without the content of `HEAD`, and without required cookies and constant
 * headers.
 */
function operationInterface(operation: Operation, name: string): string {
  const places = datePlaces(operation);
  const ofBundle = operationType(operation);
  const needsCookies = cookiesOf(operation).some(({ required }) => required);
  const withCookies = needsCookies ? `runtime.WithOptionalCookies<${ofBundle}>` : ofBundle;
  const ofPath = places === undefined ? withCookies : `runtime.WithDates<${withCookies}, ${literal(places)}>`;
  const type = operation.method === "head" ? `runtime.WithoutContent<${ofPath}>` : ofPath;
  const headers = singleValuedHeaders(operation).map(([header]) => header);
  const extended = headers.length > 0 ? `WithOptionalHeaders<${type}, ${unionOf(headers)}>` : `OperationOf<${type}>`;
  return interfaceOfOperation(operation, name, extended);
}

/** An interface that gives the type of an operation a name. `extended` is the type in the runtime. */
export function interfaceOfOperation(operation: Operation, name: string, extended: string): string {
  const comment = docComment(
    `The request and the responses of \`${operation.name}\`.`,
    `type Responses = ${name}["responses"];`,
  );
  return `${comment}export interface ${name} extends runtime.${extended} {}`;
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
    const query = [
      `${parameterComment(operation, limit)}    readonly ${propertyName(limit)}: number;\n`,
      `${parameterComment(operation, offset)}    readonly ${propertyName(offset)}${mark}: number${mark === "" ? "" : " | undefined"};\n`,
    ];
    return `${paginateComment(operation, limit, offset)}\
function paginate<Init, Page>(
  operation: (client: Client, init: Init) => Promise<runtime.Success<Page> | runtime.Failure<unknown>>,
  client: Client,
  init: Init & { readonly params: { readonly query: {
${query.join("")}  } } },
): AsyncGenerator<runtime.ItemOf<Page, ${unionOf(lists)}>, void, undefined>;
`;
  });
  return `${overloads.join("\n")}\
function paginate(
  operation: (client: never, init: never) => ReturnType<runtime.ListCall>,
  client: object,
  init: runtime.ListInit,
): AsyncGenerator<unknown, void, undefined> {
  return runtime.walkPages(${literal(pairs.map(({ limit, offset, lists }) => [limit, offset, ...lists]))}, operation, client, init);
}`;
}

/** What `types.ts` says about a query parameter, which the types of `paginate` would hide. */
function parameterComment(operation: Operation, name: string): string {
  const parameter = operation.parameters.find((each) => each.in === "query" && each.name === name);
  return docComment(parameter?.description ?? "", "", 4);
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
  const schemes = clientSchemes(generation.securitySchemes.values()).filter(({ name }) =>
    alternatives.some((names) => names.includes(name)),
  );
  const members = schemes.map(
    (scheme) =>
      `${docComment(describeCredential(scheme), "", 2)}  ${propertyName(scheme.name)}?: runtime.Credential | undefined;`,
  );
  // If no set is complete, the compiler's error is about the last one. So the first listed one comes last.
  const sets = completeSets(alternatives).toReversed();
  // The compiler's errors show the name of the union.
  return `type Auth = CompleteAuth;

type CompleteAuth =
${sets.map((set) => `  | ${credentialsType(set)}`).join("\n")};

type Credentials = {
${members.join("\n")}
};`;
}

/** The type of a set of credentials without those that are useless in it. */
function credentialsType({ names, absent }: CompleteSet): string {
  const given = `runtime.Given<Credentials, ${unionOf(names)}>`;
  const others = absent.map((name) => `${propertyName(name)}?: undefined`);
  return others.length > 0 ? `${given} & { ${others.join("; ")} }` : given;
}

interface CompleteSet {
  readonly names: readonly string[];
  /** The credentials that no operation takes with these. */
  readonly absent: readonly string[];
}

/** The names of two lists, each once and in order. */
function joinNames(some: readonly string[], more: readonly string[]): readonly string[] {
  return [...new Set([...some, ...more])].toSorted();
}

/** Leaves out lists with the same names as another one. */
function withoutRepeated(lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const byNames = new Map(lists.map((names) => [names.join(), names]));
  return [...byNames.values()];
}

/**
 * The smallest complete sets of credentials. A credential that no operation takes alone is in a set together
 * with the others of an alternative, or absent.
 */
function completeSets(alternatives: readonly (readonly string[])[]): readonly CompleteSet[] {
  const alone = new Set(alternatives.filter(({ length }) => length === 1).flat());
  const dependent = [...new Set(alternatives.flat())].filter((name) => !alone.has(name));
  const dependentIn = (names: readonly string[]) => dependent.filter((name) => names.includes(name));
  let unions = alternatives;
  for (const more of alternatives.filter((names) => dependentIn(names).length > 0)) {
    const joined = unions.map((names) => joinNames(names, more));
    unions = withoutRepeated([...unions, ...joined]);
  }
  const isSmaller = (few: readonly string[], many: readonly string[]) =>
    few.length < many.length &&
    few.every((name) => many.includes(name)) &&
    dependentIn(few).length === dependentIn(many).length;
  return unions
    .filter((names) => !unions.some((other) => isSmaller(other, names)))
    .map((names) => ({ names, absent: dependent.filter((name) => !names.includes(name)) }))
    .toSorted((a, b) => b.absent.length - a.absent.length);
}

function describeCredential({ description, prefix, in: place }: SecurityScheme): string {
  if (place === "cookie")
    return `${description}\n\nA browser sends its own cookies instead, so pass \`auth: "none"\` there.`;
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
  // Without a body, there is no media type.
  const headers = singleValuedHeaders(operation).filter(([name]) => name !== "Content-Type");
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

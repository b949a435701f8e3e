import type { ClientContract } from "../client/clientContract.ts";
import type { Generation, Operation } from "../contract/generation.ts";
import { methods } from "../spec/openapi.ts";
import type { SecurityScheme } from "../contract/security.ts";
import { singleValuedHeaders } from "../contract/singleValuedHeaders.ts";
import { clientSchemes, collectFacts, distinctAlternatives } from "./clientFacts.ts";
import { clientExport } from "./generatedNames.ts";
import { propertyName } from "../samples/javaScriptText.ts";
import { docComment, renamed } from "./typeScriptText.ts";

/**
 * Makes the text of a generation's client module, which lies beside its `types.ts` and exports all of that too: the
 * facts that the shared runtime needs, and the types that fit it to this contract. What runs is in the runtime.
 * If a schema has the name of one of the module's own exports, that export gets the prefix `Contract`.
 */
export function generateClient(generation: Generation): string {
  const { document, title, operations } = generation;
  const members = operationTypes(operations);
  const pagination = operations.find((operation) => operation.pagination)?.pagination;
  const exported = (names: readonly string[]) =>
    names.map((name) => renamed(name, clientExport(name, document))).join(", ");
  const functions = ["createClient", ...(pagination === undefined ? [] : ["paginate"]), "unwrap"];
  // `Init` and `InitArgument` are there for declarations made of what a consumer exports, which have to name them.
  const calls = ["Failure", "Init", "InitArgument", "Operations", "Result", "Success"];
  const types = ["Auth", "Client", "ClientOptions", "Credential", ...calls];
  const lines = [
    "import {",
    "  ApiError,",
    "  createContractClient,",
    "  NetworkError,",
    "  unwrap,",
    ...(pagination === undefined ? [] : ["  walkPages,"]),
    "  type Client as ContractClient,",
    "  type ClientContract,",
    "  type ClientOptions as ContractClientOptions,",
    "  type Credential,",
    "  type Failure,",
    "  type Init,",
    "  type InitArgument,",
    "  type Result,",
    "  type Success,",
    ...["WithOptionalHeaders", "WithoutContent"]
      .filter((name) => members.some((line) => line.includes(`${name}<`)))
      .map((name) => `  type ${name},`),
    '} from "../../scripts/client/index.ts";',
    'import type { paths } from "./types.ts";',
    "",
    'export type * from "./types.ts";',
    `export { ${exported([...functions, "ApiError", "NetworkError"])} };`,
    `export type { ${exported(types)} };`,
    "",
    ...docComment(`Creates a client for ${title}. Throws if \`baseUrl\` is not a URL.`),
    "function createClient(options: ClientOptions): Client {",
    "  return createContractClient<Operations, paths>(contract, options);",
    "}",
    "",
    ...(pagination === undefined ? [] : paginateFunction(pagination)),
    "type Client = ContractClient<Operations, paths>;",
    "",
    "type ClientOptions = ContractClientOptions<Auth, paths>;",
    "",
    ...authTypes(generation),
    "",
    ...docComment("What a call sends and gets, by method and path template."),
    "interface Operations {",
    ...members,
    "}",
    "",
    ...contractConstant(collectFacts(generation)),
  ];
  return `${lines.join("\n")}\n`;
}

/** The contract as a constant: facts that several operations have are written once, because bundles are to be small. */
function contractConstant({ schemes, default: common, operations }: ClientContract): string[] {
  const texts = Object.entries(operations).map(([name, facts]) => [name, JSON.stringify(facts)] as const);
  const distinct = [...new Set(texts.map(([, facts]) => facts))];
  return [
    ...distinct.map((facts, index) => `const facts${index} = ${facts};`),
    "",
    "const contract: ClientContract = {",
    "  schemes: {",
    ...Object.entries(schemes).map(([name, place]) => `    ${propertyName(name)}: ${JSON.stringify(place)},`),
    "  },",
    `  default: ${JSON.stringify(common)},`,
    "  operations: {",
    ...texts.map(([name, facts]) => `    ${JSON.stringify(name)}: facts${distinct.indexOf(facts)},`),
    "  },",
    "};",
  ];
}

/** The members of `Operations`: by method and path template, what `types.ts` has for an operation. */
function operationTypes(operations: readonly Operation[]): string[] {
  return methods.flatMap((method) => {
    const lines = operations
      .filter((operation) => operation.method === method)
      .map((operation) => {
        const path = JSON.stringify(operation.path);
        const ofPath = `paths[${path}]["${method}"]`;
        const type = method === "head" ? `WithoutContent<${ofPath}>` : ofPath;
        const headers = singleValuedHeaders(operation).map(([name]) => JSON.stringify(name));
        return `    ${path}: ${headers.length > 0 ? `WithOptionalHeaders<${type}, ${headers.join(" | ")}>` : type};`;
      });
    return lines.length > 0 ? [`  ${method}: {`, ...lines, "  };"] : [];
  });
}

/** `paginate`, by the names that this contract's query parameters have. */
function paginateFunction({ limit, offset }: { readonly limit: string; readonly offset: string }): string[] {
  const [limitName, offsetName] = [propertyName(limit), propertyName(offset)];
  return [
    ...docComment(
      `Walks a list that is paged by \`${limit}\` and \`${offset}\`, item by item. A page is requested when its first item ` +
        "is wanted, and the walk ends with the first page that is shorter than requested.\nThrows what `getPage` throws, " +
        "the reason of an aborted signal, and an error if a page has more items than requested.",
    ),
    `function paginate<Item>(
  getPage: (page: Page, signal: AbortSignal | null) => Promise<readonly Item[]>,
  { ${limitName}: limit, ${offsetName}: offset, signal }: PaginateOptions,
): AsyncGenerator<Item, void, undefined> {
  return walkPages(
    (size, position, aborted) => getPage({ ${limitName}: size, ${offsetName}: position }, aborted),
    limit,
    offset,
    signal,
  );
}

interface Page {
  readonly ${limitName}: number;
  readonly ${offsetName}: number;
}

interface PaginateOptions {
  /** Items in a page: no more than the service returns at once, because a shorter page is taken for the last. */
  readonly ${limitName}: number;
  /** Items to skip before the first; none by default. */
  readonly ${offsetName}?: number | undefined;
  /** Ends the walk when it is aborted; it is passed to \`getPage\` too. */
  readonly signal?: AbortSignal | null | undefined;
}
`,
  ];
}

/** The type of `auth`: at least one set of credentials that an operation names, each with those it is sent with. */
function authTypes(generation: Generation): string[] {
  const alternatives = distinctAlternatives(generation);
  if (alternatives.length === 0) return ["type Auth = Record<string, never>;"];
  const given = (names: readonly string[]) =>
    `{ ${names.map((name) => `${propertyName(name)}: Credential`).join("; ")} }`;
  const smallest = alternatives.filter(
    (names) => !alternatives.some((others) => others.length < names.length && others.every((n) => names.includes(n))),
  );
  const schemes = clientSchemes(generation.securitySchemes).filter(({ name }) =>
    alternatives.some((names) => names.includes(name)),
  );
  const companions = schemes.flatMap(({ name }) => {
    const sets = alternatives.filter((names) => names.includes(name));
    if (sets.some(({ length }) => length === 1)) return [];
    return [[...sets.map(given), `{ ${propertyName(name)}?: undefined }`]];
  });
  // If no alternative is complete, the compiler says what the last one lacks: that is to be the one listed first, and none
  // that is only needed beside another.
  const unions = [...companions, smallest.map(given).toReversed()];
  return [
    "type Auth = Credentials &",
    `${unions.map((union) => `  (${union.join(" | ")})`).join(" &\n")};`,
    "",
    "type Credentials = {",
    ...schemes.flatMap((scheme) => [
      ...docComment(describeCredential(scheme), "  "),
      `  ${propertyName(scheme.name)}?: Credential | undefined;`,
    ]),
    "};",
  ];
}

function describeCredential({ description, prefix }: SecurityScheme): string {
  return prefix === "Basic " ? `${description}\n\nThe user name, a colon and the password, in Base64.` : description;
}

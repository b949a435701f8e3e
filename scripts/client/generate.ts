import { listOperations, methods, type Document, type SecurityScheme } from "../contract/document.ts";
import { collectContract, listAlternatives, listSchemes, singleValuedHeaders } from "./facts.ts";
import type { Contract } from "./runtime/contract.ts";

/**
 * Makes the text of a generation's client module, which lies beside its `types.ts` and exports all of that too: the
 * facts that the shared runtime needs, and the types that fit it to this contract. What runs is in the runtime.
 * Where a schema has the name of one of the module's own exports, that export gets the prefix `Contract`.
 */
export function generateClient(document: Document): string {
  const contract = collectContract(document);
  const operations = operationTypes(document);
  const schemas = document.components?.schemas ?? {};
  const exported = (names: readonly string[]) =>
    names.map((name) => (Object.hasOwn(schemas, name) ? `${name} as Contract${name}` : name)).join(", ");
  const lines = [
    "import {",
    "  ApiError,",
    "  createContractClient,",
    "  NetworkError,",
    "  paginate,",
    "  unwrap,",
    "  type Client as ContractClient,",
    "  type ClientOptions as ContractClientOptions,",
    "  type Contract,",
    "  type Credential,",
    "  type Failure,",
    "  type Result,",
    "  type Success,",
    ...(operations.some((line) => line.includes("WithOptionalHeaders<")) ? ["  type WithOptionalHeaders,"] : []),
    '} from "../../scripts/client/runtime/index.ts";',
    'import type { paths } from "./types.ts";',
    "",
    'export type * from "./types.ts";',
    `export { ${exported(["createClient", "paginate", "unwrap", "ApiError", "NetworkError"])} };`,
    `export type { ${exported(["Auth", "Client", "ClientOptions", "Credential", "Failure", "Result", "Success"])} };`,
    "",
    ...comment(`Creates a client for ${document.info?.title ?? "the contract"}. Throws where \`baseUrl\` is no URL.`),
    "function createClient(options: ClientOptions): Client {",
    "  return createContractClient<Operations>(contract, options);",
    "}",
    "",
    "type Client = ContractClient<Operations>;",
    "",
    "type ClientOptions = ContractClientOptions<Auth>;",
    "",
    ...credentialTypes(document),
    "",
    "interface Operations {",
    ...operations,
    "}",
    "",
    ...contractTable(contract),
  ];
  return `${lines.join("\n")}\n`;
}

/** The contract as a constant: facts that several operations have are written once, because bundles are to be small. */
function contractTable({ schemes, usual, operations }: Contract): string[] {
  const texts = Object.entries(operations).map(([name, facts]) => [name, JSON.stringify(facts)] as const);
  const distinct = [...new Set(texts.map(([, facts]) => facts))];
  return [
    ...distinct.map((facts, index) => `const facts${index} = ${facts};`),
    "",
    "const contract: Contract = {",
    "  schemes: {",
    ...Object.entries(schemes).map(([name, prefix]) => `    ${JSON.stringify(name)}: ${JSON.stringify(prefix)},`),
    "  },",
    `  usual: ${JSON.stringify(usual)},`,
    "  operations: {",
    ...texts.map(([name, facts]) => `    ${JSON.stringify(name)}: facts${distinct.indexOf(facts)},`),
    "  },",
    "};",
  ];
}

/** The members of `Operations`: by method and path template, what `types.ts` has for an operation. */
function operationTypes(document: Document): string[] {
  const entries = listOperations(document);
  return methods.flatMap((method) => {
    const lines = entries
      .filter((entry) => entry.method === method)
      .map((entry) => {
        const path = JSON.stringify(entry.path);
        const type = `paths[${path}]["${method}"]`;
        const headers = singleValuedHeaders(document, entry).map(([name]) => JSON.stringify(name));
        return `    ${path}: ${headers.length > 0 ? `WithOptionalHeaders<${type}, ${headers.join(" | ")}>` : type};`;
      });
    return lines.length > 0 ? [`  ${method}: {`, ...lines, "  };"] : [];
  });
}

/** The type of `auth`: at least one set of credentials that an operation names, and none without those it counts with. */
function credentialTypes(document: Document): string[] {
  const alternatives = listAlternatives(collectContract(document));
  if (alternatives.length === 0) return ["type Auth = Record<string, never>;"];
  const given = (names: readonly string[]) => `Given<${names.map((name) => JSON.stringify(name)).join(" | ")}>`;
  const smallest = alternatives.filter(
    (names) => !alternatives.some((others) => others.length < names.length && others.every((n) => names.includes(n))),
  );
  const schemes = listSchemes(document).filter(([name]) => alternatives.some((names) => names.includes(name)));
  const companions = schemes.flatMap(([name]) => {
    const sets = alternatives.filter((names) => names.includes(name));
    if (sets.some(({ length }) => length === 1)) return [];
    return [[`{ ${JSON.stringify(name)}?: never }`, ...sets.map(given)]];
  });
  return [
    "type Auth = Credentials &",
    `${[smallest.map(given), ...companions].map((union) => `  (${union.join(" | ")})`).join(" &\n")};`,
    "",
    "type Given<Name extends keyof Credentials> = Required<Pick<Credentials, Name>>;",
    "",
    "type Credentials = {",
    ...schemes.flatMap(([name, scheme]) => [
      ...comment(describeCredential(scheme), "  "),
      `  ${JSON.stringify(name)}?: Credential;`,
    ]),
    "};",
  ];
}

function describeCredential({ description = "", ...scheme }: SecurityScheme): string {
  const isBasic = scheme.type === "http" && scheme.scheme.toLowerCase() === "basic";
  return isBasic ? `${description}\n\nThe user name, a colon and the password, in Base64.` : description;
}

/** A doc comment, or nothing where there is no text. */
function comment(text: string, indent = ""): string[] {
  if (text.trim() === "") return [];
  const lines = text.trim().replaceAll("*/", "*\\/").split("\n");
  return lines.length === 1
    ? [`${indent}/** ${lines.join("")} */`]
    : [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`];
}

import { pathToFileURL } from "node:url";
import { isObject, type Document, type OperationEntry } from "../../scripts/contract/document.ts";
import { exampleCredential, parameterExample, requestExamples } from "../../scripts/contract/exampleRequest.ts";
import { singleValuedHeaders } from "../../scripts/client/facts.ts";

/** A generated client for calls that a test takes from the bundle: to the compiler each is like any other. */
export interface DynamicClient {
  readonly request: (method: string, path: string, init: Init) => Promise<Result>;
}

export interface Init {
  readonly params: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly body?: unknown;
}

export interface Result {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

interface ClientModule {
  readonly createClient: (options: {
    readonly baseUrl: string;
    readonly auth: Readonly<Record<string, string>>;
  }) => DynamicClient;
}

/** The client module of a generation, as the build wrote it. */
export async function loadClient(generation: string): Promise<ClientModule> {
  const module: unknown = await import(pathToFileURL(`generated/${generation}/client.ts`).href);
  if (!isClientModule(module)) throw new Error(`generated/${generation}/client.ts has no createClient`);
  return module;
}

function isClientModule(module: unknown): module is ClientModule {
  return isObject(module) && typeof module["createClient"] === "function";
}

/** A call made of the contract's examples, without the headers that a client has to send by itself. */
export function exampleCall(document: Document, entry: OperationEntry): Init {
  const own = singleValuedHeaders(document, entry).map(([name]) => name);
  const params: Record<string, Record<string, unknown>> = {};
  for (const parameter of entry.parameters) {
    const { in: place = "", name } = parameter;
    if (!own.includes(name)) params[place] = { ...params[place], [name]: parameterExample(parameter) };
  }
  const bodies = requestExamples(document, entry.operation);
  return { params, ...(bodies !== undefined && { body: Object.values(bodies)[0] }) };
}

export function exampleCredentials(document: Document, schemes: readonly string[]): Record<string, string> {
  return Object.fromEntries(schemes.map((scheme) => [scheme, exampleCredential(document, scheme)]));
}

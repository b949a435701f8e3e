import { pathToFileURL } from "node:url";
import { jsonContent, type Operation } from "../../scripts/contract/generation.ts";
import { isObject } from "../../scripts/spec/json.ts";
import type { SecurityAlternative } from "../../scripts/contract/security.ts";
import { sampleRequest } from "../../scripts/samples/exampleRequest.ts";
import { sampleOptions } from "../../scripts/samples/samples.ts";
import { parametersByPlace } from "../../scripts/samples/typeScriptSample.ts";

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
export function exampleCall(operation: Operation): Init {
  const [example] = jsonContent(operation.requestBody?.content)?.examples ?? [];
  return {
    params: parametersByPlace(sampleRequest(operation, ""), sampleOptions(operation, "").clientHeaders),
    ...(example !== undefined && { body: example.value }),
  };
}

export function exampleCredentials(schemes: SecurityAlternative): Record<string, string> {
  return Object.fromEntries(schemes.map(({ name, example }) => [name, example]));
}

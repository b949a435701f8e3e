import { pathToFileURL } from "node:url";
import type { Operation } from "../../scripts/contract/generation.ts";
import { isObject } from "../../scripts/spec/json.ts";
import type { SecurityAlternative } from "../../scripts/contract/security.ts";
import { sampleRequest } from "../../scripts/samples/exampleRequest.ts";
import { sampleOptions } from "../../scripts/samples/samples.ts";
import { parametersByPlace } from "../../scripts/samples/typeScriptSample.ts";
import { bodyInit, writeRequest } from "../../scripts/samples/writeRequest.ts";

/** A generated client for calls that a test takes from the bundle: to the compiler each is like any other. */
export interface DynamicClient {
  readonly request: (method: string, path: string, init: Init) => Promise<Result>;
}

export interface Init {
  readonly params: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly body?: unknown;
  readonly bodySerializer?: (body: unknown) => unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly parseAs?: "text";
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
  const request = sampleRequest(operation, "");
  const { clientHeaders, answer, isReadAsText } = sampleOptions(operation, "");
  const { body } = writeRequest(request);
  const { contentType = "" } = request;
  return {
    params: parametersByPlace(request, clientHeaders),
    ...(body?.kind === "json" && { body: body.value }),
    // As it is sent: the styles of a form's parts are the contract's.
    ...(body !== undefined && body.kind !== "json" && { body: bodyInit(body), bodySerializer: (written) => written }),
    ...(body !== undefined && body.kind !== "multipart" && { headers: { "Content-Type": contentType } }),
    ...(answer === "text" && !isReadAsText && { parseAs: "text" }),
  };
}

export function exampleCredentials(schemes: SecurityAlternative): Record<string, string> {
  return Object.fromEntries(schemes.map(({ name, example }) => [name, example]));
}

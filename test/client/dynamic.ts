import { pathToFileURL } from "node:url";
import type { Operation } from "../../scripts/contract/generation.ts";
import { isObject, valueAt } from "../../scripts/values/json.ts";
import type { SecurityAlternative } from "../../scripts/contract/security.ts";
import { sampleRequest } from "../../scripts/samples/exampleRequest.ts";
import { sampleOptions } from "../../scripts/samples/samples.ts";
import { parametersByPlace } from "../../scripts/samples/typeScriptSample.ts";
import type { SampleFile, SampleFiles } from "../../scripts/samples/sampleFiles.ts";

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

export interface ClientModule {
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

export function isClientModule(module: unknown): module is ClientModule {
  return isObject(module) && typeof module["createClient"] === "function";
}

/** A call made of the contract's examples, without the headers that a client has to send by itself. */
export function exampleCall(operation: Operation): Init {
  const { body, files, ...request } = sampleRequest(operation, "");
  return {
    params: parametersByPlace(request, sampleOptions(operation, "").clientHeaders),
    ...(body !== undefined && { body: withFiles(body, files) }),
  };
}

/** The body of a sample, with files in place of their contents. */
function withFiles(body: unknown, files: SampleFiles): unknown {
  const whole = files[""];
  if (whole !== undefined) return fileOf(body, whole);
  return Object.entries(files).reduce((value, [name, file]) => {
    const content = valueAt(value, [name]);
    const made = Array.isArray(content) ? content.map((one) => fileOf(one, file)) : fileOf(content, file);
    return content === undefined ? value : { ...(isObject(value) && value), [name]: made };
  }, body);
}

function fileOf(content: unknown, { name, mediaType }: SampleFile): File {
  return new File([String(content)], name, { type: mediaType });
}

export function exampleCredentials(schemes: SecurityAlternative): Record<string, string> {
  return Object.fromEntries(schemes.map(({ name, example }) => [name, example]));
}

import { curlCommand } from "../samples/curlCommand.ts";
import { addressedTo, exampleRequest, type ExampleRequest } from "../samples/exampleRequest.ts";
import { UserError } from "../contract/failures.ts";
import type { Generation } from "../contract/generation.ts";
import { countOf } from "../contract/text.ts";
import type { MockServer, ServerOptions } from "../mock/http/server.ts";
import { printLine, type Values } from "./commandLine.ts";
import { faultOptions, readFaultOptions } from "./faultOptions.ts";
import { listen, listenOptions, readAllowedHosts, readHostOption, readPort } from "./listen.ts";
import { printRequests } from "./requestLog.ts";

export const mockSummary =
  "Runs a mock server until stopped: it behaves as the contract says, remembers what requests change, and explains what it rejects.";

/** The options of every command that runs the mock. */
export const servedOptions = {
  ...listenOptions,
  stateless: { type: "boolean", description: "respond with examples only, and remember nothing" },
  state: { type: "string", value: "FILE", description: "keep what requests write in this file" },
  "state-limit": { type: "string", value: "MIB", description: "how much requests may write, in MiB", default: "64" },
  dynamic: { type: "boolean", description: "generate random responses from the schemas instead of using examples" },
  seed: { type: "string", value: "TEXT", description: "make random responses and faults the same each time" },
  ...faultOptions,
  quiet: { type: "boolean", description: "do not log requests" },
} as const;

/** The options of the commands that run only the mock, in the repository and in the npm package. */
export const mockOptions = {
  ...servedOptions,
  generation: { type: "string", value: "NAME", description: "serve only this generation" },
} as const;

/** Turns the values of {@link servedOptions} into options of the server. Throws {@link UserError} for an unusable value. */
export function readMockOptions({
  port,
  host,
  "allowed-hosts": allowedHosts,
  stateless = false,
  state: stateFile,
  "state-limit": stateLimit,
  dynamic = false,
  seed,
  latency,
  fail,
  quiet = false,
}: Values<typeof servedOptions>): Omit<ServerOptions, "generations"> {
  if (stateFile === "") throw new UserError("--state must name a file");
  if (stateless && stateFile !== undefined) throw new UserError("--stateless and --state exclude each other");
  const onResponse = printRequests(quiet);
  const limit = readStateLimit(stateLimit);
  const faults = readFaultOptions({ latency, fail });
  const address = { port: readPort(port), host: readHostOption(host), allowedHosts: readAllowedHosts(allowedHosts) };
  return { ...address, stateless, stateFile, stateLimit: limit, dynamic, seed, ...faults, onResponse };
}

function readStateLimit(text: string): number {
  const mebibytes = Number(text);
  if (mebibytes > 0) return mebibytes;
  throw new UserError(`--state-limit must be a number of MiB above 0, not "${text}"`);
}

/** Serves generations until `stopped` resolves. Throws {@link UserError} if the port or the host is not available. */
export async function serveGenerations(options: ServerOptions, stopped: Promise<void>): Promise<void> {
  await using mock = await listen(options);
  announce(mock, options.generations);
  await stopped;
}

/** Prints where the mock is, what it serves, and a request to try. */
export function announce(mock: MockServer, generations: readonly Generation[]): void {
  printLine(`Listening on ${mock.url}`);
  for (const generation of generations) printLine(`  ${countOperations(generation)}`);
  const request = firstRequest(generations);
  if (request !== undefined)
    printLine(`Try it: ${curlCommand(addressedTo(mock.url, request)).replaceAll(" \\\n  ", " ")}`);
}

export function countOperations({ name, operations }: Generation): string {
  return `${name}: ${countOf(operations.length, "operation")}`;
}

/** A request that succeeds: a GET if there is one, and one that shows how credentials are sent. */
function firstRequest(generations: readonly Generation[]): ExampleRequest | undefined {
  const rank = ({ method, target, headers }: ExampleRequest) =>
    (method === "GET" ? 0 : 2) + (Object.keys(headers).length > 0 || target.includes("?") ? 0 : 1);
  return (
    generations
      .flatMap(({ operations }) => operations.filter(({ requestBody }) => requestBody === undefined))
      .map((operation) => exampleRequest(operation))
      // A parameter without an example leaves its name in the path.
      .filter(({ target }) => !target.includes("{"))
      .sort((a, b) => rank(a) - rank(b))[0]
  );
}

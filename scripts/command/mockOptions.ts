import { readFileSync } from "node:fs";
import { defaultHost, defaultPort } from "../contract/defaultAddress.ts";
import { messageOf, UserError } from "../contract/failures.ts";
import { longestDelay, readDelay } from "../mock/response/delays.ts";
import { isHost, isOrigin } from "../mock/server/servedHosts.ts";
import type { ServerOptions } from "../mock/server/server.ts";
import type { Values } from "./commandLine.ts";
import { printRequests } from "./requestLog.ts";

/** The options of every command that runs the mock. */
export const servedOptions = {
  port: { type: "string", value: "PORT", description: "the port; 0 picks a free one", default: String(defaultPort) },
  host: { type: "string", value: "HOST", description: "the address to listen on", default: defaultHost },
  "allowed-hosts": { type: "string", value: "NAMES", description: "names to serve besides localhost, as in a,b" },
  "allow-origin": { type: "string", value: "ORIGINS", description: "origins whose pages may use /-/mock/, as in a,b" },
  stateless: { type: "boolean", description: "respond with examples only, and remember nothing" },
  state: { type: "string", value: "FILE", description: "keep what requests write in this file" },
  "seed-state": { type: "string", value: "FILE", description: "begin with the resources in this JSON file" },
  unknown: { type: "string", value: "404", description: "the status of what was not seeded or created, or Team=404,…" },
  "state-limit": {
    type: "string",
    value: "MIB",
    description: "memory for what requests write and for rules, in MiB",
    default: "64",
  },
  dynamic: { type: "boolean", description: "generate random responses from the schemas instead of using examples" },
  seed: { type: "string", value: "TEXT", description: "make random responses and faults the same each time" },
  latency: { type: "string", value: "MS", description: "respond this much later, e.g. 200, or 100-400 at random" },
  fail: { type: "string", value: "P", description: "make requests fail with a 503, with this probability, e.g. 0.05" },
  upstream: { type: "string", value: "URL", description: "pass requests on to this server, and check its responses" },
  "upstream-operations": { type: "string", value: "IDS", description: "pass on only these operationIds, as in a,b" },
  errors: { type: "boolean", description: "with --upstream: respond with an error to what breaks the contract" },
  quiet: { type: "boolean", description: "do not log requests" },
} as const;

/** The option of the commands that serve the docs, too. */
export const docsOption = {
  type: "string",
  value: "DIR",
  description: "the folder for the docs",
  default: "generated/docs",
} as const;

/** The options of the commands that run only the mock, in the repository and in the npm package. */
export const mockOptions = {
  ...servedOptions,
  generation: { type: "string", value: "NAME", description: "serve only this generation" },
} as const;

/** Turns the values of {@link servedOptions} into options of the server. Throws {@link UserError} for an unusable value. */
export function readMockOptions(values: Values<typeof servedOptions>): Omit<ServerOptions, "generations"> {
  const { port, host, stateless = false, state: stateFile, dynamic = false, seed, latency, fail, unknown } = values;
  const { "seed-state": seedFile } = values;
  if (stateFile === "") throw new UserError("--state must name a file");
  const isStatus = (text: string) => /^(?:.+=)?404$/.test(text);
  const unknownTypes = readList("unknown", unknown, "404, or types as in Team=404,", isStatus);
  const statuses = unknownTypes.map((item) => [item.replace(/=404$/, ""), 404] as const);
  const { upstream: url, "upstream-operations": operations, errors } = values;
  if (url === undefined && (operations !== undefined || errors === true))
    throw new UserError("--upstream-operations and --errors need --upstream: the server to pass requests on to");
  // Node takes it for all addresses.
  if (host === "")
    throw new UserError("--host must be a name or an address of this machine, or 0.0.0.0 for all of them");
  return {
    port: readNumber("port", port, "a number from 0 to 65535", (value) => /^\d+$/.test(port) && value <= 65_535),
    host,
    allowedHosts: readList("allowed-hosts", values["allowed-hosts"], "names or addresses", isHost),
    allowedOrigins: readList("allow-origin", values["allow-origin"], "origins such as http://localhost:5173", isOrigin),
    ...{ stateless, stateFile, dynamic, seed, seedFile },
    ...(seedFile !== undefined && { seedState: readSeedFile(seedFile) }),
    ...(unknownTypes.length > 0 && { unknown: unknownTypes.includes("404") ? 404 : Object.fromEntries(statuses) }),
    upstream: url === undefined ? url : { url, operations: operations?.split(",").map((id) => id.trim()), errors },
    stateLimit: readNumber("state-limit", values["state-limit"], "a number of MiB above 0", (size) => size > 0),
    ...(latency !== undefined && { latency: readLatency(latency) }),
    ...(fail !== undefined && {
      fail: readNumber("fail", fail, "a probability from 0 to 1, as in 0.05", (p) => /^[\d.]+$/.test(fail) && p <= 1),
    }),
    log: printRequests(values.quiet ?? false),
  };
}

function readNumber(option: string, text: string, expected: string, isUsable: (number: number) => boolean): number {
  if (isUsable(Number(text))) return Number(text);
  throw new UserError(`--${option} must be ${expected}, not "${text}"`);
}

function readList(option: string, text: string | undefined, expected: string, isUsable: (item: string) => boolean) {
  const items = text?.split(",").map((item) => item.trim()) ?? [];
  const unusable = items.find((item) => !isUsable(item));
  if (unusable === undefined) return items;
  throw new UserError(`--${option} must be ${expected} separated by commas, not "${unusable}"`);
}

function readSeedFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new UserError(`${file} cannot be read: ${messageOf(error)}`);
  }
}

function readLatency(text: string): NonNullable<ServerOptions["latency"]> {
  const [least = Number.NaN, most = least, ...others] = text.split("-").map((delay) => readDelay(delay) ?? Number.NaN);
  if (least <= most && others.length === 0) return [least, most];
  const expected = "milliseconds, as in 200, or two of them, the smaller one first, as in 100-400";
  throw new UserError(`--latency must be ${expected}, and at most ${longestDelay}, not "${text}"`);
}

import { readFileSync } from "node:fs";
import { defaultHost, defaultPort } from "../contract/defaultAddress.ts";
import { UserError } from "../contract/failures.ts";
import { isDigits } from "../values/text.ts";
import { maxDelay, readDelay } from "../mock/content/delays.ts";
import { defaultBodyLimit, isBodyLimit, maxBodyLimit } from "../mock/content/bodyLimit.ts";
import { isHost, isOrigin } from "../mock/server/servedHosts.ts";
import type { ServerOptions } from "../mock/server/server.ts";
import type { Values } from "./commandLine.ts";
import { unreadable } from "./unreadable.ts";
import { printRequests } from "./requestLog.ts";

/** The options of every command that runs the mock. */
export const servedOptions = {
  port: { type: "string", value: "PORT", description: "the port, or 0 for a free one", default: String(defaultPort) },
  host: { type: "string", value: "HOST", description: "the address to listen on", default: defaultHost },
  "allowed-hosts": { type: "string", value: "NAMES", description: "names to serve besides localhost, as in a,b" },
  "allow-origin": {
    type: "string",
    value: "ORIGINS",
    description: "origins whose pages may use /-/mock/ and an upstream, as in a,b",
  },
  stateless: { type: "boolean", description: "be stateless, and respond with examples only" },
  state: { type: "string", value: "FILE", description: "keep the state in this file" },
  "seed-state": { type: "string", value: "FILE", description: "begin with the resources in this JSON file" },
  unknown: {
    type: "string",
    value: "404",
    description: "the status for resources that were not seeded or created, or Team=404,…",
  },
  "state-limit": {
    type: "string",
    value: "MIB",
    description: "memory for the state and for rules, in MiB",
    default: "64",
  },
  dynamic: { type: "boolean", description: "generate random responses from the schemas instead of using examples" },
  seed: { type: "string", value: "TEXT", description: "make random responses and faults repeatable" },
  "no-validate": { type: "boolean", description: "answer requests that violate the contract, and log the violations" },
  "body-limit": {
    type: "string",
    value: "BYTES",
    description: "the largest request body",
    default: String(defaultBodyLimit),
  },
  gzip: { type: "boolean", description: "accept request bodies with Content-Encoding: gzip" },
  latency: { type: "string", value: "MS", description: "delay responses, e.g. by 200, or by 100-400 at random" },
  fail: { type: "string", value: "P", description: "fail requests with a 503, with this probability, e.g. 0.05" },
  upstream: { type: "string", value: "URL", description: "forward requests to this server, and check its responses" },
  "upstream-operations": { type: "string", value: "IDS", description: "forward only these operationIds, as in a,b" },
  errors: { type: "boolean", description: "with --upstream: respond to contract violations with an error" },
  quiet: { type: "boolean", description: "do not log requests" },
} as const;

/** The additional option of commands that serve the docs. */
export const docsOption = {
  type: "string",
  value: "DIR",
  description: "the folder for the docs",
  default: "generated/docs",
} as const;

/** The options of commands that run only the mock, in the repository and in the npm package. */
export const mockOptions = {
  ...servedOptions,
  generation: { type: "string", value: "NAME", description: "serve only this generation" },
} as const;

/**
 * Converts the values of {@link servedOptions} into options of the server. Throws {@link UserError} for an
 * invalid value.
 */
export function readMockOptions(values: Values<typeof servedOptions>): Omit<ServerOptions, "generations"> {
  const { host, stateless = false, state: stateFile, dynamic = false, seed, quiet = false } = values;
  const { "seed-state": seedFile } = values;
  if (stateFile === "") throw new UserError("--state must name a file");
  // Node would take it for all addresses.
  if (host === "")
    throw new UserError("--host must be a name or an address of this machine, or 0.0.0.0 for all of them");
  return {
    port: readPort(values.port),
    host,
    allowedHosts: readList("allowed-hosts", values["allowed-hosts"], "names or addresses", isHost),
    allowedOrigins: readList("allow-origin", values["allow-origin"], "origins such as http://localhost:5173", isOrigin),
    stateless,
    stateFile,
    dynamic,
    seed,
    seedFile,
    seedState: readSeedFile(seedFile),
    unknown: readUnknown(values.unknown),
    upstream: readUpstream(values),
    stateLimit: readNumber("state-limit", values["state-limit"], "a number of MiB above 0", (size) => size > 0),
    validate: values["no-validate"] !== true,
    bodyLimit: readBodyLimit(values["body-limit"]),
    gzip: values.gzip,
    latency: readLatency(values.latency),
    fail: readProbability(values.fail),
    log: printRequests(quiet),
  };
}

/** Reads `--port`. Throws {@link UserError} for an invalid one. */
function readPort(text: string): number {
  const isPort = (port: number) => isDigits(text) && port <= 65_535;
  return readNumber("port", text, "a number from 0 to 65535", isPort);
}

function readBodyLimit(text: string): number {
  const expected = `a whole number of bytes from 1 to ${maxBodyLimit}`;
  return readNumber("body-limit", text, expected, (size) => isDigits(text) && isBodyLimit(size));
}

/** Reads `--unknown`: a status for all types, or statuses by type. */
function readUnknown(text: string | undefined): ServerOptions["unknown"] {
  const suffix = "=404";
  const isStatus = (item: string) => item === "404" || (item.endsWith(suffix) && item !== suffix);
  const items = readList("unknown", text, "404, or types as in Team=404,", isStatus);
  if (items.length === 0) return undefined;
  if (items.includes("404")) return 404;
  return Object.fromEntries(items.map((item) => [item.slice(0, -suffix.length), 404]));
}

function readUpstream(values: Values<typeof servedOptions>): ServerOptions["upstream"] {
  const { upstream: url, "upstream-operations": operations, errors } = values;
  if (url !== undefined) return { url, operations: operations?.split(",").map((id) => id.trim()), errors };
  if (operations === undefined && errors !== true) return undefined;
  throw new UserError("--upstream-operations and --errors need --upstream, the server to forward requests to");
}

function readProbability(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const isProbability = (p: number) => /^[\d.]+$/.test(text) && p <= 1;
  return readNumber("fail", text, "a probability from 0 to 1, as in 0.05", isProbability);
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

function readSeedFile(file: string | undefined): unknown {
  if (file === undefined) return undefined;
  try {
    // Some editors write a byte order mark.
    const text = new TextDecoder().decode(readFileSync(file));
    return JSON.parse(text);
  } catch (error) {
    throw unreadable(file, error);
  }
}

function readLatency(text: string | undefined): ServerOptions["latency"] {
  if (text === undefined) return undefined;
  const [least = Number.NaN, most = least, ...others] = text.split("-").map((delay) => readDelay(delay) ?? Number.NaN);
  if (least <= most && others.length === 0) return [least, most];
  const expected = "milliseconds, as in 200, or two of them, the smaller one first, as in 100-400";
  throw new UserError(`--latency must be ${expected}, and at most ${maxDelay}, not "${text}"`);
}

import { defaultHost, defaultPort } from "../contract/defaultAddress.ts";
import { errorCode, UserError } from "../contract/failures.ts";
import { readHost } from "../mock/http/servedHosts.ts";
import type { MockServer, ServerOptions } from "../mock/http/server.ts";

/** The options of the commands that serve. */
export const listenOptions = {
  port: {
    type: "string",
    value: "PORT",
    description: "the port to listen on; 0 picks a free one",
    default: String(defaultPort),
  },
  host: { type: "string", value: "HOST", description: "the address to listen on", default: defaultHost },
  "allowed-hosts": {
    type: "string",
    value: "NAMES",
    description: "names to serve beside localhost, separated by commas",
  },
} as const;

/** Reads the value of `--port`. Throws {@link UserError} if it is not a port. */
export function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new UserError(`--port must be a number from 0 to 65535, not "${text}"`);
}

/** Reads the value of `--host`. Throws {@link UserError} if it is empty, which Node takes for all addresses. */
export function readHostOption(text: string): string {
  if (text !== "") return text;
  throw new UserError("--host must be a name or an address of this machine: 0.0.0.0 stands for all of its addresses");
}

/** Reads the value of `--allowed-hosts`. Throws {@link UserError} if one of them is no host. */
export function readAllowedHosts(text: string | undefined): readonly string[] {
  const hosts = text?.split(",").map((name) => name.trim()) ?? [];
  const unusable = hosts.find((name) => readHost(name) === undefined);
  if (unusable === undefined) return hosts;
  throw new UserError(`--allowed-hosts must be names or addresses separated by commas, not "${unusable}"`);
}

/** Starts a mock for a command. Throws {@link UserError} if the port or the host is not available. */
export async function listen(options: ServerOptions): Promise<MockServer> {
  // Loaded here, after the command has turned the compile cache on: compiled anew, it takes half as long again.
  const { startServer } = await import("../mock/http/server.ts");
  const { port = 0, host = "" } = options;
  return startServer(options).catch((error: unknown) => {
    switch (errorCode(error)) {
      case "EADDRINUSE":
        throw new UserError(`port ${port} of ${host} is in use: stop what uses it, or choose another with --port`);
      case "EACCES":
        throw new UserError(`port ${port} of ${host} needs more rights: choose one above 1023 with --port`);
      case "EADDRNOTAVAIL":
      case "EAI_AGAIN":
      case "ENOTFOUND":
        throw new UserError(`${host} is not an address of this machine: choose another with --host`);
      default:
        if (error instanceof Error && error.name === "RouteConflictError") throw new UserError(error.message);
        throw error;
    }
  });
}

import { errorCode, UserError } from "../contract/failures.ts";
import type { MockServer, ServerOptions } from "../mock/http/server.ts";

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
        throw error;
    }
  });
}

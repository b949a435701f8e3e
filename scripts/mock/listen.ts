import { CommandError, errorCode } from "../command.ts";
import type { Mock, MockOptions } from "./server.ts";

/** Reads the value of `--port`. Throws {@link CommandError} where it is no port. */
export function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new CommandError(`--port takes a number from 0 to 65535, not "${text}"`);
}

/** Starts a mock for a command. Throws {@link CommandError} where the port or the host cannot be had. */
export async function listen(options: MockOptions): Promise<Mock> {
  // Loaded here, after the command has turned the compile cache on: compiled anew, it takes half as long again.
  const { startMock } = await import("./server.ts");
  const { port, host } = options;
  return startMock(options).catch((error: unknown) => {
    switch (errorCode(error)) {
      case "EADDRINUSE":
        throw new CommandError(`port ${port} of ${host} is in use: stop what uses it, or take another one with --port`);
      case "EACCES":
        throw new CommandError(`port ${port} of ${host} needs more rights: take one above 1023 with --port`);
      case "EADDRNOTAVAIL":
      case "EAI_AGAIN":
      case "ENOTFOUND":
        throw new CommandError(`${host} is no address of this machine: take another one with --host`);
      default:
        if (error instanceof Error && error.name === "RouteConflictError") throw new CommandError(error.message);
        throw error;
    }
  });
}

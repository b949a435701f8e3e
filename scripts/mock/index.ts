import { createEngine, type EngineOptions } from "./engine.ts";
import type { InProcessMock, Mock, MockOptions } from "./mockTypes.ts";
import { readPackagedGenerations } from "./packagedGenerations.ts";
import { startServer } from "./http/server.ts";

export type {
  Delay,
  FaultRule,
  FaultRules,
  InProcessMock,
  Mock,
  MockOptions,
  MockState,
  RequestEntry,
} from "./mockTypes.ts";

/**
 * Starts a mock server of this package's API.
 *
 * Rejects if the generation is unknown, with `TypeError` if another option is invalid, and with a system error if the mock
 * cannot listen on the port.
 *
 * @example
 * const mock = await startMock({ generation: "v2" });
 * const { status } = await fetch(`${mock.url}/v2/teams/7`, { method: "DELETE" });
 * await mock.close();
 */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  return startServer(await engineOptions(options));
}

/**
 * Creates a mock that responds inside the process, without a port. Rejects if an option is invalid, as {@link startMock}
 * does.
 *
 * @example
 * const mock = await createMock();
 * const response = await mock.fetch("http://localhost/v1/attendees?apiKey=example");
 */
export async function createMock(
  options: Omit<MockOptions, "allowedHosts" | "host" | "port" | "stateFile"> = {},
): Promise<InProcessMock> {
  return createEngine(await engineOptions(options)).mock;
}

async function engineOptions({ generation, ...options }: MockOptions): Promise<EngineOptions> {
  return { ...options, generations: await readPackagedGenerations(generation) };
}

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
 * Starts a mock of the generations in this package. Rejects for an unknown generation, with `TypeError` if another option
 * is not what it should be (a port that is no number, say), and with the system's error if it cannot listen.
 */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  return startServer(await engineOptions(options));
}

/** Makes a mock without a port, for {@link InProcessMock.fetch}. Rejects as {@link startMock} does. */
export async function createMock(
  options: Omit<MockOptions, "allowedHosts" | "host" | "port" | "stateFile"> = {},
): Promise<InProcessMock> {
  const { fetch, faults, reset, state, restore, requests } = createEngine(await engineOptions(options));
  return { fetch, faults, reset, state, restore, requests };
}

async function engineOptions({ generation, ...options }: MockOptions): Promise<EngineOptions> {
  return { ...options, generations: await readPackagedGenerations(generation) };
}

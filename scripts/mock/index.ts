import { commonOptions, requireKnown } from "./engine/knownOptions.ts";
import { createEngine, type EngineOptions } from "./server/engine.ts";
import type { InProcessMock, Mock, MockOptions } from "./mockTypes.ts";
import { readPackagedGenerations } from "./server/packagedGenerations.ts";
import { startServer } from "./server/server.ts";

export type * from "./mockTypes.ts";

const serverOptions = ["allowedHosts", "allowedOrigins", "host", "port", "stateFile"] as const;
const ownOptions = [...commonOptions, "upstream"] as const;

/**
 * Starts a mock server of this package's API. Rejects if an option is unknown or invalid, or if the mock cannot listen.
 *
 * @example
 * const mock = await startMock({ generation: "v2" });
 * const { status } = await fetch(`${mock.url}/v2/teams/7`, { method: "DELETE" });
 * await mock.close();
 */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  return startServer(await engineOptions("startMock", options, [...ownOptions, ...serverOptions]));
}

/**
 * Creates a mock that responds inside the process, without a port. Rejects if an option is unknown or invalid.
 *
 * @example
 * const mock = await createMock();
 * const response = await mock.fetch("http://localhost/v1/attendees?apiKey=example");
 */
export async function createMock(
  options: Omit<MockOptions, "allowedHosts" | "allowedOrigins" | "host" | "port" | "stateFile"> = {},
): Promise<InProcessMock> {
  return createEngine(await engineOptions("createMock", options, ownOptions)).mock;
}

async function engineOptions(name: string, options: MockOptions, known: readonly string[]): Promise<EngineOptions> {
  requireKnown(name, options, known);
  return { ...options, generations: await readPackagedGenerations() };
}

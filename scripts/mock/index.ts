import { closest } from "fastest-levenshtein";
import { createEngine, type EngineOptions } from "./engine.ts";
import type { InProcessMock, Mock, MockOptions } from "./mockTypes.ts";
import { readPackagedGenerations } from "./packagedGenerations.ts";
import { startServer } from "./http/server.ts";

export type {
  Delay,
  FaultRule,
  InProcessMock,
  Mock,
  MockOptions,
  MockState,
  OverrideResponse,
  OverrideRule,
  ReceivedRequest,
  RequestEntry,
  Rules,
  SeedState,
  Upstream,
} from "./mockTypes.ts";

type OptionName = keyof MockOptions;
const ownOptions: readonly OptionName[] = [
  ...(["dynamic", "fail", "generation", "latency", "onResponse", "seed", "seedState"] as const),
  ...(["stateless", "stateLimit", "unknown", "upstream"] as const),
];
const serverOptions: readonly OptionName[] = ["allowedHosts", "allowedOrigins", "host", "port", "stateFile"];

/**
 * Starts a mock server of this package's API.
 *
 * Rejects if the generation is unknown, if `upstream`, the seed or the state file cannot be used or options exclude each
 * other, with `TypeError` if another option is unknown or invalid, and with a system error if the mock cannot listen on the
 * port.
 *
 * @example
 * const mock = await startMock({ generation: "v2" });
 * const { status } = await fetch(`${mock.url}/v2/teams/7`, { method: "DELETE" });
 * await mock.close();
 */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  checkNames("startMock", options, [...ownOptions, ...serverOptions]);
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
  options: Omit<MockOptions, "allowedHosts" | "allowedOrigins" | "host" | "port" | "stateFile"> = {},
): Promise<InProcessMock> {
  checkNames("createMock", options, ownOptions);
  return createEngine(await engineOptions(options)).mock;
}

async function engineOptions(options: MockOptions): Promise<EngineOptions> {
  return { ...options, generations: await readPackagedGenerations() };
}

function checkNames(name: string, options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((option) => !known.includes(option));
  if (unknown === undefined) return;
  throw new TypeError(`${name} has no option ${unknown}. The most similar one is ${closest(unknown, known)}.`);
}

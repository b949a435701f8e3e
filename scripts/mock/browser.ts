import { byVersion, readGeneration, type Generation } from "../contract/generation.ts";
import { isDocument } from "../spec/openapi.ts";
import { commonOptions, requireKnown } from "./engine/knownOptions.ts";
import { createMockEngine } from "./engine/mockEngine.ts";
import { packagedDocuments } from "./engine/packagedDocuments.ts";
import type { InProcessMock, MockOptions } from "./mockTypes.ts";

export type * from "./mockTypes.ts";

/**
 * Creates a mock of this package's API that responds inside a page, without a server. Rejects if an option is unknown or
 * invalid. It supports everything an in-process mock supports in Node.js, except `upstream` and the page under `/-/mock/`.
 *
 * @example
 * const mock = await createMock({ generation: "v2" });
 * const response = await mock.fetch("/v2/organizations/42/teams/7", { method: "DELETE" });
 */
// eslint-disable-next-line typescript/require-await -- In Node.js, it reads files.
export async function createMock(
  options: Omit<MockOptions, "allowedHosts" | "allowedOrigins" | "host" | "port" | "stateFile" | "upstream"> = {},
): Promise<InProcessMock> {
  requireKnown("createMock", options, commonOptions);
  return createMockEngine({ ...options, generations: readGenerations() }, { warn: console.warn }).mock;
}

function readGenerations(): readonly Generation[] {
  const generations = Object.entries(packagedDocuments).flatMap(([name, document]) =>
    isDocument(document) ? [readGeneration(name, document)] : [],
  );
  return generations.sort(byVersion);
}

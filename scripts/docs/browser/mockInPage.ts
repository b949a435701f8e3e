/* The mock, which answers inside the page. The contract is in scripts of its own, which may be loaded before or after it. */
import { byVersion, readGeneration } from "../../contract/generation.ts";
import { createMockEngine, type MockEngineOptions } from "../../mock/engine/mockEngine.ts";
import type { OpenApiDocument } from "../../spec/openapi.ts";

declare global {
  interface Window {
    /** The documents that have been loaded, by the names of their generations. */
    docsMockDocuments?: Readonly<Record<string, OpenApiDocument>>;
    /** Makes a mock of them. Throws as {@link createMockEngine} does. */
    createDocsMock: typeof createDocsMock;
  }
}

window.createDocsMock = createDocsMock;

function createDocsMock(options: Omit<MockEngineOptions, "generations">) {
  const documents = Object.entries(window.docsMockDocuments ?? {});
  const generations = documents.map(([name, document]) => readGeneration(name, document)).sort(byVersion);
  return createMockEngine({ ...options, generations }, { warn: console.warn });
}

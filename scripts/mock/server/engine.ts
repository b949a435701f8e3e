import { createMockEngine, type MockEngine, type MockEngineOptions } from "../engine/mockEngine.ts";
import type { FindDocs } from "../engine/controlApi.ts";
import type { MockOptions } from "../mockTypes.ts";
import { createUpstream, type UpstreamHooks } from "../engine/upstream.ts";
import { answerPageFile } from "./pageFiles.ts";

export interface EngineOptions extends MockEngineOptions, Pick<MockOptions, "upstream">, UpstreamHooks {
  /** Where the docs on the same server have an operation, for links from the mock's page. */
  readonly findDocs?: FindDocs;
}

export type Engine = MockEngine;

/** The engine for Node.js, which can forward requests and has a page. Throws as {@link createMockEngine} does. */
export function createEngine(options: EngineOptions): Engine {
  const { upstream, generations, findDocs } = options;
  return createMockEngine(options, {
    upstream: createUpstream(upstream, generations, options),
    answerPageFile,
    findDocs,
    warn: (text) => {
      process.emitWarning(text);
    },
  });
}

import type { Exchange } from "../../exchange/exchange.ts";
import { createMockEngine, type MockEngine, type MockEngineOptions } from "../engine/mockEngine.ts";
import type { MockOptions } from "../mockTypes.ts";
import { createUpstream } from "../respond/upstream.ts";
import { answerPageFile } from "./page/pageFiles.ts";

export interface EngineOptions extends MockEngineOptions, Pick<MockOptions, "upstream"> {
  /** Called at the start of each exchange with the upstream. The promise never rejects. */
  readonly onExchange?: (coming: Promise<Exchange>) => void;
}

export type Engine = MockEngine;

/** The engine for Node.js, which can forward requests and has a page. Throws as {@link createMockEngine} does. */
export function createEngine(options: EngineOptions): Engine {
  const { upstream, generations, onExchange } = options;
  return createMockEngine(options, {
    upstream: createUpstream(upstream, generations, onExchange),
    answerPageFile,
    warn: (text) => {
      process.emitWarning(text);
    },
  });
}

import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { patience } from "./test/fixtures/program.ts";
// An editor may run the tests with another Node.js than npm does.
import "./scripts/command/checkNode.js";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/docs/sharedDocs.ts",
    // Vitest leaves a core to itself. Most tests wait for browsers and programs: on two cores, four files at a time took 171 s,
    // three 178 s and two 201 s.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    // Test files share what they import: loading it anew for each took a quarter of the time.
    isolate: false,
    // They make much that is garbage soon. A larger nursery is swept less often, which saves a twelfth of the time.
    execArgv: ["--max-semi-space-size=64"],
    // Test files share a process, too, so what one replaces is restored before the next test, even where a test fails.
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    testTimeout: 60_000,
    // Hooks build docs and start browsers, while other files use the cores.
    hookTimeout: 180_000,
    expect: { poll: { timeout: patience } },
    // As in Node, where the scripts run: the default export of a CommonJS module is its `module.exports`.
    deps: { interopDefault: false },
  },
});

import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import project from "./package.json" with { type: "json" };

// An editor may run the tests with another Node.js than npm does.
const oldest = project.devEngines.runtime.version.replace(">=", "");
if (process.versions.node.localeCompare(oldest, "en", { numeric: true }) < 0) {
  process.stderr.write(
    `The tests need Node.js ${oldest} or newer, and this is ${process.version}: run npm test, or let your editor use node_modules/.bin/node.\n`,
  );
  process.exit(1);
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/docs/sharedDocs.ts",
    // Vitest leaves a core to itself, which on a machine with two means one test file after the other.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Test files share what they import: loading it anew for each took a quarter of the time.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // As in Node, where the scripts run: the default export of a CommonJS module is its `module.exports`.
    deps: { interopDefault: false },
  },
});

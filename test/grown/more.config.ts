import { defineConfig } from "vitest/config";

/** `npm run test:more`: what takes too long for `npm test`. */
export default defineConfig({
  test: {
    include: ["test/**/*.more.ts"],
    globalSetup: "test/docs/sharedDocs.ts",
    // One after the other: the copy runs all tests.
    fileParallelism: false,
    testTimeout: 1_800_000,
    hookTimeout: 120_000,
    // As in Node.js, where the scripts run.
    deps: { interopDefault: false },
  },
});

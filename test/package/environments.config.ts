import { defineConfig } from "vitest/config";

/** `npm run test:environments`: what takes too long, and too much of the network, for `npm test`. */
export default defineConfig({
  test: {
    include: ["test/package/environments.ts"],
    testTimeout: 120_000,
    hookTimeout: 600_000,
    // As in Node: the mock's modules use the default exports of CommonJS modules.
    deps: { interopDefault: false },
  },
});

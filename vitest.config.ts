import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // As in Node, where the scripts run: the default export of a CommonJS module is its `module.exports`.
    deps: { interopDefault: false },
    typecheck: { enabled: true, include: ["test/client/*.test-d.ts"], tsconfig: "test/client/tsconfig.json" },
  },
});

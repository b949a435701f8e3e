import { defineConfig } from "vitest/config";

/** `npm run test:more`: what takes too long for `npm test`. */
export default defineConfig({
  test: {
    include: ["test/grown/grown.ts"],
    testTimeout: 1_800_000,
    hookTimeout: 120_000,
  },
});

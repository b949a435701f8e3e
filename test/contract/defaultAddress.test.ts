import { glob, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { defaultMockUrl } from "../../scripts/contract/defaultAddress.ts";
import { serverUrl } from "../../scripts/contract/generation.ts";

test("the contract's servers are the mock at its default address", async () => {
  const generations = await readBuiltGenerations();
  expect(generations.map(({ document }) => serverUrl(document))).toEqual(generations.map(() => defaultMockUrl));
});

test("whatever people read names the default address, and no other on the loopback interface", async () => {
  const files = await Array.fromAsync(
    glob(["README.md", ".github/*.md", "scripts/**/*.md", "openapi/**/*.{md,yaml}"], {
      exclude: ["**/node_modules/**"],
    }),
  );
  const named = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(file, "utf8");
      return [...text.matchAll(/\bhttp:\/\/(?:127\.0\.0\.1|localhost):\d+/g)].map(([url]) => ({ file, url }));
    }),
  );
  expect(named.flat().length).toBeGreaterThan(20);
  expect(named.flat().filter(({ url }) => url !== defaultMockUrl)).toEqual([]);
});

import { glob, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { defaultMockUrl } from "../../scripts/contract/defaultAddress.ts";
import { serverUrl } from "../../scripts/contract/generation.ts";

test("the contract's servers are the mock at its default address", async () => {
  const generations = await readBuiltGenerations();
  expect(generations.map(({ document }) => serverUrl(document))).toEqual(generations.map(() => defaultMockUrl));
});

test("all texts use the default address, and no other on the loopback interface", async () => {
  const patterns = ["README.md", ".github/*.md", "scripts/**/*.md", "openapi/**/*.{md,yaml}"];
  const named: { readonly file: string; readonly url: string }[] = [];
  for await (const file of glob(patterns, { exclude: ["**/node_modules/**"] })) {
    const text = await readFile(file, "utf8");
    named.push(...[...text.matchAll(/\bhttp:\/\/(?:127\.0\.0\.1|localhost):\d+/g)].map(([url]) => ({ file, url })));
  }
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ url }) => url !== defaultMockUrl)).toEqual([]);
});

import { describe, expect } from "vitest";
import { watch } from "./browser.ts";
import { it } from "./it.ts";
import { expectNoViolations, expectOneExample, expectReadable, operations, otherPages } from "./pageChecks.ts";

/** What `pages.test.ts` checks on a page of each kind, on all pages. */
describe("every page", () => {
  it("has nothing that axe finds fault with", async ({ browser, docs }) => {
    await using watched = await watch(browser, docs.url);
    for (const path of [...otherPages(), ...operations.map((operation) => operation.path)])
      await expectNoViolations(watched.page, `${docs.url}/${path}`);
  });

  it("of an operation is readable on screens and on paper, and shows one example at a time", async ({
    browser,
    docs,
  }) => {
    await using watched = await watch(browser, docs.url);
    for (const { path, content } of operations) {
      await expectReadable(watched.page, `${docs.url}/${path}`, content);
      if (content.examples.length > 1) await expectOneExample(watched.page, `${docs.url}/${path}`, content);
    }
    expect(watched.faults).toEqual([]);
  });
});

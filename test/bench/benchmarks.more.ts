import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeProject } from "./clientCost.ts";
import { initOf } from "./programs.ts";
import { runRedoclyDiff } from "./runRedoclyDiff.ts";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { createEngine } from "../../scripts/mock/server/engine.ts";
import { describePairs } from "../diff/pairs.ts";
import { exampleRequest } from "../fixtures/exampleRequest.ts";
import { syntheticDocument } from "../fixtures/syntheticContract.ts";

/** What `npm run bench` compares. It takes minutes, so no test runs it whole. */
const synthetic = readGeneration("synthetic", syntheticDocument(4));

it("the client that is measured compiles, with all that it imports", async () => {
  expect(existsSync(join(await makeProject(synthetic), "package/generated/contract/client.js"))).toBe(true);
});

it("the requests that are measured are valid", async () => {
  const { mock } = createEngine({ generations: [synthetic] });
  for (const operation of synthetic.operations) {
    const request = exampleRequest(operation);
    const response = await mock.fetch(`http://localhost${request.target}`, initOf(request));
    expect(response.status, operation.name).toBeLessThan(300);
  }
});

it("redocly diff reads the pairs that it is measured with", async () => {
  expect((await runRedoclyDiff(...describePairs())).length).toBeGreaterThan(100);
});

import { beforeAll, describe, expect, it } from "vitest";
import { createEngine } from "../../scripts/mock/server/engine.ts";
import type { Exchange } from "../../scripts/exchange/exchange.ts";
import { createVerification } from "../../scripts/verify/findings.ts";
import { readHar } from "../../scripts/verify/har.ts";
import { writeHar } from "../verify/harText.ts";
import { contracts } from "../fixtures/contracts.ts";
import { requestTo } from "../fixtures/exampleRequest.ts";
import { checksOf, valueChecksOf } from "./checks.ts";
import { coverageOf, partKinds } from "./coverage.ts";

/** All that the contract tests send, and what the mock answers, as `npm run verify -- --har` reads it. */
let exchanges: readonly Exchange[];
beforeAll(async () => {
  const { fetch } = createEngine({ generations: contracts, stateless: true });
  const requests = contracts
    .flatMap((generation) => [...checksOf(generation), ...valueChecksOf(generation)])
    .flatMap(({ expectations }) => expectations.map(({ request }) => request));
  const sent: Exchange[] = [];
  for (const example of requests) {
    const request = requestTo("http://localhost", example);
    const { method, url, headers } = request;
    const body = request.body === null ? undefined : await request.bytes();
    const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
    sent.push({
      ...{ method, url },
      request: { headers: [...headers], body },
      response: { status: response.status, headers: [...response.headers], body: await response.bytes() },
    });
  }
  exchanges = readHar(writeHar(sent), "traffic.har");
});

it("nothing in the tests' own traffic contradicts the contract", () => {
  const sources = contracts.map((generation) => ({ generation, server: undefined }));
  const operations = new Set(contracts.flatMap((generation) => generation.operations));
  const verification = createVerification(sources, operations, false);
  for (const exchange of exchanges) verification.add(exchange);
  const findings = verification.findings();
  expect(findings.filter(({ kind }) => kind === "contradiction")).toEqual([]);
  expect(verification.lackOfProof()).toBeUndefined();
});

describe.each(contracts)("the tests' own traffic", (generation) => {
  it(`covers all of ${generation.name}`, () => {
    const parts = coverageOf(generation, exchanges);
    const counts = partKinds.map((kind) => {
      const all = parts.filter((part) => part.kind === kind);
      return `${all.filter(({ isCovered }) => isCovered).length} of ${all.length} × ${kind}`;
    });
    console.info(`Covered of ${generation.name}: ${counts.join(", ")}`);
    expect(parts.filter(({ isCovered }) => !isCovered).map(({ kind, name }) => `${kind} ${name}`)).toEqual([]);
  });
});

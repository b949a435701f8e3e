import { beforeAll, describe, expect, it } from "vitest";
import { createEngine } from "../../scripts/mock/server/engine.ts";
import { createExchangeCheck } from "../../scripts/exchange/checkExchange.ts";
import type { Exchange } from "../../scripts/exchange/exchange.ts";
import { contracts } from "../fixtures/contracts.ts";
import { requestTo } from "../fixtures/exampleRequest.ts";
import { checksOf, valueChecksOf } from "./checks.ts";
import { coverageOf, partKinds } from "./coverage.ts";

/** All that the contract tests send, and what the mock answers. */
const exchanges: Exchange[] = [];
beforeAll(async () => {
  const { fetch } = createEngine({ generations: contracts, stateless: true });
  const requests = contracts
    .flatMap((generation) => [...checksOf(generation), ...valueChecksOf(generation)])
    .flatMap(({ expectations }) => expectations.map(({ request }) => request));
  for (const example of requests) {
    const request = requestTo("http://localhost", example);
    const { method, url, headers } = request;
    const body = request.body === null ? undefined : await request.bytes();
    const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
    exchanges.push({
      ...{ method, url },
      request: { headers: [...headers], body },
      response: { status: response.status, headers: [...response.headers], body: await response.bytes() },
    });
  }
});

it("nothing in the tests' own traffic contradicts the contract", () => {
  const checks = contracts.map((generation) => createExchangeCheck({ generation, server: undefined }, false));
  const checked = exchanges.flatMap((exchange) => checks.flatMap((check) => check(exchange) ?? []));
  expect(checked.length).toBeGreaterThanOrEqual(exchanges.length / 2);
  expect(checked.flatMap(({ observations }) => observations.filter(({ kind }) => kind === "contradiction"))).toEqual(
    [],
  );
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

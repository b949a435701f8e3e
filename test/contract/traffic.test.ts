import { beforeAll, describe, expect, it } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { createEngine } from "../../scripts/mock/server/engine.ts";
import type { Exchange } from "../../scripts/exchange/exchange.ts";
import { createVerification } from "../../scripts/verify/findings.ts";
import { readHar, writeHar } from "../../scripts/verify/har.ts";
import { secretsOf } from "../../scripts/exchange/secrets.ts";
import { checksOf, valueChecksOf } from "./checks.ts";
import { coverageOf, partKinds } from "./coverage.ts";

const generations = await readBuiltGenerations();

/** All that the contract tests send, and what the mock answers, as `npm run verify` writes and reads it. */
let exchanges: readonly Exchange[];
beforeAll(async () => {
  const { fetch } = createEngine({ generations, stateless: true });
  const requests = generations
    .flatMap((generation) => [...checksOf(generation), ...valueChecksOf(generation)])
    .flatMap(({ expectations }) => expectations.map(({ request }) => request));
  const sent: Exchange[] = [];
  for (const { method, target, headers, body } of requests) {
    const url = `http://localhost${target}`;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const response = await fetch(url, { method, headers, ...(text !== undefined && { body: text }) });
    sent.push({
      ...{ method, url },
      request: { headers: Object.entries(headers), body: text === undefined ? undefined : Buffer.from(text) },
      response: { status: response.status, headers: [...response.headers], body: await response.bytes() },
    });
  }
  exchanges = readHar(writeHar(sent, secretsOf(generations)), "traffic.har");
});

it("nothing in the tests' own traffic contradicts the contract", () => {
  const sources = generations.map((generation) => ({ generation, server: undefined }));
  const operations = new Set(generations.flatMap((generation) => generation.operations));
  const verification = createVerification(sources, operations, false);
  for (const exchange of exchanges) verification.add(exchange);
  const findings = verification.findings();
  expect(findings.filter(({ kind }) => kind === "contradiction")).toEqual([]);
  expect(verification.hasProof()).toBe(true);
});

describe.each(generations)("the tests' own traffic", (generation) => {
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

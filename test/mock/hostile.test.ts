import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isObject, listOperations, type Document } from "../../scripts/contract/document.ts";
import { readBundles } from "../../scripts/mock/bundles.ts";
import { startMock, type Mock } from "../../scripts/mock/server.ts";
import { parcels } from "./fixtures/parcels.ts";
import { hostileRequests, toBytes, type HostileRequest } from "./hostileRequests.ts";
import { sendRaw, type RawResponse } from "./raw.ts";

/** Repeat a failure with `HOSTILE_SEED=<seed> npx vitest run test/mock/hostile.test.ts`. */
const seed = Number(process.env["HOSTILE_SEED"] ?? 20_261_121);
const socketRuns = 1_500;
const fetchRuns = 600;

/** In milliseconds; no answer may take longer. */
const limit = 1_000;

const generations: Readonly<Record<string, Document>> = { parcels, ...(await readBundles("generated")) };
const operations = Object.values(generations).flatMap((document) => listOperations(document));
const requests = hostileRequests(operations, credentialHeaders());
let mock: Mock;

beforeAll(async () => {
  mock = await startMock({ generations, bodyTimeout: 150 });
  // The first request to an operation converts it, and the first dynamic one loads Faker.
  await fetch(`${mock.url}/failures`, { headers: { prefer: "dynamic=true" } });
  for (const { method, path } of operations) {
    const target = path.replaceAll(/\{[^}]*\}/g, "1");
    const { bytes } = toBytes({ method: method.toUpperCase(), target, headers: [], body: "{}", framing: "length" });
    await sendRaw(mock.url, bytes);
  }
});

afterAll(async () => {
  await mock.close();
});

describe("whatever a client sends", () => {
  test(`${socketRuns} requests over a socket are answered (seed ${seed})`, { timeout: 60_000 }, async () => {
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const { bytes, end } = toBytes(request);
        const response = await sendRaw(mock.url, bytes, { limit, end });
        expectAnswer(response, request.method === "HEAD");
        statuses.add(response.status);
      }),
      { numRuns: socketRuns, seed },
    );
    // The requests went to every stage, and some of them through all.
    for (const status of [200, 400, 401, 404, 405, 408, 415, 422]) expect(statuses).toContain(status);
    await expectServing();
  });

  test(`${fetchRuns} requests by fetch are answered (seed ${seed})`, { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(requests.filter(isForFetch), async ({ method, target, headers, body }) => {
        const response = await fetch(new URL(`${mock.url}${target}`), {
          method,
          headers: headers.map((line) => splitHeader(line)),
          ...(method !== "GET" && method !== "HEAD" && { body }),
          signal: AbortSignal.timeout(limit),
        });
        const { status } = response;
        expectAnswer({ status, headers: new Map(response.headers), body: await response.text() }, method === "HEAD");
      }),
      { numRuns: fetchRuns, seed },
    );
    await expectServing();
  });
});

/** Whether fetch sends it at all. */
function isForFetch({ method, target, headers }: HostileRequest): boolean {
  try {
    new Headers(headers.map((line) => splitHeader(line)));
    new Request(new URL(`http://x${target}`), { method });
    if (!target.startsWith("/") || method === "get") return false;
  } catch {
    return false;
  }
  return !headers.some((line) => /^(?:connection|content-length|expect|transfer-encoding|upgrade)/i.test(line));
}

function splitHeader(line: string): [string, string] {
  const [name = "", ...value] = line.split(":");
  return [name, value.join(":").trim()];
}

function expectAnswer({ status, headers, body }: RawResponse, isHead: boolean): void {
  expect(status).toBeGreaterThanOrEqual(200);
  expect(status).toBeLessThan(500);
  if (headers.get("content-type") !== "application/problem+json") {
    // Anything else is a response of the contract.
    expect(status < 300 || status === 404).toBe(true);
    return;
  }
  if (isHead) return;
  const problem: unknown = JSON.parse(body);
  expect(problem).toMatchObject({ type: "about:blank", status });
  expect(isObject(problem) && problem["detail"]).toMatch(/\w/);
  expect(isObject(problem) && problem["violations"]).not.toHaveLength(0);
  expect(body).not.toMatch(/\\n\s+at .*:\d+:\d+/);
}

async function expectServing(): Promise<void> {
  const response = await fetch(`${mock.url}/parcels/mine`, { headers: { "api-version": "2024-08-13" } });
  expect(await response.json()).toEqual({ mine: true });
}

/** Every credential that is a header, so that most requests come past the security check. */
function credentialHeaders(): string[] {
  const schemes = Object.values(generations).flatMap((document) =>
    Object.values(document.components?.securitySchemes ?? {}),
  );
  const keys = schemes.flatMap((scheme) => ("in" in scheme && scheme.in === "header" ? [`${scheme.name}: k`] : []));
  return [...new Set(["Authorization: Bearer t", ...keys])];
}

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { isObject } from "../../scripts/values/json.ts";
import { writeCredentials } from "../../scripts/contract/security.ts";
import type { Mock } from "../../scripts/mock/mockTypes.ts";
import { startServer } from "../../scripts/mock/server/server.ts";
import { parcels } from "./fixtures/parcels.ts";
import { hostileRequests, toBytes, type HostileRequest } from "./hostileRequests.ts";
import { sendRaw, type RawResponse } from "./raw.ts";

/**
 * Repeat a failure with `HOSTILE_SEED=<seed> npx vitest run test/mock/hostile.test.ts`, or send more with `HOSTILE_RUNS`:
 * 5,000 find what one attack in a thousand does.
 */
const seed = Number(process.env["HOSTILE_SEED"] ?? 20_261_121);
const socketRuns = Number(process.env["HOSTILE_RUNS"] ?? 500);
const fetchRuns = Math.ceil(socketRuns / 3);

/** In milliseconds; no answer may take longer. */
const limit = 1_000;

const generations = [parcels, ...(await readBuiltGenerations())];
const operations = generations.flatMap((generation) => generation.operations);
const requests = hostileRequests(operations, credentialHeaders());
let mock: Mock;
const exceptions: string[] = [];

beforeAll(async () => {
  mock = await startServer({
    generations,
    bodyTimeout: 150,
    onResponse: ({ exception }) => {
      if (exception !== undefined) exceptions.push(exception);
    },
  });
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
  // Neither an exception nor a response that the contract cannot give: both are 500.
  expect(status, status < 500 ? "" : [body, ...exceptions].join("\n")).not.toBe(500);
  expect(status).toBeLessThan(500);
  expect(status).toBeGreaterThanOrEqual(200);
  const isProblem = headers.get("content-type") === "application/problem+json";
  if (isProblem && isHead) return;
  const problem: unknown = isProblem ? JSON.parse(body) : undefined;
  if (!isObject(problem) || problem["type"] !== "about:blank") {
    // Anything else is a response of the contract, which may have problems of its own.
    expect(status < 300 || status === 404).toBe(true);
    return;
  }
  expect(problem).toMatchObject({ status });
  expect(problem["detail"]).toMatch(/\w/);
  expect(problem["violations"]).not.toHaveLength(0);
  expect(body).not.toMatch(/\\n\s+at .*:\d+:\d+/);
}

async function expectServing(): Promise<void> {
  expect(exceptions).toEqual([]);
  const response = await fetch(`${mock.url}/parcels/mine`, { headers: { "api-version": "2024-08-13" } });
  expect(await response.json()).toEqual({ mine: true });
}

/** Every credential that is a header, so that most requests come past the security check. */
function credentialHeaders(): string[] {
  const schemes = generations.flatMap(({ securitySchemes }) => [...securitySchemes.values()]);
  return writeCredentials(schemes).headers.map(([name, value]) => `${name}: ${value}`);
}

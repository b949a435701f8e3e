import { expect, test } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import type { OpenApiDocument } from "../../scripts/spec/openapi.ts";
import type { RequestEntry } from "../../scripts/mock/mockTypes.ts";
import { startServer } from "../../scripts/mock/server/server.ts";
import { logged } from "./requestLog.ts";

const operation = { responses: { "200": { description: "", content: { "application/json": { example: 1 } } } } };

/** Starts a mock that throws for one operation and can give no response for another, and keeps what it logs. */
async function startFaulty(entries: RequestEntry[]) {
  const paths = {
    "/throws": { get: operation },
    "/empty": { get: { responses: {} } },
    "/works": { get: operation },
  };
  const document: OpenApiDocument = { openapi: "3.1.1", paths };
  const generation = readGeneration("faulty", document);
  const mock = await startServer({ generations: [generation], onResponse: (entry) => entries.push(entry) });
  const content = generation.operations[0]?.responses[0]?.content[0] ?? {};
  Object.defineProperty(content, "examples", {
    get: () => {
      throw new Error("a fault of ours");
    },
  });
  return mock;
}

test("an exception inside the mock is a 500 that blames no request, with a stack trace in the log alone", async () => {
  const entries: RequestEntry[] = [];
  await using mock = await startFaulty(entries);
  const response = await fetch(`${mock.url}/throws`);
  const text = await response.text();
  expect([response.status, response.headers.get("content-type")]).toEqual([500, "application/problem+json"]);
  expect(JSON.parse(text)).not.toHaveProperty("violations");
  expect(text).not.toContain("a fault of ours");
  const { details = [], ...line } = logged(entries[0]) ?? {};
  expect(line).toMatchObject({ status: "500", method: "GET", target: "/throws" });
  expect(details.slice(details.indexOf("Error: a fault of ours"))[1]).toMatch(/^ *at /);
  expect((await fetch(`${mock.url}/works`)).status).toBe(200);
});

test("a response that the contract cannot give is a 500 that says so", async () => {
  const entries: RequestEntry[] = [];
  await using mock = await startFaulty(entries);
  const response = await fetch(`${mock.url}/empty`);
  expect(response.status).toBe(500);
  expect(await response.text()).toContain("cannot generate this response from the contract");
  expect(entries.map(({ status, exception }) => ({ status, exception }))).toEqual([{ status: 500 }]);
  expect(entries[0]?.reason).toContain("declares no response");
});

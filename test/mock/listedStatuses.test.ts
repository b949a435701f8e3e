import { describe, expect, test } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { parseJson, valueAt } from "../../scripts/values/json.ts";
import type { OpenApiDocument } from "../../scripts/spec/openapi.ts";
import { createEngine } from "../../scripts/mock/server/engine.ts";
import { serveHttp } from "../fixtures/serveHttp.ts";

const any = { description: "", content: { "application/json": { schema: {} } } };

/** Beside a success, `default` is for failures; where no success is declared, it may stand for one. */
const document: OpenApiDocument = {
  openapi: "3.1.1",
  paths: {
    "/listed": { get: { operationId: "listed", responses: { "201": any, default: any } } },
    "/range": { get: { operationId: "range", responses: { "2XX": any, "302": any, default: any } } },
    "/failures": { get: { operationId: "failures", responses: { "404": any, default: any } } },
  },
};
const generation = readGeneration("statuses", document);

const rows = [
  ["listed", 201, true],
  ["listed", 200, false],
  ["listed", 302, false],
  ["listed", 418, true],
  ["range", 299, true],
  ["range", 302, true],
  ["range", 303, false],
  ["range", 500, true],
  ["failures", 200, true],
  ["failures", 302, true],
  ["failures", 404, true],
] as const;

describe.each(rows)("of %s, the status %i is one that the contract lists: %s", (name, status, isListed) => {
  const url = `http://mock.example/${name}`;

  test("where a request prefers it", async () => {
    const mock = createEngine({ generations: [generation] });
    const response = await mock.fetch(url, { headers: { prefer: `code=${status}` } });
    expect(response.status).toBe(isListed ? status : 422);
    if (!isListed) expect(await response.text()).toContain('and \\"default\\" for any other status from 400 to 599');
  });

  test("where an override chooses it", async () => {
    const mock = createEngine({ generations: [generation] });
    const rule = { operation: name, respond: { status, body: {} } };
    const body = JSON.stringify([rule]);
    const answer = await mock.fetch("http://mock.example/-/mock/overrides", { method: "PUT", body });
    expect(answer.status).toBe(isListed ? 200 : 422);
    expect((await mock.fetch(url)).status).toBe(isListed ? status : name === "listed" ? 201 : 200);
    // A function is checked when it responds.
    mock.overrides.set([{ operation: name, respond: () => ({ status, body: {} }) }]);
    expect((await mock.fetch(url)).status).toBe(isListed ? status : 500);
  });

  test("where a server answers with it", async () => {
    await using server = await serveHttp((_, response) => {
      response.writeHead(status, { "content-type": "application/json" }).end("{}");
    });
    const mock = createEngine({ generations: [generation], upstream: server.url });
    const response = await mock.fetch(url, { redirect: "manual" });
    const reported = parseJson(response.headers.get("x-mock-violations") ?? "[]");
    const words: unknown = expect.stringContaining(`received ${status}`);
    expect([valueAt(reported, ["0"])]).toEqual([isListed ? undefined : words]);
  });
});

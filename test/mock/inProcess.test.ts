import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { createClient, unwrap } from "../../generated/v2/client.ts";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { createEngine } from "../../scripts/mock/server/engine.ts";
import { startServer } from "../../scripts/mock/server/server.ts";

const mock = createEngine({ generations: await readBuiltGenerations(), bodyLimit: 1_000 });
const origin = "http://nowhere.example";
const team = `${origin}/v2/organizations/42/teams/7`;
const headers = { authorization: "Bearer svc_key" };

test("a client gets its responses without a port", async () => {
  const client = createClient({ baseUrl: origin, auth: { apiKey: "svc_key" }, fetch: mock.fetch });
  const body = { start: "2026-03-17T13:00:00Z" };
  const params = { path: { bookingUid: "abc" } };
  const { data } = await unwrap(client.POST("/v2/bookings/{bookingUid}/reschedule", { params, body }));
  expect(data.rescheduledFromUid).toEqual(expect.any(String));
});

test("a request is refused in the same words as over a connection", async () => {
  const response = await mock.fetch(`${origin}/v2/teams/7`, { method: "DELETE" });
  expect([response.status, response.headers.get("content-type")]).toEqual([401, "application/problem+json"]);
  expect(await response.text()).toContain("requires credentials");
});

describe("a response", () => {
  const json = { "application/json": { schema: {}, example: "ok" } };
  const xHeaders = {
    "X-Latin": { example: "Zürich" },
    // Outside Latin-1, it can be in no header.
    "X-Other": { example: "Łódź" },
  };
  const generation = readGeneration("a", {
    openapi: "3.1.1",
    paths: {
      "/a": {
        get: {
          responses: {
            "200": { description: "", headers: xHeaders, content: json },
            "204": { description: "" },
            "205": { description: "" },
            "302": { description: "", headers: { Location: { example: "/elsewhere" } } },
            "304": { description: "", headers: { ETag: { example: '"7"' } }, content: json },
            "418": { description: "", content: json },
          },
        },
        post: { requestBody: { content: { "text/plain": {} } }, responses: { "201": { description: "" } } },
      },
    },
  });
  const server = startServer({ generations: [generation] });
  afterAll(async () => {
    await (await server).close();
  });

  test.each([
    ["a", {}],
    ["a", { method: "HEAD" }],
    ["a", { headers: { prefer: "code=204" } }],
    ["a", { headers: { prefer: "code=205" } }],
    ["a", { headers: { prefer: "code=302" }, redirect: "manual" }],
    ["a", { headers: { prefer: "code=304" } }],
    ["a", { headers: { prefer: "code=418", origin: "http://a.example" } }],
    ["a?é=%25#part", { method: "POST", body: "ü" }],
    ["a", { method: "POST", body: new URLSearchParams({ a: "b" }) }],
    ["b//ü", {}],
    ["%zz", {}],
  ] satisfies [string, RequestInit][])("is the same as over a connection: %s %j", async (target, init) => {
    const { url, fetch: fetchInProcess } = await server;
    const expected = await fetch(`${url}/${target}`, init);
    const response = await fetchInProcess(`${url}/${target}`, init);
    const describeResponse = async (given: Response) => ({
      ...{ status: given.status, statusText: given.statusText, url: given.url, redirected: given.redirected },
      headers: [...given.headers].filter(([name]) => !["connection", "date", "keep-alive"].includes(name)),
      isEmpty: given.body === null,
      body: await given.text(),
    });
    expect(await describeResponse(response)).toEqual(await describeResponse(expected));
  });

  test("that redirects is not followed, and is an error where the request says so", async () => {
    const { fetch: fetchInProcess } = await server;
    const init = { headers: { prefer: "code=302" } };
    const { status, headers: answered } = await fetchInProcess(`${origin}/a`, init);
    expect([status, answered.get("location")]).toEqual([302, "/elsewhere"]);
    await expect(fetchInProcess(`${origin}/a`, { ...init, redirect: "error" })).rejects.toThrow("fetch failed");
  });
});

describe("a request", () => {
  const url = `${origin}/v2/oauth-clients`;
  const post = { method: "POST", headers: { ...headers, "content-type": "application/json" }, duplex: "half" } as const;

  test("may be a Request, with another init over it, and be read once", async () => {
    const request = new Request(team, { headers, method: "DELETE" });
    expect((await mock.fetch(request, { method: "GET" })).status).toBe(200);
    const used = new Request(url, { ...post, body: '{"name": 1}' });
    const response = await mock.fetch(used);
    expect([response.status, used.bodyUsed]).toEqual([422, true]);
    await expect(mock.fetch(used)).rejects.toThrow(TypeError);
    await expect(mock.fetch("/relative")).rejects.toThrow(TypeError);
  });

  test("may have a stream for a body", async () => {
    const response = await mock.fetch(url, { ...post, body: new Blob(['{"na', 'me": 7', "}"]).stream() });
    expect(await response.text()).toContain("/name in the body must be a string; received 7.");
  });

  test("has its stream read to the limit, and cancelled", async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(new Uint8Array(100));
      },
      cancel: () => {
        cancelled = true;
      },
    });
    expect((await mock.fetch(url, { ...post, body })).status).toBe(413);
    expect(cancelled).toBe(true);
  });

  test("rejects with the reason why its stream failed", async () => {
    const cause = new Error("no more");
    const body = new ReadableStream<Uint8Array>({
      pull: () => {
        throw cause;
      },
    });
    await expect(mock.fetch(url, { ...post, body })).rejects.toMatchObject({ message: "fetch failed", cause });
  });

  test("rejects with the signal's reason: before it begins, and while its body is awaited", async () => {
    const reason = new Error("enough");
    const seen: string[] = [];
    const logging = createEngine({ generations: [], onResponse: ({ target }) => seen.push(target) });
    await expect(logging.fetch(team, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(seen).toEqual([]);
    const controller = new AbortController();
    const response = mock.fetch(url, { ...post, body: new ReadableStream(), signal: controller.signal });
    controller.abort(reason);
    await expect(response).rejects.toBe(reason);
  });

  test("keeps the process while it waits for a response that never comes", async () => {
    const code = `
      import { createEngine } from "./scripts/mock/server/engine.ts";
      import { parcels } from "./test/mock/fixtures/parcels.ts";
      const mock = createEngine({ generations: [parcels] });
      mock.faults.set([{ delivery: "none" }]);
      // The timer of such a signal does not keep the process.
      const signal = AbortSignal.timeout(100);
      console.log(await mock.fetch("http://a.example/parcels/1", { signal }).catch((error) => error.name));`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", code]);
    expect(stdout).toBe("TimeoutError\n");
  });
});

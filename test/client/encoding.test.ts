import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createClient as createClient1 } from "../../generated/v1/client.ts";
import { createClient, type Client } from "../../generated/v2/client.ts";
import { createContractClient } from "../../scripts/client/index.ts";
import { startRecorder, type Recorder } from "./recorder.ts";

const path = "/v2/oauth-clients/{clientId}";
let server: Recorder;
let client: Client;
beforeAll(async () => {
  server = await startRecorder();
  client = createClient({ baseUrl: server.url, auth: { apiKey: "svc_test" } });
});
beforeEach(() => {
  server.arrivals.length = 0;
});
afterAll(() => server[Symbol.asyncDispose]());

describe("a path parameter", () => {
  it.each([
    "a/b",
    "../..",
    "..a",
    "...",
    "%",
    "%2e%2e",
    "100%25",
    "a b",
    "+",
    "?a=b#c",
    "å∂é 日本 🗓",
    "$&$1",
    "{clientId}",
    ";a=1",
    "\\..\\",
  ])("%j arrives as given", async (clientId) => {
    await client.PATCH(path, { params: { path: { clientId } }, body: {} });
    const segments = server.arrivals[0]?.target.split("/") ?? [];
    expect(segments).toHaveLength(4);
    expect(decodeURIComponent(segments[3] ?? "")).toBe(clientId);
  });

  const elsewhere: readonly unknown[] = [".", "..", "", [], [""], [".."], [["."]], [[]], {}, "\ud800"];
  it.each(elsewhere)("%j cannot be its segment, and is refused", async (clientId) => {
    // @ts-expect-error -- as JavaScript may call it
    const call = client.PATCH(path, { params: { path: { clientId } }, body: {} });
    await expect(call).rejects.toThrow(TypeError);
    await expect(call).rejects.toThrow(`${path}: not sent, because {clientId} has no value that fits a path segment`);
    expect(server.arrivals).toEqual([]);
  });

  it.each([
    [["a/b", ".."], "a%2Fb,.."],
    [{ "..": "/" }, "..,%2F"],
    [{ "../a": "?" }, "..%2Fa,%3F"],
  ])("%j stays in its segment", async (clientId, segment) => {
    // @ts-expect-error -- as JavaScript may call it
    await client.PATCH(path, { params: { path: { clientId } }, body: {} });
    expect(server.arrivals).toMatchObject([{ target: `/v2/oauth-clients/${segment}` }]);
  });

  it.each([
    {},
    { params: {} },
    { params: { path: undefined } },
    { params: { path: null } },
    { params: { path: {} } },
    { params: { path: { clientId: null } } },
  ])("that is not given (%j) is refused", async (init) => {
    // @ts-expect-error -- as JavaScript may call it
    const call = client.PATCH(path, { body: {}, ...init });
    await expect(call).rejects.toThrow(`${path}: not sent, because {clientId} has no value`);
    expect(server.arrivals).toEqual([]);
  });

  it("is filled in below a path prefix of baseUrl, which stays as it is", async () => {
    const behindProxy = createClient({ baseUrl: `${server.url}/a/./proxy/`, auth: { apiKey: "svc_test" } });
    await behindProxy.PATCH(path, { params: { path: { clientId: "x" } }, body: {} });
    expect(server.arrivals[0]?.target).toBe("/a/proxy/v2/oauth-clients/x");
  });
});

describe("a query value", () => {
  it.each(["a&b=c", "a b+c", "100%25", "/?#", "å 日本 🗓"])("%j arrives as given", async (userId) => {
    const generation1 = createClient1({ baseUrl: server.url, auth: { apiKey: "test" } });
    await generation1.POST("/v1/credential-sync", { params: { query: { userId } }, body: {} });
    const { searchParams } = new URL(server.arrivals[0]?.target ?? "", server.url);
    expect([...searchParams]).toEqual([
      ["userId", userId],
      ["apiKey", "test"],
    ]);
  });
});

describe("a Date", () => {
  const at = new Date("2026-03-17T14:00:00+01:00");
  const { GET } = createContractClient<{
    get: Record<"/things/{at}", { parameters: { path: object; query?: object } }>;
  }>(
    { schemes: {}, facts: [] },
    { baseUrl: "http://service.example", fetch: async ({ url }) => Promise.resolve(Response.json(url)) },
  );

  it("in path and query is written as in JSON", async () => {
    const { data } = await GET("/things/{at}", { params: { path: { at }, query: { at, list: [at], deep: { at } } } });
    const text = "2026-03-17T13%3A00%3A00.000Z";
    const query = `at=${text}&list=${text}&deep[at]=${text}`;
    expect(data).toBe(`http://service.example/things/${text}?${query}`);
  });

  it("that is invalid is refused", async () => {
    const invalid = new Date("tomorrow");
    await expect(GET("/things/{at}", { params: { path: { at: invalid } } })).rejects.toThrow(
      "not sent, because {at} has no value that fits a path segment",
    );
    await expect(GET("/things/{at}", { params: { path: { at }, query: { at: invalid } } })).rejects.toThrow(
      "not sent, because at is Invalid Date",
    );
  });
});

describe("a header", () => {
  it("with a line break is refused", async () => {
    const headers = { "x-note": "a\r\nx-injected: 1" };
    const params = { path: { teamId: 7 } };
    await expect(client.DELETE("/v2/teams/{teamId}", { params, headers })).rejects.toThrow(TypeError);
    expect(server.arrivals).toEqual([]);
  });

  it("that can have only one value can be given", async () => {
    const header = { "svc-api-version": "2024-06-14" } as const;
    await client.DELETE("/v2/event-types/{eventTypeId}", { params: { path: { eventTypeId: 15 }, header } });
    expect(server.arrivals[0]?.headers["svc-api-version"]).toBe("2024-06-14");
  });

  it.each([undefined, { "svc-api-version": undefined }])(
    "that can have only one value is sent where the headers are %o",
    async (header) => {
      const params = { path: { eventTypeId: 15 }, query: undefined, header };
      await client.DELETE("/v2/event-types/{eventTypeId}", { params });
      expect(server.arrivals[0]?.headers["svc-api-version"]).toBe("2024-06-14");
    },
  );
});

describe("a body", () => {
  it("arrives as given, as JSON", async () => {
    const body = { name: 'å "日本" \u2028 🗓', redirectUris: ["https://a.example/?b=c&d"] };
    await client.PATCH(path, { params: { path: { clientId: "x" } }, body });
    expect(server.arrivals).toMatchObject([
      { body: JSON.stringify(body), headers: { "content-type": "application/json" } },
    ]);
  });
});

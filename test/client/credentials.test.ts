import { inspect } from "node:util";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import * as v1 from "../../generated/v1/client.ts";
import * as v2 from "../../generated/v2/client.ts";
import { startRecorder } from "./recorder.ts";

const team = { params: { path: { orgId: 42, teamId: 7 } } };
const secret = "svc_do-not-tell";

describe("a credential that is a function", () => {
  it("is called for each request, and may be asynchronous", async () => {
    await using server = await startRecorder();
    let count = 0;
    const client = v2.createClient({
      baseUrl: server.url,
      auth: { oauthClientId: () => "id", oauthClientSecret: () => Promise.resolve(`secret-${++count}`) },
    });
    await client.GET("/v2/organizations/{orgId}/teams/{teamId}", team);
    await client.GET("/v2/organizations/{orgId}/teams/{teamId}", team);
    expect(server.arrivals.map(({ headers }) => headers["x-svc-secret-key"])).toEqual(["secret-1", "secret-2"]);
    expect(server.arrivals.map(({ headers }) => headers["x-svc-client-id"])).toEqual(["id", "id"]);
  });

  it("is not called for an operation that does not name its scheme", async () => {
    await using server = await startRecorder();
    const client = v2.createClient({
      baseUrl: server.url,
      auth: {
        apiKey: secret,
        managedUserAccessToken: () => {
          throw new Error("called");
        },
      },
    });
    await client.DELETE("/v2/teams/{teamId}", { params: { path: { teamId: 7 } } });
    expect(server.arrivals).toHaveLength(1);
  });

  it.each([
    ["fails", () => Promise.reject(new Error("the vault is closed")), "the vault is closed"],
    ["gives nothing", () => "", "The function for the credential apiKey returned none."],
  ])("stops the call where it %s", async (_, apiKey, message) => {
    await using server = await startRecorder();
    const client = v2.createClient({ baseUrl: server.url, auth: { apiKey } });
    await expect(client.GET("/v2/organizations/{orgId}/teams/{teamId}", team)).rejects.toThrow(message);
    expect(server.arrivals).toEqual([]);
  });
});

describe("credentials", () => {
  it("that are empty count as not given", async () => {
    await using server = await startRecorder();
    const client = v2.createClient({ baseUrl: server.url, auth: { apiKey: "" } });
    await expect(client.GET("/v2/organizations/{orgId}/teams/{teamId}", team)).rejects.toThrow(
      'GET /v2/organizations/{orgId}/teams/{teamId}: not sent, because "auth" lacks apiKey, or oauthClientSecret and oauthClientId',
    );
    expect(server.arrivals).toEqual([]);
  });

  it("are kept from middleware, which sees everything else", async () => {
    await using server = await startRecorder();
    const client = v1.createClient({ baseUrl: server.url, auth: { apiKey: secret } });
    const seen: unknown[] = [];
    client.use({
      onRequest: ({ request }) => {
        request.headers.set("x-trace", "1");
        seen.push(request.url, [...request.headers]);
      },
      onResponse: ({ request, response }) => {
        seen.push(request.url, response.url, inspect(response));
      },
    });
    const { response } = await client.PATCH("/v1/attendees/{id}", { params: { path: { id: 4711 } }, body: {} });
    expect(server.arrivals).toMatchObject([
      { target: `/v1/attendees/4711?apiKey=${secret}`, headers: { "x-trace": "1" }, body: "{}" },
    ]);
    expect(response.url).toBe(`${server.url}/v1/attendees/4711`);
    expect(inspect([seen, response], { depth: 9 })).not.toContain(secret);
  });

  it.each([
    ["line\nbreak", undefined],
    ["ключ", undefined],
  ])("that a header cannot carry (%j) are refused without being told", async (apiKey) => {
    await using server = await startRecorder();
    const client = v2.createClient({ baseUrl: server.url, auth: { apiKey } });
    const error = await client.GET("/v2/organizations/{orgId}/teams/{teamId}", team).catch((reason: unknown) => reason);
    expect(error).toEqual(new TypeError("The credential apiKey cannot be sent in a header."));
    expect(inspect(error)).not.toContain(apiKey);
    expect(server.arrivals).toEqual([]);
  });

  it("in the query are percent-encoded and leave the query as it is", async () => {
    await using server = await startRecorder();
    const client = v1.createClient({ baseUrl: server.url, auth: { apiKey: "a&b=c d%20#é" } });
    await client.POST("/v1/credential-sync", {
      params: { query: { userId: "a b" } },
      body: { appSlug: "video" },
    });
    const [arrival] = server.arrivals;
    expect(arrival?.target).toBe("/v1/credential-sync?userId=a%20b&apiKey=a%26b%3Dc%20d%2520%23%C3%A9");
  });

  it("leave the options of a call on its request", async () => {
    const requests: Request[] = [];
    const client = v1.createClient({
      baseUrl: "http://service.example",
      auth: { apiKey: secret },
      fetch: (request) => {
        requests.push(request);
        return Promise.resolve(Response.json({}));
      },
    });
    const controller = new AbortController();
    // `next` is an option of a framework's fetch.
    const options = { signal: controller.signal, cache: "no-store", next: { revalidate: 1 } } as const;
    await client.DELETE("/v1/webhooks/{id}", { params: { path: { id: 1 } }, ...options });
    controller.abort();
    expect(requests).toMatchObject([{ cache: "no-store", next: { revalidate: 1 }, signal: { aborted: true } }]);
  });

  // vitest 5.1 does so in its jsdom environment.
  it("leave method and body alone where Request is replaced by one that spreads its options", async () => {
    class SpreadingRequest extends Request {
      constructor(input: RequestInfo | URL, init?: RequestInit) {
        super(input, { ...init });
      }
    }
    vi.stubGlobal("Request", SpreadingRequest);
    onTestFinished(() => {
      vi.unstubAllGlobals();
    });
    const requests: Request[] = [];
    const client = v1.createClient({
      baseUrl: "http://service.example",
      auth: { apiKey: secret },
      fetch: (request) => {
        requests.push(request);
        return Promise.resolve(Response.json({}));
      },
    });
    await client.PATCH("/v1/bookings/{id}", { params: { path: { id: 9002 } }, body: { status: "CANCELLED" } });
    expect(requests.map(({ method }) => method)).toEqual(["PATCH"]);
    expect(await requests[0]?.json()).toEqual({ status: "CANCELLED" });
  });
});

describe("credentials go to the origin of baseUrl alone", () => {
  const keys = { apiKey: secret, oauthClientId: secret, oauthClientSecret: secret };

  it.each([
    [
      "v1",
      (baseUrl: string) =>
        v1
          .createClient({ baseUrl, auth: { apiKey: secret } })
          .DELETE("/v1/webhooks/{id}", { params: { path: { id: 1 } } }),
    ],
    [
      "v2",
      (baseUrl: string) =>
        v2.createClient({ baseUrl, auth: keys }).GET("/v2/organizations/{orgId}/teams/{teamId}", team),
    ],
    [
      "v2, by OAuth client",
      (baseUrl: string) => {
        const { oauthClientId, oauthClientSecret } = keys;
        const client = v2.createClient({ baseUrl, auth: { oauthClientId, oauthClientSecret } });
        return client.GET("/v2/organizations/{orgId}/teams/{teamId}", team);
      },
    ],
  ])("not along a redirect (%s)", async (_, call) => {
    await using elsewhere = await startRecorder();
    await using server = await startRecorder(({ target }, response) => {
      response.writeHead(307, { location: `${elsewhere.url}${target}` }).end("moved");
    });
    const { error, response } = await call(server.url);
    expect([error, response.status]).toEqual(["moved", 307]);
    expect(elsewhere.arrivals).toEqual([]);
    await expect(v2.unwrap(call(server.url))).rejects.toThrow(
      "307 a redirect, which calls with credentials do not follow",
    );
  });

  it("and a call without credentials follows a redirect", async () => {
    await using elsewhere = await startRecorder();
    await using server = await startRecorder((_, response) => {
      response.writeHead(307, { location: elsewhere.url }).end();
    });
    const client = v1.createClient({ baseUrl: server.url });
    await client.GET("/v1/attendees");
    expect(elsewhere.arrivals).toHaveLength(1);
  });

  it("not where middleware or a call takes the request to another one", async () => {
    await using elsewhere = await startRecorder();
    const client = v2.createClient({ baseUrl: "http://127.0.0.1:1", auth: keys });
    const toElsewhere = { ...team, baseUrl: elsewhere.url };
    await expect(client.GET("/v2/organizations/{orgId}/teams/{teamId}", toElsewhere)).rejects.toThrow(
      'not sent, because "auth" is for http://127.0.0.1:1',
    );
    client.use({ onRequest: ({ request }) => new Request(request.url.replace("http://127.0.0.1:1", elsewhere.url)) });
    await expect(client.GET("/v2/organizations/{orgId}/teams/{teamId}", team)).rejects.toThrow(
      'not sent, because "auth" is for http://127.0.0.1:1',
    );
    expect(elsewhere.arrivals).toEqual([]);
  });
});

describe("credentials are in no error", () => {
  it.each([
    ["the URL", ({ url }: Request) => url],
    ["the key as it is", ({ url }: Request) => decodeURIComponent(url)],
  ])("where fetch quotes %s", async (_, quote) => {
    const client = v1.createClient({
      baseUrl: "http://service.example",
      auth: { apiKey: "do not tell" },
      fetch: (request) => Promise.reject(new TypeError(`request to ${quote(request)} failed`)),
    });
    const call = client.DELETE("/v1/webhooks/{id}", { params: { path: { id: 1 } } });
    const error = await call.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(v1.NetworkError);
    expect(String(error)).toBe(
      "NetworkError: DELETE /v1/webhooks/{id}: no complete response from http://service.example",
    );
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/do(%20| )not/);
  });

  it("of an answer that is a failure", async () => {
    await using server = await startRecorder((_, response) => {
      response.writeHead(500).end("no");
    });
    const client = v1.createClient({ baseUrl: server.url, auth: { apiKey: secret } });
    const call = v1.unwrap(client.DELETE("/v1/webhooks/{id}", { params: { path: { id: 1 } } }));
    const error = await call.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(v1.ApiError);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(secret);
    expect(error instanceof v1.ApiError && inspect(error.response)).not.toContain(secret);
  });
});

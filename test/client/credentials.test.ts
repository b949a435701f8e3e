import { inspect } from "node:util";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import * as v1 from "../../generated/v1/client.ts";
import * as v2 from "../../generated/v2/client.ts";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { createEngine } from "../../scripts/mock/server/engine.ts";
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
    ["gives nothing", () => "", "the credential apiKey is empty or not a string"],
    // @ts-expect-error -- as JavaScript may have it
    ["gives no string", (): string => 42, "the credential apiKey is empty or not a string"],
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

  it("are sent without the whitespace around them, and told apart from it", async () => {
    await using server = await startRecorder(({ headers }, response) => {
      response.setHeader("x-key", headers.authorization ?? "").end("{}");
    });
    const client = v2.createClient({ baseUrl: server.url, auth: { apiKey: ` ${secret}\r\n` } });
    const { response } = await client.GET("/v2/organizations/{orgId}/teams/{teamId}", team);
    expect(server.arrivals[0]?.headers.authorization).toBe(`Bearer ${secret}`);
    expect(response.headers.get("x-key")).toBeNull();
    const blank = v2.createClient({ baseUrl: server.url, auth: { apiKey: "\n" } });
    await expect(blank.GET("/v2/organizations/{orgId}/teams/{teamId}", team)).rejects.toThrow(
      "the credential apiKey is empty or not a string",
    );
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
    expect(error).toBeInstanceOf(v2.NotSentError);
    expect(String(error)).toContain("not sent, because the credential apiKey cannot be sent in a header");
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

  it("in the query precede a fragment", async () => {
    await using server = await startRecorder();
    const client = v1.createClient({ baseUrl: server.url, auth: { apiKey: secret } });
    client.use({ onRequest: ({ request }) => new Request(`${request.url}#top`, request) });
    await client.POST("/v1/credential-sync", { params: { query: { userId: "1" } }, body: {} });
    await client.DELETE("/v1/webhooks/{id}", { params: { path: { id: 1 } } });
    expect(server.arrivals.map(({ target }) => target)).toEqual([
      `/v1/credential-sync?userId=1&apiKey=${secret}`,
      `/v1/webhooks/1?apiKey=${secret}`,
    ]);
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

  it("leave a request the signal that middleware gave it", async () => {
    const requests: Request[] = [];
    const fetch = (request: Request) => Promise.resolve(Response.json({ status: requests.push(request) }));
    const client = v1.createClient({ baseUrl: "https://api.example", auth: { apiKey: secret }, fetch });
    const controller = new AbortController();
    client.use({ onRequest: ({ request }) => new Request(request, { signal: controller.signal }) });
    await client.DELETE("/v1/webhooks/{id}", { params: { path: { id: 1 } } });
    controller.abort();
    expect(requests).toMatchObject([{ signal: { aborted: true } }]);
  });

  it.each(["client", "call"])("leave the options of a %s that a request does not show", async (place) => {
    const dispatcher = {
      dispatch: () => {
        throw new Error("by way of the dispatcher");
      },
    };
    const [ofClient, ofCall] = place === "client" ? [{ dispatcher }, {}] : [{}, { dispatcher }];
    const client = v1.createClient({ baseUrl: "http://service.example", auth: { apiKey: secret }, ...ofClient });
    await expect(client.DELETE("/v1/webhooks/{id}", { params: { path: { id: 1 } }, ...ofCall })).rejects.toThrow(
      "by way of the dispatcher",
    );
  });

  it.each(["client", "call"])("make another request of the class that is an option of the %s", async (place) => {
    class OwnRequest extends Request {}
    const requests: Request[] = [];
    const [ofClient, ofCall] = place === "client" ? [{ Request: OwnRequest }, {}] : [{}, { Request: OwnRequest }];
    const client = v1.createClient({
      baseUrl: "http://service.example",
      auth: { apiKey: secret },
      fetch: (request) => {
        requests.push(request);
        return Promise.resolve(Response.json({}));
      },
      ...ofClient,
    });
    await client.DELETE("/v1/webhooks/{id}", { params: { path: { id: 1 } }, ...ofCall });
    expect(requests).toEqual([expect.any(OwnRequest)]);
  });

  // Vitest does so in its jsdom environment: 5.1 spreads, and 4.1 takes no Blob.
  it("leave method and body alone where Request is replaced by one that spreads its options", async () => {
    class SpreadingRequest extends Request {
      constructor(input: RequestInfo | URL, init?: RequestInit) {
        if (init?.body instanceof Blob) throw new TypeError("A Blob is no body here.");
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
  // URLs write an apostrophe as %27, which encodeURIComponent leaves alone.
  const apiKey = "do not tell'me";
  const path = "/v1/webhooks/{id}";
  const caught = (call: Promise<unknown>) => call.catch((reason: unknown) => reason);
  const callWith = (send: (request: Request) => Promise<Response>, init = {}) =>
    v1
      .createClient({ baseUrl: "http://service.example", auth: { apiKey }, fetch: send })
      .DELETE(path, { params: { path: { id: 1 } }, ...init });

  const bare: unknown = Object.create(null);
  const failures: readonly [string, (request: Request) => unknown][] = [
    ["quotes the URL", ({ url }) => new TypeError(`request to ${url} failed`)],
    ["quotes the key as it is", ({ url }) => new TypeError(`request to ${decodeURIComponent(url)} failed`)],
    ["quotes the key as a form has it", ({ url }) => new TypeError(new URL(url).searchParams.toString())],
    ["quotes it in its name and code", ({ url }) => Object.assign(new Error("failed"), { name: url, code: url })],
    ["has the request", (request) => Object.assign(new Error("failed"), { request, input: request, url: request.url })],
    [
      "has the request deep in a cause",
      (request) => new Error("failed", { cause: new Error("a", { cause: request }) }),
    ],
    ["has it in a cause", ({ url }) => new Error("failed", { cause: Object.assign(new Error(url), { url }) })],
    ["has several errors", ({ url }) => new AggregateError([new Error(url)], "failed", { cause: [url] })],
    [
      "is its own cause",
      ({ url }) =>
        Object.assign(new Error("failed"), {
          get cause() {
            return this;
          },
          url,
        }),
    ],
    ["is no error", ({ url }) => url],
    ["is no error, and has no prototype", () => bare],
    ["has a message without a prototype", () => ({ name: "Error", message: bare })],
    ["quotes the key encoded twice", ({ url }) => new TypeError(encodeURIComponent(url))],
    ["quotes a URL that has it twice encoded", ({ url }) => new TypeError(encodeURIComponent(encodeURIComponent(url)))],
    ["is the request", (request) => request],
  ];
  it.each(failures)("where what fetch throws %s", async (_, failure) => {
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- as a fetch of one's own may do
    const error = await caught(callWith((request) => Promise.reject(failure(request))));
    expect(error).toBeInstanceOf(v1.NetworkError);
    expect(String(error)).toMatch(
      /^NetworkError: DELETE \/v1\/webhooks\/\{id\}: no complete response from http:\/\/service\.example/,
    );
    expectNoSecret(error);
  });

  it("of an aborted call is the caller's reason", async () => {
    const controller = new AbortController();
    const reason = new Error("the user left");
    const error = await caught(
      callWith(
        (request) => {
          controller.abort(reason);
          return Promise.reject(Object.assign(new Error(`aborted ${request.url}`), { request }));
        },
        { signal: controller.signal },
      ),
    );
    expect(error).toBe(reason);
  });

  it.each([500, 302])("of a response with the status %d, whose headers repeat the request", async (status) => {
    await using server = await startRecorder(({ target }, response) => {
      response.writeHead(status, { location: target, link: `<${target}>; rel=next`, "x-request-id": "1" }).end("no");
    });
    const client = v1.createClient({ baseUrl: server.url, auth: { apiKey } });
    const error = await caught(v1.unwrap(client.DELETE(path, { params: { path: { id: 1 } } })));
    if (!(error instanceof v1.ApiError)) throw error;
    const { response } = error;
    expect(error).toMatchObject({ status, body: "no", response: { url: `${server.url}/v1/webhooks/1`, status } });
    expect([...response.headers.keys()]).toContain("x-request-id");
    expectNoSecret(error);
    expectNoSecret(response);
  });

  it.each([
    ["in JSON", (key: string) => JSON.stringify({ key })],
    ["in JSON within JSON", (key: string) => JSON.stringify({ error: JSON.stringify({ key }) })],
    ["in JSON within a URL", (key: string) => `/?error=${encodeURIComponent(JSON.stringify(key))}`],
  ])("of a response that has it %s", async (_, write) => {
    const key = 'svc"x\\y+z';
    await using server = await startRecorder((_arrival, response) => {
      response.setHeader("x-error", write(key)).setHeader("x-request-id", "1").end("{}");
    });
    const client = v2.createClient({ baseUrl: server.url, auth: { apiKey: key } });
    const { response } = await client.GET("/v2/organizations/{orgId}/teams/{teamId}", team);
    expect(server.arrivals[0]?.headers.authorization).toBe(`Bearer ${key}`);
    expect([response.headers.get("x-error"), response.headers.get("x-request-id")]).toEqual([null, "1"]);
  });

  it("of a response whose status text repeats the key, and other status texts stay", async () => {
    await using server = await startRecorder((_arrival, response) => {
      response.writeHead(401, `Unknown key ${apiKey}`).end();
    });
    const client = v2.createClient({ baseUrl: server.url, auth: { apiKey } });
    const call = () => client.GET("/v2/organizations/{orgId}/teams/{teamId}", team);
    const error = await caught(v2.unwrap(call()));
    expect(String(error)).toMatch(/: 401$/);
    expectNoSecret(error);
    expectNoSecret((await call()).response);
    const client1 = v1.createClient({ baseUrl: server.url, auth: { apiKey: "another" } });
    const { response } = await client1.DELETE(path, { params: { path: { id: 1 } } });
    expect(response.statusText).toBe(`Unknown key ${apiKey}`);
  });

  it("of a response without a stream, as React Native (0.88) has it, whose body stays", async () => {
    const received = Object.defineProperties(Response.json({ message: "ok" }), {
      url: { value: `https://api.example.com/?apiKey=${apiKey}` },
      body: { value: undefined },
    });
    const fetch = () => Promise.resolve(received);
    const client = v1.createClient({ baseUrl: "https://api.example.com", auth: { apiKey }, fetch });
    const { data, response } = await client.DELETE(path, { params: { path: { id: 1 } } });
    expect(data).toEqual({ message: "ok" });
    expectNoSecret(response);
  });

  it("of a response with a status that no other can be made with", async () => {
    await using server = await startRecorder((_, response) => {
      response.writeHead(999).end("no");
    });
    const client = v1.createClient({ baseUrl: server.url, auth: { apiKey } });
    const { error, response } = await client.DELETE(path, { params: { path: { id: 1 } } });
    expect([error, response.status, response.ok]).toEqual(["no", 999, false]);
    expectNoSecret(response);
  });

  it("of a response with a status text that no other can be made with, which it keeps", async () => {
    await using server = await startRecorder((_, response) => {
      response.socket?.end("HTTP/1.1 404 Não encontrado ✗\r\ncontent-length: 2\r\nconnection: close\r\n\r\nno");
    });
    const client = v1.createClient({ baseUrl: server.url, auth: { apiKey } });
    const { error, response } = await client.DELETE(path, { params: { path: { id: 1 } } });
    expect([error, response.status, response.statusText]).toEqual(["no", 404, "Não encontrado ✗"]);
    expectNoSecret(response);
  });

  it.each([204, 205, 304])("of a %d as Chromium shows it, with an empty body", async (status) => {
    const { data, error, response } = await callWith(({ url }) => {
      const shown = { url: { value: url }, body: { value: new Blob().stream() } };
      return Promise.resolve(Object.defineProperties(new Response(null, { status }), shown));
    });
    expect([data, error, response.status]).toEqual([undefined, undefined, status]);
    expectNoSecret(response);
  });

  it("of a redirect as a browser shows it", async () => {
    const error = await caught(
      v1.unwrap(
        callWith(({ url }) => Promise.resolve(Object.defineProperties(Response.error(), { url: { value: url } }))),
      ),
    );
    expect(error).toMatchObject({ status: 0 });
    expect(String(error)).toContain("do not follow");
    expectNoSecret(error);
  });

  it("nor in a response, its clones and its body", async () => {
    await using server = await startRecorder();
    const client = v1.createClient({ baseUrl: server.url, auth: { apiKey } });
    client.use({
      onResponse: async ({ response }) => {
        expectNoSecret(response.clone());
        expect(response.clone().url).not.toContain("tell");
        expect(await response.clone().json()).toEqual({});
      },
    });
    const { response } = await client.DELETE(path, { params: { path: { id: 1 } } });
    expect(response.url).toBe(`${server.url}/v1/webhooks/1`);
    expectNoSecret(response);
  });

  function expectNoSecret(value: unknown): void {
    const { stack, message, cause } = value instanceof Error ? value : new Error();
    const shown = [
      inspect(value, { depth: 9, showHidden: true }),
      ...[stack, message, cause, value].map((part) => JSON.stringify([part])),
      ...(value instanceof Response ? [value.url, JSON.stringify([...value.headers])] : []),
    ].join("\n");
    expect(decodeURIComponent(shown.replaceAll("+", " ").replace(/%(25)+/g, "%"))).not.toContain("do not tell");
  }
});

describe("a baseUrl with a forbidden part", () => {
  it.each([
    ["a user name and a password", "http://user:do-not-tell@127.0.0.1:1"],
    ["a query", "http://127.0.0.1:1/?a=do-not-tell"],
    ["a fragment", "http://127.0.0.1:1/#"],
  ])("is %s, refused without being told, for a client and for a call", async (_, baseUrl) => {
    const problem = new TypeError('"baseUrl" must be an origin and a path, such as https://example.com/api');
    expect(() => v1.createClient({ baseUrl })).toThrow(problem);
    const client = v1.createClient({ baseUrl: "http://127.0.0.1:1" });
    const error = await client.GET("/v1/attendees", { baseUrl }).catch((reason: unknown) => reason);
    expect(String(error)).toBe(`NotSentError: GET /v1/attendees: not sent, because ${problem.message}`);
    expect(inspect(error)).not.toContain("do-not-tell");
  });
});

describe('auth: "none"', () => {
  it("asks for no credentials and adds none", async () => {
    await using server = await startRecorder();
    const client = v2.createClient({ baseUrl: server.url, auth: "none", credentials: "include" });
    const { response } = await client.GET("/v2/organizations/{orgId}/teams/{teamId}", team);
    expect(response.status).toBe(200);
    expect(server.arrivals[0]?.headers).not.toHaveProperty("authorization");
  });
});

describe("headers that carry a credential", () => {
  const headers = { Authorization: "Bearer svc_own" };

  it.each(["client", "call"])("on the %s are sent as they are", async (place) => {
    await using server = await startRecorder();
    const client = v2.createClient({ baseUrl: server.url, ...(place === "client" && { headers }) });
    await client.GET("/v2/organizations/{orgId}/teams/{teamId}", { ...team, ...(place === "call" && { headers }) });
    expect(server.arrivals).toMatchObject([{ headers: { authorization: "Bearer svc_own" } }]);
  });

  it("are not accepted where one of two is missing", async () => {
    const client = v2.createClient({ baseUrl: "http://127.0.0.1:1", headers: { "x-svc-secret-key": "secret" } });
    await expect(client.GET("/v2/organizations/{orgId}/teams/{teamId}", team)).rejects.toThrow('"auth" lacks apiKey');
  });
});

describe("a credential that is renewed", () => {
  it("is renewed once for 50 concurrent calls that the service refuses, and each is sent once more", async () => {
    const engine = createEngine({ generations: await readBuiltGenerations() });
    const reasons: string[] = [];
    const sent: (string | null)[] = [];
    const waiting: (() => void)[] = [];
    engine.faults.set([{ operation: "saveIcsFeed", status: 401, times: 50 }]);
    const client = v2.createClient({
      baseUrl: "http://mock.example",
      auth: {
        apiKey: v2.renewing(({ reason, response }) => {
          reasons.push(`${reason} ${response?.status ?? ""}`);
          return `token-${reasons.length}`;
        }),
      },
      async fetch(request) {
        sent.push(`${request.headers.get("authorization") ?? ""} ${await request.clone().text()}`);
        const response = await engine.fetch(request);
        // Nobody learns of a refusal before all 50 calls have one.
        if (response.status === 401) {
          await new Promise<void>((resolve) => {
            if (waiting.push(resolve) === 50) for (const each of waiting) each();
          });
        }
        return response;
      },
    });
    const call = () => client.POST("/v2/calendars/ics-feed/save", { body: { urls: ["https://a.example/b.ics"] } });
    const results = await Promise.all(Array.from({ length: 50 }, call));
    expect(results.map(({ response }) => response.ok)).toEqual(Array(50).fill(true));
    expect(reasons).toEqual(["first ", "refused 401"]);
    const body = '{"urls":["https://a.example/b.ics"]}';
    expect(sent).toEqual([1, 2].flatMap((token) => Array<string>(50).fill(`Bearer token-${token} ${body}`)));
  });
});

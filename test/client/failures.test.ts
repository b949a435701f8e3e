import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createClient as createV1Client } from "../../generated/v1/client.ts";
import { ApiError, createClient, NetworkError, NotSentError, unwrap } from "../../generated/v2/client.ts";
import v2 from "../../generated/v2/openapi.json" with { type: "json" };
import { startRecorder } from "./recorder.ts";

const path = "/v2/organizations/{orgId}/teams/{teamId}";
const team = { params: { path: { orgId: 42, teamId: 7 } } };
const auth = { apiKey: "svc_test" };

describe("a failure of the service", () => {
  it.each([
    ["JSON", '{"title":"No such team"}', { title: "No such team" }],
    ["no JSON", "<h1>Bad gateway</h1>", "<h1>Bad gateway</h1>"],
    ["empty", "", ""],
  ])("is a result with its body where that is %s, and unwrap makes it an exception", async (_, text, body) => {
    await using server = await startRecorder((_arrival, response) => {
      response.writeHead(404).end(text);
    });
    const client = createClient({ baseUrl: server.url, auth });
    const result = await client.GET(path, team);
    expect(result.data).toBeUndefined();
    expect(result.response.ok).toBe(false);

    const error = await unwrap(client.GET(path, team)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      name: "ApiError",
      message: `GET ${path}: 404 Not Found`,
      status: 404,
      method: "GET",
      path,
    });
    if (text !== "") expect([result.error, error]).toMatchObject([body, { body }]);
    expect(error instanceof ApiError && error.response.status).toBe(404);
  });
});

describe("a success", () => {
  it("is what unwrap resolves to", async () => {
    await using server = await startRecorder();
    const client = createClient({ baseUrl: server.url, auth });
    await expect(unwrap(client.GET(path, team))).resolves.toEqual({});
  });

  it.each([
    ["204", 204, {}],
    ["205", 205, {}],
    ["an empty body", 200, { "content-length": "0" }],
    ["an empty body of unknown length", 200, { "transfer-encoding": "chunked" }],
  ])("with %s is an error where the contract has a body, and no data where it is not specified", async (...example) => {
    const [, status, headers] = example;
    await using server = await startRecorder((_, response) => {
      response.writeHead(status, headers).end();
    });
    const client = createClient({ baseUrl: server.url, auth });
    for (const parseAs of ["json", "text", "blob", "arrayBuffer"] as const) {
      const error = await client.GET(path, { ...team, parseAs }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ message: `GET ${path}: ${status}, but it has no body`, status });
    }
    if (status !== 200) {
      await expect(client.GET(path, { ...team, parseAs: "stream" })).rejects.toThrow("it has no body");
    }
    const client1 = createV1Client({ baseUrl: server.url, auth: { apiKey: "test" } });
    const remove = () => client1.DELETE("/v1/teams/{teamId}", { params: { path: { teamId: 7 } } });
    const { data, error, response } = await remove();
    expect([data, error, response.ok]).toEqual([undefined, undefined, true]);
    await expect(unwrap(remove())).resolves.toBeUndefined();
  });

  it("that the client has already is told from a redirect", async () => {
    await using server = await startRecorder((_, response) => {
      response.writeHead(304).end();
    });
    const call = unwrap(createClient({ baseUrl: server.url, auth }).GET(path, team));
    await expect(call).rejects.toThrow(`GET ${path}: 304 Not Modified`);
  });

  it("that is not JSON says so", async () => {
    await using server = await startRecorder((_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<h1>Log in</h1>");
    });
    const error = await createClient({ baseUrl: server.url, auth })
      .GET(path, team)
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      message: `GET ${path}: 200, but its text/html body is not JSON`,
      status: 200,
      body: "<h1>Log in</h1>",
    });
  });

  it("stays unparsed if a call asks for a form other than JSON", async () => {
    await using server = await startRecorder((_, response) => {
      response.end("not { JSON");
    });
    const client = createClient({ baseUrl: server.url, auth });
    expect((await client.GET(path, { ...team, parseAs: "text" })).data).toBe("not { JSON");
    expect((await client.GET(path, { ...team, parseAs: "blob" })).data).toMatchObject({ size: 10 });
    expect((await client.GET(path, { ...team, parseAs: "arrayBuffer" })).data).toMatchObject({ byteLength: 10 });
    const { data } = await client.GET(path, { ...team, parseAs: "stream" });
    expect(await new Response(data).text()).toBe("not { JSON");
  });
});

describe("no answer", () => {
  const caught = (call: Promise<unknown>) => call.catch((reason: unknown) => reason);

  it("is a NetworkError that says from where and why, with the cause", async () => {
    const { url, [Symbol.asyncDispose]: close } = await startRecorder();
    await close();
    const error = await caught(createClient({ baseUrl: url, auth }).GET(path, team));
    expect(error).toBeInstanceOf(NetworkError);
    expect(String(error)).toBe(
      `NetworkError: GET ${path}: no complete response from ${url}: fetch failed: connect ECONNREFUSED ${new URL(url).host}`,
    );
    expect(error).toMatchObject({ method: "GET", path, cause: { cause: { code: "ECONNREFUSED" } } });
  });

  it("in time is a NetworkError that says so, before the head and within the body", async () => {
    await using silent = await startRecorder(() => undefined);
    await using stalling = await startRecorder((_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).write("{");
    });
    for (const { url } of [silent, stalling]) {
      const signal = AbortSignal.timeout(100);
      const error = await caught(createClient({ baseUrl: url, auth }).GET(path, { ...team, signal }));
      expect(error).toBeInstanceOf(NetworkError);
      expect(error).toMatchObject({
        message: `GET ${path}: no complete response from ${url}: The operation was aborted due to timeout`,
        cause: { name: "TimeoutError" },
      });
    }
  });

  it("to the end is a NetworkError", async () => {
    await using server = await startRecorder((_, response) => {
      response.writeHead(200, { "content-length": "100" }).write("{", () => response.destroy());
    });
    const error = await caught(createClient({ baseUrl: server.url, auth }).GET(path, team));
    expect(error).toBeInstanceOf(NetworkError);
    expect(String(error)).toContain(`no complete response from ${server.url}: terminated`);
  });

  it("because the caller aborts gives the caller's own reason", async () => {
    await using server = await startRecorder(() => undefined);
    const reason = new Error("the user left");
    const call = createClient({ baseUrl: server.url, auth }).GET(path, { ...team, signal: AbortSignal.abort(reason) });
    expect(await caught(call)).toBe(reason);
  });

  it("because middleware throws rejects with its error", async () => {
    await using server = await startRecorder();
    const client = createClient({ baseUrl: server.url, auth });
    const reason = new Error("not today");
    const middleware = {
      async onResponse({ response }: { response: Response }) {
        await response.text();
        throw reason;
      },
    };
    expect(await caught(client.GET(path, { ...team, middleware: [middleware] }))).toBe(reason);
    client.use(middleware);
    expect(await caught(client.GET(path, team))).toBe(reason);
  });
});

it("refuses an invalid baseUrl", () => {
  expect(() => createClient({ baseUrl: "service.example", auth })).toThrow(TypeError);
});

describe("a call that was not sent", () => {
  it.each([Number.NaN, Infinity, -Infinity])("because a parameter is %d says which", async (orgId) => {
    const client = createClient({ baseUrl: "http://127.0.0.1:1", auth });
    const error = await client.GET(path, { params: { path: { orgId, teamId: 7 } } }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NotSentError);
    expect(error).toBeInstanceOf(TypeError);
    const message = `GET ${path}: not sent, because {orgId} has no value that fits a path segment`;
    expect(error).toMatchObject({ name: "NotSentError", method: "GET", path, message });
  });

  it("because a global is missing names it, and needs none where the option Request is given", async () => {
    const Own = Request;
    vi.stubGlobal("Request", undefined);
    onTestFinished(() => {
      vi.unstubAllGlobals();
    });
    const client = createClient({
      baseUrl: "http://127.0.0.1:1",
      auth,
      fetch: () => Promise.resolve(Response.json({})),
    });
    await expect(client.GET(path, team)).rejects.toThrow(NotSentError);
    const own = createClient({
      baseUrl: "http://127.0.0.1:1",
      auth,
      Request: Own,
      fetch: () => Promise.resolve(Response.json({})),
    });
    expect((await own.GET(path, team)).data).toEqual({});
  });
});

it("keeps the class and the fields of a custom fetch's error", async () => {
  class QuotaError extends Error {
    readonly seconds = 7;
  }
  const fetch = () => Promise.reject(new QuotaError("used up"));
  const error = await createClient({ baseUrl: "http://127.0.0.1:1", auth, fetch })
    .GET(path, team)
    .catch((e: unknown) => e);
  expect(error).toMatchObject({ name: "NetworkError", cause: { message: "used up", seconds: 7 } });
  expect(error instanceof NetworkError && error.cause).toBeInstanceOf(QuotaError);
});

it.each([
  ["svc_secret", "a string"],
  [() => "svc_secret", "a function"],
  [{ apiKey: "svc_secret", apikey: "svc_secret" }, "apikey"],
])("refuses credentials under no name of the contract at once, and does not show them", (auth, wrong) => {
  const names = Object.keys(v2.components.securitySchemes).sort().join(", ");
  // @ts-expect-error -- as JavaScript may
  expect(() => createClient({ baseUrl: "http://127.0.0.1:1", auth })).toThrow(
    new TypeError(`"auth" must be an object of ${names}, not ${wrong}`),
  );
});

it("takes null for no credentials", async () => {
  // @ts-expect-error -- as JavaScript may have it
  const call = createClient({ baseUrl: "http://127.0.0.1:1", auth: null }).GET(path, team);
  await expect(call).rejects.toThrow('not sent, because "auth" lacks apiKey');
});

it("refuses a baseUrl that is not given, by its name", () => {
  // @ts-expect-error -- as JavaScript may have it
  expect(() => createClient({ baseUrl: undefined, auth })).toThrow('"baseUrl" must be an origin and a path');
  // @ts-expect-error -- as JavaScript may call it
  expect(() => createClient()).toThrow('"baseUrl" must be an origin and a path');
});

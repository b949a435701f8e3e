import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { describe, expect, it, vi } from "vitest";
import * as examples from "../../generated/v2/examples.ts";
import { createHandler, Problem } from "../../generated/v2/server.ts";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { generateServer } from "../../scripts/pipeline/serverModule.ts";
import { objectsOf, valueAt } from "../../scripts/values/json.ts";
import { isDocument } from "../../scripts/spec/openapi.ts";
import { createContractHandler, type ServedOperation } from "../../scripts/server/index.ts";
import { handlers, options, seen } from "./servedV2.ts";

const handle = createHandler(options);

const teamPath = "/v2/organizations/42/teams/7";
const request = (
  path: string,
  init: Omit<RequestInit, "headers"> & { headers?: Record<string, string> } = {},
  key = "svc_known",
) => new Request(`http://localhost${path}`, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } });
const json = (method: string, body: string) => ({
  method,
  body,
  headers: { "content-type": "application/json" },
});

/** Serves a request with options that the compiler would reject. */
function serveUntyped(given: object, sent: Request): Promise<unknown> {
  const create: unknown = Reflect.apply(createHandler, undefined, [{ authenticate: "none", ...given }]);
  const responded: unknown = typeof create === "function" && Reflect.apply(create, undefined, [sent]);
  return Promise.resolve(responded);
}

describe("a server of v2", () => {
  it("parses parameters, and answers HEAD and OPTIONS", async () => {
    const response = await handle(request(teamPath));
    expect([response.status, response.headers.get("x-kind"), await response.json()]).toEqual([
      200,
      "number",
      examples.Team,
    ]);
    const head = await handle(request(teamPath, { method: "HEAD" }));
    expect([head.status, head.headers.get("content-type"), await head.text()]).toEqual([200, "application/json", ""]);
    const allow = await handle(request(teamPath, { method: "OPTIONS" }));
    expect([allow.status, allow.headers.get("allow")]).toEqual([204, "GET, DELETE, HEAD, OPTIONS"]);
  });

  const refusals: readonly (readonly [name: string, request: () => Request, status: number, detail: RegExp])[] = [
    ["no credentials", () => new Request(`http://localhost${teamPath}`), 401, /requires credentials/],
    ["unknown credentials", () => request(teamPath, {}, "svc_other"), 401, /aren't accepted/],
    ["an unknown path", () => request("/nothing"), 404, /No operation has the path/],
    ["a broken path", () => request("/v2/%zz"), 400, /percent-encoded/],
    ["a method that isn't there", () => request(teamPath, { method: "PUT" }), 405, /but not PUT/],
    ["a text for a number", () => request("/v2/organizations/x/teams/y"), 422, /2 problems: .*orgId.*teamId/],
    [
      "an identifier that JavaScript would round",
      () => request("/v2/organizations/42/teams/9007199254740993"),
      422,
      /^The path parameter teamId must be from .*; received "9007199254740993"\.$/,
    ],
    ["a query out of range", () => request("/v2/organizations/42/schedules?take=many"), 422, /take/],
    ["a repeated parameter", () => request("/v2/organizations/42/schedules?take=1&take=2"), 422, /take must be/],
    ["a missing body", () => request("/v2/calendars/ics-feed/save", { method: "POST" }), 422, /body is required/],
    ["broken JSON", () => request("/v2/calendars/ics-feed/save", json("POST", "{")), 400, /The body/],
    ["another media type", () => request("/v2/calendars/ics-feed/save", { method: "POST", body: "a" }), 415, /must be/],
    ["a missing field", () => request("/v2/calendars/ics-feed/save", json("POST", '{"urls":1}')), 422, /urls/],
    [
      "a large body",
      () => request("/v2/oauth-clients", json("POST", `"${"a".repeat(2 ** 20)}"`)),
      413,
      /the server reads/,
    ],
    ["no handler", () => request("/v2/teams/7", { method: "DELETE" }), 501, /isn't implemented/],
    ["a Problem of a handler", () => request("/v2/organizations/42/teams/404"), 404, /^Mara has no such team\.$/],
  ];

  it.each(refusals)("refuses %s with problem details", async (_, make, status, detail) => {
    const response = await handle(make());
    const problem: unknown = await response.json();
    expect(valueAt(problem, ["detail"])).toMatch(detail);
    expect([response.status, response.headers.get("content-type")]).toEqual([status, "application/problem+json"]);
    expect(problem).toMatchObject({ status });
    expect(response.headers.has("www-authenticate")).toBe(status === 401);
    expect(response.headers.has("allow")).toBe(status === 405);
    expect(response.headers.get("connection")).toBe(status === 413 ? "close" : null);
  });

  it("passes the credentials of each alternative together", async () => {
    seen.length = 0;
    const headers = { "x-svc-client-id": "id", "x-svc-secret-key": "secret" };
    await handle(request(teamPath, { headers }, "svc_other"));
    expect(seen).toContainEqual({ apiKey: "svc_other" });
    expect(seen).toContainEqual({ oauthClientId: "id", oauthClientSecret: "secret" });
  });

  it("leaves what the contract doesn't have, and the shape of refusals, to functions of one's own", async () => {
    const own = createHandler({
      ...options,
      unmatched: (_, context: string) => new Response(context),
      refuse: ({ status }, { operationId }) => Response.json({ operationId }, { status }),
    });
    expect(await (await own(request("/health"), "mine")).text()).toBe("mine");
    const refused = await own(request(teamPath, {}, "svc_other"), "mine");
    expect([refused.status, await refused.json()]).toEqual([401, { operationId: "getOrganizationTeam" }]);
    expect(refused.headers.get("www-authenticate")).toMatch(/^Bearer, /);
  });

  it("finds responses that contradict the contract, without reading a stream that never ends", async () => {
    const endless = new Response(new ReadableStream(), { headers: { "content-type": "text/event-stream" } });
    for (const [response, reason] of [
      [Response.json({ status: "success", data: 7 }), "/data in the body must be an object, not 7"],
      [endless, "the media type is application/json, not text/event-stream"],
    ] as const) {
      const wrong = createHandler({
        authenticate: "none",
        handlers: { getOrganizationTeam: () => response },
        validateResponses: true,
      });
      const refused = await wrong(request(teamPath));
      expect([refused.status, await refused.text()]).toEqual([500, expect.stringContaining(reason)]);
    }
  });

  it("tells the fields of responses that the contract doesn't list, or strips them", async () => {
    const row = { ...examples.Team.data, passwordHash: "$2b$10$abc", metadata: { any: { thing: 1 } } };
    const body = { status: "success", data: row, nonsense: true };
    const plain = { status: 200, headers: { "content-length": "9" }, body };
    const respond = async (validateResponses: unknown, returned: unknown) => {
      const given = { validateResponses, handlers: { getOrganizationTeam: () => returned } };
      const response = await serveUntyped(given, request(teamPath));
      if (!(response instanceof Response)) throw new Error("there is no response");
      return [response.status, await response.text(), response.headers.get("content-length")];
    };
    const { passwordHash, ...listed } = row;
    expect(await respond("strip", plain)).toEqual([200, JSON.stringify({ status: "success", data: listed }), null]);
    expect(await respond("strip", { ...plain, body: { ...body, data: { ...row, id: "7" } } })).toEqual([
      500,
      expect.stringMatching(/contradicts the contract: \/data\/id in the body must be an integer/),
      null,
    ]);
    // What a Response holds may be signed, or have numbers that JavaScript rounds.
    for (const [mode, returned] of [
      [true, plain],
      [true, Response.json(body)],
      ["strip", Response.json(body)],
    ]) {
      const [status, text] = await respond(mode, returned);
      expect([status, text]).toEqual([
        500,
        expect.stringContaining("contradicts the contract: /nonsense in the body isn't listed; /data/passwordHash in"),
      ]);
      expect(text).not.toContain(passwordHash);
    }
    expect(await respond(false, plain)).toEqual([200, JSON.stringify(body), "9"]);
  });

  it("repeats no credential in problem details", async () => {
    const secret = "svc_secret/+&";
    const quoted = encodeURIComponent(secret);
    const refused = [
      request(teamPath, {}, secret),
      request("/v2/teams/7", { headers: { "x-svc-secret-key": secret } }, ""),
      request(`/v2/nothing/apiKey=${quoted}?apiKey=${quoted}`),
      request(`/v2/organizations/Bearer%20${quoted}/teams/y?access_token=${quoted}`, {
        headers: { "x-svc-client-id": secret },
      }),
      request(`/v2/teams/7?key=${quoted}%zz`, {}, secret),
      request("/v2/calendars/ics-feed/save", json("POST", JSON.stringify({ urls: [{ token: secret }], password: 1 }))),
    ];
    for (const one of refused) {
      const response = await handle(one);
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(await response.text()).not.toMatch(/svc_secret/);
    }
  });

  it("leaves what handlers do wrong to the platform", async () => {
    const failure = new Error("the database is gone");
    const failing = (getOrganizationTeam: () => unknown) =>
      serveUntyped({ handlers: { getOrganizationTeam } }, request(teamPath));
    await expect(failing(() => Promise.reject(failure))).rejects.toBe(failure);
    class Response {
      readonly #status = 200;
      readonly body = "{}";
      get status() {
        return this.#status;
      }
    }
    const nonsense = [undefined, null, "text", 7, {}, [], new Response(), { status: 204 }, { status: "200", body: {} }];
    for (const returned of nonsense) {
      await expect(failing(() => returned)).rejects.toThrow("getOrganizationTeam must return a Response");
    }
    const typo = { status: 200, body: examples.Team, header: { "x-typo": "dropped" }, statusText: undefined };
    await expect(failing(() => typo)).rejects.toThrow(
      "getOrganizationTeam returned header: a response has only status, headers, contentType and body",
    );
    await expect(failing(() => undefined)).rejects.toThrow("or status 200 or default, not undefined");
    await expect(failing(() => new Problem(404, "There is no such team."))).rejects.toThrow("not [object Error]");
    await expect(failing(() => ({ status: 200, body: 7n }))).rejects.toThrow(TypeError);
    await expect(failing(() => ({ status: 200, contentType: "text/plain", body: {} }))).rejects.toThrow(
      "can't be written",
    );
  });

  it("takes a Response of another library or realm, with each cookie in a field of its own", async () => {
    const cookies = ["a=1; Expires=Thu, 01 Jan 2037 00:00:00 GMT", "b=2"];
    const entries = [["content-type", "text/plain"] as const, ...cookies.map((one) => ["set-cookie", one] as const)];
    const joined = [...entries.slice(0, 1), ["set-cookie", cookies.join(", ")] as const];
    const make = (headers: object, body: object | null, status = 200) => ({
      status,
      headers,
      body,
      arrayBuffer: () => Promise.resolve(new TextEncoder().encode("abc").buffer),
      clone: () => ({ status }),
    });
    const ofNode = Object.assign(new Map(joined), { raw: () => ({ "set-cookie": cookies }) });
    const ofUndici = { [Symbol.iterator]: () => entries.values(), getSetCookie: () => cookies };
    const native = new Response("abc", { headers: entries.map(([name, value]): [string, string] => [name, value]) });
    const serve = (returned: () => unknown, more = {}, path = teamPath) =>
      serveUntyped({ handlers: { getOrganizationTeam: returned }, ...more }, request(path));
    const expectServed = async (served: Promise<unknown>) => {
      const response = await served;
      if (!(response instanceof Response)) throw new Error("there is no response");
      expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
        ...[200, "text/plain", "abc"],
      ]);
      expect(response.headers.getSetCookie()).toEqual(cookies);
    };
    await expectServed(serve(() => make(ofNode, Readable.from([new TextEncoder().encode("abc")]))));
    await expectServed(serve(() => make(ofUndici, {})));
    const headers = { "content-type": "text/plain", "Set-Cookie": cookies };
    await expectServed(serve(() => ({ status: 200, headers, contentType: "text/plain", body: "abc" })));
    await expectServed(serve(() => undefined, { unmatched: () => make(ofUndici, {}) }, "/health"));
    await expectServed(serve(() => undefined, { refuse: () => make(ofUndici, {}) }, "/v2/%zz"));
    const empty = await serve(() => make(ofUndici, Readable.from([]), 204));
    expect(empty).toMatchObject({ status: 204, body: null });
    const refused = serve(() => undefined, { authenticate: () => make(ofUndici, null) });
    await expect(refused).rejects.toThrow("authenticate must return a principal");
    // As adapters do.
    vi.stubGlobal("Response", class extends Response {});
    await expectServed(serve(() => native)).finally(() => vi.unstubAllGlobals());
  });

  it("responds to others while a handler does not, and ends with the request that is aborted", async () => {
    const controller = new AbortController();
    const { promise: waiting, resolve } = Promise.withResolvers<AbortSignal>();
    const patient = createHandler({
      ...options,
      handlers: {
        ...handlers,
        deleteEventType: ({ request: { signal } }) => {
          resolve(signal);
          return new Promise(() => {});
        },
      },
    });
    void patient(request("/v2/event-types/7", { method: "DELETE", signal: controller.signal }));
    const signal = await waiting;
    const others = await Promise.all([patient(request(teamPath)), patient(request("/v2/organizations/42/teams/404"))]);
    expect(others.map(({ status }) => status)).toEqual([200, 404]);
    const body = new ReadableStream({
      pull: () => {
        controller.abort(new Error("the client is gone"));
      },
    });
    const sent = { method: "POST", body, duplex: "half", signal: controller.signal } as const;
    await expect(patient(request("/v2/oauth-clients", sent))).rejects.toThrow("the client is gone");
    expect(signal.aborted).toBe(true);
  });

  it("challenges the sender of credentials that a Problem refuses, and ends a body that HEAD doesn't send", async () => {
    let isCancelled = false;
    const stream = () =>
      new ReadableStream({
        cancel: () => {
          isCancelled = true;
        },
      });
    const strict = createHandler({
      authenticate: ({ apiKey }) => {
        if (apiKey === "svc_expired")
          throw new Problem(401, "The API key has expired.", { headers: { "retry-after": "9" } });
        return apiKey;
      },
      handlers: { getOrganizationTeam: () => new Response(stream()) },
    });
    const { status, headers } = await strict(request(teamPath, {}, "svc_expired"));
    expect([status, headers.get("www-authenticate"), headers.get("retry-after")]).toEqual([
      401,
      expect.stringMatching(/^Bearer, /),
      "9",
    ]);
    expect((await strict(request(teamPath, { method: "HEAD" }))).body).toBe(null);
    expect(isCancelled).toBe(true);
  });

  it("says that a body has been read before, also behind adapters that don't notice", async () => {
    const path = "/v2/calendars/ics-feed/save";
    const read = request(path, json("POST", "{}"));
    await read.text();
    const sized = request(path, { method: "POST", headers: { "content-length": "2" } });
    const chunked = request(path, { method: "POST", headers: { "transfer-encoding": "chunked" } });
    for (const [sent, status, words] of [
      [read, 500, /read before.*express\.json\(\), reads it, put it behind/],
      [sized, 500, /read before.*express\.json\(\), reads it, put it behind/],
      [chunked, 422, /body is required.*express\.json\(\), reads it, put it behind/],
    ] as const) {
      const response = await handle(sent);
      expect([response.status, await response.text()]).toEqual([status, expect.stringMatching(words)]);
    }
  });

  it("names the option whose function returns something else than it must", async () => {
    for (const refusal of [new Response(null, { status: 401 }), new Problem(401, "The API key has expired.")]) {
      const open = createHandler({ authenticate: () => refusal, handlers: { deleteTeam: () => Response.json(1) } });
      await expect(open(request("/v2/teams/7", { method: "DELETE" }))).rejects.toThrow(
        "authenticate must return a principal or nothing, or throw a Problem",
      );
    }
    const none = { handlers: {}, refuse: () => undefined, unmatched: () => "none" };
    await expect(serveUntyped(none, request("/v2/%zz"))).rejects.toThrow(
      "refuse must return a Response, not undefined",
    );
    await expect(serveUntyped(none, request("/health"))).rejects.toThrow(
      "unmatched must return a Response, not [object String]",
    );
  });

  it("refuses mistakes of callers without the compiler", () => {
    const create = (given: object) => (): unknown => Reflect.apply(createHandler, undefined, [given]);
    expect(create({ handlers: {} })).toThrow("authenticate must be a function");
    expect(create({ authenticate: "none", handlers: { getTeem: () => "" } })).toThrow("there is no operation getTeem");
    expect(create({ authenticate: "none", handlers: { deleteTeam: 1 } })).toThrow("the handler of deleteTeam must be");
    expect((): unknown => Reflect.apply(createHandler, undefined, [])).toThrow("the options must be an object");
    expect(create({ authenticate: "none" })).toThrow("handlers must be a plain object");
    expect(create({ authenticate: "none", handlers: new Date() })).toThrow("handlers must be a plain object");
    expect(create({ authenticate: "none", handlers: {}, bodyLimit: NaN })).toThrow("bodyLimit must be a number");
    expect(create({ authenticate: "none", handlers: {}, validateResponses: "on" })).toThrow('true, false or "strip"');
    expect(create({ authenticate: "none", handlers: {}, unmatched: 1 })).toThrow("unmatched must be a function");
    expect(() => new Problem(200, "fine")).toThrow(RangeError);
  });
});

interface SmallOperations {
  readonly sendForm: ServedOperation<
    {
      parameters: { query: { ids: number[] } };
      requestBody: { content: { "multipart/form-data": { count: number; file: File } } };
      responses: { "2XX": { headers: Record<string, unknown>; content: { "application/json": unknown } } };
    },
    object
  >;
  readonly findPoints: ServedOperation<
    {
      parameters: Record<"path" | "query" | "header" | "cookie", unknown>;
      responses: { 200: { headers: Record<string, unknown>; content: { "application/json": unknown } } };
    },
    undefined
  >;
}

describe("a server of another contract", () => {
  const content = (mediaType: string, schema: object) => ({ content: { [mediaType]: { schema } } });
  const integers = { type: "array", items: { type: "integer" } };
  const point = { type: "object", properties: { x: { type: "number" }, y: { type: "number" } }, required: ["x"] };
  const document = {
    openapi: "3.1.0",
    info: { title: "Small", version: "1" },
    components: {
      securitySchemes: {
        login: { type: "http", scheme: "basic" },
        key: { type: "apiKey", in: "cookie", name: "key" },
        tag: { type: "apiKey", in: "query", name: "tag" },
      },
    },
    paths: {
      "/form": {
        post: {
          operationId: "sendForm",
          security: [{ login: [] }, { key: [], tag: [] }],
          parameters: [{ in: "query", name: "ids", schema: integers }],
          requestBody: content("multipart/form-data", {
            type: "object",
            properties: { count: { type: "integer" }, file: { type: "string", format: "binary" } },
          }),
          responses: { "2XX": content("application/json", {}) },
        },
      },
      "/points/{point}": {
        get: {
          operationId: "findPoints",
          parameters: [
            { in: "path", name: "point", required: true, schema: { type: "number" } },
            { in: "query", name: "near", style: "deepObject", explode: true, schema: point },
            { in: "query", name: "tags", schema: { type: "array", items: { type: "string" } } },
            { in: "query", name: "__proto__", schema: { type: "integer" } },
            { in: "query", name: "exact", schema: { type: "boolean" } },
            { in: "header", name: "X-Id", schema: { type: "integer" } },
            { in: "cookie", name: "size", required: true, schema: { type: "integer" } },
          ],
          responses: { 200: content("application/json", {}) },
        },
      },
    },
  };

  it("reads forms with files, lists, and pairs and Basic credentials", async () => {
    const small = createContractHandler<SmallOperations, object, object, unknown>(document, {
      authenticate: (credentials: object) => credentials,
      handlers: {
        sendForm: async ({ query, body, principal }) => ({
          status: 202,
          body: { query, count: body.count, file: await body.file.text(), principal },
        }),
      },
    });
    const form = () => {
      const sent = new FormData();
      sent.set("count", "2");
      sent.set("file", new File(["abc"], "a.txt"));
      return { method: "POST", body: sent };
    };
    const basic = { authorization: `Basic ${btoa("mara:s:t")}` };
    const url = "http://localhost/form?ids=1&ids=2";
    const first = await small(new Request(url, { ...form(), headers: basic }));
    const common = { query: { ids: [1, 2] }, count: 2, file: "abc" };
    expect([first.status, await first.json()]).toEqual([
      202,
      { ...common, principal: { login: { username: "mara", password: "s:t" } } },
    ]);
    const second = await small(new Request(`${url}&tag=t`, { ...form(), headers: { cookie: "key=k" } }));
    expect(await second.json()).toEqual({ ...common, principal: { key: "k", tag: "t" } });
    // Whoever reads only one of several values must not see other credentials than the server.
    const split = await small(new Request(`${url}&tag=t&tag=t`, { ...form(), headers: { cookie: "key=k" } }));
    expect(split.status).toBe(401);
  });

  const named = 'Content-Disposition: form-data; name="file"; ';
  const count = 'Content-Disposition: form-data; name="count"\r\n\r\n2';
  const forms: readonly (readonly [client: string, parts: readonly string[], fileName: string, boundary: string])[] = [
    [
      ".NET",
      [
        "Content-Type: application/pdf\r\nContent-Disposition: form-data; name=file; filename=a.pdf; filename*=utf-8''a%20%C3%BC.pdf\r\n\r\nabc",
        "Content-Type: text/plain; charset=utf-8\r\nContent-Disposition: form-data; name=count\r\n\r\n2",
      ],
      "a ü.pdf",
      '"X"',
    ],
    [
      ".NET with other names",
      [`${named}filename="=?utf-8?B?w7w=?="; filename*=utf-8''%C3%BC\r\n\r\nabc`, count],
      "ü",
      "X",
    ],
    [
      "a browser",
      [`${named}filename="a %22ü\\b.pdf"\r\nContent-Type: application/pdf\r\n\r\nabc`, count],
      'a "ü\\b.pdf',
      "X",
    ],
    [
      "an older curl",
      [String.raw`${named}filename="a \"b\\c.pdf"` + "\r\n\r\nabc", count],
      String.raw`a "b\c.pdf`,
      "X",
    ],
    ["Python", [`content-disposition: form-data; filename="50%.pdf"; name="file"\r\n\r\nabc`, count], "50%.pdf", "X"],
    [
      "Java",
      [
        `${named}filename="a.pdf"\r\nContent-Transfer-Encoding: binary\r\nContent-Length: 3\r\n\r\nabc`,
        "Content-Type: text/plain; charset=ISO-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n" + count,
      ],
      "a.pdf",
      "X",
    ],
  ];
  const sendForm = (body: BodyInit, boundary = "X") => {
    const small = createContractHandler<SmallOperations, object, undefined, unknown>(document, {
      authenticate: "none",
      handlers: {
        sendForm: async ({ body: { count: sent, file } }) => ({
          status: 202,
          body: [sent, file.name, file.type, await file.text()],
        }),
      },
    });
    const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
    return small(new Request("http://localhost/form", { method: "POST", headers, body }));
  };

  it.each(forms)("reads forms as written by %s", async (_, parts, fileName, boundary) => {
    const type = parts[0]?.includes("application/pdf") ? "application/pdf" : "text/plain";
    const written = parts.map((part) => `--X\r\n${part}\r\n`).join("");
    for (const body of [`${written}--X--\r\n`, `A form in parts.\r\n${written}--X--`, `${written}--X--\r\nThe end.`]) {
      const response = await sendForm(body, boundary);
      expect([response.status, await response.json()]).toEqual([202, [2, fileName, type, "abc"]]);
    }
  });

  it("keeps each byte of a file, and refuses parts that it can't read", async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const file = new File([bytes, "\r\n\r\n", bytes], "a.bin", { type: "application/octet-stream" });
    const form = new FormData();
    form.set("file", file);
    form.set("count", "2");
    const small = createContractHandler<SmallOperations, object, undefined, unknown>(document, {
      authenticate: "none",
      handlers: { sendForm: ({ body }) => new Response(body.file) },
    });
    const kept = await small(new Request("http://localhost/form", { method: "POST", body: form }));
    expect(await kept.bytes()).toEqual(await file.bytes());
    for (const [part, status, words] of [
      [`${named}filename="a"\r\nContent-Transfer-Encoding: base64\r\n\r\nYWJj`, 400, "send its bytes instead"],
      [count.replace("count", "title").replace("2", "\u00fc"), 202, ""],
      [`Content-Type: text/plain; charset=none\r\n${count}`, 400, "count of the form is not in the charset none"],
    ] as const) {
      const response = await sendForm(`--X\r\n${part}\r\n--X\r\n${named}filename="a"\r\n\r\nb\r\n--X--`);
      expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(words)]);
    }
  });

  it("parses parameters in each place, and keeps unusual names", async () => {
    const small = createContractHandler<SmallOperations, object, undefined, unknown>(document, {
      authenticate: "none",
      handlers: {
        findPoints: ({ path, query, header, cookie }) => ({ status: 200, body: { path, query, header, cookie } }),
      },
    });
    // What is only shown isn't parsed.
    const url = "http://localhost/points/-1.5?near[x]=a&tags=a&tags=b%26&exact=true&__proto__=6";
    const found = await small(new Request(url, { headers: { "x-id": "7", cookie: "size=9; key=%" } }));
    expect([found.status, await found.text()]).toEqual([
      200,
      JSON.stringify({
        path: { point: -1.5 },
        query: { tags: ["a", "b&"], ["__proto__"]: 6, exact: true },
        header: { "X-Id": 7 },
        cookie: { size: 9 },
      }),
    ]);
    const broken = await small(
      new Request("http://localhost/points/x?near[y]=2&exact=yes", { headers: { "x-id": "a" } }),
    );
    const problem: unknown = await broken.json();
    const names = objectsOf(valueAt(problem, ["violations"])).map(({ name }) => name);
    expect([broken.status, names]).toEqual([422, ["point", "exact", "X-Id", "size"]]);
  });

  it("compares no text with a pattern that JavaScript may take exponential time for", async () => {
    const body = content("application/json", { type: "string", pattern: "^(a+)+$" });
    const paths = {
      "/names": { post: { operationId: "addName", requestBody: body, responses: { 204: { description: "" } } } },
    };
    const slow: unknown = { ...document, paths };
    if (!isDocument(slow)) throw new Error("not a document");
    await using folder = await mkdtempDisposable(join(tmpdir(), "server-"));
    const [file, text] = [join(folder.path, "server.ts"), generateServer(readGeneration("slow", slow))];
    await writeFile(file, text.replaceAll("../../scripts", resolve("scripts")));
    await writeFile(join(folder.path, "openapi.json"), JSON.stringify(slow));
    const module: unknown = await import(pathToFileURL(file).href);
    const create = valueAt(module, ["createHandler"]);
    if (typeof create !== "function") throw new Error("there is no createHandler");
    const addName = () => ({ status: 204 });
    const serve: unknown = Reflect.apply(create, undefined, [{ authenticate: "none", handlers: { addName } }]);
    const statusOf = async (name: string) => {
      const sent = new Request("http://localhost/names", json("POST", JSON.stringify(name)));
      const response: unknown = typeof serve === "function" && (await Reflect.apply(serve, undefined, [sent]));
      return response instanceof Response && response.status;
    };
    const name = "a".repeat(10_000);
    expect([await statusOf(name), await statusOf(`${name}b`)]).toEqual([204, 204]);
  });

  const kept: readonly (readonly [name: string, schema: object, stripped: object])[] = [
    ["an object of unknown fields", { type: "object" }, { x: 1, z: { w: 1 } }],
    ["others that are allowed", { ...point, additionalProperties: { type: "object" } }, { x: 1, z: { w: 1 } }],
    ["names with a pattern", { ...point, patternProperties: { "^z": {} } }, { x: 1, z: { w: 1 } }],
    [
      "an alternative of unknown fields",
      { anyOf: [point, { type: "object", required: ["z"] }] },
      { x: 1, z: { w: 1 } },
    ],
    ["fields that are a gap", { ...point, "x-unspecified": ["fields"] }, { x: 1, z: { w: 1 } }],
    [
      "a field of another alternative",
      { anyOf: [point, { type: "object", properties: { z: {} } }] },
      { x: 1, z: { w: 1 } },
    ],
    ["nothing that no alternative lists", { anyOf: [point, { type: "null" }] }, { x: 1 }],
    ["nothing that isn't allowed", { ...point, additionalProperties: false }, { x: 1 }],
    ["nothing in what is listed", { ...point, properties: { x: {}, z: { properties: { v: {} } } } }, { x: 1, z: {} }],
  ];
  it.each(kept)("strips responses, but keeps %s", async (_, schema, stripped) => {
    const paths = {
      "/points": {
        get: {
          operationId: "findPoints",
          responses: { 200: content("application/json", { type: "array", items: schema }) },
        },
      },
    };
    const strict = createContractHandler<SmallOperations, object, undefined, unknown>(
      { ...document, paths },
      {
        authenticate: "none",
        handlers: { findPoints: () => ({ status: 200, body: [{ x: 1, z: { w: 1 } }] }) },
        validateResponses: "strip",
      },
    );
    const response = await strict(new Request("http://localhost/points"));
    expect([response.status, await response.json()]).toEqual([200, [stripped]]);
  });

  it("rejects a response without a required field only where presence is specified", async () => {
    const paths = {
      "/points": { get: { operationId: "findPoints", responses: { 200: content("application/json", point) } } },
    };
    const statuses = [[], ["presence of the fields"]].map(async (gaps) => {
      const info = { ...document.info, "x-unspecified": gaps };
      const lacking = createContractHandler<SmallOperations, object, undefined, unknown>(
        { ...document, info, paths },
        { authenticate: "none", handlers: { findPoints: () => Response.json({ y: 1 }) }, validateResponses: true },
      );
      return (await lacking(new Request("http://localhost/points"))).status;
    });
    expect(await Promise.all(statuses)).toEqual([500, 200]);
  });
});

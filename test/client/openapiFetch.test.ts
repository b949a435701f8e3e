import createFetchClient, { type ClientOptions, type FetchOptions, type Middleware } from "openapi-fetch";
import { describe, expect, it } from "vitest";
import { ApiError, createContractClient, NetworkError } from "../../scripts/client/index.ts";

interface Operation {
  parameters: { query?: Record<string, unknown>; path: { id: string }; header?: Record<string, string | number> };
  requestBody?: { content: { "application/json": unknown } };
  responses: { 200: { content: { "application/json": unknown } } };
}

type Options = ClientOptions & { baseUrl: string };
type Init = Omit<FetchOptions<Operation>, "params"> & { params?: Omit<Operation["parameters"], "path"> };
type Answer = (request: Request, extension?: object) => Response | Promise<Response>;

interface AnyClient {
  readonly POST: (
    url: typeof path,
    init: Omit<Init, "params"> & { params: Operation["parameters"] },
  ) => Promise<{ readonly data?: unknown; readonly error?: unknown; readonly response: Response }>;
  readonly use: (...middleware: Middleware[]) => void;
  readonly eject: (...middleware: Middleware[]) => void;
}

const path = "/things/{id}";
const contract = { schemes: {}, facts: [{ empty: true }] };
const withBody = { schemes: {}, facts: [{}] };
const clients: Record<"openapiFetch" | "ours", (options: Options) => AnyClient> = {
  openapiFetch: (options) => createFetchClient<Record<typeof path, { post: Operation }>>(options),
  ours: (options) => createContractClient<{ post: Record<typeof path, Operation> }>(contract, options),
};

/** What a call sends and resolves to, as one client or the other makes it, or what it rejects with. */
async function callWith(
  client: keyof typeof clients,
  { answer = () => Response.json({ a: 1 }), middleware = [], ...options }: CallOptions,
  { params, ...init }: Init,
): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  const { POST, use } = clients[client]({
    baseUrl: "http://service.example/base/",
    ...options,
    fetch: async (request: Request, extension?: object) => {
      const { url, method, cache, credentials } = request;
      const next: unknown = Reflect.get(request, "next");
      seen.push({ url, method, cache, credentials, next, headers: [...request.headers], extension });
      seen.push(await request.clone().text());
      return answer(request, extension);
    },
  });
  use(...middleware.map((create) => create(seen)));
  try {
    const { data, error, response } = await POST(path, {
      params: { path: { id: "a b" }, ...params },
      ...init,
    });
    return [...seen, data, error, response.status];
  } catch (error) {
    return [...seen, String(error)];
  }
}

type CallOptions = Omit<Options, "fetch" | "baseUrl"> & {
  baseUrl?: string;
  answer?: Answer;
  middleware?: readonly ((seen: unknown[]) => Middleware)[];
};

/** Middleware that tells what it sees. */
const watching =
  (name: string, { onRequest, onResponse, onError }: Partial<Middleware> = {}) =>
  (seen: unknown[]): Middleware => ({
    onRequest: ({ id, options: { fetch, ...options }, request, ...rest }) => {
      const types = Object.entries(options).map(([key, value]) => [key, typeof value]);
      seen.push([name, "request", request.url, typeof id, typeof fetch, Object.fromEntries(types), rest]);
      return onRequest?.({ id, options: { fetch, ...options }, request, ...rest });
    },
    onResponse: (context) => {
      seen.push([name, "response", context.response.status, context.request.url]);
      return onResponse?.(context);
    },
    onError: (context) => {
      seen.push([name, "error", context.request.url]);
      return onError?.(context);
    },
  });

const form = { "Content-Type": "application/x-www-form-urlencoded" };
const examples: Record<string, [CallOptions, Init]> = {
  "nothing given": [{}, {}],
  "a body": [{}, { body: { a: "å" } }],
  "a body that is text": [{}, { body: "a" }],
  "a form": [{}, { body: { a: "b c", d: "&" }, headers: form }],
  "a form, as its header parameter says": [{}, { body: { a: "b" }, params: { header: form } }],
  "a form, as the client's headers say": [{ headers: form }, { body: { a: "b" } }],
  "a body that its serializer leaves out": [{}, { body: {}, bodySerializer: () => undefined }],
  "a body without a media type": [{}, { body: {}, headers: { "Content-Type": null } }],
  "another media type": [{}, { body: {}, headers: new Headers({ "content-type": "application/a+json" }) }],
  "headers in three places": [
    { headers: { a: "1", b: "1", c: "1", d: "1" } },
    { headers: { b: 2, c: ["2", true], d: null }, params: { header: { c: 3 } } },
  ],
  "headers that are undefined": [{ headers: { a: "1" } }, { headers: { a: undefined } }],
  "query parameters": [{}, { params: { query: { a: "b c", d: [1, 2], e: { f: 3 }, g: null, h: undefined, i: [] } } }],
  "query serialization by the client": [
    { querySerializer: { array: { style: "pipeDelimited", explode: false } } },
    { params: { query: { d: [1, 2], e: { f: 3 } } } },
  ],
  "query serialization by both": [
    { querySerializer: { array: { style: "pipeDelimited", explode: false } } },
    {
      params: { query: { d: [1, 2], e: { f: 3 }, g: "/" } },
      querySerializer: { object: { style: "form", explode: false }, allowReserved: true },
    },
  ],
  "a query serializer of the client": [{ querySerializer: () => "?a=1" }, { params: { query: { b: 2 } } }],
  "a query serializer of the call": [{ querySerializer: () => "a=1" }, { querySerializer: () => "b=2" }],
  "a query serializer of the client, options of the call": [
    { querySerializer: () => "a=1" },
    { params: { query: { a: [1] } }, querySerializer: { array: { style: "form", explode: false } } },
  ],
  "body and path serializers": [{ bodySerializer: () => "1", pathSerializer: (url) => `${url}/1` }, { body: {} }],
  "body and path serializers of the call": [
    { bodySerializer: () => "1", pathSerializer: (url) => `${url}/1` },
    { body: {}, bodySerializer: () => "2", pathSerializer: (url, { id }) => `${url}/${String(id)}` },
  ],
  "options of fetch": [
    { cache: "no-store", credentials: "omit" },
    { credentials: "include", ...{ next: { tags: [] } } },
  ],
  "another base URL": [{}, { baseUrl: "http://other.example/" }],
  "an empty base URL for a call": [{}, { baseUrl: "" }],
  "an extension of fetch": [{ requestInitExt: { dispatcher: 1 } }, {}],
  "a failure with JSON": [{ answer: () => Response.json({ a: 1 }, { status: 400 }) }, {}],
  "a failure with text": [{ answer: () => new Response("no", { status: 400 }) }, {}],
  "a failure with text, where a Blob was asked for": [
    { answer: () => new Response("no", { status: 400 }) },
    { parseAs: "blob" },
  ],
  "an empty success": [{ answer: () => new Response(null, { status: 204 }) }, {}],
  text: [{ answer: () => new Response("{}") }, { parseAs: "text" }],
  middleware: [{ middleware: [watching("a"), watching("b")] }, {}],
  "middleware where header parameters are given and empty": [
    { middleware: [watching("a")] },
    { params: { header: {} } },
  ],
  "middleware of a call": [
    { middleware: [watching("a")] },
    { middleware: [watching("c")([])], params: { query: { d: 1 }, header: { e: "f" } } },
  ],
  "middleware that changes request and response": [
    {
      middleware: [
        watching("a", {
          onRequest: ({ request }) => new Request(`${request.url}?a=1`, request),
          onResponse: () => Response.json({ b: 2 }, { status: 201 }),
        }),
        watching("b", { onResponse: () => Response.json({ c: 3 }, { status: 202 }) }),
      ],
    },
    {},
  ],
  "middleware that answers": [
    { middleware: [watching("a"), watching("b", { onRequest: () => Response.json({ b: 2 }) }), watching("c")] },
    {},
  ],
  "middleware that throws": [
    {
      middleware: [
        watching("a"),
        watching("b", {
          onRequest: () => {
            throw new Error("no");
          },
        }),
      ],
    },
    {},
  ],
  "middleware that makes an answer of an error": [
    {
      answer: () => Promise.reject(new Error("no")),
      middleware: [watching("a"), watching("b", { onError: () => Response.json({ b: 2 }) }), watching("c")],
    },
    {},
  ],
  "middleware that makes another error of an error": [
    {
      answer: () => Promise.reject(new Error("no")),
      middleware: [watching("a"), watching("b", { onError: () => new Error("another") }), watching("c")],
    },
    {},
  ],
  "middleware that makes an error with a status of an error": [
    {
      answer: () => Promise.reject(new Error("no")),
      middleware: [watching("a"), watching("b", { onError: () => Object.assign(new Error("no"), { status: 503 }) })],
    },
    {},
  ],
  "middleware that gives false in place of nothing, as JavaScript may": [
    // @ts-expect-error -- it does not for `response.ok || log(response)`
    { middleware: [watching("a", { onRequest: () => false, onResponse: () => false })] },
    {},
  ],
  "middleware that gives false in place of an error, as JavaScript may": [
    {
      answer: () => Promise.reject(new Error("no")),
      // @ts-expect-error -- as above
      middleware: [watching("a", { onError: () => false }), watching("b", { onError: () => new Error("another") })],
    },
    {},
  ],
  "no middleware in place of some, as JavaScript may": [
    // @ts-expect-error -- it does for `isTest && middleware`
    { middleware: [() => undefined, watching("a")] },
    // @ts-expect-error -- as above
    { middleware: [false, watching("b")([])] },
  ],
  "middleware that sends a request again": [
    {
      answer: ({ headers }) => new Response("1", { status: headers.has("again") ? 200 : 503 }),
      middleware: [
        watching("a", {
          onResponse: ({ request, options }) => options.fetch(new Request(request.url, { headers: { again: "1" } })),
        }),
      ],
    },
    {},
  ],
};

describe("a call is made and answered as by openapi-fetch (0.17), with", () => {
  it.each(Object.entries(examples))("%s", async (_, [options, init]) => {
    expect(await callWith("ours", options, init)).toEqual(await callWith("openapiFetch", options, init));
  });
});

describe.each(Object.entries(clients))("middleware of %s", (_, createClient) => {
  it("is no more asked when it is taken out", async () => {
    const client = createClient({ baseUrl: "http://service.example", fetch: () => Promise.resolve(Response.json({})) });
    const asked: string[] = [];
    const [first, second] = ["first", "second"].map((name) => ({ onRequest: () => void asked.push(name) }));
    if (!first || !second) throw new Error("unreachable");
    client.use(first, second);
    client.eject(first);
    await client.POST(path, { params: { path: { id: "1" } } });
    expect(asked).toEqual(["second"]);
  });
});

describe("on purpose, a call differs from openapi-fetch's where", () => {
  /** What a call with both clients rejects with, or else its URL, data and error. */
  async function callBoth(id: unknown, answer: () => Response | Promise<never>): Promise<readonly unknown[]> {
    const paths: string[] = [];
    const options = {
      baseUrl: "http://service.example",
      fetch: async ({ url }: Request) => {
        paths.push(new URL(url).pathname);
        return answer();
      },
    };
    const ours = createContractClient<{ post: Record<typeof path, Operation> }>(withBody, options);
    const both = [ours, clients.openapiFetch(options)].map(async ({ POST }) => {
      // @ts-expect-error -- a path parameter may be anything in JavaScript
      const { data, error } = await POST(path, { params: { path: { id } } });
      return { path: paths.at(-1), data, error };
    });
    return Promise.all(both.map((call) => call.catch((error: unknown) => error)));
  }
  const json = () => Response.json(1);

  it.each([undefined, null])("a path parameter is %s", async (id) => {
    const [ours, theirs] = await callBoth(id, json);
    expect(ours).toBeInstanceOf(TypeError);
    expect(theirs).toMatchObject({ path: "/things/%7Bid%7D", data: 1 });
  });

  it.each([
    ["", "/things/"],
    [".", "/things/"],
    ["..", "/"],
  ])("a path parameter is %j", async (id, path) => {
    const [ours, theirs] = await callBoth(id, json);
    expect(ours).toBeInstanceOf(TypeError);
    expect(theirs).toMatchObject({ path, data: 1 });
  });

  it("no response arrives", async () => {
    const reason = new TypeError("fetch failed");
    const [ours, theirs] = await callBoth("1", () => Promise.reject(reason));
    expect(ours).toBeInstanceOf(NetworkError);
    expect(ours).toMatchObject({ cause: { message: "fetch failed" } });
    expect(theirs).toBe(reason);
  });

  it.each([new Response(), new Response(null, { status: 204 })])("a success has no body", async (response) => {
    const [ours, theirs] = await callBoth("1", () => response.clone());
    expect(ours).toBeInstanceOf(ApiError);
    expect(theirs).toMatchObject({ data: undefined, error: undefined });
  });

  it("a success is not JSON", async () => {
    const [ours, theirs] = await callBoth("1", () => new Response("no"));
    expect(ours).toBeInstanceOf(ApiError);
    expect(ours).toMatchObject({ body: "no" });
    expect(theirs).toBeInstanceOf(SyntaxError);
  });

  it("a body has a false Content-Length", async () => {
    const headers = { "content-length": "0" };
    expect(await callBoth("1", () => new Response("1", { headers }))).toMatchObject([{ data: 1 }, { data: undefined }]);
  });

  it("a failure has no body", async () => {
    expect(await callBoth("1", () => new Response("", { status: 500 }))).toMatchObject([
      { error: undefined },
      { error: "" },
    ]);
    const headers = { "content-length": "0" };
    const sized = await callBoth("1", () => new Response(null, { status: 500, headers }));
    expect(sized).toMatchObject([{ error: undefined }, { error: undefined }]);
  });
});

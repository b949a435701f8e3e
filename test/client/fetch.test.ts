import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createClient, NetworkError } from "../../generated/v2/client.ts";
import { createContractClient } from "../../scripts/client/index.ts";
import { fetchWithRetry, fetchWithTimeout } from "../../scripts/client/fetch.ts";
import { createOAuthClientRequest } from "../../generated/v2/examples.ts";

const teamPath = "/v2/organizations/{orgId}/teams/{teamId}";
const init = { params: { path: { orgId: 42, teamId: 7 } } };
const respond = (status: number, headers = {}) => Response.json({ status: "success" }, { status, headers });
const refuseOnce = (attempt: number) => respond(attempt === 1 ? 503 : 200);

beforeEach(() => {
  // Nobody has to wait: the clock goes on to the next timer at once.
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: Date.parse("2026-03-17T13:00:00Z") });
  vi.setTimerTickMode("nextTimerAsync");
  vi.spyOn(Math, "random").mockReturnValue(1);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Lets the platform's `fetch` answer each attempt like this; gives the attempts, and the times between them. */
function stubFetch(answer: (attempt: number) => Response | Error) {
  const attempts: { readonly at: number; readonly sent: string; readonly options: RequestInit }[] = [];
  vi.stubGlobal("fetch", async (request: Request, options: RequestInit = {}) => {
    const sent = `${request.headers.get("authorization") ?? ""} ${await request.text()}`;
    (options.signal ?? request.signal).throwIfAborted();
    const answered = answer(attempts.push({ at: Date.now(), sent, options }));
    if (answered instanceof Error) throw answered;
    return answered;
  });
  return { attempts, waits: () => attempts.slice(1).map(({ at }, index) => at - (attempts[index]?.at ?? 0)) };
}

const { patientPortal: portal } = createOAuthClientRequest;

const createClientWith = (fetch = fetchWithRetry()) =>
  createClient({ baseUrl: "https://api.example", auth: { apiKey: "svc_test" }, fetch });

describe("fetchWithRetry", () => {
  it("repeats refused requests after Retry-After, with credentials and body", async () => {
    const answers = [
      () => respond(503, { "retry-after": "7" }),
      () => respond(429, { "retry-after": new Date(Date.now() + 30_000).toUTCString() }),
      () => respond(503, { "retry-after": "0" }),
      () => respond(201),
    ];
    const { attempts, waits } = stubFetch((attempt) => answers[attempt - 1]?.() ?? new Error("one attempt too many"));
    const { response } = await createClientWith().POST("/v2/oauth-clients", { body: portal });
    expect(response.status).toBe(201);
    expect(attempts.map(({ sent }) => sent)).toEqual(
      Array<string>(4).fill(`Bearer svc_test ${JSON.stringify(portal)}`),
    );
    expect(waits()).toEqual([7_000, 30_000, 2_000]);
  });

  it.each([
    [503, {}, 4],
    [429, { "retry-after": "soon" }, 4],
    [503, { "retry-after": "61" }, 1],
    [408, {}, 4],
    [500, { "retry-after": "1" }, 4],
    [502, {}, 4],
    [504, {}, 4],
    [501, { "retry-after": "1" }, 1],
    [404, {}, 1],
  ])("gives a %d with %j after this many attempts: %d", async (status, headers, count) => {
    const { attempts } = stubFetch(() => respond(status, headers));
    const { response, error } = await createClientWith().GET(teamPath, init);
    expect([response.status, error]).toEqual([status, { status: "success" }]);
    expect(attempts).toHaveLength(count);
  });

  it("repeats only idempotent requests that get no response, and waits longer each time", async () => {
    const post = stubFetch(() => new TypeError("reset"));
    const posting = createClientWith().POST("/v2/oauth-clients", { body: portal });
    await expect(posting).rejects.toThrow(NetworkError);
    expect(post.attempts).toHaveLength(1);

    const get = stubFetch(() => new TypeError("reset"));
    await expect(createClientWith().GET(teamPath, init)).rejects.toThrow(NetworkError);
    expect(get.waits()).toEqual([500, 1_000, 2_000]);
  });

  it("repeats other methods without Retry-After only if they are listed", async () => {
    stubFetch(refuseOnce);
    const post = (fetch = fetchWithRetry()) => createClientWith(fetch).POST("/v2/oauth-clients", { body: portal });
    expect((await post()).response.status).toBe(503);
    stubFetch(refuseOnce);
    expect((await post(fetchWithRetry({ methods: ["GET", "POST"] }))).response.status).toBe(200);
  });

  it("repeats other methods only after a refusal, and only after the statuses that are listed", async () => {
    const failed = stubFetch(() => respond(500, { "retry-after": "1" }));
    await createClientWith().POST("/v2/oauth-clients", { body: portal });
    expect(failed.attempts).toHaveLength(1);

    const listed = fetchWithRetry({ statuses: [503, 599] });
    const unlisted = stubFetch(() => respond(429, { "retry-after": "1" }));
    await createClientWith(listed).POST("/v2/oauth-clients", { body: portal });
    expect(unlisted.attempts).toHaveLength(1);
    const own = stubFetch(() => respond(599));
    await createClientWith(listed).GET(teamPath, init);
    expect(own.attempts).toHaveLength(4);
  });

  it("repeats a POST with an Idempotency-Key, which stays the same", async () => {
    const client = createContractClient<{
      post: { "/things": { parameters: { header?: { "Idempotency-Key"?: string } }; responses: object } };
    }>({ schemes: {}, facts: [{ empty: true }] }, { baseUrl: "https://api.example", fetch: fetchWithRetry() });
    const keys: (string | null)[] = [];
    vi.stubGlobal("fetch", ({ headers }: Request) => {
      keys.push(headers.get("idempotency-key"));
      return Promise.resolve(respond(500));
    });
    await client.POST("/things", { params: { header: { "Idempotency-Key": "a1" } } });
    await client.POST("/things");
    expect(keys).toEqual(["a1", "a1", "a1", "a1", null]);
  });

  it("waits at random, up to the maximum time and number of attempts", async () => {
    const { waits } = stubFetch(() => respond(503));
    const calling = createClientWith(fetchWithRetry({ attempts: 6, maxWait: 3_000 })).GET(teamPath, init);
    expect((await calling).response.status).toBe(503);
    expect(waits()).toEqual([500, 1_000, 2_000, 3_000, 3_000]);

    const late = stubFetch(() => respond(503, { "retry-after": "1790000000" }));
    await createClientWith(fetchWithRetry({ maxWait: Infinity })).GET(teamPath, init);
    expect(late.attempts).toHaveLength(1);

    const random = stubFetch(() => respond(503));
    vi.mocked(Math.random).mockReturnValue(0.5);
    await createClientWith(fetchWithRetry({ attempts: 3 })).GET(teamPath, init);
    expect(random.waits()).toEqual([250, 500]);
  });

  it("ends its waiting when the call is aborted, and leaves no timer", async () => {
    const controller = new AbortController();
    const { attempts } = stubFetch(() => {
      setTimeout(() => {
        controller.abort("no longer wanted");
      }, 100);
      return respond(503, { "retry-after": "20" });
    });
    const reading = createClientWith().GET(teamPath, { ...init, signal: controller.signal });
    const end = reading.then(
      () => "no error",
      (error: unknown) => [error, Date.now() - (attempts[0]?.at ?? 0), vi.getTimerCount()],
    );
    expect(await end).toEqual(["no longer wanted", 100, 0]);
    expect(attempts).toHaveLength(1);
  });

  it("cancels the body of a discarded response", async () => {
    const cancelled = vi.fn();
    stubFetch((attempt) =>
      attempt === 1 ? new Response(new ReadableStream({ cancel: cancelled }), { status: 503 }) : respond(200),
    );
    expect((await createClientWith().GET(teamPath, init)).response.status).toBe(200);
    expect(cancelled).toHaveBeenCalledOnce();
  });

  it("accepts the arguments of the platform's fetch, and forwards options that a request cannot hold", async () => {
    const { attempts } = stubFetch(refuseOnce);
    const given = { method: "PUT", body: "text", priority: "low" } as const;
    expect((await fetchWithRetry()("https://api.example/", given)).status).toBe(200);
    expect(attempts).toMatchObject(Array(2).fill({ sent: " text", options: { priority: "low" } }));
  });
});

describe("fetchWithTimeout", () => {
  const timeOut = () => {
    const controller = new AbortController();
    queueMicrotask(() => {
      controller.abort(new DOMException("", "TimeoutError"));
    });
    return controller.signal;
  };

  it("limits all calls", async () => {
    const { attempts } = stubFetch(() => respond(200));
    const limit = vi.spyOn(AbortSignal, "timeout").mockImplementation(timeOut);
    const reading = createClientWith(fetchWithTimeout({ timeout: 10_000 })).GET(teamPath, init);
    await expect(reading).rejects.toMatchObject({ name: "NetworkError", cause: { name: "TimeoutError" } });
    expect(limit).toHaveBeenCalledWith(10_000);
    expect(attempts).toEqual([]);
  });

  it.each([NaN, -1, 0.5, Infinity])("refuses a timeout of %s at once", (timeout) => {
    expect(() => fetchWithTimeout({ timeout })).toThrow(`must be a whole number of milliseconds, not ${timeout}`);
  });

  it("limits each attempt of fetchWithRetry", async () => {
    const { attempts } = stubFetch(() => respond(200));
    const limit = vi.spyOn(AbortSignal, "timeout").mockImplementationOnce(timeOut);
    const client = createClientWith(fetchWithRetry({ fetch: fetchWithTimeout({ timeout: 10_000 }) }));
    expect((await client.GET(teamPath, init)).response.status).toBe(200);
    expect([attempts.length, limit.mock.calls]).toEqual([1, [[10_000], [10_000]]]);
  });

  it("passes on the end of a timeout and of the call's signal", async () => {
    for (const ends of ["timeout", "call"]) {
      const [timeout, call] = [new AbortController(), new AbortController()];
      vi.spyOn(AbortSignal, "timeout").mockReturnValue(timeout.signal);
      vi.stubGlobal("fetch", async (_: Request, { signal }: RequestInit) => {
        (ends === "call" ? call : timeout).abort("ended");
        await Promise.resolve();
        signal?.throwIfAborted();
      });
      const own = fetchWithTimeout({ timeout: 10_000 });
      await expect(own("https://api.example/", { signal: call.signal })).rejects.toBe("ended");
    }
  });
});

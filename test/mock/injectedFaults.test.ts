import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { readGeneration, type Generation } from "../../scripts/contract/generation.ts";
import type { FaultRule, Mock, RequestEntry } from "../../scripts/mock/mockTypes.ts";
import { startServer } from "../../scripts/mock/server/server.ts";
import { logged } from "./requestLog.ts";

const text = "0123456789".repeat(4);
const content = (example: unknown) => ({ "application/json": { schema: { type: ["object", "string"] }, example } });

/** A generation that reads a value and writes it. For one status it has the example of a failure. */
function generationOf(name: string): Generation {
  return readGeneration(name, {
    openapi: "3.1.1",
    paths: {
      [`/${name}/value`]: {
        get: {
          operationId: "readValue",
          responses: {
            "200": { description: "", content: content(text) },
            "503": { description: "", headers: { "Retry-After": { example: 7 } }, content: content({ busy: true }) },
            default: { description: "", content: { "application/json": { schema: {} } } },
          },
        },
        post: {
          operationId: "writeValue",
          requestBody: { required: true, content: content("x") },
          responses: { "204": { description: "" } },
        },
      },
    },
  });
}

const generations = [generationOf("a"), generationOf("b")];
let mock: Mock;
const entries: RequestEntry[] = [];

beforeAll(async () => {
  mock = await startServer({ generations, onResponse: (entry) => entries.push(entry) });
});
afterAll(async () => {
  await mock.close();
});
beforeEach(() => {
  mock.faults.clear();
  entries.length = 0;
});

const read = (init: RequestInit = {}, generation = "a") => fetch(`${mock.url}/${generation}/value`, init);

function control(method: string, body?: unknown) {
  return fetch(`${mock.url}/-/mock/faults`, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
}

describe("/-/mock/faults", () => {
  test("lists, replaces, adds and removes rules", async () => {
    const [first, second]: FaultRule[] = [{ operation: "readValue", status: 500 }, { delay: 5 }];
    expect(await (await control("PUT", [first])).json()).toMatchObject([first]);
    expect(await (await control("POST", second)).json()).toMatchObject([first, second]);
    expect(await (await control("GET")).json()).toMatchObject([first, second]);
    expect(mock.faults.list()).toMatchObject([first, second]);
    expect(await (await control("PUT", [second])).json()).toMatchObject([second]);
    expect(await (await control("DELETE")).json()).toEqual([]);
    expect((await read()).status).toBe(200);
  });

  const rule = { operation: "readValue", status: 500 };
  test.each([
    [{}, "", "The rules must be an array."],
    [[7], "/0", "/0 must be an object; received 7."],
    [[rule, { operation: "readValue" }], "/1", "must have at least one of status, delay, bytesPerSecond, delivery"],
    [[{ ...rule, operation: "readVlaue" }], "/0/operation", "did you mean readValue?"],
    [[{ ...rule, generation: "v" }], "/0/generation", "no generation has the name"],
    [[{ ...rule, operation: 7 }], "/0/operation", "must be a string"],
    [[{ ...rule, status: 200 }], "/0/status", "/0/status must be at least 400; received 200."],
    [[{ ...rule, retryAfter: -1 }], "/0/retryAfter", "/0/retryAfter must be at least 0"],
    [[{ ...rule, delay: 60_001 }], "/0/delay", "/0/delay must be a number of milliseconds from 0 to 60000"],
    [[{ ...rule, delay: [2, 1] }], "/0/delay", "the smaller one first"],
    [[{ ...rule, delay: [-1, 2] }], "/0/delay", "from 0 to 60000"],
    [[{ ...rule, delay: [1, 2, 3] }], "/0/delay", "an array of two of them"],
    [[{ ...rule, bytesPerSecond: 0 }], "/0/bytesPerSecond", "/0/bytesPerSecond must be at least 1"],
    [[{ ...rule, delivery: "toString" }], "/0/delivery", 'must be one of "none", "reset", "truncated"'],
    [[{ ...rule, times: 1.5 }], "/0/times", "must be an integer; received 1.5"],
    [[{ ...rule, probability: "1" }], "/0/probability", 'must be a number; received "1"'],
    [[{ ...rule, "a/b": 1 }], "/0", '/0 must not have "a/b"; it may have id, operation, generation, times, status'],
  ])("refuses %j", async (rules, pointer, words) => {
    const response = await control("PUT", rules);
    expect([response.status, response.headers.get("content-type")]).toEqual([422, "application/problem+json"]);
    const message: unknown = expect.stringContaining(words);
    expect(await response.json()).toMatchObject({ violations: [{ in: "body", pointer, message }] });
    expect(mock.faults.list()).toEqual([]);
  });

  test("refuses to add an invalid rule, and a rule too many", async () => {
    const misspelled: unknown = await (await control("POST", { operation: "valueW", status: 500 })).json();
    expect(misspelled).toMatchObject({
      detail: '/operation: no operation has the operationId "valueW": did you mean writeValue?',
      violations: [{ pointer: "/operation", expected: "writeValue" }],
    });
    expect(await (await control("POST", [rule])).text()).toContain("The rule must be an object");
    const rules = Array.from({ length: 100 }, () => rule);
    expect(await (await control("PUT", [...rules, rule])).text()).toContain("at most 100 rules");
    mock.faults.set(rules);
    expect((await control("POST", rule)).status).toBe(422);
    expect(() => {
      mock.faults.add(rule);
    }).toThrow(TypeError);
  });

  test("lists at most some 20 faults of many, and names in time the nearest to long ones", async () => {
    const rules = Array.from({ length: 100 }, () => ({ operation: "x".repeat(900), status: 500 }));
    expect((await (await control("PUT", rules)).text()).match(/"pointer"/g)).toHaveLength(20);
  });

  test("answers other methods, paths and bodies as the mock does elsewhere", async () => {
    const origin = mock.url;
    const response = await fetch(`${mock.url}/-/mock/faults`, { method: "PATCH", headers: { origin } });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, PUT, POST, DELETE, HEAD, OPTIONS"]);
    expect(response.headers.get("access-control-allow-origin")).toBe(origin);
    const headers = { origin, "access-control-request-method": "PUT" };
    const preflight = await fetch(`${mock.url}/-/mock/faults`, { method: "OPTIONS", headers });
    expect([preflight.status, preflight.headers.get("access-control-allow-methods")]).toEqual([204, "PUT"]);
    expect((await fetch(`${mock.url}/-/mock/faults`, { method: "PUT", body: "[" })).status).toBe(400);
    const unknown = await fetch(`${mock.url}/-/mock/fault`);
    expect([unknown.status, await unknown.text()]).toEqual([404, expect.stringContaining("/-/mock/faults (GET")]);
    expect((await fetch(`${mock.url}/-/mock/faults`, { method: "HEAD" })).status).toBe(200);
  });
});

describe("a rule", () => {
  test("gives the failure that the contract has an example of", async () => {
    mock.faults.set([{ operation: "readValue", status: 503 }]);
    const response = await read();
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "7"]);
    expect(await response.json()).toEqual({ busy: true });
    expect(entries[0]?.reason).toBe('The fault rule {"operation":"readValue","status":503} applies.');
  });

  test("gives a failure that says who asked for it, with Retry-After, to requests right and wrong", async () => {
    const asked = 'The fault rule {"operation":"writeValue","status":429,"retryAfter":2} applies.';
    mock.faults.set([{ operation: "writeValue", status: 429, retryAfter: 2 }]);
    for (const body of ['"right"', "wrong"]) {
      const init = { method: "POST", body, headers: { "content-type": "application/json" } };
      const response = await read(init);
      expect([response.status, response.headers.get("retry-after")]).toEqual([429, "2"]);
      expect(await response.json()).toEqual({
        type: "about:blank",
        title: "Too Many Requests",
        status: 429,
        detail: `${asked} The request may be correct.`,
      });
    }
    expect(entries.map(({ reason }) => reason)).toEqual([asked, asked]);
    mock.faults.set([{ operation: "readValue", status: 500 }]);
    expect((await read()).headers.get("content-type")).toBe("application/problem+json");
  });

  test("applies as often as it says, and the first of several first", async () => {
    mock.faults.set([
      { operation: "readValue", status: 500, times: 2 },
      { operation: "readValue", status: 429, times: 1 },
      { status: 404 },
    ]);
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await read()).status);
    expect(statuses).toEqual([500, 500, 429, 404]);
    expect(mock.faults.list()).toMatchObject([{ status: 404 }]);
    const once = { status: 404, times: 1 };
    mock.faults.set([once, once]);
    await read();
    expect(mock.faults.list()).toMatchObject([once]);
  });

  test("concerns the session that it was set in", async () => {
    const session = { headers: { "x-mock-session": "one" } };
    const rule = { operation: "readValue", status: 500 };
    await fetch(`${mock.url}/-/mock/faults`, { method: "PUT", body: JSON.stringify([rule]), ...session });
    expect([(await read()).status, (await read(session)).status]).toEqual([200, 500]);
    expect([mock.faults.list(), mock.faults.list("one")]).toMatchObject([[], [rule]]);
    mock.faults.add({ delay: 1 }, "one");
    mock.faults.set([{ ...rule, status: 400 }], "two");
    mock.faults.clear("two");
    expect([mock.faults.list("one"), mock.faults.list("two")]).toMatchObject([[rule, { delay: 1 }], []]);
  });

  test("concerns one generation where it names one", async () => {
    mock.faults.set([{ operation: "readValue", generation: "b", status: 500 }]);
    expect([(await read()).status, (await read({}, "b")).status]).toEqual([200, 500]);
  });

  test("is refused in the same words where a program sets it", () => {
    expect(() => {
      mock.faults.set([{ operation: "readVlaue", status: 500 }]);
    }).toThrow(new TypeError('/0/operation: no operation has the operationId "readVlaue": did you mean readValue?'));
  });

  test("stays when other generations are served", async () => {
    await using other = await startServer({ generations: [generationOf("a")] });
    other.faults.set([{ operation: "readValue", status: 500 }]);
    other.replace([generationOf("c")]);
    expect((await fetch(`${other.url}/c/value`)).status).toBe(500);
  });
});

describe("a seed", () => {
  const rules: FaultRule[] = [
    { operation: "readValue", status: 500, probability: 0.3 },
    { operation: "readValue", delay: [0, 3], probability: 0.5 },
  ];
  /** What happened to 60 requests in turn, and to other requests between them. */
  async function outcomes(seed: string, others: number) {
    const seen: RequestEntry[] = [];
    await using seeded = await startServer({ generations, seed, fail: 0.2, onResponse: (entry) => seen.push(entry) });
    seeded.faults.set(rules);
    for (let count = 0; count < 60; count += 1) {
      await seeded.fetch(`${seeded.url}/a/value`);
      for (let other = 0; other < others; other += 1) await seeded.fetch(`${seeded.url}/b/value`);
    }
    return seen.filter(({ target }) => target === "/a/value").map(({ status, reason }) => ({ status, reason }));
  }

  test("gives the same requests the same faults, whatever is requested between them", async () => {
    const first = await outcomes("7", 0);
    expect(await outcomes("7", 2)).toEqual(first);
    expect(await outcomes("8", 0)).not.toEqual(first);
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set([200, 500, 503]));
  });

  test("counts from the last change of the rules", async () => {
    await using seeded = await startServer({ generations, seed: "7" });
    const rounds: number[][] = [[], []];
    for (const statuses of rounds) {
      seeded.faults.set(rules);
      for (let count = 0; count < 30; count += 1) statuses.push((await seeded.fetch(`${seeded.url}/a/value`)).status);
    }
    expect(rounds[1]).toEqual(rounds[0]);
  });
});

describe("latency and fail", () => {
  test("apply to every operation, and to nothing else", async () => {
    const seen: RequestEntry[] = [];
    const onResponse = (entry: RequestEntry) => seen.push(entry);
    await using slow = await startServer({ generations, latency: [40, 60], fail: 1, onResponse });
    const response = await slow.fetch(`${slow.url}/b/value`, { method: "POST" });
    expect([response.status, await response.json()]).toEqual([
      503,
      expect.objectContaining({
        detail: "The mock was started to fail requests with a probability of 1. The request may be correct.",
      }),
    ]);
    expect((await slow.fetch(`${slow.url}/nowhere`)).status).toBe(404);
    expect((await slow.fetch(`${slow.url}/-/mock/faults`)).status).toBe(200);
    // A timer may end a fraction of a millisecond early.
    expect(seen[0]?.milliseconds).toBeGreaterThan(39);
  });

  test.each([
    [{ latency: -1 }, "latency must be a number of milliseconds"],
    [{ latency: Number.NaN }, "latency must be a number of milliseconds"],
    [{ fail: 5 }, "fail must be a number from 0 to 1"],
  ])("are refused where they are %j", async (options, words) => {
    await expect(startServer({ generations, ...options })).rejects.toThrow(words);
  });
});

describe("Prefer: delay", () => {
  test("makes one response late, and counts more than a rule", async () => {
    mock.faults.set([{ delay: 60_000 }]);
    const response = await read({ headers: { prefer: "delay=50" } });
    expect(response.status).toBe(200);
    expect(entries[0]?.milliseconds).toBeGreaterThan(49);
  });

  test.each(["60001", "soon", "-1", "1e3"])(
    "is refused where it is %s, also after the same response",
    async (delay) => {
      for (const prefer of ["delay=0", `delay=${delay}`]) {
        const response = await read({ headers: { prefer } });
        const isRefused = prefer !== "delay=0";
        expect(response.status).toBe(isRefused ? 422 : 200);
        expect((await response.text()).includes("delay is a whole number of milliseconds from 0 to 60000")).toBe(
          isRefused,
        );
      }
    },
  );
});

/** Sends a request over a connection of its own, and collects what arrives until the connection ends. */
function open(url: string, count = 1) {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.write("GET /a/value HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(count));
  return { socket, chunks, received: () => Buffer.concat(chunks).toString() };
}

/** How a connection ends: with an error's code, or without one. */
async function endOf(socket: Socket): Promise<string> {
  let code = "closed";
  socket.on("error", (error: NodeJS.ErrnoException) => (code = error.code ?? ""));
  await new Promise((resolve) => socket.once("close", resolve));
  return code;
}

describe("a response over a connection", () => {
  const body = JSON.stringify(text);

  test("is a reset", async () => {
    mock.faults.set([{ operation: "readValue", delivery: "reset", times: 1 }]);
    const { socket, received } = open(mock.url);
    expect([await endOf(socket), received()]).toEqual(["ECONNRESET", ""]);
    const resetting = 'The fault rule {"operation":"readValue","delivery":"reset","times":1} applies.';
    expect(entries).toMatchObject([{ status: 200, reason: resetting, fault: { delivery: "reset" } }]);
    expect(entries.map((entry) => logged(entry))).toMatchObject([
      { status: "---", notes: ["fault: connection reset"] },
    ]);
    expect((await read()).status).toBe(200);
  });

  test("ends halfway", async () => {
    mock.faults.set([{ operation: "readValue", delivery: "truncated" }]);
    const { socket, received } = open(mock.url);
    expect(await endOf(socket)).toBe("closed");
    const [head = "", half = ""] = received().split("\r\n\r\n");
    expect(head).toContain(`content-length: ${body.length}`);
    expect(half).toBe(body.slice(0, body.length / 2));
    await expect(read().then((response) => response.text())).rejects.toThrow("terminated");
    await expect(read({ method: "HEAD" })).rejects.toThrow("fetch failed");
    expect(entries.map((entry) => logged(entry))).toMatchObject([
      { status: "200", method: "GET", notes: ["fault: cut off halfway"] },
      { status: "200", method: "GET", notes: ["fault: cut off halfway"] },
      { status: "---", method: "HEAD", notes: ["fault: connection reset"] },
    ]);
  });

  test("comes slowly, and then the connection serves on", async () => {
    mock.faults.set([{ operation: "readValue", bytesPerSecond: 400, times: 1 }]);
    const { socket, chunks, received } = open(mock.url, 2);
    await expect.poll(() => received().split(body)).toHaveLength(3);
    expect(chunks.length).toBeGreaterThan(2);
    socket.destroy();
    mock.faults.set([{ bytesPerSecond: 1 }]);
    expect((await read({ method: "HEAD" })).headers.get("content-length")).toBe(String(body.length));
    const write = { method: "POST", body: '"x"', headers: { "content-type": "application/json" } };
    const written = await read(write);
    expect([written.status, written.headers.get("content-length")]).toEqual([204, null]);
  });

  test("never comes, until the mock is closed", async () => {
    const seen: RequestEntry[] = [];
    const silent = await startServer({ generations, onResponse: (entry) => seen.push(entry) });
    silent.faults.set([{ delivery: "none", times: 1 }, { bytesPerSecond: 1, times: 1 }, { delay: 60_000 }]);
    const requests = [open(silent.url), open(silent.url), open(silent.url)];
    await expect.poll(() => silent.faults.list()).toMatchObject([{ delay: 60_000 }]);
    await expect.poll(() => seen).toHaveLength(2);
    const ends = requests.map(({ socket }) => endOf(socket));
    await silent.close();
    await Promise.all(ends);
    expect(requests.filter(({ received }) => received() === "")).toHaveLength(2);
    // Nobody waits for a response any more, so nothing keeps the process.
    await expect.poll(() => seen).toHaveLength(3);
  });

  test("is given up when the client goes away, and logged", async () => {
    mock.faults.set([{ delay: 60_000 }]);
    const [first, second] = [open(mock.url), open(mock.url, 30)];
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on("warning", onWarning);
    onTestFinished(() => void process.off("warning", onWarning));
    await expect.poll(() => first.socket.bytesWritten * second.socket.bytesWritten).toBeGreaterThan(0);
    // This one arrives after the others.
    await read({ headers: { prefer: "delay=0" } });
    first.socket.destroy();
    second.socket.destroy();
    await expect.poll(() => entries).toHaveLength(32);
    expect(warnings).toEqual([]);
  });
});

describe("a response to mock.fetch", () => {
  const call = (init: RequestInit = {}) => mock.fetch("https://api.example/a/value", init);

  test("is a rejection like that of a reset", async () => {
    mock.faults.set([{ delivery: "reset" }]);
    await expect(call()).rejects.toMatchObject({ message: "fetch failed", cause: { code: "ECONNRESET" } });
    await expect(call()).rejects.toBeInstanceOf(TypeError);
  });

  test("ends halfway", async () => {
    mock.faults.set([{ delivery: "truncated" }]);
    const response = await call();
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow(new TypeError("terminated"));
    await expect(call({ method: "HEAD" })).rejects.toThrow("fetch failed");
  });

  test("comes slowly, and can be aborted", async () => {
    mock.faults.set([{ bytesPerSecond: 400, times: 1 }, { bytesPerSecond: 1 }]);
    expect(await (await call()).json()).toBe(text);
    const controller = new AbortController();
    const reason = new Error("enough");
    const response = await call({ signal: controller.signal });
    const content = response.text();
    controller.abort(reason);
    await expect(content).rejects.toBe(reason);
  });

  test.each<FaultRule>([{ delivery: "none" }, { delay: 60_000 }])("is waited for until aborted: %j", async (rule) => {
    mock.faults.set([rule]);
    const controller = new AbortController();
    const reason = new Error("enough");
    const response = call({ signal: controller.signal });
    controller.abort(reason);
    await expect(response).rejects.toBe(reason);
    await expect(call({ signal: AbortSignal.timeout(20) })).rejects.toMatchObject({ name: "TimeoutError" });
    const note = "delay" in rule ? "the client left before the response" : undefined;
    await expect.poll(() => mock.requests().at(-1)).toMatchObject({ status: 200, ...(note !== undefined && { note }) });
    expect(logged(mock.requests().at(-1))).toMatchObject({ status: "---", method: "GET" });
  });

  test("is waited for by many at once", async () => {
    const calls = Array.from({ length: 2_000 }, () => call({ headers: { prefer: "delay=100" } }));
    const responses = await Promise.all(calls);
    expect(responses.every(({ status }) => status === 200)).toBe(true);
  });
});

import { maxHeaderSize } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatRequest } from "../../scripts/command/requestLog.ts";
import { plainStyle } from "../../scripts/values/textStyle.ts";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { isObject, valueAt } from "../../scripts/values/json.ts";
import type { SchemaObject } from "../../scripts/spec/openapi.ts";
import { createEngine } from "../../scripts/mock/server/engine.ts";
import type { Mock, RequestEntry } from "../../scripts/mock/mockTypes.ts";
import { startServer } from "../../scripts/mock/server/server.ts";
import { parcels } from "./fixtures/parcels.ts";
import { sendRaw } from "./raw.ts";

let mock: Mock;
const entries: RequestEntry[] = [];
const logged: RequestEntry[] = [];

beforeAll(async () => {
  mock = await startServer({
    generations: [parcels],
    bodyTimeout: 100,
    bodyLimit: 1_000,
    onResponse: (entry) => entries.push(entry),
    log: (entry) => logged.push(entry),
  });
});
afterAll(async () => {
  await mock.close();
});

const bearer = { authorization: "Bearer t" };
const json = { "content-type": "application/json" };

async function refusal(target: string, init: RequestInit = {}) {
  const response = await fetch(`${mock.url}${target}`, init);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const problem: unknown = await response.json();
  if (!isObject(problem)) throw new Error("the problem is no object");
  expect(problem).toMatchObject({ type: "about:blank", status: response.status });
  return {
    status: response.status,
    headers: response.headers,
    detail: problem["detail"],
    violations: problem["violations"],
  };
}

function logLine(): string {
  const entry = entries.at(-1);
  return entry === undefined ? "" : formatRequest(entry, plainStyle);
}

function post(body: string, headers: Readonly<Record<string, string>> = {}) {
  return refusal("/parcels", { method: "POST", body, headers: { ...bearer, ...json, ...headers } });
}

describe("the URL", () => {
  test("404 names the nearest path and its methods", async () => {
    const { status, detail, violations } = await refusal("/parcel/7/move");
    expect(status).toBe(404);
    expect(detail).toContain("/parcels/{parcelId}/move (POST)");
    expect(violations).toMatchObject([
      { in: "path", expected: "/parcels/{parcelId}/move", received: "/parcel/7/move" },
    ]);
  });

  test.each(["//parcels/7/move", "/parcels/parcels/7/move", "/depot/2/parcels/7/move", "/parcels/7/move/now"])(
    "404 names the path that is within %s",
    async (path) => {
      const expected = "/parcels/{parcelId}/move";
      expect(await refusal(path)).toMatchObject({ status: 404, violations: [{ expected }] });
    },
  );

  test("404 says that the base path of a server isn't served, and names the nearest path by segments", async () => {
    const get = { responses: { 204: { description: "Done" } } };
    const generation = readGeneration("base", {
      openapi: "3.1.1",
      info: { title: "Base", version: "1" },
      servers: [{ url: "https://api.example.com/base/{version}/", variables: { version: { default: "v3" } } }],
      paths: { "/m/{matrix}": { get }, "/users": { get }, "/users/{user}/keys": { get } },
    });
    const engine = createEngine({ generations: [generation] });
    const detailOf = async (path: string) => (await engine.fetch(new Request(`http://localhost${path}`))).text();
    expect(await detailOf("/base/v3/users")).toContain(
      "The server's base path /base/v3 isn't served here. The most similar path is /users (GET).",
    );
    expect(await detailOf("/base/v4/users")).toContain(" The most similar path is /users (GET).");
    expect(await detailOf("/users/1/key")).toContain(" The most similar path is /users/{user}/keys (GET).");
  });

  test("404 says at the root what paths begin with", async () => {
    const { detail, violations } = await refusal("/");
    expect(detail).toMatch(/^No operation has the path \/\. The paths of operations begin with \/parcels/);
    const beginnings: unknown = expect.arrayContaining(["/parcels"]);
    expect(violations).toMatchObject([{ expected: beginnings }]);
  });

  test("404 holds for a slash at the end", async () => {
    expect(await refusal("/parcels/")).toMatchObject({ status: 404, violations: [{ expected: "/parcels" }] });
  });

  test("405 names the methods", async () => {
    const { status, headers, violations } = await refusal("/parcels/1", { method: "PATCH" });
    expect(status).toBe(405);
    expect(headers.get("allow")).toBe("GET, PUT, DELETE, HEAD, OPTIONS");
    expect(violations).toMatchObject([{ in: "method", expected: ["GET", "PUT", "DELETE"], received: "PATCH" }]);
  });

  test("400 says which part of the query has a broken escape", async () => {
    expect(await refusal("/parcels?take=%zz")).toMatchObject({ status: 400, violations: [{ in: "query" }] });
  });
});

describe("credentials", () => {
  test("401 names every alternative, and what is missing of each", async () => {
    const headers = { ...json, "x-client-id": "topsecret" };
    const {
      status,
      headers: answered,
      detail,
      violations,
    } = await refusal("/parcels", { method: "POST", body: "{}", headers });
    expect(status).toBe(401);
    expect(answered.get("www-authenticate")).toContain("Bearer");
    expect(detail).toContain("x-secret-key header: <key> together with the x-client-id header: <id>");
    expect(detail).toContain("Authorization header: Bearer <bearer>");
    expect(violations).toMatchObject([
      { in: "header", name: "x-secret-key" },
      { in: "header", name: "Authorization", expected: "Bearer <bearer>" },
    ]);
  });

  test("401 says that a header has the wrong form without repeating it", async () => {
    const { status, detail, violations } = await refusal("/parcels", { headers: { authorization: "svc_topsecret" } });
    expect(status).toBe(401);
    expect(detail).toContain("Authorization header must have the form");
    expect(JSON.stringify([detail, violations])).not.toContain("topsecret");
  });

  test("401 of a key in the query names the parameter", async () => {
    expect(await refusal("/parcels/1", { method: "DELETE" })).toMatchObject({
      status: 401,
      violations: [{ in: "query", name: "apiKey" }],
    });
  });
});

describe("parameters", () => {
  test("422 says what is wrong with each of them", async () => {
    const { status, detail, violations } = await refusal("/parcels?take=few", {
      headers: { ...bearer, "x-trace": "1" },
    });
    expect(status).toBe(422);
    expect(detail).toContain('The query parameter take must be an integer; received "few".');
    expect(violations).toMatchObject([
      { in: "query", name: "take", expected: "integer", received: '"few"' },
      { in: "header", name: "X-Trace", expected: "uuid", received: '"1"' },
    ]);
  });

  test.each(["0x10", "Infinity", "%205", "5%20", "1e999", "+5", "05", "5.", ""])(
    "422 of a number that is not JSON's: %s",
    async (take) => {
      expect(await refusal(`/parcels?take=${take}`, { headers: bearer })).toMatchObject({
        status: 422,
        violations: [{ in: "query", name: "take", expected: "integer" }],
      });
    },
  );

  test("have names that are case-sensitive", async () => {
    expect((await fetch(`${mock.url}/parcels?TAKE=few`, { headers: bearer })).status).toBe(200);
  });

  test("422 of a number that is out of range", async () => {
    expect((await refusal("/parcels?take=0", { headers: bearer })).detail).toBe(
      'The query parameter take must be at least 1; received "0".',
    );
  });

  test("422 of a path parameter", async () => {
    expect(await refusal("/parcels/seven")).toMatchObject({
      status: 422,
      violations: [{ in: "path", name: "parcelId", expected: "number", received: '"seven"' }],
    });
  });

  test.each([
    ["that is missing", {}, "is required"],
    ["with another value", { "api-version": "2020-01-01" }, 'received "2020-01-01"'],
  ])("422 of a header %s tells the only value it can have", async (_, headers, words) => {
    const { status, detail, violations } = await refusal("/parcels/mine", { headers });
    expect(status).toBe(422);
    expect(detail).toContain('must be "2024-08-13"');
    expect(detail).toContain(words);
    expect(violations).toMatchObject([{ in: "header", name: "api-version", expected: "2024-08-13" }]);
  });
});

describe("the body", () => {
  test("422 points to each fault", async () => {
    const body = JSON.stringify({ weight: "1", size: "M", "a/b": 1, tags: ["a", 2], sent: "soon" });
    const { status, violations } = await post(body);
    expect(status).toBe(422);
    expect(violations).toMatchObject([
      { in: "body", pointer: "/weight", expected: "number", received: '"1"' },
      { in: "body", pointer: "/size", expected: ["S", "L"], received: '"M"' },
      { in: "body", pointer: "/sent", expected: "date-time", received: '"soon"' },
      { in: "body", pointer: "/tags/1", expected: "string", received: "2" },
      { in: "body", pointer: "/a~1b", expected: "boolean", received: "1" },
    ]);
  });

  test("422 names a missing field", async () => {
    expect(await post("{}")).toMatchObject({ status: 422, violations: [{ pointer: "", expected: ["weight"] }] });
  });

  test("422 does not repeat a secret", async () => {
    const { detail, violations } = await post('{"weight":1,"code":"topsecret"}');
    expect(violations).toMatchObject([{ pointer: "/code", expected: "^svc_" }]);
    expect(JSON.stringify([detail, violations])).not.toContain("topsecret");
  });

  test.each([
    ["a string where an object was due", "PUT", '"topsecret"'],
    ["a value under a name that tells", "POST", '{"weight":1,"tags":{"token":"topsecret"}}'],
    ["what looks like one", "POST", '{"weight":"token=topsecret"}'],
  ])("422 does not repeat %s", async (_, method, body) => {
    const target = method === "PUT" ? "/parcels/1" : "/parcels";
    const { status, detail, violations } = await refusal(target, { method, body, headers: { ...bearer, ...json } });
    expect(status).toBe(422);
    expect(JSON.stringify([detail, violations, entries.at(-1)])).not.toContain("topsecret");
  });

  test("422 counts what it does not list", async () => {
    const { detail, violations } = await post(
      JSON.stringify({ weight: 1, tags: Array.from({ length: 100 }, () => 0) }),
    );
    expect(violations).toHaveLength(21);
    expect(JSON.stringify(violations)).toContain("80 more problems");
    expect(String(detail).length).toBeLessThan(400);
  });

  test("422 where there is none and one is required", async () => {
    expect(await refusal("/parcels", { method: "POST", headers: bearer })).toMatchObject({
      status: 422,
      violations: [{ in: "body", pointer: "", expected: ["application/json"] }],
    });
  });

  test.each([
    ['{"a":1,}', "line 1, column 8", "a name in double quotes"],
    ["{'a':1}", "line 1, column 2", "a name in double quotes"],
    ['{\n  "a": [1, 2\n}', "line 3, column 1", "“,” or “]”"],
    ['{"a" 1}', "line 1, column 6", "“:”"],
    ["[1,]", "line 1, column 4", "a value"],
    ["[01]", "line 1, column 2", "a value"],
    ["{} {}", "line 1, column 4", "the end of the text"],
    ['["\t"]', "line 1, column 2", "a value"],
    ["[", "line 1, column 2", "a value"],
    ["True", "line 1, column 1", "a value"],
    ["[".repeat(600), "line 1, column 502", "fewer brackets"],
  ])("400 says where JSON is malformed: %s", async (body, place, expected) => {
    const { status, detail, violations } = await post(body);
    expect(status).toBe(400);
    expect(detail).toContain(place);
    expect(detail).toContain(expected);
    expect(violations).toMatchObject([{ in: "body", pointer: "" }]);
  });

  test("400 does not repeat malformed JSON, which may hold a secret", async () => {
    const { detail } = await post('{"code": svc_topsecret}');
    expect(detail).not.toContain("topsecret");
  });

  test("400 of bytes that are not UTF-8", async () => {
    const { status, detail } = await refusal("/parcels", {
      method: "POST",
      body: Buffer.from([0x22, 0xff, 0x22]),
      headers: { ...bearer, ...json },
    });
    expect(status).toBe(400);
    expect(detail).toContain("UTF-8");
  });

  test("400 of JSON nested too deep", async () => {
    expect((await post("[".repeat(300) + "]".repeat(300))).detail).toContain("deeper than 200 levels");
  });

  test.each([
    ["application/x-www-form-urlencoded", ["application/json"]],
    ["nonsense", ["application/json"]],
    ["application/json; charset=utf-16", "utf-8"],
  ])("415 of %s says what is offered", async (type, expected) => {
    expect(await post("{}", { "content-type": type })).toMatchObject({
      status: 415,
      violations: [{ in: "header", name: "Content-Type", expected }],
    });
  });

  test("415 without a type names the type that is expected", async () => {
    const init = { method: "POST", body: new Blob(['{"weight":1}']), headers: bearer };
    expect(await refusal("/parcels", init)).toMatchObject({
      status: 415,
      detail: "The Content-Type header is missing; the body must be application/json.",
      violations: [{ in: "header", name: "Content-Type", expected: ["application/json"] }],
    });
  });

  test("an empty chunked body is none", async () => {
    const head = "Host: localhost\r\nAuthorization: Bearer t\r\nTransfer-Encoding: chunked";
    const required = await sendRaw(mock.url, `POST /parcels HTTP/1.1\r\n${head}\r\n\r\n0\r\n\r\n`);
    expect(required.body).toContain("A body is required");
    const none = await sendRaw(mock.url, `DELETE /parcels/1?apiKey=k HTTP/1.1\r\n${head}\r\n\r\n0\r\n\r\n`);
    expect(none.status).toBe(204);
  });

  test.each([
    ["2026-03-17T13:00:00Z", 201],
    ["2026-03-17t13:00:00.123z", 201],
    ["2026-03-17T13:00:00-08:00", 201],
    ["2016-12-31T15:59:60-08:00", 201],
    ["2016-12-30T23:59:60Z", 422],
    ["2026-03-17 13:00:00Z", 422],
    ["2026-03-17T13:00:00+01", 422],
    ["2026-03-17T13:00:00+0100", 422],
    ["2026-03-17T13:00:00", 422],
    ["2026-02-29T13:00:00Z", 422],
  ])("a date-time is that of RFC 3339: %s is answered with %i", async (sent, status) => {
    const init = { method: "POST", body: JSON.stringify({ weight: 1, sent }), headers: { ...bearer, ...json } };
    expect((await fetch(`${mock.url}/parcels`, init)).status).toBe(status);
  });

  test.each(["/parcels", "/-/mock/overrides"])("400 of a number beyond those of JavaScript: %s", async (path) => {
    const init = { method: "POST", body: '{"weight":[-1e999]}', headers: { ...bearer, ...json } };
    const response = await fetch(mock.url + path, init);
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining("has a number beyond")]);
  });

  test("415 of a compressed body", async () => {
    const { status, headers } = await post("{}", { "content-encoding": "gzip" });
    expect(status).toBe(415);
    expect(headers.get("accept-encoding")).toBe("identity");
  });

  test("a gzip body is read with the option for it, up to the limit of bodies", async () => {
    const gzipping = createEngine({ generations: [parcels], gzip: true, bodyLimit: 100 });
    const send = async (body: Uint8Array, coding = "gzip") => {
      const headers = { ...bearer, ...json, "content-encoding": coding };
      const init = { method: "POST", headers, body: new Blob([body.slice()]) };
      const response = await gzipping.fetch("http://mock.example/parcels", init);
      return [response.status, await response.text()] as const;
    };
    const sent = gzipSync('{"weight":7}');
    for (const coding of ["gzip", "X-GZip"])
      expect(await send(sent, coding)).toEqual([201, expect.stringContaining("7")]);
    expect(await send(gzipSync('{"weight":"x"}'))).toEqual([422, expect.stringContaining("/weight")]);
    for (const broken of [sent.subarray(0, 9), Buffer.from("{}"), Buffer.concat([sent, sent])])
      expect(await send(broken)).toEqual([400, expect.stringContaining("is not one complete gzip member.")]);
    expect(await send(gzipSync(" ".repeat(1_000)))).toEqual([413, expect.stringContaining("larger than 100 bytes")]);
    for (const coding of ["br", "gzip, gzip"])
      expect(await send(sent, coding)).toEqual([415, expect.stringContaining("only gzip is supported")]);
    for (const coding of ["", "identity"])
      expect(await send(Buffer.from('{"weight":7}'), coding)).toEqual([201, expect.stringContaining("7")]);
    expect(await send(Buffer.alloc(0))).toEqual([422, expect.stringContaining("A body is required")]);
  });

  test.each([0, 1.5, 2 ** 26 + 1, Number.NaN])("a limit of %d bytes for bodies is none", (bodyLimit) => {
    expect(() => createEngine({ generations: [parcels], bodyLimit })).toThrow(
      "bodyLimit must be a whole number of bytes",
    );
  });

  test("415 of a body where none is taken", async () => {
    const init = { method: "DELETE", body: "{}", headers: json };
    expect(await refusal("/parcels/1?apiKey=k", init)).toMatchObject({ status: 415 });
  });

  test("413 above the limit, with and without an announcement", async () => {
    expect(await post(JSON.stringify({ note: "x".repeat(2_000) }))).toMatchObject({
      status: 413,
      violations: [{ expected: 1_000 }],
    });
    const head =
      "POST /parcels HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer t\r\nTransfer-Encoding: chunked\r\n\r\n";
    const endless = await sendRaw(mock.url, `${head}7d0\r\n${"x".repeat(2_000)}\r\n7d0\r\n`);
    expect(endless.status).toBe(413);
  });

  test("408 where a body stalls", async () => {
    const head = "POST /parcels HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer t\r\nContent-Length: 10\r\n\r\n";
    const { status, body } = await sendRaw(mock.url, `${head}{"a"`);
    expect(status).toBe(408);
    expect(body).toContain("stopped after 4 bytes");
  });
});

describe("preferences", () => {
  test.each([
    ["code=418x", ["200", "404", "default"]],
    ["code=99", ["200", "404", "default"]],
    ["example=three", ["two", "none", "default"]],
    ["dynamic=perhaps", ["true", "false"]],
  ])("422 of Prefer: %s says what there is", async (prefer, expected) => {
    const { status, violations } = await refusal("/parcels", { headers: { ...bearer, prefer } });
    expect(status).toBe(422);
    expect(violations).toMatchObject([{ in: "header", name: "Prefer", expected }]);
  });

  test("422 of a code that nothing stands for", async () => {
    const init = { method: "POST", body: '{"weight":1}', headers: { ...bearer, ...json, prefer: "code=500" } };
    expect(await refusal("/parcels", init)).toMatchObject({ status: 422, violations: [{ expected: ["201"] }] });
  });

  test("422 of an example says which code has it", async () => {
    expect((await refusal("/parcels", { headers: { ...bearer, prefer: "example=gone" } })).detail).toContain(
      "code=404",
    );
  });

  test.each(["image/png", "nonsense", ";;;", "application/json;q=0", "*/*;q=0.0", "text/csv;q=0, application/*;q=0"])(
    "406 of Accept: %s says what is offered",
    async (accept) => {
      expect(await refusal("/parcels", { headers: { ...bearer, accept } })).toMatchObject({
        status: 406,
        violations: [{ in: "header", name: "Accept", expected: ["application/json", "text/csv"] }],
      });
    },
  );
});

describe("a mock that doesn't validate", () => {
  const lenient = () => {
    const found: RequestEntry[] = [];
    const options = { validate: false, onResponse: (entry: RequestEntry) => found.push(entry) };
    return { engine: createEngine({ generations: [parcels], ...options }), found };
  };

  test("answers requests that break the contract, and lists what is wrong", async () => {
    const { engine, found } = lenient();
    const ask = (target: string, init?: RequestInit) => engine.fetch(`http://mock.example${target}`, init);
    expect((await ask("/parcels?take=none", { headers: { "x-trace": "1" } })).status).toBe(200);
    expect(found[0]?.violations).toHaveLength(3);
    expect(found[0]?.reason).toBeUndefined();
    const body = JSON.stringify({ weight: "heavy", note: "fragile" });
    const created = await ask("/parcels", { method: "POST", headers: { ...bearer, ...json }, body });
    expect(created.status).toBe(201);
    // The response keeps the contract.
    expect(await created.json()).toMatchObject({ weight: 2.5, note: "fragile" });
    expect(found[1]?.pointers).toEqual(["/weight"]);
    expect(found[1]?.note).toContain("weight");
    expect((await ask("/parcels/x", { method: "DELETE" })).status).toBe(204);
    expect((await ask("/parcels/mine")).status).toBe(200);
    for (const value of ["[]", "7", '"x"', "null", '{"id":{},"tags":7}'])
      expect((await ask("/parcels", { method: "POST", headers: json, body: value })).status).toBe(201);
  });

  test("still refuses what it can't read or answer", async () => {
    const { engine } = lenient();
    const ask = async (target: string, init?: RequestInit) =>
      (await engine.fetch(`http://mock.example${target}`, init)).status;
    expect(await ask("/parcels", { method: "POST", headers: json, body: "{" })).toBe(400);
    expect(await ask("/parcels", { method: "POST", headers: { "content-type": "text/plain" }, body: "x" })).toBe(415);
    expect(await ask("/nowhere")).toBe(404);
    expect(await ask("/parcels", { headers: { prefer: "delay=x" } })).toBe(422);
    const upstream = "http://localhost:1";
    expect(() => createEngine({ generations: [parcels], validate: false, upstream })).toThrow("exclude each other");
  });
});

describe("what is no request", () => {
  test.each([
    ["without Host", "GET /parcels HTTP/1.1\r\n\r\n", 400],
    ["with an unknown method", "FOO /parcels HTTP/1.1\r\nHost: localhost\r\n\r\n", 400],
    ["with an unknown version", "GET /parcels HTTP/7.7\r\nHost: localhost\r\n\r\n", 400],
    ["with a relative target", "GET parcels HTTP/1.1\r\nHost: localhost\r\n\r\n", 400],
    ["with enormous headers", `GET /parcels HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431],
    ["with an unknown expectation", "GET /none HTTP/1.1\r\nHost: localhost\r\nExpect: more\r\n\r\n", 404],
    ["with two Host headers", "GET /parcels HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400],
    ["with a malformed Host header", "GET /parcels HTTP/1.1\r\nHost: local host\r\n\r\n", 400],
    ["with an empty Host header", "GET /parcels HTTP/1.1\r\nHost:\r\n\r\n", 400],
    ["to a proxy", "CONNECT example.com:443 HTTP/1.1\r\nHost: localhost\r\n\r\n", 405],
  ])("is refused in words: %s", async (_, bytes, status) => {
    const response = await sendRaw(mock.url, bytes);
    expect(response.status).toBe(status);
    expect(JSON.parse(response.body)).toMatchObject({ type: "about:blank", status, violations: [{}] });
    if (status === 431) expect(response.body).toContain(`${String(maxHeaderSize)} bytes`);
    expect(logged.at(-1)).toMatchObject({ status, reason: valueAt(JSON.parse(response.body), ["detail"]) });
  });

  test.each([
    ["GET", "/parcels?apiKey=***", `GET /parcels?apiKey=topsecret HTTP/1.1\r\nX: ${"x".repeat(20_000)}\r\n\r\n`],
    ["GET", /^\/parcels\?apiKey=\*\*\*/, `GET /parcels?apiKey=${"topsecret".repeat(3_000)} HTTP/1.1\r\n\r\n`],
    ["CONNECT", "example.com:443", "CONNECT example.com:443 HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    ["", "", "\0\u001b[31m topsecret HTTP/1.1\r\n\r\n"],
  ])("is logged as far as it was read: %s %s", async (method, target, bytes) => {
    const { status } = await sendRaw(mock.url, bytes);
    const entry = logged.at(-1);
    expect(entry).toMatchObject({ status, method });
    expect(entry?.target).toEqual(typeof target === "string" ? target : expect.stringMatching(target));
    expect(JSON.stringify(entry)).not.toContain("topsecret");
    expect(entry?.target.length).toBeLessThan(1_000);
  });

  test("is logged if it names another host", async () => {
    await sendRaw(mock.url, "GET /parcels/7 HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    expect(logged.at(-1)).toMatchObject({ status: 421, method: "GET", target: "/parcels/7" });
  });
});

describe("the log", () => {
  test("has a line for each request, with the reason and without credentials", async () => {
    await refusal("/parcels/1?apiKey=topsecret&take=%zz&access_token=topsecret", { method: "DELETE" });
    const entry = entries.at(-1);
    expect(entry).toMatchObject({ method: "DELETE", status: 400 });
    expect(entry?.target).toBe("/parcels/1?apiKey=***&take=%zz&access_token=***");
    expect(entry?.reason).toContain("percent-encoded");
  });

  test.each([
    ["http://user:topsecret@localhost/nowhere?apiKey=topsecret", "/nowhere?apiKey=***"],
    ["//user:topsecret@localhost/nowhere", "//***@localhost/nowhere"],
    ["/nowhere?next=https%3A%2F%2Fuser%3Atopsecret%40localhost%2F", "/nowhere?next=https%3A%2F%2F***@localhost%2F"],
    ["/v2/token=topsecret/next", "/v2/token=***/next"],
    ["/v2/a;x=1;jwt=topsecret;y=2/next", "/v2/a;x=1;jwt=***/next"],
    ["/v2/token%3Dtopsecret", "/v2/token%3D***"],
    ["/nowhere?next=/login%3Ftoken%3Dtopsecret", "/nowhere?next=/login%3Ftoken%3D***"],
    ["/nowhere?%6bEy=topsecret%26topsecret&take=1", "/nowhere?%6bEy=***&take=1"],
    ["/nowhere?auth[pin]=topsecret", "/nowhere?auth[pin]=***"],
    ...["key", "pwd", "jwt", "sig", "auth", "PASSWORD", "clientSecret", "x-api-key", "APIKey", "idToken"].map(
      (name) => [`/nowhere?a=1&${name}=topsecret`, `/nowhere?a=1&${name}=***`],
    ),
    ...["author", "monkey", "keyboard", "signal", "compass"].map((name) => [`/a?${name}=1`, `/a?${name}=1`]),
  ])("and the response have no secret of %s", async (target = "", logged) => {
    const { body } = await sendRaw(mock.url, `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const { target: entered, reason } = entries.at(-1) ?? {};
    expect(entered).toBe(logged);
    expect(`${body} ${reason}`).not.toContain("topsecret");
  });

  test("and the response have no secret of a path parameter or a header", async () => {
    await refusal("/parcels/token=topsecret");
    expect(JSON.stringify(entries.at(-1))).not.toContain("topsecret");
    const { detail, violations } = await post("{}", { "content-type": "text/x; token=topsecret" });
    expect(JSON.stringify([detail, violations])).not.toContain("topsecret");
  });

  test("has short lines, and the response is short", async () => {
    const long = "a".repeat(15_000);
    const path = "/a".repeat(7_000);
    for (const request of [`GET /${long}`, `GET ${path}`, `GET /parcels/${long}`, `GET /parcels/1?${long}`]) {
      const { body } = await sendRaw(mock.url, `${request} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      expect(body.length).toBeLessThan(2_000);
      expect(logLine().length).toBeLessThan(2_000);
    }
    const { detail, violations } = await post("{}", { "content-type": `a/${long}` });
    expect(JSON.stringify([detail, violations]).length).toBeLessThan(1_000);
    expect(logLine().length).toBeLessThan(1_000);
  });
});

test("a body with a discriminator is compared with the alternative that it names", async () => {
  const alternative = (kind: string, name: string): SchemaObject => ({
    type: "object",
    required: ["kind", name],
    properties: { kind: { type: "string", const: kind }, [name]: { type: "string" } },
  });
  const oneOf = ["Cat", "Dog"].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const mapping = { cat: "#/components/schemas/Cat", dog: "#/components/schemas/Dog" };
  const schema: SchemaObject = { oneOf, discriminator: { propertyName: "kind", mapping } };
  const post = {
    requestBody: { required: true, content: { "application/json": { schema } } },
    responses: { "204": { description: "" } },
  };
  const schemas = { Cat: alternative("cat", "name"), Dog: alternative("dog", "bark") };
  const pets = readGeneration("pets", { openapi: "3.1.1", paths: { "/pets": { post } }, components: { schemas } });
  const mock = createEngine({ generations: [pets] });
  const detailOf = async (body: object) => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    return valueAt(await (await mock.fetch("http://mock.example/pets", init)).json(), ["detail"]);
  };
  expect(await detailOf({ kind: "fish" })).toBe('The body must have kind "cat" or "dog"; received an object.');
  expect(await detailOf({ kind: "cat" })).toMatch(
    /^2 problems: The body must have required property 'name'\. The body /,
  );
});

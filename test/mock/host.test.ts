import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { readGeneration, type Generation } from "../../scripts/contract/generation.ts";
import { createMock, startMock, type MockOptions } from "../../scripts/mock/index.ts";
import { startServer, type ServerOptions } from "../../scripts/mock/server/server.ts";
import { parcels } from "./fixtures/parcels.ts";
import { sendRaw } from "./raw.ts";

function answering(value: unknown, name = "a"): Generation {
  return readGeneration(name, {
    openapi: "3.1.1",
    paths: {
      "/value": {
        get: {
          responses: { "200": { description: "", content: { "application/json": { schema: {}, example: value } } } },
        },
        post: {
          requestBody: { content: { "application/json": { schema: {} } } },
          responses: { "200": { description: "", content: { "application/json": { schema: {}, example: value } } } },
        },
      },
    },
  });
}

/** A request whose body lacks its last byte. */
const beginning =
  "POST /value HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{";

function failWith(message: string): never {
  throw new Error(message);
}

async function valueOf(url: string): Promise<unknown> {
  return (await fetch(`${url}/value`)).json();
}

describe("startServer", () => {
  test("starts several in one process, each of its own", async () => {
    await using first = await startServer({ generations: [answering(1)] });
    await using second = await startServer({ generations: [answering(2)] });
    expect([await valueOf(first.url), await valueOf(second.url)]).toEqual([1, 2]);
  });

  test("serves all generations on one port", async () => {
    await using mock = await startServer({ generations: [parcels, answering(3)] });
    expect(await valueOf(mock.url)).toBe(3);
    expect((await fetch(`${mock.url}/parcels/1`)).status).toBe(200);
  });

  test("makes responses at random, and the same for a seed, where it is started so", async () => {
    await using mock = await startServer({ generations: [parcels], dynamic: true, seed: "1" });
    const parcel = async (): Promise<unknown> => (await fetch(`${mock.url}/parcels/1`)).json();
    const first = await parcel();
    expect(await parcel()).toEqual(first);
    const example: unknown = await (
      await fetch(`${mock.url}/parcels/1`, { headers: { prefer: "dynamic=false" } })
    ).json();
    expect(first).not.toEqual(example);
  });

  test("rejects where two generations have the same operation", async () => {
    await expect(startServer({ generations: [answering(1), answering(2, "b")] })).rejects.toThrow(
      "GET /value of b matches the same requests as /value of a",
    );
  });

  test("rejects where the port is in use", async () => {
    await using mock = await startServer({ generations: [parcels] });
    const port = Number(new URL(mock.url).port);
    await expect(startServer({ generations: [parcels], port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  test("takes no more connections when it is closed, and may be closed twice", async () => {
    const mock = await startServer({ generations: [parcels] });
    await fetch(`${mock.url}/parcels/1`);
    await mock.close();
    await mock.close();
    await expect(fetch(`${mock.url}/parcels/1`)).rejects.toThrow("fetch failed");
  });

  test("ends once for everybody who closes it", async () => {
    const mock = await startServer({ generations: [parcels] });
    const socket = connect(Number(new URL(mock.url).port), "127.0.0.1");
    socket.write("GET /parcels/1 HTTP/1.1\r\nHost: localhost\r\n");
    await fetch(`${mock.url}/parcels/1`);
    const ends: string[] = [];
    const first = mock.close().then(() => ends.push("first"));
    await mock.close();
    ends.push("second");
    await first;
    expect(ends).toEqual(["first", "second"]);
    socket.destroy();
  });

  test.each([
    ["a port that is no number", { port: Number("many") }, "port must be a whole number from 0 to 65535, not NaN"],
    ["a port that is text", JSON.parse('{"port":"many"}'), "port must be a whole number from 0 to 65535, not 'many'"],
    ["a port that is too large", { port: 65_536 }, "port must be a whole number from 0 to 65535, not 65536"],
    ["no host", { host: "" }, "host must be a name or an address of this machine"],
    [
      "an unusable host",
      { allowedHosts: ["a b"] },
      "allowedHosts must be an array of names or addresses, not [ 'a b' ]",
    ],
  ])("rejects with what is wrong: %s", async (_, options: Partial<ServerOptions>, words) => {
    await expect(startServer({ ...options, generations: [parcels] })).rejects.toThrow(new TypeError(words));
  });

  test.each([
    [startMock, JSON.parse('{"latancy":5}'), "startMock has no option latancy: did you mean latency?"],
    [createMock, JSON.parse('{"hosts":""}'), "createMock has no option hosts: none of the "],
    [createMock, JSON.parse('{"port":1}'), "createMock has no option port: none of the "],
  ])("is not started with an option that there is not: %o %j", async (start, options: MockOptions, words) => {
    await expect(start(options)).rejects.toThrow(words);
    await expect(start(options)).rejects.toBeInstanceOf(TypeError);
  });

  test.each([
    ["throws", () => failWith("topical")],
    ["rejects", async () => Promise.resolve().then(() => failWith("topical"))],
  ])("answers although its onResponse %s, and warns", async (_, onResponse: () => unknown) => {
    await using mock = await startServer({ generations: [answering(1)], onResponse });
    const warned = once(process, "warning");
    expect(await valueOf(mock.url)).toBe(1);
    expect(String(await warned)).toContain("onResponse failed: Error: topical");
  });

  test("answers requests in flight before it ends", async () => {
    const mock = await startServer({ generations: [answering(4)] });
    const socket = connect(Number(new URL(mock.url).port), "127.0.0.1");
    socket.write(beginning);
    // A second connection is accepted after the first one, so the first request has come by now.
    await valueOf(mock.url);
    const closed = mock.close();
    socket.write("}");
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    await once(socket, "close");
    await closed;
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 200 OK[^]*4$/);
  });

  test("ends although a client never does, and within the given time", async () => {
    const ends: string[] = [];
    const closeHeld = async (name: string, options?: { readonly within: number }) => {
      const mock = await startServer({ generations: [parcels] });
      const socket = connect(Number(new URL(mock.url).port), "127.0.0.1");
      socket.write("GET /parcels/1 HTTP/1.1\r\nHost: localhost\r\n");
      await fetch(`${mock.url}/parcels/1`);
      const closed = mock.close(options).then(() => ends.push(name));
      return { closed, socket };
    };
    const held = [await closeHeld("by default"), await closeHeld("within 10 ms", { within: 10 })];
    for (const { closed, socket } of held) {
      await closed;
      socket.destroy();
    }
    expect(ends).toEqual(["within 10 ms", "by default"]);
  });
});

test.each(["CONNECT a:1 HTTP/1.1\r\n", "GET /value HTTP/1.1\r\nUpgrade: websocket\r\nConnection: upgrade\r\n"])(
  "outlives clients that ask for %j and reset the connection",
  async (head) => {
    await using mock = await startServer({ generations: [answering(6)] });
    const request = `${head}Host: localhost\r\n\r\n`;
    for (let count = 0; count < 20; count += 1) {
      const socket = connect(Number(new URL(mock.url).port), "127.0.0.1");
      socket.on("error", () => undefined);
      await once(socket, "connect");
      socket.write(request);
      // Before, while or after the mock answers.
      if (count % 2 === 0) await once(socket, "data");
      socket.write("more");
      socket.resetAndDestroy();
      await once(socket, "close");
    }
    const { status, body } = await sendRaw(mock.url, request);
    if (head.startsWith("CONNECT")) expect([status, body]).toEqual([405, expect.stringContaining("is not a proxy")]);
    else expect([status, body]).toEqual([200, "6"]);
    expect(await valueOf(mock.url)).toBe(6);
  },
);

describe("a header of a response", () => {
  const answersWith = async (header: string, example: string) => {
    const headers = { [header]: { schema: { type: "string" }, example } };
    const content = { "text/plain": { example: "whole" } };
    const responses = { "200": { description: "", headers, content } };
    const generation = readGeneration("a", { openapi: "3.1.1", paths: { "/value": { get: { responses } } } });
    await using mock = await startServer({ generations: [generation] });
    const response = await sendRaw(mock.url, "GET /value HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const [logged] = mock.requests();
    expect(logged?.status).toBe(response.status);
    return { response, reason: logged?.reason };
  };

  test.each([
    ["Content-Disposition", 'attachment; filename="ü"'],
    ["X-Name", "Ü"],
  ])("may have a character of Latin-1: %s", async (name, value) => {
    const { response } = await answersWith(name, value);
    expect([response.status, response.body]).toEqual([200, "whole"]);
    expect(response.headers.get(name.toLowerCase())).toBe(value);
  });

  test.each([
    ["€", "\\u20ac"],
    ["a\r\nSet-Cookie: b=c", "\\u000d"],
    ["a\nb", "\\u000a"],
    ["👋", "\\ud83d\\udc4b"],
  ])("that can't be sent is a 500 in words, and in the list of requests: %j", async (value, code) => {
    const { response, reason } = await answersWith("X-Name", value);
    expect(response.status).toBe(500);
    expect(reason).toContain(`no header can have the character ${code}, but x-name has it`);
    expect(JSON.parse(response.body)).toMatchObject({ detail: reason });
  });
});

test("a tunnel that waits for an earlier response doesn't keep the mock from ending", async () => {
  const mock = await startServer({ generations: [answering(6)] });
  mock.faults.add({ delivery: "none" });
  const socket = connect(Number(new URL(mock.url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  const request = "GET /value HTTP/1.1\r\nHost: localhost\r\n\r\nCONNECT a:1 HTTP/1.1\r\nHost: localhost\r\n\r\n";
  socket.write(request);
  await mock.waitForRequest();
  await mock.close({ within: 10 });
  socket.destroy();
});

describe("replace", () => {
  test("loses no request, and shows none a partial contract", async () => {
    await using mock = await startServer({ generations: [answering(0)] });
    const seen: unknown[] = [];
    const clients = Array.from({ length: 8 }, async () => {
      for (let count = 0; count < 40; count += 1) seen.push(await valueOf(mock.url));
    });
    const swaps = (async () => {
      for (let value = 1; value <= 20; value += 1) {
        mock.replace([answering(value)]);
        await fetch(`${mock.url}/nowhere`);
      }
    })();
    await Promise.all([...clients, swaps]);
    expect(seen).toHaveLength(320);
    expect(seen.every((value) => typeof value === "number")).toBe(true);
    expect(await valueOf(mock.url)).toBe(20);
  });

  test("keeps the contract where another cannot be served", async () => {
    await using mock = await startServer({ generations: [answering(1)] });
    expect(() => {
      mock.replace([answering(2), answering(3, "b")]);
    }).toThrow("same requests");
    expect(await valueOf(mock.url)).toBe(1);
  });

  test("lets a request that has begun end with the contract it began with", async () => {
    await using mock = await startServer({ generations: [answering(1)] });
    const socket = connect(Number(new URL(mock.url).port), "127.0.0.1");
    socket.write(beginning);
    await valueOf(mock.url);
    mock.replace([answering(2)]);
    socket.write("}");
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    await once(socket, "close");
    expect(Buffer.concat(chunks).toString()).toMatch(/1$/);
  });
});

describe("the host of a request", () => {
  const statusFor = async (url: string, host: string, target = "/value") =>
    (await sendRaw(url, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).status;

  test("is this machine, or one that is allowed, where the mock listens for this machine alone", async () => {
    await using mock = await startServer({ generations: [answering(1)], allowedHosts: ["Mock.example", "[::2]:80"] });
    const served = ["localhost", "LOCALHOST:1", "a.localhost", "localhost.", "127.0.0.1", "127.9.9.9:80", "[::1]:4010"];
    for (const host of [...served, "mock.example:4010", "[::2]"]) expect(await statusFor(mock.url, host)).toBe(200);
    const others = ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "192.168.0.1", "[::3]"];
    for (const host of others) expect(await statusFor(mock.url, host)).toBe(421);
    expect(await statusFor(mock.url, "localhost", "http://evil.example/value")).toBe(421);
    const { body } = await sendRaw(mock.url, "GET /value HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    expect(body).toContain("does not serve evil.example: request localhost, or start the mock with --allowed-hosts");
  });

  test("is any where the mock listens for other machines too", async () => {
    await using mock = await startServer({ generations: [answering(1)], host: "0.0.0.0" });
    expect(await statusFor(mock.url.replace("0.0.0.0", "127.0.0.1"), "evil.example")).toBe(200);
  });

  test("also applies to the site beside the mock", async () => {
    const site = (_: IncomingMessage, response: ServerResponse) => {
      response.end("site");
      return Promise.resolve(true);
    };
    await using mock = await startServer({ generations: [answering(1)], site });
    expect([await statusFor(mock.url, "localhost"), await statusFor(mock.url, "evil.example")]).toEqual([200, 421]);
  });
});

test.each([
  ["garbage", "\0garbage\r\n\r\n", ["400"]],
  [
    "a refused request with a malformed chunk",
    "POST /value HTTP/1.1\r\nHost: a\r\nHost: b\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ["400"],
  ],
  ["a tunnel", "CONNECT a:1 HTTP/1.1\r\nHost: localhost\r\n\r\n", ["405"]],
])("a request before pipelined %s has its answer", async (_, rest, last) => {
  await using mock = await startServer({ generations: [answering(7)] });
  const socket = connect(Number(new URL(mock.url).port), "127.0.0.1");
  const complete = "GET /value HTTP/1.1\r\nHost: localhost\r\n\r\n";
  socket.write(complete + complete + rest);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  await once(socket, "close");
  const statuses = [
    ...Buffer.concat(chunks)
      .toString()
      .matchAll(/HTTP\/1\.1 (\d+)/g),
  ].map(([, status]) => status);
  expect(statuses).toEqual(["200", "200", ...last]);
});

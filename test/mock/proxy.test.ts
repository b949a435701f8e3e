import { once } from "node:events";
import type { RequestListener, ServerResponse } from "node:http";
import { connect } from "node:net";
import { buffer, text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { plainStyle } from "../../scripts/values/textStyle.ts";
import type { Generation, Operation } from "../../scripts/contract/generation.ts";
import { startServer } from "../../scripts/mock/server/server.ts";
import type { Upstream } from "../../scripts/mock/mockTypes.ts";
import { serveHttp } from "../fixtures/serveHttp.ts";
import { parcels } from "./fixtures/parcels.ts";
import { sendRaw } from "./raw.ts";
import { logged } from "./requestLog.ts";

/** A server that answers as it is told, and a mock that passes on to it also what the contract doesn't have. */
async function startBoth(answer: RequestListener, path = "", generations?: readonly Generation[]) {
  const targets: string[] = [];
  const {
    url,
    server,
    [Symbol.asyncDispose]: close,
  } = await serveHttp((request, response) => {
    targets.push(request.url ?? "");
    answer(request, response);
  });
  const served = generations ?? (await readBuiltGenerations());
  const proxy = await startServer({ generations: served, upstream: url + path });
  return {
    ...{ url, server, proxy, targets },
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]();
      await close();
    },
  };
}

describe.concurrent("a mock that passes on everything", () => {
  it("forwards everything except hop-by-hop fields", async () => {
    await using both = await startBoth((request, response) => {
      void text(request).then((body) => {
        const { method, url, headers } = request;
        response.writeHead(201, {
          "content-type": "application/json",
          "set-cookie": ["a=1", "b=2"],
          "keep-alive": "9",
        });
        response.end(JSON.stringify({ method, url, headers, body }));
      });
    }, "/base");
    const response = await fetch(`${both.proxy.url}/v2/things?a=%2F&b=c`, {
      method: "POST",
      headers: { "content-type": "text/plain", "x-trace": "1" },
      body: "Ørsta",
    });
    expect([response.status, response.headers.getSetCookie()]).toEqual([201, ["a=1", "b=2"]]);
    const received: unknown = await response.json();
    expect(received).toMatchObject({
      ...{ method: "POST", url: "/base/v2/things?a=%2F&b=c", body: "Ørsta" },
      headers: { host: new URL(both.url).host, "x-trace": "1", "accept-encoding": "identity" },
    });
  });

  it("hands redirects back", async () => {
    await using both = await startBoth((_, response) => response.writeHead(302, { location: "/elsewhere" }).end());
    const response = await fetch(both.proxy.url, { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([302, "/elsewhere"]);
    expect(both.targets).toHaveLength(1);
  });

  it("forwards large and encoded bodies", async () => {
    const large = Buffer.alloc(5_000_000, "x");
    await using both = await startBoth((request, response) => {
      if (request.url === "/large") response.end(large);
      else response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("{}"));
    });
    expect((await (await fetch(`${both.proxy.url}/large`)).arrayBuffer()).byteLength).toBe(large.length);
    expect(await (await fetch(`${both.proxy.url}/encoded`)).text()).toBe("{}");
  });

  it("passes event streams on as they come, and leaves them with their client", async () => {
    const left: Promise<unknown>[] = [];
    const begun: ServerResponse[] = [];
    const answer: RequestListener = (_, response) => {
      left.push(once(response, "close"));
      begun.push(response);
      response.writeHead(200, { "content-type": "text/event-stream", "x-name": "Ørsta" }).write("data: 1\n\n");
    };
    await using both = await startBoth(answer, "", [parcels]);
    // An endless one, over a connection and in this process.
    for (const [index, send] of [fetch, both.proxy.fetch].entries()) {
      const response = await send(`${both.proxy.url}/events`);
      expect([response.status, response.headers.get("content-length")]).toEqual([200, null]);
      expect(response.headers.get("x-name")).toBe("Ørsta");
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      expect((await reader?.read())?.value).toBe("data: 1\n\n");
      begun[index]?.write("data: 2\n\n");
      expect((await reader?.read())?.value).toBe("data: 2\n\n");
      await reader?.cancel();
      await left[index];
    }
    const entries = both.proxy.requests();
    const described = { responseBody: "a stream of text/event-stream", described: ["responseBody"] };
    expect(entries).toMatchObject([described, described]);
    const ended = fetch(`${both.proxy.url}/events`);
    await once(both.server, "request");
    begun[2]?.end();
    expect(await (await ended).text()).toBe("data: 1\n\n");
    // A slow one, while it waits for its next piece.
    both.proxy.faults.add({ bytesPerSecond: 1_000 });
    const slow = (await both.proxy.fetch(`${both.proxy.url}/parcels/1`)).body?.getReader();
    expect(Buffer.from((await slow?.read())?.value ?? "").toString()).toBe("data: 1\n\n");
    await setImmediate();
    await slow?.cancel();
    await left[3];
  });

  it("adds no length to a HEAD response that has none, and keeps the digits of numbers in its list", async () => {
    const digits = "9007199254740993";
    await using both = await startBoth((request, response) => {
      const length = request.url === "/known" && { "content-length": "7" };
      const type = { "content-type": "application/json" };
      if (request.method === "HEAD") response.writeHead(200, { ...type, ...length }).end();
      else response.writeHead(200, type).end(`{"id":${digits}}`);
    });
    const lengths = ["/unknown", "/known"].map(async (path) => {
      const { headers } = await both.proxy.fetch(both.proxy.url + path, { method: "HEAD" });
      const sent = await sendRaw(both.proxy.url, `HEAD ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      return [headers.get("content-length"), sent.headers.get("content-length")];
    });
    expect(await Promise.all(lengths)).toEqual([
      [null, undefined],
      ["7", "7"],
    ]);
    expect(await (await fetch(both.proxy.url)).text()).toBe(`{"id":${digits}}`);
    expect(both.proxy.requests().at(-1)?.responseBody).toEqual({ id: digits });
  });

  it("leaves codings alone that it doesn't take off", async () => {
    await using both = await startBoth((request, response) => {
      const codings = request.headers["content-encoding"] ?? "none";
      void buffer(request).then((body) => response.writeHead(200, { "content-encoding": codings }).end(body));
    });
    const body = gzipSync("{}");
    const init = { method: "POST", headers: { "content-encoding": "gzip" }, body };
    const response = await fetch(both.proxy.url, init);
    expect([response.headers.get("content-encoding"), await response.text()]).toEqual([null, "{}"]);
    const other = await fetch(both.proxy.url, { ...init, headers: { "content-encoding": "x-own" } });
    expect([other.headers.get("content-encoding"), Buffer.from(await other.arrayBuffer())]).toEqual(["x-own", body]);
  });

  it("reports an unreachable server, and one that disconnects", async () => {
    await using both = await startBoth((_, response) => {
      response.writeHead(200, { "content-length": 10 }).write("{", () => response.destroy());
    });
    const broken = await fetch(both.proxy.url);
    expect([broken.status, await broken.text()]).toEqual([
      502,
      expect.stringMatching(/failed: .*(?:terminated|closed)/),
    ]);
    both.server.close().closeAllConnections();
    await once(both.server, "close");
    const response = await fetch(both.proxy.url);
    expect([response.status, await response.text()]).toEqual([
      502,
      expect.stringContaining("failed: connect ECONNREFUSED"),
    ]);
  });

  it("leaves a server when its client leaves, and ends with requests in progress", async () => {
    const gone = Promise.withResolvers<undefined>();
    await using both = await startBoth((request, response) => {
      if (request.url === "/left") response.once("close", gone.resolve);
    });
    const socket = connect(Number(new URL(both.proxy.url).port), "127.0.0.1");
    socket.write("GET /left HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await once(both.server, "request");
    socket.destroy();
    await gone.promise;
    const waiting = fetch(`${both.proxy.url}/waiting`).catch(() => "ended");
    await once(both.server, "request");
    await both.proxy[Symbol.asyncDispose]();
    expect(await waiting).toBe("ended");
  });

  it("refuses dot segments, which would lead out of the base path or to another operation", async () => {
    await using both = await startBoth((_, response) => response.end("reached"), "/base");
    const ask = (target: string) => sendRaw(both.proxy.url, `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const targets = ["..", "%2e%2e", ".%2E", "%2E.", ".", "%2e"].flatMap((dots) => [
      ...[`/${dots}/admin`, `/${dots}`, `/a/${dots}/b`, `/a/b/${dots}`, `/a/${dots}?b=c`, `/a\\${dots}\\b`],
      ...[`/a\\${dots}`, `http://localhost/${dots}/admin`],
    ]);
    // Servers that decode slashes before they look for steps leave the base path, too.
    const encoded = ["/..%2fadmin", "/%2e%2e%2Fadmin", "/a/..%2f..%2fadmin", "/a%5C..%5Cb"];
    for (const target of [...targets, ...encoded, "/a\\b"]) {
      const { status, body } = await ask(target);
      expect([target, status, body]).toEqual([target, 400, expect.stringContaining("Send the resolved path")]);
    }
    // What URLs leave out does not come so far.
    for (const target of ["/.\t./admin", "/.%2\te/admin"]) expect((await ask(target)).status).toBe(400);
    expect(both.targets).toEqual([]);
    const harmless = ["/...", "/..a", "/%252e%252e/a", "/a..b/c", "/a?b=/../c", "/a%5Cb%2fc"];
    for (const target of harmless) expect(await ask(target)).toMatchObject({ status: 200, body: "reached" });
    expect(both.targets).toEqual(harmless.map((target) => `/base${target}`));
  });

  it("refuses other hosts than this machine", async () => {
    await using both = await startBoth((_, response) => response.end("secret"));
    const ask = (host: string) => sendRaw(both.proxy.url, `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    const refused = await ask("attacker.example");
    expect([refused.status, refused.body]).toEqual([421, expect.stringContaining("request localhost")]);
    expect(await ask("localhost")).toMatchObject({ status: 200, body: "secret" });
    expect(both.targets).toHaveLength(1);
  });
});

const team = "/v2/organizations/42/teams/7";
const authorization = "Bearer svc_live_0001";

/** A mock of the contract that passes requests on to a server, which answers as it is told. */
async function startMockBefore(answer: RequestListener, options: Partial<Upstream> = {}, more: object = {}) {
  const origin = await serveHttp(answer);
  const upstream = { url: origin.url, ...options };
  const mock = await startServer({ generations: await readBuiltGenerations(), upstream, ...more });
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(mock.url + path, { headers: { authorization }, redirect: "manual", ...init });
    const { status, headers } = response;
    const reported: unknown = JSON.parse(headers.get("x-mock-violations") ?? "[]");
    return { status, headers, reported, text: await response.text(), entry: mock.requests().at(-1) };
  };
  return {
    ...{ origin, mock, ask },
    [Symbol.asyncDispose]: async () => {
      await mock.close();
      await origin[Symbol.asyncDispose]();
    },
  };
}

/** Answers with JSON. */
const json =
  (value: unknown, status = 200, headers = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));

const refused = 'request: The path parameter teamId must be a number; received "x".';

describe.concurrent("a mock with an upstream", () => {
  it("passes responses back unchanged, and remembers nothing of them", async () => {
    const sent = { status: "success", data: { id: 7, name: "Ørsta", slug: "x", parentId: 42 } };
    await using both = await startMockBefore(
      json(sent, 200, { "set-cookie": ["a=1", "b=2"], vary: "Accept", etag: "1" }),
      {},
      { allowedOrigins: ["http://a.example"] },
    );
    const {
      status,
      headers,
      text: body,
    } = await both.ask(team, { headers: { authorization, origin: "http://a.example" } });
    expect([status, JSON.parse(body)]).toEqual([200, sent]);
    expect([headers.getSetCookie(), headers.get("etag"), headers.get("vary")]).toEqual([
      ["a=1", "b=2"],
      "1",
      "Accept, Origin",
    ]);
    expect(both.mock.state().resources).toEqual({});
    const head = await both.ask(team, { method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
  });

  it("reports what breaks the contract in requests and responses, without credentials", async () => {
    await using both = await startMockBefore((request, response) => {
      if (request.url === "/v2/unknown") response.writeHead(204).end();
      else response.writeHead(418, { "content-type": `text/${request.headers.authorization?.slice(7)}` }).end("short");
    });
    const { status, reported, text: body, entry } = await both.ask("/v2/organizations/42/teams/x");
    expect([status, body]).toEqual([418, "short"]);
    expect(reported).toEqual([refused]);
    expect(entry?.violations).toEqual(reported);
    const details = ['request: The path parameter teamId must be a number; received "x".'];
    expect(logged(entry)).toMatchObject({ status: "418", method: "GET", notes: ["1 violation"], details });
    // What the mock can't read violates nothing.
    const encoded = { method: "POST", headers: { authorization, "content-encoding": "br" }, body: "x" };
    const unread = [
      [await both.ask("/v2/unknown"), "No operation has the path /v2/unknown"],
      [await both.ask(team, { method: "PUT" }), "teams/{teamId} supports GET and DELETE, but not PUT"],
      [await both.ask("/v2/selected-calendars", encoded), "The mock doesn't decode its body"],
    ] as const;
    for (const [asked, reason] of unread) {
      expect([asked.reported, asked.entry?.findings]).toEqual([[], undefined]);
      const note = "the request was forwarded without a check: ";
      expect(asked.headers.get("x-mock-note")).toContain(note);
      expect(asked.entry?.note).toContain(reason);
      expect(logged(asked.entry)).toMatchObject({ notes: [], details: [expect.stringContaining(note)] });
    }
    await using plain = await startServer({ generations: await readBuiltGenerations() });
    const valid = await (await fetch(plain.url + team, { headers: { authorization } })).text();
    const echoing: RequestListener = (_, response) =>
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(valid.replace(/"id":\d+/, `"id":"${authorization}"`));
    await using wrong = await startMockBefore(echoing);
    const told = await wrong.ask(team);
    expect(told.reported).toEqual(['response: /data/id in the body must be an integer; received "Bearer ***"']);
    const wrongId = {
      code: "type",
      in: "body",
      pointer: "/data/id",
      rule: "must be an integer",
      received: '"Bearer ***"',
    };
    expect(told.entry?.findings).toMatchObject([{ kind: "violation", direction: "response", ...wrongId }]);
    expect(JSON.stringify([both.mock.requests(), told.entry, told.reported])).not.toContain("svc_live_0001");
  });

  it("keeps no body that secrets can't be found in, and lists requests although one is nested deep", async () => {
    const texts = ['{"clientSecret":"a-secret",', "[".repeat(30_000) + "]".repeat(30_000)];
    await using both = await startMockBefore((_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(texts.shift());
    });
    await both.ask(team);
    await both.ask(team);
    const listed = await (await fetch(`${both.mock.url}/-/mock/requests`)).text();
    expect(listed).toContain('"27 bytes of application/json: The body is not JSON: at line 1, column 28, expected ');
    expect(listed).toContain('"60000 bytes of application/json: The body is nested deeper than 200 levels."');
  });

  it("reports a missing response field as a violation only where presence is specified", async () => {
    await using both = await startMockBefore(json({ status: "success" }), { errors: true });
    const open = await both.ask(team);
    expect([open.status, open.reported, open.headers.get("x-mock-note")]).toEqual([
      ...[200, []],
      expect.stringMatching(/^response: .*\(presence isn't specified\); received an object without data$/),
    ]);
    const doubt = { kind: "doubt", direction: "response", code: "required", pointer: "", lacks: ["data"] };
    expect(open.entry?.findings).toMatchObject([doubt]);
    const generations = (await readBuiltGenerations()).map((one) => {
      const document = { ...one.document, info: { ...one.document.info, "x-unspecified": [] } };
      return { ...one, document, operations: one.operations.map((operation) => ({ ...operation, document })) };
    });
    await using strict = await startMockBefore(json({ status: "success" }), { errors: true }, { generations });
    expect((await strict.ask(team)).status).toBe(502);
  });

  it("logs violations below the request, each once", async () => {
    await using both = await startMockBefore(json({ status: "success", data: [{ id: "x" }, { id: "x" }] }));
    const { entry } = await both.ask("/v2/organizations/42/schedules");
    const paint = (emphasis: string, text: string) => `<${emphasis}>${text}`;
    expect(logged(entry, { columns: 80, paint })).toMatchObject({ status: "<red>200", notes: ["<red>2 violations"] });
    const { notes, details = [] } = logged(entry, { ...plainStyle, columns: 80 }) ?? {};
    expect(notes).toEqual(["2 violations"]);
    expect(details[0]).toBe('2 × response: /data/*/id in the body must be an integer; received "x"');
    // What the contract leaves open comes after them, each on a line of its own.
    expect(details.filter((line) => line.startsWith("response: The body must")).length).toBe(1);
    expect(details.filter((line) => line.startsWith("response: /data/* in the body must")).length).toBe(1);
    // Each has an indentation of two.
    expect(details.filter((line) => line.length > 78)).toEqual([]);
  });

  it("is the only one that says what the mock does", async () => {
    const headers = {
      "x-mock-reason": "forged",
      "X-Mock-Violations": "[]",
      "x-mock-own": "forged",
      "x-mocked": "kept",
    };
    await using both = await startMockBefore(json([], 200, headers));
    const ownOf = async (path: string) => {
      const answer = await both.ask(path);
      expect(answer.headers.get("x-mocked")).toBe("kept");
      return [...answer.headers].filter(([name]) => name.startsWith("x-mock-"));
    };
    expect(await ownOf("/v1/bookings/9002/recordings?apiKey=svc_key")).toEqual([]);
    expect(await ownOf(team)).toEqual([["x-mock-violations", expect.stringContaining("response: ")]]);
  });

  it.each([
    ["is long", { authorization: `Bearer svc_${"0123456789".repeat(9)}` }, `Unknown: svc_${"0123456789".repeat(9)}`],
    ["is in a cookie", { cookie: "sid=svc_live_0001; b=svc_live_0002" }, "Unknown: svc_live_0002"],
    ["has spaces", { "x-svc-secret-key": "svc_live 0001 a" }, "Unknown: svc_live 0001 a"],
    ["has quotes", { authorization: 'Bearer svc_"live"_0001' }, 'Unknown: svc_"live"_0001'],
  ])("hides a credential that %s from what it reports", async (_, headers: Record<string, string>, status) => {
    await using both = await startMockBefore(json({ status }));
    const { reported, entry } = await both.ask(team, { headers });
    expect(reported).toContainEqual(expect.stringMatching(/received "Unknown: \*\*\*…?"$/));
    expect(JSON.stringify(entry)).not.toMatch(/svc_(?:0123|live|\\)/);
  });

  it("adds nothing to what a deprecated operation responds", async () => {
    const generations = (await readBuiltGenerations()).map((generation) => {
      const deprecate = (one: Operation) => ({ ...one, lifecycle: { ...one.lifecycle, sunset: "2027-01-01" } });
      return { ...generation, operations: generation.operations.map(deprecate) };
    });
    const options = { operations: ["getOrganizationTeam"] };
    await using both = await startMockBefore(json({}), options, { generations });
    expect((await both.ask(team)).headers.get("sunset")).toBeNull();
    const mocked = await both.ask("/v2/organizations/42/schedules?tak=2");
    expect(mocked.headers.get("sunset")).toContain("2027");
    // The upstream may know more parameters than the contract.
    expect(mocked.headers.get("x-mock-note")).toContain("did you mean take?");
    expect((await both.ask(`${team}?tak=2`)).headers.get("x-mock-note") ?? "").not.toContain("tak");
  });

  it("answers both with an error if asked to", async () => {
    let count = 0;
    await using both = await startMockBefore(
      (request, response) => {
        count += 1;
        json({ status: "success", data: 1 })(request, response);
      },
      { errors: true },
    );
    const broken = await both.ask(team);
    expect(broken.status).toBe(502);
    expect(broken.entry?.reason).toMatch(/failed: \/data in the body must be an? object/);
    expect(broken.reported).toEqual([expect.stringContaining("response: /data")]);
    expect((await both.ask("/v2/organizations/42/teams/x")).status).toBe(422);
    expect((await both.ask(team, { headers: {} })).status).toBe(401);
    expect((await both.ask("/v2/unknown")).status).toBe(404);
    expect(count).toBe(1);
  });

  it("mocks the operations that are not named, and lets faults and overrides come first", async () => {
    const operations = ["getOrganizationTeam"];
    await using both = await startMockBefore(json({ from: "upstream" }, 500), { operations });
    expect((await both.ask(team)).text).toBe('{"from":"upstream"}');
    expect((await both.ask("/v2/organizations/42/schedules")).status).toBe(200);
    expect((await both.ask("/v2/unknown")).status).toBe(404);
    both.mock.overrides.set([{ operation: "getOrganizationTeam", respond: { status: 404, body: { message: "No" } } }]);
    expect((await both.ask(team)).status).toBe(404);
    both.mock.faults.set([{ operation: "getOrganizationTeam", status: 503 }]);
    expect((await both.ask(team)).status).toBe(503);
    await expect(startMockBefore(json(1), { operations: ["getOrganizationTaem"] })).rejects.toThrow(
      'the operationId "getOrganizationTaem": did you mean getOrganizationTeam?',
    );
    await expect(startMockBefore(json(1), { timeout: Infinity })).rejects.toThrow("timeout must be in milliseconds");
    await expect(startMockBefore(json(1), { url: "ftp://user:pw@a.example" })).rejects.toThrow(
      "must be an http or https URL",
    );
  });

  it.each<[string, RequestListener, number, string]>([
    ["hangs", () => undefined, 504, "no whole response came within 0.1 s"],
    ["sends no HTTP", (_, response) => response.socket?.end("no HTTP\r\n\r\n"), 502, "failed: "],
    ["sends too much", (_, response) => response.end(Buffer.alloc(2 ** 24 + 1)), 502, "larger than 16 MiB"],
  ])("tells in words that a server %s", async (_, answer, status, detail) => {
    await using both = await startMockBefore(answer, status === 504 ? { timeout: 100 } : {});
    const failed = await both.ask(team);
    expect([failed.status, failed.headers.get("content-type")]).toEqual([status, "application/problem+json"]);
    expect(failed.entry?.reason).toContain(detail);
  });

  it("tells that it is its own upstream", async () => {
    const answering = Promise.withResolvers<string>();
    await using both = await startMockBefore((request, response) => {
      void answering.promise.then(async (url) => {
        const { via = "" } = request.headers;
        response.writeHead(502).end(await (await fetch(url + request.url, { headers: { via } })).text());
      });
    });
    answering.resolve(both.mock.url);
    expect((await both.ask(team)).text).toContain("it leads back to this mock");
  });
});

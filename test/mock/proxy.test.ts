import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { startServer } from "../../scripts/mock/http/server.ts";
import type { Exchange } from "../../scripts/mock/upstream/exchange.ts";
import { readHar } from "../../scripts/verify/har.ts";
import { serveHttp } from "../fixtures/serveHttp.ts";
import { sendRaw } from "./raw.ts";
import { repository } from "../pipeline/project.ts";

/** A server that answers as it is told, and a mock without a contract before it. */
async function startBoth(answer: RequestListener, path = "") {
  const { url, server, [Symbol.asyncDispose]: close } = await serveHttp(answer);
  const exchanges: Exchange[] = [];
  const onExchange = (exchange: Exchange) => exchanges.push(exchange);
  const proxy = await startServer({ generations: [], upstream: url + path, onExchange });
  return {
    ...{ url, server, proxy, exchanges },
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]();
      await close();
    },
  };
}

const textOf = (message: { readonly body: Uint8Array | undefined } | undefined) =>
  message?.body && Buffer.from(message.body).toString();

describe.concurrent("a mock that passes on everything", () => {
  it("passes on what is sent but for the fields of the connection, and records both", async () => {
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
    const [exchange] = both.exchanges;
    expect(exchange).toMatchObject({
      method: "POST",
      url: `${both.url}/base/v2/things?a=%2F&b=c`,
      response: { status: 201 },
    });
    expect(textOf(exchange?.request)).toBe("Ørsta");
    expect(JSON.parse(textOf(exchange?.response) ?? "")).toEqual(received);
    expect(exchange?.response?.headers).toContainEqual(["set-cookie", "b=2"]);
  });

  it("hands redirects back", async () => {
    await using both = await startBoth((_, response) => response.writeHead(302, { location: "/elsewhere" }).end());
    const response = await fetch(both.proxy.url, { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([302, "/elsewhere"]);
    expect(both.exchanges).toHaveLength(1);
  });

  it("passes on what is large or encoded", async () => {
    const large = Buffer.alloc(5_000_000, "x");
    await using both = await startBoth((request, response) => {
      if (request.url === "/large") response.end(large);
      else response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("{}"));
    });
    expect((await (await fetch(`${both.proxy.url}/large`)).arrayBuffer()).byteLength).toBe(large.length);
    expect(await (await fetch(`${both.proxy.url}/encoded`)).text()).toBe("{}");
    expect(both.exchanges.map(({ response }) => response?.body?.length)).toEqual([large.length, 2]);
  });

  it("tells a server that is not there, and one that breaks off", async () => {
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
    expect(both.exchanges.map(({ response: recorded, failure }) => [recorded?.status, failure])).toEqual([
      [undefined, expect.stringMatching(/terminated|closed/)],
      [undefined, expect.stringContaining("connect ECONNREFUSED")],
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
    const failure = "the client left before the end of the response";
    await vi.waitFor(() => {
      expect(both.exchanges).toMatchObject([{ failure }, { failure }]);
    });
  });

  it("refuses other hosts than this machine", async () => {
    await using both = await startBoth((_, response) => response.end("secret"));
    const ask = (host: string) => sendRaw(both.proxy.url, `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    const refused = await ask("attacker.example");
    expect([refused.status, refused.body]).toEqual([421, expect.stringContaining("request localhost")]);
    expect(await ask("localhost")).toMatchObject({ status: 200, body: "secret" });
    expect(both.exchanges).toHaveLength(1);
  });
});

it("npm run verify -- --proxy tells what passes, and writes it without secrets", async () => {
  await using mock = await startServer({ generations: await readBuiltGenerations() });
  const folder = await mkdtemp(join(tmpdir(), "proxy-"));
  const file = join(folder, "traffic.har");
  const args = [join(repository, "scripts/verify.ts"), "--proxy", "--server", mock.url, "--har-out", file];
  const child = spawn(process.execPath, args, { cwd: repository, stdio: ["ignore", "pipe", "pipe"] });
  const lines: string[] = [];
  const read = createInterface(child.stderr).on("line", (line) => lines.push(line));
  const [listening] = await once(read, "line").then(() => lines);
  const url = /http:\S+\d/.exec(listening ?? "")?.[0] ?? "";
  await (await fetch(`${url}/v1/attendees/4711?apiKey=svc_live_0001`)).text();
  await (await fetch(`${url}/v1/attendees/x?apiKey=svc_live_0001`)).text();
  child.kill("SIGINT");
  const [output] = await Promise.all([text(child.stdout), once(child, "close")]);
  const har = await readFile(file, "utf8");
  await rm(folder, { recursive: true });
  expect([child.exitCode, lines.slice(1)]).toEqual([
    0,
    [
      `GET ${mock.url}/v1/attendees/4711?apiKey=*** 200`,
      `GET ${mock.url}/v1/attendees/x?apiKey=*** 422`,
      expect.stringContaining("  news: the body of a failure with 422"),
      `Wrote 2 exchanges to ${file}`,
    ],
  ]);
  expect(output).toContain("GET /v1/attendees/{id}");
  expect(har + output + lines.join("")).not.toContain("svc_live_0001");
  expect(readHar(har, file)).toHaveLength(2);
});

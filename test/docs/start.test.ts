import { spawn } from "node:child_process";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import type { Generation } from "../../scripts/contract/generation.ts";
import { startDocs, type Started } from "./start.ts";

let docs: Started;
let generations: readonly Generation[];

beforeAll(async () => {
  [docs, generations] = await Promise.all([startDocs(), readBuiltGenerations()]);
});

afterAll(async () => {
  expect(await docs.stop()).toBe(0);
});

/** Sends a request-target as it is, which `fetch` would clean up, and resolves to the status. */
async function statusOf(target: string, method = "GET"): Promise<number> {
  const socket = connect({ host: "127.0.0.1", port: Number(new URL(docs.url).port) });
  socket.end(`${method} ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(await text(socket))?.[1]);
}

/** Unlike `fetch`, it leaves the answer encoded, and adds no headers. */
async function get(path: string, headers: Record<string, string> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request(docs.url + path, { headers }, resolve)
    .on("error", reject)
    .end();
  const response = await promise;
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

describe("npm start", () => {
  it("serves the site at / and each generation's mock beside it", async () => {
    expect((await fetch(docs.url)).headers.get("content-type")).toBe("text/html; charset=utf-8");
    for (const { name, document } of generations) {
      expect((await fetch(`${docs.url}/${name}/`)).headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(await (await fetch(`${docs.url}/${name}/openapi.json`)).json()).toMatchObject({ paths: document.paths });
      const unknown = await fetch(`${docs.url}/${name}/no-such-path`);
      expect([unknown.status, unknown.headers.get("content-type")]).toEqual([404, "application/problem+json"]);
    }
    expect(await (await fetch(`${docs.url}/-/mock/faults`)).json()).toEqual([]);
  });

  it("serves the site to this machine alone", async () => {
    const { status, body } = await get("/", { host: "evil.example" });
    expect([status, JSON.parse(body)]).toMatchObject([421, { violations: [{ name: "Host" }] }]);
  });

  it("keeps serving after whoever read its first line has left", async () => {
    for (const target of ["/v2/no-such-path", "/v2/neither"]) expect(await statusOf(target)).toBe(404);
    expect((await fetch(docs.url)).status).toBe(200);
  });

  it("starts and serves where nobody reads on stderr what it does", async () => {
    const child = spawn(process.execPath, ["scripts/start.ts", "--port", "0", "--docs", docs.folder], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stderr.destroy();
    const exit = once(child, "exit");
    const first = await Promise.race([once(createInterface(child.stdout), "line"), exit]);
    expect(first).toEqual([expect.stringMatching(/^Listening on http/)]);
    child.kill("SIGTERM");
    expect(await exit).toEqual([0, null]);
  });

  it("leads from a folder's name to the folder", async () => {
    const response = await fetch(`${docs.url}/coverage?x=1`, { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([308, "/coverage/?x=1"]);
  });

  it("shows its own address in the site, whatever its port", async () => {
    const [newest] = generations.toReversed();
    const page = await (await fetch(`${docs.url}/${newest?.name ?? ""}/reference.js`)).text();
    expect(page).toContain(docs.url);
    expect(page).not.toContain("127.0.0.1:4010");
  });

  it.each([
    "/nothing",
    "/coverage/nothing.html",
    "/../package.json",
    "/..%2fpackage.json",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/coverage/../../package.json",
    String.raw`/..\package.json`,
    "//etc/passwd",
    "//",
    "/%00",
    "/%E0%A4%A",
    "/index.html/",
    "/.made-from",
    "/assets/",
    "/__proto__",
    "/constructor",
    `/${"a".repeat(8000)}`,
    "/?/../../package.json&".replace("?", "%3f"),
  ])("answers 404 for %s, which is outside the site", async (target) => {
    expect(await statusOf(target)).toBe(404);
  });

  it("answers 404 with a page that leads back, and 405 for what only reads", async () => {
    expect((await get("/nothing")).body).toContain('href="/index.html"');
    expect(await statusOf("/index.html", "POST")).toBe(405);
    expect(await statusOf("/index.html", "HEAD")).toBe(200);
  });

  it("compresses what the client can read", async () => {
    const plain = await get("/");
    expect(plain.headers["content-encoding"]).toBeUndefined();
    for (const [accepted, coding] of [
      ["gzip, deflate, br", "br"],
      ["gzip", "gzip"],
      ["br;q=0, gzip", "gzip"],
      ["identity", undefined],
    ] as const) {
      const { headers } = await get("/", { "accept-encoding": accepted });
      expect([accepted, headers["content-encoding"], headers.vary]).toEqual([accepted, coding, "accept-encoding"]);
      if (coding !== undefined) {
        expect(Number(headers["content-length"])).toBeLessThan(plain.body.length / 2);
      }
    }
    expect(await (await fetch(docs.url)).text()).toBe(plain.body);
  });

  it("lets browsers keep what never changes, and ask again for the rest", async () => {
    const page = await get("/");
    expect(page.headers["cache-control"]).toBe("no-cache");
    const { etag = "" } = page.headers;
    expect(await get("/", { "if-none-match": `"other", W/${etag}` })).toMatchObject({ status: 304, body: "" });
    expect(await get("/", { "if-none-match": '"other"' })).toMatchObject({ status: 200 });
    const [, styles = ""] = /href="(assets\/[^"]+\.css)"/.exec(page.body) ?? [];
    expect((await get(`/${styles}`)).headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  });
});

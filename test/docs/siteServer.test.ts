import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { loadSite } from "../../scripts/docs/site/siteServer.ts";
import { startServer, type MockServer } from "../../scripts/mock/server/server.ts";
import { sendRaw, type RawResponse } from "../mock/raw.ts";

// A site beside a mock, some of whose folders have the paths of operations.
const page = (title: string) =>
  `<!doctype html><head><meta charset="utf-8" /><title>${title}</title></head>${title.repeat(99)}`;
const files: Readonly<Record<string, string | Buffer>> = {
  "index.html": page("start"),
  "404.html": page("not found"),
  "guide/index.html": page("guide"),
  "shop/index.html": page("shop"),
  "shop/orders/index.html": page("orders"),
  "shop/orders/list-orders/index.html": page("list orders"),
  "shop/orders/index.md": "# Orders",
  "shop/orders/list-orders/index.md": "# List orders",
  "shop/refunds/index.html": page("refunds"),
  "shop/items/index.html": page("items"),
  "shop/openapi.json": "{}",
  "assets/site-0123456789ab.css": "a{}",
  "assets/logo.png": Buffer.from([0x89, 0x50, 0xff, 0x00]),
  "guide/steps-0123456789ab.md": "# Steps",
  "two words/100%.txt": "decoded",
  ".stamp": "hidden",
  ".draft/page.html": "hidden",
};

const operation = { responses: { "200": { description: "", content: { "application/json": { example: [] } } } } };
const shop = readGeneration("shop", {
  openapi: "3.1.1",
  paths: {
    "/": { get: operation },
    "/shop/orders": { get: operation },
    "/shop/orders/{id}": { get: operation },
    "/shop/refunds": { post: operation },
    "/{tenant}/users": { get: operation },
  },
});

let folder: string;
let server: MockServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "site-"));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  const site = loadSite({ folder, generations: [shop] });
  server = await startServer({ generations: [shop], site });
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

type Fields = Readonly<Record<string, string>>;

/** Sends a request-target as it is. */
function send(line: string, fields: Fields = {}): Promise<RawResponse> {
  const lines = Object.entries({ Host: "localhost", ...fields }).map(([name, value]) => `${name}: ${value}\r\n`);
  return sendRaw(server.url, `${line} HTTP/1.1\r\n${lines.join("")}\r\n`);
}

/** Who answers: the site with a page or a redirect, or the mock, with what media type. */
async function answerTo(line: string, accept?: string): Promise<string> {
  const { status, headers, body } = await send(line, accept === undefined ? {} : { Accept: accept });
  const [, title = ""] = /<title>(.*)<\/title>/.exec(body) ?? [];
  return [status, headers.get("location") ?? (title === "" ? headers.get("content-type") : title)].join(" ");
}

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const problem = "404 application/problem+json";

describe("a site and a mock at one origin", () => {
  it.each([
    ["/shop/orders", "200 application/json", "200 application/json"],
    ["/shop/orders/", "200 orders", "200 orders"],
    ["/shop/orders/list-orders", "200 application/json", "200 application/json"],
    ["/shop/orders/list-orders/", "200 list orders", "200 list orders"],
    ["/shop/orders/list-orders/index.md", "200 text/markdown; charset=utf-8", "200 text/markdown; charset=utf-8"],
    ["/shop/orders/index.md", "200 text/markdown; charset=utf-8", "200 text/markdown; charset=utf-8"],
    ["/shop/openapi.json", "200 application/json", "200 application/json"],
    ["/shop/items", problem, "308 /shop/items/"],
    ["/shop/items?a=/b&c", problem, "308 /shop/items/?a=/b&c"],
    ["/shop/refunds", "405 application/problem+json", "308 /shop/refunds/"],
    ["/shop", problem, "308 /shop/"],
    ["/shop/nothing", problem, "404 not found"],
    ["/shop/nothing/", problem, "404 not found"],
    ["/shop/%zz", "400 application/problem+json", "404 not found"],
    ["/%zz", "404 not found", "404 not found"],
    ["//shop", "404 not found", "404 not found"],
    ["/-/nothing", problem, "404 not found"],
    ["/-/mock/faults", "200 application/json", "200 application/json"],
    ["/guide", "308 /guide/", "308 /guide/"],
    ["/guide/", "200 guide", "200 guide"],
    ["/guide?%zz", "308 /guide/?%zz", "308 /guide/?%zz"],
    ["/guide/users", "200 application/json", "200 application/json"],
    ["/nothing", "404 not found", "404 not found"],
    ["/", "200 application/json", "200 start"],
    ["/index.html", "200 start", "200 start"],
  ])("GET %s: %s, and for a browser %s", async (target, other, browsers) => {
    expect(await answerTo(`GET ${target}`)).toBe(other);
    expect(await answerTo(`GET ${target}`, "*/*")).toBe(other);
    expect(await answerTo(`GET ${target}`, "application/json, text/html;q=0")).toBe(other);
    expect(await answerTo(`GET ${target}`, browser)).toBe(browsers);
    const head = await send(`HEAD ${target}`, { Accept: browser });
    expect(head.status).toBe(Number(browsers.slice(0, 3)));
  });

  it("keeps pages of other origins from reading the docs, and not from reading the mock's responses", async () => {
    for (const target of ["/shop/openapi.json", "/assets/logo.png", "/guide/", "/guide", "/nothing"]) {
      const { headers } = await send(`GET ${target}`);
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    }
    expect((await send("POST /guide/")).headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect((await send("GET /shop/orders")).headers.has("cross-origin-resource-policy")).toBe(false);
  });

  it.each([
    ["POST", "/guide/", "405 "],
    ["DELETE", "/guide", "405 "],
    ["PUT", "/shop/openapi.json", "405 "],
    ["POST", "/shop/orders/", "405 "],
    ["POST", "/shop/items", problem],
    ["POST", "/shop/refunds", "200 application/json"],
    ["DELETE", "/shop/orders", "405 application/problem+json"],
    ["POST", "/nothing", "404 not found"],
    ["OPTIONS", "/shop/orders", "204 "],
    ["OPTIONS", "*", "204 "],
  ])("%s %s: %s", async (method, target, expected) => {
    expect(await answerTo(`${method} ${target}`)).toBe(expected);
    expect(await answerTo(`${method} ${target}`, browser)).toBe(expected);
  });

  it("keeps requests for the site out of the mock's log", async () => {
    server.reset();
    for (const target of ["/guide/", "/guide", "/nothing", "/shop/nothing"])
      await send(`GET ${target}`, { Accept: browser });
    await send("GET /shop/orders");
    expect(server.requests().map(({ target }) => target)).toEqual(["/shop/orders"]);
  });

  it("says which methods a file supports", async () => {
    expect((await send("POST /guide/")).headers.get("allow")).toBe("GET, HEAD");
  });

  it("has no redirect kept that depends on who asks", async () => {
    const { headers } = await send("GET /shop/items", { Accept: browser });
    expect([headers.get("cache-control"), headers.get("vary")]).toEqual(["no-cache", "accept"]);
  });
});

describe("a request for a page", () => {
  it("may be in absolute-form, and for the mock, too", async () => {
    expect(await answerTo(`GET ${server.url}/guide/?a`)).toBe("200 guide");
    expect(await answerTo(`GET ${server.url}/guide?a`)).toBe("308 /guide/?a");
    expect(await answerTo(`GET ${server.url}`, browser)).toBe("200 start");
    expect(await answerTo(`GET ${server.url}?a`, browser)).toBe("200 start");
    expect(await answerTo(`GET ${server.url}/shop/orders`)).toBe("200 application/json");
    expect(await answerTo(`GET ${server.url}/shop/nothing`)).toBe(problem);
  });

  it("must have one Host, but not with HTTP/1.0", async () => {
    const statusOf = async (head: string) => (await sendRaw(server.url, `${head}\r\n\r\n`)).status;
    expect(await statusOf("GET /guide/ HTTP/1.1")).toBe(400);
    expect(await statusOf("GET /guide/ HTTP/1.1\r\nHost: localhost\r\nhost: localhost")).toBe(400);
    expect(await statusOf("GET /guide/ HTTP/1.1\r\nHost: a b")).toBe(400);
    expect(await statusOf("GET /guide/ HTTP/1.0")).toBe(200);
  });

  it("is percent-decoded once", async () => {
    expect((await send("GET /two%20words/100%25.txt")).body).toBe("decoded");
    expect((await send("GET /%67uide/")).status).toBe(200);
    for (const target of ["/two%2520words/100%25.txt", "/two words/100%.txt", "/guide%2findex.html", "/%2567uide/"]) {
      expect([400, 404], target).toContain((await send(`GET ${target}`)).status);
    }
  });

  it.each([
    "/.stamp",
    "/.draft/page.html",
    "/%2estamp",
    "/guide/../.stamp",
    "/..%2f",
    "/guide/%2e%2e/index.html",
    "//",
  ])("does not find %s", async (target) => {
    expect(await answerTo(`GET ${target}`, browser)).toBe("404 not found");
  });
});

describe("an answer with a file", () => {
  it.each([
    ["/guide/", "text/html; charset=utf-8"],
    ["/assets/site-0123456789ab.css", "text/css; charset=utf-8"],
    ["/two%20words/100%25.txt", "text/plain; charset=utf-8"],
    ["/assets/logo.png", "image/png"],
  ])("%s has the media type %s", async (target, mediaType) => {
    const { headers } = await send(`GET ${target}`);
    expect([headers.get("content-type"), headers.get("x-content-type-options")]).toEqual([mediaType, "nosniff"]);
  });

  it("has every byte", async () => {
    const bytes = await (await fetch(`${server.url}/assets/logo.png`)).bytes();
    expect(Buffer.from(bytes)).toEqual(files["assets/logo.png"]);
  });

  it("has the same headers for HEAD as for GET", async () => {
    for (const target of ["/guide/", "/guide", "/nothing"]) {
      for (const fields of [{}, { "Accept-Encoding": "gzip" }]) {
        const [get, head] = [await send(`GET ${target}`, fields), await send(`HEAD ${target}`, fields)];
        const comparable = ({ status, headers }: RawResponse) => [
          status,
          [...headers].filter(([name]) => name !== "date"),
        ];
        expect(comparable(head)).toEqual(comparable(get));
        expect(head.headers.get("content-length")).toMatch(/^\d+$/);
      }
    }
  });

  it.each([
    ["gzip, deflate, br", "gzip"],
    ["gzip", "gzip"],
    ["gzip;q=0.5", "gzip"],
    ["gzip;q=0, br", undefined],
    ["*;q=0, identity", undefined],
    ["identity", undefined],
    ["deflate", undefined],
    ["", undefined],
  ])("is, for Accept-Encoding: %s, encoded with %s", async (accepted, coding) => {
    const plain = await send("GET /guide/");
    const { headers } = await send("GET /guide/", { "Accept-Encoding": accepted });
    expect([headers.get("content-encoding"), headers.get("vary")]).toEqual([coding, "accept-encoding"]);
    const [length, whole] = [headers, plain.headers].map((fields) => Number(fields.get("content-length")));
    expect(length).toBe(coding === undefined ? whole : Math.min(length ?? 0, (whole ?? 0) / 2));
    const response = await fetch(`${server.url}/guide/`, { headers: { "accept-encoding": accepted } });
    expect(await response.text()).toBe(plain.body);
  });

  it("isn't compressed twice", async () => {
    const { headers } = await send("GET /assets/logo.png", { "Accept-Encoding": "gzip" });
    expect([headers.get("content-encoding"), headers.get("vary")]).toEqual([undefined, undefined]);
  });

  it("is 304 if the client has the same", async () => {
    const { headers } = await send("GET /guide/");
    const [etag = "", modified = ""] = [headers.get("etag"), headers.get("last-modified")];
    const before = new Date(Date.parse(modified) - 1_000).toUTCString();
    const other = (await send("GET /guide/", { "Accept-Encoding": "gzip" })).headers.get("etag") ?? "";
    const statuses: readonly (readonly [Fields, number])[] = [
      [{ "If-None-Match": etag }, 304],
      [{ "If-None-Match": `W/${etag}` }, 304],
      [{ "If-None-Match": `"a",W/${etag} , "b"` }, 304],
      [{ "If-None-Match": "*" }, 304],
      [{ "If-None-Match": '"a"' }, 200],
      [{ "If-None-Match": other }, 200],
      [{ "If-None-Match": other, "Accept-Encoding": "gzip" }, 304],
      [{ "If-Modified-Since": modified }, 304],
      [{ "If-Modified-Since": before }, 200],
      [{ "If-Modified-Since": "yesterday" }, 200],
      [{ "If-Modified-Since": modified, "If-None-Match": '"a"' }, 200],
    ];
    for (const [fields, status] of statuses) {
      for (const method of ["GET", "HEAD"]) {
        expect([method, fields, (await send(`${method} /guide/`, fields)).status]).toEqual([method, fields, status]);
      }
    }
    const { body, headers: fields } = await send("GET /guide/", { "If-None-Match": etag });
    expect([body, fields.get("etag"), fields.get("content-length")]).toEqual(["", etag, undefined]);
    expect((await send("GET /nothing", { "If-None-Match": "*" })).status).toBe(404);
  });

  it("may be cached forever if its name has a digest, and is revalidated otherwise", async () => {
    const cacheControl = async (target: string) => (await send(`GET ${target}`)).headers.get("cache-control");
    expect(await cacheControl("/assets/site-0123456789ab.css")).toBe("public, max-age=31536000, immutable");
    for (const target of ["/guide/", "/assets/logo.png", "/guide/steps-0123456789ab.md", "/nothing"]) {
      expect(await cacheControl(target)).toBe("no-cache");
    }
  });

  it("has a header that forbids framing, which its page cannot express", async () => {
    for (const target of ["/guide/", "/nothing"]) {
      const { headers } = await send(`GET ${target}`);
      expect(Object.fromEntries(headers)).toMatchObject({
        "content-security-policy": "frame-ancestors 'none'",
        "cross-origin-opener-policy": "same-origin",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
      });
    }
  });
});

import type { RequestListener } from "node:http";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect } from "vitest";
import { startServer, type MockServer } from "../../scripts/mock/server/server.ts";
import { it as test } from "../docs/it.ts";
import { serveHttp } from "../fixtures/serveHttp.ts";
import { parcels } from "./fixtures/parcels.ts";
import { sendRaw } from "./raw.ts";

let mock: MockServer;
/** A server of another origin, whose pages are empty, and which the mock allows or not. */
let [stranger, friend] = ["", ""];
const servers = new AsyncDisposableStack();
const servePage: RequestListener = (_, response) =>
  response.setHeader("content-type", "text/html").end("<title>Page</title>");
beforeAll(async () => {
  const served = await Promise.all([serveHttp(servePage), serveHttp(servePage)]);
  [stranger = "", friend = ""] = served.map((one) => servers.use(one).url);
  mock = await startServer({ generations: [parcels], allowedOrigins: [friend] });
});
afterAll(async () => {
  await mock.close();
  await servers.disposeAsync();
});
beforeEach(() => {
  mock.reset();
});

const control = (path: string, method = "GET", headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${mock.url}/-/mock/${path}`, { method, headers });

test("GET /-/mock/health says ready, and which contract", async () => {
  const response = await control("health");
  const { title } = parcels;
  const version: unknown = expect.any(String);
  expect([response.status, await response.json()]).toEqual([
    200,
    {
      status: "ready",
      generations: [{ name: "parcels", title, version, operations: 10 }],
    },
  ]);
  expect(mock.requests()).toEqual([]);
});

describe("/-/mock/sessions", () => {
  const names = async () => {
    const list: unknown = await (await control("sessions")).json();
    return Array.isArray(list) ? list.map(({ name }: { name: string }) => name).toSorted() : list;
  };

  test("lists sessions, and ends one or all", async () => {
    const rule = { delay: 1 };
    for (const session of ["a", "b c"]) {
      await fetch(`${mock.url}/parcels/1`, { headers: { "x-mock-session": session } });
      mock.faults.add(rule, session);
    }
    const lastUsed: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    expect(await (await control("sessions")).json()).toContainEqual({
      name: "b c",
      lastUsed,
      requests: 1,
      resources: 0,
    });
    expect((await control("sessions/b%20c", "DELETE")).status).toBe(204);
    expect((await control("sessions/unknown", "DELETE")).status).toBe(204);
    expect(await names()).toEqual(["", "a"]);
    mock.faults.add(rule);
    expect((await control("sessions", "DELETE")).status).toBe(204);
    expect([await names(), mock.faults.list()]).toEqual([[""], []]);
    const refused = await control("sessions/a/b", "DELETE");
    expect([refused.status, await refused.text()]).toEqual([
      404,
      expect.stringContaining("/-/mock/sessions/NAME (DELETE)"),
    ]);
  });
});

describe("a control request", () => {
  test("has a note of a query parameter that its endpoint doesn't have", async () => {
    const noteOf = async (path: string, method = "GET") => (await control(path, method)).headers.get("x-mock-note");
    expect(await noteOf("reset?session=a", "POST")).toBe(
      'the endpoint has no query parameter "session", so it is ignored: there are none',
    );
    expect(await noteOf("faults?usedup=true")).toContain("did you mean usedUp?");
    for (const path of ["faults?usedUp=true", "requests?sessions=all", "state"]) expect(await noteOf(path)).toBeNull();
  });

  const statusOf = async (headers: Readonly<Record<string, string>>, method = "GET") =>
    (await control("requests", method, headers)).status;

  test("is answered for programs, the mock's own pages and those that are allowed", async () => {
    const own = [{}, { origin: mock.url }, { "sec-fetch-site": "same-origin" }, { "sec-fetch-site": "none" }];
    for (const headers of own) expect(await statusOf(headers)).toBe(200);
    expect(await statusOf({ origin: friend, "sec-fetch-site": "same-site" })).toBe(200);
  });

  test("is refused for pages of other origins, and names the option that allows them", async () => {
    const others = [{ origin: stranger }, { origin: "null" }, { origin: `${mock.url}.evil.example` }, { origin: "" }];
    const sites = [{ "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }];
    for (const headers of [...others, ...sites]) {
      expect(await statusOf(headers)).toBe(403);
      expect((await fetch(`${mock.url}/parcels/1`, { headers })).status).toBe(200);
    }
    expect(await statusOf({ origin: stranger, "access-control-request-method": "PUT" }, "OPTIONS")).toBe(403);
    const refused = await control("reset", "POST", { origin: stranger });
    expect(await refused.text()).toContain(`Pages of ${stranger} may not use`);
    expect((await fetch(`${mock.url}//-/mock/requests`, { headers: { origin: stranger } })).status).toBe(404);
  });

  test("is answered for a link from another site, if it leads to the page in a window", async () => {
    const link = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    // Node's fetch has a Sec-Fetch-Mode of its own.
    const statusFor = async (path: string, headers = {}, method = "GET") => {
      const fields = Object.entries({ host: "localhost", ...link, ...headers }).map(
        ([name, value]) => `${name}: ${value}`,
      );
      return (await sendRaw(mock.url, `${[`${method} ${path} HTTP/1.1`, ...fields].join("\r\n")}\r\n\r\n`)).status;
    };
    expect([await statusFor("/-/mock"), await statusFor("/-/mock/?session=a")]).toEqual([308, 200]);
    for (const path of ["/-/mock/requests", "/-/mock/page/page.js", "/-/mock/x"])
      expect([path, await statusFor(path)]).toEqual([path, 403]);
    for (const other of [{ "sec-fetch-dest": "iframe" }, { "sec-fetch-mode": "no-cors" }, { origin: stranger }])
      expect(await statusFor("/-/mock/", other)).toBe(403);
    expect(await statusFor("/-/mock/", {}, "POST")).toBe(403);
  });

  test("is no page's matter inside a process", async () => {
    const response = await mock.fetch("https://api.example/-/mock/requests", { headers: { origin: stranger } });
    expect(response.status).toBe(200);
  });

  test("is nothing that pages of other origins may send to an upstream", async () => {
    const received: string[] = [];
    await using server = await serveHttp(({ url = "" }, response) => {
      received.push(url);
      response.end();
    });
    const beside = { upstream: server.url, allowedOrigins: [friend] };
    await using proxy = await startServer({ generations: [parcels], ...beside });
    const statusFor = async (path: string, fields: Readonly<Record<string, string>>, method = "GET") => {
      const lines = Object.entries({ host: "localhost", ...fields }).map(([name, value]) => `${name}: ${value}`);
      return sendRaw(proxy.url, `${[`${method} ${path} HTTP/1.1`, ...lines].join("\r\n")}\r\n\r\n`);
    };
    const pages = [
      { origin: stranger },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ];
    for (const page of pages) {
      const { status, body } = await statusFor("/parcels/1", page);
      expect([status, body]).toEqual([
        403,
        expect.stringContaining("may not send requests through the mock to its upstream"),
      ]);
      expect((await statusFor("/unknown", page, "POST")).status).toBe(403);
      expect((await statusFor("/parcels", { ...page, "access-control-request-method": "PUT" }, "OPTIONS")).status).toBe(
        403,
      );
    }
    expect(received).toEqual([]);
    for (const page of [{ origin: friend }, { origin: "http://localhost" }, { "sec-fetch-site": "same-origin" }, {}])
      expect((await statusFor("/parcels/1", page)).status).toBe(200);
    expect(received).toHaveLength(4);
  });

  test.each([["a b"], ["http://a.example/path"], ["*"]])("may not come from what is no origin: %s", async (origin) => {
    await expect(startServer({ generations: [parcels], allowedOrigins: [origin] })).rejects.toThrow(
      new TypeError(`allowedOrigins must be an array of origins, not [ '${origin}' ]`),
    );
  });
});

describe("a page in a browser", () => {
  /** What happens to a page's requests: their statuses, or `refused` where the browser keeps the response from it. */
  async function tryAll(browser: Browser, origin: string): Promise<unknown> {
    const page = await browser.newPage();
    await page.goto(`${origin}/`);
    const requests = [
      ["parcels/1", "GET"],
      ["-/mock/requests", "GET"],
      ["-/mock/reset", "POST"],
      ["-/mock/state", "PUT"],
    ];
    const results = await page.evaluate<unknown>(
      `Promise.all(${JSON.stringify(requests)}.map(([path, method]) =>
        fetch("${mock.url}/" + path, { method, headers: method === "PUT" ? { "content-type": "application/json" } : {},
          ...(method === "PUT" && { body: '{"resources":{}}' }) })
          .then(({ status }) => status, () => "refused")))`,
    );
    await page.close();
    return results;
  }

  test("uses the API from every origin, and the mock's own endpoints from allowed ones", async ({ browser }) => {
    expect(await tryAll(browser, stranger)).toEqual([200, 403, 403, "refused"]);
    expect(await tryAll(browser, friend)).toEqual([200, 200, 204, 200]);
    expect(await tryAll(browser, mock.url)).toEqual([200, 200, 204, 200]);
  });

  test("can link to the mock's page", async ({ browser }) => {
    const page = await browser.newPage();
    await page.goto(`${stranger.replace("127.0.0.1", "localhost")}/`);
    await page.setContent(`<a href="${mock.url}/-/mock">Mock</a>`);
    await page.click("a");
    await page.getByText("No requests yet").waitFor();
    await page.close();
  });

  test("cannot reset the mock with a form", async ({ browser }) => {
    mock.faults.set([{ delay: 1 }]);
    const page = await browser.newPage();
    for (const policy of ["no-referrer", "unsafe-url"]) {
      await page.goto(`${stranger}/`);
      await page.setContent(
        `<meta name="referrer" content="${policy}"><form method="post" action="${mock.url}/-/mock/reset"><button>Go</button></form>`,
      );
      const [response] = await Promise.all([page.waitForResponse(/reset/), page.click("button")]);
      expect(response.status()).toBe(403);
    }
    await page.close();
    expect(mock.faults.list()).toMatchObject([{ delay: 1 }]);
  });
});

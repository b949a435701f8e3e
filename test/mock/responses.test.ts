import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isObject } from "../../scripts/values/json.ts";
import type { Mock } from "../../scripts/mock/mockTypes.ts";
import { startServer } from "../../scripts/mock/server/server.ts";
import { parcels } from "./fixtures/parcels.ts";

let mock: Mock;

beforeAll(async () => {
  mock = await startServer({ generations: [parcels], stateless: true });
});
afterAll(async () => {
  await mock.close();
});

const headers = { authorization: "Bearer t" };
const one = { id: 1, weight: 2.5, note: null, tags: [] };

function get(target: string, extra: Readonly<Record<string, string>> = {}, method = "GET") {
  return fetch(`${mock.url}${target}`, { method, headers: { ...headers, ...extra } });
}

describe("the response", () => {
  test("is the first example", async () => {
    const response = await get("/parcels");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("x-total")).toBe("2");
    expect(await response.json()).toHaveLength(2);
  });

  test("is the example, the code or the media type that is asked for", async () => {
    expect(await (await get("/parcels", { prefer: "example=none" })).json()).toEqual([]);
    const missing = await get("/parcels", { prefer: 'code="404"; example=gone' });
    expect([missing.status, await missing.json()]).toEqual([404, { gone: true }]);
    const csv = await get("/parcels", { accept: "image/png, text/csv;q=0.5" });
    expect([csv.headers.get("content-type"), await csv.text()]).toEqual(["text/csv", "id,weight\n1,2.5\n"]);
  });

  test("does not follow what is asked of somebody else, or excluded", async () => {
    expect((await get("/parcels", { prefer: "foo;code=404" })).status).toBe(200);
    expect((await get("/parcels", { prefer: 'foo="a,code=404"; code=404, example=none' })).status).toBe(200);
    const csv = await get("/parcels", { accept: "application/json;q=0, */*" });
    expect(csv.headers.get("content-type")).toBe("text/csv");
  });

  test("is asked for in the query as well", async () => {
    expect(await (await get("/parcels?__example=none")).json()).toEqual([]);
  });

  test("has status 200 where the contract only says 2XX", async () => {
    const response = await get("/parcels/7");
    expect([response.status, await response.json()]).toEqual([200, one]);
  });

  test("is {} where the contract says nothing of the body", async () => {
    const init = { method: "PUT", headers: { "content-type": "application/json" }, body: "null" };
    expect(await (await fetch(`${mock.url}/parcels/7`, init)).json()).toEqual({});
    const move = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
    const moved = await fetch(`${mock.url}/parcels/7/move`, move);
    expect(await moved.json()).toEqual({});
    expect(moved.headers.get("x-mock-note")).toContain("; the contract doesn't specify the body: {} is a placeholder");
  });

  test("has no content with 204", async () => {
    const response = await get("/parcels/7?apiKey=k", {}, "DELETE");
    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([204, null, ""]);
  });

  test("is `default` only for a code that nothing else is declared for", async () => {
    const response = await get("/parcels", { prefer: "code=503" });
    expect([response.status, await response.text(), response.headers.get("x-mock-note")]).toEqual([
      503,
      "{}",
      'the contract lists no 503 for this operation, only "default", and doesn\'t specify the body: {} is a placeholder',
    ]);
    expect((await get("/failures")).status).toBe(200);
  });

  test("is made of the schema, and the same for a seed, where that is asked for", async () => {
    const prefer = "dynamic=true, seed=7";
    const first: unknown = await (await get("/parcels/7", { prefer })).json();
    const second: unknown = await (await get("/parcels/7", { prefer })).json();
    expect(first).toEqual(second);
    expect(first).not.toEqual(one);
    expect(Object.keys(one).every((name) => isObject(first) && name in first)).toBe(true);
  });

  test("is made of a schema that contains itself", async () => {
    const name: unknown = expect.any(String);
    const children: unknown = expect.arrayContaining([expect.objectContaining({ name })]);
    expect(await (await get("/trees/oak.json")).json()).toEqual({ name, children });
  });

  test("of HEAD is that of GET without the body", async () => {
    const [whole, head] = [await get("/parcels"), await get("/parcels", {}, "HEAD")];
    expect(head.status).toBe(200);
    expect(head.headers.get("content-length")).toBe(whole.headers.get("content-length"));
    expect(await head.text()).toBe("");
    await whole.text();
  });
});

describe("the request", () => {
  test("may name any of the alternative credentials", async () => {
    const post = (extra: Readonly<Record<string, string>>) =>
      fetch(`${mock.url}/parcels`, {
        method: "POST",
        headers: { "content-type": "application/json", ...extra },
        body: '{"weight":1}',
      });
    expect((await post({ authorization: "bearer t" })).status).toBe(201);
    expect((await post({ "x-secret-key": "k", "x-client-id": "i" })).status).toBe(201);
    expect((await post({ "x-secret-key": "k" })).status).toBe(401);
  });

  test("reaches a literal segment rather than a template, and a template where it has the method", async () => {
    expect(await (await get("/parcels/mine", { "api-version": "2024-08-13" })).json()).toEqual({ mine: true });
    expect((await get("/parcels/mine?apiKey=k", {}, "DELETE")).status).toBe(422);
  });

  test("fills several names in one segment", async () => {
    expect((await get("/trees/oak.json")).status).toBe(200);
    expect((await get("/trees/oak.xml")).status).toBe(422);
    expect((await get("/trees/oak")).status).toBe(404);
  });

  test("may be percent-encoded", async () => {
    expect((await get("/%70arcels/%37")).status).toBe(200);
  });

  test.each([
    ["application/x-www-form-urlencoded", "weight=2", 200],
    ["application/x-www-form-urlencoded", "weight=x", 422],
    ["text/plain", "anything", 200],
    ["application/json", "7", 422],
  ])("may have any declared media type: %s with %s", async (type, body, status) => {
    const response = await fetch(`${mock.url}/parcels/7`, { method: "PUT", headers: { "content-type": type }, body });
    expect(response.status).toBe(status);
  });

  test("may take an open alternative", async () => {
    const init = { method: "POST", headers: { "content-type": "application/json" } };
    expect((await fetch(`${mock.url}/parcels/7/move`, { ...init, body: '{"anything":1}' })).status).toBe(200);
    expect((await fetch(`${mock.url}/parcels/7/move`, { ...init, body: "[]" })).status).toBe(422);
  });
});

describe("a browser on another origin", () => {
  const origin = "http://localhost:3000";

  test("is let through by the preflight", async () => {
    const response = await fetch(`${mock.url}/parcels`, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization, x-a",
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-origin")).toBe(origin);
    expect(response.headers.get("access-control-allow-methods")).toBe("POST");
    expect(response.headers.get("access-control-allow-headers")).toBe("authorization, x-a");
  });

  test("can read responses and refusals, and their headers", async () => {
    const response = await fetch(`${mock.url}/parcels`, { headers: { origin } });
    expect(response.status).toBe(401);
    expect(response.headers.get("access-control-allow-origin")).toBe(origin);
    expect(response.headers.get("access-control-allow-credentials")).toBe("true");
    expect(response.headers.get("access-control-expose-headers")).toContain("www-authenticate");
  });

  test("learns the methods by OPTIONS", async () => {
    const response = await fetch(`${mock.url}/parcels`, { method: "OPTIONS" });
    expect([response.status, response.headers.get("allow")]).toEqual([204, "GET, POST, HEAD, OPTIONS"]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import type { OpenApiDocument, OperationObject, ResponseObject } from "../../scripts/spec/openapi.ts";
import type { Mock } from "../../scripts/mock/mockTypes.ts";
import { startServer } from "../../scripts/mock/server/server.ts";
import { parcels } from "./fixtures/parcels.ts";
import { sendRaw } from "./raw.ts";

/** What the mock has to get right although the Prism that it is built on does not. */

function get(
  operation: Omit<OperationObject, "responses">,
  content: NonNullable<ResponseObject["content"]>,
): OperationObject {
  return { ...operation, responses: { "200": { description: "", content } } };
}

const odd: OpenApiDocument = {
  openapi: "3.1.1",
  paths: {
    "/huge": {
      get: get(
        {},
        {
          "application/json": {
            schema: {
              type: "object",
              properties: Object.fromEntries(
                Array.from({ length: 3_000 }, (_, index) => [`p${index}`, { type: "string" }]),
              ),
            },
          },
        },
      ),
    },
    "/any-type": { get: get({}, { "*/*": { schema: { type: "object" }, example: { any: 1 } } }) },
    "/optional": { get: get({ security: [{ bearer: [] }, {}] }, { "application/json": { example: 1 } }) },
    "/styled/{id}": {
      get: get(
        { parameters: [{ name: "id", in: "path", required: true, style: "label", schema: { type: "string" } }] },
        { "application/json": { example: 1 } },
      ),
    },
    "/open": {
      get: get(
        {},
        {
          "application/json": {
            schema: {
              type: "object",
              required: ["list", "open"],
              properties: {
                list: { type: "array", minItems: 1, items: true },
                open: { description: "Not specified." },
              },
            },
          },
        },
      ),
    },
    "/headers": {
      get: {
        responses: {
          "200": {
            description: "",
            headers: {
              "Content-Length": { schema: { type: "integer" } },
              "Transfer-Encoding": { schema: { type: "string", const: "chunked" } },
              "X-Fine": { schema: { type: "string" }, example: "fine" },
            },
            content: { "application/json": { example: 1 } },
          },
        },
      },
    },
  },
  components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
};

let mock: Mock;

beforeAll(async () => {
  mock = await startServer({ generations: [parcels, readGeneration("odd", odd)] });
});
afterAll(async () => {
  await mock.close();
});

const json = { "content-type": "application/json" };

function post(body: string) {
  return fetch(`${mock.url}/parcels`, { method: "POST", headers: { ...json, authorization: "Bearer t" }, body });
}

describe("Prism 5.16.0", () => {
  test("ends the process on a bad percent escape in a path parameter", async () => {
    const response = await sendRaw(mock.url, "GET /parcels/%E0%A4%A HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(response.status).toBe(400);
    expect(response.body).toContain("%E0%A4%A");
    expect((await fetch(`${mock.url}/parcels/1`)).status).toBe(200);
  });

  test("never answers a malformed JSON body", async () => {
    expect((await post("{")).status).toBe(400);
  });

  test("answers `GET //` with 500", async () => {
    expect((await sendRaw(mock.url, "GET // HTTP/1.1\r\nHost: localhost\r\n\r\n")).status).toBe(404);
  });

  test("answers an unparsable Content-Type with 500", async () => {
    const init = { method: "POST", headers: { "content-type": ";;", authorization: "Bearer t" }, body: "{}" };
    expect((await fetch(`${mock.url}/parcels`, init)).status).toBe(415);
  });

  test("answers an invalid request with null, where `default` has an empty schema", async () => {
    const response = await fetch(`${mock.url}/parcels/seven`);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ violations: [{ name: "parcelId" }] });
  });

  test("answers null where a response has an empty schema", async () => {
    const response = await fetch(`${mock.url}/parcels/1`, { method: "PUT", headers: json, body: "{}" });
    expect(await response.text()).toBe("{}");
  });

  test("answers 406 where the content is any type", async () => {
    const response = await fetch(`${mock.url}/any-type`, { headers: { accept: "application/json" } });
    expect([response.status, response.headers.get("content-type"), await response.json()]).toEqual([
      200,
      "application/json",
      { any: 1 },
    ]);
  });

  test("does not say why it answers 500 where a schema is too large to make a value of", async () => {
    const response = await fetch(`${mock.url}/huge`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ p0: "string" });
  });

  test("answers 500 where an example is asked for that no response has", async () => {
    const response = await fetch(`${mock.url}/parcels/1`, { headers: { prefer: "code=200, example=nope" } });
    expect(response.status).toBe(422);
  });

  test("takes a JSON body that is 0 or false for none", async () => {
    const response = await fetch(`${mock.url}/parcels/1`, { method: "PUT", headers: json, body: "0" });
    expect(await response.json()).toMatchObject({ violations: [{ expected: ["object", "null"], received: "0" }] });
  });

  test("does not tell which value a `const` has", async () => {
    const response = await fetch(`${mock.url}/parcels/mine`, { headers: { "api-version": "1" } });
    expect(await response.text()).toContain("2024-08-13");
  });

  test("refuses a scheme that is not written `Bearer`", async () => {
    expect((await fetch(`${mock.url}/parcels`, { headers: { authorization: "bearer t" } })).status).toBe(200);
  });

  test("refuses other credentials where credentials are optional", async () => {
    expect((await fetch(`${mock.url}/optional`, { headers: { authorization: "Basic dTpw" } })).status).toBe(200);
  });

  test("ends the process where a path parameter does not have the form of its style, which is only shown", async () => {
    const response = await fetch(`${mock.url}/styled/x`);
    expect([response.status, await response.json()]).toEqual([200, 1]);
  });

  test("sends made-up headers that break the connection", async () => {
    const response = await fetch(`${mock.url}/headers`);
    expect([response.headers.get("x-fine"), await response.text()]).toEqual(["fine", "1"]);
  });

  test("ends the process on an Accept header that is no media type", async () => {
    const response = await fetch(`${mock.url}/parcels/1`, { headers: { accept: "a/b;x" } });
    expect(response.status).toBe(406);
    expect((await fetch(`${mock.url}/parcels/1`, { headers: { accept: "a/b;x, application/json" } })).status).toBe(200);
  });

  test("makes a value of a schema's description, and a stack trace of `true`, where responses are dynamic", async () => {
    const response = await fetch(`${mock.url}/open`, { headers: { prefer: "dynamic=true" } });
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toContain('"list":[');
    expect(text).toContain('"open":{}');
  });
});

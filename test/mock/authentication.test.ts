import { afterAll, beforeAll, expect, test } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import type { OperationObject } from "../../scripts/spec/openapi.ts";
import type { Mock, RequestEntry } from "../../scripts/mock/mockTypes.ts";
import { startServer } from "../../scripts/mock/server/server.ts";

const responses = { "200": { description: "", content: { "application/json": { example: 1 } } } };

function get(...security: NonNullable<OperationObject["security"]>): { get: OperationObject } {
  return { get: { security, responses } };
}

const generation = readGeneration("secured", {
  openapi: "3.1.1",
  paths: {
    "/cookies": get({ sid: [], other: [] }),
    "/basic": get({ basic: [] }),
    "/digest": get({ digest: [] }),
    "/oauth2": get({ oauth2: [] }),
    "/signed": get({ sig: [] }),
    "/inherited": get({ inherited: [] }),
    "/certificate": get({ certificate: [] }),
    "/certificate-and-key": get({ certificate: [], key: [] }),
  },
  components: {
    securitySchemes: {
      sid: { type: "apiKey", in: "cookie", name: "sid" },
      other: { type: "apiKey", in: "cookie", name: "other" },
      basic: { type: "http", scheme: "basic" },
      digest: { type: "http", scheme: "digest" },
      oauth2: { type: "oauth2", flows: {} },
      sig: { type: "apiKey", in: "query", name: "sig" },
      inherited: { type: "apiKey", in: "query", name: "constructor" },
      certificate: { type: "mutualTLS" },
      key: { type: "apiKey", in: "header", name: "X-Key" },
    },
  },
});
const entries: RequestEntry[] = [];
let mock: Mock;
beforeAll(async () => {
  mock = await startServer({ generations: [generation], onResponse: (entry) => entries.push(entry) });
});
afterAll(() => mock.close());

test.each<[target: string, headers: Record<string, string>, status: number]>([
  ["/cookies", { cookie: "other=b; sid=a" }, 200],
  ["/cookies", { cookie: "sid=a" }, 401],
  ["/cookies", { cookie: "sid=; other=b" }, 401],
  ["/cookies", { cookie: "xsid=a; other=b" }, 401],
  ["/basic", { authorization: `basic ${btoa("user:password")}` }, 200],
  ["/basic", { authorization: `Basic ${btoa("user")}` }, 401],
  ["/basic", { authorization: "Bearer t" }, 401],
  ["/digest", { authorization: "Digest username=u" }, 200],
  ["/oauth2", { authorization: "BEARER t" }, 200],
  ["/oauth2", { authorization: "Bearer " }, 401],
  ["/signed?sig=abc", {}, 200],
  ["/signed?sig=", {}, 401],
  ["/signed?sig=&sig=", {}, 401],
  ["/inherited", {}, 401],
  ["/certificate", {}, 200],
  ["/certificate-and-key", { "x-key": "k" }, 200],
  ["/certificate-and-key", {}, 401],
])("%s with %o is answered with %i", async (target, headers, status) => {
  expect((await fetch(mock.url + target, { headers })).status).toBe(status);
});

test("401 names each cookie, and no certificate", async () => {
  const cookies = await fetch(`${mock.url}/cookies`, { headers: { cookie: "sid=a" } });
  expect(await cookies.text()).toContain(
    "Send the sid cookie: sid=<sid> together with the other cookie: other=<other>.",
  );
  const key = await fetch(`${mock.url}/certificate-and-key`);
  expect(key.headers.get("www-authenticate")).toBe('ApiKey in="header", name="X-Key"');
  expect(await key.text()).toContain("Send the X-Key header: <key>.");
});

test("a query parameter that a scheme declares is masked in the log, whatever its name", async () => {
  await fetch(`${mock.url}/signed?sig=topsecret`);
  expect(entries.at(-1)?.target).toBe("/signed?sig=***");
});

import { expect, test } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { createEngine } from "../../scripts/mock/server/engine.ts";
import type { RequestEntry } from "../../scripts/mock/mockTypes.ts";
import type { OpenApiDocument, ResponseObject, SchemaObject } from "../../scripts/spec/openapi.ts";

const failure: SchemaObject = { type: "object", required: ["code"], properties: { code: { type: "string" } } };

function response(code: string): ResponseObject {
  return { description: "", content: { "application/json": { schema: failure, example: { code } } } };
}

const ok: ResponseObject = { description: "", content: { "application/json": { example: { fine: true } } } };
const empty: ResponseObject = { description: "", content: { "application/json": { schema: {} } } };
const page = { name: "page", in: "query", schema: { type: "integer" } } as const;
const id = { name: "id", in: "path", required: true, schema: { type: "integer" } } as const;

const document: OpenApiDocument = {
  openapi: "3.1.1",
  paths: {
    "/exact": {
      get: { parameters: [page], responses: { "200": ok, "422": response("exact"), "4XX": response("range") } },
    },
    "/range": { get: { parameters: [page], responses: { "200": ok, "4XX": response("range"), default: empty } } },
    "/default": {
      get: { operationId: "getDefault", parameters: [page], responses: { "200": ok, default: response("default") } },
    },
    "/empty": { get: { parameters: [page], responses: { "200": ok, "4XX": { description: "" }, default: empty } } },
    "/secured": { get: { security: [{ bearer: [] }], responses: { "200": ok, "401": response("unauthorized") } } },
    "/things": {
      post: {
        requestBody: { content: { "application/json": { schema: { type: "object" } } } },
        responses: { "201": { description: "" } },
      },
    },
    "/things/{id}": {
      parameters: [id],
      get: { responses: { "200": ok, default: response("gone") } },
      delete: { responses: { "204": { description: "" } } },
    },
    "/generated": {
      get: {
        parameters: [page],
        responses: { "200": ok, "4XX": { description: "", content: { "application/json": { schema: failure } } } },
      },
    },
  },
  components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
};

const entries: RequestEntry[] = [];
const mock = createEngine({
  generations: [readGeneration("refusing", document)],
  onResponse: (entry) => entries.push(entry),
});

async function get(target: string, method = "GET") {
  const answer = await mock.fetch(`http://mock.example${target}`, { method });
  const text = await answer.text();
  const body: unknown = text === "" ? undefined : JSON.parse(text);
  return { status: answer.status, headers: answer.headers, body, reason: answer.headers.get("x-mock-reason") };
}

test.each([
  ["/exact", { code: "exact" }],
  ["/range", { code: "range" }],
  ["/default", { code: "default" }],
])("a refusal has the body that the contract describes for its status: %s", async (path, body) => {
  const refused = await get(`${path}?page=é`);
  expect(refused).toMatchObject({ status: 422, body });
  expect(refused.headers.get("content-type")).toBe("application/json");
  expect(refused.reason).toBe('The query parameter page must be an integer; received "\\u00e9".');
  expect(entries.at(-1)?.reason).toBe('The query parameter page must be an integer; received "é".');
});

test("a refusal has a body that is made of the described schema", async () => {
  expect(await get("/generated?page=x")).toMatchObject({ status: 422, body: { code: "string" } });
});

test("a refusal describes the violation if the contract doesn't describe the body", async () => {
  const refused = await get("/empty?page=x");
  expect(refused).toMatchObject({ status: 422, reason: null, body: { violations: [{ name: "page" }] } });
});

test("a failure of the mock itself is not one of the contract's", async () => {
  mock.overrides.set([{ id: "a", operation: "getDefault", respond: () => Promise.reject(new Error("no idea")) }]);
  const failed = await get("/default");
  mock.overrides.clear();
  const detail = 'Override "a" threw an error: no idea';
  expect(failed).toMatchObject({ status: 500, reason: null, body: { type: "about:blank", detail } });
});

test("a refusal for missing credentials keeps the header that says which", async () => {
  const refused = await get("/secured");
  expect(refused).toMatchObject({ status: 401, body: { code: "unauthorized" } });
  expect(refused.headers.get("www-authenticate")).toContain("Bearer");
});

test("a deleted resource gets the failure that the contract describes", async () => {
  expect((await get("/things/1", "DELETE")).status).toBe(204);
  expect(await get("/things/1")).toMatchObject({ status: 404, body: { code: "gone" } });
  expect(entries.at(-1)?.reason).toContain("deleted");
});

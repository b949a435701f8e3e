import { describe, expect, test } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { createEngine } from "../../scripts/mock/server/engine.ts";
import type { OpenApiDocument, ResponseObject } from "../../scripts/spec/openapi.ts";

/** Behaviour that users of Prism rely on: the areas are those of the test harness of Prism 5.16, for OpenAPI 3. */

function only(mediaType: string, example: unknown): ResponseObject {
  return { description: "", content: { [mediaType]: { example } } };
}

function operation(responses: Readonly<Record<string, ResponseObject>>) {
  return { get: { responses: { ...responses } } };
}

const berths: ResponseObject = {
  description: "",
  headers: { "Harbour-Master": { schema: { type: "string" }, example: "Ines" } },
  content: {
    "application/json": { examples: { free: { value: { berth: 4 } }, taken: { value: { berth: 9 } } } },
    "application/xml": { example: "<berth>4</berth>" },
    "application/vnd.harbour+json": { example: { berth: "vendor" } },
    "text/plain": { example: "berth 4" },
  },
};

const fuel: ResponseObject = {
  description: "",
  content: {
    "application/json": {
      examples: { tooMuch: { value: { error: "tank" } }, closed: { value: { error: "night" } } },
    },
  },
};

const tides: ResponseObject = {
  description: "",
  content: { "application/json": { example: "ebb", examples: { flood: { value: "flood" } } } },
};

const ship = { $ref: "#/components/schemas/Ship" } as const;

const document: OpenApiDocument = {
  openapi: "3.1.1",
  paths: {
    "/berths": operation({ "200": berths }),
    "/notes": operation({ "200": only("text/plain", "calm") }),
    "/empty": operation({ "204": { description: "" } }),
    "/bare": operation({ "200": { description: "" } }),
    "/several": operation({ "210": only("text/plain", "210"), "202": only("text/plain", "202") }),
    "/ranges": operation({
      "503": only("text/plain", "exact"),
      "5XX": only("text/plain", "range"),
      default: only("text/plain", "default"),
    }),
    "/success": operation({ "2XX": only("text/plain", "range"), default: only("text/plain", "default") }),
    "/exact": operation({ "201": only("text/plain", "exact"), "2XX": only("text/plain", "range") }),
    "/failures": operation({ "405": only("text/plain", "failure"), "500": only("text/plain", "last") }),
    "/redirect": operation({ "302": { description: "" }, "404": only("text/plain", "failure") }),
    "/redirect-or-default": operation({ "302": { description: "" }, default: only("text/plain", "default") }),
    "/tides": operation({ "200": tides }),
    "/fuel": {
      post: {
        requestBody: {
          required: true,
          content: {
            "application/json": { schema: { type: "object", required: ["liters"] } },
            "application/x-www-form-urlencoded": { schema: { type: "object", required: ["liters"] } },
          },
        },
        responses: { "201": { description: "" }, "422": fuel },
      },
    },
    "/log": {
      put: {
        requestBody: { content: { "application/json": { schema: { type: "object" } } } },
        responses: { "200": { description: "" } },
      },
    },
    "/ships/{name}": operation({ "200": only("text/plain", "template") }),
    "/ships/flagship": operation({ "200": only("text/plain", "literal") }),
    "/ships:count": operation({ "200": only("text/plain", "colon") }),
    "/charts/{name}.pdf": operation({ "200": only("text/plain", "mixed") }),
    "/dry dock": operation({ "200": only("text/plain", "encoded") }),
    "/fleet": operation({ "200": { description: "", content: { "application/json": { schema: ship } } } }),
    "/nullable": operation({
      "200": {
        description: "",
        content: {
          "application/json": {
            schema: {
              type: "object",
              required: ["next", "size", "flag"],
              properties: {
                next: { type: ["string", "null"], default: null },
                size: { type: "integer", examples: [12] },
                flag: { type: "string" },
              },
            },
          },
        },
      },
    }),
    "/search": {
      get: {
        parameters: [
          { name: "cargo-kind", in: "query", required: true, schema: { type: "string", minLength: 2 } },
          { name: "min", in: "query", schema: { type: "integer" } },
        ],
        responses: { "200": { description: "" } },
      },
    },
  },
  components: {
    schemas: {
      Ship: {
        type: "object",
        required: ["name", "tenders"],
        properties: { name: { type: "string" }, tenders: { type: "array", items: ship } },
      },
    },
  },
};

const mock = createEngine({ generations: [readGeneration("harbour", document)], stateless: true });

async function send(target: string, headers: Readonly<Record<string, string>> = {}, init: RequestInit = {}) {
  const response = await mock.fetch(`http://mock.example${target}`, { ...init, headers });
  const type = response.headers.get("content-type");
  return { status: response.status, type, headers: response.headers, text: await response.text() };
}

describe("the media type", () => {
  test.each([
    [undefined, "application/json"],
    ["application/xml", "application/xml"],
    ["application/xml, application/json", "application/xml"],
    ["application/json;q=0.8, application/xml;q=0.9", "application/xml"],
    ["application/json;q=0.8, application/xml", "application/xml"],
    ["image/webp, text/html, text/plain;q=0.5", "text/plain"],
    ["application/vnd.harbour+json; version=1", "application/vnd.harbour+json"],
    ["application/*", "application/json"],
    ["image/png, */*", "application/json"],
  ])("for Accept: %s is %s", async (accept, type) => {
    expect(await send("/berths", accept === undefined ? {} : { accept })).toMatchObject({ status: 200, type });
  });

  test("that does not exist is refused with problem details", async () => {
    const refused = await send("/notes", { accept: "image/png" });
    expect(refused).toMatchObject({ status: 406, type: "application/problem+json" });
  });

  test.each(["/empty", "/bare"])("does not matter without content: %s", async (path) => {
    expect(await send(path, { accept: "image/png" })).toMatchObject({ text: "", type: null });
  });
});

describe("the status", () => {
  test.each([
    ["/several", 202, "202"],
    ["/success", 200, "range"],
    ["/exact", 201, "exact"],
    ["/ranges", 200, "default"],
    ["/ranges?__code=503", 503, "exact"],
    ["/ranges?__code=502", 502, "range"],
    ["/ranges?__code=401", 401, "default"],
  ])("of %s is %i", async (target, status, text) => {
    expect(await send(target)).toMatchObject({ status, text });
  });

  test("can be asked for by header", async () => {
    expect(await send("/ranges", { prefer: "code=503" })).toMatchObject({ status: 503, text: "exact" });
  });

  test.each([
    ["/failures", 405, "failure"],
    ["/redirect", 302, ""],
    ["/redirect-or-default", 200, "default"],
  ])("of %s, which lists no success, is that of default or of the first response: %i", async (target, status, text) => {
    expect(await send(target, {}, { redirect: "manual" })).toMatchObject({ status, text });
  });

  test.each(["/notes?__code=304", "/berths?__example=none"])(
    "differs on purpose: %s cannot be met, which is 422 and not 404",
    async (target) => {
      expect(await send(target)).toMatchObject({ status: 422, type: "application/problem+json" });
    },
  );
});

test.each([
  ["/berths?__example=taken", {}],
  ["/berths", { prefer: "example=taken" }],
])("an example is asked for by name: %s", async (target, headers) => {
  expect(JSON.parse((await send(target, headers)).text)).toEqual({ berth: 9 });
});

test.each([
  ["/tides", "ebb"],
  ["/tides?__example=default", "ebb"],
  ["/tides?__example=flood", "flood"],
])("an example beside the named ones is the first, and named default: %s", async (target, example) => {
  expect(JSON.parse((await send(target)).text)).toBe(example);
});

describe("an invalid request", () => {
  const post = (target: string, headers: Readonly<Record<string, string>>, body: string) =>
    send(target, headers, { method: "POST", body });
  const json = { "content-type": "application/json" };

  test.each([
    ["/fuel", json, "tank"],
    ["/fuel?__code=422&__example=closed", json, "night"],
    ["/fuel", { ...json, prefer: "code=201, example=other" }, "tank"],
  ])("gets the described failure: %s %j", async (target, headers, error) => {
    const refused = await post(target, headers, "{}");
    expect(refused).toMatchObject({ status: 422, text: JSON.stringify({ error }) });
    expect(refused.headers.get("x-mock-reason")).toContain("liters");
  });

  test.each([
    [json, '{"liters":3}', 201],
    [{ "content-type": "application/x-www-form-urlencoded" }, "liters=3", 201],
    [{ "content-type": "application/x-www-form-urlencoded" }, "tons=3", 422],
    [{ "content-type": "image/png" }, "liters", 415],
  ])("has a body that is none of the described: %j %s", async (headers, body, status) => {
    expect((await post("/fuel", headers, body)).status).toBe(status);
  });

  test("is none without a body that is optional, whatever the Content-Type", async () => {
    expect((await send("/log", { "content-type": "text/csv" }, { method: "PUT" })).status).toBe(200);
  });

  test.each([
    ["/search?cargo-kind=grain", 200],
    ["/search", 422],
    ["/search?cargo-kind=g", 422],
    ["/search?cargo-kind=grain&min=4", 200],
    ["/search?cargo-kind=grain&min=few", 422],
  ])("has parameters that are not as described: %s", async (target, status) => {
    expect((await send(target)).status).toBe(status);
  });
});

describe("the path", () => {
  test.each([
    ["/ships/flagship", "literal"],
    ["/ships/cutter", "template"],
    ["/ships:count", "colon"],
    ["/charts/north.pdf", "mixed"],
    ["/dry%20dock", "encoded"],
  ])("%s leads to the %s one", async (path, text) => {
    expect(await send(path)).toMatchObject({ status: 200, text });
  });

  test("differs on purpose: HEAD is GET without the body, and not 405", async () => {
    const head = await send("/berths", {}, { method: "HEAD" });
    expect(head).toMatchObject({ status: 200, text: "" });
    expect(head.headers.get("harbour-master")).toBe("Ines");
  });
});

describe("without an example", () => {
  test("the schema's defaults, examples and types make the body", async () => {
    expect(JSON.parse((await send("/nullable")).text)).toEqual({ next: null, size: 12, flag: "string" });
  });

  test.each(["dynamic=false", "dynamic=true"])(
    "a schema that contains itself ends, and is valid: %s",
    async (prefer) => {
      const { text } = await send("/fleet", { prefer });
      expect(text.match(/"tenders":/g)?.length).toBe(text.match(/"name":/g)?.length);
      expect(text).toContain('"tenders":[]');
    },
  );
});

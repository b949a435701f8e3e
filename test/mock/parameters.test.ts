import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { isObject } from "../../scripts/values/json.ts";
import type { OperationObject, ParameterObject, SchemaObject } from "../../scripts/spec/openapi.ts";
import type { Mock } from "../../scripts/mock/mockTypes.ts";
import { startServer } from "../../scripts/mock/server/server.ts";

const list: SchemaObject = { type: "array", items: { type: "integer" }, minItems: 2 };
const point: SchemaObject = {
  type: "object",
  properties: { x: { type: "integer" }, y: { type: ["string", "null"], maxLength: 3 } },
  required: ["x"],
};
const responses = { "200": { description: "", content: { "application/json": { example: 1 } } } };

/** Fields that Redocly's type requires. */
const encoding = { contentType: "", allowReserved: false };

function get(parameter: Partial<ParameterObject>): { get: OperationObject } {
  return { get: { parameters: [{ name: "p", in: "query", ...parameter }], responses } };
}

const form = {
  type: "object",
  properties: { p: list, q: point, r: { type: "boolean" } },
  additionalProperties: { type: "integer" },
};

/** What the profile says no to: a value in each of these forms is passed on. */
const shown: Readonly<Record<string, Partial<ParameterObject>>> = {
  "/label/{p}": { in: "path", style: "label", schema: { type: "integer" } },
  "/list/{p}": { in: "path", schema: list },
  "/joined": { explode: false, schema: list },
  "/space": { style: "spaceDelimited", schema: list },
  "/deep": { style: "deepObject", schema: point },
  "/members": { schema: point },
  "/lists": { schema: { type: "array", items: list } },
  "/json": { content: { "application/json": { schema: point } } },
  "/empty": { allowEmptyValue: true, schema: { type: "integer" } },
  "/headers": { name: "P", in: "header", schema: list },
  "/cookies": { in: "cookie", schema: list },
};
const generation = readGeneration("parameters", {
  openapi: "3.1.1",
  paths: {
    ...Object.fromEntries(
      Object.entries(shown).map(([path, parameter]) => [path, get({ required: true, ...parameter })]),
    ),
    "/path/{p}": get({ in: "path", required: true, schema: { type: "number" } }),
    "/each": get({ schema: list }),
    "/either": get({ schema: { anyOf: [{ type: "integer", minimum: 5 }, { enum: ["all"] }, { type: "boolean" }] } }),
    "/listed": get({ schema: { anyOf: [{ type: "integer" }, list] } }),
    "/text": get({ schema: { type: "string", pattern: "^1" } }),
    "/constant": get({ required: true, schema: { type: "string", const: "string" } }),
    "/header": get({ name: "P", in: "header", schema: { type: "integer" } }),
    "/cookie": get({ in: "cookie", required: true, schema: { type: "integer" } }),
    "/fields": {
      post: {
        requestBody: {
          content: { "application/x-www-form-urlencoded": { schema: form }, "multipart/form-data": { schema: form } },
        },
        responses,
      },
    },
    "/styled-fields": {
      post: {
        requestBody: {
          content: {
            "multipart/form-data": { schema: form, encoding: { p: { ...encoding, style: "form", explode: false } } },
          },
        },
        responses,
      },
    },
  },
});
let mock: Mock;

beforeAll(async () => {
  mock = await startServer({ generations: [generation] });
});
afterAll(async () => {
  await mock.close();
});

async function outcome(target: string, init?: RequestInit): Promise<unknown> {
  const response = await fetch(mock.url + target, init);
  if (response.status === 200) return "valid";
  const problem: unknown = await response.json();
  return isObject(problem) ? problem["detail"] : problem;
}

describe("a parameter", () => {
  test.each([
    "/path/1.5e1",
    "/each?p=1&p=2",
    "/either?p=5",
    "/either?p=all",
    "/either?p=true",
    "/listed?p=1",
    "/listed?p=1&p=2",
    "/text?p=1",
  ])("is read as it should be: %s", async (target) => {
    expect(await outcome(target)).toBe("valid");
  });

  test.each([
    ["/path/0x10", 'The path parameter p must be a number; received "0x10".'],
    ["/each?p=1", 'The query parameter p must have at least 2 items; received "1".'],
    ["/each?p=1&p=b", '/1 in the query parameter p must be an integer; received "b".'],
    ["/either?p=4", "must be at least 5"],
    ["/text?p=2", 'The query parameter p must match pattern "^1"; received "2".'],
  ])("is refused in words: %s", async (target, words) => {
    expect(await outcome(target)).toContain(words);
  });

  test("may be a header", async () => {
    expect(await outcome("/header", { headers: { p: "1" } })).toBe("valid");
    expect(await outcome("/header", { headers: { p: "b" } })).toBe('The P header must be an integer; received "b".');
  });

  test("whose form is only shown is passed on unread, and so are its parts", async () => {
    for (const path of Object.keys(shown)) {
      const target = `${path.replace("{p}", ".b")}?p[x]=b&x=b&p=`;
      expect([path, await outcome(target, { headers: { p: "b,c", cookie: "p=b" } })]).toEqual([path, "valid"]);
    }
    // Any name may be a part of it.
    expect((await fetch(`${mock.url}/deep?q=1`)).headers.get("x-mock-note")).toBeNull();
    expect((await fetch(`${mock.url}/each?q=1`)).headers.get("x-mock-note")).toContain('no query parameter "q"');
  });
});

test("a cookie is read, and its value isn't shown", async () => {
  const withCookie = async (cookie: string) => outcome("/cookie", { headers: { cookie } });
  expect([await withCookie("p=%31; q=3"), await withCookie("p=b"), await outcome("/cookie")]).toEqual([
    "valid",
    "The p cookie must be an integer.",
    "The p cookie is required, and must be an integer.",
  ]);
});

test("a missing parameter is reported with the keyword of its schema, and not with a value", async () => {
  expect(await outcome("/constant")).toBe('The query parameter p is required, and must be "string".');
});

describe("a form", () => {
  const post = (body: BodyInit) => outcome("/fields", { method: "POST", body });

  test("has values of the types that its schema says", async () => {
    expect(await post(new URLSearchParams('p=1&p=2&q={"x":1}&r=true&other=5'))).toBe("valid");
    expect(await post(new URLSearchParams("r=yes&other=b"))).toContain(
      '/r in the body must be a boolean; received "yes".',
    );
  });

  test("may come in parts", async () => {
    const fields = new FormData();
    fields.append("p", "1");
    fields.append("p", "2");
    fields.set("q", new Blob(['{"x":1}'], { type: "application/json" }));
    fields.set("r", new Blob(["true"]));
    expect(await post(fields)).toBe("valid");
    fields.set("p", "1");
    expect(await post(fields)).toContain("/p in the body must have at least 2 items");
    const broken = { method: "POST", body: "x", headers: { "content-type": "multipart/form-data; boundary=b" } };
    expect(await outcome("/fields", broken)).toContain("is not multipart/form-data");
  });

  test("whose fields have styles is passed on unread", async () => {
    const fields = new FormData();
    fields.set("p", "1");
    expect(await outcome("/styled-fields", { method: "POST", body: fields })).toBe("valid");
  });

  test("has a limited number of parts", async () => {
    const fields = new FormData();
    for (let count = 0; count < 1_001; count += 1) fields.append("p", "1");
    expect(await post(fields)).toContain("more than 1000 parts");
    const pairs = Array.from({ length: 10_001 }, (_, index) => [`p${index}`, "1"]);
    expect(await post(new URLSearchParams(pairs))).toContain("more than 10000 fields");
  });
});

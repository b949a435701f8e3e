import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { isObject } from "../../scripts/spec/json.ts";
import type { OperationObject, ParameterObject, SchemaObject } from "../../scripts/spec/openapi.ts";
import type { Mock } from "../../scripts/mock/mockTypes.ts";
import { startServer } from "../../scripts/mock/server/server.ts";

const list: SchemaObject = { type: "array", items: { type: "integer" }, minItems: 2 };
const point: SchemaObject = {
  type: "object",
  properties: { x: { type: "integer" }, y: { type: ["string", "null"], maxLength: 3 } },
  required: ["x"],
};
const nested: SchemaObject = {
  type: "object",
  properties: { a: { type: "object", properties: { b: { type: "boolean" } }, required: ["b"] }, list },
};
const json: ParameterObject["content"] = { "application/json": { schema: point } };

/** Fields that Redocly's type requires. */
const encoding = { contentType: "", allowReserved: false };

function get(parameter: ParameterObject): { get: OperationObject } {
  const responses = { "200": { description: "", content: { "application/json": { example: 1 } } } };
  return { get: { parameters: [parameter], responses } };
}

function inPath(style: NonNullable<ParameterObject["style"]>, explode: boolean, schema: SchemaObject) {
  return get({ name: "p", in: "path", required: true, style, explode, schema });
}

function inQuery(style: NonNullable<ParameterObject["style"]>, explode: boolean, schema: SchemaObject) {
  return get({ name: "p", in: "query", style, explode, schema });
}

const form = {
  type: "object",
  properties: { p: list, q: point, r: { type: "boolean" } },
  additionalProperties: { type: "integer" },
};
const generation = readGeneration("styles", {
  openapi: "3.1.1",
  paths: {
    "/simple/{p}": inPath("simple", false, list),
    "/simple-object/{p}": inPath("simple", false, point),
    "/simple-members/{p}": inPath("simple", true, point),
    "/label/{p}": inPath("label", false, list),
    "/label-each/{p}": inPath("label", true, list),
    "/label-members/{p}": inPath("label", true, point),
    "/matrix/{p}": inPath("matrix", false, list),
    "/matrix-each/{p}": inPath("matrix", true, list),
    "/matrix-object/{p}": inPath("matrix", false, point),
    "/matrix-number/{p}": inPath("matrix", false, { type: "number" }),
    "/form": inQuery("form", false, list),
    "/form-each": inQuery("form", true, list),
    "/form-object": inQuery("form", false, point),
    "/form-members": inQuery("form", true, point),
    "/space": inQuery("spaceDelimited", false, list),
    "/pipe": inQuery("pipeDelimited", false, list),
    "/deep": inQuery("deepObject", true, nested),
    "/json": get({ name: "p", in: "query", content: json }),
    "/either": inQuery("form", true, {
      anyOf: [{ type: "integer", minimum: 5 }, { enum: ["all"] }, { type: "boolean" }],
    }),
    "/text": inQuery("form", true, { type: "string", pattern: "^1" }),
    "/constant": get({ name: "p", in: "query", required: true, schema: { type: "string", const: "string" } }),
    "/header": get({ name: "P", in: "header", schema: list }),
    "/cookie": get({ name: "p", in: "cookie", required: true, schema: list }),
    "/fields": {
      post: {
        requestBody: {
          content: {
            "application/x-www-form-urlencoded": { schema: form },
            "multipart/form-data": { schema: form, encoding: { p: { ...encoding, style: "form", explode: false } } },
          },
        },
        responses: { "200": { description: "", content: { "application/json": { example: 1 } } } },
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

describe("a parameter of a style", () => {
  test.each([
    "/simple/1,2",
    "/simple-object/x,1,y,two",
    "/simple-members/x=1,y=two",
    "/label/.1,2",
    "/label-each/.1.2",
    "/label-members/.x=1.y=two",
    "/matrix/;p=1,2",
    "/matrix-each/;p=1;p=2",
    "/matrix-object/;p=x,1",
    "/matrix-number/;p=1.5e1",
    "/form?p=1,2",
    "/form-each?p=1&p=2",
    "/form-object?p=x,1,y,null",
    "/form-members?x=1&y=",
    "/space?p=1%202",
    "/space?p=1+2",
    "/pipe?p=1|2",
    "/deep?p[a][b]=true&p[list][]=1&p[list][]=2",
    "/deep?p[list][0]=1&p[list][1]=2",
    "/deep",
    "/json?p=%7B%22x%22:1%7D",
    "/either?p=5",
    "/either?p=all",
    "/either?p=true",
    "/text?p=1",
  ])("is read as it should be: %s", async (target) => {
    expect(await outcome(target)).toBe("valid");
  });

  test.each([
    ["/simple/1", 'The path parameter p must not have fewer than 2 items; received "1".'],
    ["/simple/1,b", '/1 in the path parameter p must be an integer; received "b".'],
    ["/simple-members/x=b", '/x in the path parameter p must be an integer; received "b".'],
    ["/label/1,2", 'The path parameter p must begin with "."; received "1,2".'],
    ["/matrix/;q=1,2", 'The path parameter p must begin with "p="; received ";q=1,2".'],
    ["/matrix-number/;p=0x10", 'The path parameter p must be a number; received ";p=0x10".'],
    ["/form-object?p=y,1", "The query parameter p must have required property 'x'."],
    ["/form-members?y=1", "The query parameter p must have required property 'x'."],
    ["/pipe?p=1%202|3", '/0 in the query parameter p must be an integer; received "1 2".'],
    ["/deep?p[a][b]=1", '/a/b in the query parameter p must be a boolean; received "1".'],
    [`/deep?p${"[a]".repeat(33)}=1`, "The query parameter p must have at most 32 levels."],
    ["/json?p=1", "The query parameter p must be an object; received "],
    ["/json?p=x", "The query parameter p must be JSON"],
    ["/either?p=4", "must be at least 5"],
    ["/text?p=2", 'The query parameter p must match pattern "^1"; received "2".'],
  ])("is refused in words: %s", async (target, words) => {
    expect(await outcome(target)).toContain(words);
  });

  test("may be a header", async () => {
    expect(await outcome("/header", { headers: { p: "1, 2" } })).toBe("valid");
    expect(await outcome("/header", { headers: { p: "1, b" } })).toBe(
      '/1 in the P header must be an integer; received "b".',
    );
  });
});

test("a cookie is read, and its value isn't shown", async () => {
  const withCookie = async (cookie: string) => outcome("/cookie", { headers: { cookie } });
  expect([await withCookie("p=1; q=3; p=%32"), await withCookie("p=1; p=b"), await outcome("/cookie")]).toEqual([
    "valid",
    "/1 in the p cookie must be an integer.",
    "The p cookie is required, and must be an array.",
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
    fields.set("p", "1,2");
    fields.set("r", new Blob(["true"]));
    expect(await post(fields)).toBe("valid");
    fields.set("p", "1");
    expect(await post(fields)).toContain("/p in the body must not have fewer than 2 items");
    const broken = { method: "POST", body: "x", headers: { "content-type": "multipart/form-data; boundary=b" } };
    expect(await outcome("/fields", broken)).toContain("is not multipart/form-data");
  });

  test("has a limited number of parts", async () => {
    const fields = new FormData();
    for (let count = 0; count < 1_001; count += 1) fields.append("p", "1");
    expect(await post(fields)).toContain("more than 1000 parts");
    const pairs = Array.from({ length: 10_001 }, (_, index) => [`p${index}`, "1"]);
    expect(await post(new URLSearchParams(pairs))).toContain("more than 10000 fields");
  });
});

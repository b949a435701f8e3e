import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createClient } from "../../generated/v2/client.ts";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { readGeneration, type Generation } from "../../scripts/contract/generation.ts";
import type { OpenApiDocument } from "../../scripts/spec/openapi.ts";
import type { Mock, OverrideRule, RequestEntry } from "../../scripts/mock/mockTypes.ts";
import { startServer } from "../../scripts/mock/server/server.ts";

const json = (schema: object, examples: Readonly<Record<string, { value: unknown }>> = {}) => ({
  "application/json": { schema, examples },
});
const item = { type: "object", required: ["id"], properties: { id: { type: "integer" }, pin: { writeOnly: true } } };

function generationOf(name: string): Generation {
  const document: OpenApiDocument = {
    openapi: "3.1.1",
    paths: {
      [`/${name}/items/{itemId}`]: {
        parameters: [{ name: "itemId", in: "path", required: true, schema: { type: "integer" } }],
        get: {
          operationId: "getItem",
          parameters: [{ name: "tag", in: "query", schema: { type: "array", items: { type: "string" } } }],
          responses: {
            "200": {
              description: "",
              headers: { "X-Rate": { required: true, schema: { type: "integer" }, example: 5 } },
              content: json(item, { one: { value: { id: 1 } }, two: { value: { id: 2 } } }),
            },
            "404": {
              description: "",
              content: json({ required: ["reason"] }, { gone: { value: { reason: "gone" } } }),
            },
          },
        },
        put: {
          operationId: "putItem",
          requestBody: { content: json({ type: "object" }) },
          responses: { "204": { description: "" } },
        },
        post: {
          operationId: "postItem",
          parameters: [
            { name: "range", in: "query", style: "deepObject", schema: { properties: { from: { type: "integer" } } } },
            { name: "X-Tenant", in: "header", schema: { enum: ["one", "two"] } },
          ],
          requestBody: { content: json({ $ref: "#/components/schemas/NewItem" }) },
          responses: { "204": { description: "" } },
        },
      },
    },
    components: {
      schemas: {
        NewItem: {
          type: "object",
          required: ["name", "kind"],
          minProperties: 2,
          properties: {
            ...{ name: { type: "string" }, password: { type: "string" }, kind: {} },
            size: { $ref: "#/components/schemas/Size" },
          },
          additionalProperties: false,
          oneOf: [{ properties: { kind: { const: "box" } } }, { properties: { kind: { const: "bag" } } }],
        },
        Size: { type: "object", required: ["w", "h"], properties: { w: { type: "integer" }, h: { type: "integer" } } },
      },
    },
  };
  return readGeneration(name, document);
}

let mock: Mock;
const entries: RequestEntry[] = [];
beforeAll(async () => {
  const generations = [generationOf("a"), generationOf("b")];
  mock = await startServer({ generations, onResponse: (entry) => entries.push(entry) });
});
afterAll(async () => {
  await mock.close();
});
beforeEach(() => {
  mock.overrides.clear();
  entries.length = 0;
});

async function get(target = "/a/items/1", headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(mock.url + target, { headers });
  const text = await response.text();
  const value: unknown = text === "" ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, value };
}

async function put(body: unknown, target = "/a/items/1") {
  const headers = { "content-type": "application/json" };
  const { status } = await fetch(mock.url + target, { method: "PUT", body: JSON.stringify(body), headers });
  return status;
}

async function control(method: string, body?: unknown, path = "") {
  const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await fetch(`${mock.url}/-/mock/overrides${path}`, init);
  const value: unknown = await response.json();
  return { status: response.status, headers: response.headers, value };
}

const unchecked = (status: number): OverrideRule["respond"] => ({ status, body: {}, unchecked: true });

describe("/-/mock/overrides", () => {
  test("lists, replaces, adds and removes rules, as a program does", async () => {
    const first: OverrideRule = { operation: "getItem", respond: { example: "two" }, times: 3 };
    const second: OverrideRule = { operation: "getItem", generation: "b", respond: { status: 404 } };
    expect((await control("PUT", [first])).value).toMatchObject([first]);
    expect((await control("POST", second)).value).toMatchObject([first, second]);
    expect(mock.overrides.list()).toMatchObject([first, second]);
    expect((await get()).value).toEqual({ id: 2 });
    expect((await control("GET")).value).toMatchObject([{ ...first, times: 2 }, second]);
    expect((await control("DELETE")).value).toEqual([]);
    mock.overrides.add(second, "other");
    expect([mock.overrides.list(), mock.overrides.list("other")]).toMatchObject([[], [second]]);
    expect((await get("/b/items/1")).status).toBe(200);
    expect((await get("/b/items/1", { "x-mock-session": "other" })).status).toBe(404);
    mock.reset("other");
    expect(mock.overrides.list("other")).toEqual([]);
  });

  test("have ids, by which one is removed", async () => {
    const [own, ...others]: OverrideRule[] = [
      { id: "mine", operation: "getItem", respond: { example: "one" } },
      { id: "1", operation: "getItem", respond: { example: "two" } },
      { operation: "getItem", respond: { status: 404 } },
    ];
    mock.overrides.set(others);
    const [first, second] = mock.overrides.list();
    expect([first?.id, second?.id === "1"]).toEqual(["1", false]);
    expect(own && mock.overrides.add(own)).toBe("mine");
    const id = mock.overrides.add({ operation: "putItem", respond: {} });
    expect((await control("DELETE", undefined, `/${id}`)).value).toMatchObject([...others, own]);
    mock.overrides.remove("1");
    expect((await get()).status).toBe(404);
    // What was listed can be sent back.
    const listed = await control("GET");
    expect(await control("PUT", listed.value)).toMatchObject({
      status: 200,
      value: [{ id: second?.id }, { id: "mine" }],
    });
    const known = `the rules have the ids "${second?.id}" and "mine".`;
    const unknown = await control("DELETE", undefined, "/1");
    expect(unknown).toMatchObject({ status: 404, value: { detail: `No rule has the id "1": ${known}` } });
    expect(() => {
      mock.overrides.remove("1");
    }).toThrow(TypeError);
    expect(await control("POST", own)).toMatchObject({
      status: 422,
      value: { detail: 'Two rules have the id "mine".' },
    });
  });

  const body = { id: 1 };
  const headers = { "x-rate": "7" };
  test.each([
    [{ respond: {} }, "/0", "must have required property 'operation'"],
    [{ operation: "getItme", respond: {} }, "/0/operation", "did you mean getItem?"],
    [{ operation: "getItem" }, "/0", "must have required property 'respond'"],
    [{ operation: "getItem", respond: {}, when: { params: {} } }, "/0/when", "it may have path, query, headers, body"],
    [{ operation: "getItem", respond: [] }, "/0/respond", "must be an object"],
    [{ operation: "getItem", respond: { code: 404 } }, "/0/respond", "it may have status, headers, body"],
    [{ operation: "getItem", respond: { status: 100 } }, "/0/respond/status", "must be at least 200"],
    [{ operation: "getItem", respond: { headers: { a: "\n" } } }, "/0/respond/headers/a", "must match pattern"],
    [{ operation: "getItem", respond: { status: 418, body } }, "/0/respond", "declares 200, 404"],
    [
      { operation: "getItem", respond: { example: "tow" } },
      "/0/respond",
      "the 200 response has only the examples one, two",
    ],
    [
      { operation: "getItem", respond: { status: 404, example: "one" } },
      "/0/respond",
      "the 404 response has only the example gone; add code=200",
    ],
    [{ operation: "getItem", respond: { example: "gone" } }, "/0/respond", "add code=404"],
    [{ operation: "getItem", respond: { headers: { "a b": "c" } } }, "/0/respond/headers", '"a b" can\'t be the name'],
    [{ operation: "getItem", respond: { body } }, "/0/respond/headers", "X-Rate header is required"],
    [{ operation: "getItem", respond: { headers: { "X-Rate": "a" } } }, "/0/respond/headers", "must be an integer"],
    [{ operation: "getItem", respond: { body: {}, headers } }, "/0/respond/body", "must have required property 'id'"],
    [{ operation: "getItem", respond: { body: { id: "1" }, headers } }, "/0/respond/body/id", "must be an integer"],
    [{ operation: "putItem", respond: { body } }, "/0/respond/body", "The 204 response has no content"],
    [{ operation: "putItem", respond: { patch: body } }, "/0/respond/patch", "The 204 response has no content"],
    [{ operation: "getItem", respond: { patch: { id: null } } }, "/0/respond/patch/id", "must be an integer"],
    [{ operation: "getItem", respond: { patch: {}, body } }, "/0/respond", "must have either a body or a patch"],
    [
      { operation: "getItem", respond: { patch: { id: "$request.path.item" } } },
      "/0/respond/patch",
      '"$request.path.item" is not a part of this operation\'s requests: its path has itemId.',
    ],
    [{ operation: "getItem", respond: { patch: { a: "{$request.body#/a}" } } }, "/0/respond/patch", "is not a part"],
    [
      { operation: "getItem", respond: {}, when: { path: { itemId: { $pattern: "(" } } } },
      "/0/when/path/itemId",
      "$pattern",
    ],
    [
      { operation: "getItem", respond: {}, when: { query: { tag: { $absent: false } } } },
      "/0/when/query/tag",
      "$absent",
    ],
    [
      { operation: "putItem", respond: {}, when: { body: { a: [{ $pattern: "a", $absent: true }] } } },
      "/0/when/body/a/0",
      "either $pattern or $absent",
    ],
  ])("refuses %j", async (rule, pointer, words) => {
    const message: unknown = expect.stringContaining(words);
    const refused = await control("PUT", [rule]);
    expect(refused).toMatchObject({ status: 422, value: { violations: [{ in: "body", pointer, message }] } });
    expect(mock.overrides.list()).toEqual([]);
  });

  const when = (operation: string, condition: object) => ({ operation, when: condition, respond: {} });
  test("refuses a pattern that can't be compared in limited time", async () => {
    const refused = await control("PUT", [when("getItem", { path: { itemId: { $pattern: "^(a*)*\\1$" } } })]);
    const message: unknown = expect.stringContaining("has a $pattern that may take too long");
    expect(refused).toMatchObject({
      status: 422,
      value: { violations: [{ pointer: "/0/when/path/itemId", message }] },
    });
  });

  test.each([
    [when("getItem", { path: { itemID: 7 } }), "/0/when/path/itemID", "did you mean itemId?"],
    [when("getItem", { path: { itemId: "seven" } }), "/0/when/path/itemId", "must be an integer"],
    [when("getItem", { path: { itemId: { a: 1 } } }), "/0/when/path/itemId", "must be a string"],
    [when("getItem", { path: { itemId: null } }), "/0/when/path/itemId", "must be a string"],
    [when("getItem", { query: { tags: "x" } }), "/0/when/query/tags", "did you mean tag?"],
    [when("getItem", { body: { a: 1 } }), "/0/when/body", "the operation has no request body"],
    [when("postItem", { headers: { "x-tenant": "three" } }), "/0/when/headers/x-tenant", 'must be one of "one", "two"'],
    [when("postItem", { body: { nme: "A" } }), "/0/when/body", "nme"],
    [when("postItem", { body: { name: 5 } }), "/0/when/body/name", "must be a string"],
    [when("postItem", { body: { kind: "bog" } }), "/0/when/body/kind", "bog"],
    [when("postItem", { body: { size: { w: "x" } } }), "/0/when/body/size/w", "must be an integer"],
    [when("postItem", { body: ["A"] }), "/0/when/body", "must be an object"],
  ])("refuses a condition that no request meets: %j", async (rule, pointer, words) => {
    const refused = await control("PUT", [rule]);
    expect(refused.status).toBe(422);
    const message: unknown = expect.stringContaining(words);
    const violation: unknown = expect.objectContaining({ in: "body", pointer, message });
    const violations: unknown = expect.arrayContaining([violation]);
    expect(refused.value).toMatchObject({ violations });
    expect(() => {
      mock.overrides.add(rule);
    }).toThrow(TypeError);
  });

  test.each([
    when("getItem", { query: { tag: ["x", "y"] }, headers: { "X-Anything": "a" } }),
    when("postItem", { query: { "range[from]": 1 }, headers: { "X-TENANT": "two" } }),
    when("postItem", { body: { name: "A" } }),
    when("postItem", { body: { size: { w: 1 } } }),
    when("postItem", { body: {} }),
  ])("accepts a condition that a request can meet: %j", async (rule) => {
    expect((await control("PUT", [rule])).status).toBe(200);
  });

  test.each([[/x/], [new Date(0)], [() => true]])("refuses a value that isn't JSON: %s", (value) => {
    for (const condition of [{ path: { itemId: value } }, { body: { name: value } }]) {
      expect(() => {
        mock.overrides.add({ operation: "postItem", when: condition, respond: {} });
      }).toThrow(/For other conditions, respond with a function\.|Write the expression as \{ \$pattern: text \}\./);
    }
  });

  test("names the place in the rule, whatever characters are in it", async () => {
    const { value } = await control("PUT", [{ operation: "getItem", respond: { headers: { "first name": 5 } } }]);
    const message = "/0/respond/headers/first name must be a string; received 5.";
    const violation: unknown = expect.objectContaining({ pointer: "/0/respond/headers/first name", message });
    const violations: unknown = expect.arrayContaining([violation]);
    expect(value).toMatchObject({ violations });
  });

  test("accepts contract violations if it is unchecked", async () => {
    const respond = { status: 418, headers: { "Content-Type": "text/plain" }, body: "a teapot", unchecked: true };
    expect((await control("PUT", [{ operation: "getItem", respond }])).status).toBe(200);
    const response = await fetch(`${mock.url}/a/items/1`);
    expect([response.status, response.headers.get("content-type")]).toEqual([418, "text/plain"]);
    expect(await response.text()).toBe("a teapot");
    mock.overrides.set([{ operation: "putItem", respond: { status: 299, unchecked: true } }]);
    expect(await put({})).toBe(299);
  });
});

describe("an override", () => {
  test("answers with a body, and with the contract's headers and media type", async () => {
    mock.overrides.set([{ operation: "getItem", respond: { headers: { "X-Rate": "9" }, body: { id: 9 } } }]);
    const { status, headers, value } = await get("/a/items/1", { origin: "https://page.example" });
    expect([status, headers.get("x-rate"), headers.get("content-type")]).toEqual([200, "9", "application/json"]);
    expect(value).toEqual({ id: 9 });
    const note = `override "${mock.overrides.list()[0]?.id ?? ""}" for getItem applies`;
    expect([entries[0]?.note, headers.get("x-mock-note")]).toEqual([note, note]);
    expect(headers.get("access-control-expose-headers")).toContain("x-mock-note");
    expect((await control("GET")).headers.get("x-mock-note")).toBe(null);
  });

  test("answers with an example, or with that of a status", async () => {
    mock.overrides.set([
      { operation: "getItem", respond: { status: 404, example: "gone" }, times: 1 },
      { operation: "getItem", respond: { status: 404, headers: { "Retry-After": "3" } }, times: 1 },
      { operation: "getItem", respond: { example: "two" }, times: 1 },
    ]);
    const answers = [await get(), await get(), await get(), await get()];
    expect(answers.map(({ value }) => value)).toEqual([{ reason: "gone" }, { reason: "gone" }, { id: 2 }, { id: 1 }]);
    expect([answers[1]?.headers.get("retry-after"), answers[2]?.headers.get("x-rate")]).toEqual(["3", "5"]);
    expect(mock.overrides.list()).toEqual([]);
  });

  test("applies to matching requests", async () => {
    const whens: OverrideRule["when"][] = [
      { path: { itemId: 41 } },
      { query: { tag: "x" } },
      { headers: { "X-Tenant": "t" } },
      {},
    ];
    mock.overrides.set(
      whens.map((when = {}, index) => ({ operation: "getItem", when, respond: unchecked(450 + index) })),
    );
    const requests = [
      get("/a/items/41"),
      get("/a/items/1?tag=y&tag=x"),
      get("/a/items/1", { "x-tenant": "t" }),
      get("/a/items/4?tag=y", { "x-tenant": "u" }),
    ];
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([450, 451, 452, 453]);
    mock.overrides.set([{ operation: "getItem", generation: "b", respond: unchecked(499) }]);
    expect([(await get()).status, (await get("/b/items/1")).status]).toEqual([200, 499]);
  });

  test("knows patterns and absence", async () => {
    const whens: OverrideRule["when"][] = [
      { path: { itemId: { $pattern: "^4.$" } } },
      { query: { tag: { $pattern: "^x" } }, headers: { "X-Tenant": { $pattern: "t" } } },
      { query: { tag: { $absent: true } }, headers: { "X-Tenant": { $absent: true } } },
    ];
    mock.overrides.set(
      whens.map((when = {}, index) => ({ operation: "getItem", when, respond: unchecked(450 + index) })),
    );
    const requests = [
      get("/a/items/41"),
      get("/a/items/1?tag=y&tag=xy", { "x-tenant": "at" }),
      get("/a/items/1"),
      get("/a/items/1?tag=y"),
    ];
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([450, 451, 452, 200]);
    const body = { name: { $pattern: "^A" }, list: [{ id: { $absent: true } }], constructor: { $absent: true } };
    mock.overrides.set([{ operation: "putItem", when: { body }, respond: unchecked(499) }]);
    expect(await put({ name: "Ab", list: [{}], more: 1 })).toBe(499);
    expect(await Promise.all([put({ list: [{}] }), put({ name: "Ab", list: [{ id: null }] })])).toEqual([204, 204]);
    // 64 ways through the pattern begin at each letter.
    const slow = { body: { name: { $pattern: `${"(?:a|b)".repeat(6)}$` } } };
    mock.overrides.set([{ operation: "putItem", when: slow, respond: unchecked(499) }]);
    expect([await put({ name: "a".repeat(20) }), await put({ name: "a".repeat(100_000) })]).toEqual([499, 204]);
    expect(mock.requests().at(-1)?.note).toContain("body.name is too long for its $pattern");
  });

  test("changes parts of the mock's response, or of an example", async () => {
    const patch = { tags: ["a"], more: { b: null } };
    mock.overrides.set([{ operation: "getItem", respond: { patch, headers: { "X-Rate": "8" } }, times: 2 }]);
    const patched = await get();
    expect(patched).toMatchObject({ status: 200, value: { id: 1, tags: ["a"], more: { b: null } } });
    expect(patched.headers.get("x-rate")).toBe("8");
    expect((await get("/a/items/1", { prefer: "example=two" })).value).toMatchObject({ id: 2, tags: ["a"] });
    mock.overrides.set([{ operation: "getItem", respond: { status: 404, patch: { reason: "none" } } }]);
    expect(await get()).toMatchObject({ status: 404, value: { reason: "none" } });
    mock.overrides.set([{ operation: "getItem", respond: () => ({ example: "two", patch: { id: "x" } }) }]);
    expect(await get()).toMatchObject({ status: 500 });
    mock.overrides.set([{ operation: "getItem", respond: { patch: "text", unchecked: true } }]);
    expect(await get()).toMatchObject({ status: 200, value: "text" });
  });

  test("copies values from the request, as the contract types them", async () => {
    const value = {
      id: "$request.path.itemId",
      tags: "$request.query.tag",
      title: "Item {$request.path.itemId} of {$request.header.X-Tenant}{$request.query.tag}",
      tenant: "$request.header.X-Tenant",
      price: "$5",
    };
    const headers = { "X-Rate": "$request.path.itemId" };
    mock.overrides.set([{ operation: "getItem", respond: { body: value, headers } }]);
    const copied = await get("/a/items/7?tag=x", { "x-tenant": "t" });
    expect(copied.value).toEqual({ id: 7, tags: ["x"], title: 'Item 7 of t["x"]', tenant: "t", price: "$5" });
    expect(copied.headers.get("x-rate")).toBe("7");
    expect((await get("/a/items/7")).value).toEqual({ id: 7, title: "Item 7 of ", price: "$5" });
    mock.overrides.set([{ id: "tag", operation: "getItem", respond: { patch: { id: "$request.query.tag" } } }]);
    const detail: unknown = expect.stringContaining(
      'Override "tag" makes a response that violates the contract. /body/id',
    );
    expect(await get("/a/items/7?tag=x")).toMatchObject({ status: 500, value: { detail } });
    const echoed: OverrideRule["respond"] = { status: 299, body: "$request.body#/a/b", unchecked: true };
    mock.overrides.set([{ operation: "putItem", respond: echoed }]);
    const init = { method: "PUT", body: '{"a":{"b":[1]}}', headers: { "content-type": "application/json" } };
    expect(await (await fetch(`${mock.url}/a/items/1`, init)).json()).toEqual([1]);
  });

  test("that doesn't apply is noted with the reason, and each counts its uses", async () => {
    const path = { itemId: 41 };
    mock.overrides.set([
      { id: "a", operation: "getItem", when: { path }, respond: { example: "two" } },
      { id: "b", operation: "getItem", when: { headers: { "X-Tenant": "t" } }, respond: {} },
      { id: "c", operation: "getItem", generation: "b", respond: {} },
      { id: "d", operation: "getItem", respond: () => undefined },
      { id: "e", operation: "getItem", when: { headers: { authorization: "Bearer a-secret" } }, respond: {} },
    ]);
    expect(entries).toEqual([]);
    const { headers } = await get("/a/items/1");
    expect(headers.get("x-mock-note")).toBe(
      `override "a" didn't match: path.itemId is 1, not 41; override "b" didn't match: headers.x-tenant is missing; ` +
        `the function of override "d" returned nothing; 1 more override didn't match`,
    );
    await get("/a/items/41");
    await get("/a/items/41");
    expect(mock.overrides.list().map(({ used }) => used)).toEqual([2, 0, 0, 0, 0]);
    expect(entries.map(({ note }) => note)).toEqual([
      headers.get("x-mock-note"),
      ...['override "a" for getItem applies', 'override "a" for getItem applies'],
    ]);
    mock.overrides.set(mock.overrides.list().slice(4));
    expect(mock.overrides.list()[0]?.used).toBe(0);
    await get("/a/items/1", { authorization: "Bearer another-secret" });
    expect(entries.at(-1)?.note).toBe(`override "e" didn't match: headers.authorization has another value`);
  });

  test.each([
    [{ name: "A" }, { name: "B" }, 'body.name is "B", not "A"'],
    [{ name: "A" }, {}, "body.name is missing"],
    [{ list: [{ id: 1 }] }, { list: [{ id: 2 }] }, "body.list.0.id is 2, not 1"],
    [{ list: [1] }, { list: [] }, "body.list has 0 items, not 1"],
    [{ password: "a" }, { password: "b" }, "body.password has another value"],
  ])("that doesn't match the body says where: %j", async (body, sent, words) => {
    mock.overrides.set([{ id: "a", operation: "putItem", when: { body }, respond: unchecked(499) }]);
    await put(sent);
    expect(entries.at(-1)?.note).toBe(`override "a" didn't match: ${words}`);
  });

  test("compares of a body the members that it names", async () => {
    const body = { name: "A", list: [{ id: 1 }], empty: null };
    mock.overrides.set([{ operation: "putItem", when: { body }, respond: unchecked(499) }]);
    expect(await put({ ...body, list: [{ id: 1, more: true }], other: 1 })).toBe(499);
    const others = [{ ...body, name: "B" }, { ...body, list: [] }, { ...body, empty: undefined }, { list: body.list }];
    for (const other of others) expect(await put(other)).toBe(204);
  });

  test("does not answer invalid requests, and comes after a fault", async () => {
    mock.overrides.set([{ operation: "getItem", respond: unchecked(499) }]);
    expect((await get("/a/items/one")).status).toBe(422);
    mock.faults.set([{ operation: "getItem", status: 503, times: 1 }]);
    expect([(await get()).status, (await get()).status]).toEqual([503, 499]);
  });

  test("also answers repeated requests, until it is removed", async () => {
    const statuses = [(await get()).status];
    mock.overrides.set([{ operation: "getItem", respond: unchecked(499), times: 1 }]);
    statuses.push((await get()).status, (await get()).status);
    expect(statuses).toEqual([200, 499, 200]);
  });

  test("answers as many requests as it says, although it takes longer than all of them to come", async () => {
    const all = Promise.withResolvers<undefined>();
    let asked = 0;
    const respond = async () => {
      asked += 1;
      if (asked === 4) all.resolve(undefined);
      await all.promise;
      return { status: 499, unchecked: true };
    };
    mock.overrides.set([{ operation: "getItem", respond, times: 2 }]);
    const before = mock.overrides.list();
    const answers = await Promise.all(Array.from({ length: 4 }, () => get()));
    expect(answers.filter(({ status }) => status === 499)).toHaveLength(2);
    expect([before[0]?.times, mock.overrides.list()]).toEqual([2, []]);
  });

  test("is made by a function of the request, which may return nothing", async () => {
    mock.overrides.set([
      {
        operation: "getItem",
        respond: ({ path, query, headers, generation }) =>
          path["itemId"] === "7"
            ? { status: 404, body: { reason: [query["tag"], headers["x-a"], generation] } }
            : undefined,
      },
      { operation: "putItem", respond: ({ body }) => Promise.resolve({ status: 299, body, unchecked: true }) },
    ]);
    expect((await get("/b/items/7?tag=x", { "x-a": "b" })).value).toEqual({ reason: ["x", "b", "b"] });
    expect((await get()).status).toBe(200);
    expect(await put({ a: 1 })).toBe(299);
  });

  test.each([
    [
      "breaks the contract",
      () => ({ body: { id: "1" }, headers: { "x-rate": "1" } }),
      "/respond/body/id must be an integer",
    ],
    [
      "throws",
      () => {
        throw new Error("no idea");
      },
      'Override "a" threw an error: no idea',
    ],
  ] satisfies [string, () => object, string][])("is a 500 where its function %s", async (_, respond, words) => {
    mock.overrides.set([{ id: "a", operation: "getItem", respond }]);
    const detail: unknown = expect.stringContaining(words);
    expect(await get()).toMatchObject({ status: 500, value: { detail } });
  });

  test("is refused in a program as in a request", () => {
    expect(() => {
      mock.overrides.set([{ operation: "getItem", respond: { status: 418 } }]);
    }).toThrow(new TypeError("/0/respond: code=418 cannot be met: the operation declares 200, 404."));
  });
});

describe("rules of all sessions together", () => {
  const rule = (body: unknown, times = 5): OverrideRule => ({
    ...{ operation: "getItem", times },
    respond: { status: 499, body, unchecked: true },
  });
  const long = "x".repeat(8_000);
  const startSmall = () => startServer({ generations: [generationOf("a")], stateLimit: 20_000 / 2 ** 20 });
  const send = async (own: Mock, method: string, path: string, session: string, body?: unknown) => {
    const init = {
      method,
      headers: { "x-mock-session": session },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    const response = await fetch(`${own.url}${path}`, init);
    return { status: response.status, text: await response.text() };
  };

  test("have a memory limit, and the refusal says how to free memory", async () => {
    await using own = await startSmall();
    const add = (session: string, body: unknown) => send(own, "POST", "/-/mock/overrides", session, body);
    expect((await add("one", rule(long))).status).toBe(200);
    const when = { operation: "putItem", when: { body: { long } }, respond: { status: 204 } };
    expect((await add("two", when)).status).toBe(200);
    const refused = await add("three", rule(long));
    expect(refused.status).toBe(507);
    for (const way of ["DELETE /-/mock/overrides", "--state-limit"]) expect(refused.text).toContain(way);
    expect((await send(own, "PUT", "/-/mock/overrides", "two", [when, when])).status).toBe(507);
    expect([own.overrides.list("three"), own.overrides.list("two")]).toMatchObject([[], [when]]);
    expect(() => {
      own.overrides.add(rule(long), "three");
    }).toThrow(TypeError);
    expect(() => {
      for (let n = 0; n < 100; n += 1) own.faults.add({ operation: "getItem", delay: 1 });
    }).toThrow("MiB for the resources and rules");
  });

  test.each<[string, (own: Mock) => unknown]>([
    ["they are removed", (own) => send(own, "DELETE", "/-/mock/overrides", "one")],
    ["others take their place", (own) => send(own, "PUT", "/-/mock/overrides", "one", [rule(1)])],
    ["they have applied for the last time", (own) => send(own, "GET", "/a/items/1", "one")],
    ["their session is reset", (own) => send(own, "POST", "/-/mock/reset", "one")],
    ["their session ends", (own) => send(own, "DELETE", "/-/mock/sessions/one", "")],
  ])("leave room for others once %s", async (_, free) => {
    await using own = await startSmall();
    own.overrides.set([rule(long, 1), rule(long)], "one");
    expect(() => {
      own.overrides.add(rule(long), "two");
    }).toThrow(TypeError);
    await free(own);
    own.overrides.add(rule(long), "two");
    expect(own.overrides.list("two")).toHaveLength(1);
  });

  test("count as the memory that they take, which is more than that of their text", async () => {
    await using own = await startSmall();
    own.overrides.add(rule("{},".repeat(500)));
    expect(() => {
      own.overrides.add(rule(Array.from({ length: 500 }, () => ({}))));
    }).toThrow(TypeError);
  });
});

test("an empty list can be had from this project's contract, and leaves the state alone", async () => {
  await using own = await startServer({ generations: await readBuiltGenerations() });
  const client = createClient({ baseUrl: own.url, auth: { apiKey: "svc_key" } });
  const list = () => client.GET("/v2/organizations/{orgId}/schedules", { params: { path: { orgId: 42 } } });
  own.overrides.set([
    {
      operation: "listOrganizationSchedules",
      when: { path: { orgId: 42 } },
      respond: { body: { status: "success", data: [], error: {} } },
      times: 1,
    },
  ]);
  expect((await list()).data?.data).toEqual([]);
  expect((await list()).data?.data).not.toEqual([]);
  expect(own.state()).toEqual({ resources: {}, counters: {} });
  const path = "/v2/organizations/{orgId}/teams/{teamId}/memberships/{membershipId}";
  const params = { path: { orgId: 42, teamId: 7, membershipId: 88 } };
  const patch = { data: { role: "OWNER" } };
  own.overrides.set([{ operation: "updateOrganizationTeamMembership", respond: { patch } }]);
  const { data } = await client.PATCH(path, { params, body: { accepted: true } });
  expect(data?.data).toMatchObject({ id: 88, teamId: 7, accepted: true, role: "OWNER" });
  own.overrides.clear();
  const read = { params: { path: { orgId: 42, membershipId: 88 } } };
  const kept = await client.GET("/v2/organizations/{orgId}/memberships/{membershipId}", read);
  expect(kept.data?.data).toMatchObject({ accepted: true, role: "MEMBER" });
});

import { expect, test } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import type { OpenApiDocument, SchemaObject } from "../../scripts/spec/openapi.ts";
import { createEngine, type Engine } from "../../scripts/mock/server/engine.ts";

interface Content {
  readonly schema: SchemaObject;
  readonly example?: unknown;
}

/** A description of things that can be listed, created, read and changed. */
function things(item: Content, list: Content = { schema: { type: "array", items: item.schema } }): Engine {
  const content = (value: Content) => ({ description: "", content: { "application/json": value } });
  const requestBody = { content: { "application/json": { schema: { type: "object" } } } } as const;
  const document: OpenApiDocument = {
    openapi: "3.1.1",
    paths: {
      "/things": {
        get: { responses: { "200": content(list) } },
        post: { requestBody, responses: { "201": content(item) } },
      },
      "/things/{thing}": {
        parameters: [{ name: "thing", in: "path", required: true, schema: { type: "string" } }],
        get: { responses: { "200": content(item) } },
        patch: { requestBody, responses: { "200": content(item) } },
      },
    },
  };
  return createEngine({ generations: [readGeneration("things", document)] });
}

async function send(mock: Engine, method: string, target: string, body?: unknown): Promise<unknown> {
  const content =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const response = await mock.fetch(`http://mock.example${target}`, { method, ...content });
  return response.status === 204 ? undefined : response.json();
}

const text: SchemaObject = { type: "object", properties: { id: { type: "string" }, name: { type: "string" } } };

test("a new identifier is not that of an example", async () => {
  const example = { id: "usr_1", name: "a" };
  const mock = things(
    { schema: text, example },
    { schema: { type: "array", items: text }, example: [example, { id: "usr_2", name: "b" }] },
  );
  const made = await send(mock, "POST", "/things", { name: "c" });
  expect(made).toEqual({ id: "usr_3", name: "c" });
  expect(await send(mock, "GET", "/things")).toEqual([example, { id: "usr_2", name: "b" }, made]);
});

test.each([null, "", { toString: 1 }, true])("%j is no identifier, so a new one is made", async (id) => {
  const schema: SchemaObject = { type: "object", properties: { id: {}, name: { type: "string" } } };
  const mock = things({ schema, example: { id: 7, name: "a" } });
  expect(await send(mock, "POST", "/things", { id, name: "b" })).toEqual({ id: 8, name: "b" });
});

test.each([{ oid: "a" }, true, 1e30])(
  "a resource whose identifier is %j can be created again and again",
  async (id) => {
    const schema: SchemaObject = { type: "object", properties: { id: {}, name: { type: "string" } } };
    const mock = things({ schema, example: { id, name: "a" } });
    for (let n = 0; n < 3; n += 1)
      expect(await send(mock, "POST", "/things", { name: "b" })).toEqual({ id, name: "b" });
  },
);

test("resources are remembered although the description has no examples", async () => {
  const schema: SchemaObject = {
    type: "object",
    required: ["id"],
    properties: { id: { type: "integer" }, name: { type: "string" } },
  };
  const mock = things({ schema });
  const made = [await send(mock, "POST", "/things", { name: "a" }), await send(mock, "POST", "/things", { name: "b" })];
  expect(made).toEqual([
    { id: 1, name: "a" },
    { id: 2, name: "b" },
  ]);
  expect(await send(mock, "GET", "/things")).toEqual(expect.arrayContaining(made));
});

test("a resource may be in an envelope that is named like the path parameter", async () => {
  const schema: SchemaObject = {
    type: "object",
    properties: { thing: { type: "object", properties: { id: { type: "integer" }, name: { type: "string" } } } },
  };
  const mock = things({ schema, example: { thing: { id: 1, name: "a" } } });
  expect(await send(mock, "POST", "/things", { name: "b" })).toEqual({ thing: { id: 2, name: "b" } });
  expect(await send(mock, "GET", "/things/2")).toEqual({ thing: { id: 2, name: "b" } });
});

test("a response without an example is like those that have one, and valid", async () => {
  const items: SchemaObject = { type: "object", properties: { id: { type: "string" }, name: { type: "string" } } };
  const schema: SchemaObject = {
    ...items,
    required: ["id", "name", "mail"],
    properties: { ...items.properties, mail: { type: "string" } },
  };
  const mock = things({ schema }, { schema: { type: "array", items }, example: [{ id: "1", name: "a" }] });
  expect(await send(mock, "GET", "/things/2")).toEqual({ id: "2", name: "a", mail: "string" });
});

test("properties may have the names of those that every object inherits", async () => {
  const properties = { id: { type: "string" }, constructor: { type: "string" }, valueOf: {} } as const;
  const mock = things({
    schema: { type: "object", properties },
    example: { id: "1", constructor: "Ferrari", valueOf: 1 },
  });
  await send(mock, "PATCH", "/things/2", { constructor: "McLaren" });
  expect(await send(mock, "GET", "/things/2")).toEqual({ id: "2", constructor: "McLaren", valueOf: 1 });
});

test("what was written keeps its type, and an identifier in a path its form", async () => {
  const schema: SchemaObject = { type: "object", properties: { id: { type: "integer" }, value: {} } };
  const mock = things({ schema, example: { id: 5, value: 3 } });
  expect(await send(mock, "PATCH", "/things/6", { value: "007" })).toEqual({ id: 6, value: "007" });
  expect(await send(mock, "GET", "/things/0x6")).toEqual({ id: 5, value: 3 });
});

test("an answer that was made during a change is not kept", async () => {
  const mock = things({ schema: text, example: { id: "1", name: "a" } });
  for (let wait = 0; wait < 20; wait += 1) {
    const changing = send(mock, "PATCH", "/things/1", { name: `changed ${wait}` });
    for (let n = 0; n < wait; n += 1) await Promise.resolve();
    await Promise.all([changing, send(mock, "GET", `/things/1?n=${wait}`)]);
    expect(await send(mock, "GET", `/things/1?n=${wait}`)).toEqual({ id: "1", name: `changed ${wait}` });
  }
});

test("a session does not end while its request is being answered", async () => {
  const mock = things({ schema: text, example: { id: "1", name: "a" } });
  const headers = { "content-type": "application/json", "x-mock-session": "slow" };
  const parts = new TransformStream<Uint8Array, Uint8Array>();
  const init = { method: "PATCH", headers, body: parts.readable, duplex: "half" } as const;
  const answer = mock.fetch("http://mock.example/things/1", init);
  const writer = parts.writable.getWriter();
  const write = (part: string) => writer.write(new TextEncoder().encode(part));
  await write('{"name":');
  for (let n = 0; n < 1_100; n += 1) mock.requests(`other ${n}`);
  await Promise.all([write('"b"}'), writer.close(), answer]);
  expect(mock.state("slow").resources).not.toEqual({});
});

test.each([
  [{ "things text": 1 }, "/counters/things text"],
  [{ "things /things": 2 ** 53 - 1 }, "/counters/things ~1things"],
])("a snapshot may count %j no more than the mock does", async (counters, pointer) => {
  const mock = things({ schema: text, example: { id: "1", name: "a" } });
  const refused = await send(mock, "PUT", "/-/mock/state", { resources: {}, counters });
  expect(refused).toMatchObject({ status: 422, violations: [{ pointer }] });
});

test("a snapshot that is larger than a body may be is loaded again", async () => {
  const mock = things({ schema: text, example: { id: "1", name: "a" } });
  for (let n = 0; n < 3; n += 1) await send(mock, "PATCH", `/things/${n}`, { name: "x".repeat(500_000) });
  const state = await send(mock, "GET", "/-/mock/state");
  expect(await send(mock, "PUT", "/-/mock/state", state)).toEqual(state);
});

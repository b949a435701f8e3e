import { beforeEach, describe, expect, test } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { parseJson, valueAt } from "../../scripts/values/json.ts";
import { isDocument, type MediaTypeObject, type OpenApiDocument } from "../../scripts/spec/openapi.ts";
import { createEngine, type Engine } from "../../scripts/mock/server/engine.ts";
import { createExchangeCheck } from "../../scripts/exchange/checkExchange.ts";
import { serveHttp } from "../fixtures/serveHttp.ts";

/** The more specific a key is, the later it comes. */
const keys = [
  "*/*",
  "application/*",
  "application/json",
  'application/json; version=2; profile="a;b"',
  "application/json; version=2",
  "application/json; version=3; charset=utf-8",
];

/** A content whose bodies each name the key that describes them. */
function contentOf(order: readonly string[]): Readonly<Record<string, MediaTypeObject>> {
  return Object.fromEntries(
    order.map((key) => [
      key,
      { schema: { type: "object", required: ["key"], properties: { key: { const: key } } }, example: { key } },
    ]),
  );
}

function generationOf(order: readonly string[]) {
  const content = contentOf(order);
  const operation = (operationId: string) => ({
    operationId,
    requestBody: { content },
    responses: { "200": { description: "", content } },
  });
  const document: OpenApiDocument = { openapi: "3.1.1", paths: { "/boxes": { post: operation("packBox") } } };
  return readGeneration("boxes", document);
}

const types = [
  ["application/json", "application/json"],
  ["Application/JSON; charset=utf-8", "application/json"],
  ["application/json; version=1", "application/json"],
  ["application/json; version=2", "application/json; version=2"],
  ['application/json;charset=UTF-8;Version="2"', "application/json; version=2"],
  ['application/json; profile="a;b"; version=2', 'application/json; version=2; profile="a;b"'],
  ["application/json; version=3", "application/json; version=3; charset=utf-8"],
  ["application/boxes+json", "application/*"],
  ["image/boxes+json", "*/*"],
] as const;

const url = "http://mock.example/boxes";

describe.each([
  ["general keys first", keys],
  ["special keys first", keys.toReversed()],
])("with %s", (_, order) => {
  const generation = generationOf(order);
  let mock: Engine;
  beforeEach(() => {
    mock = createEngine({ generations: [generation] });
  });

  /** What a server passes on that answers with a media type and a key in the body. */
  async function reportsOf(type: string, key: string) {
    await using server = await serveHttp((_, response) => {
      response.writeHead(200, { "content-type": type }).end(JSON.stringify({ key }));
    });
    const passing = createEngine({ generations: [generation], upstream: server.url });
    const response = await passing.fetch(url, { method: "POST" });
    return response.headers.get("x-mock-violations");
  }

  test.each(types)("a body of %s is judged by %s", async (type, key) => {
    const post = async (named: string) => {
      const init = { method: "POST", headers: { "content-type": type }, body: JSON.stringify({ key: named }) };
      return (await mock.fetch(url, init)).status;
    };
    for (const other of keys) expect(await post(other)).toBe(other === key ? 200 : 422);
  });

  test.each(types)("a server's response of %s is judged by %s", async (type, key) => {
    for (const other of keys) expect((await reportsOf(type, other)) === null).toBe(other === key);
  });

  test.each(types)("an override of %s is judged by %s", (type, key) => {
    const override = (named: string) => () => {
      const respond = { headers: { "content-type": type }, body: { key: named } };
      mock.overrides.set([{ operation: "packBox", respond }]);
    };
    for (const other of keys.filter((one) => one !== key)) expect(override(other)).toThrow("must be ");
    expect(override(key)).not.toThrow();
  });

  test.each(["application/json", "application/json; version=2", "application/boxes", "image/boxes", "*/*"])(
    "what accepts %s gets the example of the key that describes it",
    async (accept) => {
      const response = await mock.fetch(url, { method: "POST", headers: { accept } });
      const type = response.headers.get("content-type") ?? "";
      const range = { "application/boxes": "application/*", "image/boxes": "*/*" }[type];
      expect(type).toContain(accept.replace("*/*", "application/json"));
      expect(await response.json()).toEqual({ key: range ?? type });
      const note: unknown = expect.stringContaining("the body is JSON, because");
      expect(response.headers.get("x-mock-note")).toEqual(range === undefined ? null : note);
    },
  );

  test.each(types)("what verify sees accepted as %s is compared with %s", (type, key) => {
    const check = createExchangeCheck({ generation, server: undefined }, false);
    const body = Buffer.from(JSON.stringify({ key }));
    const { observations = [] } =
      check({
        ...{ method: "POST", url: "http://localhost/boxes" },
        request: { headers: [["content-type", type]], body },
        response: { status: 200, headers: [["content-type", "application/json"]], body },
      }) ?? {};
    const places = observations.filter(({ kind }) => kind === "gap").map(({ place }) => place);
    const written = key.replaceAll("/", "~1");
    expect(places).toEqual([`/paths/~1boxes/post/requestBody/content/${written}/schema`]);
  });
});

test("a key with parameters takes no body without them", async () => {
  const mock = createEngine({ generations: [generationOf(["application/json; version=2"])] });
  const post = async (type: string) => {
    const body = JSON.stringify({ key: "application/json; version=2" });
    const response = await mock.fetch(url, { method: "POST", headers: { "content-type": type }, body });
    return [response.status, String(valueAt(parseJson(await response.text()), ["detail"]))];
  };
  expect(await post("application/json; version=2; charset=utf-8")).toEqual([200, "undefined"]);
  const words: unknown = expect.stringContaining("must be application/json; version=2;");
  expect(await post("application/json")).toEqual([415, words]);
  expect(await post("application/json; version=1")).toEqual([415, words]);
});

test("the schema of the request says which properties of a resource can be left out", async () => {
  const describe = (...names: readonly string[]) => ({
    schema: { type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])) },
  });
  const example = { id: 1, label: "Books", colour: "red" };
  const shown = { ...describe("label", "colour"), example };
  const document: OpenApiDocument = {
    openapi: "3.1.1",
    paths: {
      "/boxes/{id}": {
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
        put: {
          requestBody: {
            content: {
              "application/json": describe("label", "colour"),
              "application/json; version=2": describe("label"),
            },
          },
          responses: { "200": { description: "", content: { "application/json": shown } } },
        },
      },
    },
  };
  const mock = createEngine({ generations: [readGeneration("boxes", document)] });
  const put = async (type: string) => {
    const init = { method: "PUT", headers: { "content-type": type }, body: '{"label": "Toys"}' };
    return parseJson(await (await mock.fetch(`${url}/1`, init)).text());
  };
  expect(await put("application/json; version=2")).toEqual({ ...example, label: "Toys" });
  expect(await put("application/json")).toEqual({ id: 1, label: "Toys" });
});

const problem = { type: "object", required: ["code"], properties: { code: { type: "string" } } } as const;
const packing = {
  operationId: "listBoxes",
  parameters: [{ name: "size", in: "query", schema: { type: "integer" } }],
  responses: {
    "200": {
      description: "",
      content: { "text/event-stream": { schema: { type: "string" }, example: 'data: {"id":1}\n\n' } },
    },
    "201": {
      description: "",
      content: { "application/x-ndjson": { schema: { type: "string" }, example: '{"id":1}\n{"id":2}\n' } },
    },
    "202": { description: "", content: { "text/csv": { schema: { type: "string" } } } },
    "203": { description: "", content: { "text/event-stream": { schema: problem } } },
    "4XX": { description: "", content: { "application/problem+json": { schema: problem, example: { code: "E42" } } } },
  },
} as const;

describe("a response in another media type than JSON", () => {
  const document: unknown = { openapi: "3.1.1", paths: { "/boxes": { get: packing } } };
  if (!isDocument(document)) throw new Error("the fixture is no document");
  const mock = createEngine({ generations: [readGeneration("boxes", document)] });
  const read = async (code: string, accept = "*/*", query = "") => {
    const response = await mock.fetch(url + query, {
      headers: { accept, ...(code !== "" && { prefer: `code=${code}` }) },
    });
    return [response.status, response.headers.get("content-type"), await response.text()];
  };

  test.each([
    ["200", "text/event-stream", 'data: {"id":1}\n\n'],
    ["201", "application/x-ndjson", '{"id":1}\n{"id":2}\n'],
    ["202", "text/csv", "string"],
  ])("is the text that the contract has: %s", async (code, type, text) => {
    expect(await read(code)).toEqual([Number(code), type, text]);
  });

  test("isn't written as JSON if the contract describes an object", async () => {
    const [status, , text] = await read("203");
    expect([status, text]).toEqual([
      500,
      expect.stringContaining("text/event-stream is a text, but its example or schema is not"),
    ]);
  });

  test.each([["application/json"], ["text/event-stream"], ["image/png, */*;q=0"]])(
    "is a failure's problem whatever the request accepts: %s",
    async (accept) => {
      const described = ["application/problem+json", '{"code":"E42"}'];
      expect(await read("404", accept)).toEqual([404, ...described]);
      expect(await read("", accept, "?size=x")).toEqual([422, ...described]);
      if (accept !== "text/event-stream") expect((await read("200", accept))[0]).toBe(406);
    },
  );
});

test.each([
  [undefined, 200, "application/json"],
  ["*/*", 200, "application/json"],
  ["application/xml, */*;q=0.1", 500, "application/problem+json"],
])(
  "an object that is also described as XML is JSON, unless the request prefers XML: %s",
  async (accept, status, type) => {
    const content = contentOf(["application/xml", "application/json"]);
    const get = { operationId: "readBox", responses: { "200": { description: "", content } } };
    const document: OpenApiDocument = { openapi: "3.1.1", paths: { "/boxes": { get } } };
    const { fetch } = createEngine({ generations: [readGeneration("boxes", document)] });
    const response = await fetch(url, accept === undefined ? {} : { headers: { accept } });
    expect([response.status, response.headers.get("content-type")]).toEqual([status, type]);
  },
);

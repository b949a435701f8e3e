import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { parseJson, valueAt } from "../../scripts/values/json.ts";
import { isDocument } from "../../scripts/spec/openapi.ts";
import { createEngine, type EngineOptions } from "../../scripts/mock/server/engine.ts";
import { serveHttp } from "../fixtures/serveHttp.ts";
import { writeBundle } from "../fixtures/writeBundle.ts";
import { runHere } from "../pipeline/project.ts";

/** What lint would report: no regular expression, and a type that JSON Schema doesn't know. */
const [pattern, type] = [{ pattern: "(unclosed" }, { type: "strnig" }];

const json = (schema: object, more: object = {}) => ({ "application/json": { schema, ...more } });
const parameter = (place: "header" | "query", schema: object) => ({ name: "Size", in: place, schema });
const ok = { "200": { description: "", content: json({}) } };

const document: unknown = {
  openapi: "3.1.1",
  paths: {
    "/body": { post: { requestBody: { content: json({ properties: { a: pattern } }) }, responses: ok } },
    "/slow": { post: { requestBody: { content: json({ properties: { a: { pattern: "^(a+)+$" } } }) }, responses: ok } },
    "/query": { get: { parameters: [parameter("query", type)], responses: ok } },
    "/header": { get: { parameters: [parameter("header", pattern)], responses: ok } },
    "/response": { get: { responses: { "200": { description: "", content: json(type) } } } },
    "/example": { get: { responses: { "200": { description: "", content: json(type, { example: "bolt" }) } } } },
    "/failure": {
      get: {
        parameters: [parameter("query", { type: "integer" })],
        responses: { ...ok, "4XX": { description: "", content: json(pattern) } },
      },
    },
    "/response-header": {
      get: { responses: { "200": { description: "", headers: { Size: { schema: type } }, content: json({}) } } },
    },
  },
};

if (!isDocument(document)) throw new Error("the fixture is no document");
const nuts = readGeneration("nuts", document);

async function ask(path: string, init: RequestInit = {}, options: Partial<EngineOptions> = {}) {
  const mock = createEngine({ generations: [nuts], ...options });
  const response = await mock.fetch(`http://mock.example${path}`, init);
  const body = parseJson(await response.text());
  const reported = parseJson(response.headers.get("x-mock-violations") ?? "[]");
  return {
    status: response.status,
    body,
    detail: String(valueAt(body, ["detail"])),
    reported,
    note: response.headers.get("x-mock-note"),
    entry: mock.requests().at(-1),
  };
}

const post = { method: "POST", headers: { "content-type": "application/json" }, body: '{"a":"b"}' };

describe("a schema that cannot be used", () => {
  test.each([
    ["a body", "/body", post, "`pattern` must be a regular expression"],
    ["a query parameter", "/query?Size=1", {}, "strnig"],
    ["a header", "/header", { headers: { size: "1" } }, "`pattern` must be a regular expression"],
    ["a response", "/response", {}, "strnig"],
  ])("of %s lets nothing pass, and the mock says what is wrong with it", async (_, path, init, words) => {
    const { status, detail, entry } = await ask(path, init);
    expect([status, detail]).toEqual([500, expect.stringMatching(/the contract.*cannot be used/i)]);
    expect(detail).toContain(words);
    // It is the contract's mistake and none of ours.
    expect([entry?.reason, entry?.exception]).toEqual([detail, undefined]);
  });

  test("of a response that has an example lets that be sent, and the log says so", async () => {
    const { status, body, entry } = await ask("/example");
    expect([status, body, entry?.note]).toEqual([200, "bolt", expect.stringMatching(/unchecked: .*cannot be used/)]);
  });

  test("does not matter where nothing is sent that it describes", async () => {
    expect((await ask("/query")).status).toBe(200);
  });

  test("of a failure leaves the mock's own words", async () => {
    const { status, detail } = await ask("/failure?Size=a");
    expect([status, detail]).toEqual([422, expect.stringContaining("an integer")]);
  });

  test("is reported where requests and responses are passed on", async () => {
    await using upstream = await serveHttp((_, response) => {
      response.writeHead(200, { "content-type": "application/json", size: "1" }).end('"nut"');
    });
    const reports = await Promise.all(
      ["/query?Size=1", "/response", "/response-header"].map(async (path) => {
        const { status, body, reported, note } = await ask(path, {}, { upstream: upstream.url });
        return [status, body, reported, note];
      }),
    );
    const told = (start: string): unknown => expect.stringMatching(new RegExp(`^${start}: .*cannot be used`));
    expect(reports).toEqual([
      [200, "nut", [], told("the request was forwarded without a check")],
      ...[1, 2].map(() => [200, "nut", [told("response")], null]),
    ]);
  });

  test("leaves untested what verify sees", async () => {
    const folder = await mkdtemp(join(tmpdir(), "unusable-"));
    await writeBundle(folder, "nuts", nuts.document);
    const headers = [
      { name: "content-type", value: "application/json" },
      { name: "size", value: "1" },
    ];
    const entries = ["/response", "/response-header"].map((path) => ({
      request: { method: "GET", url: `http://localhost${path}`, headers: [] },
      response: { status: 200, headers, content: { size: 5, mimeType: "application/json", text: '"nut"' } },
    }));
    await writeFile(join(folder, "traffic.har"), JSON.stringify({ log: { entries } }));
    const { stdout } = await runHere(folder, "verify.ts", ["--har", "traffic.har", "--format", "json"]);
    const findings = [valueAt(parseJson(stdout), ["findings"])].flat();
    const told = findings.map((one) => ["kind", "operation", "message"].map((name) => valueAt(one, [name])));
    expect(told).toEqual(
      expect.arrayContaining([
        ["untested", "GET /response", expect.stringContaining("cannot be used")],
        ["untested", "GET /response-header", expect.stringContaining("cannot be used")],
      ]),
    );
    await rm(folder, { recursive: true });
  });
});

test("a pattern for which JavaScript takes exponential time never stops the mock, and isn't compared", async () => {
  const sent = await ask("/slow", { ...post, body: JSON.stringify({ a: `${"a".repeat(100)}b` }) });
  expect(sent.status).toBe(200);
});

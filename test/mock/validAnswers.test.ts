import { describe, expect, test } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { createEngine } from "../../scripts/mock/server/engine.ts";
import { startServer } from "../../scripts/mock/server/server.ts";
import type { RequestEntry } from "../../scripts/mock/mockTypes.ts";
import { contradictionIn } from "../contract/checks.ts";
import { exampleRequest, jsonValue, requestTo } from "../fixtures/exampleRequest.ts";
import type { OpenApiDocument, SchemaObject } from "../../scripts/spec/openapi.ts";
import { createValidator } from "../contract/validator.ts";
import { brokenAnswers, generations } from "./randomAnswers.ts";

test.each(generations)("30 random answers of each operation of $name keep the contract", async (generation) => {
  expect(await brokenAnswers(generation, 30)).toEqual([]);
});

test("each operation sends a random answer that keeps the contract", async () => {
  const mock = createEngine({ generations, dynamic: true, seed: "7" });
  for (const { operations, document } of generations) {
    const validator = createValidator(document);
    for (const operation of operations) {
      const response = await mock.fetch(requestTo("http://mock.example", exampleRequest(operation)));
      const text = await response.text();
      expect([operation.name, response.ok, text]).toEqual([operation.name, true, text]);
      expect([operation.name, contradictionIn(operation, validator, response, text)]).toEqual([
        operation.name,
        undefined,
      ]);
    }
  }
});

const json = (schema: object, example?: unknown) => ({
  get: {
    responses: {
      "200": {
        description: "",
        content: { "application/json": { schema, ...(example !== undefined && { example }) } },
      },
    },
  },
});
const account: SchemaObject = {
  type: "object",
  required: ["id", "password"],
  properties: { id: { type: "integer", minimum: 3 }, password: { type: "string", writeOnly: true } },
};
const odd: OpenApiDocument = {
  openapi: "3.1.1",
  paths: {
    "/wrong-example": json(account, { id: "seven" }),
    "/impossible": json({ $ref: "#/components/schemas/Endless" }),
    "/contradiction": json({
      type: "object",
      required: ["id"],
      properties: { id: { type: "integer", minimum: 2, maximum: 1 } },
    }),
    "/hidden": json(account),
    "/hidden-elsewhere": json({
      allOf: [{ $ref: "#/components/schemas/Account" }, { type: "object", required: ["id", "password"] }],
    }),
  },
  components: {
    schemas: {
      Account: { ...account, properties: { ...account.properties, password: { type: "integer", writeOnly: true } } },
      Endless: { type: "object", required: ["next"], properties: { next: { $ref: "#/components/schemas/Endless" } } },
    },
  },
};

describe("a response", () => {
  const entries: RequestEntry[] = [];
  const oddMock = createEngine({
    generations: [readGeneration("odd", odd)],
    onResponse: (entry) => entries.push(entry),
  });
  const get = async (path: string, prefer = "") => {
    const response = await oddMock.fetch(`http://mock.example${path}`, { headers: { prefer } });
    const value: unknown = await response.json();
    return { status: response.status, value };
  };

  test("has a generated value instead of an invalid example, and the log says why", async () => {
    expect(await get("/wrong-example")).toEqual({ status: 200, value: { id: 3 } });
    expect(entries.at(-1)?.note).toBe(
      "the contract's own example is invalid and not sent: /id must be an integer (type)",
    );
  });

  test.each(["/impossible", "/contradiction"])(
    "that cannot be valid is a 500 that names the keyword: %s",
    async (path) => {
      for (const prefer of ["dynamic=true", ""]) {
        const { status, value } = await get(path, prefer);
        expect(status).toBe(500);
        expect(JSON.stringify(value)).toMatch(/\((?:\$ref|minimum|maximum)\)/);
      }
    },
  );

  test("of any size that the contract allows doesn't keep others waiting", async () => {
    const items = { type: "string" } as const;
    const pattern = "^(a{60000}){60000}$";
    const most = 2_147_483_647;
    const list = (inner: SchemaObject): SchemaObject => ({ type: "array", minItems: 100, items: inner });
    const possible: Readonly<Record<string, SchemaObject>> = {
      maxItems: { type: "array", maxItems: most, items },
      maxLength: { type: "string", maxLength: most },
      optional: { type: "object", required: ["a"], properties: { a: items, b: { type: "string", minLength: 1e9 } } },
    };
    const impossible: Readonly<Record<string, SchemaObject>> = {
      minItems: { type: "array", minItems: most, items },
      minLength: { type: "string", minLength: 1e9 },
      minProperties: { type: "object", minProperties: most, additionalProperties: items },
      pattern: { type: "string", pattern: "^a{60000}$" },
      "an open pattern": { type: "string", pattern: "^a{60000,}$" },
      "listed characters": { type: "string", pattern: `^${"[\u0001-\uffff]".repeat(190)}$`, minLength: 300 },
      "lists in lists": list(list(list(list(list(items))))),
      texts: { ...list({ type: "string", minLength: 10_000 }), minItems: 3_000 },
    };
    // Only a random value is impossible.
    const sampled: Readonly<Record<string, SchemaObject>> = {
      uncompared: { type: "string", pattern },
      "an empty pattern": { type: "string", pattern: "^(){1000000000}$" },
    };
    const named = Object.entries({ ...possible, ...impossible, ...sampled });
    const paths = Object.fromEntries(named.map(([name, schema]) => [`/${name}`, json(schema)]));
    const large = readGeneration("large", { openapi: "3.1.1", paths: { ...paths, "/other": json({}, 7) } });
    await using mock = await startServer({ generations: [large] });
    for (const [name] of named) {
      for (const prefer of ["dynamic=true", ""]) {
        const asking = fetch(`${mock.url}/${name}`, { headers: { prefer } });
        const other = await fetch(`${mock.url}/other`);
        const response = await asking;
        const body = await response.text();
        const isPossible = name in possible || (name in sampled && prefer === "");
        expect([name, prefer, response.status]).toEqual([name, prefer, isPossible ? 200 : 500]);
        if (response.status === 500) expect(body).toMatch(/too (?:large|long) to generate/);
        expect(body.length).toBeLessThan(2_000);
        expect(await other.text()).toBe("7");
      }
    }
  });

  test.each(["dynamic=true", ""])("has no property that is write-only: %j", async (prefer) => {
    for (const path of ["/hidden", "/hidden-elsewhere"]) {
      const { status, value } = await get(path, prefer);
      expect(status, path).toBe(200);
      expect(value, path).toHaveProperty("id");
      expect(value, path).not.toHaveProperty("password");
    }
  });
});

const text = { type: "string" } as const;
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const described: Readonly<Record<string, SchemaObject>> = {
  "required elsewhere": { allOf: [reference("Named"), { type: "object", required: ["name", "more"] }] },
  "narrowed elsewhere": {
    allOf: [reference("Named"), { type: "object", required: ["name"], properties: { name: { minLength: 12 } } }],
  },
  "an example of a part": { allOf: [{ ...reference("Shown") }, { type: "object", required: ["name", "other"] }] },
  "endless alternatives": { anyOf: [reference("Endless"), { type: "object", required: ["at"] }] },
  "an endless member": { type: "object", properties: { next: reference("Endless"), name: text } },
  "an endless list": {
    type: "object",
    required: ["all"],
    properties: { all: { type: "array", items: reference("Endless") } },
  },
  patterns: {
    type: "object",
    minProperties: 2,
    additionalProperties: { type: "string", pattern: "^(?:cus|sub)_[A-Za-z0-9]{14,}$", maxLength: 20 },
  },
  names: {
    type: "object",
    required: ["hasOwnProperty", "toString", "__proto__"],
    properties: { hasOwnProperty: text },
  },
  "members beside others": {
    type: "object",
    required: ["undescribed", "at"],
    properties: { at: { type: "number", multipleOf: 0.01, exclusiveMinimum: 0 } },
    additionalProperties: { type: "integer", minimum: 3 },
  },
  "different items": {
    type: "array",
    minItems: 3,
    uniqueItems: true,
    items: { type: "object", properties: { at: { type: "integer" }, kind: { const: 1 } } },
  },
  "a sum of limits": { type: "number", exclusiveMinimum: 0.5, exclusiveMaximum: 1 },
};

test.each(Object.entries(described))(
  "a request's sample and the mock's response are valid: %s",
  async (name, schema) => {
    const content = { "application/json": { schema } };
    const post = {
      operationId: name,
      requestBody: { required: true, content },
      responses: { "200": { description: "", content } },
    };
    const properties = { id: { type: "integer" }, name: text, more: text } as const;
    const named: SchemaObject = { type: "object", required: ["id"], properties };
    const schemas: Readonly<Record<string, SchemaObject>> = {
      Named: named,
      Shown: { ...named, example: { id: 7, name: "seven" } },
      Endless: { type: "object", required: ["next"], properties: { next: reference("Endless") } },
    };
    const generation = readGeneration("made", { openapi: "3.1.1", paths: { "/": { post } }, components: { schemas } });
    const mock = createEngine({ generations: [generation] });
    const [operation] = generation.operations;
    if (operation === undefined) throw new Error("there is no operation");
    const response = await mock.fetch(requestTo("http://mock.example", exampleRequest(operation)));
    const value: unknown = await response.json();
    expect([response.status, value]).toEqual([200, value]);
    expect(value).not.toEqual(schema.type === "array" ? [] : {});
    const { ofRequest, ofResponse } = createValidator(generation.document);
    expect(ofRequest(operation)(jsonValue(exampleRequest(operation).body))).toBeUndefined();
    expect(ofResponse(operation, "200")(value)).toBeUndefined();
  },
);

import { expect, test } from "vitest";
import { schemaViolations } from "../../scripts/docs/browser/schemaViolations.ts";
import { isSlow } from "../../scripts/spec/patterns.ts";
import { readTest } from "../../scripts/workflows/expressions.ts";
import { createValidator, responseViolation } from "../../scripts/exchange/validator.ts";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { createEngine } from "../../scripts/mock/server/engine.ts";
import { isDocument } from "../../scripts/spec/openapi.ts";

const node = { anyOf: [{ $ref: "#/a" }, { $ref: "#/b" }] };
const branch = (name: string) => ({ properties: { of: { $ref: "#/node" }, is: { const: name } } });
const document = { node, a: branch("a"), b: branch("b"), list: { items: { $ref: "#/list" } } };

/** A value so deep that each level has two ways to the next one. */
function nested(levels: number): unknown {
  let value: unknown = { is: "neither" };
  for (let level = 0; level < levels; level += 1) value = { is: "a", of: value };
  return value;
}

test("recursive alternatives are checked against a value that isn't too deep", () => {
  const { violations, isPartial } = createValidator(node, document)(nested(4));
  expect(isPartial).toBe(false);
  expect(violations.at(-1)).toMatchObject({ pointer: "", keyword: "anyOf" });
});

test("a request that would take too long to check is rejected with a reason, and a response is unchecked", () => {
  const value = nested(150);
  const [violation] = createValidator(node, document)(value).violations;
  expect(violation?.message).toBe("must be smaller, or have fewer levels: validating it takes too long");
  expect(createValidator(node, document, "writeOnly")(value)).toEqual({ violations: [], isPartial: true });
  // The mock does not send an example that it can't check.
  expect(responseViolation(node, document)(value)?.message).toContain("validating it takes too long");
});

test("no value and no schema is too deep for the stack", () => {
  let value: unknown = [];
  let schema: object = { type: "string" };
  for (let level = 0; level < 100_000; level += 1) {
    value = [value];
    schema = { allOf: [schema] };
  }
  expect(createValidator({ $ref: "#/list" }, document)(value).violations).toHaveLength(1);
  expect(createValidator(schema, {})(1).violations).toHaveLength(1);
});

test("of a list without end, so many violations are found that it is known how wrong it is", () => {
  const { violations, isPartial } = createValidator({ items: { type: "string" } }, {})(Array(100_000).fill(1));
  expect(violations).toHaveLength(1_000);
  expect(isPartial).toBe(true);
});

test.each([{ pattern: "(" }, { allOf: [{ pattern: "(" }] }, { anyOf: [{ pattern: "(" }, true] }, { $ref: "#a" }])(
  "nothing is valid or not in %j",
  (schema) => {
    expect(() => createValidator(schema, {})("a")).toThrow(expect.objectContaining({ name: "UnusableSchema" }));
  },
);

const long = "a".repeat(30_000);

test.each([
  ...[
    "^(a+)+$",
    "^(\\w+\\s?)*$",
    "^(?:a|a)*$",
    "^(?:a?){30}a{30}$",
    "^(?=(?:a*)*b)[ab]{5,}$",
    "^(a+)\\1$",
    "^(?<x>a*)\\k<x>",
  ],
  ...[
    "^[\\w-\\.]+@([\\w-]+\\.)+[\\w-]{2,4}$",
    "(?:x\\u{1F600}|.)*$^",
    "^a|b*c",
    "a+",
    "a{2,}$",
    "(^a|a+)b",
    "^a*a{0,99}b",
  ],
  ...["^a?a?a?a?a?a?a?b", "^a{0,9}a{0,9}a{0,9}b", "^((a|b){9}){9}$", "^(()*)*b", "^[]a*]*a*b", "^(?i:a)*(?-i:a)*b"],
])("no text is compared with %s", (pattern) => {
  const schema = { properties: { name: { pattern } } };
  for (const oneWay of ["readOnly", "writeOnly"] as const)
    expect(createValidator(schema, {}, oneWay)({ name: `${long}c` })).toEqual({ violations: [], isPartial: false });
  // Forms in the docs neither.
  const check = { schema, definitions: {}, subject: "The body", mayLack: false };
  expect(schemaViolations({ ...check, value: { name: `${long}c` } })).toEqual([]);
});

const slow = "^(a+)+$";

test.each([
  [{ anyOf: [{ pattern: slow }, false] }, true],
  [{ oneOf: [{ pattern: slow }, true] }, true],
  [{ oneOf: [{ pattern: slow }, true, true] }, false],
  [{ oneOf: [{ pattern: slow, maxLength: 1 }, false] }, false],
  [{ items: { pattern: slow } }, true],
  [{ allOf: [{ pattern: slow }, { maxLength: 1 }] }, false],
])("what a pattern that isn't compared leaves open is accepted: %j", (schema, isValid) => {
  expect(createValidator(schema, {})("ab").violations.length === 0).toBe(isValid);
});

test("every text is compared in linear time with the other patterns", () => {
  const parts = ["a", "[^b]", "(?:a|a)", "(?:a)", "(?:(?!b)a)", "(a)\\1", "(?:)"];
  const pieces = parts.flatMap((part) => ["", "?", "*", "+?", "{9}", "{0,4}", "{99}"].map((each) => part + each));
  const patterns = pieces.flatMap((first, index) => {
    const [second = "", third = ""] = [pieces.at(index - 7), pieces.at(index - 3)];
    return [`${first}${second}c`, `^${first}${second}c`, `^(?:${first}|${third})a`, `^(?:${first})?${third}`];
  });
  const compared = patterns.filter((pattern) => !isSlow(pattern));
  expect(compared.length).toBeGreaterThan(50);
  for (const pattern of compared) {
    const { violations } = createValidator({ pattern }, {})(`${long}b`);
    expect(violations.length, pattern).toBe(new RegExp(pattern, "u").test(`${long}b`) ? 0 : 1);
  }
});

test("a text is only compared with a pattern that has many ways if it's short enough", () => {
  const schema = { pattern: "(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)b" };
  expect(createValidator(schema, {})(long).violations[0]?.keyword).toBe("pattern");
  const message: unknown = expect.stringContaining("validating it takes too long");
  expect(createValidator(schema, {})(long.repeat(30)).violations).toMatchObject([{ message }]);
});

test("a criterion of a workflow isn't met by a pattern that isn't compared", () => {
  const criterion = { condition: slow, type: "regex", context: "$response.body" } as const;
  expect(readTest(criterion)?.({ inputs: {}, steps: {}, response: { header: {}, body: "a" } })).toBe(false);
});

test("requests whose checks take long are checked one at a time, so that others are answered between them", async () => {
  const content = { "application/json": { schema: { $ref: "#/components/schemas/node" } } };
  const [a, b] = ["a", "b"].map((is) => ({
    properties: { of: { $ref: "#/components/schemas/node" }, is: { const: is } },
  }));
  const trees: unknown = {
    openapi: "3.1.1",
    components: { schemas: { node: { anyOf: [a, b] } } },
    paths: { "/trees": { post: { requestBody: { content }, responses: { 204: { description: "" } } } } },
  };
  if (!isDocument(trees)) throw new Error("not a document");
  const mock = createEngine({ generations: [readGeneration("trees", trees)] }).mock;
  const headers = { "content-type": "application/json" };
  const request = { method: "POST", headers, body: JSON.stringify(nested(60)) };
  const ends: string[] = [];
  const slow = Array.from({ length: 3 }, async () => {
    expect((await mock.fetch("http://localhost/trees", request)).status).toBe(422);
    if (ends.push("slow") === 1) setImmediate(() => ends.push("other"));
  });
  await Promise.all(slow);
  expect(ends).toContain("other");
});

import { expect, test } from "vitest";
import { schemaViolations } from "../../scripts/docs/browser/schemaViolations.ts";
import { readTest } from "../../scripts/workflows/expressions.ts";
import { createValidator, responseViolation } from "../../scripts/exchange/validator.ts";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { createEngine } from "../../scripts/mock/server/engine.ts";
import { isDocument } from "../../scripts/spec/openapi.ts";
import { limitSteps } from "../../scripts/spec/limitSteps.ts";
import { limitPatterns } from "../../scripts/spec/patterns.ts";

limitPatterns(limitSteps);

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

test.each([{ pattern: "(" }, { not: { pattern: "(" } }, { anyOf: [{ pattern: "(" }, true] }, { $ref: "#a" }])(
  "nothing is valid or not in %j",
  (schema) => {
    expect(() => createValidator(schema, {})("a")).toThrow(expect.objectContaining({ name: "UnusableSchema" }));
  },
);

const [many, words] = ["a".repeat(10_000), "many words ".repeat(1_000)];

test.each([
  ["^(a+)+$", many, `${many}b`],
  ["^(\\w+\\s?)*$", words, `${words}!`],
  ["^(?:a|a)*$", many, `${many}b`],
  ["^(?:a?){30}a{30}$", "a".repeat(60), "a".repeat(29)],
  ["^[\\w-\\.]+@([\\w-]+\\.)+[\\w-]{2,4}$", `${many}@example.com`, `a@${"a.".repeat(5_000)}`],
  ["^(?=(?:a*)*b)[ab]{5,}$", `${many}b`, many],
  ["^(?:\\p{L}+\\u{20}?)+$", "é ".repeat(999), `${"é ".repeat(999)}1`],
  ["(?<!a)(?:b+)+(?!c)$", `${many}cb`, many],
  ["(?:x\\u{1F600}|.)*$^", "", "😀".repeat(50)],
])("a text is compared with %s in limited time", (pattern, valid, invalid) => {
  for (const schema of [{ pattern }, { propertyNames: { pattern } }, { patternProperties: { [pattern]: false } }]) {
    const accepts = (text: string) => {
      const { violations, isPartial } = createValidator(schema, {})("pattern" in schema ? text : { [text]: 1 });
      expect(isPartial).toBe(false);
      return violations.length === 0;
    };
    expect([accepts(valid), accepts(invalid)]).toEqual("patternProperties" in schema ? [false, true] : [true, false]);
  }
});

test("limited patterns match the same texts as those of JavaScript", () => {
  const parts = [
    "a",
    "(a|b)",
    "(?:a?b)",
    "[^a]",
    ".",
    "\\b",
    "$",
    "^",
    "(?=b)",
    "(?!ab)",
    "(?<=a)",
    "\\u0061",
    "\\d",
    "😀",
  ];
  const texts = ["", "a", "b", "ab", "ba", "aab", "abb", "b😀", "😀a", "a1b", "\n", "bb1"];
  for (const first of parts) {
    for (const second of parts) {
      for (const quantifier of ["+", "*?", "{2}", "{0,1}", "{2,}"]) {
        const pattern = `(?:${first}(?:${second})${quantifier}|(?:(?:${second})*)*b)+$`;
        const expression = new RegExp(pattern, "u");
        const limited = limitSteps(expression);
        const differing = texts.filter((text) => limited.test(text) !== expression.test(text));
        expect(differing, pattern).toEqual([]);
      }
    }
  }
});

test("a text that can't be compared with its pattern is rejected in a request, and unchecked in a response", () => {
  const schema = { properties: { name: { pattern: "^(a*)*\\1$" } } };
  const message = 'can\'t be compared with the pattern "^(a*)*\\1$": that may take too long';
  expect(createValidator(schema, {})({ name: "a" }).violations).toMatchObject([{ pointer: "/name", message }]);
  expect(createValidator(schema, {}, "writeOnly")({ name: "a" })).toEqual({ violations: [], isPartial: true });
  // Forms in the docs show it.
  const check = { schema, definitions: {}, value: { name: "a" }, subject: "The body", mayLack: false };
  expect(schemaViolations(check)).toEqual([{ pointer: "/name", message: `name ${message}.`, isUnchecked: true }]);
  expect(schemaViolations({ ...check, value: { name: 1 } })).toEqual([]);
});

test("a response's text is compared with the pattern of a criterion in limited time", () => {
  const criterion = { condition: "^(a+)+$", type: "regex", context: "$response.body" } as const;
  const holds = (body: string) => readTest(criterion)?.({ inputs: {}, steps: {}, response: { header: {}, body } });
  expect([holds(many), holds(`${many}b`)]).toEqual([true, false]);
});

test("requests whose checks take long are checked one at a time, so that others are answered between them", async () => {
  const content = { "application/json": { schema: { $ref: "#/components/schemas/node" } } };
  const [a, b] = ["a", "b"].map((is) => ({
    properties: { of: { $ref: "#/components/schemas/node" }, is: { const: is } },
  }));
  const trees: unknown = {
    openapi: "3.1.1",
    components: { schemas: { node: { anyOf: [a, b] } } },
    paths: {
      "/trees": {
        get: { parameters: [{ in: "query", name: "tree", content }], responses: { 204: { description: "" } } },
        post: { requestBody: { content }, responses: { 204: { description: "" } } },
      },
    },
  };
  if (!isDocument(trees)) throw new Error("not a document");
  const mock = createEngine({ generations: [readGeneration("trees", trees)] }).mock;
  const tree = JSON.stringify(nested(60));
  const sends = [
    () => mock.fetch(`http://localhost/trees?tree=${encodeURIComponent(tree)}`),
    () =>
      mock.fetch("http://localhost/trees", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: tree,
      }),
  ];
  for (const send of sends) {
    const ends: string[] = [];
    const slow = Array.from({ length: 3 }, async () => {
      expect((await send()).status).toBe(422);
      if (ends.push("slow") === 1) setImmediate(() => ends.push("other"));
    });
    await Promise.all(slow);
    expect(ends).toContain("other");
  }
});

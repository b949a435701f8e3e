import { expect, test } from "vitest";
import { createValidator, responseViolation } from "../../scripts/exchange/validator.ts";

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

test.each([{ pattern: "(" }, { not: { pattern: "(" } }, { anyOf: [{ pattern: "(" }, true] }])(
  "nothing is valid or not in %j",
  (schema) => {
    expect(() => createValidator(schema, {})("a")).toThrow(expect.objectContaining({ name: "UnusableSchema" }));
  },
);

import { describe, expect, it, test } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { isDocument } from "../../scripts/spec/openapi.ts";
import { createEngine } from "../../scripts/mock/server/engine.ts";

/** A schema, values that are valid in it, and values that are not. */
type Case = readonly [schema: unknown, valid: readonly unknown[], invalid: readonly unknown[]];

/** By keyword, in the order of JSON Schema 2020-12: Validation, sections 6 and 7, then Core, sections 8 to 11. */
const cases: Readonly<Record<string, readonly Case[]>> = {
  type: [
    [{ type: "integer" }, [1, 1.0, -0, 1e3], [1.5, "1", true, null]],
    [{ type: "number" }, [1, 1.5], ["1", true]],
    [{ type: "object" }, [{}], [[], null, "a"]],
    [{ type: "array" }, [[]], [{}, "a"]],
    [{ type: ["string", "null"] }, ["", null], [0, false, {}]],
    [{ type: "boolean" }, [true, false], [0, "true"]],
  ],
  enum: [
    [
      { enum: ["a", 1, null, { a: [1] }] },
      ["a", 1, null, { a: [1] }],
      ["b", true, { a: [1], b: 1 }, { a: ["1"] }, [1]],
    ],
    [{ enum: [{ a: 1, b: 2 }] }, [{ b: 2, a: 1 }], [{ a: 1 }]],
  ],
  const: [
    [{ const: null }, [null], [0, "", {}]],
    [{ const: [1, { a: false }] }, [[1, { a: false }]], [[1, { a: 0 }], [1]]],
  ],
  multipleOf: [
    [{ multipleOf: 0.01 }, [19.99, 0, 0.07, 1.1, 4.35, -0.29], [19.999, 0.001]],
    [{ multipleOf: 3 }, [9, 1e21 - 1e21, 3e20], [10, 1e20]],
    [{ multipleOf: 1e-8 }, [12.34567891], [1e-9]],
  ],
  maximum: [[{ maximum: 3 }, [3, "4"], [3.01]]],
  exclusiveMaximum: [[{ exclusiveMaximum: 3 }, [2.99], [3]]],
  minimum: [[{ minimum: 3 }, [3, null], [2.99]]],
  exclusiveMinimum: [[{ exclusiveMinimum: 3 }, [3.01], [3]]],
  maxLength: [[{ maxLength: 2 }, ["ab", "😀😀", 123], ["abc", "😀😀😀"]]],
  minLength: [[{ minLength: 2 }, ["ab", "😀😀"], ["a", "😀", ""]]],
  pattern: [
    [{ pattern: "b" }, ["abc", 1], ["ac"]],
    [{ pattern: String.raw`^\p{L}$` }, ["é", "𝒳"], ["1"]],
    // It is valid without the flag `u` only.
    [{ pattern: String.raw`^\-$` }, ["-"], ["a"]],
  ],
  maxItems: [[{ maxItems: 1 }, [[1], {}], [[1, 2]]]],
  minItems: [[{ minItems: 1 }, [[1], ""], [[]]]],
  uniqueItems: [
    [
      { uniqueItems: true },
      [[1, "1", true, [1], { a: 1 }, null], []],
      [
        [1, 1.0],
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      ],
    ],
    [{ uniqueItems: false }, [[1, 1]], []],
  ],
  maxProperties: [[{ maxProperties: 1 }, [{ a: 1 }, [1, 2]], [{ a: 1, b: 1 }]]],
  minProperties: [[{ minProperties: 1 }, [{ a: 1 }], [{}]]],
  required: [
    [{ required: ["a", "toString"] }, [{ a: null, toString: 1 }, []], [{ a: 1 }, {}]],
    [{ required: ["__proto__", "constructor"] }, [JSON.parse('{ "__proto__": 1, "constructor": 1 }')], [{}]],
  ],
  format: [
    [
      { format: "date-time" },
      ["2024-02-29T23:59:60Z".replace("02-29", "06-30"), "2024-02-29t01:02:03.4+01:30"],
      ["2023-02-29T00:00:00Z", "2024-01-01 00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01T23:59:60Z"],
    ],
    [{ format: "date" }, ["2024-02-29", 1], ["2023-02-29", "2024-1-1"]],
    [{ format: "time" }, ["23:59:60Z", "15:59:60-08:00", "01:02:03+01:00"], ["01:02:03", "24:00:00Z", "22:59:60Z"]],
    [{ format: "duration" }, ["P1Y2M3DT4H5M6S", "P2W", "PT1M"], ["P", "P1DT", "1D", "P1S", "P1W1D"]],
    [
      { format: "email" },
      ["a.b+c@d.example", '"a b"@d.example', "a@[127.0.0.1]", "a@[IPv6:::1]"],
      ["a", "@a", "a@", ".a@b.c", "a..b@c.d", "a@-b.c"],
    ],
    [{ format: "idn-email" }, ["実例@実例.example"], ["実例"]],
    [{ format: "hostname" }, ["a", "a-1.example"], ["-a", "a_b", "", `${"a".repeat(64)}.example`]],
    [{ format: "ipv4" }, ["127.0.0.1"], ["127.0.0.01", "256.0.0.1", "1.2.3"]],
    [{ format: "ipv6" }, ["::1", "1::192.168.0.1", "1:2:3:4:5:6:7:8"], ["1:2", "::g", "1::2::3", "::1%eth0"]],
    [
      { format: "uri" },
      ["a:b", "http://u@[::1]:80/%20?q#f", "urn:x:y"],
      ["/a", "http://a b", "http://%zz", "a:b#c#d", "http://a:b/", "http://[::1]80"],
    ],
    [{ format: "uri-reference" }, ["", "/a?b#c", "//a/b", "../a"], ["a b", "\\a", "1:b"]],
    [{ format: "iri" }, ["http://ƒøø.example/é"], ["é"]],
    [{ format: "uri-template" }, ["/a/{b}{?c,d*}{e:3}", "'"], ["/{a", "/a}", "{}", "{a:0}"]],
    [{ format: "url" }, ["https://a.example/b"], ["a", "mailto:a@b.c"]],
    [
      { format: "uuid" },
      ["123e4567-e89b-12d3-a456-426614174000"],
      ["123e4567e89b12d3a456426614174000", "urn:uuid:123e4567-e89b-12d3-a456-426614174000"],
    ],
    [{ format: "json-pointer" }, ["", "/a~0b~1c"], ["a", "/~2"]],
    [{ format: "relative-json-pointer" }, ["0", "1/a", "2#"], ["/a", "01", "-1"]],
    [{ format: "regex" }, ["^a$"], ["("]],
    [{ format: "byte" }, ["", "YQ==", "YWI="], ["YQ=", "Y!==", "Y==="]],
    [{ format: "int32" }, [2_147_483_647, "a"], [2_147_483_648, 1.5]],
    [{ format: "uint8" }, [255], [256, -1]],
    [{ format: "unheard-of" }, ["a", 1], []],
  ],
  $ref: [
    [{ $ref: "#/components/schemas/Named", maxProperties: 1 }, [{ name: "a" }], [{ name: 1 }, { name: "a", b: 1 }]],
    [{ $ref: "#/components/schemas/Tree" }, [{ of: [{ of: [] }] }], [{ of: [{ of: [1] }] }]],
    [{ $ref: "#/components/schemas/Odd~1name%20~0" }, ["a"], [1]],
  ],
  allOf: [[{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1, 2, "a"], [0, 3]]],
  anyOf: [[{ anyOf: [{ type: "string" }, { minimum: 2 }] }, ["a", 2], [1]]],
  oneOf: [[{ oneOf: [{ minimum: 1 }, { maximum: 2 }] }, [0, 3], [1, 2]]],
  items: [
    [{ items: { type: "string" } }, [[], ["a"]], [["a", 1]]],
    [{ items: false }, [[]], [[1]]],
  ],
  properties: [
    [{ properties: { a: { type: "string" }, b: false } }, [{ a: "a", c: 1 }, []], [{ a: 1 }, { b: 1 }]],
    [JSON.parse('{ "properties": { "__proto__": { "type": "string" } } }'), [{}], [JSON.parse('{ "__proto__": 1 }')]],
    [{ properties: { toString: { type: "string" } } }, [{}, { toString: "a" }], [{ toString: 1 }]],
  ],
  additionalProperties: [
    [
      { properties: { a: true }, additionalProperties: false },
      [{ a: 1 }],
      [{ c: 1 }, { toString: 1 }, JSON.parse('{ "__proto__": 1 }')],
    ],
    [{ additionalProperties: { type: "string" } }, [{ a: "a" }], [{ a: 1 }]],
  ],
  // What the profile says no to is open.
  "nothing else": [
    ...Object.entries({
      ...{ $dynamicRef: "#item", contains: false, dependentRequired: { a: ["b"] }, dependentSchemas: { a: false } },
      ...{ if: true, not: {}, patternProperties: { "": false }, prefixItems: [false], propertyNames: false },
      ...{ unevaluatedItems: false, unevaluatedProperties: false },
    }).flatMap(([keyword, value]): readonly Case[] => [
      [{ [keyword]: value, then: false }, [{ a: 1 }, [1], "a"], []],
      [{ oneOf: [{ [keyword]: value }, {}] }, [{ a: 1 }], []],
    ]),
    [{ prefixItems: [{}], items: false, type: "array" }, [[1]], [1]],
    [{ patternProperties: { "^b": {} }, additionalProperties: false, required: ["b"] }, [{ b: 1 }], [{}]],
  ],
  "a boolean": [
    [true, [1], []],
    [{ properties: { a: true } }, [{ a: 1 }], []],
  ],
};

const schemas = {
  Named: { type: "object", properties: { name: { type: "string" } } },
  Tree: { type: "object", properties: { of: { type: "array", items: { $ref: "#/components/schemas/Tree" } } } },
  "Odd/name ~": { type: "string" },
};

describe("a request's body is held against", () => {
  it.each(Object.entries(cases))("%s", async (_, some) => {
    const isAccepted = serve(some.map(([schema]) => schema));
    for (const [index, [schema, valid, invalid]] of some.entries()) {
      for (const value of valid) expect(await isAccepted(index, value), describeCase(schema, value)).toBe(true);
      for (const value of invalid) expect(await isAccepted(index, value), describeCase(schema, value)).toBe(false);
    }
  });
});

test("a read-only property is not required, even if allOf separates it from its requirement", async () => {
  const id = { properties: { id: { type: "integer", readOnly: true }, name: {} } };
  const isAccepted = serve([{ allOf: [id, { required: ["id", "name"] }], required: ["id"] }]);
  expect(await isAccepted(0, { name: "a" })).toBe(true);
  expect(await isAccepted(0, {})).toBe(false);
});

function describeCase(schema: unknown, value: unknown): string {
  return `${JSON.stringify(value)} in ${JSON.stringify(schema)}`;
}

/** Serves an operation for each schema of a body. */
function serve(bodies: readonly unknown[]) {
  const responses = { "204": { description: "" } };
  const paths = Object.fromEntries(
    bodies.map((schema, index) => {
      const content: object = { "application/json": { schema } };
      return [`/${index}`, { post: { requestBody: { content }, responses } }];
    }),
  );
  const document: unknown = { openapi: "3.1.1", info: { title: "", version: "1" }, paths, components: { schemas } };
  if (!isDocument(document)) throw new Error("it is no description");
  const mock = createEngine({ generations: [readGeneration("keywords", document)] });
  return async (index: number, value: unknown): Promise<boolean> => {
    const headers = { "content-type": "application/json" };
    const { status } = await mock.fetch(`http://mock.example/${index}`, {
      method: "POST",
      headers,
      body: JSON.stringify(value),
    });
    expect([204, 422]).toContain(status);
    return status === 204;
  };
}

import fc from "fast-check";
import { elementsOf, isObject, stringsOf } from "../../scripts/values/json.ts";
import { isReference, resolve, type OpenApiDocument } from "../../scripts/spec/openapi.ts";

/** Values that a schema accepts, and three times as many with one change each, most of which it does not accept. */
export function valuesAround(schema: unknown, document: OpenApiDocument): fc.Arbitrary<unknown> {
  const accepted = acceptedValues(schema, document);
  const changed = fc.tuple(accepted, fc.nat(), anyValue).map(change);
  return fc.oneof(accepted, { arbitrary: changed, weight: 3 });
}

const anyValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1.5,
    1e300,
    "",
    "success",
    "MEMBER",
    "08:00",
    "8:00",
    "https://a.example",
  ),
  fc.constantFrom<unknown>([], {}, [null], [[]], [1], { id: 1 }, { length: 1 }, { isPrototypeOf: 1 }),
  fc.jsonValue({ maxDepth: 1 }),
);

// Made once: each of them costs milliseconds, and every schema has its own generator.
const shortText = fc.string({ maxLength: 4 });
const memberName = fc.stringMatching(/^\w{1,9}$/);

/** Only for the keywords that this project's contract has. */
function acceptedValues(schema: unknown, document: OpenApiDocument): fc.Arbitrary<unknown> {
  const of = (one: unknown) => acceptedValues(one, document);
  if (!isObject(schema)) return anyValue;
  if (isReference(schema)) return of(resolve(document, schema));
  if ("const" in schema) return fc.constant(schema["const"]);
  if ("anyOf" in schema) return fc.oneof(...elementsOf(schema["anyOf"]).map(of));
  const { pattern, properties, additionalProperties, items, maxProperties, required } = schema;
  const members = Object.entries(isObject(properties) ? properties : {}).map(([name, one]) => [name, of(one)] as const);
  const others = additionalProperties === undefined ? anyValue : of(additionalProperties);
  const byType: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    null: fc.constant(null),
    boolean: fc.boolean(),
    integer: fc.integer(),
    number: fc.double({ noNaN: true, noDefaultInfinity: true }),
    string: typeof pattern === "string" ? fc.stringMatching(new RegExp(pattern, "u")) : shortText,
    array: fc.array(items === undefined ? anyValue : of(items), { maxLength: 2 }),
    object: fc
      .tuple(
        maxProperties === 0 ? fc.constant({}) : fc.dictionary(memberName, others, { maxKeys: 1 }),
        fc.record(Object.fromEntries(members), { requiredKeys: [...stringsOf(required)], noNullPrototype: true }),
      )
      .map(([more, described]) => ({ ...more, ...described })),
  };
  const types = typeof schema["type"] === "string" ? [schema["type"]] : stringsOf(schema["type"]);
  return types.length === 0 ? anyValue : fc.oneof(...types.map((type) => byType[type] ?? anyValue));
}

/** A value with what is at one place of it replaced or taken away. */
function change([value, choice, other]: [unknown, number, unknown]): unknown {
  const places = placesIn(value);
  return replaceAt(value, places[choice % places.length] ?? [], choice % 3 === 0 ? undefined : other) ?? other;
}

function placesIn(value: unknown, keys: readonly string[] = []): readonly (readonly string[])[] {
  const members = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [keys, ...members.flatMap(([key, member]) => placesIn(member, [...keys, key]))];
}

function replaceAt(value: unknown, [key, ...rest]: readonly string[], other: unknown): unknown {
  if (key === undefined || typeof value !== "object" || value === null) return other;
  const members = Object.entries(value)
    .map(([name, member]): [string, unknown] => [name, name === key ? replaceAt(member, rest, other) : member])
    .filter(([, member]) => member !== undefined);
  return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
}

import type { JsonSchema } from "json-schema-faker";
import { messageOf } from "../../contract/failures.ts";
import { elementsOf, isObject, mapMembers, membersOf, stringsOf } from "../../values/json.ts";
import { isReference, isSchema, referencedValue, type OpenApiDocument, type SchemaObject } from "../../spec/openapi.ts";
import { isMatching } from "../../spec/patterns.ts";
import { mapSchemas, uncheckedKeywords } from "../../spec/schemaKeywords.ts";
import { describingSchemas, isVisible } from "../../spec/schemas.ts";
import { lazyLibraries } from "./lazyLibraries.ts";
import { hashOf } from "./variants.ts";
import type { SchemaViolation } from "../../exchange/schema/run.ts";
import { textFormats } from "../../exchange/schema/formats.ts";
import { responseValidator, responseViolation } from "../../exchange/validator.ts";

/** One of these tries should give a valid value. The second half makes required properties only. */
const maxTries = 20;
/** Above this number of schemas, which take some 100 ms, optional properties are left out. */
const maxSchemas = 1_000;
/** The largest parts of a generated value. The generator gives up after 1,000 properties. */
const largest = { minLength: 10_000, minItems: 10_000, minProperties: 1_000 };
/** The largest {@link sizeOfPattern}. The generator tries up to 50 texts for a `minLength`. */
const largestPattern = 1_000;
/** The most work in all tries together, which takes some 300 ms. A random character is 1, and a part of a value 10. */
const maxWork = 200_000;
/** Formats that the validator supports and the generator doesn't. */
const formats = { regex: () => "^[a-z]+$", byte: () => "ZXhhbXBsZQ==", "uri-template": () => "/{id}" };

/**
 * Generates a random value that a schema allows in a response. The same seed gives the same value. If it
 * fails, returns the violated keyword.
 */
export async function generateValue(
  schema: SchemaObject,
  document: OpenApiDocument,
  seed: string | undefined,
): Promise<{ readonly value: unknown } | { readonly failure: string }> {
  const { generateSync } = await lazyLibraries.jsonSchemaFaker();
  const findViolation = responseViolation(schema, document);
  const start = seed === undefined ? Math.floor(Math.random() * 2 ** 32) : hashOf(seed);
  let tries = 0;
  let left = maxWork;
  /** Called for each part of a value, whose number may be the product of several limits. */
  const countPart = (value: unknown, { pattern }: { readonly pattern?: unknown }): unknown => {
    left -= typeof value === "string" ? value.length + 10 : 10;
    if (typeof pattern === "string") left -= sizeOfPattern(pattern);
    if (left < 0) throw new Error("a list of lists, or of texts, is too large to generate");
    return value;
  };
  const generate = (part: JsonSchema) =>
    generateSync(part, {
      outputTransform: (value, part) => countPart(value, isObject(part) ? part : {}),
      seed: start + (tries += 1),
      formats,
      maxDepth: 100,
      alwaysFakeOptionals: tries < maxTries / 2,
      optionalsProbability: 0,
    });
  let failure = "";
  const tooLarge = new Set<string>();
  try {
    for (const oneOf of ["oneOf", "anyOf"] as const) {
      const unrolled = unrollSchema(schema, { document, generate, oneOf, left: maxSchemas, tooLarge });
      if (unrolled === false) {
        const why =
          tooLarge.size === 0
            ? "which may contain itself without end ($ref)"
            : `or it would be too large to generate (${[...tooLarge].join(", ")})`;
        return { failure: `no value is valid in its schema, ${why}` };
      }
      for (tries = 0; tries < maxTries;) {
        const value = generate(unrolled);
        const violation = findViolation(value);
        if (violation === undefined) return { value };
        failure = describeSchemaViolation(violation);
      }
    }
  } catch (error) {
    failure = messageOf(error);
  }
  return { failure: `no valid value was found for its schema, in which ${failure}` };
}

/** Describes a violation with its keyword: `/tags/0 must be string (type)`. */
export function describeSchemaViolation({ pointer, keyword, message }: SchemaViolation): string {
  return `${pointer === "" ? "the value" : pointer} ${message} (${keyword})`;
}

type Keywords = Readonly<Record<string, unknown>>;

interface Unrolling {
  readonly document: OpenApiDocument;
  readonly generate: (schema: JsonSchema) => unknown;
  /**
   * The keyword for the alternatives of a `oneOf`. The generator leaves out optional properties in a `oneOf`, although they
   * may be all that tells the alternatives apart. It doesn't in an `anyOf`.
   */
  readonly oneOf: "oneOf" | "anyOf";
  /** How many more schemas are unrolled with their optional parts. */
  left: number;
  /** The keywords that ask for values that are too large to generate. */
  readonly tooLarge: Set<string>;
}

/** Keywords that do not restrict a value. */
const annotations = new Set("$schema $comment title description deprecated readOnly writeOnly".split(" "));
/** Keywords that the generator doesn't need, of which it takes some for properties, and that nothing is checked against. */
const unused = new Set([
  ...["xml", "externalDocs", "discriminator", "example", "examples", "default", "$defs"],
  ...[...uncheckedKeywords, "then", "else", "minContains", "maxContains"],
]);
const maxLevels = 3;

function isExtension(keyword: string): boolean {
  return keyword.startsWith("x-");
}

/** Returns whether a schema allows every value. */
export function saysNothing(schema: unknown): boolean {
  if (!isObject(schema)) return schema === true;
  return Object.keys(schema).every((keyword) => annotations.has(keyword) || isExtension(keyword));
}

/**
 * Copies the schema of a response into a form from which json-schema-faker (0.6.3) generates valid values.
 * Each reference is replaced by its target, and recursion ends at the third level. Returns `false` if no
 * value is valid. `hidden`: the properties that the value doesn't have in responses.
 */
function unrollSchema(
  schema: unknown,
  to: Unrolling,
  outer: readonly string[] = [],
  hidden: readonly string[] = hiddenProperties(schema, to),
): JsonSchema {
  // The mock's value for anything unspecified.
  if (saysNothing(schema)) return { const: {} };
  if (!isObject(schema)) return false;
  to.left -= 1;
  if (isReference(schema)) {
    const { $ref, ...siblings } = schema;
    if (outer.filter((reference) => reference === $ref).length === maxLevels) return false;
    const target = unrollSchema(referencedValue(to.document, $ref), to, [...outer, $ref], hidden);
    return saysNothing(siblings) ? target : possible({ allOf: [target, unrollSchema(siblings, to, outer, hidden)] });
  }
  const isCombined = ["allOf", "anyOf", "oneOf"].some((keyword) => keyword in schema);
  if (Array.isArray(schema["enum"]) && isCombined) return chooseValues(schema, to.document);
  const tooLarge = tooLargeKeyword(schema);
  if (tooLarge !== undefined) {
    to.tooLarge.add(tooLarge);
    return false;
  }
  const adapted = nearLeast(chooseForm(hideProperties(schema, to, hidden), to));
  const own = "anyOf" in adapted ? "oneOf" : to.oneOf;
  const used = Object.entries(adapted)
    .filter(([keyword]) => !unused.has(keyword) && !isExtension(keyword))
    .map(([keyword, value]) => [keyword === "oneOf" ? own : keyword, value] as const);
  const unrolled = mapMembers(Object.fromEntries(used), (value, keyword) => {
    if (keyword === "additionalProperties" && saysNothing(value)) return true;
    const parts = keyword === "allOf" ? elementsOf(value).filter((one) => !saysNothing(one)) : value;
    // These are about the same value.
    const around = ["allOf", "anyOf", "oneOf"].includes(keyword) ? hidden : [];
    return mapSchemas(keyword, parts, (one) => unrollSchema(one, to, outer, [...around, ...hiddenProperties(one, to)]));
  });
  return possible(unrolled);
}

/** The properties of a value that responses don't have. */
function hiddenProperties(schema: unknown, { document }: Unrolling): readonly string[] {
  if (!isSchema(schema)) return [];
  const properties = describingSchemas(document, schema).flatMap((one) => membersOf(one.properties));
  return properties.flatMap(([name, property]) =>
    isSchema(property) && !isVisible(document, property, "response") ? [name] : [],
  );
}

/** Leaves out properties that responses don't have. Above the limit of schemas, also leaves out optional ones. */
function hideProperties(schema: Keywords, { left }: Unrolling, hidden: readonly string[]): Keywords {
  const required = stringsOf(schema["required"]);
  const properties = membersOf(schema["properties"]);
  const shown = properties.filter(
    ([name], index) => !hidden.includes(name) && (index < left || required.includes(name)),
  );
  return {
    ...schema,
    ...(shown.length < properties.length && { properties: Object.fromEntries(shown) }),
    ...(hidden.length > 0 && { required: required.filter((name) => !hidden.includes(name)) }),
  };
}

/** The keyword of a schema that asks for a value that is too large to generate, if there is one. */
function tooLargeKeyword(schema: Keywords): string | undefined {
  const [limit] = Object.entries(largest).find(([keyword, most]) => Number(schema[keyword]) > most) ?? [];
  if (limit !== undefined || typeof schema["pattern"] !== "string") return limit;
  return sizeOfPattern(schema["pattern"]) > largestPattern ? "pattern" : undefined;
}

/** A schema whose lists and texts aren't much larger than they have to be. */
function nearLeast(schema: Keywords): Keywords {
  const near = Object.entries({ Length: 200, Items: 5 }).flatMap(([of, more]) => {
    const most = Math.max(Number(schema[`min${of}`] ?? 0), more);
    return Number(schema[`max${of}`]) > most ? [[`max${of}`, most] as const] : [];
  });
  return { ...schema, ...Object.fromEntries(near) };
}

/** Parts of a pattern: an escape, a class, a counted repetition, or one character. */
const patternParts = /\\.|\[(?:\\.|[^\]\\])*\]|\{(?<least>\d+)(?:,(?<most>\d*))?\}|./gs;
const ranges = /(.)-([^\]])/gs;

/**
 * The most characters that the generator (0.6.3) makes of a pattern, or more, with a part of those that it lists for
 * each class.
 */
function sizeOfPattern(pattern: string): number {
  if (pattern.length > largestPattern) return Infinity;
  let last = 0;
  const groups = [0];
  const add = (length: number) => groups.push((groups.pop() ?? 0) + length);
  for (const { 0: part, groups: { least, most } = {} } of pattern.matchAll(patternParts)) {
    const isCounted = least !== undefined;
    if (part === "*" || part === "+" || isCounted) {
      const times = isCounted ? Math.min(Number((most ?? least) || Infinity), Number(least) + 5) : 5;
      add(last * (times - 1));
      last *= times;
    } else if (part === "(") groups.push(0);
    else {
      // An empty group may be repeated, too.
      last = part === ")" && groups.length > 1 ? Math.max(1, groups.pop() ?? 0) : 1;
      add(last);
      for (const [, from = "", to = ""] of part.matchAll(ranges)) add((to.charCodeAt(0) - from.charCodeAt(0)) / 200);
    }
  }
  return groups.reduce((sum, length) => sum + length, 0);
}

/** The listed values that the rest of a schema allows too. The generator takes only the rest into account. */
function chooseValues(schema: Keywords, document: OpenApiDocument): JsonSchema {
  const isValid = responseValidator(schema, document);
  const values = elementsOf(schema["enum"]).filter(isValid);
  return values.length > 0 && { enum: values };
}

/**
 * Chooses the keywords for a text. A format that nothing checks says nothing about it. The generator ignores a pattern if there is a format, and takes the
 * letters of `\\p{L}` literally.
 */
function chooseForm(schema: Keywords, { generate }: Unrolling): Keywords {
  const { pattern, format, ...others } = schema;
  if (typeof pattern !== "string") return schema;
  const isBoth =
    typeof format === "string" &&
    textFormats.has(format) &&
    isMatching(pattern, String(generate({ type: "string", format })));
  return isBoth ? { ...others, format } : { ...others, pattern: pattern.replaceAll(classOrEscape, asciiClass) };
}

const classOrEscape = /\[(?:\\.|[^\]\\])*\]|\\p\{[^}]*\}/g;

function asciiClass(text: string): string {
  const ranges = text.replaceAll(/\\p\{(?:\w+=)?(\w*)\}/g, (_, [major = "", minor]: string) =>
    major === "N" ? "0-9" : minor === "u" ? "A-Z" : "a-z",
  );
  return text.startsWith("[") ? ranges : `[${ranges}]`;
}

/** A schema without its unsatisfiable alternatives. `false` if the whole schema is unsatisfiable. */
function possible(schema: Keywords): JsonSchema {
  const { allOf, anyOf, oneOf, properties, required } = schema;
  const alternatives = Object.entries({ anyOf, oneOf }).flatMap(([keyword, list]) =>
    Array.isArray(list) ? [[keyword, list.filter((one) => one !== false)] as const] : [],
  );
  if (elementsOf(allOf).includes(false)) return false;
  if (alternatives.some(([, list]) => list.length === 0)) return false;
  const needed = new Set(stringsOf(required));
  if (membersOf(properties).some(([name, property]) => property === false && needed.has(name))) return false;
  return { ...schema, ...Object.fromEntries(alternatives) };
}

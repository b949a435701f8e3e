/**
 * Pairs of contracts that differ in one schema. The judge of which values are lost and gained is ajv, with values that
 * were made for the contract, or for the change.
 */
import { readGeneration } from "../../scripts/contract/generation.ts";
import type { Change } from "../../scripts/diff/changes.ts";
import { compareGenerations } from "../../scripts/diff/compareGenerations.ts";
import {
  elementsOf,
  isObject,
  lastKey,
  mapMembers,
  membersOf,
  pointerKeys,
  stringsOf,
  valueAt,
} from "../../scripts/values/json.ts";
import { isDocument } from "../../scripts/spec/openapi.ts";
import { typesOf } from "../../scripts/spec/schemas.ts";
import { mapObjects, referencesIn } from "../../scripts/spec/walk.ts";
import { createJudge } from "../agreement/comparisons.ts";
import { makeContract, type Json, type MadeContract, type Piece, type Values } from "../agreement/contracts.ts";

type Rating = Change["impact"] | "none";

/** A change of a schema. */
interface Mutation {
  /** The schema after the change. `undefined` if the change isn't possible. `components` may be changed too. */
  readonly apply: (schema: Json, components: Record<string, unknown>) => Json | undefined;
  /** Values that show the change, if those of the piece may not. */
  readonly witness?: (valid: readonly unknown[], schema: Json) => readonly unknown[];
  /** What it's rated at most, whatever the values are. */
  readonly most?: Rating;
  /** The rating, both ways, of what consumers feel although all values stay valid. */
  readonly rated?: readonly [request: Rating, response: Rating, back: Rating];
}

const has = (schema: Json, type: string) => typesOf(schema).includes(type) && !("enum" in schema);
const without = (schema: Json, ...names: readonly string[]) =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)));
const propertiesOf = (schema: Json) => (isObject(schema["properties"]) ? schema["properties"] : {});
const plainNames = (schema: Json) =>
  Object.keys(propertiesOf(schema)).filter((name) => !/^(?:read|write)Only$/.test(name));
const targetOf = (reference: unknown) => lastKey(String(reference));
const choiceOf = (schema: Json) => ["anyOf", "oneOf"].find((keyword) => elementsOf(schema[keyword]).length > 1);
const isNull = (one: unknown) => valueAt(one, ["type"]) === "null";

/** Changes of which values are valid. */
const changing: Readonly<Record<string, Mutation>> = {
  "shorter text": {
    apply: (schema) => (has(schema, "string") && !("format" in schema) ? { ...schema, maxLength: 3 } : undefined),
    witness: () => ["abcd"],
  },
  "longer text": {
    apply: (schema) => (has(schema, "string") && !("format" in schema) ? { ...schema, minLength: 3 } : undefined),
    witness: () => ["ab"],
  },
  pattern: {
    apply: (schema) => (has(schema, "string") && !("pattern" in schema) ? { ...schema, pattern: "^zz" } : undefined),
  },
  "format of a text": {
    apply: (schema) => (has(schema, "string") && !("format" in schema) ? { ...schema, format: "date" } : undefined),
  },
  "no format": {
    apply: (schema) => ("format" in schema ? without(schema, "format") : undefined),
    witness: () => ["no date"],
  },
  "lower maximum": {
    apply: (schema) => ("maximum" in schema ? { ...schema, maximum: Number(schema["maximum"]) - 1 } : undefined),
  },
  "higher minimum": {
    apply: (schema) => ("minimum" in schema ? { ...schema, minimum: Number(schema["minimum"]) + 1 } : undefined),
  },
  "no minimum": {
    apply: (schema) => ("minimum" in schema ? without(schema, "minimum") : undefined),
    witness: (_, schema) => [Number(schema["minimum"]) - 1],
  },
  "included limit": {
    apply: (schema) =>
      has(schema, "number") && "exclusiveMaximum" in schema
        ? { ...without(schema, "exclusiveMaximum"), maximum: schema["exclusiveMaximum"] }
        : undefined,
    witness: (_, schema) => [schema["exclusiveMaximum"]],
  },
  multipleOf: {
    apply: (schema) => (has(schema, "integer") ? { ...schema, multipleOf: 2 } : undefined),
    witness: () => [1, -1, 3],
  },
  "another multipleOf": {
    apply: (schema) => ("multipleOf" in schema ? { ...schema, multipleOf: 0.02 } : undefined),
  },
  "integers only": {
    apply: (schema) =>
      schema["type"] === "number" && !("multipleOf" in schema) ? { ...schema, type: "integer" } : undefined,
  },
  "another type": {
    apply: (schema) => (schema["type"] === "string" && !("enum" in schema) ? { type: "integer" } : undefined),
    witness: () => [7],
  },
  "another type of list": {
    apply: (schema) => (schema["type"] === "array" ? { type: "string" } : undefined),
    witness: () => ["text"],
  },
  "a value less": {
    apply: (schema) =>
      elementsOf(schema["enum"]).length > 1 ? { ...schema, enum: elementsOf(schema["enum"]).slice(0, -1) } : undefined,
  },
  "no list of values": {
    apply: (schema) => ("enum" in schema && "type" in schema ? without(schema, "enum") : undefined),
    witness: () => ["unlisted", 7],
  },
  "a list of values": {
    apply: (schema) => (has(schema, "string") ? { ...schema, enum: ["unlisted"] } : undefined),
  },
  "another constant": {
    apply: (schema) => ("const" in schema ? { ...schema, const: "changed" } : undefined),
    witness: (_, schema) => ["changed", schema["const"]],
  },
  "a constant more": {
    apply: (schema) =>
      "const" in schema ? { ...without(schema, "const"), enum: [schema["const"], "more"] } : undefined,
    witness: () => ["more"],
  },
  "a type for any value": {
    apply: (schema) => (Object.keys(schema).length === 0 ? { type: "string" } : undefined),
    witness: () => ["text"],
  },
  "constants for any value": {
    apply: (schema) => (Object.keys(schema).length === 0 ? { enum: ["text", 1] } : undefined),
    witness: () => ["text"],
  },
  "more items": {
    apply: (schema) => (has(schema, "array") ? { ...schema, minItems: 2 } : undefined),
    witness: (valid) => [elementsOf(valid[0]).slice(0, 1)],
  },
  "fewer items": {
    apply: (schema) => (has(schema, "array") ? { ...schema, maxItems: 0, minItems: 0 } : undefined),
    witness: () => [[]],
  },
  "distinct items": {
    apply: (schema) =>
      has(schema, "array") && schema["uniqueItems"] !== true ? { ...schema, uniqueItems: true } : undefined,
    witness: (valid) => [[elementsOf(valid[0])[0], elementsOf(valid[0])[0]]],
  },
  "items of any type": {
    apply: (schema) =>
      has(schema, "array") && typeof valueAt(schema, ["items", "type"]) === "string" && !hasProperties(schema["items"])
        ? without(schema, "items")
        : undefined,
    witness: () => [[{ other: [1] }]],
  },
  null: {
    apply: (schema) =>
      typeof schema["type"] === "string" && !("enum" in schema)
        ? { ...schema, type: [schema["type"], "null"] }
        : undefined,
    witness: () => [null],
  },
  "null beside a schema": {
    apply: (schema) => (isAny(schema) || allowsNull(schema) ? undefined : { oneOf: [schema, { type: "null" }] }),
    witness: () => [null],
  },
  "no null": {
    apply: (schema) => {
      const types = typesOf(schema);
      if (types.includes("null") && !("enum" in schema)) return { ...schema, type: types[0] };
      const keyword = choiceOf(schema);
      const others = elementsOf(schema[keyword ?? ""]).filter((one) => !isNull(one));
      return keyword !== undefined && others.length === 1 && isObject(others[0]) ? others[0] : undefined;
    },
    witness: () => [null],
  },
  "required property": {
    apply: (schema) => {
      const optional = plainNames(schema).find((name) => !stringsOf(schema["required"]).includes(name));
      return optional === undefined ? undefined : { ...schema, required: [...stringsOf(schema["required"]), optional] };
    },
  },
  "required property more": {
    apply: (schema) =>
      plainNames(schema).length > 0
        ? {
            ...schema,
            properties: { ...propertiesOf(schema), added: { type: "string" } },
            required: [...stringsOf(schema["required"]), "added"],
          }
        : undefined,
    rated: ["major", "minor", "major"],
  },
  "property more": {
    apply: (schema) =>
      plainNames(schema).length > 0
        ? { ...schema, properties: { ...propertiesOf(schema), added: { type: "string" } } }
        : undefined,
    rated: ["minor", "minor", "major"],
  },
  "closed object": {
    apply: (schema) =>
      plainNames(schema).length > 0 && !("additionalProperties" in schema)
        ? { ...schema, additionalProperties: false }
        : undefined,
    rated: ["major", "minor", "minor"],
  },
  "fewer unlisted properties": {
    apply: (schema) => ("maxProperties" in schema ? { ...schema, maxProperties: 1 } : undefined),
    witness: (valid) => [{ "a b": first(valid, "a b"), c: first(valid, "a b") }],
  },
  "closed map": {
    apply: (schema) =>
      isObject(schema["additionalProperties"]) ? { ...schema, additionalProperties: false } : undefined,
    rated: ["major", "minor", "minor"],
  },
  "another alternative": {
    apply: (schema) => {
      const keyword = choiceOf(schema);
      const [discriminator, list] = [schema["discriminator"], elementsOf(schema[keyword ?? ""])];
      if (keyword === undefined || !isObject(discriminator)) return undefined;
      const mapping = membersOf(discriminator["mapping"]).slice(0, 1);
      return {
        ...schema,
        [keyword]: list.slice(0, 1),
        discriminator: { ...discriminator, mapping: Object.fromEntries(mapping) },
      };
    },
  },
  "another value of a discriminator": {
    apply: (schema, components) => {
      const discriminator = schema["discriminator"];
      if (!isObject(discriminator)) return undefined;
      const [first, ...others] = membersOf(discriminator["mapping"]);
      if (first === undefined) return undefined;
      const [key, reference] = first;
      const name = targetOf(reference);
      components[name] = mapObjects(components[name], (object) =>
        object["const"] === key ? { ...object, const: "renamed" } : object,
      );
      return {
        ...schema,
        discriminator: { ...discriminator, mapping: Object.fromEntries([["renamed", reference], ...others]) },
      };
    },
    rated: ["major", "major", "major"],
  },
};

/** Spellings of the same. */
const neutral: Readonly<Record<string, Mutation>> = {
  description: { apply: (schema) => ({ ...schema, description: "It changed." }), most: "patch" },
  "order of keywords": {
    apply: (schema) => Object.fromEntries(Object.entries(schema).toReversed()),
  },
  "order of lists": {
    apply: (schema) => {
      const lists = ["enum", "required", "type", "anyOf", "oneOf"].filter(
        (keyword) => elementsOf(schema[keyword]).length > 1,
      );
      return lists.length === 0
        ? undefined
        : { ...schema, ...Object.fromEntries(lists.map((one) => [one, elementsOf(schema[one]).toReversed()])) };
    },
  },
  "inline schema": {
    apply: (schema, components) => {
      if (Object.keys(schema).join() !== "$ref") return undefined;
      const target = components[targetOf(schema["$ref"])];
      return isObject(target) ? target : undefined;
    },
    most: "minor",
  },
  component: {
    apply: (schema, components) => {
      if ("$ref" in schema) return undefined;
      components["Extracted"] = schema;
      return { $ref: "#/components/schemas/Extracted" };
    },
    most: "minor",
  },
  "renamed component": {
    apply: (schema, components) => {
      if (!("$ref" in schema)) return undefined;
      const name = targetOf(schema["$ref"]);
      const { [name]: component } = components;
      components["Renamed"] = mapObjects(component, (object) =>
        object["$ref"] === schema["$ref"] ? { ...object, $ref: "#/components/schemas/Renamed" } : object,
      );
      Reflect.deleteProperty(components, name);
      return { ...schema, $ref: "#/components/schemas/Renamed" };
    },
    most: "minor",
  },
  "allOf of one": { apply: (schema) => ({ allOf: [schema] }) },
  "anyOf of one": { apply: (schema) => ({ anyOf: [schema] }) },
  "oneOf of one": { apply: (schema) => ({ oneOf: [schema] }) },
  "null by anyOf": {
    apply: (schema) => {
      const [type, empty] = typesOf(schema);
      return empty === "null" && !("enum" in schema) ? { anyOf: [{ ...schema, type }, { type: "null" }] } : undefined;
    },
  },
  "null by oneOf or anyOf": {
    apply: (schema) => {
      const keyword = choiceOf(schema);
      const list = elementsOf(schema[keyword ?? ""]);
      if (keyword === undefined || !list.some(isNull)) return undefined;
      return { ...without(schema, keyword), [keyword === "oneOf" ? "anyOf" : "oneOf"]: list };
    },
  },
  "values with texts": {
    apply: (schema) =>
      "enum" in schema && Object.keys(schema).every((name) => name === "enum" || name === "type")
        ? { oneOf: elementsOf(schema["enum"]).map((value) => ({ const: value, title: JSON.stringify(value) })) }
        : undefined,
    most: "patch",
  },
  "values without a type": {
    apply: (schema) => ("enum" in schema && "type" in schema ? without(schema, "type") : undefined),
  },
  "const as an enum": {
    apply: (schema) => ("const" in schema ? { ...without(schema, "const"), enum: [schema["const"]] } : undefined),
  },
  "bound of an integer": {
    apply: (schema) =>
      schema["type"] === "integer" && "minimum" in schema
        ? { ...without(schema, "minimum"), exclusiveMinimum: Number(schema["minimum"]) - 1 }
        : undefined,
  },
  "parts of an object": {
    apply: (schema) => {
      const { properties, required, ...rest } = schema;
      if (plainNames(schema).length < 2 || "additionalProperties" in schema || !isObject(properties)) return undefined;
      const [one, ...others] = Object.entries(properties);
      const part = (members: readonly (readonly [string, unknown])[]) => ({
        type: "object",
        properties: Object.fromEntries(members),
      });
      return {
        ...rest,
        allOf: [part(one === undefined ? [] : [one]), { ...part(others), ...(required !== undefined && { required }) }],
      };
    },
  },
  "a part among the components": {
    apply: (schema, components) => {
      const { description, ...rest } = schema;
      if (plainNames(schema).length === 0) return undefined;
      components["Part"] = rest;
      return { allOf: [{ $ref: "#/components/schemas/Part" }], ...(description !== undefined && { description }) };
    },
    most: "minor",
  },
  "oneOf and anyOf": {
    apply: (schema) => {
      const keyword = choiceOf(schema);
      if (keyword === undefined || !("discriminator" in schema)) return undefined;
      return { ...without(schema, keyword), [keyword === "oneOf" ? "anyOf" : "oneOf"]: schema[keyword] };
    },
  },
  "nested alternatives": {
    apply: (schema) => {
      const keyword = choiceOf(schema);
      const [one, ...others] = elementsOf(schema[keyword ?? ""]);
      return keyword === undefined ? undefined : { ...schema, [keyword]: [{ [keyword]: others }, one] };
    },
  },
  "names in a mapping": {
    apply: (schema) => {
      const discriminator = schema["discriminator"];
      if (!isObject(discriminator)) return undefined;
      const mapping = mapMembers(discriminator["mapping"], targetOf);
      return { ...schema, discriminator: { ...discriminator, mapping } };
    },
  },
};

const mutations: Readonly<Record<string, Mutation>> = { ...changing, ...neutral };

function isAny(schema: unknown): boolean {
  return !isObject(schema) || Object.keys(schema).length === 0;
}

function hasProperties(schema: unknown): boolean {
  return isObject(schema) && plainNames(schema).length > 0;
}

function allowsNull(schema: Json): boolean {
  const alternatives = [...elementsOf(schema["anyOf"]), ...elementsOf(schema["oneOf"])];
  const values = "const" in schema ? [schema["const"]] : elementsOf(schema["enum"]);
  return typesOf(schema).includes("null") || alternatives.some(isNull) || values.includes(null);
}

function first(valid: readonly unknown[], name: string): unknown {
  return valueAt(valid[0], [name]);
}

/** What the diff says about a pair, and what it should say. */
export interface Verdict {
  readonly seed: number;
  readonly name: string;
  readonly isNeutral: boolean;
  readonly direction: "request" | "response";
  readonly least: Rating;
  readonly most: Rating;
  readonly rating: Rating;
  readonly isUncompared: boolean;
  readonly before: unknown;
  readonly after: unknown;
  readonly changes: readonly Change[];
}

const ratings: readonly Rating[] = ["none", "patch", "minor", "major"];

export function isTooLow({ rating, least }: Verdict): boolean {
  return ratings.indexOf(rating) < ratings.indexOf(least);
}

export function isTooHigh({ rating, most }: Verdict): boolean {
  return ratings.indexOf(rating) > ratings.indexOf(most);
}

/** Makes a pair of each seed, as far as a value shows its change. */
export function judgePairs(seed: number, count: number): readonly Verdict[] {
  return Array.from({ length: count }, (_, index) => judgePair(seed + index)).filter((one) => one !== undefined);
}

/** The figures that the diff is judged by. */
export function countVerdicts(verdicts: readonly Verdict[]) {
  return {
    judged: verdicts.length,
    tooLow: verdicts.filter(isTooLow).length,
    tooHigh: verdicts.filter(isTooHigh).length,
    uncompared: verdicts.filter(({ isUncompared }) => isUncompared).length,
  };
}

/** Makes a pair of a seed. `undefined` if no value shows the change. */
export function judgePair(seed: number): Verdict | undefined {
  const pieces: Piece[] = [];
  sample(seed, (piece) => {
    pieces.push(piece);
    return piece;
  });
  const names = Object.keys(mutations);
  const start = (seed * 7919) % names.length;
  const sitesOf = (one: string) =>
    pieces.flatMap(({ schema }, at) => (mutations[one]?.apply(schema, {}) === undefined ? [] : [at]));
  const name = [...names.slice(start), ...names.slice(0, start)].find((one) => sitesOf(one).length > 0) ?? "";
  const [mutation, sites] = [mutations[name], sitesOf(name)];
  const chosen = sites[(seed * 104_729) % Math.max(sites.length, 1)];
  if (mutation === undefined || chosen === undefined) return undefined;
  let index = -1;
  const contract = sample(seed, (piece) => {
    index += 1;
    return index === chosen ? marked(piece, mutation) : piece;
  });
  const isReversed = Math.floor(seed / names.length) % 2 === 1;
  const pair = mutate(contract.document, mutation);
  if (pair === undefined) return undefined;
  const [before, after] = isReversed ? [pair[1], pair[0]] : pair;
  const roots = findRoots(contract, pair[0]).filter(({ keys }) => reachesMark(contract.document, keys));
  const [root] = roots;
  if (root === undefined) return undefined;
  const changes = compareGenerations([readMade(before)], [readMade(after)]);
  const rating = changes[0]?.impact ?? "none";
  const expected = expect({ mutation, isNeutral: name in neutral, isReversed, root, before, after });
  if (expected === undefined) return undefined;
  const isUncompared = changes.some(({ code }) => code === "uncompared");
  const { direction } = root;
  return {
    seed,
    name,
    isNeutral: name in neutral,
    direction,
    ...expected,
    rating,
    isUncompared,
    before,
    after,
    changes,
  };
}

type Document = MadeContract["document"];

function readMade(document: Document) {
  if (!isDocument(document)) throw new Error("this is no description");
  return readGeneration("made", document);
}

function sample(seed: number, mark: (piece: Piece) => Piece): MadeContract {
  let state = seed;
  // The generator of Park and Miller.
  const next = () => (state = (state * 48_271) % 2_147_483_647);
  for (let index = 0; index < 5; index += 1) next();
  return makeContract((...ones) => {
    const at = next() % ones.length;
    for (const [index, one] of ones.entries()) if (index === at) return one;
    throw new Error("there is nothing to pick");
  }, mark);
}

const site = "x-site";

function marked(piece: Piece, { witness }: Mutation): Piece {
  const withWitness = (values: Values): Values => {
    const more = witness?.(values.valid, piece.schema) ?? [];
    return {
      valid: values.valid,
      broken: [...values.broken, ...more.map((value) => ({ value, by: "limit" as const, isText: false }))],
    };
  };
  const { request, response } = piece;
  return {
    ...piece,
    schema: { ...piece.schema, [site]: true },
    request: withWitness(request),
    response: withWitness(response),
  };
}

/** The contract with and without the change at the mark. */
function mutate(document: Document, { apply }: Mutation): readonly [Document, Document] | undefined {
  const done: Json[] = [];
  const replace = (root: Document, change: (schema: Json) => Json): Document => {
    const copy = mapObjects(root, (object) => (site in object ? change(without(object, site)) : object));
    return isMade(copy) ? copy : root;
  };
  const before = replace(document, (schema) => schema);
  const components: Record<string, unknown> = { ...membersAsObject(valueAt(before.components, ["schemas"])) };
  const edited: Record<string, unknown> = { ...components };
  const after = replace(document, (schema) => {
    const changed = apply(schema, edited);
    if (changed !== undefined) done.push(changed);
    return changed ?? schema;
  });
  const schemas = { ...membersAsObject(valueAt(after.components, ["schemas"])) };
  for (const [name, component] of Object.entries(edited)) if (component !== components[name]) schemas[name] = component;
  for (const name of Object.keys(components)) if (!(name in edited)) Reflect.deleteProperty(schemas, name);
  return done.length > 0 ? [before, { ...after, components: { schemas } }] : undefined;
}

function isMade(value: unknown): value is Document {
  return isObject(value) && isObject(value["components"]);
}

function membersAsObject(value: unknown): Json {
  return isObject(value) ? value : {};
}

interface Root {
  readonly keys: readonly string[];
  readonly direction: "request" | "response";
  readonly values: readonly unknown[];
}

/** The schemas of parameters, bodies and headers, with their values. */
function findRoots({ operations }: MadeContract, { paths }: Document): readonly Root[] {
  const valuesOf = ({ valid, broken }: Values) => [...valid, ...broken.map(({ value }) => value)];
  return operations.flatMap(({ path, method, parameters, body, answer }) => {
    const keys = ["paths", path, method];
    const request = (piece: Piece, ...more: readonly string[]): Root => ({
      keys: [...keys, ...more, "schema"],
      direction: "request",
      values: valuesOf(piece.request),
    });
    const response = (piece: Piece, ...more: readonly string[]): Root => ({
      keys: [...keys, "responses", answer.status, ...more, "schema"],
      direction: "response",
      values: valuesOf(piece.response),
    });
    const { mediaType, piece, headers } = answer;
    return [
      ...parameters.map((one, index) => request(one.piece, "parameters", String(index))),
      ...(body ? [request(body.piece, "requestBody", "content", body.mediaType)] : []),
      ...(piece && mediaType !== undefined ? [response(piece, "content", mediaType)] : []),
      ...Object.entries(headers).map(([name, header]) => response(header, "headers", name)),
    ].filter((root) => valueAt({ paths }, root.keys) !== undefined);
  });
}

function reachesMark(document: Document, keys: readonly string[]): boolean {
  const seen = new Set<string>();
  const reaches = (part: unknown): boolean =>
    JSON.stringify(part).includes(`"${site}"`) ||
    [...referencesIn(part)].some((reference) => {
      if (seen.has(reference)) return false;
      seen.add(reference);
      return reaches(valueAt(document, pointerKeys(reference)));
    });
  return reaches(valueAt(document, keys));
}

interface Case {
  readonly mutation: Mutation;
  readonly isNeutral: boolean;
  readonly isReversed: boolean;
  readonly root: Root;
  readonly before: Document;
  readonly after: Document;
}

/** The least and the largest rating that the values allow. */
function expect({ mutation, isNeutral, isReversed, root, before, after }: Case) {
  const { direction, values, keys } = root;
  const [accepts, acceptsNow] = [before, after].map((document) =>
    createJudge(document)(membersAsObject(valueAt(document, keys)), direction),
  );
  const isLost = values.some((value) => accepts?.(value) === true && acceptsNow?.(value) === false);
  const isGained = values.some((value) => accepts?.(value) === false && acceptsNow?.(value) === true);
  if (isNeutral) {
    // Around it, a spelling may matter: `oneOf` excludes what matches twice.
    if (isLost || isGained) return undefined;
    return { least: "none", most: mutation.most ?? "none" } as const;
  }
  if (mutation.rated !== undefined) {
    const [request, response, back] = mutation.rated;
    const rating = isReversed ? back : { request, response }[direction];
    return { least: rating, most: rating } as const;
  }
  if (!isLost && !isGained) return undefined;
  const rating = (direction === "request" ? isLost : isGained) ? "major" : "minor";
  return { least: rating, most: rating } as const;
}

/**
 * Contracts made of what the table of OpenAPI says yes to, with values that are valid or invalid by construction. No
 * part of the project has a say in them.
 */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";

export type Json = Readonly<Record<string, unknown>>;

/** An invalid value. */
export interface Broken {
  readonly value: unknown;
  /** What says that it is invalid. Types know `type` alone, and clients don't assert formats. */
  readonly by: "type" | "limit" | "format";
  /** True if it is also invalid as text. */
  readonly isText: boolean;
}

export interface Values {
  readonly valid: readonly unknown[];
  readonly broken: readonly Broken[];
}

/** A schema with values for it. */
export interface Piece {
  /** The constructs that it is made of. */
  readonly kinds: readonly string[];
  readonly schema: Json;
  readonly request: Values;
  readonly response: Values;
}

export interface MadeParameter {
  readonly in: "path" | "query" | "header" | "cookie";
  readonly name: string;
  readonly required: boolean;
  readonly piece: Piece;
}

export interface MadeOperation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly MadeParameter[];
  readonly body?: { readonly mediaType: string; readonly required: boolean; readonly piece: Piece } | undefined;
  readonly answer: {
    readonly status: string;
    readonly mediaType?: string | undefined;
    readonly piece?: Piece | undefined;
    readonly headers: Readonly<Record<string, Piece>>;
  };
}

export interface MadeContract {
  readonly document: { readonly openapi: string; readonly info: Json; readonly paths: Json; readonly components: Json };
  readonly operations: readonly MadeOperation[];
}

type Make = (maker: Maker) => Piece;

/** Draws choices, and collects components. */
interface Maker {
  readonly pick: <One>(...ones: readonly One[]) => One;
  readonly add: (name: string, write: (reference: string) => Json) => Json;
  /** Replaces a piece by one that says the same, perhaps with more values. */
  readonly mark: (piece: Piece) => Piece;
  readonly depth: number;
}

const broken = (value: unknown, by: Broken["by"] = "type", isText = by !== "type"): Broken => ({ value, by, isText });
const same = (kind: string, schema: Json, valid: readonly unknown[], ...wrong: readonly Broken[]): Piece => {
  const values = { valid, broken: wrong };
  return { kinds: [kind], schema, request: values, response: values };
};

/** Values that are written as text in parameters, headers and forms. */
const primitives: readonly Make[] = [
  () => same("string", { type: "string" }, ["a b&c=d", "é😀", "%41+"], broken(7)),
  () =>
    same(
      "length",
      { type: "string", minLength: 2, maxLength: 5 },
      ["ab", "😀😀😀😀😀"],
      broken("abcdef", "limit"),
      broken(1),
    ),
  () => same("pattern", { type: "string", pattern: "^[a-z]{3}-[0-9]{2}$" }, ["abc-12"], broken("ab-1", "limit")),
  () => same("date", { type: "string", format: "date" }, ["2024-02-29"], broken("2023-02-29", "format"), broken(1)),
  () => same("date-time", { type: "string", format: "date-time" }, ["2026-01-01T10:00:00Z"], broken("x", "format")),
  () => same("uuid", { type: "string", format: "uuid" }, ["00000001-0000-0000-0000-000000000000"], broken(1)),
  () =>
    same(
      "integer",
      { type: "integer", minimum: -3, maximum: 9 },
      [-3, 9, 0],
      broken(10, "limit"),
      broken("x", "type", true),
    ),
  () =>
    same(
      "number",
      { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 2 },
      [0.5, 1],
      broken(2, "limit"),
      broken(null),
    ),
  () =>
    same(
      "multipleOf",
      { type: "number", multipleOf: 0.01 },
      [19.99, 4.35, 0.07, 1.1],
      broken(0.005, "limit"),
      broken("1"),
    ),
  () => same("boolean", { type: "boolean" }, [true, false], broken("x", "type", true)),
  () =>
    same(
      "enum",
      { type: "string", enum: ["one", "two & three"] },
      ["two & three", "one"],
      broken("three", "type", true),
    ),
  () => same("enum of integers", { type: "integer", enum: [1, 20] }, [20, 1], broken(3, "type", true)),
  () => same("const", { const: "only" }, ["only"], broken("other", "type", true)),
];

const odd = [1, "1", null, { a: [1] }, [true]];
const constants: readonly Make[] = [
  () => same("enum of any JSON", { enum: odd }, odd, broken({ a: [2] }), broken([]), broken("2")),
  ({ pick }) => {
    const value = pick<unknown>(null, 0, false, "", { a: { b: null } }, [1, "x"]);
    return same("const of any JSON", { const: value }, [value], broken("x"), broken({ a: 1 }));
  },
  () => same("any value", {}, [null, 1, { a: [{}] }]),
];

const primitive: Make = (maker) => maker.mark(maker.pick(...primitives)(maker));
/** Headers and cookies have only ASCII, and cookies no spaces. */
const token: Make = (maker) => maker.mark(maker.pick(...primitives.slice(2, 10))(maker));

function each(make: (values: Values, direction: "request" | "response") => Values, ...pieces: readonly Piece[]) {
  const [first] = pieces;
  if (first === undefined) throw new Error("there is no piece");
  return {
    kinds: pieces.flatMap(({ kinds }) => kinds),
    request: make(first.request, "request"),
    response: make(first.response, "response"),
  };
}

const nullable: Make = (maker) => {
  const inner = value(maker);
  const takesNull = [inner.request, inner.response].some(({ valid }) => valid.includes(null));
  if (takesNull) return inner;
  const isTyped = typeof inner.schema["type"] === "string" && !("enum" in inner.schema);
  const way = maker.pick("anyOf", "oneOf", ...(isTyped ? ["type"] : []));
  const schema =
    way === "type"
      ? { ...inner.schema, type: [inner.schema["type"], "null"] }
      : { [way]: [inner.schema, { type: "null" }] };
  const values = each(
    ({ valid, broken: wrong }) => ({ valid: [...valid, null], broken: wrong.filter((one) => one.value !== null) }),
    inner,
  );
  return { ...values, kinds: [`null by ${way}`, ...values.kinds], schema };
};

function distinct(values: readonly unknown[]): readonly unknown[] {
  return values.filter((one, at) => !values.slice(0, at).some((other) => isDeepStrictEqual(one, other)));
}

function listOf(maker: Maker, items: Piece): Piece {
  const isUnique = maker.pick(true, false);
  const values = each(
    ({ valid, broken: wrong }) => ({
      valid: [distinct(valid).slice(0, 3), valid.slice(0, 1)],
      broken: [
        broken([...valid, ...valid, ...valid, ...valid].slice(0, 4), "limit"),
        ...(isUnique ? [broken([valid[0], valid[0]], "limit")] : []),
        ...wrong.map((one) => ({ ...one, value: [one.value] })),
        broken("x", "type", false),
      ],
    }),
    items,
  );
  const schema = { type: "array", items: items.schema, minItems: 1, maxItems: 3, uniqueItems: isUnique };
  return { ...values, kinds: ["list", ...values.kinds], schema };
}

const list: Make = (maker) => listOf(maker, value(maker));

interface Member {
  readonly name: string;
  readonly piece: Piece;
  readonly required: boolean;
  readonly only?: "request" | "response" | undefined;
}

const names = "name|a b|isPrototypeOf|constructor|toString|Blob|hasOwnProperty|x-y|class|größe|a/b~c|1".split("|");

function membersOf(maker: Maker, make: Make, prefix = ""): readonly Member[] {
  const start = maker.pick(0, 2, 4, 6, 8, 9);
  const own = names.slice(start, start + maker.pick(1, 2, 3));
  return own.map((name) => ({ name: prefix + name, piece: make(maker), required: maker.pick(true, true, false) }));
}

/** Members of one direction have names of their own, by which the judge knows them. */
function directed({ pick }: Maker): readonly Member[] {
  const member = (only: "request" | "response"): Member => {
    const type = same(only === "request" ? "writeOnly" : "readOnly", { type: "integer" }, [4], broken("four"));
    const mark = only === "request" ? { writeOnly: true } : { readOnly: true };
    const name = `${only === "request" ? "write" : "read"}Only`;
    return { name, piece: { ...type, schema: { ...type.schema, ...mark } }, required: pick(true, false), only };
  };
  return pick<readonly Member[]>([], [], [], [member("request"), member("response")]);
}

/** The values of an object with members: all of them, the required ones, and one wrong or missing. */
function membersValues(members: readonly Member[], isClosed: boolean) {
  const of = (direction: "request" | "response"): Values => {
    const own = members.filter(({ only }) => only === undefined || only === direction);
    const filled = (some: readonly Member[]) =>
      Object.fromEntries(some.map(({ name, piece }) => [name, piece[direction].valid[0]]));
    const required = own.filter((member) => member.required);
    const full = filled(own);
    const others = own.flatMap(({ name, piece }) =>
      piece[direction].valid.slice(1).map((one) => ({ ...full, [name]: one })),
    );
    const missing = required.map(({ name }) => {
      const { [name]: _, ...rest } = full;
      // The compiler takes an inherited method for a missing member of unknown type.
      return broken(rest, name in {} ? "limit" : "type", true);
    });
    const wrong = own.flatMap(({ name, piece }) =>
      piece[direction].broken.map((one) => ({ ...one, value: { ...full, [name]: one.value } })),
    );
    const added = isClosed ? [broken({ ...full, other: 1 }, "limit")] : [];
    return { valid: [full, filled(required), ...others], broken: [...missing, ...wrong, ...added] };
  };
  return { request: of("request"), response: of("response") };
}

function objectSchema(members: readonly Member[], more: Json = {}): Json {
  const required = members.filter((member) => member.required).map(({ name }) => name);
  const properties = Object.fromEntries(members.map(({ name, piece }) => [name, piece.schema]));
  return { type: "object", properties, ...(required.length > 0 && { required }), ...more };
}

function kindsIn(kind: string, members: readonly Member[]): readonly string[] {
  return [kind, ...members.flatMap(({ piece }) => piece.kinds)];
}

const object: Make = (maker) => {
  const members = [...membersOf(maker, value), ...directed(maker)];
  const isClosed = maker.pick(true, false, false);
  const schema = objectSchema(members, isClosed ? { additionalProperties: false } : {});
  const kinds = kindsIn(isClosed ? "closed object" : "object", members);
  return { kinds, schema, ...membersValues(members, isClosed) };
};

const map: Make = (maker) => {
  const inner = value(maker);
  const values = each(
    ({ valid, broken: wrong }) => ({
      valid: [{ "a b": valid[0], isPrototypeOf: valid.at(-1) }],
      broken: [broken({}, "limit"), ...wrong.map((one) => ({ ...one, value: { "a b": one.value } }))],
    }),
    inner,
  );
  const needs = maker.pick({ minProperties: 1 }, { required: ["a b"] });
  const schema = { type: "object", additionalProperties: inner.schema, maxProperties: 2, ...needs };
  return { ...values, kinds: ["additionalProperties", ...values.kinds], schema };
};

/** A component with properties, and an object beside it that adds some, requires others or narrows one. */
const allOf: Make = (maker) => {
  const base = [...membersOf(maker, value, "base "), ...directed(maker)];
  const narrowed = same("", { type: "string", minLength: 2 }, ["ab", "abc"], broken("a", "limit"), broken(1));
  const repeated: Member = { name: "repeated", piece: narrowed, required: false };
  const wide = same("", { type: "string" }, []);
  const part = maker.add("Base", () => objectSchema([...base, { ...repeated, piece: wide }]));
  const own = membersOf(maker, value, "own ");
  const isRequired = maker.pick(true, false);
  const all = [...base.map((one) => ({ ...one, required: one.required || isRequired })), ...own];
  const { required: _, ...beside } = objectSchema([...own, repeated]);
  const required = [...own.filter((one) => one.required), ...(isRequired ? base : [])].map(({ name }) => name);
  const needs = required.length > 0 ? { required } : {};
  const [inner, outer] = maker.pick<readonly [Json, Json]>([{ ...beside, ...needs }, {}], [beside, needs]);
  const schema = { allOf: [part, inner], ...outer, description: "A base, and more." };
  return { kinds: kindsIn("allOf", all), schema, ...membersValues([...all, repeated], false) };
};

const choice: Make = (maker) => {
  const keyword = maker.pick("oneOf", "anyOf");
  const isCombined = maker.pick(true, false, false);
  const base: Member = { name: "base", piece: same("", { type: "integer" }, [1], broken("one")), required: true };
  const common = isCombined ? [base] : [];
  const shared = isCombined ? maker.add("Common", () => objectSchema(common)) : {};
  const alternatives = ["first", "second"].map((key) => {
    const told = same("discriminator", { type: "string", const: key }, [key], broken("third"), broken(1));
    const own: Member = { name: `${key} value`, piece: value(maker), required: true };
    const members: readonly Member[] = [{ name: "kind", piece: told, required: true }, own];
    const write = () => (isCombined ? { allOf: [shared, objectSchema(members)] } : objectSchema(members));
    return { key, members: [...common, ...members], reference: maker.add("Choice", write) };
  });
  const mapping = Object.fromEntries(alternatives.map(({ key, reference }) => [key, reference["$ref"]]));
  const values = alternatives.map(({ members }) => membersValues(members, false));
  const merged = (direction: "request" | "response"): Values => ({
    valid: values.flatMap((one) => one[direction].valid),
    broken: values.flatMap((one) => one[direction].broken),
  });
  const schema = {
    [keyword]: alternatives.map(({ reference }) => reference),
    discriminator: { propertyName: "kind", mapping },
  };
  const kinds = alternatives.flatMap(({ members }) => kindsIn(`${keyword} with a discriminator`, members));
  return { kinds, schema, request: merged("request"), response: merged("response") };
};

const recursion: Make = (maker) => {
  const way = maker.pick("object", "list", "null", "leaf", "map");
  const isRequired = way !== "object" && maker.pick(true, false);
  const leaf = { type: "object", required: ["leaf"], properties: { leaf: { type: "boolean" } } };
  const schema = maker.add("Tree", (reference) => {
    const self = { $ref: reference };
    const next = {
      object: self,
      list: { type: "array", items: self },
      null: { anyOf: [self, { type: "null" }] },
      leaf: { anyOf: [self, leaf] },
      map: { type: "object", additionalProperties: self },
    }[way];
    const required = ["at", ...(isRequired ? ["next"] : [])];
    return { type: "object", required, properties: { at: { type: "integer" }, next } };
  });
  const ends = { object: undefined, list: [], null: null, leaf: { leaf: true }, map: {} };
  const end = isRequired ? { at: 2, next: ends[way] } : { at: 2 };
  const nest = (inner: unknown) => ({ at: 1, next: way === "list" ? [inner] : way === "map" ? { a: inner } : inner });
  const wrong = [broken(nest({ ...end, at: "x" })), broken(nest(nest({}))), broken({ ...end, next: 1 })];
  return same(`recursion by ${way}`, schema, [nest(nest(end)), end], ...wrong);
};

const component: Make = (maker) => {
  const inner = maker.pick(object, primitive, map)(maker);
  const reference = maker.add("Thing", () => inner.schema);
  const beside = maker.pick({}, { description: "What is beside the reference." }, { deprecated: true });
  return { ...inner, kinds: ["$ref", ...inner.kinds], schema: { ...reference, ...beside } };
};

const structures = [object, map, allOf, choice, recursion, component];

function value(maker: Maker): Piece {
  const deeper = { ...maker, depth: maker.depth - 1 };
  const ways = [primitive, maker.pick(...constants)];
  const make = maker.pick(...ways, ...(maker.depth > 0 ? [nullable, list, maker.pick(...structures)] : []));
  return make === primitive ? make(deeper) : maker.mark(make(deeper));
}

const text = (): Piece => same("text", { type: "string" }, ["a\nb é", 'data: {"id":1}\n\n']);

const bodies: Readonly<Record<string, Make>> = {
  "application/json": (maker) => maker.mark(maker.pick(...structures, list, nullable)(maker)),
  "application/merge-patch+json": object,
  "application/x-www-form-urlencoded": (maker) => form(membersOf(maker, flat)),
  "multipart/form-data": (maker) =>
    form([
      ...membersOf(maker, flat),
      { name: "json", piece: jsonPart, required: true },
      { name: "file", piece: file(maker), required: maker.pick(true, false) },
      { name: "files", piece: several(file(maker)), required: maker.pick(true, false) },
    ]),
  "text/plain": text,
  "application/x-ndjson": text,
};

/** Media types of responses. */
const answers = ["application/json", "application/hal+json", "text/plain", "text/event-stream", "application/x-ndjson"];

/** Files, which no JSON Schema knows, so that no value is wrong. */
const file: Make = ({ pick }) => {
  const type = pick("image/png", "application/octet-stream");
  const schema = pick<Json>({ type: "string", format: "binary" }, { contentMediaType: type });
  const name = pick("a.png", 'é "b".txt');
  const files = [["a\r\n--\0é"], [new Uint8Array([255, 0, 13])]].map((parts) => new File(parts, name, { type }));
  return same("file", schema, files);
};

function several({ schema, request: { valid }, kinds }: Piece): Piece {
  return { ...same("", { type: "array", items: schema }, [valid, valid.slice(1)]), kinds: ["list", ...kinds] };
}

const flat: Make = (maker) => maker.pick(primitive, (one: Maker) => listOf(one, primitive(one)))(maker);
const jsonPart = same(
  "JSON part",
  { type: "object", required: ["x"], properties: { x: { type: "integer" }, y: {} } },
  [{ x: 1, y: { z: null } }, { x: 2 }],
  broken({ x: "one" }, "type", true),
);

export function isJson(mediaType: string): boolean {
  return /[/+]json$/.test(mediaType);
}

function form(members: readonly Member[]): Piece {
  return { kinds: kindsIn("form", members), schema: objectSchema(members), ...membersValues(members, false) };
}

function makeOperation(maker: Maker, index: number): MadeOperation {
  const { pick } = maker;
  const places = pick<readonly MadeParameter["in"][]>(
    [],
    ["query"],
    ["path", "query", "query", "header"],
    ["query", "cookie", "cookie"],
  );
  const parameters = places.map((place, at): MadeParameter => {
    const piece = { path: primitive, query: flat, header: token, cookie: token }[place](maker);
    const name = { path: "id", query: `q[${String(at)}] é`, header: "X-Given", cookie: `given${String(at)}` }[place];
    return { in: place, name, required: place === "path" || pick(true, false), piece };
  });
  const method = pick("get", "post", "put", "patch");
  const mediaType = pick("application/json", "application/json", ...Object.keys(bodies));
  const make = bodies[mediaType];
  const body =
    make && method !== "get" ? { mediaType, required: pick(true, true, false), piece: make(maker) } : undefined;
  const answerType = pick("application/json", "application/json", "application/json", ...answers, undefined);
  const cookies = same("cookies", { type: "string", maxLength: 11 }, [["a=1; Path=/", "b=2, 3"]]);
  const headers = pick<MadeOperation["answer"]["headers"]>(
    {},
    { "X-Told": token(maker) },
    { "X-Told": token(maker), "X-Other": token(maker), "Set-Cookie": cookies },
  );
  const answer = {
    status: answerType === undefined ? pick("204", "200", "default") : pick("200", "201", "2XX", "default"),
    mediaType: answerType,
    piece:
      answerType === undefined
        ? undefined
        : (bodies[answerType] ?? bodies[isJson(answerType) ? "application/json" : "text/plain"])?.(maker),
    headers,
  };
  const path = `/op${String(index)}${places.includes("path") ? "/{id}" : ""}`;
  return { method, path, parameters, body, answer };
}

function describeOperation({ parameters, body, answer }: MadeOperation): Json {
  const content = (mediaType: string, piece: Piece) => ({ [mediaType]: { schema: piece.schema } });
  return {
    parameters: parameters.map(({ piece, ...parameter }) => ({ ...parameter, schema: piece.schema })),
    ...(body && { requestBody: { required: body.required, content: content(body.mediaType, body.piece) } }),
    responses: {
      [answer.status]: {
        description: "Done.",
        headers: Object.fromEntries(
          Object.entries(answer.headers).map(([name, { schema }]) => [name, { required: true, schema }]),
        ),
        ...(answer.mediaType !== undefined && answer.piece && { content: content(answer.mediaType, answer.piece) }),
      },
    },
  };
}

function oneOf<One>(ones: readonly One[]): fc.Arbitrary<One> {
  return fc.constantFrom(...ones);
}

/** Contracts of three operations. */
export const contracts = fc.gen().map((draw) =>
  makeContract(
    (...ones) => draw(oneOf, ones),
    (piece) => piece,
  ),
);

/** Makes a contract of three operations. */
export function makeContract(pick: Maker["pick"], mark: Maker["mark"]): MadeContract {
  const schemas: Record<string, Json> = {};
  const add: Maker["add"] = (name, write) => {
    const key = `${name}${String(Object.keys(schemas).length)}`;
    const reference = `#/components/schemas/${key}`;
    schemas[key] = {};
    schemas[key] = write(reference);
    return { $ref: reference };
  };
  const maker: Maker = { pick, add, mark, depth: 2 };
  const operations = [0, 1, 2].map((index) => makeOperation(maker, index));
  const paths = operations.map((one) => [one.path, { [one.method]: describeOperation(one) }] as const);
  const info = { title: "Made", version: "1" };
  return {
    document: { openapi: "3.1.1", info, paths: Object.fromEntries(paths), components: { schemas } },
    operations,
  };
}

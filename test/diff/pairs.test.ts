import { expect, it } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { compareGenerations } from "../../scripts/diff/compareGenerations.ts";
import { describePairs, markOf, pairs } from "./pairs.ts";

const document = (fields: object) =>
  readGeneration("whole", {
    openapi: "3.1.1",
    info: { title: "Whole", version: "1.0.0" },
    paths: { "/things": { get: { operationId: "list", responses: { "204": { description: "Done." } } } } },
    components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
    ...fields,
  });

const [before, after] = describePairs();
const whole = { ...document({ servers: [{ url: "/a" }], tags: [{ name: "A", description: "All of A." }] }) };
const changedWhole = document({
  info: { title: "Whole", version: "2.0.0" },
  security: [{ key: [] }],
  servers: [{ url: "/b" }],
  tags: [{ name: "A", description: "About A." }],
});
const all = compareGenerations(
  [readGeneration("forward", before), readGeneration("back", after), whole, { ...whole, name: "old" }],
  [readGeneration("forward", after), readGeneration("back", before), changedWhole, { ...whole, name: "new" }],
);
const changes = all.filter(({ generation }) => /^(?:forward|back)$/.test(generation));

it.concurrent.each(pairs.map((pair, index) => [...pair, index] as const))(
  "%s is rated as consumers feel it",
  (_kind, _edits, forward, back, index) => {
    const mark = markOf(index);
    const own = changes.filter(({ pointer, operations }) => [pointer, ...operations].join().includes(mark));
    const impactOf = (direction: string) => own.find(({ generation }) => generation === direction)?.impact ?? "none";
    expect({ forward: impactOf("forward"), back: impactOf("back") }, JSON.stringify(own, null, 2)).toEqual({
      forward,
      back,
    });
  },
);

it.concurrent("every change belongs to a pair, and has a place and advice", () => {
  const marks = pairs.map((_, index) => markOf(index));
  const isStray = (text: string) => !marks.some((mark) => text.includes(mark));
  const found = changes;
  expect(found.length).toBeGreaterThan(pairs.length);
  expect(found.filter(({ pointer }) => isStray(pointer))).toEqual([]);
  // Places are told by the names of the description.
  expect(found.filter(({ pointer }) => /\{\d+\}/.test(pointer))).toEqual([]);
  expect(found.filter(({ operations }) => operations.length > 1 && isStray(operations.join()))).toEqual([]);
  expect(found.filter(({ message, advice }) => message === "" || advice.http === "" || advice.types === "")).toEqual(
    [],
  );
});

it.concurrent("operations of one path that differ in the names of its parameters are compared each", () => {
  const paths = (operationId: string) => {
    const parameter = (name: string) => [{ name, in: "path", required: true, schema: { type: "string" } }];
    const responses = { "204": { description: "Done." } };
    return {
      "/things/{id}": { get: { operationId, parameters: parameter("id"), responses } },
      "/things/{name}": { delete: { operationId: "drop", parameters: parameter("name"), responses } },
    };
  };
  const found = compareGenerations([document({ paths: paths("get") })], [document({ paths: paths("read") })]);
  expect(found.map(({ impact, operations, pointer }) => [impact, operations, pointer])).toEqual([
    ["major", ["GET /things/{id}"], "/paths/~1things~1{id}/get/operationId"],
  ]);
});

it.concurrent("a change of every operation is reported once", () => {
  const paths = (lifecycle: object) => {
    const get = { responses: { "204": { description: "Done." } }, ...lifecycle };
    return document({ paths: { "/halls": { get }, "/rooms": { get, post: get } } });
  };
  const days = { "x-deprecated-on": "2026-01-01", "x-sunset": "2027-01-01" };
  const found = compareGenerations([paths({})], [paths({ deprecated: true, ...days })]);
  expect(found.map(({ message, operations }) => [message, operations])).toEqual([
    [
      "Every operation: Deprecated as of 2026-01-01, and due to be removed on 2027-01-01. No replacement is named.",
      ["GET /halls", "GET /rooms", "POST /rooms"],
    ],
  ]);
});

it.concurrent("each removed operation is reported, even if few are left", () => {
  const operation = { responses: { "204": { description: "Done." } } };
  const [get, put, patch, post] = [operation, operation, operation, operation];
  const [before, after] = [{ get, put, patch, post }, { get }].map((item) => document({ paths: { "/rooms": item } }));
  const found = before && after ? compareGenerations([before], [after]) : [];
  expect(found.map(({ message, operations }) => [message, ...operations].join(" ")).toSorted()).toEqual([
    "The operation was removed, without a deprecation. PATCH /rooms",
    "The operation was removed, without a deprecation. POST /rooms",
    "The operation was removed, without a deprecation. PUT /rooms",
  ]);
});

it.concurrent("an operation removed when its path was renamed is reported by its own name", () => {
  const operation = (operationId: string) => ({
    operationId,
    parameters: [{ name: "roomId", in: "path", required: true, schema: { type: "string" } }],
    responses: { "204": { description: "Done." } },
  });
  const before = document({ paths: { "/rooms/{roomId}": { get: operation("read"), delete: operation("close") } } });
  const after = document({ paths: { "/halls/{roomId}": { get: operation("read") } } });
  const found = compareGenerations([before], [after]);
  expect(found.map(({ message }) => message)).toEqual([
    "Path `/rooms/{roomId}` was renamed to `/halls/{roomId}`.",
    "The operation was removed, without a deprecation.",
  ]);
});

const answer = (schema: object) => ({ "200": { description: "Done.", content: { "application/json": { schema } } } });
const toldOf = (before: object, after: object) =>
  compareGenerations([document(before)], [document(after)]).map(
    ({ impact, message, operations, pointer }) => `${impact} ${message} ${operations.join(", ")} #${pointer}`,
  );

it.concurrent("path items may stand among the components", () => {
  const item = {
    parameters: [{ $ref: "#/components/parameters/page" }],
    get: { responses: answer({ type: "string" }) },
  };
  const parameters = { page: { name: "page", in: "query", schema: { type: "integer" } } };
  const inline = { paths: { "/rooms": item }, components: { parameters } };
  const moved = (type: string) => ({
    paths: { "/rooms": { $ref: "#/components/pathItems/Rooms" } },
    components: { parameters, pathItems: { Rooms: { ...item, get: { responses: answer({ type }) } } } },
  });
  expect(toldOf(inline, moved("string"))).toEqual([]);
  expect(toldOf(moved("string"), inline)).toEqual([]);
  expect(toldOf(inline, moved("integer"))).toEqual([
    "major response 200: Type changed from 'string' to 'integer'. GET /rooms #/components/pathItems/Rooms/get/responses/200/content/application~1json/schema/type",
  ]);
});

it.concurrent("only operations whose own values have changed are named", () => {
  const shared = { name: "page", in: "query", schema: { type: "integer", minimum: 1 } };
  const own = { name: "page", in: "query", schema: { type: "number" } };
  const get = (parameter: object, schema: object) => ({ get: { parameters: [parameter], responses: answer(schema) } });
  const reference = { $ref: "#/components/parameters/page" };
  const [team, room] = [{ $ref: "#/components/schemas/Team" }, { $ref: "#/components/schemas/Room" }];
  const components = {
    parameters: { page: shared },
    schemas: {
      Team: { type: "object", properties: { name: { type: "string" }, size: { type: "integer" } } },
      Room: { type: "object", properties: { name: { type: "string" } } },
    },
  };
  const before = { "/halls": get(reference, team), "/rooms": get(own, team), "/teams": get(reference, team) };
  const after = { "/halls": get(reference, team), "/rooms": get(reference, room), "/teams": get(reference, team) };
  expect(toldOf({ paths: before, components }, { paths: after, components })).toEqual([
    "major parameter page: Type changed from 'number' to 'integer'. GET /rooms #/components/parameters/page/schema/type",
    "major parameter page: `minimum` was set to `1`. GET /rooms #/components/parameters/page/schema/minimum",
    "major Team.size: Property `size` was removed, without a deprecation. GET /rooms #/components/schemas/Team/properties/size",
  ]);
});

it.concurrent("a renamed security scheme is reported once, for the operations that accept it", () => {
  const paths = (scheme: string) => {
    const get = { responses: answer({ type: "string" }), security: [{ [scheme]: [] }] };
    return {
      "/halls": { get },
      "/rooms": { get },
      "/teams": { get: { responses: answer({ type: "string" }), security: [] } },
    };
  };
  const state = (scheme: string) => ({
    paths: paths(scheme),
    components: { securitySchemes: { [scheme]: { type: "http", scheme: "basic" } } },
  });
  expect(toldOf(state("old"), state("new"))).toEqual([
    "major new: `old` was renamed to `new`. GET /halls, GET /rooms #/components/securitySchemes/new",
  ]);
});

it.concurrent("only the servers that operations have are compared", () => {
  const servers = [{ url: "https://a.example" }];
  const get = { responses: answer({ type: "string" }) };
  const [all, own] = [{ paths: { "/rooms": { get } }, servers }, { paths: { "/rooms": { get: { ...get, servers } } } }];
  expect([...toldOf(all, own), ...toldOf(own, all)]).toEqual([]);
  const told = toldOf(all, { ...all, servers: [] });
  expect(told).toEqual(["major Server `https://a.example` became `/`.  #/servers/0/url"]);
});

it.concurrent("a schema that moves into an allOf keeps its place", () => {
  const state = (schema: object, size: object) => ({
    paths: { "/rooms": { get: { responses: answer({ $ref: "#/components/schemas/Room" }) } } },
    components: { schemas: { Room: schema, Sized: { type: "object", properties: { size } } } },
  });
  const [integer, text] = [{ type: "integer" }, { type: "string" }];
  const before = state({ type: "object", properties: { size: integer } }, integer);
  const moved = { allOf: [{ $ref: "#/components/schemas/Sized" }] };
  expect(toldOf(before, state(moved, integer))).toEqual([]);
  expect(toldOf(before, state(moved, text))).toEqual([
    "major Sized.size: Type changed from 'integer' to 'string'. GET /rooms #/components/schemas/Sized/properties/size/type",
  ]);
});

it.concurrent("a discriminator with the same schemas under other names is unchanged", () => {
  const animal = (kind: string, more: string) => ({
    type: "object",
    required: ["kind", more],
    properties: { kind: { const: kind }, [more]: { type: "string" } },
  });
  const state = (cat: string, dog: string, mapping: object) => ({
    paths: {
      "/pets": {
        get: {
          responses: answer({
            discriminator: { propertyName: "kind", mapping },
            oneOf: [{ $ref: `#/components/schemas/${cat}` }, { $ref: `#/components/schemas/${dog}` }],
          }),
        },
      },
    },
    components: { schemas: { [cat]: animal("cat", "lives"), [dog]: animal("dog", "breed") } },
  });
  const before = state("Cat", "Dog", { cat: "#/components/schemas/Cat", dog: "Dog" });
  expect(toldOf(before, state("Feline", "Dog", { cat: "Feline", dog: "#/components/schemas/Dog" }))).toEqual([
    "minor Feline: `Cat` was renamed to `Feline`. GET /pets #/components/schemas/Feline",
  ]);
  const unmapped = state("Cat", "Dog", {});
  expect(toldOf(unmapped, state("Cat", "Dog", { Dog: "#/components/schemas/Dog" }))).toEqual([]);
  const place = "#/paths/~1pets/get/responses/200/content/application~1json/schema/discriminator";
  expect(toldOf(before, state("Cat", "Dog", { cat: "Dog" }))).toEqual([
    `major response 200: The value \`cat\` of \`discriminator\` stands for another schema. GET /pets ${place}`,
    `minor response 200: The value \`dog\` of \`discriminator\` was removed. GET /pets ${place}`,
    `minor response 200: The value \`Cat\` of \`discriminator\` was added. GET /pets ${place}`,
  ]);
});

it.concurrent("schemas that lead back to themselves are compared", () => {
  const state = (properties: object) => ({
    paths: { "/rooms": { get: { responses: answer({ $ref: "#/components/schemas/Room" }) } } },
    components: {
      schemas: {
        Room: { type: "object", properties: { inner: { $ref: "#/components/schemas/Room" }, ...properties } },
        Same: { allOf: [{ $ref: "#/components/schemas/Same" }] },
      },
    },
  });
  expect(
    toldOf(state({}), state({ other: { anyOf: [{ $ref: "#/components/schemas/Same" }, { type: "null" }] } })),
  ).toEqual(["minor Room.other: The field was added. GET /rooms #/components/schemas/Room/properties/other"]);
});

it.concurrent("a change of a generation as a whole is reported once", () => {
  const found = all.filter(({ generation }) => !/^(?:forward|back)$/.test(generation));
  expect(found.map(({ impact, generation, pointer, operations }) => [impact, generation, pointer, operations])).toEqual(
    [
      ["major", "whole", "/servers/0/url", []],
      ["major", "whole", "/security", ["GET /things"]],
      ["major", "old", "", ["GET /things"]],
      ["minor", "new", "", ["GET /things"]],
      ["patch", "whole", "/tags/0/description", []],
    ],
  );
});

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

// All pairs are compared at once, because each comparison costs a process.
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
const changes = all.then((found) => found.filter(({ generation }) => /^(?:forward|back)$/.test(generation)));

it.concurrent.each(pairs.map((pair, index) => [...pair, index] as const))(
  "%s is rated as consumers feel it",
  { timeout: 60_000 },
  async (_kind, _edits, forward, back, index) => {
    const mark = markOf(index);
    const own = (await changes).filter(({ pointer, operations }) => [pointer, ...operations].join().includes(mark));
    const impactOf = (direction: string) => own.find(({ generation }) => generation === direction)?.impact ?? "none";
    expect({ forward: impactOf("forward"), back: impactOf("back") }, JSON.stringify(own, null, 2)).toEqual({
      forward,
      back,
    });
  },
);

it.concurrent("every change belongs to a pair, has a place and says what to do", { timeout: 60_000 }, async () => {
  const marks = pairs.map((_, index) => markOf(index));
  const isStray = (text: string) => !marks.some((mark) => text.includes(mark));
  const found = await changes;
  expect(found.length).toBeGreaterThan(pairs.length);
  expect(found.filter(({ pointer }) => isStray(pointer))).toEqual([]);
  // Places are told by the names of the description.
  expect(found.filter(({ pointer }) => /\{\d+\}/.test(pointer))).toEqual([]);
  expect(found.filter(({ operations }) => operations.length > 1 && isStray(operations.join()))).toEqual([]);
  expect(found.filter(({ message, advice }) => message === "" || advice.http === "" || advice.types === "")).toEqual(
    [],
  );
});

it.concurrent("operations of one path that differ in the names of its parameters are compared each", async () => {
  const paths = (operationId: string) => {
    const parameter = (name: string) => [{ name, in: "path", required: true, schema: { type: "string" } }];
    const responses = { "204": { description: "Done." } };
    return {
      "/things/{id}": { get: { operationId, parameters: parameter("id"), responses } },
      "/things/{name}": { delete: { operationId: "drop", parameters: parameter("name"), responses } },
    };
  };
  const found = await compareGenerations([document({ paths: paths("get") })], [document({ paths: paths("read") })]);
  expect(found.map(({ impact, operations, pointer }) => [impact, operations, pointer])).toEqual([
    ["major", ["GET /things/{id}"], "/paths/~1things~1{id}/get/operationId"],
  ]);
});

it.concurrent("what is told alike of every operation is told once", async () => {
  const paths = (lifecycle: object) => {
    const get = { responses: { "204": { description: "Done." } }, ...lifecycle };
    return document({ paths: { "/halls": { get }, "/rooms": { get, post: get } } });
  };
  const days = { "x-deprecated-on": "2026-01-01", "x-sunset": "2027-01-01" };
  const found = await compareGenerations([paths({})], [paths({ deprecated: true, ...days })]);
  expect(found.map(({ message, operations }) => [message, operations])).toEqual([
    [
      "Every operation is deprecated as of 2026-01-01, and will be removed on 2027-01-01.",
      ["GET /halls", "GET /rooms", "POST /rooms"],
    ],
  ]);
});

it.concurrent("operations that are removed are told each, however few are left", { timeout: 60_000 }, async () => {
  const operation = { responses: { "204": { description: "Done." } } };
  const [get, put, patch, post] = [operation, operation, operation, operation];
  const [before, after] = [{ get, put, patch, post }, { get }].map((item) => document({ paths: { "/rooms": item } }));
  const found = before && after ? await compareGenerations([before], [after]) : [];
  expect(found.map(({ message, operations }) => [message, ...operations].join(" ")).toSorted()).toEqual([
    "Operation `PATCH /rooms` was removed. PATCH /rooms",
    "Operation `POST /rooms` was removed. POST /rooms",
    "Operation `PUT /rooms` was removed. PUT /rooms",
  ]);
});

it.concurrent(
  "an operation that went when its path was renamed is told by its own name",
  { timeout: 60_000 },
  async () => {
    const operation = (operationId: string) => ({
      operationId,
      parameters: [{ name: "roomId", in: "path", required: true, schema: { type: "string" } }],
      responses: { "204": { description: "Done." } },
    });
    const before = document({ paths: { "/rooms/{roomId}": { get: operation("read"), delete: operation("close") } } });
    const after = document({ paths: { "/halls/{roomId}": { get: operation("read") } } });
    const found = await compareGenerations([before], [after]);
    expect(found.map(({ message }) => message)).toEqual([
      "Path `/rooms/{roomId}` was renamed to `/halls/{roomId}`.",
      "Operation `DELETE /rooms/{roomId}` was removed.",
    ]);
  },
);

it.concurrent("what is about a generation as a whole is told once", { timeout: 60_000 }, async () => {
  const found = (await all).filter(({ generation }) => !/^(?:forward|back)$/.test(generation));
  expect(found.map(({ impact, generation, pointer, operations }) => [impact, generation, pointer, operations])).toEqual(
    [
      ["major", "whole", "/security", ["GET /things"]],
      ["major", "whole", "/servers/0/url", []],
      ["major", "old", "", ["GET /things"]],
      ["minor", "new", "", ["GET /things"]],
      ["patch", "whole", "/tags/0/description", []],
    ],
  );
});

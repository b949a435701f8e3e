import { expect, it } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { callOperations, planCalls } from "../../scripts/verify/callOperations.ts";
import { createVerification } from "../../scripts/verify/findings.ts";

const id = { name: "id", in: "path", required: true, schema: { type: "string" } } as const;
const room = { type: "object", required: ["id"], properties: { id: { type: "string" } } } as const;
const shows = (schema: object) => ({ description: "Rooms", content: { "application/json": { schema } } });
const rooms = readGeneration("v1", {
  openapi: "3.1.0",
  info: { title: "Rooms", version: "1.0.0" },
  paths: {
    "/rooms": {
      get: { operationId: "listRooms", responses: { "200": shows({ type: "array", items: room }) } },
      post: { operationId: "createRoom", responses: { "201": shows(room) } },
    },
    "/rooms/{id}": {
      parameters: [id],
      delete: { operationId: "deleteRoom", responses: { "204": { description: "Deleted" } } },
    },
  },
});

/** The paths that are deleted at a server which lists one room, and says that it has created another. */
async function deletedOf(created: string): Promise<readonly string[]> {
  const paths: string[] = [];
  const source = { generation: rooms, server: "http://127.0.0.1:9", credentials: new Map() };
  await callOperations(planCalls([source], new Set(rooms.operations), true), {
    values: undefined,
    allowDeletes: false,
    stop: new AbortController().signal,
    onExchange: () => undefined,
    send: ({ method, url }) => {
      if (method === "DELETE") paths.push(url.replace(source.server, ""));
      const body = Buffer.from(JSON.stringify(method === "GET" ? [{ id: "attic" }] : { id: created }));
      const request = { headers: [], body: undefined };
      return Promise.resolve({ method, url, request, response: { status: 200, headers: [], body } });
    },
  });
  return paths;
}

it.each([
  ["what it has created", "cellar", ["/rooms/cellar"]],
  ["nothing that was there before, if a create gives that", "attic", []],
  ["nothing by an identifier that leads to another path", "..", []],
])("deletes %s", async (_, created, deleted) => {
  expect(await deletedOf(created)).toEqual(deleted);
});

it.each([
  ["a text too long for its pattern", { type: "string", pattern: "^(?:a|b)*$" }, "a".repeat(2 ** 23)],
  ["a schema with a broken pattern", { type: "string", pattern: "(" }, "a"],
])("tells that %s was not checked", (_, schema, value) => {
  const operation = { operationId: "readPlan", responses: { "200": shows(schema) } };
  const info = { title: "Plans", version: "1.0.0" };
  const generation = readGeneration("v1", { openapi: "3.1.0", info, paths: { "/plan": { get: operation } } });
  const verification = createVerification([{ generation, server: undefined }], new Set(generation.operations), false);
  verification.add({
    method: "GET",
    url: "http://localhost/plan",
    request: { headers: [], body: undefined },
    response: {
      status: 200,
      headers: [["content-type", "application/json"]],
      body: Buffer.from(JSON.stringify(value)),
    },
  });
  expect(verification.findings()).toMatchObject([
    { kind: "untested", message: "the body cannot be held against its schema" },
  ]);
});

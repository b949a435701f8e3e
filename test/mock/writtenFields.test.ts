import { beforeEach, describe, expect, test } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { createEngine } from "../../scripts/mock/server/engine.ts";
import type { RequestEntry } from "../../scripts/mock/mockTypes.ts";
import type { OpenApiDocument, ResponseObject } from "../../scripts/spec/openapi.ts";

/** What follows from a request without being in it. */

function response(schema: object, example: unknown, headers: ResponseObject["headers"] = {}): ResponseObject {
  return { description: "", headers, content: { "application/json": { schema, example } } };
}

const parcel = { $ref: "#/components/schemas/Parcel" };
const one = { id: 7, label: "Books", createdAt: "2026-03-02T09:00:00Z", pickupCode: "code-4711" };
const location = { schema: { type: "string" }, example: "https://parcels.example/depots/1/parcels/7" } as const;
const parameter = (name: string, type: "integer" | "number" = "integer") =>
  ({ name, in: "path", required: true, schema: { type } }) as const;

const document: OpenApiDocument = {
  openapi: "3.1.1",
  paths: {
    "/depots/{depot}/parcels": {
      parameters: [parameter("depot")],
      get: {
        ...{ "x-pagination": { limit: "limit", offset: "offset" } },
        parameters: ["limit", "offset"].map((name) => ({ name, in: "query", schema: { type: "integer" } })),
        responses: {
          "200": response(
            {
              type: "object",
              required: ["items", "total", "limit"],
              properties: {
                items: { type: "array", items: parcel },
                total: { type: "integer" },
                limit: { type: "integer" },
              },
            },
            { items: [one], total: 1, limit: 20 },
          ),
        },
      },
      post: {
        requestBody: { content: { "application/json": { schema: parcel } } },
        responses: { "201": response(parcel, one, { Location: location }) },
      },
    },
    "/depots/{depot}/parcels/{id}": {
      parameters: [parameter("depot", "number"), parameter("id")],
      get: { responses: { "200": response(parcel, one) } },
      put: {
        requestBody: { content: { "application/json": { schema: parcel } } },
        responses: { "200": response(parcel, one) },
      },
    },
  },
  components: {
    schemas: {
      Parcel: {
        type: "object",
        properties: {
          id: { type: "integer", readOnly: true },
          label: { type: "string" },
          createdAt: { type: "string", format: "date-time", readOnly: true },
          pickupCode: { type: "string", format: "password", readOnly: true },
        },
      },
    },
  },
};

const entries: RequestEntry[] = [];
const generations = [readGeneration("parcels", document), ...(await readBuiltGenerations())];
const mock = createEngine({ generations, onResponse: (entry) => entries.push(entry) });

beforeEach(() => {
  mock.reset();
});

async function send(method: string, target: string, body?: object, headers: Readonly<Record<string, string>> = {}) {
  const content = body && { body: JSON.stringify(body), headers: { "content-type": "application/json", ...headers } };
  const answer = await mock.fetch(`http://mock.example${target}`, { method, headers, ...content });
  const value: unknown = await answer.json();
  return { status: answer.status, location: answer.headers.get("location"), value };
}

describe("read-only properties of a schema that requests and responses share", () => {
  test("stay what they were when the whole is replaced", async () => {
    await send("PUT", "/depots/1/parcels/7", { label: "Maps" });
    expect((await send("GET", "/depots/1/parcels/7")).value).toEqual({ ...one, label: "Maps" });
  });

  test("are not changed by a request, and a note says so", async () => {
    const changed = { label: "Maps", createdAt: "2020-01-01T00:00:00Z" };
    expect((await send("PUT", "/depots/1/parcels/7", changed)).value).toEqual({ ...one, label: "Maps" });
    expect(entries.at(-1)?.note).toMatch(/createdAt, .*read-only/);
    await send("PUT", "/depots/1/parcels/7", one);
    expect(entries.at(-1)?.note).toBeUndefined();
  });
});

test("secrets of what is created differ, and stay", async () => {
  const codes = [];
  for (const label of ["a", "b", "c"]) {
    const { value } = await send("POST", "/depots/1/parcels", { label });
    expect((await send("GET", `/depots/1/parcels/${8 + codes.length}`)).value).toEqual(value);
    codes.push(JSON.stringify(value).match(/pickupCode":"(.*?)"/)?.[1]);
  }
  expect(new Set(codes).size).toBe(3);
});

test("the tokens of two managed users differ", async () => {
  const credentials = { "x-svc-secret-key": "s", "x-svc-client-id": "oac_7Qm2xVb9" };
  const create = () =>
    send("POST", "/v2/oauth-clients/oac_7Qm2xVb9/users", { email: "a@b.example", name: "A" }, credentials);
  const tokens = [await create(), await create()].map(
    ({ value }) => JSON.stringify(value).match(/"accessToken":"(.*?)"/)?.[1],
  );
  expect(new Set(tokens).size).toBe(2);
});

test("the end of a booking moves with its start", async () => {
  const { value } = await send("PATCH", "/v1/bookings/9002?apiKey=svc_key", { start: "2026-03-20T10:00:00Z" });
  expect(value).toMatchObject({ booking: { startTime: "2026-03-20T10:00:00Z", endTime: "2026-03-20T10:30:00Z" } });
});

test.each(["9007199254740993", "-9007199254740993"])(
  "an identifier that JavaScript would round is refused in words: %s",
  async (id) => {
    const read = await send("GET", `/depots/${id}/parcels/${id}`);
    expect(read).toMatchObject({ status: 422, value: { violations: [{ name: "depot" }, { name: "id" }] } });
    expect(JSON.stringify(read.value)).toContain("larger integers would be rounded");
    const written = await send("PUT", "/depots/1/parcels/7", { id: Number(id) });
    expect(JSON.stringify(written.value)).toContain("larger integers would be rounded.");
  },
);

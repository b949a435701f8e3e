import { readGeneration } from "../../scripts/contract/generation.ts";
import { isDocument } from "../../scripts/spec/openapi.ts";

/** The contract of a small service, for `roomsBackend.ts`: 15 operations, and credentials of each kind. */

const json = (schema: object, examples?: object) => ({ "application/json": { schema, ...(examples && { examples }) } });
const responds = (status: number, schema?: object) => ({
  [status]: { description: "Done.", ...(schema && { content: json(schema) }) },
  default: { description: "Failed.", content: json({}) },
});
const takes = (schema: object, value: object) => ({
  requestBody: { required: true, content: json(schema, { one: { value } }) },
});
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const listOf = (name: string) => ({
  type: "object",
  required: ["data"],
  properties: { data: { type: "array", items: reference(name) } },
});
const object = (required: readonly string[], properties: object) => ({ type: "object", required, properties });
const inPath = (name: string, schema: object, example: unknown) => ({
  ...{ name, in: "path", required: true, schema, example },
});

const version = { name: "X-Version", in: "header", required: true, schema: { type: "string", const: "2" } };
const page = (name: string, minimum: number) => ({ name, in: "query", schema: { type: "integer", minimum } });
const roomId = inPath("roomId", { type: "integer" }, 1);
const bookingUid = inPath("bookingUid", { type: "string" }, "uid-1");
const [key, token, basic] = [[{ key: [] }], [{ token: [] }], [{ basic: [] }]];
const time = { type: "string", format: "date-time" };

const roomFields = {
  name: { type: "string", minLength: 2, maxLength: 40 },
  seats: { type: "integer", minimum: 1 },
  kind: { type: "string", enum: ["office", "hall"] },
  email: { type: "string", format: "email" },
  tags: { type: "array", maxItems: 3, items: { type: "string" } },
};
const room = { name: "Cellar", seats: 4, kind: "hall", email: "cellar@example.com", tags: ["low"] };
const bookingFields = { title: { type: "string" }, note: { type: "string" }, start: time, end: time };
const booking = {
  ...{ title: "Standup", note: "Daily" },
  ...{ start: "2026-03-02T09:00:00Z", end: "2026-03-02T09:15:00Z" },
};

const document = {
  openapi: "3.1.1",
  info: { title: "Rooms", version: "1.0.0" },
  servers: [{ url: "http://rooms.example" }],
  paths: {
    "/rooms": {
      get: {
        operationId: "listRooms",
        security: key,
        "x-pagination": { limit: "take", offset: "skip" },
        parameters: [page("take", 1), page("skip", 0)],
        responses: responds(200, listOf("Room")),
      },
      post: {
        operationId: "createRoom",
        security: key,
        ...takes({ ...object(["name", "seats"], roomFields), additionalProperties: false }, room),
        responses: responds(201, reference("Room")),
      },
    },
    "/rooms/{roomId}": {
      parameters: [roomId],
      get: { operationId: "readRoom", security: key, responses: responds(200, reference("Room")) },
      patch: {
        operationId: "updateRoom",
        security: key,
        ...takes(object([], roomFields), { name: "Attic" }),
        responses: responds(200, reference("Room")),
      },
      delete: { operationId: "deleteRoom", security: key, responses: responds(204) },
    },
    "/rooms/{roomId}/close": {
      parameters: [roomId],
      post: {
        operationId: "closeRoom",
        security: key,
        "x-resource": { effect: "update", set: { state: "closed" } },
        responses: responds(200, reference("Room")),
      },
    },
    "/rooms/{roomId}/passes": {
      parameters: [roomId],
      get: { operationId: "listPasses", security: key, responses: responds(200, listOf("Pass")) },
    },
    "/bookings": {
      get: { operationId: "listBookings", security: token, responses: responds(200, listOf("Booking")) },
      post: {
        operationId: "createBooking",
        security: token,
        parameters: [version],
        ...takes(object(["title", "start", "end"], bookingFields), booking),
        responses: responds(201, reference("Booking")),
      },
    },
    "/bookings/{bookingUid}": {
      parameters: [bookingUid],
      get: {
        operationId: "readBooking",
        security: token,
        parameters: [version],
        responses: responds(200, reference("Booking")),
      },
      patch: {
        operationId: "moveBooking",
        security: token,
        "x-resource": { moves: { end: "start" } },
        ...takes(object([], bookingFields), { start: "2026-03-03T10:00:00Z" }),
        responses: responds(200, reference("Booking")),
      },
      delete: { operationId: "deleteBooking", security: token, responses: responds(204) },
    },
    "/bookings/{bookingUid}/repeat": {
      parameters: [bookingUid],
      post: {
        operationId: "repeatBooking",
        security: token,
        "x-resource": {
          ...{ effect: "create", copies: "bookingUid", moves: { end: "start" } },
          set: { repeats: "$request.path.bookingUid" },
        },
        ...takes(object(["start"], { start: time }), { start: "2026-03-09T09:00:00Z" }),
        responses: responds(201, reference("Booking")),
      },
    },
    "/client": {
      get: {
        operationId: "readClient",
        security: [{ clientId: [], clientSecret: [] }],
        responses: responds(200, reference("Person")),
      },
    },
    "/report": {
      get: { operationId: "readReport", security: [{ access: [] }], responses: responds(200, reference("Person")) },
    },
    "/me": {
      get: { operationId: "readMe", security: [{ session: [] }], responses: responds(200, reference("Person")) },
    },
    "/admin": { get: { operationId: "readAdmin", security: basic, responses: responds(200, reference("Person")) } },
  },
  components: {
    securitySchemes: {
      key: { type: "apiKey", in: "header", name: "X-Key", "x-example": "room_key-0001" },
      token: { type: "http", scheme: "bearer", "x-example": "room-token-0001" },
      basic: { type: "http", scheme: "basic", "x-example": "ada:room-password" },
      clientId: { type: "apiKey", in: "header", name: "X-Client-Id", "x-example": "client-0001" },
      clientSecret: { type: "apiKey", in: "header", name: "X-Client-Secret", "x-example": "client-secret-1" },
      access: { type: "apiKey", in: "query", name: "access", "x-example": "access-0001" },
      session: { type: "apiKey", in: "cookie", name: "session", "x-example": "session-0001" },
    },
    schemas: {
      Room: object(["id", "name", "seats", "state"], {
        ...{ id: { type: "integer" }, state: { type: "string", enum: ["open", "closed"] } },
        ...roomFields,
      }),
      Pass: {
        ...object(["id", "url"], { id: { type: "integer" }, url: { type: "string" } }),
        "x-resource": { renews: ["url"] },
      },
      Booking: object(["uid", "title", "start", "end"], {
        ...{ uid: { type: "string" }, repeats: { type: ["string", "null"] } },
        ...bookingFields,
      }),
      Person: object(["id", "name"], { id: { type: "integer" }, name: { type: "string" } }),
    },
  },
};
if (!isDocument(document)) throw new Error("the contract is no OpenAPI description");

/** The contract as every command reads it. */
export const rooms = readGeneration("rooms", document);

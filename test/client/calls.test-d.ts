// The compiler alone runs these tests: `npm run check` fails where one does.
import { describe, expectTypeOf, it } from "vitest";
import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import * as v1 from "../../generated/v1/client.ts";
import * as v2 from "../../generated/v2/client.ts";
import type { Booking, Schedule, Team } from "../../generated/v2/client.ts";
import { listAttendees } from "../../generated/v1/operations.ts";
import { schemas as otherSchemas } from "../../generated/v1/schemas.ts";
import { getOrganizationTeam, listOrganizationSchedules, rescheduleBooking } from "../../generated/v2/operations.ts";
import {
  Membership as MembershipSchema,
  membershipRoleValues,
  schemas,
  Team as TeamSchema,
  withJsonSchema,
} from "../../generated/v2/schemas.ts";

const client = v2.createClient({ baseUrl: "http://127.0.0.1:4010", auth: { apiKey: "svc_test" } });
const team = { params: { path: { orgId: 42, teamId: 7 } } };
const teamPath = "/v2/organizations/{orgId}/teams/{teamId}";

describe("a call", () => {
  it("accepts and returns the contract's types", async () => {
    const { data, error } = await client.GET(teamPath, team);
    if (data !== undefined) {
      expectTypeOf(data.data).toEqualTypeOf<Team>();
      expectTypeOf(error).toEqualTypeOf<undefined>();
    }
    const booking = await v2.unwrap(
      client.POST("/v2/bookings/{bookingUid}/reschedule", {
        params: { path: { bookingUid: "9dKs3nTyBq7WfX1jPv0G" } },
        body: { start: "2026-03-17T13:00:00Z" },
      }),
    );
    expectTypeOf(booking.data).toEqualTypeOf<Booking>();
    await v1.createClient({ baseUrl: "" }).GET("/v1/attendees");
    await client.request("get", teamPath, { ...team, headers: { "x-trace": "1" }, signal: null, cache: "no-store" });
  });

  it("has the path and the method of an operation", () => {
    // @ts-expect-error -- there is no such path
    void client.GET("/v2/organisations/{orgId}/teams/{teamId}", team);
    // @ts-expect-error -- the path has no such method
    void client.PATCH(teamPath, team);
    // @ts-expect-error -- no operation has the method
    void client.PUT(teamPath, team);
    // @ts-expect-error -- neither path nor options
    void client.GET();
    // @ts-expect-error -- the path is the other generation's
    void client.GET("/v1/attendees");
    // @ts-expect-error -- the path has no such method
    void client.request("patch", teamPath, team);
  });

  it("has every parameter of the path", () => {
    // @ts-expect-error -- none of them
    void client.GET(teamPath);
    // @ts-expect-error -- one is missing
    void client.GET(teamPath, { params: { path: { orgId: 42 } } });
    // @ts-expect-error -- one is misspelt
    void client.GET(teamPath, { params: { path: { orgId: 42, teamID: 7 } } });
    // @ts-expect-error -- one has another type
    void client.GET(teamPath, { params: { path: { orgId: 42, teamId: "seven" } } });
  });

  it("has no query parameter, body field or option that there is not", () => {
    const path = { orgId: 42 };
    void client.GET("/v2/organizations/{orgId}/schedules", { params: { path, query: { take: 10, skip: 0 } } });
    // @ts-expect-error -- misspelt, although no query parameter is required
    void client.GET("/v2/organizations/{orgId}/schedules", { params: { path, query: { tkae: 10 } } });
    // @ts-expect-error -- another type
    void client.GET("/v2/organizations/{orgId}/schedules", { params: { path, query: { take: "10" } } });
    // @ts-expect-error -- misspelt
    void client.GET(teamPath, { ...team, parsAs: "text" });
  });

  it("has a body with the fields of the contract, of their types", () => {
    const params = { path: { clientId: "oac_7Qm2xVb9" } };
    const own = v2.createClient({ baseUrl: "", auth: { oauthClientSecret: "secret" } });
    void own.POST("/v2/oauth-clients/{clientId}/users", { params, body: { name: "Inês Duarte", timeFormat: 12 } });
    // @ts-expect-error -- no body
    void own.POST("/v2/oauth-clients/{clientId}/users", { params });
    // @ts-expect-error -- another type
    void own.POST("/v2/oauth-clients/{clientId}/users", { params, body: { name: 1 } });
    // @ts-expect-error -- misspelt, although no field is required
    void own.POST("/v2/oauth-clients/{clientId}/users", { params, body: { name: "Inês Duarte", timeFromat: 12 } });
    // @ts-expect-error -- the operation takes no body
    void client.DELETE("/v2/teams/{teamId}", { params: { path: { teamId: 7 } }, body: {} });
  });

  it("has a body that is checked against the form with fields, or one whose type is that of the open form", () => {
    const path = "/v2/bookings/{bookingUid}/reschedule";
    const params = { path: { bookingUid: "9dKs3nTyBq7WfX1jPv0G" } };
    void client.POST(path, { params, body: { start: "2026-03-17T13:00:00Z" } });
    // @ts-expect-error -- misspelt
    void client.POST(path, { params, body: { strat: "2026-03-17T13:00:00Z" } });
    // @ts-expect-error -- another type
    void client.POST(path, { params, body: { start: 5 } });
    // @ts-expect-error -- a field that is not specified, beside one that is
    void client.POST(path, { params, body: { start: "2026-03-17T13:00:00Z", seatUid: "4rZt8mQx" } });
    const inferred = { strat: 5 };
    // @ts-expect-error -- misspelt elsewhere
    void client.POST(path, { params, body: inferred });
    const body: v2.RescheduleSeatedBookingRequest = { seatUid: "4rZt8mQx" };
    void client.POST(path, { params, body });
    void client.request("post", path, { params, body: body satisfies Record<string, unknown> });
  });

  it("may have a Date, or what JSON has text for, where the contract has a date-time", () => {
    const start = new Date();
    void client.POST("/v2/bookings/{bookingUid}/reschedule", {
      params: { path: { bookingUid: "9dKs3nTyBq7WfX1jPv0G" } },
      body: { start },
    });
    const params = { path: { orgId: 42, userId: 7, oooId: 3 } };
    const path = "/v2/organizations/{orgId}/users/{userId}/ooo/{oooId}";
    void client.PATCH(path, { params, body: { start, end: { toJSON: () => "2026-03-17T13:00:00Z" } } });
    void client.PATCH(path, { params, body: { start: "2026-03-17T13:00:00Z" } });
    // @ts-expect-error -- a text, but no time
    void client.PATCH(path, { params, body: { notes: start } });
    // @ts-expect-error -- JSON has a number for it
    void client.PATCH(path, { params, body: { start: { toJSON: () => 1 } } });
    expectTypeOf<Booking["start"]>().toEqualTypeOf<string>();
    expectTypeOf<v2.RescheduleBookingRequest["start"]>().toEqualTypeOf<string | undefined>();
  });

  it("may give a header that has only one value, and only that value", () => {
    const path = { eventTypeId: 15 };
    void client.DELETE("/v2/event-types/{eventTypeId}", { params: { path } });
    void client.DELETE("/v2/event-types/{eventTypeId}", {
      params: { path, header: { "svc-api-version": "2024-06-14" } },
    });
    void client.DELETE("/v2/event-types/{eventTypeId}", { params: { path, header: { "svc-api-version": undefined } } });
    void client.DELETE("/v2/event-types/{eventTypeId}", {
      // @ts-expect-error -- another version
      params: { path, header: { "svc-api-version": "2024-08-13" } },
    });
  });
});

it("can be wrapped in a function of one's own, which takes the same paths and options", async () => {
  function get<Path extends keyof v2.Operations["get"]>(
    path: Path,
    ...init: v2.InitArgument<v2.Init<v2.Operations["get"][Path], "json">>
  ): Promise<v2.Result<v2.Operations["get"][Path]>> {
    return client.GET(path, ...init);
  }
  expectTypeOf((await v2.unwrap(get(teamPath, team))).data).toEqualTypeOf<Team>();
  // @ts-expect-error -- no parameters
  void get(teamPath);
});

it("accepts undefined for optional values", () => {
  const optional: { text?: string; skip?: number } = {};
  const [text, skip] = [optional.text, optional.skip];
  const baseUrl = "http://127.0.0.1:4010";
  const path = { orgId: 42 };
  void client.GET("/v2/organizations/{orgId}/schedules", { params: { path, query: { skip }, header: undefined } });
  void client.GET("/v2/organizations/{orgId}/schedules", { params: { path, query: undefined } });
  void client.GET(teamPath, { params: { ...team.params, query: undefined, header: undefined } });
  const call = { signal: undefined, fetch: undefined, middleware: undefined, headers: undefined, parseAs: undefined };
  void client.GET(teamPath, { ...team, ...call, cache: undefined, querySerializer: undefined, baseUrl: undefined });
  v2.createClient({ baseUrl, signal: undefined, fetch: undefined, headers: undefined, bodySerializer: undefined });
  const booking = { path: { bookingUid: "9dKs3nTyBq7WfX1jPv0G" }, header: undefined };
  void client.POST("/v2/bookings/{bookingUid}/reschedule", {
    params: booking,
    body: { start: "2026-03-17T13:00:00Z" },
  });
  v2.createClient({ baseUrl, auth: { apiKey: "svc_key", managedUserAccessToken: text, oauthClientId: undefined } });
  v2.createClient({ baseUrl, auth: { apiKey: text, oauthClientSecret: "secret" } });
  // @ts-expect-error -- half a pair
  v2.createClient({ baseUrl, auth: { apiKey: "svc_key", oauthClientId: "id", oauthClientSecret: text } });
  // @ts-expect-error -- no credential for certain
  v2.createClient({ baseUrl, auth: { apiKey: text, managedUserAccessToken: text } });
  // @ts-expect-error -- the path is required
  void client.GET(teamPath, { params: { path: undefined } });
});

describe("a function that calls an operation", () => {
  const params = { path: { bookingUid: "9dKs3nTyBq7WfX1jPv0G" } };

  it("accepts and returns the same as the call by path", async () => {
    const result = getOrganizationTeam(client, team);
    const byPath = client.GET(teamPath, team);
    expectTypeOf(result).toEqualTypeOf(byPath);
    expectTypeOf((await v2.unwrap(result)).data).toEqualTypeOf<Team>();
    expectTypeOf(await v2.unwrap(getOrganizationTeam(client, { ...team, parseAs: "text" }))).toEqualTypeOf<string>();
    await listAttendees(v1.createClient({ baseUrl: "" }));
    await rescheduleBooking(client, { params, body: { start: "2026-03-17T13:00:00Z" }, signal: null });
    const header = { "svc-api-version": "2024-08-13" } as const;
    await rescheduleBooking(client, { params: { ...params, header }, body: { start: "2026-03-17T13:00:00Z" } });
  });

  it("takes nothing else", () => {
    // @ts-expect-error -- no parameters
    void getOrganizationTeam(client);
    // @ts-expect-error -- no body
    void rescheduleBooking(client, { params });
    // @ts-expect-error -- misspelt
    void rescheduleBooking(client, { params, body: { strat: "2026-03-17T13:00:00Z" } });
    // @ts-expect-error -- misspelt, although no query parameter is required
    void listOrganizationSchedules(client, { params: { path: { orgId: 42 }, query: { tkae: 10 } } });
    // @ts-expect-error -- another type
    void listOrganizationSchedules(client, { params: { path: { orgId: 42 }, query: { take: "10" } } });
    // @ts-expect-error -- the client of the other generation
    void getOrganizationTeam(v1.createClient({ baseUrl: "" }), team);
  });
});

describe("an answer", () => {
  it("has a failure that is unknown, because the contract leaves it open", async () => {
    const { data, error } = await client.GET(teamPath, team);
    expectTypeOf(error).toBeUnknown();
    // @ts-expect-error -- nothing is known of it
    expectTypeOf(error.message);
    // @ts-expect-error -- it may be a failure
    expectTypeOf(data.data);
    if (data === undefined) expectTypeOf(error).toBeUnknown();
  });

  it("with a body that is not specified is unknown", async () => {
    const removed = await v1.unwrap(
      v1.createClient({ baseUrl: "" }).DELETE("/v1/teams/{teamId}", { params: { path: { teamId: 7 } } }),
    );
    expectTypeOf(removed).toBeUnknown();
    // @ts-expect-error -- nothing is known of it
    expectTypeOf(removed.status);
  });

  it("has an enumeration that stays open", async () => {
    const { data } = await v2.unwrap(
      client.GET("/v2/organizations/{orgId}/memberships/{membershipId}", {
        params: { path: { orgId: 42, membershipId: 88 } },
      }),
    );
    expectTypeOf<"OWNER">().toExtend<typeof data.role>();
    expectTypeOf<string>().toExtend<typeof data.role>();
    // @ts-expect-error -- more values than this one are possible
    expectTypeOf<"MEMBER">(data.role);
  });

  it("has null where the contract has it, and nowhere else", () => {
    expectTypeOf<v1.Booking["description"]>().toEqualTypeOf<string | null>();
    expectTypeOf<Team["name"]>().toEqualTypeOf<string>();
  });

  it("has the type that a call asks for", async () => {
    expectTypeOf(await v2.unwrap(client.GET(teamPath, { ...team, parseAs: "text" }))).toEqualTypeOf<string>();
    expectTypeOf(await v2.unwrap(client.GET(teamPath, { ...team, parseAs: "blob" }))).toEqualTypeOf<Blob>();
  });

  it("whose body is not specified may have none, in any type", async () => {
    const removed = v1
      .createClient({ baseUrl: "" })
      .DELETE("/v1/teams/{teamId}", { params: { path: { teamId: 7 } }, parseAs: "text" });
    expectTypeOf(await v1.unwrap(removed)).toEqualTypeOf<string | undefined>();
  });

  it("is walked item by item where it is a list", async () => {
    const params = { path: { orgId: 42 }, query: { take: 50 } };
    const schedules = v2.paginate(listOrganizationSchedules, client, { params });
    for await (const schedule of schedules) expectTypeOf(schedule).toEqualTypeOf<Schedule>();
    // @ts-expect-error -- the size of a page is not specified, so whoever calls has to choose it
    v2.paginate(listOrganizationSchedules, client, { params: { path: { orgId: 42 } } });
  });
});

describe("auth", () => {
  const baseUrl = "http://127.0.0.1:4010";

  it("has the credentials that operations name", () => {
    v1.createClient({ baseUrl, auth: { apiKey: "key" } });
    v2.createClient({ baseUrl, auth: { apiKey: () => "svc_key" } });
    v2.createClient({ baseUrl, auth: { managedUserAccessToken: () => Promise.resolve("token") } });
    v2.createClient({ baseUrl, auth: { oauthClientSecret: "secret" } });
    v2.createClient({ baseUrl, auth: { oauthClientId: "id", oauthClientSecret: "secret" } });
    v2.createClient({ baseUrl, auth: { apiKey: "svc_key", oauthClientId: "id", oauthClientSecret: "secret" } });
    v2.createClient({ baseUrl });
    expectTypeOf<v2.Auth>().toHaveProperty("managedUserAccessToken");
  });

  it("has no other", () => {
    // @ts-expect-error -- the base address of the service is not specified
    v2.createClient({ auth: { apiKey: "svc_key" } });
    // @ts-expect-error -- nothing
    v2.createClient({ baseUrl, auth: {} });
    // @ts-expect-error -- misspelt
    v2.createClient({ baseUrl, auth: { apikey: "svc_key" } });
    // @ts-expect-error -- one that the contract does not have, beside one that it has
    v2.createClient({ baseUrl, auth: { apiKey: "svc_key", password: "secret" } });
    // @ts-expect-error -- one of v2
    v1.createClient({ baseUrl, auth: { managedUserAccessToken: "token" } });
    // @ts-expect-error -- half a pair, which no operation takes
    v2.createClient({ baseUrl, auth: { oauthClientId: "id" } });
    // @ts-expect-error -- half a pair beside a credential
    v2.createClient({ baseUrl, auth: { apiKey: "svc_key", oauthClientId: "id" } });
    // @ts-expect-error -- another type
    v2.createClient({ baseUrl, auth: { apiKey: 1 } });
    // @ts-expect-error -- it may be missing from the environment
    v2.createClient({ baseUrl, auth: { apiKey: process.env["API_KEY"] } });
    // @ts-expect-error -- a function that gives another type
    v2.createClient({ baseUrl, auth: { apiKey: () => 1 } });
    // @ts-expect-error -- no object
    v2.createClient({ baseUrl, auth: "svc_key" });
  });
});

describe("validation", () => {
  it("takes the schemas of the contract, which it needs", () => {
    const options = { baseUrl: "", auth: { apiKey: "svc_test" } };
    v2.createClient({ ...options, validate: "throw", schemas });
    // @ts-expect-error -- without the schemas, nothing can be validated
    v2.createClient({ ...options, validate: "warn" });
    // @ts-expect-error -- the schemas of the other generation
    v2.createClient({ ...options, validate: "throw", schemas: otherSchemas });
    // @ts-expect-error -- even where they are not used
    v2.createClient({ ...options, schemas: otherSchemas });
    // @ts-expect-error -- misspelt
    v2.createClient({ ...options, validate: "warning", schemas });
  });

  it("has schemas of the types that are generated, which libraries take", () => {
    expectTypeOf<StandardSchemaV1.InferOutput<typeof TeamSchema>>().toEqualTypeOf<Team>();
    expectTypeOf(TeamSchema).toExtend<StandardSchemaV1<Team>>();
    expectTypeOf(withJsonSchema(TeamSchema)).toExtend<StandardSchemaV1<Team> & StandardJSONSchemaV1<Team>>();
    // One of several, as a loop over them has it.
    const either = Object.values({ TeamSchema, MembershipSchema })[0] ?? TeamSchema;
    expectTypeOf(withJsonSchema(either)).toExtend<StandardJSONSchemaV1>();
    expectTypeOf(membershipRoleValues).toEqualTypeOf<readonly ["MEMBER"]>();
  });
});

import { describe, expect, it, vi } from "vitest";
import { createClient, unwrap } from "../../generated/v2/client.ts";
import * as examples from "../../generated/v2/examples.ts";
import { Booking, ContractError, schemas, withFormats } from "../../generated/v2/schemas.ts";
import { contractSchemas } from "../../scripts/client/contractSchemas.ts";
import { array, blob, object, string } from "../../scripts/client/schema.ts";
import { startRecorder } from "./recorder.ts";

const path = "/v2/organizations/{orgId}/teams/{teamId}";
const team = { params: { path: { orgId: 42, teamId: 7 } } };
const auth = { apiKey: "svc_test" };
const { bio: _, ...withoutBio } = examples.Team.data;
const broken = { ...examples.Team, data: { ...withoutBio, id: "secret-7" } };
const message = `GET ${path}: the response, 200, breaks the contract: data.bio is missing; data.id must be of type integer`;

async function startService(body: unknown) {
  return startRecorder((_arrival, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify(body));
  });
}

describe("a time that the contract has in UTC", () => {
  const bookingWith = (start: string) => {
    const { data } = examples.RescheduledBooking;
    return Booking["~standard"].validate({ ...data, start, end: start });
  };

  it.each(["2026-03-17T13:00:00Z", "2026-03-17T13:00:00.5+00:00"])("may be %s", (start) => {
    expect(bookingWith(start)).not.toHaveProperty("issues");
  });

  it.each(["2026-03-17T13:00:00+02:00", "2026-03-17T13:00:00-00:30", "2026-03-17T13:00:00"])("is not %s", (start) => {
    expect(bookingWith(start)).toMatchObject({ issues: [{ path: ["start"] }, { path: ["end"] }] });
  });
});

describe("a response that breaks the contract", () => {
  it("rejects the call, and the error names each field and shows no value", async () => {
    await using server = await startService(broken);
    const client = createClient({ baseUrl: server.url, auth, validate: "throw", schemas });
    const error = await client.GET(path, team).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ContractError);
    expect(error).toMatchObject({
      ...{ name: "ContractError", message, method: "GET", path, status: 200 },
      issues: [{ path: ["data", "bio"] }, { path: ["data", "id"] }],
    });
    expect(JSON.stringify(error) + String(error)).not.toMatch(/secret-7|svc_test/);
  });

  it("is reported and returned unchanged, with a warning", async () => {
    await using server = await startService(broken);
    const told: ContractError[] = [];
    const onViolation = (error: ContractError) => told.push(error);
    const client = createClient({ baseUrl: server.url, auth, validate: "warn", schemas, onViolation });
    expect(await unwrap(client.GET(path, team))).toEqual(broken);
    expect(told.map((error) => error.message)).toEqual([message]);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("not today");
      },
    ],
    ["rejects", () => Promise.reject(new Error("not today"))],
  ])("is told in vain to what %s, which changes nothing but the console", async (_, onViolation: () => unknown) => {
    await using server = await startService(broken);
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const lenient = createClient({ baseUrl: server.url, auth, validate: "warn", schemas, onViolation });
    expect(await unwrap(lenient.GET(path, team))).toEqual(broken);
    const strict = createClient({ baseUrl: server.url, auth, validate: "throw", schemas, onViolation });
    await expect(strict.GET(path, team)).rejects.toThrow(ContractError);
    const complaint = ["onViolation failed:", new Error("not today")];
    expect(warn.mock.calls).toEqual([complaint, complaint]);
    warn.mockRestore();
  });

  it.each(["warn", true])("is reported in the console by default, with validate: %j", async (validate) => {
    await using server = await startService(broken);
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    // @ts-expect-error -- JavaScript may have `true`
    const client = createClient({ baseUrl: server.url, auth, validate, schemas });
    await client.GET(path, team);
    expect(warn.mock.calls).toEqual([[message]]);
    warn.mockRestore();
  });

  it("is accepted unchanged without validation, as are bodies other than JSON", async () => {
    await using server = await startService(broken);
    for (const validate of [undefined, false] as const) {
      const client = createClient({ baseUrl: server.url, auth, validate, schemas });
      expect((await client.GET(path, team)).data).toEqual(broken);
    }
    const client = createClient({ baseUrl: server.url, auth, validate: "throw", schemas });
    expect((await client.GET(path, { ...team, parseAs: "text" })).data).toBe(JSON.stringify(broken));
  });
});

describe("what the contract allows", () => {
  it("passes, also with values and fields that it does not list", async () => {
    const membership = { ...examples.AcceptedTeamMembership.data, role: "OWNER", more: true };
    await using server = await startService({ status: "success", data: membership });
    const client = createClient({ baseUrl: server.url, auth, validate: "throw", schemas });
    const params = { path: { orgId: 42, membershipId: 88 } };
    const { data } = await client.GET("/v2/organizations/{orgId}/memberships/{membershipId}", { params });
    expect(data?.data).toEqual(membership);
  });

  it("says nothing of a failure, which is not specified", async () => {
    await using server = await startRecorder((_arrival, response) => {
      response.writeHead(404, { "content-type": "application/json" }).end('{"any":1}');
    });
    const client = createClient({ baseUrl: server.url, auth, validate: "throw", schemas });
    expect((await client.GET(path, team)).error).toEqual({ any: 1 });
  });
});

describe("a request that breaks the contract", () => {
  it("is not sent", async () => {
    await using server = await startService(examples.IcsFeedConnection);
    const client = createClient({ baseUrl: server.url, auth, validate: "throw", schemas });
    const call = client.POST("/v2/calendars/ics-feed/save", { body: { urls: ["webcal://a.example/secret.ics"] } });
    await expect(call).rejects.toThrow(
      "POST /v2/calendars/ics-feed/save: the request breaks the contract: urls.0 must match /^https?:\\/\\//u",
    );
    expect(server.arrivals).toEqual([]);
    await client.POST("/v2/calendars/ics-feed/save", { body: { urls: ["https://a.example/a.ics"] } });
    expect(server.arrivals).toHaveLength(1);
  });
});

describe("a time in a request", () => {
  const reschedule = "/v2/bookings/{bookingUid}/reschedule";
  const params = { path: { bookingUid: "9dKs3nTyBq7WfX1jPv0G" } };
  const start = new Date("2026-03-17T14:00:00+01:00");

  it("is what JSON has for it: in UTC for a Date", async () => {
    await using server = await startRecorder((_, response) => {
      response.end(JSON.stringify({ status: "success", data: examples.RescheduledBooking.data }));
    });
    const client = createClient({ baseUrl: server.url, auth, validate: "throw", schemas: withFormats(schemas) });
    await client.POST(reschedule, { params, body: { start } });
    await client.POST(reschedule, { params, body: { start: { toJSON: () => "2026-03-17T13:00:00Z" } } });
    const periods = "/v2/organizations/{orgId}/users/{userId}/ooo/{oooId}";
    const path = { orgId: 42, userId: 7, oooId: 3 };
    const soon = client.PATCH(periods, { params: { path }, body: { start: { toJSON: () => "soon" } } });
    await expect(soon).rejects.toThrow('the request breaks the contract: start must match format "date-time"');
    expect(server.arrivals.map(({ body }) => body)).toEqual([
      '{"start":"2026-03-17T13:00:00.000Z"}',
      '{"start":"2026-03-17T13:00:00Z"}',
    ]);
  });

  it("is refused if it is an invalid Date, which JSON has null for", async () => {
    await using server = await startRecorder();
    const client = createClient({ baseUrl: server.url, auth });
    const call = client.POST(reschedule, { params, body: { start: new Date("tomorrow") } });
    await expect(call).rejects.toThrow(`POST ${reschedule}: not sent, because start is Invalid Date`);
    expect(server.arrivals).toEqual([]);
  });

  it("keeps the files beside it", () => {
    const request = object({ at: string, files: array(blob) });
    const body = { at: start, files: [new Blob(["a"])] };
    contractSchemas({ "POST /a": { request } })({ method: "POST", path: "/a" }, undefined, body, { validate: "throw" });
  });
});

describe("formats", () => {
  it("are asserted where the client is told to", async () => {
    const client = createClient({
      baseUrl: "http://127.0.0.1:1",
      auth,
      validate: "throw",
      schemas: withFormats(schemas),
    });
    const params = { path: { orgId: 42, userId: 7, oooId: 3 } };
    const path = "/v2/organizations/{orgId}/users/{userId}/ooo/{oooId}";
    const call = client.PATCH(path, { params, body: { start: "tomorrow" } });
    await expect(call).rejects.toThrow('the request breaks the contract: start must match format "date-time"');
  });

  it("are annotations otherwise, also after they have been asserted", () => {
    const { data } = examples.RescheduledBooking;
    const booking = { ...data, meetingUrl: "no URI", createdAt: "2026-02-30T00:00:00Z", guests: ["nobody"] };
    expect(withFormats(Booking)["~standard"].validate(booking)).toMatchObject({
      issues: [{ path: ["meetingUrl"] }, { path: ["createdAt"] }, { path: ["guests", 0] }],
    });
    expect(Booking["~standard"].validate(booking)).not.toHaveProperty("issues");
  });
});

it("leaves a form alone where an operation also takes JSON", () => {
  const validate = contractSchemas({ "POST /things": { request: object({ name: string }) } });
  const operation = { method: "POST", path: "/things" };
  expect(() => {
    validate(operation, undefined, {}, { validate: "throw" });
  }).toThrow(ContractError);
  validate(operation, undefined, new FormData(), { validate: "throw" });
});

it("needs schemas, also where no compiler says so", () => {
  // @ts-expect-error -- as JavaScript may
  expect(() => createClient({ baseUrl: "http://127.0.0.1:1", auth, validate: "warn" })).toThrow(
    new TypeError('"validate" requires "schemas"'),
  );
});

describe("the examples", () => {
  it("have the values that their schemas accept, under the contract's names", () => {
    const { toTheAfternoon } = examples.rescheduleBookingRequest;
    expect(toTheAfternoon).toMatchObject({ start: "2026-03-17T13:00:00Z" });
    expect(examples.rescheduleBookingResponse.rescheduled).toBe(examples.RescheduledBooking);
  });
});

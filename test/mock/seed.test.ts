import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { readMockOptions } from "../../scripts/command/mockOptions.ts";
import { createEngine, type EngineOptions } from "../../scripts/mock/server/engine.ts";
import type { MockState } from "../../scripts/mock/mockTypes.ts";
import { valueAt } from "../../scripts/values/json.ts";

const generations = await readBuiltGenerations();
const seedState = {
  Team: [{ id: 1, orgId: 42, name: "Radiology" }],
  Membership: [{ id: 9, orgId: 42, teamId: 1, accepted: false }],
  Attendee: [
    { id: 1, name: "Noor" },
    { id: 2, name: "Ole" },
  ],
  Booking: [{ id: 5, startTime: "2027-01-01T10:00:00Z", end: "2027-01-01T10:45:00Z" }],
  Recording: [{ "{id}": 5, id: "rec_1" }],
};

/** A mock that is asked for statuses, and for values in bodies. */
function begin(options: Partial<EngineOptions> = {}) {
  const mock = createEngine({ generations, seedState, ...options });
  const ask = async (target: string, body?: object, session?: string) => {
    const [method = "", path = ""] = target.split(" ");
    const headers = {
      ...{ authorization: "Bearer svc_key", "svc-api-version": "2024-08-13" },
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(session !== undefined && { "x-mock-session": session }),
    };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await mock.fetch(`http://mock.example${path}`, init);
    const value: unknown = JSON.parse((await response.text()) || "null");
    return { status: response.status, at: (...keys: readonly string[]) => valueAt(value, keys) };
  };
  return { mock, ask };
}

const team = "/v2/organizations/42/teams/1";
const nameOf = (answer: { readonly at: (...keys: readonly string[]) => unknown }) => answer.at("data", "name");

test("what was seeded exists in each session and after a reset, and what was written leaves the others alone", async () => {
  const { mock, ask } = begin();
  expect(nameOf(await ask(`GET ${team}`))).toBe("Radiology");
  await ask("DELETE /v1/teams/1?apiKey=k");
  await ask("PATCH /v1/attendees/1?apiKey=k", { name: "Nora" }, "a");
  expect((await ask(`GET ${team}`)).status).toBe(404);
  expect(nameOf(await ask(`GET ${team}`, undefined, "a"))).toBe("Radiology");
  expect((await ask("GET /v1/attendees/1?apiKey=k")).at("attendee", "name")).toBe("Noor");
  mock.reset();
  expect(nameOf(await ask(`GET ${team}`))).toBe("Radiology");
});

test("a saved state has what was written, and is loaded onto the seed", async () => {
  const { mock, ask } = begin({ unknown: 404 });
  expect(mock.state()).toEqual({ resources: {}, counters: {} });
  await ask(`DELETE ${team}`);
  const state: MockState = mock.state();
  expect(Object.keys(state.resources)).toEqual(["Team"]);
  mock.reset();
  mock.restore(state, "other");
  expect((await ask(`GET ${team}`)).status).toBe(200);
  expect((await ask(`GET ${team}`, undefined, "other")).status).toBe(404);
  expect((await ask("GET /v1/attendees/2?apiKey=k", undefined, "other")).status).toBe(200);
});

test("with 404 for what is unknown, only what was seeded or created exists, where it was put", async () => {
  const { ask } = begin({ unknown: 404 });
  const statusOf = async (target: string, body?: object) => (await ask(target, body)).status;
  const list = await ask("GET /v1/attendees?apiKey=k");
  expect(list.at("attendees")).toMatchObject(seedState.Attendee);
  expect((await ask("GET /v2/organizations/42/schedules")).at("data")).toEqual([]);
  for (const target of [
    ...["GET /v1/attendees/501?apiKey=k", "GET /v2/organizations/42/teams/7", "GET /v2/organizations/43/teams/1"],
    ...["GET /v2/organizations/43/memberships/9", "DELETE /v2/teams/7", "GET /v1/bookings/9002/recordings?apiKey=k"],
  ])
    expect([target, await statusOf(target)]).toEqual([target, 404]);
  const accepted = { accepted: true };
  expect(await statusOf("PATCH /v2/organizations/42/teams/7/memberships/9", accepted)).toBe(404);
  expect(await statusOf(`PATCH ${team}/memberships/9`, accepted)).toBe(200);
  expect((await ask("GET /v2/organizations/42/memberships/9")).at("data", "accepted")).toBe(true);
  expect((await ask("GET /v1/bookings/5/recordings?apiKey=k")).at("0", "id")).toBe("rec_1");
});

test("a 404 says what was deleted, and what was never there", async () => {
  const { ask } = begin({ unknown: 404 });
  const reasonOf = async (target: string) => (await ask(target)).at("detail");
  expect(await reasonOf("GET /v2/organizations/42/teams/7")).toContain(
    "teamId identifies was neither seeded nor created.",
  );
  await ask(`DELETE ${team}`);
  expect(await reasonOf(`GET ${team}`)).toContain(
    "An earlier request deleted the resource that the path parameter teamId",
  );
  expect(await reasonOf("GET /v1/bookings/9002/recordings?apiKey=k")).toContain("was neither seeded nor created.");
});

test("a resource has its other identifiers too, and what was created exists", async () => {
  const { ask } = begin({ unknown: 404 });
  const booking = await ask("PATCH /v1/bookings/5?apiKey=k", { title: "Moved" });
  expect(booking.at("booking", "startTime")).toBe(seedState.Booking[0]?.startTime);
  const start = { start: "2027-02-01T10:00:00Z" };
  const moved = await ask(`POST /v2/bookings/${String(booking.at("booking", "uid"))}/reschedule`, start);
  expect(moved.at("data")).toMatchObject({ title: "Moved", end: "2027-02-01T10:45:00Z" });
  const again = await ask(`POST /v2/bookings/${String(moved.at("data", "uid"))}/reschedule`, start);
  expect([again.status, (await ask("POST /v2/bookings/abc/reschedule", start)).status]).toEqual([201, 404]);
});

test("of the types that are named, and without a seed", async () => {
  const { ask } = begin({ seedState: undefined, unknown: { Team: 404 } });
  expect((await ask(`GET ${team}`)).status).toBe(404);
  expect((await ask("GET /v2/organizations/42/memberships/9")).status).toBe(200);
  for (const [unknown, message] of [
    [{ Teem: 404 }, "Teem is not a type of resource: did you mean Team?"],
    [{ Team: 403 }, "Team must have 404"],
    [500, "must be 404, or 404 for names of types"],
  ] as const)
    // @ts-expect-error: what only JavaScript passes.
    expect(() => createEngine({ generations, unknown })).toThrow(`--unknown (in code: unknown): ${message}`);
});

test("another contract takes over the seed, and says what it drops", async () => {
  const { mock, ask } = begin({ unknown: 404 });
  await ask(`DELETE ${team}`);
  const dropped = mock.replace(generations.filter(({ name }) => name === "v2"));
  expect(dropped).toContainEqual(expect.stringContaining("/Attendee is not a type of resource"));
  expect((await ask(`GET ${team}`)).status).toBe(404);
  expect((await ask("GET /v2/organizations/42/memberships/9")).status).toBe(200);
});

test.each([
  [{ Teem: [] }, "/Teem is not a type of resource: did you mean Team?"],
  [{ Team: {} }, "/Team must be an array"],
  [[], "must be an object"],
  [{ Team: [{ id: "x" }] }, "/Team/0/id must be an integer"],
  [{ Team: [{ name: "A" }] }, "/Team/0 lacks its identifier: id"],
  [{ Team: [{ id: 7, nam: "A" }] }, "/Team/0/nam is neither a property of Team nor in its path: did you mean name?"],
  [{ Team: [{ id: 7, orgId: {} }] }, "/Team/0/orgId must be a number or text"],
  [{ Attendee: [{ id: 7 }, { id: 8 }, { id: 7 }] }, "/Attendee/2 has the identifier of an earlier one"],
  [{ Membership: [{ id: 7 }] }, "/Membership/0 lacks path parameters: orgId"],
])("a seed such as %j is refused in words", (seed, message) => {
  expect(() => createEngine({ generations, seedState: seed })).toThrow(`seedState cannot be used: ${message}`);
});

test("a seed file may begin with a byte order mark", async () => {
  const folder = await mkdtemp(join(tmpdir(), "seed-"));
  const file = join(folder, "seed.json");
  await writeFile(file, '\uFEFF{"Team":[]}');
  const values = { port: "0", host: "127.0.0.1", "state-limit": "1", "body-limit": "1", "seed-state": file };
  expect(readMockOptions(values).seedState).toEqual({ Team: [] });
  await rm(folder, { recursive: true });
});

test.each([{ dynamic: true }, { stateless: true }])("a seed beside %j is refused", (option) => {
  expect(() => createEngine({ generations, seedState, ...option })).toThrow("and --seed-state exclude each other");
});

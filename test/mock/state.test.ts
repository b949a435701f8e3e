import { beforeEach, describe, expect, test } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { membersOf, objectsOf, valueAt } from "../../scripts/values/json.ts";
import { createEngine, type Engine } from "../../scripts/mock/server/engine.ts";
import type { RequestEntry } from "../../scripts/mock/mockTypes.ts";
import { createOAuthClientRequest } from "../../generated/v2/examples.ts";

const generations = await readBuiltGenerations();
const key = { authorization: "Bearer svc_key" };
const dated = { ...key, "svc-api-version": "2024-08-13" };

let mock: Engine;
let log: RequestEntry[];
beforeEach(() => {
  log = [];
  mock = createEngine({ generations, onResponse: (entry) => log.push(entry) });
});

/** Sends a request and returns the status and a value in the body. */
async function send(method: string, target: string, body?: object, headers: Readonly<Record<string, string>> = key) {
  const response = await mock.fetch(`http://mock.example${target}`, {
    method,
    headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const value: unknown = JSON.parse(text);
  return { status: response.status, at: (...keys: readonly string[]) => valueAt(value, keys), text };
}

describe("reading", () => {
  test("finds every identifier, with the values of the example", async () => {
    const [own, other] = [
      await send("GET", "/v2/organizations/42/memberships/87"),
      await send("GET", "/v2/organizations/42/memberships/12345"),
    ];
    expect([own.at("data", "id"), other.at("data", "id")]).toEqual([87, 12345]);
    expect(other.at("data", "role")).toBe(own.at("data", "role"));
  });

  test("shows the other identifiers of the path too, and takes 7.0 for 7", async () => {
    const team = "/v2/organizations/42/teams/7.0";
    expect((await send("PATCH", `${team}/memberships/99`, { role: "OWNER" })).at("data", "teamId")).toBe(7);
    expect((await send("GET", "/v2/organizations/42/memberships/99.0")).at("data", "teamId")).toBe(7);
  });

  test("finds what was written under the largest identifier that a request may have, also in a state", async () => {
    const largest = String(2 ** 53 - 1);
    await send("PATCH", `/v2/organizations/42/teams/7/memberships/${largest}`, { role: "OWNER" });
    mock.restore(mock.state());
    const membership = await send("GET", `/v2/organizations/42/memberships/${largest}`);
    expect(membership.at("data")).toMatchObject({ id: 2 ** 53 - 1, role: "OWNER" });
  });

  test("gives a link that is renewed a new value each time", async () => {
    const links = [];
    for (let n = 0; n < 3; n += 1) {
      const list = await send("GET", "/v1/bookings/9002/recordings?apiKey=k");
      links.push(list.at("0", "download_link"));
    }
    expect(new Set(links).size).toBe(3);
  });
});

describe("updating", () => {
  test("takes over the fields of the body, and only those", async () => {
    const path = "/v1/attendees/501?apiKey=k";
    const before = await send("GET", path);
    const after = await send("PATCH", path, { name: "Noor Ek", unknownField: 1 });
    expect(after.at("attendee")).toEqual({ ...Object(before.at("attendee")), name: "Noor Ek" });
    expect((await send("GET", path)).text).toBe(after.text);
  });

  test("accepts a membership, and both paths show it", async () => {
    const inTeam = "/v2/organizations/42/teams/7/memberships/9";
    const inOrganization = "/v2/organizations/42/memberships/9";
    await send("PATCH", inTeam, { accepted: false });
    expect((await send("GET", inOrganization)).at("data", "accepted")).toBe(false);
    await send("PATCH", inTeam, { accepted: true });
    expect((await send("GET", inOrganization)).at("data", "accepted")).toBe(true);
    expect((await send("PATCH", inTeam, { role: "MEMBER" })).at("data", "accepted")).toBe(true);
    expect((await send("GET", "/v2/organizations/43/memberships/9")).at("data", "role")).toBeTypeOf("string");
  });

  test("cancels a booking for good", async () => {
    const path = "/v1/bookings/5?apiKey=k";
    expect((await send("PATCH", path, { status: "CANCELLED" })).at("booking", "status")).toBe("CANCELLED");
    const later = await send("PATCH", path, { title: "Later" });
    expect([later.at("booking", "status"), later.at("booking", "title")]).toEqual(["CANCELLED", "Later"]);
    expect(later.at("booking", "id")).toBe(5);
  });

  test("finds what v1 writes under a name of its own", async () => {
    const times = { start: "2027-01-01T10:00:00Z", end: "2027-01-01T11:30:00Z" };
    const booking = await send("PATCH", "/v1/bookings/5?apiKey=k", times);
    expect([booking.at("booking", "startTime"), booking.at("booking", "endTime")]).toEqual([times.start, times.end]);
    const uid = String(booking.at("booking", "uid"));
    const moved = await send("POST", `/v2/bookings/${uid}/reschedule`, { start: "2027-02-01T10:00:00Z" }, dated);
    expect(moved.at("data", "end")).toBe("2027-02-01T11:30:00Z");
  });
});

describe("a time with an offset", () => {
  test("is shown in UTC where the response has times in UTC", async () => {
    const times = { start: "2027-01-01T10:00:00+02:00", end: "2027-01-01T09:30:00.5-00:30" };
    const booking = await send("PATCH", "/v1/bookings/5?apiKey=k", times);
    const shown = [booking.at("booking", "startTime"), booking.at("booking", "endTime")];
    expect(shown).toEqual(["2027-01-01T08:00:00Z", "2027-01-01T10:00:00.500Z"]);
    const same = await send("PATCH", "/v1/bookings/5?apiKey=k", { start: "2027-01-01T08:00:00+00:00" });
    expect(same.at("booking", "startTime")).toBe("2027-01-01T08:00:00+00:00");
  });
});

describe("creating", () => {
  test("rescheduling makes a new booking that names the old one and keeps its length", async () => {
    const body = { start: "2026-05-01T09:00:00Z", rescheduledBy: "noor@mail.example" };
    const first = await send("POST", "/v2/bookings/abc/reschedule", body, dated);
    const second = await send(
      "POST",
      `/v2/bookings/${String(first.at("data", "uid"))}/reschedule`,
      { start: "2026-06-01T09:00:00Z" },
      dated,
    );
    expect(first.at("data")).toMatchObject({
      ...{ rescheduledFromUid: "abc", start: body.start, end: "2026-05-01T09:30:00Z", status: "accepted" },
      rescheduledByEmail: body.rescheduledBy,
    });
    expect(second.at("data", "rescheduledFromUid")).toBe(first.at("data", "uid"));
    const identifiers = [first, second].flatMap((one) => [one.at("data", "id"), one.at("data", "uid")]);
    expect(new Set(identifiers).size).toBe(4);
    const seen = await send("PATCH", `/v1/bookings/${String(second.at("data", "id"))}?apiKey=k`, { title: "Moved" });
    expect([seen.at("booking", "uid"), seen.at("booking", "startTime")]).toEqual([
      second.at("data", "uid"),
      "2026-06-01T09:00:00Z",
    ]);
  });

  test("rescheduling without a reason and a name responds with neither, whatever was said of an earlier booking", async () => {
    const reasoned = { start: "2026-05-01T09:00:00Z", rescheduledBy: "noor@mail.example", reschedulingReason: "Ill." };
    const first = await send("POST", "/v2/bookings/abc/reschedule", reasoned, dated);
    expect(first.at("data")).toMatchObject({ reschedulingReason: "Ill.", rescheduledByEmail: "noor@mail.example" });
    for (const uid of ["def", String(first.at("data", "uid"))]) {
      const body = { start: "2026-06-01T09:00:00Z" };
      const moved = await send("POST", `/v2/bookings/${uid}/reschedule`, body, dated);
      expect(moved.at("data")).toMatchObject({ rescheduledFromUid: uid, start: "2026-06-01T09:00:00Z" });
      expect([moved.at("data", "reschedulingReason"), moved.at("data", "rescheduledByEmail")]).toEqual([
        undefined,
        undefined,
      ]);
    }
    const unmoved = await send("POST", "/v2/bookings/abc/reschedule", {}, dated);
    expect(unmoved.at("data", "start")).toEqual(expect.any(String));
    expect(unmoved.at("data")).not.toHaveProperty("reschedulingReason");
  });

  test("gives identifiers of the example's form, the same in each run and never one twice", async () => {
    const create = async () => {
      const client = await send("POST", "/v2/oauth-clients", {
        ...createOAuthClientRequest.patientPortal,
        name: "Booth",
      });
      return String(client.at("data", "clientId"));
    };
    const identifiers = [await create(), await create(), await create()];
    expect(new Set(identifiers).size).toBe(3);
    mock = createEngine({ generations });
    expect([await create(), await create(), await create()]).toEqual(identifiers);
    const updated = await send("PATCH", `/v2/oauth-clients/${identifiers[2] ?? ""}`, { areEmailsEnabled: false });
    expect(updated.at("data")).toMatchObject({ id: identifiers[2], name: "Booth", areEmailsEnabled: false });
  });
});

describe("deleting", () => {
  test.each([
    ["in one generation and gone in the other", "/v1/teams/7?apiKey=k"],
    ["outside its organization and gone inside", "/v2/teams/7"],
    ["inside its organization", "/v2/organizations/1/teams/7"],
  ])("a team %s", async (_, target) => {
    expect((await send("DELETE", target)).status).toBeLessThan(300);
    const read = await send("GET", "/v2/organizations/42/teams/7");
    expect([read.status, read.at("detail")]).toEqual([404, expect.stringContaining("mock's choice")]);
    const again = [await send("DELETE", "/v1/teams/7?apiKey=k"), await send("DELETE", "/v2/teams/7")];
    expect(again.map(({ status }) => status)).toEqual([404, 404]);
    expect((await send("PATCH", "/v2/organizations/42/teams/7/memberships/9", { accepted: true })).status).toBe(404);
    expect((await send("GET", "/v2/organizations/42/teams/8")).status).toBe(200);
  });

  test("shows the resource as it was", async () => {
    const deleted = await send("DELETE", "/v2/teams/8");
    expect(deleted.at("data", "id")).toBe(8);
  });
});

describe("listing", () => {
  test("holds what was changed, wherever it is", async () => {
    await send("PATCH", "/v1/attendees/501?apiKey=k", { name: "Changed" });
    await send("PATCH", "/v1/attendees/777?apiKey=k", { name: "Added" });
    const list = (await send("GET", "/v1/attendees")).at("attendees");
    expect(list).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 501, name: "Changed" }),
        expect.objectContaining({ id: 777, name: "Added" }),
      ]),
    );
  });

  test("pages by the parameters that the contract names", async () => {
    const path = "/v2/organizations/42/schedules";
    const all = (await send("GET", path)).at("data");
    const first = (await send("GET", `${path}?take=1`)).at("data");
    const rest = (await send("GET", `${path}?skip=1`)).at("data");
    expect([first, rest].flat()).toEqual(all);
    expect((await send("GET", `${path}?take=5&skip=100`)).at("data")).toEqual([]);
  });
});

describe("what cannot be merged", () => {
  test("is left out of the response, and the log says so", async () => {
    const body = { start: "2026-05-01T09:00:00Z", rescheduledBy: "not an address" };
    const moved = await send("POST", "/v2/bookings/abc/reschedule", body, dated);
    expect([moved.status, moved.at("data", "start")]).toEqual([201, body.start]);
    expect(moved.at("data", "rescheduledByEmail")).not.toBe(body.rescheduledBy);
    expect(log.at(-1)?.note).toBe(
      "the response doesn't show the request's rescheduledBy (as rescheduledByEmail), because that would make the " +
        "response invalid",
    );
  });
});

test("stored resources begin with their identifiers, because the mock's page shows the beginning", async () => {
  await send("POST", "/v2/bookings/abc/reschedule", { start: "2026-05-01T09:00:00Z" }, dated);
  await send("PATCH", "/v1/bookings/9002?apiKey=k", { title: "Second consultation" });
  const stored = objectsOf(valueAt(mock.state(), ["resources", "Booking"])).map(({ properties }) =>
    membersOf(properties),
  );
  expect(
    stored.map((members) =>
      members
        .slice(0, 2)
        .map(([name]) => name)
        .toSorted(),
    ),
  ).toEqual([
    ["id", "uid"],
    ["id", "uid"],
  ]);
});

test("a request that prefers no random values has an effect", async () => {
  await send("DELETE", "/v2/teams/7", undefined, { ...key, prefer: "dynamic=false" });
  expect((await send("GET", "/v2/organizations/42/teams/7")).status).toBe(404);
});

describe("without state", () => {
  test.each([{ prefer: "code=200" }, { prefer: "dynamic=true" }])(
    "a request that prefers %j has no effect",
    async (prefer) => {
      await send("DELETE", "/v2/teams/7", undefined, { ...key, ...prefer });
      expect((await send("GET", "/v2/organizations/42/teams/7")).status).toBe(200);
    },
  );

  test("random responses differ, however they are asked for", async () => {
    const path = "/v2/organizations/42/teams/7";
    const ways = [
      () => send("GET", `${path}?__dynamic=true`),
      () => send("GET", path, undefined, { ...key, prefer: "dynamic=true" }),
    ];
    for (const way of ways) expect((await way()).text).not.toBe((await way()).text);
  });

  test("stateless gives the examples", async () => {
    mock = createEngine({ generations, stateless: true });
    await send("DELETE", "/v2/teams/7");
    expect((await send("GET", "/v2/organizations/42/teams/99")).at("data", "id")).not.toBe(99);
  });
});

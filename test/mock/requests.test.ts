import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { maskText } from "../../scripts/exchange/secrets.ts";
import { connectMock } from "../../scripts/mock/connect.ts";
import type { ConnectedMock, InProcessMock, Promised, RequestFilter } from "../../scripts/mock/mockTypes.ts";
import { createKeptRequest } from "../../scripts/mock/engine/requestEntry.ts";
import { startServer, type MockServer } from "../../scripts/mock/server/server.ts";
import { valueAt } from "../../scripts/values/json.ts";
import { createOAuthClientRequest } from "../../generated/v2/examples.ts";
import { logged } from "./requestLog.ts";

const { patientPortal: portal } = createOAuthClientRequest;

let mock: MockServer;
beforeAll(async () => {
  mock = await startServer({ generations: await readBuiltGenerations() });
});
afterAll(async () => {
  await mock.close();
});
beforeEach(() => {
  mock.reset();
});

const bearer = { authorization: "Bearer a-secret", "content-type": "application/json" };
const call = (method: string, target: string, body?: unknown, headers: Readonly<Record<string, string>> = bearer) =>
  fetch(mock.url + target, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });

async function list(query = ""): Promise<unknown> {
  return (await fetch(`${mock.url}/-/mock/requests${query}`)).json();
}

test("one line asserts what was sent", async () => {
  const before = Date.now();
  await call("PATCH", "/v2/organizations/42/teams/7/memberships/88?x=1&x=2", { accepted: true });
  const sent = {
    operation: "updateOrganizationTeamMembership",
    generation: "v2",
    method: "PATCH",
    target: "/v2/organizations/42/teams/7/memberships/88?x=1&x=2",
    path: { orgId: "42", teamId: "7", membershipId: "88" },
    query: { x: ["1", "2"] },
    headers: { authorization: "Bearer ***", "content-type": "application/json" },
    body: { accepted: true },
    status: 200,
  };
  expect(mock.requests()).toMatchObject([sent]);
  expect(await list()).toEqual(mock.requests());
  const time = Date.parse(mock.requests()[0]?.time ?? "");
  expect(time).toBeGreaterThanOrEqual(before);
  expect(time).toBeLessThanOrEqual(Date.now());
});

test("requests are filtered by operation, method and status", async () => {
  await call("GET", "/v2/organizations/42/teams/7");
  await call("DELETE", "/v2/teams/7");
  await call("DELETE", "/v2/teams/8", undefined, {});
  await call("GET", "/nowhere");
  const targets = async (query: string) => {
    const entries = await list(query);
    return Array.isArray(entries) ? entries.map((entry: unknown) => valueAt(entry, ["target"])) : entries;
  };
  const own = (filter: RequestFilter) => mock.requests(filter).map(({ target }) => target);
  expect(own({ operation: "deleteTeam" })).toEqual(["/v2/teams/7", "/v2/teams/8"]);
  expect(own({ method: "DELETE", status: 401 })).toEqual(["/v2/teams/8"]);
  expect([own({ generation: "v1" }), own({ session: "other" })]).toEqual([[], []]);
  expect(await targets("?operation=deleteTeam")).toEqual(["/v2/teams/7", "/v2/teams/8"]);
  expect(await targets("?method=DELETE&status=401")).toEqual(["/v2/teams/8"]);
  expect(await targets("?status=200&status=404")).toEqual(["/v2/organizations/42/teams/7", "/v2/teams/7", "/nowhere"]);
});

test("a list continues after the last request that is known, also after a reset", async () => {
  await call("DELETE", "/v2/teams/1");
  await call("DELETE", "/v2/teams/2");
  const [, known] = mock.requests();
  const after = known?.id ?? 0;
  expect([mock.requests({ after }), await list(`?after=${after}`)]).toEqual([[], []]);
  await call("DELETE", "/v2/teams/3");
  expect(mock.requests({ after })).toMatchObject([{ target: "/v2/teams/3" }]);
  mock.reset();
  await call("DELETE", "/v2/teams/4");
  expect(await list(`?after=${after}`)).toMatchObject([{ target: "/v2/teams/4" }]);
});

test("an entry names the rules that made its response, also after their last use", async () => {
  const operation = "getOrganizationTeam";
  mock.overrides.set([{ id: "once", operation, respond: { status: 404 }, times: 1 }]);
  mock.faults.set([{ operation: "deleteTeam", delivery: "reset", times: 1 }]);
  await call("GET", "/v2/organizations/42/teams/7");
  await expect(call("DELETE", "/v2/teams/7")).rejects.toThrow("fetch failed");
  const [rule = ""] = mock.requests({ operation: "deleteTeam" }).map(({ fault }) => fault?.rule);
  expect(mock.requests()).toMatchObject([{ override: "once" }, { fault: { rule, delivery: "reset" } }]);
  expect([mock.overrides.list(), mock.faults.list()]).toEqual([[], []]);
  const usedUp = async (kind: string): Promise<unknown> =>
    (await fetch(`${mock.url}/-/mock/${kind}?usedUp=true`)).json();
  expect(await usedUp("overrides")).toMatchObject([{ id: "once", times: 0, used: 1 }]);
  expect(await usedUp("faults")).toMatchObject([{ id: rule, times: 0, used: 1 }]);
  mock.reset();
  expect([await usedUp("overrides"), await usedUp("faults")]).toEqual([[], []]);
});

test("the requests of all sessions are listed together, in their order", async () => {
  const team = "/v2/organizations/42/teams/7";
  for (const session of ["a", "", "b", "a"]) await call("GET", team, undefined, { "x-mock-session": session });
  expect(await list("?sessions=all")).toMatchObject([{ session: "a" }, {}, { session: "b" }, { session: "a" }]);
  expect(mock.requests()[0]).not.toHaveProperty("session");
  expect(await list("?sessions=all&status=200")).toEqual([]);
  for (const query of ["?sessions=a", "?sessions=all&timeout=1"])
    expect(await list(query)).toMatchObject({ status: 422, violations: [{ name: "sessions" }] });
  mock.sessions.end();
});

test("entries have the body of the response, as far as it is text or JSON and not too long", async () => {
  await call("GET", "/v2/organizations/42/teams/7");
  await call("HEAD", "/v2/organizations/42/teams/7");
  await call("GET", "/nowhere");
  await call("POST", "/v2/oauth-clients", portal);
  const long = { operation: "getOrganizationTeam", respond: { patch: { data: { bio: "x".repeat(2 ** 16) } } } };
  mock.overrides.set([long]);
  await call("GET", "/v2/organizations/42/teams/7");
  const text = { body: "short", headers: { "content-type": "text/plain" }, unchecked: true };
  const png = { ...text, headers: { "content-type": "image/png" } };
  for (const respond of [text, png]) {
    mock.overrides.set([{ operation: "getOrganizationTeam", respond }]);
    await call("GET", "/v2/organizations/42/teams/7");
  }
  mock.overrides.clear();
  mock.faults.set([{ delivery: "truncated", times: 1 }]);
  await call("GET", "/v2/organizations/42/teams/7")
    .then((response) => response.text(), String)
    .catch(String);
  const [team, head, refusal, client, tooLong, ...others] = mock.requests().map(({ responseBody }) => responseBody);
  expect(team).toMatchObject({ data: { id: 7, name: "Physiotherapy" } });
  expect(refusal).toMatchObject({ status: 404, title: "Not Found" });
  expect(client).toMatchObject({ data: { clientSecret: "***" } });
  expect(head).toBeUndefined();
  expect(tooLong).toMatch(/^\d{5} bytes of application\/json: too large to keep$/);
  expect(others).toEqual(["short", "5 bytes of image/png", undefined]);
});

describe("a mock in another process", () => {
  const connected = () => connectMock(mock.url);

  test("has the same functions, which return promises", async () => {
    const other = connected().session("other");
    const none = { id: "none", operation: "listOrganizationSchedules", respond: { example: "none" } };
    expect(await other.overrides.add(none)).toBe("none");
    await other.faults.set([{ operation: "deleteTeam", status: 503 }]);
    expect(await other.overrides.list()).toEqual(mock.overrides.list("other"));
    expect([mock.overrides.list(), mock.faults.list("other")]).toMatchObject([[], [{ status: 503 }]]);
    await other.overrides.remove("none");
    await other.faults.clear();
    expect([mock.overrides.list("other"), mock.faults.list("other")]).toEqual([[], []]);
    await other.seed({ Team: [{ id: 7, orgId: 42, name: "Radiology" }] });
    const inOther = { ...bearer, "x-mock-session": "other" };
    const team = await call("GET", "/v2/organizations/42/teams/7", undefined, inOther);
    expect(valueAt(await team.json(), ["data", "name"])).toBe("Radiology");
    expect(await other.requests()).toEqual(mock.requests("other"));
    const state = await other.state();
    expect(await connected().state("other")).toEqual(state);
    await other.reset();
    expect(await other.state()).toEqual({ resources: {}, counters: {} });
    await connected().restore(state);
    expect(mock.state()).toEqual(state);
    expect((await connected().sessions.list()).map(({ name }) => name)).toContain("other");
    await other.sessions.end("other");
    await connected().sessions.end("");
    expect(mock.sessions.list()).toMatchObject([{ name: "", requests: 0, resources: 0 }]);
  });

  test.each<[string, (own: ConnectedMock) => Promise<unknown>, string]>([
    [
      "an unknown operation",
      (own) => own.overrides.add({ operation: "getTaem", respond: {} }),
      'no operation has the operationId "getTaem": ',
    ],
    ["an unknown id", (own) => own.faults.remove("a/b"), 'No rule has the id "a/b": there are no rules.'],
    ["a wrong seed", (own) => own.seed({ Taem: [] }), "did you mean"],
    ["an unknown operation to wait for", (own) => own.waitForRequest({ operation: "getTaem" }), "getTaem"],
    ["too long a time", (own) => own.waitForRequest({ timeout: 60_001 }), "from 0 to 60000"],
    [
      "a function",
      (own) => own.overrides.set([{ operation: "getOrganizationTeam", respond: { body: { a: () => 1 } } }]),
      "is a function",
    ],
    [
      "a RegExp",
      (own) => own.overrides.add({ operation: "getOrganizationTeam", when: { path: { teamId: /^7/ } }, respond: {} }),
      '{ $pattern: "^7" }',
    ],
  ])("rejects %s as a mock in the same process does", async (_, act, words) => {
    const rejected = await act(connected()).then(String, (error: unknown) => error);
    expect(rejected).toBeInstanceOf(TypeError);
    expect(String(rejected)).toContain(words);
  });

  test("is said to be none where there is none", async () => {
    await expect(connectMock("http://127.0.0.1:1").reset()).rejects.toThrow("No mock responds at http://127.0.0.1:1");
    expect(() => connectMock("4010")).toThrow("must be an http or https URL");
  });
});

test.each<[string, () => Promised<Pick<InProcessMock, "waitForRequest">>]>([
  ["in the same process", () => mock],
  ["in another process", () => connectMock(mock.url)],
])("a mock %s waits for a request, in whose session it comes", async (_, get) => {
  const { waitForRequest } = get();
  const awaited = { operation: "deleteTeam", status: 200 };
  const coming = [waitForRequest(awaited), waitForRequest({ ...awaited, method: "DELETE", session: "own" })];
  await call("DELETE", "/v2/teams/7", undefined, {});
  await call("DELETE", "/v2/teams/8", undefined, { ...bearer, "x-mock-session": "own" });
  await call("DELETE", "/v2/teams/9");
  expect((await Promise.all(coming)).map(({ target }) => target)).toEqual(["/v2/teams/9", "/v2/teams/8"]);
  const latest = await waitForRequest(awaited);
  expect(latest).toMatchObject({ target: "/v2/teams/9", path: { teamId: "9" } });
  const next = waitForRequest({ operation: "deleteTeam", status: 401, after: latest.id });
  await call("DELETE", "/v2/teams/10", undefined, {});
  expect((await next).target).toBe("/v2/teams/10");
  const missed =
    'No request with {"operation":"getOrganizationTeam"} came within 1 ms. The last requests of the session';
  await expect(waitForRequest({ operation: "getOrganizationTeam", timeout: 1 })).rejects.toThrow(
    `${missed} are: DELETE /v2/teams/7 (401), DELETE /v2/teams/9 (200), DELETE /v2/teams/10 (401).`,
  );
  await expect(waitForRequest({ operation: "getTaem" })).rejects.toThrow(TypeError);
});

test.each([
  ["operations=deleteTeam", "only by operation, generation, method, status, after."],
  ["generation=v0", 'No request has "v0" as its generation: did you mean v'],
  ["operation=deleteTeams", 'No request has "deleteTeams" as its operation: did you mean deleteTeam?'],
  // A name that resembles none has no suggestion.
  ["operation=nope", 'No request has "nope" as its operation: none of the '],
  ["method=DELETE&method=delete", 'No request has "DELETE" or "delete" as its method.'],
  ["status=4xx", 'No request has "4xx" as its status.'],
  ["after=-1", 'after must be the id of a request, not "-1".'],
])("the filter %s is refused, because it would find nothing", async (query, reason) => {
  const refused = await fetch(`${mock.url}/-/mock/requests?${query}`);
  expect(refused.status).toBe(422);
  expect(valueAt(await refused.json(), ["detail"])).toContain(reason);
  const filter = Object.fromEntries(new URLSearchParams(query));
  expect(() => mock.requests(filter)).toThrow(TypeError);
});

test.each([
  [{ start: "2026-03-17T13:00:00Z" }, null],
  [
    { start: 5 },
    "the body is valid only as Seated booking, whose fields aren't specified; as Regular booking, /start must be a string",
  ],
  [
    { strat: 1 },
    'the body is valid as Seated booking, whose fields aren\'t specified; as Regular booking, "strat" is not one of start, rescheduledBy, reschedulingReason',
  ],
  [
    {},
    "the body is valid as Seated booking, whose fields aren't specified; as Regular booking, it has none of start, rescheduledBy, reschedulingReason",
  ],
])("a body that only an alternative without fields accepts is noted: %j", async (body, note) => {
  const headers = { ...bearer, "svc-api-version": "2024-08-13" };
  const response = await call("POST", "/v2/bookings/abc/reschedule", body, headers);
  expect([response.status, response.headers.get("x-mock-note")?.split(";").slice(0, 2).join(";") ?? null]).toEqual([
    201,
    note,
  ]);
});

test.each([
  ["take=2", null],
  ["tak=2", 'the operation has no query parameter "tak", so it is ignored: did you mean take?'],
  ["__code=200&other=%3Cb%3E", 'the operation has no query parameter "other", so it is ignored: there are take, skip'],
])("a query parameter that the operation doesn't have is noted: ?%s", async (query, note) => {
  for (const _ of ["new", "repeated"]) {
    const response = await call("GET", `/v2/organizations/42/schedules?${query}`, undefined, bearer);
    expect([response.status, response.headers.get("x-mock-note")]).toEqual([200, note]);
  }
});

test("a credential that an override copies is masked", async () => {
  const token = "svc_copied_0001";
  mock.overrides.set([
    {
      operation: "getOrganizationTeam",
      respond: { body: { copy: "$request.header.x-svc-secret-key" }, unchecked: true },
    },
  ]);
  const response = await call("GET", "/v2/organizations/42/teams/7", undefined, {
    ...bearer,
    "x-svc-secret-key": token,
  });
  mock.overrides.clear();
  expect(await response.json()).toEqual({ copy: token });
  expect(mock.requests().at(-1)?.responseBody).toEqual({ copy: "***" });
});

test("no session ends if none is named", async () => {
  const ended = await fetch(`${mock.url}/-/mock/sessions/`, { method: "DELETE" });
  expect(ended.status).toBe(404);
});

test("secrets are masked wherever they are", async () => {
  await call(
    "GET",
    "/v1/attendees/501?apiKey=a-secret&tokenId=a-secret&q=%20Bearer%20a-secret&r=%2520Bearer%2520a-secret",
    undefined,
    {
      "x-session-token": "a-secret",
      cookie: "a-secret",
      referer: "https://me:a-secret@a.example/?access%255ftoken=a-secret",
    },
  );
  await call("POST", "/v2/oauth-clients", {
    ...portal,
    name: "kept",
    nested: [{ clientSecret: "a-secret" }],
    url: "?key=a-secret",
  });
  const text = JSON.stringify([mock.requests(), await list()]);
  expect(text).not.toContain("a-secret");
  expect(text).toContain('"name":"kept"');
  expect(text).toContain("%20Bearer%20***");
});

test("properties whose schemas say so are masked, and the texts that violations don't show", async () => {
  const schema = {
    properties: {
      pin: { format: "password" },
      n: { type: "integer" },
      within: { type: "object", properties: { pin: { format: "password" } } },
      list: { items: { type: "integer" } },
    },
  };
  const content = { "application/json": { schema } };
  const generation = readGeneration("a", {
    openapi: "3.1.1",
    paths: { "/a": { post: { requestBody: { content }, responses: { "204": { description: "" } } } } },
  });
  await using other = await startServer({ generations: [generation] });
  const post = (body: object) =>
    fetch(`${other.url}/a`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
  await post({ pin: "1234", n: 1 });
  await post({ pin: "1234", n: "one", within: "1234" });
  await post({ list: Array.from({ length: 30 }, () => "5678") });
  await post({ text: "x".repeat(70_000) });
  const reason: unknown = expect.stringMatching(/^\/n in the body/);
  const entries = other.requests();
  expect(entries.map(({ body }) => body)).toEqual([
    { pin: "***", n: 1 },
    { pin: "***", n: "one", within: "***" },
    { list: Array.from({ length: 30 }, () => "***") },
    "70011 bytes: too large to keep",
  ]);
  expect(entries[1]).toMatchObject({
    violations: [expect.stringMatching(/^request: \/n in the body/), expect.stringContaining("/within")],
    pointers: ["/n", "/within"],
    refusal: { text: reason, isSummary: true },
    findings: [
      {
        ...{ kind: "violation", direction: "request", code: "type", in: "body", pointer: "/n" },
        ...{ rule: "must be an integer", expected: "integer", received: '"one"' },
      },
      { code: "type", pointer: "/within" },
    ],
  });
  expect(entries[1]?.findings?.[1]).not.toHaveProperty("received");
  // One more stands for those that aren't listed.
  expect(entries[2]?.findings?.at(-1)).toMatchObject({ code: "more", more: 10 });
  expect(JSON.stringify(await (await fetch(`${other.url}/-/mock/requests`)).json())).not.toContain("1234");
});

test("what a client writes isn't taken for what the mock found out", async () => {
  const query = "?the%20client%20left%20before%20the%20response=1&a;%20response:%20%2Fid=2";
  await call("GET", `/v2/organizations/42/schedules${query}`, undefined, bearer);
  const [entry] = mock.requests();
  expect(entry?.note).toContain("the client left before the response");
  expect(entry?.left).toBeUndefined();
  const details = [expect.stringMatching(/^the operation has no query parameter/)];
  expect(logged(entry)).toMatchObject({ status: "200", method: "GET", details });
  const text = "5 bytes left: too large to keep";
  mock.overrides.set([
    {
      operation: "getOrganizationTeam",
      respond: { body: text, headers: { "content-type": "text/plain" }, unchecked: true },
    },
  ]);
  await call("GET", "/v2/organizations/42/teams/7");
  expect(mock.requests().at(-1)).toMatchObject({ responseBody: text });
  expect(mock.requests().at(-1)?.described).toBeUndefined();
});

test("the size of a response's body is its number of bytes", async () => {
  const text = { headers: { "content-type": "text/plain" }, unchecked: true };
  const answered = async (body: string) => {
    mock.overrides.set([{ operation: "getOrganizationTeam", respond: { ...text, body } }]);
    await call("GET", "/v2/organizations/42/teams/7");
    const { responseBody, described } = mock.requests().at(-1) ?? {};
    return { responseBody, described };
  };
  const longest = `${"€".repeat(21_845)}x`;
  expect(await answered(longest)).toEqual({ responseBody: longest, described: undefined });
  expect(await answered(`${longest}x`)).toEqual({
    responseBody: "65537 bytes of text/plain: too large to keep",
    described: ["responseBody"],
  });
});

test("a body that a fault answers is kept too", async () => {
  mock.faults.set([
    { operation: "deleteTeam", status: 500 },
    { operation: "createOAuthClient", status: 503 },
  ]);
  await call("POST", "/v2/oauth-clients", { ...portal, name: "kept" });
  expect(mock.requests()).toMatchObject([{ status: 503, body: { name: "kept" } }]);
});

test("a request is masked once, however often it is read", () => {
  const asked: string[] = [];
  const isSecretParameter = (name: string) => asked.push(name) > 0;
  const request = { method: "GET", path: {}, query: {}, headers: { authorization: "Bearer a" } };
  const entry = { id: 1, time: "", method: "GET", target: "/", status: 200, milliseconds: 0 };
  const { readEntry } = createKeptRequest(
    entry,
    {
      ...{ ...entry, sessionName: "", isGone: false, answer: { status: 200, headers: {}, body: undefined } },
      request: { method: "GET", target: "/", headers: {} },
      received: { ...request, operation: undefined, generation: "v1", query: { pin: "1" } },
    },
    { isSecretParameter, isSecretProperty: () => false },
  );
  const first = readEntry();
  expect(first).toMatchObject({ query: { pin: "***" }, headers: { authorization: "Bearer ***" } });
  const count = asked.length;
  expect(count).toBeGreaterThan(0);
  expect(readEntry()).toEqual(first);
  expect(asked).toHaveLength(count);
});

test("who changes an entry changes nobody else's", async () => {
  await call("GET", "/v2/organizations/42/teams/7");
  const [entry] = mock.requests();
  Object.assign(entry?.headers ?? {}, { authorization: "changed" });
  expect(mock.requests()).toMatchObject([{ headers: { authorization: "Bearer ***" } }]);
});

test("other requests are answered before many long ones are listed", async () => {
  const order: string[] = [];
  const ask = async (target: string) => {
    const response = await mock.fetch(`${mock.url}${target}`, { headers: bearer });
    order.push(`${target} ${response.status}`);
    return response;
  };
  const team = "/v2/organizations/42/teams/7";
  await ask(team);
  for (let n = 0; n < 20; n += 1) {
    const init = { method: "PATCH", headers: bearer, body: JSON.stringify({ role: "a=".repeat(30_000) }) };
    await mock.fetch(`${mock.url}${team}/memberships/88`, init);
  }
  const [listed] = await Promise.all([ask("/-/mock/requests"), ask(team), ask("/-/mock/health")]);
  expect(order.slice(1).toSorted()).toEqual([`${team} 200`, "/-/mock/health 200", "/-/mock/requests 200"].toSorted());
  expect(order.at(-1)).toBe("/-/mock/requests 200");
  expect(await listed.json()).toHaveLength(21);
});

test("a name is looked at once, however often a text has it", () => {
  const asked: string[] = [];
  const isSecret = (name: string) => asked.push(name) > 2;
  const text = "a=b%3d".repeat(100);
  expect(maskText(`?${text}c=secret`, Infinity, isSecret)).toBe(`?${text}c=***`);
  expect(asked).toEqual(["a", "b", "c"]);
});

test("what is nested deep is listed without indentation, which would make it 200 times as long", async () => {
  let more: unknown = Array.from({ length: 20_000 }, () => 1);
  for (let level = 0; level < 190; level += 1) more = [more];
  await call("PATCH", "/v2/organizations/42/teams/7/memberships/88", { role: "A", more });
  const text = await (await fetch(`${mock.url}/-/mock/requests`)).text();
  expect(JSON.parse(text)).toEqual(mock.requests());
  expect(text.length).toBeLessThan(60_000);
});

test("requests of many objects are kept by the memory that they take", async () => {
  const more = Array.from({ length: 20_000 }, () => ({}));
  const body = JSON.stringify({ role: "A", more });
  for (let n = 0; n < 20; n += 1)
    await mock.fetch(`${mock.url}/v2/organizations/42/teams/7/memberships/88`, {
      method: "PATCH",
      headers: bearer,
      body,
    });
  expect(mock.requests().length).toBeGreaterThan(5);
  expect(mock.requests().length).toBeLessThan(15);
});

test("the bodies of responses count like those of requests", async () => {
  const target = `${mock.url}/v2/organizations/42/teams/7/memberships/88`;
  const [long, respond] = ["x".repeat(60_000), { headers: { "content-type": "text/plain" }, unchecked: true }];
  mock.overrides.set([{ operation: "updateOrganizationTeamMembership", respond: { ...respond, body: long } }]);
  const body = JSON.stringify({ role: long });
  for (let n = 0; n < 160; n += 1) await mock.fetch(target, { method: "PATCH", headers: bearer, body });
  // Together, they take 120 kB of the 16 MiB.
  const entries = mock.requests();
  expect(entries.at(-1)).toMatchObject({ responseBody: long });
  expect(entries.length).toBeGreaterThan(130);
  expect(entries.length).toBeLessThan(145);
});

test("all sessions together keep some 16 MiB, and the longest unused forgets its requests first", async () => {
  const params = { body: JSON.stringify({ ...portal, name: "x".repeat(60_000) }), method: "POST" };
  for (let n = 0; n < 300; n += 1) {
    const headers = { ...bearer, "x-mock-session": n < 150 ? "a" : "b" };
    await mock.fetch(`${mock.url}/v2/oauth-clients`, { ...params, headers });
  }
  const [first, second] = [mock.requests("a"), mock.requests("b")];
  expect(second).toHaveLength(150);
  expect(first.length).toBeGreaterThan(100);
  expect(first.length + second.length).toBeLessThan(280);
  mock.reset("a");
  mock.reset("b");
});

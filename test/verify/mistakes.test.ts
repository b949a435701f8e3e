import { describe, expect, it } from "vitest";
import type { requestServer } from "../../scripts/exchange/requestServer.ts";
import { readCredentials } from "../../scripts/contract/security.ts";
import { callOperations } from "../../scripts/verify/runVerification.ts";
import { estimateRun } from "../../scripts/verify/estimateRun.ts";
import { createVerification } from "../../scripts/verify/findings.ts";
import { planCalls } from "../../scripts/verify/planCalls.ts";
import type { Permission } from "../../scripts/exchange/dataChanges.ts";
import { createSender } from "../../scripts/exchange/sender.ts";
import { isRequestCheck, requestChecks, type RequestCheck } from "../../scripts/verify/wrongRequests.ts";
import { createRoomsBackend } from "./roomsBackend.ts";
import { rooms } from "./roomsContract.ts";

const server = "http://localhost";
const allChecks = new Set(Object.keys(requestChecks).filter(isRequestCheck));

type Respond = (request: Request) => Promise<Response>;

/** Calls a backend in this process, with all changes to what is created allowed. */
async function verify(respond: Respond, checks: ReadonlySet<RequestCheck> = allChecks) {
  const request: typeof requestServer = async ({ method, url, headers, body }) => {
    const sent = new Request(url, { method, headers, ...(body !== undefined && { body }) });
    const bytes = new Uint8Array(await sent.clone().arrayBuffer());
    const response = await respond(sent);
    return {
      ...{ method, url, request: { headers: [...sent.headers], body: bytes } },
      response: { status: response.status, headers: [...response.headers], body: await response.bytes() },
    };
  };
  const source = { generation: rooms, server, credentials: readCredentials(rooms, server, {}) };
  const selected = new Set(rooms.operations);
  const verification = createVerification([source], selected, true);
  const permissions = {
    selected,
    values: undefined,
    allowed: new Set<Permission>(["allow-changes"]),
  };
  const send = createSender({ rate: Infinity, callTime: 10_000, request });
  const stop = new AbortController().signal;
  const options = { ...permissions, checks, send, stop, onExchange: verification.add };
  const outcome = await callOperations(planCalls([source], permissions), options);
  return { ...outcome, findings: verification.findings(outcome.reasons) };
}

/** The findings that say that something is wrong, as `kind GET /path: message`. */
async function verifyMistake(mistake: string, checks = allChecks) {
  const { findings } = await verify(createRoomsBackend(mistake), checks);
  return findings.filter(({ kind }) => kind === "contradiction" || kind === "server error" || kind === "doubt");
}

/** What is wrong in a backend, and the operations that have it. */
const mistakes: readonly (readonly [mistake: string, operations: RegExp])[] = [
  // What the contract forbids in responses, and failures.
  ["leaves out a required property", /rooms/],
  ["shows a number as text", /rooms/],
  ["answers null", /^GET \/rooms$/],
  ["names the list otherwise", /^GET \/rooms$/],
  ["answers with an undeclared status", /^GET \/rooms$/],
  ["creates with 200", /^POST \/rooms$/],
  ["answers a deletion with 200", /^DELETE \/rooms\/\{roomId\}$/],
  ["sends HTML", /^GET \/rooms$/],
  ["sends no body", /^GET \/rooms$/],
  ["writes another charset", /^GET \/rooms$/],
  ["redirects", /^GET \/rooms$/],
  ["redirects to another server", /^GET \/rooms$/],
  ["fails to create", /^POST \/rooms$/],
  ["takes all", /^GET \/rooms$/],
  ["skips nothing", /^GET \/rooms$/],
  // What any tester would ask about.
  ["shows another one", /^GET \/rooms\/\{roomId\}$/],
  ["creates without a field", /^POST \/rooms$/],
  ["stores no field of a creation", /^POST \/rooms$/],
  ["does not keep what it creates", /^POST \/rooms$/],
  ["changes nothing", /^PATCH \/rooms\/\{roomId\}$/],
  ["stores no update", /^PATCH \/rooms\/\{roomId\}$/],
  ["resets what was not sent", /^PATCH \/rooms\/\{roomId\}$/],
  ["drops what was not sent", /^(?:GET|POST|PATCH) \/rooms\/\{roomId\}/],
  ["does not close", /^POST \/rooms\/\{roomId\}\/close$/],
  ["closes for this answer only", /^POST \/rooms\/\{roomId\}\/close$/],
  ["does not move the end", /^PATCH \/bookings\/\{bookingUid\}$/],
  ["copies without the title", /^POST \/bookings\/\{bookingUid\}\/repeat$/],
  ["forgets what it repeats", /^POST \/bookings\/\{bookingUid\}\/repeat$/],
  ["renews nothing", /^GET \/rooms\/\{roomId\}\/passes$/],
  ["deletes nothing", /^DELETE \/rooms\/\{roomId\}$/],
  ["still shows what it deleted", /^DELETE \/bookings\/\{bookingUid\}$/],
  ["skips pages", /^GET \/rooms$/],
  ["repeats an item", /^GET \/rooms$/],
  ["leaves out the last item of a page", /^GET \/rooms$/],
  ["has a number beyond 2^53", /^GET \/rooms$/],
  ["sends no challenge", /bookings|admin/],
  ["repeats a credential in a header", /^GET \/client$/],
  ["repeats a credential in the body", /^GET \/client$/],
  // What only wrong requests show.
  ["takes any key", /rooms/],
  ["takes any key that begins right", /rooms/],
  ["needs no key to read", /^GET \/rooms/],
  ["needs no key to create", /^POST \/rooms/],
  ["needs no key to delete", /^DELETE \/rooms\/\{roomId\}$/],
  ["takes any token", /bookings/],
  ["takes any password", /^GET \/admin$/],
  ["takes any access in the query", /^GET \/report$/],
  ["takes any session", /^GET \/me$/],
  ["needs half of a pair only", /^GET \/client$/],
  ["does not require a field", /^POST \/rooms$/],
  ["takes any property", /^POST \/rooms$/],
  ["takes any type", /^(?:POST|PATCH) \/rooms/],
  ["takes a short name", /^(?:POST|PATCH) \/rooms/],
  ["takes a long name", /^(?:POST|PATCH) \/rooms/],
  ["takes a number that is too small", /^(?:POST|PATCH) \/rooms/],
  ["takes any kind", /^(?:POST|PATCH) \/rooms/],
  ["takes any email", /^(?:POST|PATCH) \/rooms/],
  ["takes any number of tags", /^(?:POST|PATCH) \/rooms/],
  ["takes any time", /bookings/],
  ["takes any page", /^GET \/rooms$/],
  ["fails on another type in the query", /^GET \/rooms$/],
  ["fails on another type in the path", /^GET \/rooms\/\{roomId\}/],
  ["fails on broken JSON", /^(?:POST|PATCH) /],
  ["reads any media type", /^(?:POST|PATCH) /],
  ["answers an unknown identifier with another one", /^GET \/rooms\/\{roomId\}/],
  ["takes any version", /^(?:GET|POST) \/bookings/],
  ["needs no version", /^(?:GET|POST) \/bookings/],
  ["says no methods", /^(?:GET|PUT|POST|PATCH|DELETE) /],
  ["takes PUT as PATCH", /^PUT \/rooms\/\{roomId\}$/],
  ["takes a negative number to skip", /^GET \/rooms$/],
  ["takes a page of none", /^GET \/rooms$/],
  ["reads the beginning of a number in the query", /^GET \/rooms$/],
  ["reads the beginning of an identifier", /^GET \/rooms\/\{roomId\}/],
  ["fails on a repeated parameter", /^GET \/rooms$/],
  ["fails beyond the last page", /^GET \/rooms$/],
  ["answers null beyond the last page", /^GET \/rooms$/],
  ["begins again beyond the last page", /^GET \/rooms$/],
  ["lists in another order each time", /^GET \/rooms$/],
  ["takes null", /^(?:POST|PATCH) \/rooms/],
  ["fails on null as the body", /^(?:POST|PATCH) /],
  ["takes a list as the body", /^(?:POST|PATCH) /],
  ["takes numbers as text", /^(?:POST|PATCH) \/rooms/],
  ["takes kinds in any case", /^(?:POST|PATCH) \/rooms/],
  ["takes fractions", /^(?:POST|PATCH) \/rooms/],
  ["takes any items", /^(?:POST|PATCH) \/rooms/],
  ["does not check one field", /^(?:POST|PATCH) \/rooms/],
  ["fails without optional fields", /^POST \/rooms$/],
  ["fails on an empty change", /^PATCH \/rooms\/\{roomId\}$/],
  ["gives a known identifier", /^POST \/rooms$/],
  ["sends nothing of what it creates", /^POST \/rooms$/],
  ["shows only the changes", /^PATCH \/rooms\/\{roomId\}$/],
  ["updates all", /^PATCH \/rooms\/\{roomId\}$/],
  ["deletes all", /^DELETE \/rooms\/\{roomId\}$/],
  ["still lists what it deleted", /^DELETE \/rooms\/\{roomId\}$/],
  ["ignores the parent", /^GET \/rooms\/\{roomId\}\/passes$/],
  ["answers 200 with a failure", /^(?:GET|DELETE) \/rooms\/\{roomId\}/],
  ["shows what nobody should see", /rooms/],
  ["shows an unlisted state", /rooms/],
  ["shows a fraction", /rooms/],
  ["shows null for what is absent", /rooms/],
  ["wraps one room", /^GET \/rooms\/\{roomId\}$/],
  ["writes times without a zone", /^PATCH \/bookings\/\{bookingUid\}$/],
  ["writes times as numbers", /^PATCH \/bookings\/\{bookingUid\}$/],
];

it.each(mistakes)("tells, and fails with --fail-on doubt, where a service %s", async (mistake, operations) => {
  const blamed = (await verifyMistake(mistake)).flatMap((one) => one.operations.map(({ operation }) => operation));
  expect(blamed).not.toEqual([]);
  expect(blamed.filter((operation) => !operations.test(operation))).toEqual([]);
});

it("only doubts a service that takes any email, since formats annotate", async () => {
  const kinds = new Set((await verifyMistake("takes any email")).map(({ kind }) => kind));
  expect([...kinds]).toEqual(["doubt"]);
});

it("has nothing to say of a right service, and leaves it as it was", async () => {
  const backend = createRoomsBackend();
  const changed: string[] = [];
  const shown = async () => {
    const headers = { "X-Key": "room_key-0001", Authorization: "Bearer room-token-0001" };
    const lists = ["/rooms", "/bookings"].map((path) => backend(new Request(server + path, { headers })));
    return Promise.all(lists.map(async (list) => (await list).text()));
  };
  const before = await shown();
  const { findings, lasting, ended } = await verify((request) => {
    if (request.method !== "GET") changed.push(new URL(request.url).pathname);
    return backend(request);
  });
  expect(findings.filter(({ kind }) => kind !== "gap")).toEqual([]);
  expect([lasting, ended]).toEqual([[], undefined]);
  expect(await shown()).toEqual(before);
  // The service has had these from the beginning.
  expect(changed.filter((path) => /^\/(?:rooms\/[1-4]|bookings\/uid-1)\b/.test(path))).toEqual([]);
});

it("sends no wrong request without being asked to, apart from a GET without credentials", async () => {
  const backend = createRoomsBackend();
  const refused: string[] = [];
  await verify(async (request) => {
    const response = await backend(request.clone());
    const isOpen = [...request.headers.keys()].some((name) => /x-key|authorization|cookie|x-client/.test(name));
    // What was deleted is gone.
    if (response.status >= 400 && response.status !== 404 && (isOpen || request.method !== "GET"))
      refused.push(`${request.method} ${request.url} ${response.status}`);
    return response;
  }, new Set());
  // One half of a pair.
  expect(refused).toEqual(Array.from({ length: 2 }, () => `GET ${server}/client 401`));
});

describe("where a service has no time", () => {
  const limiting = (isLimited: (count: number) => boolean): Respond => {
    const backend = createRoomsBackend();
    let count = 0;
    return (request) => {
      count += 1;
      const refusal = new Response(null, { status: 429, headers: { "Retry-After": "0" } });
      return isLimited(count) ? Promise.resolve(refusal) : backend(request);
    };
  };

  it("waits as a 429 says, and goes on", async () => {
    const { findings, ended } = await verify(limiting((count) => count % 3 === 0));
    expect([findings.filter(({ kind }) => kind !== "gap"), ended]).toEqual([[], undefined]);
  });

  it("ends early after too many of them", async () => {
    const { ended } = await verify(limiting((count) => count > 20));
    expect(ended).toContain("got the response 429");
  });
});

it("gives a run more than the usual time, if its rate needs that", () => {
  const source = { generation: rooms, server, credentials: readCredentials(rooms, server, {}) };
  const selected = new Set(rooms.operations);
  const plan = planCalls([source], {
    selected,
    values: undefined,
    allowed: new Set<Permission>(["allow-changes"]),
  });
  const right = estimateRun(plan, new Set(), 5);
  const all = estimateRun(plan, allChecks, 0.5);
  expect([right.limit, all.limit]).toEqual([300, 2 * all.seconds]);
  expect(all.requests).toBeGreaterThan(2 * right.requests);
  expect(estimateRun(plan, allChecks, 0.5, 60).limit).toBe(60);
});

it("doubts slow responses", () => {
  const [operation] = rooms.operations;
  const verification = createVerification([{ generation: rooms, server }], new Set(rooms.operations), true, 500);
  const response = { status: 200, headers: [], body: undefined };
  for (const duration of [500, 812]) {
    const request = { headers: [], body: undefined };
    verification.add({ method: "GET", url: `${server}/rooms`, request, response, duration });
  }
  expect(verification.findings().filter(({ kind }) => kind === "doubt")).toMatchObject([
    { operation: operation?.name, message: "a response takes at most 500 ms", received: [["812 ms", 1]] },
  ]);
});

it("leaves alone what each creation returns, which may have been there before", async () => {
  const respond = createRoomsBackend("gives a known identifier");
  const changed: string[] = [];
  await verify((request) => {
    const { pathname } = new URL(request.url);
    // No read shows it.
    if (request.method === "GET" && pathname.startsWith("/rooms")) return Promise.resolve(Response.json({ data: [] }));
    if (request.method !== "GET" && pathname.startsWith("/rooms/")) changed.push(pathname);
    return respond(request);
  });
  expect(changed).toEqual([]);
});

it("stops deleting what it has created at a server that takes no deletes for now", async () => {
  const respond = createRoomsBackend();
  const deletes: string[] = [];
  const limited = (request: Request) => {
    if (request.method === "POST" && request.url.endsWith("/rooms"))
      return respond(new Request(request, { body: JSON.stringify({ name: "Cellar", seats: 4 }) }));
    if (request.method !== "DELETE") return respond(request);
    deletes.push(request.url);
    return Promise.resolve(new Response(null, { status: 429, headers: { "retry-after": "0" } }));
  };
  const { lasting } = await verify(limited, new Set<RequestCheck>(["bodies"]));
  const left = lasting.filter(({ operation }) => operation.path === "/rooms");
  expect(left.length).toBeGreaterThan(5);
  expect(new Set(deletes.filter((url) => url.includes("/rooms/"))).size).toBe(3);
});

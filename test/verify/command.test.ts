import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { startServer } from "../../scripts/mock/server/server.ts";
import { readCredentials } from "../../scripts/contract/security.ts";
import { listInWords } from "../../scripts/values/text.ts";
import { changeAt, elementsOf, isObject, objectsOf, parseJson, valueAt } from "../../scripts/values/json.ts";
import { sampleRequest } from "../../scripts/samples/exampleRequest.ts";
import { callOperations } from "../../scripts/verify/runVerification.ts";
import { createVerification } from "../../scripts/verify/findings.ts";
import { sentenceOf } from "../../scripts/verify/findingReport.ts";
import { planCalls } from "../../scripts/verify/planCalls.ts";
import type { Permission } from "../../scripts/exchange/dataChanges.ts";
import { createSender } from "../../scripts/exchange/sender.ts";
import { repository, runHere } from "../pipeline/project.ts";
import {
  generations,
  startExampleServer,
  type Deviation,
  type ExampleAnswer,
  type ReceivedRequest,
} from "../fixtures/exampleServer.ts";

/** Runs the command as fast as it can. */
async function verify(...args: readonly string[]) {
  const run = await runHere(repository, "verify.ts", ["--rate", "100000", "--format", "json", ...args]);
  const findings = objectsOf(valueAt(parseJson(run.stdout), ["findings"]));
  return { ...run, findings };
}

const names = listInWords(
  (await readBuiltGenerations()).map(({ name }) => name),
  "disjunction",
);

/** A file with values that names what the contract's examples name, so that each operation may change that. */
const exampleValues = Object.fromEntries(
  generations.map(({ name, operations }) => [
    name,
    Object.fromEntries(
      operations.map((operation) => {
        const { operationId = "", parameters, resource } = operation;
        const needed = parameters.filter(({ required }) => required).map(({ name, example }) => [name, example]);
        // What changes nothing that its path names is only called with a body of its own.
        const { body } = resource.effect === "none" ? sampleRequest(operation, "") : {};
        return [operationId, { ...Object.fromEntries(needed), ...(body !== undefined && { body }) }];
      }),
    ),
  ]),
);

interface CallChoice {
  readonly ids?: readonly string[];
  readonly callTime?: number;
  readonly stop?: AbortSignal;
}

/** Does what the command does with everything allowed, and reads and compiles nothing anew: for what it finds. */
async function verifyHere(server: string, choice: CallChoice = {}) {
  const { ids, callTime = 30_000, stop = new AbortController().signal } = choice;
  const sources = generations.map((generation) => ({
    ...{ generation, server },
    credentials: readCredentials(generation, server, {}),
  }));
  const all = generations.flatMap((generation) => generation.operations);
  const selected = new Set(all.filter(({ operationId = "" }) => ids?.includes(operationId) ?? true));
  const verification = createVerification(sources, selected, true);
  const send = createSender({ rate: Infinity, callTime });
  const permissions = {
    selected,
    values: exampleValues,
    allowed: new Set<Permission>(["allow-changes", "allow-lasting-changes", "allow-deletes"]),
  };

  const options = { ...permissions, checks: new Set<never>(), send, stop, onExchange: verification.add };
  const { reasons, ended } = await callOperations(planCalls(sources, permissions), options);
  const findings = verification.findings(reasons);
  return { findings: findings.map((finding) => ({ ...finding, message: sentenceOf(finding) })), ended };
}

/** The findings of some kinds, as `GET /path: message`. */
function told({ findings }: { readonly findings: readonly object[] }, ...kinds: readonly string[]): readonly string[] {
  return findings
    .map((finding) => ({ kind: "", operation: "", message: "", operations: [], ...finding }))
    .filter(({ kind }) => kinds.includes(kind))
    .flatMap(({ operation, message, operations }) => {
      const shown = operation === "*" ? [operation] : objectsOf(operations).map((one) => String(one["operation"]));
      return shown.map((name) => `${name}: ${message}`);
    });
}

/** Makes one operation deviate. */
const only =
  (name: string, deviate: Deviation): Deviation =>
  (answer, request) => {
    return request.operation.name === name ? deviate(answer, request) : answer;
  };

/** The answer with another body, made of the value at some keys of it. */
const changed = (keys: readonly (string | number)[], change: (value: unknown) => unknown): Deviation =>
  ifAuthorized((answer) => ({ ...answer, body: changeAt(answer.body, keys.map(String), change) }));

function ifAuthorized(change: (answer: ExampleAnswer) => ExampleAnswer): Deviation {
  return (answer, { isAuthorized }) => (isAuthorized ? change(answer) : answer);
}

const without = (name: string) => (value: unknown) =>
  Object.fromEntries(Object.entries(isObject(value) ? value : {}).filter(([key]) => key !== name));
const withMember = (name: string, member: unknown) => (value: unknown) => ({
  ...(isObject(value) ? value : {}),
  [name]: member,
});
const withHeader = (name: string, value: string): Deviation =>
  ifAuthorized((answer) => ({ ...answer, headers: { ...answer.headers, [name]: value } }));
const withStatus = (status: number): Deviation => ifAuthorized((answer) => ({ ...answer, status }));
const withBody = (body: ExampleAnswer["body"]): Deviation => ifAuthorized((answer) => ({ ...answer, body }));

const team = "GET /v2/organizations/{orgId}/teams/{teamId}";
const schedules = "GET /v2/organizations/{orgId}/schedules";
const membership = "GET /v2/organizations/{orgId}/memberships/{membershipId}";
const recordings = "GET /v1/bookings/{id}/recordings";
const attendees = "GET /v1/attendees";
const reschedule = "POST /v2/bookings/{bookingUid}/reschedule";
const feed = "POST /v2/calendars/ics-feed/save";
const client = "PATCH /v2/oauth-clients/{clientId}";
const newClient = "POST /v2/oauth-clients";
const calendar = "POST /v2/selected-calendars";
const ended = "DELETE /v2/event-types/{eventTypeId}";
const closed = "DELETE /v2/organizations/{orgId}/teams/{teamId}";
const member = "PATCH /v2/organizations/{orgId}/teams/{teamId}/memberships/{membershipId}";
const user = "POST /v2/oauth-clients/{clientId}/users";
const absence = "PATCH /v2/organizations/{orgId}/users/{userId}/ooo/{oooId}";
const webhook = "DELETE /v1/webhooks/{id}";
type Row = readonly [what: string, operation: string, deviation: Deviation, message: string];

const contradictions: readonly Row[] = [
  [
    "a status that is not declared, beside a default",
    team,
    withStatus(202),
    "the status must be 200, or 4XX or 5XX for a failure; received 202",
  ],
  [
    "a redirect",
    absence,
    ifAuthorized((answer) => ({ ...answer, status: 302, headers: { location: "https://other.example/" } })),
    "received 302 to https://other.example/",
  ],
  ["no content", membership, ifAuthorized((answer) => ({ ...answer, status: 204, body: undefined })), "received 204"],
  [
    "another media type",
    recordings,
    withHeader("content-type", "text/html"),
    "the media type is application/json; received text/html",
  ],
  [
    "no media type",
    ended,
    ifAuthorized((answer) => ({ ...answer, headers: {} })),
    "the media type is application/json; received none",
  ],
  [
    "another charset",
    client,
    withHeader("content-type", "application/json; charset=iso-8859-1"),
    "received iso-8859-1",
  ],
  ["what is not JSON", feed, withBody('{"status":'), "the body is JSON; received a body that is not JSON: at line 1"],
  [
    "what is not UTF-8",
    calendar,
    withBody(new Uint8Array([0x22, 0xff, 0x22])),
    "the body is JSON; received a body that is not UTF-8",
  ],
  ["no body", attendees, withBody(""), "the body is JSON; received no body"],
  ["an array for an object", member, withBody([]), "must be an object; received an array"],
  ["another type", team, changed(["data", "id"], String), '/data/id in the body must be an integer; received "7"'],
  [
    "another type in one item of a list",
    schedules,
    changed(["data", 1, "name"], () => 5),
    "/data/*/name in the body must be a string",
  ],
  ["null", team, changed(["data", "name"], () => null), "/data/name in the body must be a string; received null"],
  ["null for a list", recordings, withBody(null), "must be an array; received null"],
  ["null for an object", closed, changed(["data"], () => null), "/data in the body must be an object; received null"],
  ["another constant", user, changed(["status"], () => "ok"), '/status in the body must be "success"; received "ok"'],
  [
    "another pattern",
    schedules,
    changed(["data", 0, "availability", 0, "startTime"], () => "9 am"),
    "must match pattern",
  ],
  [
    "another date-time",
    reschedule,
    changed(["data", "start"], () => "2026-13-01T10:00:00Z"),
    '/data/start in the body must match format "date-time"',
  ],
  [
    "another URL",
    recordings,
    changed([0, "download_link"], () => "no link"),
    '/*/download_link in the body must match format "uri"',
  ],
  [
    "another email address",
    attendees,
    changed(["attendees", 0, "email"], () => "nobody"),
    'must match format "email"; received "nobody"',
  ],
  [
    "something where nothing may be",
    schedules,
    changed(["error"], () => ({ code: 1 })),
    "/error in the body must have at most 0 properties",
  ],
  ["no credentials asked for", team, () => answerWith(team), "credentials are required; received 200 without any"],
  [
    "half of the credentials taken",
    schedules,
    takeHalf,
    "credentials are required; received 200 with oauthClientSecret alone",
  ],
  [
    "more items than asked for",
    schedules,
    ifAuthorized((answer) => ({ ...answer, body: valueOf(schedules) })),
    "take is the maximum number of items; received 2 items for 1",
  ],
  [
    "nothing skipped",
    schedules,
    skipNothing,
    "skip is the number of items to skip; received the same items for 0 and 1",
  ],
];

/** The contract leaves open whether fields are always present. */
const doubts: readonly Row[] = [
  [
    "a property that is absent",
    membership,
    changed(["data"], without("role")),
    "/data in the body must have all required properties (presence isn't specified); received an object without role",
  ],
  [
    "an envelope that is absent",
    attendees,
    withBody({}),
    "must have all required properties (presence isn't specified); received an object without attendees",
  ],
];

const unlisted: readonly Row[] = [
  [
    "a property",
    team,
    changed(["data"], withMember("plan", "gold")),
    `the property /data/plan isn't listed; received a string`,
  ],
  [
    "a property in a list",
    schedules,
    changed(["data", 1], withMember("color", "red")),
    `the property /data/*/color isn't listed; received "red"`,
  ],
  [
    "a property of the envelope",
    attendees,
    changed([], withMember("next", null)),
    "the property /next isn't listed; received null",
  ],
  ["a header", newClient, withHeader("x-ratelimit", "5"), "the response header x-ratelimit isn't listed"],
  [
    "a value that may be added",
    recordings,
    changed([0, "status"], () => "pending"),
    '/*/status are finished; received "pending"',
  ],
  [
    "a value that may be added, in a component",
    membership,
    changed(["data", "role"], () => "GUEST"),
    'received "GUEST"',
  ],
  [
    "a failure",
    webhook,
    ifAuthorized((answer) => ({ ...answer, status: 500, body: { code: 1, reason: "?" } })),
    "the body of a failure with 500; received { code: number; reason: string }",
  ],
  [
    "a failure with an empty object",
    webhook,
    ifAuthorized((answer) => ({ ...answer, status: 500, body: {} })),
    "the body of a failure with 500; received {}",
  ],
];

/** The deviations by their operations: in each round, an operation has one at most. */
const rounds = Array.from({ length: 10 }, (_, round): readonly [string, readonly Row[]] => {
  const rows = [...Map.groupBy([...contradictions, ...doubts, ...unlisted], ([, operation]) => operation).values()];
  const chosen = rows.flatMap((ofOperation) => ofOperation.slice(round, round + 1));
  return [chosen.map(([what]) => what).join(" and "), chosen];
}).filter(([, rows]) => rows.length > 0);

function containsParts(message: string, expected: string): boolean {
  const [operation = "", ...rest] = expected.split(": ");
  return message.startsWith(`${operation}: `) && message.includes(rest.join(": "));
}

/** Takes the secret of a pair without its ID. */
function takeHalf(answer: ExampleAnswer, { headers }: ReceivedRequest): ExampleAnswer {
  return headers["x-svc-secret-key"] === undefined ? answer : answerWith(schedules);
}

function skipNothing(answer: ExampleAnswer, { query }: ReceivedRequest): ExampleAnswer {
  const first = elementsOf(valueAt(valueOf(schedules), ["data"])).slice(0, 1);
  return query.get("take") === "1" ? { ...answer, body: withMember("data", first)(valueOf(schedules)) } : answer;
}

/** The example of an operation's success. */
function valueOf(name: string): unknown {
  const operation = generations.flatMap((generation) => generation.operations).find((one) => one.name === name);
  return operation?.responses[0]?.content[0]?.examples[0]?.value;
}

function answerWith(name: string): ExampleAnswer {
  return { status: 200, headers: { "content-type": "application/json" }, body: valueOf(name) };
}

// In this process, so one after the other.
const allPermissions = ["--allow-changes", "--allow-lasting-changes", "--allow-deletes"];

describe("npm run verify", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it("only fills gaps from a server that follows the contract", async () => {
    await using server = await startExampleServer();
    await using folder = await temporaryFile("values.yaml", JSON.stringify(exampleValues));
    const run = await verify("--server", server.url, "--values", folder.file, ...allPermissions);
    expect(told(run, "contradiction", "unlisted", "untested")).toEqual([]);
    expect(run.code).toBe(0);
    expect(told(run, "gap").join("\n")).toMatch(/^GET \/v1\/attendees: 2XX was 200 in (\d+) of \1$/m);
    expect(told(run, "gap").join("\n")).toMatch(/^GET \/v1\/attendees: a call without credentials was accepted/m);
    expect(run.stderr).toContain("creates and doesn't delete: POST /v2/oauth-clients\n");
  });

  it("finds no contradiction at the mock", async () => {
    await using mock = await startServer({ generations });
    await using folder = await temporaryFile("values.yaml", JSON.stringify(exampleValues));
    const run = await verify("--server", mock.url, "--values", folder.file, ...allPermissions);
    expect(told(run, "contradiction")).toEqual([]);
    expect(run.code).toBe(0);
  });

  it("has more than 25 deviations to tell", () => {
    expect(contradictions.length + doubts.length + unlisted.length).toBeGreaterThan(32);
  });

  it.each(rounds)("reports %s, each of a different operation, and nothing else", async (_what, rows) => {
    const deviations = new Map(rows.map(([, operation, deviation]) => [operation, deviation]));
    await using server = await startExampleServer((answer, request) => {
      const deviation = deviations.get(request.operation.name);
      return deviation === undefined ? answer : deviation(answer, request);
    });
    const run = await verifyHere(server.url);
    const expected = (of: readonly Row[]) =>
      rows.flatMap((row) => (of.includes(row) ? [`${row[1]}: ${row[3]}`] : [])).toSorted();
    const shortened = (messages: readonly string[], of: readonly Row[]) =>
      messages.map((message) => expected(of).find((one) => containsParts(message, one)) ?? message).toSorted();
    expect(shortened(told(run, "contradiction"), contradictions)).toEqual(expected(contradictions));
    expect(shortened(told(run, "doubt"), doubts)).toEqual(expect.arrayContaining(expected(doubts)));
    expect(shortened(told(run, "unlisted"), unlisted)).toEqual(expected(unlisted));
  });

  it("reports a header of every response once", async () => {
    await using server = await startExampleServer((answer) => ({
      ...answer,
      headers: { ...answer.headers, "x-request": "1" },
    }));
    const run = await verifyHere(server.url);
    expect(told(run, "unlisted")).toEqual(["*: the response header x-request isn't listed"]);
  });

  it("names the variables for credentials", async () => {
    const { code, stdout } = await verify("--help");
    expect(code).toBe(0);
    for (const name of ["V1_API_KEY", "V2_API_KEY", "V2_OAUTH_CLIENT_ID"]) expect(stdout).toContain(name);
  });

  it("sends only GET requests unless others are allowed", async () => {
    await using server = await startExampleServer();
    const run = await verify("--server", server.url);
    expect(new Set(server.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
    expect(run.stderr).not.toMatch(/creates|changes|deletes/);
    expect(told(run, "untested")).toContain(`${reschedule}: may change data, which needs --allow-changes`);
  });

  it.each([
    ["at another server", 987, true],
    ["without an identifier", null, false],
  ])("deletes nothing in place of what it has created %s", async (_, id, isElsewhere) => {
    await using one = await startExampleServer((answer, { operation }) =>
      operation.operationId === "createEventType" ? { ...answer, body: { event_type: { id } } } : answer,
    );
    await using two = await startExampleServer();
    const servers = ["--server", `v1=${one.url}`, "--server", `v2=${isElsewhere ? two.url : one.url}`];
    const run = await verify(...servers, "--allow-changes");
    expect([...one.requests, ...two.requests].map(({ method }) => method)).not.toContain("DELETE");
    expect(run.stderr).toMatch(/left behind: .+, which POST \/v1\/event-types created/);
  });

  it("takes identifiers from earlier answers, and values from a file", async () => {
    await using folder = await temporaryFile("values.yaml", "orgId: 77\nv1: { getAttendee: { id: 5 } }\n");
    await using server = await startExampleServer(
      only(
        "POST /v2/oauth-clients",
        changed(["data", "clientId"], () => "cli-1"),
      ),
    );
    await verify("--server", server.url, "--allow-changes", "--values", folder.file);
    const targets = server.requests.map(({ method, target }) => `${method} ${target.replace(/\?.*/, "")}`);
    expect(targets).toContain("GET /v1/attendees/5");
    expect(targets).toContain("PATCH /v2/oauth-clients/cli-1");
    expect(targets).toContain("GET /v2/organizations/77/schedules");
  });

  it("calls each generation at its own address, and with its own credentials", async () => {
    vi.stubEnv("V1_API_KEY", "key-of-one");
    await using one = await startExampleServer();
    await using two = await startExampleServer();
    await verify("--server", `v1=${one.url}`, "--server", `v2=${two.url}/`);
    expect(one.requests.every(({ target }) => target.startsWith("/v1/"))).toBe(true);
    expect(one.requests.some(({ target }) => target.includes("apiKey=key-of-one"))).toBe(true);
    expect(two.requests.every(({ target }) => target.startsWith("/v2/"))).toBe(true);
    expect(two.requests.some(({ headers }) => headers.authorization === "Bearer svc_example_key")).toBe(true);
    const { stderr } = await verify("--server", `v2=${two.url}`);
    const all = generations.find(({ name }) => name === "v2")?.operations.length ?? 0;
    expect(stderr).toContain(` of ${all} operations tested`);
    const other = await verify("--server", `v2=${two.url}`, "--operation", "listAttendees");
    expect(other.stderr).toContain('no operation of v2 has the operationId "listAttendees"');
  });

  it("calls only selected operations", async () => {
    await using server = await startExampleServer();
    await verify("--server", server.url, "--generation", "v2", "--operation", "getOrganizationTeam");
    expect(new Set(server.requests.map(({ operation }) => operation.name))).toEqual(new Set([team]));
  });

  it.each(["text", "json", "junit", "markdown"])("shows no secret as %s", async (format) => {
    const secret = "svc/live/very-secret";
    for (const name of ["V1_API_KEY", "V2_API_KEY", "V2_OAUTH_CLIENT_SECRET"]) vi.stubEnv(name, secret);
    await using server = await startExampleServer((answer, { headers, target }) => {
      const echo = `token=${String(headers.authorization).replace("Bearer ", "")} ${decodeURIComponent(target)}`;
      return {
        ...answer,
        headers: { ...answer.headers, "x-echo": echo },
        body: { ...(isObject(answer.body) && answer.body), status: 5, [echo]: echo, token: echo, note: echo },
      };
    });
    const { stdout, stderr, code } = await verify(
      ...["--server", server.url, "--allow-changes", "--format", format],
      ...["--operation", "listAttendees", "--operation", "createOAuthClient", "--operation", "createManagedUser"],
    );
    expect(code).toBe(1);
    expect(stdout).toContain("GET /v1/attendees");
    expect(stdout + stderr).not.toContain("very-secret");
  });

  it("shows the source line, and the lines to add there", async () => {
    vi.stubEnv("V2_API_KEY", "GUEST-77");
    const known = changed(["data", "role"], () => "GUEST-77");
    const plan = changed(["data"], withMember("plan", 5));
    await using server = await startExampleServer((answer, request) => {
      const { name } = request.operation;
      return name === membership ? known(answer, request) : name === team ? plan(answer, request) : answer;
    });
    const { stdout } = await verify("--server", server.url, "--format", "text");
    const sourceOf = async (place: RegExp) => {
      const [, file = "", line = ""] = place.exec(stdout) ?? [];
      return (await readFile(join(repository, file), "utf8")).split("\n")[Number(line) - 1];
    };
    const property =
      /\/data\/plan isn't listed; received 5\n {6}source: (.+):(\d+)\n {6}write below:\n {8}plan:\n {10}type: integer\n/;
    expect(await sourceOf(property)).toContain("properties:");
    const status = /2XX was .+\n {6}source: (.+):(\d+)\n {6}write instead:\n {8}"200":\n/;
    expect(await sourceOf(status)).toContain("2XX:");
    expect(await sourceOf(/the known values of [^]+?\n {6}source: (.+):(\d+)\n(?! {6}write)/)).toContain(
      "x-extensible",
    );
    expect(stdout).not.toContain("GUEST-77");
  });

  it("shows a request that contradicts, and the place in the contract", async () => {
    await using server = await startExampleServer(
      only(
        team,
        changed(["data", "name"], () => null),
      ),
    );
    const { stdout, stderr } = await verify("--server", server.url, "--format", "text");
    expect(stderr).not.toContain("error");
    const sent = server.requests.find(({ operation }) => operation.name === team);
    expect(stdout.replaceAll(/(source: .+):\d+/g, "$1")).toContain(
      [
        `contradiction  v2  ${team}`,
        "    /data/name in the body must be a string; received null",
        "      source: openapi/v2/shared/teams.yaml",
        `    curl '${server.url}${sent?.target ?? ""}' \\`,
        "      -H 'authorization: Bearer svc_example_key'",
      ].join("\n"),
    );
  });

  it("has no result for a server that rejects everything", async () => {
    await using server = await startExampleServer((answer) => ({ ...answer, status: 403, body: { message: "no" } }));
    const run = await verify("--server", server.url);
    expect(told(run, "contradiction")).toEqual([]);
    expect(told(run, "untested")).toContain(`${team}: only failures: 403`);
    expect(run.code).toBe(2);
  });

  it("ends early where nothing listens", async () => {
    const server = await startExampleServer();
    await server[Symbol.asyncDispose]();
    const run = await verify("--server", server.url);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain("Ended early: 5 calls in a row had no response");
  });

  const failing: readonly (readonly [string, (response: ServerResponse) => void, RegExp])[] = [
    [
      "stops in the middle",
      (response) => response.writeHead(200, { "content-length": 9 }).write("{", () => response.destroy()),
      /terminated|closed/,
    ],
    ["ends the connection", (response) => response.destroy(), /closed/],
    ["hangs", () => undefined, /no whole response came within 2 s/],
  ];

  it.each(failing)("reports a server error where an operation %s", async (_, respond, reason) => {
    await using server = await startExampleServer(only(team, () => respond));
    const run = await verifyHere(server.url, {
      ids: ["getOrganizationTeam", "getOrganizationMembership"],
      callTime: 2_000,
    });
    const [failed, ...others] = told(run, "contradiction", "untested", "server error");
    expect(failed).toContain(`${team}: the server sends a whole response; received `);
    expect(failed).toMatch(reason);
    expect([others, run.ended]).toEqual([[], undefined]);
  });

  const hostile: readonly (readonly [string, (response: ServerResponse) => void, RegExp])[] = [
    [
      "never ends",
      (response) => {
        endless(response.writeHead(200, { "content-type": "application/json" }));
      },
      /the body is larger than 16 MiB/,
    ],
    [
      "sends a bomb",
      (response) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(50_000_000))),
      /the body is larger than 16 MiB/,
    ],
    [
      "sends broken gzip",
      (response) => response.writeHead(200, { "content-encoding": "gzip" }).end("no gzip"),
      /header check|terminated/,
    ],
    [
      "sends headers without end",
      (response) => response.writeHead(200, { "x-long": "x".repeat(100_000) }).end(),
      /[Hh]eaders/,
    ],
    ["sends what is not HTTP", (response) => response.socket?.end("no HTTP\r\n\r\n"), /Parse Error|HTTP/],
  ];

  it.each(hostile)("goes on where an operation %s", async (_, respond, reason) => {
    await using server = await startExampleServer(only(team, () => respond));
    const run = await verifyHere(server.url, { ids: ["getOrganizationTeam", "getOrganizationMembership"] });
    expect(told(run, "contradiction", "unlisted")).toEqual([]);
    expect(told(run, "untested")).toEqual([expect.stringMatching(reason)]);
    expect(told(run, "untested")[0]).toContain(`${team}: `);
    expect(run.ended).toBeUndefined();
  });

  it("waits for no operation that hangs", async () => {
    await using server = await startExampleServer(() => () => undefined);
    const run = await verifyHere(server.url, { ids: ["getOrganizationTeam"], callTime: 50 });
    expect(told(run, "untested")).toEqual([`${team}: no whole response came within 0.05 s`]);
  });

  it("reads bodies nested too deep, and compressed ones", async () => {
    await using server = await startExampleServer((answer, { operation }) => {
      if (operation.name === team) return { ...answer, body: "[".repeat(100_000) };
      if (!isObject(answer.body)) return answer;
      const body = gzipSync(JSON.stringify(answer.body));
      return { ...answer, headers: { ...answer.headers, "content-encoding": "gzip" }, body };
    });
    const run = await verifyHere(server.url);
    expect(told(run, "contradiction")).toEqual([expect.stringContaining(`${team}: the body is JSON`)]);
  });

  it("ends when it is stopped, and reports the findings so far", async () => {
    const stop = new AbortController();
    let isReached = false;
    await using server = await startExampleServer((answer, { operation }) => {
      isReached ||= operation.name === attendees;
      if (isReached && operation.name !== attendees) stop.abort(new Error("enough"));
      return answer;
    });
    const run = await verifyHere(server.url, { stop: stop.signal });
    expect(run.ended).toBe("enough");
    expect(told(run, "gap").join("\n")).toMatch(/^GET \/v1\/attendees: 2XX was 200 in (\d+) of \1$/m);
    expect(told(run, "untested")).toContain(`${team}: enough`);
  });

  it("ends when the time is over", async () => {
    await using server = await startExampleServer();
    // The second call would have to wait for 1,000 s.
    const run = await verify("--server", server.url, "--rate", "0.001", "--timeout", "0.05");
    expect(run.code).toBe(2);
    expect(run.stderr).toContain("Ended early: the time limit of 0.05 s was reached");
  });

  it("misses only deletes because of resources that it has deleted", async () => {
    const deleted = new Set<string>();
    await using server = await startExampleServer((answer, { method, target, isAuthorized }) => {
      const [path = ""] = target.split("?");
      const collections = path.match(/[^/]+(?=\/[^/]*\d)/g) ?? [];
      if (collections.some((one) => deleted.has(one))) return { ...answer, status: 404, body: {} };
      if (method === "DELETE" && isAuthorized) deleted.add(collections.at(-1) ?? path);
      return answer;
    });
    const untested = told(await verifyHere(server.url), "untested");
    expect(deleted.size).toBeGreaterThan(0);
    expect(
      untested.filter(
        (line) => !/^DELETE \S+: only failures: 404\. Name an existing resource with --values, by its .+$/.test(line),
      ),
    ).toEqual([]);
  });

  it.each([
    [["--server", "ftp://x"], "--server must be an http or https URL"],
    [["--server", "localhost:4010"], "Did you mean http://localhost:4010?"],
    [["--server", "v0=http://localhost"], 'there is no generation "v0"'],
    [
      ["--server", "http://localhost", "--operation", "getOrganisationTeam"],
      `no operation of ${names} has the operationId "getOrganisationTeam": did you mean getOrganizationTeam?`,
    ],
    [
      ["--server", "http://localhost", "--operation", "getTeams"],
      `no operation of ${names} has the operationId "getTeams": did you mean get`,
    ],
    [["--server", "http://localhost", "--checks", "bodeis"], 'not "bodeis": did you mean bodies?'],
    [["--server", "http://localhost", "--rate", "0"], "--rate must be a number from 0.001"],
    [["--server", "http://localhost", "--rate", "1e-7"], "--rate must be a number from 0.001"],
    [["--server", "http://localhost", "--values", "absent.yaml"], "absent.yaml cannot be read"],
    [["--format", "xml"], "--format must be one of"],
    [[], "give --server, or --har to read recorded traffic"],
    [["--server", "http://localhost", "--allow-deletes"], "--allow-deletes need --allow-changes"],
    [["--har", "x.har", "--checks", "all"], "--checks can't be combined with --har"],
  ])("refuses %j with exit code 2", async (args, message) => {
    const { code, stderr } = await runHere(repository, "verify.ts", args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("    at ");
  });
});

it.each([
  ["orgID: 7", "no parameter, operationId or generation is called orgID"],
  ["v2: { getTeams: { teamId: 7 } }", "is called v2.getTeams"],
  ["getOrganizationTeam: { id: 7 }", "is called getOrganizationTeam.id"],
  ["- 7", "must contain values by name"],
  ["v2: { orgId: 9007199254740993 }", "v2.orgId is beyond 2^53, and would be rounded. Write it in quotes"],
])("refuses values that nothing uses, or that would be rounded: %s", async (values, message) => {
  await using folder = await temporaryFile("values.yaml", values);
  const args = ["--server", "http://localhost", "--values", folder.file];
  const { code, stderr } = await runHere(repository, "verify.ts", args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

it.each(["a: [1\n b: }", "orgId: &id [*id]"])("rejects a file with the values %j", async (values) => {
  await using folder = await temporaryFile("values.yaml", values);
  const { code, stderr } = await runHere(repository, "verify.ts", [
    ...["--server", "http://localhost", "--values", folder.file],
  ]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: \S+ is neither YAML nor JSON: .*\n$/)]);
});

describe("npm run verify, in a separate process,", () => {
  it("reports the findings so far when it is interrupted", async () => {
    let notify: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => (notify = resolve));
    let isReached = false;
    await using server = await startExampleServer((answer, { operation }) => {
      isReached ||= operation.name === attendees;
      if (!isReached || operation.name === attendees) return answer;
      return () => {
        notify();
      };
    });
    const args = [join(repository, "scripts/verify.ts"), "--server", server.url, "--rate", "1000"];
    const child = spawn(process.execPath, args, { cwd: repository, stdio: ["ignore", "pipe", "pipe"] });
    void reached.then(() => child.kill("SIGINT"));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    expect(child.exitCode).toBe(2);
    expect(stderr).not.toContain("Ended");
    expect(stdout).toMatch(/^Could not tell:\n {2}Ended early: it was interrupted\n/);
    expect(stdout).toContain("2XX was 200");
  });
});

async function temporaryFile(name: string, content: string) {
  const folder = await mkdtemp(join(tmpdir(), "verify-"));
  const file = join(folder, name);
  await writeFile(file, content);
  return { file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

function endless(response: ServerResponse): void {
  const more = () => {
    if (!response.destroyed) response.write(" ".repeat(65_536), more);
  };
  more();
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import type { RequestEntry } from "../../scripts/mock/index.ts";
import { startServer } from "../../scripts/mock/server/server.ts";
import { listArazzoFiles } from "../../scripts/workflows/arazzoFiles.ts";
import { elementsOf, isObject, stringMembersOf, valueAt } from "../../scripts/values/json.ts";
import { serveHttp } from "../fixtures/serveHttp.ts";
import { startExampleServer } from "../fixtures/exampleServer.ts";
import { createSmallProject } from "../fixtures/smallProject.ts";
import { copyProject, repository, runHere, runNode } from "../pipeline/project.ts";

const command = join(repository, "scripts/workflows.ts");
const generations = await readBuiltGenerations();

describe.concurrent("npm run workflows", () => {
  it("runs every workflow, and each succeeds", async () => {
    const files = await listArazzoFiles("openapi/workflows");
    const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
    const ids = texts.flatMap((text) => [...text.matchAll(/^ {2}- workflowId: (.+)$/gm)].map(([, id = ""]) => id));
    const { code, stdout, stderr } = await runNode(repository, [command]);
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
    expect(ids.length).toBeGreaterThan(0);
    expect(stdout.match(/^[\w-]+$/gm)).toEqual(ids);
    expect(stdout).toMatch(new RegExp(`^${ids.length} workflows succeeded$`, "m"));
  });

  it("sends the requests of the named workflows, with the inputs that are given, to a server that is given", async () => {
    const entries: RequestEntry[] = [];
    await using mock = await startServer({ generations, onResponse: (entry) => entries.push(entry) });
    const names = ["page-through-schedules", "remove-webhook-v1"];
    const inputs = ["--input", "orgId=43", "--input", "webhookId=5"];
    const { code } = await runNode(repository, [
      ...[command, ...names, "--server", `${mock.url}/`, ...inputs, "--allow-changes", "--allow-deletes"],
    ]);
    expect(code).toBe(0);
    expect(entries.map(({ method, target }) => `${method} ${target.replace(/apiKey=[^&]*/, "apiKey=…")}`)).toEqual([
      "GET /v2/organizations/43/schedules?take=1&skip=0",
      "GET /v2/organizations/43/schedules?take=1&skip=1",
      "GET /v2/organizations/43/schedules?take=1&skip=2",
      "DELETE /v1/webhooks/5?apiKey=…",
      "DELETE /v1/webhooks/5?apiKey=…",
    ]);
  });

  it("explains itself", async () => {
    const { code, stdout } = await runNode(repository, [command, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain("Usage: npm run workflows -- [WORKFLOW...] [options]");
    expect(stdout).toMatch(/Examples:\n {2}npm run workflows\n/);
  });

  it("stops when it is interrupted", async () => {
    await using silent = await serveHttp(() => undefined);
    const args = [command, "fetch-recordings-v1", "--server", silent.url];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
    const [stderr, code] = await Promise.all([
      text(child.stderr),
      once(child, "close").then(() => child.exitCode),
      once(silent.server, "request").then(() => child.kill("SIGINT")),
    ]);
    // A slow machine adds the duration.
    expect([code, stderr.split("\n")[0]]).toEqual([1, "error: stopped before the workflows were finished"]);
  });
});

// In this process, so one after the other.
describe("npm run workflows, where something is wrong,", () => {
  it("names the step and the criterion that failed, as with a stateless mock", async () => {
    await using mock = await startServer({ generations, stateless: true });
    const names = ["correct-attendee-v1", "remove-team", "remove-webhook-v1"];
    const args = [...names, "--server", mock.url, "--input", "webhookId=abc", "--allow-changes", "--allow-deletes"];
    vi.stubEnv("V2_API_KEY", "svc_secret");
    const { code, stdout, stderr } = await runHere(repository, "workflows.ts", args);
    vi.unstubAllEnvs();
    expect(code).toBe(1);
    const failed = "error: 3 of 3 workflows failed:\n  correct-attendee-v1\n  remove-team\n  remove-webhook-v1\n";
    expect(stderr).toContain(failed);
    expect(stderr.endsWith(failed)).toBe(true);
    expect(stdout).not.toContain("svc_secret");
    expect(stdout.split(/^(?=[\w-]+$)/m)).toEqual([
      [
        "correct-attendee-v1",
        "  ✓ findAttendee: GET /v1/attendees 200",
        "  ✗ correct: PATCH /v1/attendees/4711 201",
        "      expected $response.body#/attendee/name == $inputs.name",
        '      but $response.body#/attendee/name is "Noor Haddad"',
        "      expected $response.body#/attendee/timeZone == $inputs.timeZone",
        '      but $response.body#/attendee/timeZone is "Europe/Stockholm"',
        "",
      ].join("\n"),
      [
        "remove-team",
        "  ✓ check: GET /v2/organizations/42/teams/13 200",
        "  ✗ delete: DELETE /v2/organizations/42/teams/7 200",
        "      expected $response.body#/data/id == $inputs.teamId",
        "      but $response.body#/data/id is 11",
        "",
      ].join("\n"),
      [
        "remove-webhook-v1",
        "  ✗ delete: DELETE /v1/webhooks/abc 422",
        "      expected $statusCode == 201",
        '      but $statusCode is 422, the problem is: The path parameter id must be an integer; received "abc".',
        "",
      ].join("\n"),
    ]);
  });

  it("can't tell anything about a server that doesn't respond", async () => {
    const { server, url, ...gone } = await serveHttp(() => undefined);
    await gone[Symbol.asyncDispose]();
    const { code, stdout, stderr } = await runHere(repository, "workflows.ts", [
      "fetch-recordings-v1",
      "--server",
      url,
    ]);
    expect([code, stdout, server.listening]).toEqual([1, "", false]);
    expect(stderr).toMatch(
      /^error: could not tell: no request got a response \(connect ECONNREFUSED .+\)\. Check that .+\n$/,
    );
  });

  it("escapes what would control the terminal, in what a server sends", async () => {
    const said = "\u001b[2J\u009b31m\u202e";
    await using hostile = await serveHttp((_, response) => {
      response.writeHead(404, { "content-type": "application/problem+json" });
      response.end(JSON.stringify({ title: said, detail: said, [said]: said }));
    });
    const args = ["fetch-recordings-v1", "--server", hostile.url];
    const { code, stdout, stderr } = await runHere(repository, "workflows.ts", args);
    expect(code).toBe(1);
    expect(stdout).toContain(String.raw`the problem is: \u001b[2J\u009b31m\u202e`);
    expect(stdout + stderr).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
  });

  it("rejects changes on a server, and sends nothing", async () => {
    const entries: RequestEntry[] = [];
    await using mock = await startServer({ generations, onResponse: (entry) => entries.push(entry) });
    const names = ["cancel-booking-v1", "page-through-schedules", "remove-team", "remove-webhook-v1"];
    const args = [...names, "--server", mock.url, "--input", "orgId=42", "--input", "webhookId=5"];
    const { isTTY, columns } = process.stderr;
    Object.assign(process.stderr, { isTTY: true, columns: 80 });
    const { code, stdout, stderr } = await runHere(repository, "workflows.ts", args).finally(() =>
      Object.assign(process.stderr, { isTTY, columns }),
    );
    expect([code, stdout, entries]).toEqual([1, "", []]);
    // A slow machine adds how long it took.
    expect(
      stripVTControlCharacters(stderr)
        .replace(/^Took .*\n/m, "")
        .split("\n"),
    ).toEqual([
      "error: these workflows would change existing data:",
      "  cancel-booking-v1: PATCH /v1/bookings/{id} (id: found by step findBooking)",
      "  remove-team: DELETE /v2/organizations/{orgId}/teams/{teamId} (orgId 42,",
      "    teamId: found by step check)",
      "  remove-webhook-v1: DELETE /v1/webhooks/{id} (id 5)",
      "To allow that, add --allow-changes and --allow-deletes.",
      "",
    ]);
  });

  it("rejects deletes on a server even if changes are allowed, and sends nothing", async () => {
    const entries: RequestEntry[] = [];
    await using mock = await startServer({ generations, onResponse: (entry) => entries.push(entry) });
    const args = ["cancel-booking-v1", "remove-webhook-v1", "--server", mock.url, "--allow-changes"];
    const { code, stdout, stderr } = await runHere(repository, "workflows.ts", args);
    expect([code, stdout, entries]).toEqual([1, "", []]);
    expect(stderr.split("\n")).toEqual([
      "error: these workflows would delete existing data:",
      "  remove-webhook-v1: DELETE /v1/webhooks/{id} (id 33)",
      "To allow that, add --allow-deletes.",
      "",
    ]);
  });

  it("lists changes on a server with identifiers, at the start and before each request", async () => {
    // In the same process, so it's written between what the command writes.
    const onResponse = ({ method, target }: RequestEntry) => {
      process.stderr.write(`${method} ${target.replace(/\?.*/, "")}\n`);
    };
    await using mock = await startServer({ generations, onResponse });
    const args = ["remove-team", "--server", mock.url, "--allow-changes", "--allow-deletes"];
    const listeners = process.listenerCount("error");
    const { stderr } = await runHere(repository, "workflows.ts", args);
    // Node warns of the eleventh listener, on stderr.
    expect(process.listenerCount("error")).toBe(listeners);
    const [operation, team] = ["DELETE /v2/organizations/{orgId}/teams/{teamId}", "/v2/organizations/42/teams/13"];
    expect(stderr.split("\n")).toEqual([
      `Will change: remove-team: ${operation} (orgId 42, teamId: found by step check)`,
      `GET ${team}`,
      `Changing remove-team, delete: DELETE ${team}`,
      `DELETE ${team}`,
      `GET ${team}`,
      "",
    ]);
  });

  it("pages through as many schedules as a server has", async () => {
    await using server = await startExampleServer((answer, { operation, query }) => {
      const [first] = elementsOf(valueAt(operation.responses[0]?.content[0]?.examples[0]?.value, ["data"]));
      const all = [1, 2, 3].map((id) => ({ ...(isObject(first) ? first : {}), id }));
      const skipped = Number(query.get("skip"));
      return { ...answer, body: { status: "success", data: all.slice(skipped, skipped + 1), error: {} } };
    });
    const args = ["page-through-schedules", "--server", server.url];
    expect(await runHere(repository, "workflows.ts", [...args, "--input", "scheduleCount=3"])).toMatchObject({
      code: 0,
    });
    expect(await runHere(repository, "workflows.ts", args)).toMatchObject({ code: 1 });
  });

  it("uses neither defaults nor found resources on a server elsewhere, and sends nothing", async () => {
    vi.stubEnv("V1_API_KEY", "first-key");
    vi.stubEnv("V2_API_KEY", "svc_second");
    // A server that would be asked: its address is not one of this machine's names.
    await using server = await serve((_, response) => response.writeHead(200).end());
    const elsewhere = server.url.replace("127.0.0.1", "0.0.0.0");
    const names = ["cancel-booking-v1", "onboard-platform-customer", "remove-team", "page-through-schedules"];
    const given = ["--input", "name=Physiotherapy", "--input", "userEmail=a@clinic.example"];
    const args = [...names, ...given, "--server", elsewhere, "--allow-changes", "--allow-deletes"];
    const { code, stdout, stderr } = await runHere(repository, "workflows.ts", args);
    expect([code, stdout, server.requests]).toEqual([1, "", []]);
    expect(stderr.split("\n").slice(1)).toEqual([
      "  page-through-schedules: orgId, scheduleCount",
      "  onboard-platform-customer: feedUrl",
      "  cancel-booking-v1: findBooking.bookingId",
      "  remove-team: orgId, teamId",
      "",
    ]);
    expect(stderr).toContain(
      "error: on a remote server, defaults of inputs and resources that steps find can't be used",
    );
    vi.unstubAllEnvs();
  });

  it("changes the given resource on a server elsewhere, not one that a step found", async () => {
    vi.stubEnv("V1_API_KEY", "first-key");
    vi.stubEnv("V2_API_KEY", "svc_second");
    const entries: RequestEntry[] = [];
    await using mock = await startServer({
      ...{ generations, allowedHosts: ["0.0.0.0"] },
      onResponse: (entry) => entries.push(entry),
    });
    const given = ["findBooking.bookingId=77", "orgId=43", "teamId=14", "name=Any"].flatMap((one) => ["--input", one]);
    const elsewhere = mock.url.replace("127.0.0.1", "0.0.0.0");
    const permissions = ["--server", elsewhere, "--allow-changes", "--allow-deletes"];
    const { stderr } = await runHere(repository, "workflows.ts", [
      "cancel-booking-v1",
      "remove-team",
      ...given,
      ...permissions,
    ]);
    vi.unstubAllEnvs();
    expect(stderr).toContain("Will change: cancel-booking-v1: PATCH /v1/bookings/{id} (id 77)\n");
    expect(stderr).toContain(
      "Will change: remove-team: DELETE /v2/organizations/{orgId}/teams/{teamId} (orgId 43, teamId 14)\n",
    );
    const changes = entries.filter(({ method }) => method !== "GET").map(({ target }) => target.replace(/\?.*/, ""));
    expect(changes).toContain("/v1/bookings/77");
    expect(changes.filter((target) => !/bookings\/77|43\/teams\/14/.test(target))).toEqual([]);
  });

  it.each([
    ["what is empty", { rooms: "" }, "", '""'],
    ["a step to another path", { rooms: ".." }, "..", '".."'],
    ["null, which no example stands in for", { rooms: null }, "kept", "null"],
  ])("changes nothing by a path with %s, whether it was found or given", async (_, found, given, shown) => {
    const path = { name: "roomId", in: "path", required: true, schema: {}, example: "example" };
    const done = { "204": { description: "Done." } };
    const listed = { "200": { description: "Listed.", content: { "application/json": { schema: {} } } } };
    const paths = {
      "/rooms": { get: { operationId: "list", responses: listed } },
      "/rooms/{roomId}": { delete: { operationId: "remove", parameters: [path], responses: done } },
    };
    const removing = (workflowId: string, value: string, before: readonly object[]) => {
      const remove = { stepId: "remove", operationId: "remove", parameters: [{ name: "roomId", in: "path", value }] };
      const inputs = { type: "object", properties: { roomId: { type: "string", default: "cellar" } } };
      return { workflowId, inputs, steps: [...before, remove] };
    };
    const list = { stepId: "list", operationId: "list", outputs: { room: "$response.body#/rooms" } };
    const workflows = [removing("found", "$steps.list.outputs.room", [list]), removing("given", "$inputs.roomId", [])];
    const sourceDescriptions = [{ name: "v1", type: "openapi", url: "../openapi.json" }];
    const description = { arazzo: "1.0.1", info: { title: "Rooms", version: "1.0.0" }, sourceDescriptions, workflows };
    await using project = await createSmallProject({ paths });
    await mkdir(join(project.directory, "openapi/workflows"), { recursive: true });
    await writeFile(join(project.directory, "openapi/workflows/rooms.arazzo.yaml"), JSON.stringify(description));
    await using server = await serve((request, response) => {
      if (request.method !== "GET") response.writeHead(204).end();
      else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(found));
    });
    const args = ["--server", server.url, "--allow-changes", "--allow-deletes", "--input", `roomId=${given}`];
    const { stdout } = await runHere(project.directory, "workflows.ts", args);
    const changes = server.requests.filter((request) => !request.startsWith("GET"));
    expect(changes).toEqual(given === "kept" ? ["DELETE /rooms/kept"] : []);
    expect(stdout).toContain("✗ remove: DELETE /rooms/{roomId}\n      not sent: ");
    expect(stdout).toContain(`roomId is ${shown}`);
  });

  it("sends outputs beyond 2^53 with all digits, in paths and in bodies", async () => {
    const body = { content: { "application/json": { schema: {} } } };
    const json = { description: "Done.", content: { "application/json": { schema: {} } } };
    const path = { name: "roomId", in: "path", required: true, schema: { type: "integer" } };
    const paths = {
      "/rooms": { post: { operationId: "create", requestBody: body, responses: { "201": json } } },
      "/rooms/{roomId}": {
        put: { operationId: "write", parameters: [path], requestBody: body, responses: { "200": json } },
      },
    };
    const parameters = [{ name: "roomId", in: "path", value: "$steps.create.outputs.id" }];
    const steps = [
      {
        ...{ stepId: "create", operationId: "create", requestBody: { contentType: "application/json", payload: {} } },
        successCriteria: [{ condition: "$response.body#/id == 9007199254740993" }],
        outputs: { id: "$response.body#/id" },
      },
      ...["{$steps.create.outputs.id}", '{"id":{$steps.create.outputs.id}}'].map((payload, index) => ({
        ...{ stepId: `write-${index}`, operationId: "write", parameters },
        requestBody: { contentType: "application/json", payload },
      })),
    ];
    const sourceDescriptions = [{ name: "v1", type: "openapi", url: "../openapi.json" }];
    const info = { title: "Rooms", version: "1.0.0" };
    const description = { arazzo: "1.0.1", info, sourceDescriptions, workflows: [{ workflowId: "big", steps }] };
    await using project = await createSmallProject({ paths });
    await mkdir(join(project.directory, "openapi/workflows"), { recursive: true });
    await writeFile(join(project.directory, "openapi/workflows/rooms.arazzo.yaml"), JSON.stringify(description));
    const sent: string[] = [];
    await using server = await serve(async (request, response) => {
      sent.push(`${request.method} ${request.url} ${await text(request)}`);
      response.writeHead(request.method === "POST" ? 201 : 200, { "content-type": "application/json" });
      response.end('{"id":9007199254740993}');
    });
    const { code } = await runHere(project.directory, "workflows.ts", ["--server", server.url, "--allow-changes"]);
    expect([code, sent]).toEqual([
      0,
      [
        "POST /rooms {}",
        'PUT /rooms/9007199254740993 "9007199254740993"',
        'PUT /rooms/9007199254740993 {"id":"9007199254740993"}',
      ],
    ]);
  });

  it("filters the items of lists, and compares times as such", async () => {
    const json = { description: "Done.", content: { "application/json": { schema: {} } } };
    const rooms = [
      { name: "attic", opens: "2026-03-17T12:00:00Z", closes: "2026-03-17T12:00:00+02:00" },
      { name: "cellar" },
    ];
    const body = "$response.body";
    const found = [
      { context: body, type: "jsonpath", condition: "$[?@.name == 'cellar']" },
      { context: `${body}#/0`, type: "jsonpath", condition: "$[?count(@.name) > 0]" },
      { condition: `${body}#/0/closes < ${body}#/0/opens && ${body}#/0/opens >= '2026-03-17T13:00:00+01:00'` },
    ];
    const lacking = [
      { context: body, type: "jsonpath", condition: "$[?@.name == 'hall']" },
      { condition: `${body}#/0/opens <= ${body}#/0/closes` },
      { condition: `${body}#/1/name < ${body}#/0/opens` },
    ];
    const workflowOf = (workflowId: string, successCriteria: readonly object[]) => ({
      ...{ workflowId, steps: [{ stepId: "list", operationId: "list", successCriteria }] },
    });
    const sourceDescriptions = [{ name: "v1", type: "openapi", url: "../openapi.json" }];
    const info = { title: "Rooms", version: "1.0.0" };
    const workflows = [workflowOf("found", found), ...lacking.map((one, at) => workflowOf(`lacking-${at}`, [one]))];
    const description = { arazzo: "1.0.1", info, sourceDescriptions, workflows };
    await using project = await createSmallProject({
      paths: { "/rooms": { get: { operationId: "list", responses: { "200": json } } } },
    });
    await mkdir(join(project.directory, "openapi/workflows"), { recursive: true });
    await writeFile(join(project.directory, "openapi/workflows/rooms.arazzo.yaml"), JSON.stringify(description));
    await using server = await serve((_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(rooms));
    });
    const { code, stderr } = await runHere(project.directory, "workflows.ts", ["--server", server.url]);
    expect(code).toBe(1);
    expect(stderr).toContain("error: 3 of 4 workflows failed:\n  lacking-0\n  lacking-1\n  lacking-2\n");
  });

  it("sends the requests of each generation to its server, with its key from the environment", async () => {
    await using v1 = await serve((_, response) => response.writeHead(201).end());
    await using v2 = await serve((_, response) => response.writeHead(200).end());
    vi.stubEnv("V1_API_KEY", "first-key");
    vi.stubEnv("V2_API_KEY", "svc_second");
    const servers = ["--server", `v1=${v1.url}`, "--server", `v2=${v2.url}`];
    const names = ["page-through-schedules", "remove-webhook-v1", "--input", "webhookId=5"];
    const permissions = ["--allow-changes", "--allow-deletes"];
    const { code, stdout } = await runHere(repository, "workflows.ts", [...names, ...servers, ...permissions]);
    vi.unstubAllEnvs();
    expect(code).toBe(1);
    expect(stdout).not.toMatch(/first-key|svc_second/);
    expect(v1.requests.slice(0, 1)).toEqual(["DELETE /v1/webhooks/5?apiKey=first-key"]);
    expect(v2.requests.slice(0, 1)).toEqual(["GET /v2/organizations/42/schedules?take=1&skip=0 Bearer svc_second"]);
  });

  it("compares times as instants, and reports a wrong media type", async () => {
    await using mock = await startServer({ generations });
    const answered = ["2026-03-17T13:00:00.000+00:00", "2026-03-17T12:30:01+00:00"];
    await using server = await serve(async (request, response) => {
      const headers = { ...stringMembersOf(request.headers), host: new URL(mock.url).host };
      const body = await text(request);
      const from = await fetch(mock.url + (request.url ?? ""), { method: "POST", headers, body });
      const start = JSON.stringify(answered.shift());
      response.writeHead(from.status, { "content-type": "application/json" });
      response.end((await from.text()).replace(/(?<="start": ?)"[^"]*"/, start));
    });
    const args = ["reschedule-booking", "--server", server.url, "--allow-changes"];
    const { stdout } = await runHere(repository, "workflows.ts", args);
    expect(stdout).toContain("✓ reschedule: POST");
    expect(stdout).toContain("expected $response.body#/data/start == $inputs.secondStart\n");
    expect(stdout).toContain('but $response.body#/data/start is "2026-03-17T12:30:01+00:00"\n');

    await using page = await serve((_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<h1>Sign in</h1>");
    });
    const wrong = await runHere(repository, "workflows.ts", ["fetch-recordings-v1", "--server", page.url]);
    expect(wrong.stdout).toContain("      the media type is application/json; received text/html\n");
  });

  it("says why the mock rejects a request", async () => {
    const { code, stdout } = await runHere(repository, "workflows.ts", [
      "accept-team-membership",
      "--input",
      "teamId=seven",
    ]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/expected \$statusCode == 200\n {6}but \$statusCode is 422/);
    expect(stdout).toMatch(/the problem is: .*teamId/);
    // Two criteria fail for the same reason.
    expect(stdout.match(/the problem is/g)).toHaveLength(1);
  });

  it("explains why workflows can't be run, and sends the requests of one that can", async () => {
    await using project = await copyProject();
    const body =
      "{ schema: { type: object, properties: { floor: { type: integer } } }, examples: { a: { value: { floor: 1 } } } }";
    const post = `post:
        { operationId: addRoom, summary: Add, description: Adds one., security: [], tags: [Rooms], responses: { 2XX: { description: Added. } },
          requestBody: { required: true, content: { application/x-www-form-urlencoded: ${body} } } }
      get:`;
    await project.edit("openapi/v1/rooms.yaml", "get:", post);
    expect(await project.buildHere()).toMatchObject({ code: 0 });
    const none = await runHere(project.directory, "workflows.ts", []);
    expect(none).toMatchObject({ code: 1, stdout: "" });
    expect(none.stderr).toContain("there are no workflows: openapi/workflows/ has no *.arazzo.yaml");

    const file = join(project.directory, "openapi/workflows/rooms.arazzo.yaml");
    await mkdir(dirname(file));
    await writeFile(file, "arazzo: [1.0.1");
    const unreadable = await runHere(project.directory, "workflows.ts", []);
    expect(unreadable).toMatchObject({ code: 1, stdout: "" });
    expect(unreadable.stderr).toMatch(/^error: openapi\/workflows\/rooms\.arazzo\.yaml: it cannot be read: [^\n]+\n$/);

    const workflow = { workflowId: "rooms", steps: [{ stepId: "list", operationId: "listHalls" }] };
    const sourceDescriptions = [{ name: "v1", type: "openapi", url: "../v1/openapi.yaml" }];
    const info = { title: "Rooms", version: "1.0.0" };
    await writeFile(file, JSON.stringify({ arazzo: "1.0.1", info, sourceDescriptions, workflows: [workflow] }));
    const lost = await runHere(project.directory, "workflows.ts", ["--server", "http://127.0.0.1:9"]);
    expect(lost).toMatchObject({ code: 1, stdout: "" });
    expect(lost.stderr).toContain("v1 has no operation listHalls.");
    expect(lost.stderr).not.toMatch(/^ {4}at /m);

    const contentType = "application/x-www-form-urlencoded";
    const step = { stepId: "add", operationId: "addRoom" };
    const steps = [{ ...step, requestBody: { contentType, payload: { floor: "$inputs.floor" } } }];
    const inputs = { type: "object", properties: { floor: { type: "integer", default: 1 } } };
    const workflows = [{ workflowId: "rooms", inputs, steps }];
    await writeFile(file, JSON.stringify({ arazzo: "1.0.1", info, sourceDescriptions, workflows }));
    const bodies: string[] = [];
    await using server = await serve(async (request, response) => {
      bodies.push(`${request.headers["content-type"] ?? ""} ${await text(request)}`);
      response.writeHead(201).end();
    });
    const args = ["--server", server.url, "--allow-changes", "--input", "floor=7"];
    const sent = await runHere(project.directory, "workflows.ts", args);
    expect(bodies, sent.stdout).toEqual(["application/x-www-form-urlencoded;charset=UTF-8 floor=7"]);
  });

  it.each([
    [["nothing"], 'there is no workflow "nothing": there are reschedule-booking, '],
    [["remove-taem"], 'there is no workflow "remove-taem": did you mean remove-team?\n'],
    [["remove-team", "--input", "orgID=7"], 'these workflows have no input "orgID": did you mean orgId?\n'],
    [["--server", "nowhere"], "--server must be an http or https URL, without a query or a password"],
    [["--server", "http://user:secret@127.0.0.1:1"], "--server must be an http or https URL"],
    [["--server", "user:secret@localhost:1"], "--server must be an http or https URL"],
    [["--server", "v1=http://127.0.0.1:1/#"], "--server must be an http or https URL"],
    [["--server", "v7=http://127.0.0.1:1"], 'there is no generation "v7"'],
    [
      ["remove-team", "--server", "v1=http://127.0.0.1:1", "--allow-changes"],
      "these workflows need a server for v2 too: add --server v2=URL",
    ],
    [
      ["page-through-schedules", "--server", "https://api.example", "--input", "orgId=7"],
      "set V2_API_KEY to the credential for v2",
    ],
    [["remove-team", "--input", "apiKey=secret"], 'the input "apiKey" is a credential'],
    [["--input", "secret"], '--input must be NAME=VALUE: one has no "="'],
    [["remove-team", "--input", "team=secret"], 'these workflows have no input "team": did you mean teamId?'],
  ])("refuses %j in words", async (args, message) => {
    const { code, stderr } = await runHere(repository, "workflows.ts", args);
    expect(code).toBe(1);
    expect(stderr).toContain(`error: ${message}`);
    expect(stderr).not.toMatch(/secret|\n {4}at /);
  });
});

/** A server of a few lines, which keeps what it is asked for. */
async function serve(respond: (...args: Parameters<RequestListener>) => unknown) {
  const requests: string[] = [];
  const served = await serveHttp((request, response) => {
    const { method = "", url = "", headers } = request;
    requests.push([method, url, ...(headers.authorization === undefined ? [] : [headers.authorization])].join(" "));
    void respond(request, response);
  });
  return { ...served, requests };
}

import { expect, it } from "vitest";
import { serveHttp } from "../fixtures/serveHttp.ts";
import { objectsOf, parseJson, valueAt } from "../../scripts/values/json.ts";
import { runHere } from "../pipeline/project.ts";
import { createSmallProject, serveJson } from "../fixtures/smallProject.ts";

const parameter = (name: string, example: unknown = "example") => ({
  ...{ name, in: "path", required: true, schema: { type: "string" }, example },
});
const item = { type: "object", required: ["id"], properties: { id: { type: "string" } } };
const shows = (schema: object) => ({ description: "Shown.", content: { "application/json": { schema } } });
const takes = { content: { "application/json": { schema: item, examples: { one: { value: { id: "sent" } } } } } };
const done = { "204": { description: "Done." } };
const created = { "201": shows(item) };
const list = (operationId: string) => ({ operationId, responses: { "200": shows({ type: "array", items: item }) } });

const paths = {
  "/rooms": { get: list("listRooms"), post: { operationId: "createRoom", responses: created } },
  "/rooms/{id}": {
    parameters: [parameter("id")],
    patch: { operationId: "updateRoom", requestBody: takes, responses: { "200": shows(item) } },
    delete: { operationId: "deleteRoom", responses: done },
  },
  // As of a creation, the response is a 201.
  "/rooms/{id}/close": { parameters: [parameter("id")], post: { operationId: "closeRoom", responses: created } },
  "/rooms/{id}/lock": { parameters: [parameter("id")], put: { operationId: "lockRoom", responses: done } },
  "/rooms/{id}/photo": { parameters: [parameter("id")], delete: { operationId: "deletePhoto", responses: done } },
  "/halls": { get: list("listHalls") },
  "/halls/{hallId}": { parameters: [parameter("hallId")], patch: { operationId: "updateHall", responses: done } },
  "/halls/{hallId}/seats": {
    parameters: [parameter("hallId")],
    get: list("listSeats"),
    post: { operationId: "createSeat", responses: created },
  },
  "/plans/{planId}": { parameters: [parameter("planId", "7")], patch: { operationId: "updatePlan", responses: done } },
  "/plans/{planId}/pages": {
    parameters: [parameter("planId", "7")],
    get: list("listPages"),
    post: { operationId: "createPage", responses: created },
  },
  "/tickets": {
    post: {
      operationId: "createTicket",
      parameters: [
        { name: "owner", in: "query", required: true, schema: { type: "string" }, example: "301" },
        { name: "payer", in: "query", schema: { type: "string" }, example: "302" },
        { name: "Version", in: "header", required: true, schema: { const: "1" }, example: "1" },
        { name: "silent", in: "query", required: true, schema: { type: "boolean" }, example: true },
      ],
      responses: created,
    },
  },
  "/settings": { patch: { operationId: "updateSettings", requestBody: takes, responses: done } },
  "/searches": { post: { operationId: "search", requestBody: takes, responses: { "200": shows(item) } } },
};

/** Runs the command with changes allowed against a server with rooms and halls; `room` is what it says to have created. */
async function verify({
  values = "",
  args = [],
  room = "cellar",
}: {
  values?: string;
  args?: string[];
  room?: string;
}) {
  await using project = await createSmallProject({ paths }, { "values.yaml": values || "{}" });
  await using server = await serveJson((request) => {
    const [method = "", path = ""] = request.split(" ");
    if (method === "GET" && path === "/rooms") return { status: 200, body: [{ id: "attic" }] };
    if (method === "GET") return { status: 200, body: path === "/halls" ? [{ id: "great" }] : [{ id: "seen" }] };
    if (method === "DELETE" || ["PUT", "PATCH"].includes(method)) return { status: 204, body: undefined };
    return { status: 201, body: { id: path === "/rooms" ? room : "made" } };
  });
  const run = await runHere(project.directory, "verify.ts", [
    ...["--server", server.url, "--rate", "100000", "--format", "json", "--allow-changes", ...args],
    ...(values === "" ? [] : ["--values", "values.yaml"]),
  ]);
  const findings = objectsOf(valueAt(parseJson(run.stdout), ["findings"]));
  const untested = findings.filter(({ kind }) => kind === "untested");
  return {
    changes: server.requests.filter((request) => !request.startsWith("GET ")),
    untested: new Map(
      untested.flatMap(({ operations, message }) => objectsOf(operations).map((one) => [one["operation"], message])),
    ),
    stderr: run.stderr,
  };
}

it("changes only created resources, anywhere in the path, and creates children of existing ones", async () => {
  const { changes, untested, stderr } = await verify({});
  expect(changes).toEqual([
    "POST /rooms",
    "POST /halls/great/seats",
    "PATCH /rooms/cellar",
    "PUT /rooms/cellar/lock",
    "POST /rooms/cellar/close",
    "DELETE /rooms/cellar/photo",
    "DELETE /rooms/cellar",
  ]);
  for (const [operation, reason] of [
    [
      "PATCH /halls/{hallId}",
      "To call it, use --allow-lasting-changes, and name them in the file of --values, as in updateHall: { hallId: … }",
    ],
    ["PATCH /plans/{planId}", "it changes resources that this run hasn't created"],
    ["POST /plans/{planId}/pages", "only examples have its planId"],
    ["POST /tickets", "only examples have its owner, and this command doesn't change resources that examples name"],
    ["PATCH /settings", "as in updateSettings: { body: … }"],
    ["POST /searches", "its path doesn't identify what it changes"],
  ]) {
    expect(untested.get(operation)).toContain(reason);
  }
  expect(stderr.split("\n")).toEqual(
    expect.arrayContaining([
      "  creates and deletes: POST /rooms",
      "  creates and doesn't delete: POST /halls/{hallId}/seats",
      "  changes only what the run created: PATCH /rooms/{id}",
      "  deletes only what the run created: DELETE /rooms/{id}",
      'Finally, left behind: "made", which POST /halls/{hallId}/seats (hallId "great") created; "made", which POST /rooms/{id}/close (id "cellar") created',
    ]),
  );
  expect(stderr).not.toMatch(/PATCH \/halls|left behind: "cellar"/);
});

it("changes resources of --values only if lasting changes are allowed, and lists them before and after, with identifiers", async () => {
  const values = "{ updatePlan: { planId: '9' }, v1: { updateSettings: { body: {} }, updateRoom: { id: attic } } }";
  const refused = await verify({ values });
  expect(refused.changes.filter((request) => /PATCH|attic/.test(request))).toEqual([]);
  for (const operation of ["PATCH /plans/{planId}", "PATCH /rooms/{id}", "PATCH /settings"])
    expect(refused.untested.get(operation)).toContain("which needs --allow-lasting-changes");
  const { changes, stderr } = await verify({ values, args: ["--allow-lasting-changes"] });
  expect(changes).toContain("PATCH /plans/9");
  expect(changes).toContain("PATCH /settings");
  expect(changes).toContain("PATCH /rooms/attic");
  for (const line of [
    `  changes for good: PATCH /plans/{planId} (planId "9")`,
    `  changes for good: PATCH /rooms/{id} (id "attic")`,
    "  changes for good: PATCH /settings",
  ]) {
    expect(stderr.split("\n")).toContain(line);
  }
  const [changed = "", ...others] = stderr.split("\n").filter((line) => line.startsWith("Finally, changed: "));
  expect(others).toEqual([]);
  expect(changed.replace("Finally, changed: ", "").split("; ")).toEqual(
    expect.arrayContaining(['PATCH /plans/{planId} (planId "9")', 'PATCH /rooms/{id} (id "attic")', "PATCH /settings"]),
  );
});

it("reads what it has changed only where the contract has it, and not in another list of the same type", async () => {
  const member = shows({ ...item, "x-resource": { name: "Member" } });
  const ids = [parameter("groupId"), parameter("memberId", "7")];
  await using project = await createSmallProject(
    {
      paths: {
        "/members/{memberId}": {
          parameters: [parameter("memberId", "7")],
          get: { operationId: "getMember", responses: { "200": member } },
        },
        "/groups/{groupId}/members/{memberId}": {
          parameters: ids,
          patch: { operationId: "updateMember", requestBody: takes, responses: { "200": member } },
        },
      },
    },
    { "values.yaml": "{ memberId: '7', updateMember: { groupId: a, memberId: '9' } }" },
  );
  await using server = await serveJson((request) => {
    const id = request.split("/").at(-1);
    return { status: request === "GET /members/9" ? 404 : 200, body: { id } };
  });
  const args = ["--server", server.url, "--rate", "100000", "--values", "values.yaml"];
  const permissions = ["--allow-changes", "--allow-lasting-changes"];
  const { stdout } = await runHere(project.directory, "verify.ts", [...args, ...permissions]);
  expect(server.requests).toEqual(["GET /members/7", "PATCH /groups/a/members/9"]);
  expect(stdout).not.toContain("can be read");
});

it("uses no examples for identifiers outside the path, and lists those of --values", async () => {
  const { changes, stderr } = await verify({ values: "{ owner: 9 }" });
  expect(changes).toContain("POST /tickets?owner=9&silent=true");
  expect(stderr.split("\n")).toEqual(
    expect.arrayContaining([
      "  creates and doesn't delete: POST /tickets (owner 9)",
      expect.stringContaining('Finally, left behind: "made", which POST /tickets (owner 9) created; '),
    ]),
  );
  expect((await verify({ values: "{ owner: 9, payer: 8 }" })).changes).toContain(
    "POST /tickets?owner=9&payer=8&silent=true",
  );
});

it("changes nothing at another path that a value in the file leads to", async () => {
  const { changes } = await verify({ values: "{ hallId: '..' }" });
  expect(changes).not.toContain("POST /seats");
});

it("takes no value for consent that stands for all operations", async () => {
  const { changes } = await verify({
    values: "{ id: attic, planId: '9', v1: { hallId: great } }",
    args: ["--allow-lasting-changes", "--allow-deletes"],
  });
  expect(changes.filter((request) => /attic|PATCH \/plans|PATCH \/halls/.test(request))).toEqual([]);
  expect(changes).toContain("POST /plans/9/pages");
});

it("deletes resources of --values only if deletes are allowed", async () => {
  const values = "{ deleteRoom: { id: attic }, deletePhoto: { id: attic } }";
  const refused = await verify({ values });
  expect(refused.changes.filter((request) => request.startsWith("DELETE"))).toEqual(["DELETE /rooms/cellar"]);
  expect(refused.untested.get("DELETE /rooms/{id}/photo")).toContain("which needs --allow-deletes");
  const { changes, stderr } = await verify({ values, args: ["--allow-deletes"] });
  expect(changes.filter((request) => request.startsWith("DELETE"))).toEqual([
    "DELETE /rooms/attic/photo",
    "DELETE /rooms/cellar",
    "DELETE /rooms/attic",
  ]);
  expect(stderr).toContain(`  deletes for good: DELETE /rooms/{id} (id "attic")\n`);
  expect(stderr).toContain('Finally, deleted: DELETE /rooms/{id} (id "attic")\n');
});

it("takes an operation that the contract says deletes for a delete, whatever its method", async () => {
  const wipe = { operationId: "wipeRoom", "x-resource": { effect: "delete" }, responses: done };
  const wipes = { "/rooms/{id}": { parameters: [parameter("id")], post: wipe } };
  await using project = await createSmallProject({ paths: wipes }, { "values.yaml": "{ wipeRoom: { id: attic } }" });
  await using server = await serveJson(() => ({ status: 204, body: undefined }));
  const args = ["--server", server.url, "--values", "values.yaml", "--allow-changes", "--allow-lasting-changes"];
  const { stdout } = await runHere(project.directory, "verify.ts", args);
  expect(server.requests).toEqual([]);
  expect(stdout).toContain("it would delete what --values names, which needs --allow-deletes");
});

it.each([
  ["was there before, if a create gives that", "attic"],
  ["has an identifier that leads to another path", ".."],
])("neither changes nor deletes what %s", async (_, room) => {
  const { changes, stderr } = await verify({ room });
  expect(changes).toEqual(["POST /rooms", "POST /halls/great/seats"]);
  expect(stderr).toMatch(
    room === "attic"
      ? /Finally, changed: "attic", by POST \/rooms\n/
      : /Finally, left behind: "\.\.", which POST \/rooms created; /,
  );
});

it("lists possible changes if no response confirms them", async () => {
  await using project = await createSmallProject({ paths: { "/rooms": paths["/rooms"] } });
  await using server = await serveJson((request) =>
    request.startsWith("GET") ? { status: 200, body: [{ id: "attic" }] } : { status: 503, body: {} },
  );
  const args = ["--server", server.url, "--rate", "100000", "--allow-changes"];
  const { stdout } = await runHere(project.directory, "verify.ts", args);
  expect(stdout).toContain(
    "Finally, perhaps left behind: a resource whose identifier isn't known, which POST /rooms created\n",
  );
});

const integer = { type: "integer", format: "int64" };
const lamp = { type: "object", required: ["id"], properties: { id: { ...integer, readOnly: true }, name: {} } };
const job = { type: "object", required: ["id"], properties: { id: integer, progress: {} } };
const named = (name: string) => ({
  content: { "application/json": { schema: lamp, examples: { one: { value: { name } } } } },
});
const pageParameters = ["limit", "offset"].map((name) => ({ name, in: "query", schema: { type: "integer" } }));

/** Lamps, which a POST creates with one of some statuses. */
const lampPaths = (responses: object) => ({
  "/lamps": {
    get: {
      ...list("listLamps"),
      ...{ parameters: pageParameters, "x-pagination": { limit: "limit", offset: "offset" } },
      responses: { "200": shows({ type: "array", items: lamp }) },
    },
    post: { operationId: "createLamp", requestBody: named("Desk"), responses },
  },
  "/lamps/{lampId}": {
    parameters: [{ name: "lampId", in: "path", required: true, schema: integer, example: 7 }],
    get: { operationId: "getLamp", responses: { "200": shows(lamp) } },
    patch: { operationId: "updateLamp", requestBody: named("Floor"), responses: { "200": shows(lamp) } },
    delete: { operationId: "deleteLamp", responses: done },
  },
});

/**
 * Runs the command against a server with the lamps 9007199254740996 and 9007199254740995, which has a JSON text for a POST,
 * and one for the lamp that it creates.
 */
async function verifyLamps(responses: object, posted: readonly [number, string], read: string) {
  await using project = await createSmallProject({ paths: lampPaths(responses) });
  const requests: string[] = [];
  await using server = await serveHttp((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    requests.push(`${request.method} ${pathname}`);
    const [limit, offset] = ["limit", "offset"].map((name) => Number(searchParams.get(name) ?? 0));
    const lamps = ["9007199254740996", "9007199254740995"].map((id) => `{"id":${id}}`).slice(offset);
    const listed = `[${lamps.slice(0, limit === 0 ? 2 : limit).join(",")}]`;
    const answers: Readonly<Record<string, readonly [number, string]>> = {
      "GET /lamps": [200, listed],
      "GET /lamps/9007199254740996": [200, '{"id":9007199254740996}'],
      // Its name is taken then.
      "POST /lamps": requests.filter((one) => one === "POST /lamps").length > 1 ? [409, "{}"] : posted,
    };
    const usual = request.method === "DELETE" ? ([204, ""] as const) : ([200, read] as const);
    const [status, text] = answers[`${request.method} ${pathname}`] ?? usual;
    response.writeHead(status, status === 204 ? {} : { "content-type": "application/json" }).end(text);
  });
  const args = ["--server", server.url, "--rate", "100000", "--allow-changes"];
  const { stdout } = await runHere(project.directory, "verify.ts", args);
  return { changes: requests.filter((request) => !request.startsWith("GET ")), stdout };
}

it("keeps all digits of identifiers beyond 2^53", async () => {
  const text = '{"id":9007199254740993,"name":"Desk"}';
  const { changes, stdout } = await verifyLamps({ "201": shows(lamp) }, [201, text], text);
  // Each body is sent with what the contract requires, too.
  const wrote = ["POST /lamps", "PATCH /lamps/9007199254740993"].flatMap((request) => [request, request]);
  expect(changes).toEqual([...wrote, "DELETE /lamps/9007199254740993"]);
  expect(stdout).not.toMatch(/no item is repeated|shows the resource of/);
});

const both = { "200": shows(lamp), "201": shows(lamp) };

it.each([
  [
    "a 200 beside a 201 shows",
    both,
    [200, '{"id":8,"name":"Desk"}'],
    '{"id":8,"name":"Desk"}',
    "perhaps left behind: 8, ",
  ],
  [
    "a 202 shows, such as a job",
    { "202": shows(job) },
    [202, '{"id":8}'],
    '{"id":8}',
    "perhaps left behind: a resource whose",
  ],
  [
    "a 201 shows in another schema",
    { "200": shows(job), "201": shows(lamp) },
    [201, '{"id":8,"name":"Desk"}'],
    '{"id":8,"name":"Desk"}',
    "left behind: a resource whose",
  ],
  [
    "a read shows with other values",
    both,
    [201, '{"id":8}'],
    '{"id":8,"name":"Somebody\'s"}',
    "perhaps left behind: 8, ",
  ],
  ["a read shows as another resource", both, [201, '{"id":8}'], '{"id":9}', "perhaps left behind: 8, "],
  ["a response shows with other values", both, [201, '{"id":8,"name":"Old"}'], '{"id":8}', "perhaps left behind: 8, "],
] as const)("neither changes nor deletes what %s", async (_, responses, posted, read, outcome) => {
  const { changes, stdout } = await verifyLamps(responses, posted, read);
  expect(changes).toEqual(["POST /lamps"]);
  expect(stdout).toContain(`Finally, ${outcome}`);
});

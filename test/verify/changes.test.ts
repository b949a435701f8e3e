import type { IncomingMessage } from "node:http";
import { buffer, text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { serveHttp } from "../fixtures/serveHttp.ts";
import { isObject, objectsOf, parseJson, valueAt } from "../../scripts/spec/json.ts";
import { runHere } from "../pipeline/project.ts";
import { createSmallProject, serveJson } from "./smallProject.ts";

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

const lampPath = {
  parameters: [parameter("lampId", "7")],
  get: { operationId: "getLamp", responses: { "200": shows(item) } },
  patch: {
    operationId: "updateLamp",
    requestBody: {
      content: {
        "application/json": {
          schema: { type: "object", properties: { name: {}, color: {}, tags: {} } },
          examples: { one: { value: { name: "Changed", tags: [] } }, two: { value: { color: "red" } } },
        },
      },
    },
    responses: { "200": shows(item) },
  },
};

/** Runs the command against a server with one lamp, which it may change. Gives what the server has of it before and after. */
async function verifyLamp(change: (record: object, sent: object) => object, status = 200) {
  const record = { name: "Ceiling", id: "9", color: "white", tags: [1.0, null, "ä"], owner: { id: 1 } };
  let kept: object = record;
  await using project = await createSmallProject(
    { paths: { "/lamps/{lampId}": lampPath } },
    { "values.yaml": "updateLamp: { lampId: '9' }" },
  );
  await using server = await serveJson((request, _, sent) => {
    if (request.startsWith("PATCH") && isObject(sent)) kept = change(kept, sent);
    return { status: request.startsWith("GET") ? status : 200, body: kept };
  });
  const args = ["--server", server.url, "--rate", "100000", "--allow-changes", "--values", "values.yaml"];
  const { stderr, stdout } = await runHere(project.directory, "verify.ts", args);
  return { before: JSON.stringify(record), after: JSON.stringify(kept), stderr, stdout, requests: server.requests };
}

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
    untested: new Map(untested.map(({ operation, message }) => [operation, message])),
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
    ["PATCH /halls/{hallId}", "To call it, name them in the file of --values, as in updateHall: { hallId: … }"],
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
      'Finally, left behind: "made", which POST /halls/{hallId}/seats (hallId "great") created',
    ]),
  );
  expect(stderr).not.toMatch(/PATCH \/halls|cannot put back|left behind: "cellar"/);
});

it("changes resources that --values names for an operation, and lists them before and after, with identifiers", async () => {
  const values = "{ updatePlan: { planId: '9' }, v1: { updateSettings: { body: {} }, updateRoom: { id: attic } } }";
  const { changes, stderr } = await verify({ values });
  expect(changes).toContain("PATCH /plans/9");
  expect(changes).toContain("PATCH /settings");
  expect(changes).toContain("PATCH /rooms/attic");
  for (const line of [
    `  changes and can't restore: PATCH /plans/{planId} (planId "9")`,
    `  changes and can't restore: PATCH /rooms/{id} (id "attic")`,
    "  changes and can't restore: PATCH /settings",
    'Finally, changed and not restored: PATCH /plans/{planId} (planId "9")',
    'Finally, changed and not restored: PATCH /rooms/{id} (id "attic")',
    "Finally, changed and not restored: PATCH /settings",
  ]) {
    expect(stderr.split("\n")).toContain(line);
  }
});

it("restores changed resources to the same bytes, and says so", async () => {
  const { before, after, stderr, stdout, requests } = await verifyLamp((record, sent) => ({ ...record, ...sent }));
  expect(requests.filter((request) => request.startsWith("PATCH"))).toHaveLength(3);
  expect(after).toBe(before);
  expect(stderr).toContain('  changes and restores: PATCH /lamps/{lampId} (lampId "9")\n');
  expect(stdout).toContain('Finally, changed and restored: PATCH /lamps/{lampId} (lampId "9")\n');
  expect(stdout).not.toContain("not restored");
  // The contract lists the properties of the request, but not those of the lamp.
  expect(stdout).not.toContain("wasn't in the request");
});

it("restores a list, a text and a file that a PUT replaces as a whole, and changes no text that it can't write", async () => {
  const kinds = [
    ["tags", "application/json", { type: "array" }, Buffer.from('["old"]')],
    ["note", "text/plain; charset=utf-8", { type: "string" }, Buffer.from("42 ö")],
    ["photo", "image/png", { format: "binary" }, Buffer.from([0x89, 0xff, 0])],
    ["sign", "text/plain", { type: "string" }, Buffer.from("ö", "latin1")],
  ] as const;
  const paths = kinds.map(([name, type, schema]) => {
    const content = { [type]: { schema, examples: { one: { value: name === "tags" ? ["new"] : "new" } } } };
    const put = { operationId: name, requestBody: { content }, responses: done };
    const get = { operationId: `read-${name}`, responses: { "200": { description: "Shown.", content } } };
    return [`/rooms/{id}/${name}`, { parameters: [parameter("id")], get, put }] as const;
  });
  const values = JSON.stringify(Object.fromEntries(kinds.map(([name]) => [name, { id: "9" }])));
  await using project = await createSmallProject({ paths: Object.fromEntries(paths) }, { "values.yaml": values });
  const bodies = new Map<string, Buffer>(kinds.map(([name, , , body]) => [name, body]));
  const types = new Map<string, string>(kinds.map(([name, type]) => [name, type]));
  const before = new Map(bodies);
  const writes: string[] = [];
  await using server = await serveHttp((request, response) => {
    const name = request.url?.split("/").at(-1) ?? "";
    void buffer(request).then((sent) => {
      if (request.method === "GET") {
        response.writeHead(200, { "content-type": types.get(name) }).end(bodies.get(name));
        return;
      }
      writes.push(name);
      bodies.set(name, sent);
      response.writeHead(204).end();
    });
  });
  const args = ["--server", server.url, "--rate", "100000", "--allow-changes", "--values", "values.yaml"];
  const { stdout } = await runHere(project.directory, "verify.ts", args);
  expect(writes).toEqual(["tags", "tags", "note", "note", "photo", "photo"]);
  expect(bodies).toEqual(before);
  expect(stdout.match(/changed and restored/g)).toHaveLength(3);
  expect(stdout).not.toContain("not restored");
});

it("names properties that still differ after the restore", async () => {
  let version = 0;
  const { stdout } = await verifyLamp((record, sent) => ({ ...record, ...sent, version: (version += 1) }));
  expect(stdout.replaceAll(/\n {2}/g, " ")).toContain(
    'Finally, changed and not restored: PATCH /lamps/{lampId} (lampId "9"). Different: version\n',
  );
});

it("doesn't change a resource that it can no longer read", async () => {
  const { before, after, stdout, requests } = await verifyLamp((record, sent) => ({ ...record, ...sent }), 404);
  expect(requests.every((request) => request.startsWith("GET"))).toBe(true);
  expect(after).toBe(before);
  const reason = "the GET response before the change can't be written back, so the resource couldn't be restored";
  expect(stdout.replaceAll(/\n {2}/g, " ")).toContain(`Not called, 1: ${reason}`);
});

/**
 * Runs the command against a server with a lamp that it may change, and does something before each request: with `false`,
 * the server is gone. Gives the report, and whether the lamp is as it was.
 */
async function verifyBrokenLamp(onRequest: (count: number) => boolean) {
  const before = { id: "9", name: "Ceiling", color: "white", tags: ["old"] };
  let lamp: object = before;
  let count = 0;
  await using project = await createSmallProject(
    { paths: { "/lamps/{lampId}": lampPath } },
    { "values.yaml": "updateLamp: { lampId: '9' }" },
  );
  await using server = await serveHttp((request, response) => {
    count += 1;
    void json(request).then((sent) => {
      if (!onRequest(count)) response.destroy();
      else {
        if (request.method === "PATCH" && isObject(sent)) lamp = { ...lamp, ...sent };
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(lamp));
      }
    });
  });
  const args = ["--server", server.url, "--rate", "100000", "--allow-changes", "--values", "values.yaml"];
  const { stdout } = await runHere(project.directory, "verify.ts", args);
  return {
    isRestored: JSON.stringify(lamp) === JSON.stringify(before),
    stdout: stdout.replaceAll(/\n {2}(?! )/g, " "),
  };
}

async function json(request: IncomingMessage): Promise<unknown> {
  return parseJson(await text(request));
}

it.each([
  ["reads the changed resource", 6, "unknown, because it can't be read"],
  ["restores it", 7, "name, color, tags, when it was last read"],
  ["reads it again", 8, "name, color, tags, when it was last read"],
])("says what may be left changed if the server is gone when the run %s", async (_, dying, differing) => {
  const { stdout } = await verifyBrokenLamp((count) => count < dying);
  expect(stdout).toContain(
    `Finally, changed and not restored: PATCH /lamps/{lampId} (lampId "9"). Different: ${differing}\n`,
  );
});

it.each([3, 4, 5, 6, 7, 8])("restores a changed resource if it is interrupted at request %i", async (at) => {
  const others = process.listeners("SIGINT");
  const { isRestored, stdout } = await verifyBrokenLamp((count) => {
    // Other test files may have left listeners in this process, such as a browser's.
    const added = process.listeners("SIGINT").filter((listener) => !others.includes(listener));
    if (count === at) for (const listener of added) listener("SIGINT");
    return true;
  });
  expect([isRestored, stdout]).toEqual([true, expect.stringContaining("Finally, changed and restored: PATCH /lamps/")]);
  expect(stdout).toMatch(/^Could not tell.*: Ended early: it was interrupted/);
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
  const args = ["--server", server.url, "--rate", "100000", "--allow-changes", "--values", "values.yaml"];
  const { stdout } = await runHere(project.directory, "verify.ts", args);
  expect(server.requests).toEqual(["GET /members/7", "PATCH /groups/a/members/9"]);
  expect(stdout).not.toContain("can be read");
});

it("uses no examples for identifiers outside the path, and lists those of --values", async () => {
  const { changes, stderr } = await verify({ values: "{ owner: 9 }" });
  expect(changes).toContain("POST /tickets?owner=9&silent=true");
  expect(stderr.split("\n")).toEqual(
    expect.arrayContaining([
      "  creates and doesn't delete: POST /tickets (owner 9)",
      'Finally, left behind: "made", which POST /tickets (owner 9) created',
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
    args: ["--allow-deletes"],
  });
  expect(changes.filter((request) => /attic|PATCH \/plans|PATCH \/halls/.test(request))).toEqual([]);
  expect(changes).toContain("POST /plans/9/pages");
});

it("deletes resources of --values only if deletes are allowed", async () => {
  const values = "{ deleteRoom: { id: attic }, deletePhoto: { id: attic } }";
  const refused = await verify({ values });
  expect(refused.changes.filter((request) => request.startsWith("DELETE"))).toEqual(["DELETE /rooms/cellar"]);
  expect(refused.untested.get("DELETE /rooms/{id}/photo")).toContain("To call it, use --allow-deletes");
  const { changes, stderr } = await verify({ values, args: ["--allow-deletes"] });
  expect(changes.filter((request) => request.startsWith("DELETE"))).toEqual([
    "DELETE /rooms/attic/photo",
    "DELETE /rooms/cellar",
    "DELETE /rooms/attic",
  ]);
  expect(stderr).toContain(`  deletes and can't restore: DELETE /rooms/{id} (id "attic")\n`);
  expect(stderr).toContain('Finally, deleted: DELETE /rooms/{id} (id "attic")\n');
});

it.each([
  ["was there before, if a create gives that", "attic"],
  ["has an identifier that leads to another path", ".."],
])("neither changes nor deletes what %s", async (_, room) => {
  const { changes, stderr } = await verify({ room });
  expect(changes).toEqual(["POST /rooms", "POST /halls/great/seats"]);
  expect(stderr).toMatch(
    room === "attic"
      ? /Finally, changed and not restored: "attic", by POST \/rooms\n/
      : /Finally, left behind: "\.\.", which POST \/rooms created\n/,
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

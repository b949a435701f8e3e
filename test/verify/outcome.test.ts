import { afterEach, describe, expect, it, vi } from "vitest";
import { writeHar } from "./harText.ts";
import { isObject, objectsOf, parseJson, valueAt } from "../../scripts/values/json.ts";
import { curlCommand } from "../../scripts/samples/curlCommand.ts";
import { requestChecks } from "../../scripts/verify/wrongRequests.ts";
import { repository, runHere } from "../pipeline/project.ts";
import { generations, startExampleServer } from "../fixtures/exampleServer.ts";
import { text } from "node:stream/consumers";
import { serveHttp } from "../fixtures/serveHttp.ts";
import { createSmallProject, serveJson } from "../fixtures/smallProject.ts";

const item = { type: "object", required: ["id"], properties: { id: { type: "string" } } };
const json = (schema: object) => ({ description: "Shown.", content: { "application/json": { schema } } });
const failure = { description: "Failed.", content: { "application/json": { schema: {} } } };
const reads = (operationId: string, schema: object, security: object[] = []) => ({
  get: { operationId, security, responses: { "200": json(schema), "503": failure, default: failure } },
});
const array = { type: "array", items: item };

const description = {
  components: {
    securitySchemes: {
      apiKey: { type: "apiKey", in: "header", name: "X-Key", "x-example": "example-key" },
      token: { type: "http", scheme: "bearer", "x-example": "example-token" },
    },
  },
  paths: {
    "/rooms": reads("listRooms", array, [{ apiKey: [] }]),
    "/halls": reads("listHalls", { type: "object", properties: { data: array } }, [{ apiKey: [] }, {}]),
    "/plans": reads("listPlans", array, [{ token: [] }]),
    "/notice": reads("getNotice", item),
  },
};

/** The bodies of a server that does what the description says. */
const bodies = new Map<string, unknown>([
  ["GET /rooms", [{ id: "attic" }]],
  ["GET /halls", { data: [{ id: "great" }] }],
  ["GET /plans", [{ id: "first" }]],
  ["GET /notice", { id: "one" }],
]);

type Respond = (
  request: string,
  headers: NodeJS.Dict<string | string[]>,
) => ReturnType<Parameters<typeof serveJson>[0]>;

async function verify(respond: Respond, ...args: readonly string[]) {
  await using project = await createSmallProject(description);
  await using server = await serveJson(respond);
  const given = ["--server", server.url, "--rate", "100000", "--format", "json", ...args];
  const run = await runHere(project.directory, "verify.ts", given);
  const findings = objectsOf(valueAt(parseJson(run.stdout), ["findings"]));
  const told = findings.flatMap(({ kind, operations, message }) =>
    objectsOf(operations).map(({ operation }) => [kind, operation, message].map(String).join(" ")),
  );
  return { ...run, told };
}

const respond: Respond = (request, headers) => {
  const key = request.includes("/plans") ? headers.authorization : headers["x-key"];
  const isOpen = request.includes("/halls") || request.includes("/notice");
  return key === undefined && !isOpen ? { status: 401, body: {} } : { status: 200, body: bodies.get(request) };
};

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("npm run verify has no result", () => {
  it("if credentials are always refused, and names their schemes and variables", async () => {
    vi.stubEnv("V1_API_KEY", "expired-0001");
    const { code, stdout, stderr } = await verify((request, headers) => {
      const isRefused = request.includes("/rooms") && headers["x-key"] === "expired-0001";
      return isRefused ? { status: 403, body: {} } : respond(request, headers);
    });
    const line = "Refused credentials: apiKey of v1 (from V1_API_KEY): 401 or 403 for 1 of 2 calls with it";
    expect([code, stderr]).toEqual([2, expect.stringContaining(line)]);
    expect(stdout + stderr).not.toContain("expired-0001");
  });

  it("if the contract's example is refused, and names the variable for another", async () => {
    const { code, stderr } = await verify((request, headers) =>
      request.includes("/plans") ? { status: 401, body: {} } : respond(request, headers),
    );
    const line =
      "Refused credentials: token of v1 (the contract's example; set another with V1_TOKEN): 401 or 403 for 1 of 1 call";
    expect([code, stderr]).toEqual([2, expect.stringContaining(line)]);
    expect(stderr).not.toContain("apiKey");
  });

  it("with expired keys of this service, although some operations need none", async () => {
    await using server = await startExampleServer((answer, { operation }) =>
      operation.security.some((schemes) => schemes.length === 0)
        ? answer
        : { ...answer, status: 401, body: { message: "expired" } },
    );
    const { code, stdout } = await runHere(repository, "verify.ts", ["--server", server.url, "--rate", "100000"]);
    expect([code, stdout]).toEqual([2, expect.stringMatching(/^Could not tell:\n {2}Refused credentials: /)]);
    for (const name of ["v1", "v2"]) expect(stdout).toContain(`\n  Refused credentials: apiKey of ${name} `);
    expect(stdout).toMatch(/^Could not tell: \d+ of \d+ operations tested[^]*$/m);
  });

  it("if all responses are empty lists", async () => {
    const empty = new Map<string, unknown>([["GET /halls", { data: [] }]]);
    const { code, told, stderr } = await verify(
      (request, headers) => ({ ...respond(request, headers), body: empty.get(request) ?? [] }),
      ...["--operation", "listRooms", "--operation", "listHalls"],
    );
    expect(told).toContain("untested GET /rooms its list was empty");
    expect(told).toContain("untested GET /halls its list was empty");
    expect(code).toBe(2);
    expect(stderr).toContain("No result: all responses were empty lists\n");
    expect(stderr).not.toContain("Refused");
  });

  it("if nothing succeeds", async () => {
    const { code, stderr } = await verify(() => ({ status: 404, body: {} }));
    const reason = "No result: no operation succeeded: each response was a 404. Check the address of the server";
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
  });
});

describe("npm run verify has no result of a check that sent nothing, and says why,", () => {
  it("if no operation has a wrong request for it", async () => {
    const { code, stderr } = await verify(respond, "--checks", "bodies");
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /^--checks bodies sent nothing: no operation takes a JSON body\n(?:.+\n)+Could not tell: /m,
      ),
    ]);
  });

  it("unless all checks that apply were asked for", async () => {
    const strict: Respond = (request, headers) => {
      const isWrong = Object.values(headers).some((value) => String(value).includes("wrong-credential"));
      return isWrong ? { status: 401, body: {} } : respond(request, headers);
    };
    const { code, stderr } = await verify(strict, "--checks", "all");
    expect([code, stderr]).toEqual([0, expect.stringContaining("--checks bodies sent nothing: no operation takes")]);
  });

  it("if the operations that have them may change data", async () => {
    const lists = generations.flatMap(({ operations }) => operations).filter(({ method }) => method === "get");
    await using server = await startExampleServer((answer, { operation }) =>
      operation === lists[0] ? { ...answer, status: 404 } : answer,
    );
    const args = ["--server", server.url, "--rate", "100000", "--checks", "bodies,media-types"];
    const { code, stdout } = await runHere(repository, "verify.ts", args);
    const reason = /--checks bodies sent nothing\. \d+ operations: may change data, which needs --allow-changes\n/;
    expect([code, stdout.replaceAll(/\n {4}/g, " ")]).toEqual([2, expect.stringMatching(reason)]);
    expect(stdout).toMatch(/^Could not tell:\n {2}--checks bodies sent nothing/);
    expect(stdout).toContain("--checks media-types sent nothing");
    // One line is enough for all operations that only need an option.
    expect(stdout).toMatch(/^Not called, \d+: may change data, which needs --allow-changes\n\n/m);
    // Those that weren't called come first.
    expect(stdout.match(/^Not \w+/gm)).toEqual(["Not called", "Not checked"]);
  });
});

it("npm run verify succeeds where credentials are accepted, and lists have items", async () => {
  const { code, told, stderr } = await verify(respond);
  expect([code, told.filter((one) => !one.startsWith("gap"))]).toEqual([0, []]);
  expect(stderr).not.toMatch(/Refused|Can't tell/);
});

it("npm run verify says nothing of a right server's redirects, streams, pages, empty failures and hidden resources", async () => {
  const id = { name: "roomId", in: "path", required: true, schema: { type: "string" }, example: "none" };
  const none = { description: "Nothing." };
  const at = { Location: { required: true, schema: { type: "string" } } };
  const paths = {
    "/go": { get: { operationId: "go", responses: { "302": { ...none, headers: at }, "404": none } } },
    "/events": {
      get: { operationId: "watch", responses: { "200": { ...none, content: { "text/event-stream": {} } } } },
    },
    "/ticks": { get: { operationId: "tick", responses: { "200": json(item) } } },
    "/plans": {
      get: {
        operationId: "listPlans",
        "x-pagination": { limit: "take", offset: "skip" },
        parameters: ["take", "skip"].map((name) => ({ name, in: "query", schema: { type: "integer", maximum: 100 } })),
        responses: { "200": json({ type: "array", items: item }) },
      },
    },
    "/news": { get: { operationId: "readNews", responses: { "200": json(item), "304": json(item) } } },
    "/rooms": { post: { operationId: "createRoom", responses: { "201": json(item) } } },
    "/rooms/{roomId}": {
      parameters: [id],
      get: { operationId: "readRoom", responses: { "200": json(item), "404": none } },
    },
    "/rooms/{roomId}/close": { parameters: [id], post: { operationId: "closeRoom", responses: { "204": none } } },
    "/rooms/{roomId}/hide": {
      parameters: [id],
      post: { operationId: "hideRoom", "x-resource": { effect: "update" }, responses: { "200": json(item) } },
    },
  };
  const rooms = new Set<string>();
  await using server = await serveHttp((request, response) => {
    const [, first, roomId = ""] = request.url?.split("/") ?? [];
    const send = () =>
      response.writeHead(request.method === "GET" || roomId !== "" ? 200 : 201, { "content-type": "application/json" });
    if (first === "go")
      response.writeHead(302, { location: "/news", "content-type": "text/html", "x-mock-note": "" }).end("<p>Here</p>");
    else if (first === "events" || first === "ticks")
      response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
    else if (first === "news") response.writeHead(304).end();
    else if (first?.startsWith("plans") === true) {
      const { searchParams } = new URL(request.url ?? "", server.url);
      const [take = 0, skip = 0] = ["take", "skip"].map((name) => Number(searchParams.get(name)));
      const plans = [1, 2, 3].map((number) => ({ id: `plan-${number}` }));
      if (skip > 100) response.writeHead(422).end();
      else send().end(JSON.stringify(plans.slice(skip, skip + (take || 3))));
    } else if (request.method === "GET" && !rooms.has(roomId)) response.writeHead(404).end();
    else if (request.method === "GET") send().end(JSON.stringify({ id: roomId }));
    else if (request.url?.endsWith("/close") === true) response.writeHead(rooms.delete(roomId) ? 204 : 404).end();
    else {
      const id = roomId || `room-${rooms.size}`;
      if (roomId === "") rooms.add(id);
      else rooms.delete(id);
      send().end(JSON.stringify({ id }));
    }
  });
  await using project = await createSmallProject({ paths });
  const run = async (...ids: readonly string[]) => {
    const args = ["--server", server.url, "--rate", "100000", "--format", "json", "--allow-changes"];
    const selected = ids.flatMap((one) => ["--operation", one]);
    const { code, stdout } = await runHere(project.directory, "verify.ts", [...args, ...selected]);
    const findings = objectsOf(valueAt(parseJson(stdout), ["findings"]));
    return [
      code,
      findings.map(({ kind, operation, message }) => `${String(kind)} ${String(operation)} ${String(message)}`),
    ];
  };
  expect(await run("go", "readNews", "watch", "listPlans")).toEqual([0, []]);
  const rule = "the media type is application/json; received text/event-stream";
  expect(await run("tick")).toEqual([1, [`contradiction GET /ticks ${rule}`]]);
  for (const hides of ["closeRoom", "hideRoom"]) {
    expect(await run("createRoom", "readRoom", hides)).toEqual([0, []]);
  }
});

it("npm run verify shows the values of headers that contradict, except secrets", async () => {
  const headers = {
    "X-Total": { schema: { type: "integer" } },
    "X-Kind": { schema: { type: "string", enum: ["hall"] } },
    "X-Note": { schema: { type: "string", minLength: 2 } },
    "Set-Cookie": { schema: { type: "string", pattern: "^sid=" } },
  };
  await using project = await createSmallProject({
    paths: { "/rooms": { get: { operationId: "listRooms", responses: { "204": { description: "None.", headers } } } } },
  });
  await using server = await serveHttp((_, response) => {
    response.writeHead(204, { "x-total": "many", "x-kind": "attic", "x-note": "a", "set-cookie": "it=hidden" }).end();
  });
  const args = ["--server", server.url, "--format", "json"];
  const { code, stdout } = await runHere(project.directory, "verify.ts", args);
  const findings = objectsOf(valueAt(parseJson(stdout), ["findings"]));
  expect([code, findings.map(({ message }) => message)]).toEqual([
    1,
    [
      'the header X-Total must be an integer; received "many"',
      'the header X-Kind must be "hall"; received "attic"',
      'the header X-Note must have at least 2 characters; received "a"',
      'the header Set-Cookie must match pattern "^sid="',
    ],
  ]);
  expect(stdout).not.toContain("hidden");
});

it.each(["header", "cookie"])(
  "npm run verify names the variable of a credential that can't be in a %s",
  async (place) => {
    vi.stubEnv("V1_KEY", "half\nother");
    const securitySchemes = { key: { type: "apiKey", in: place, name: "key", "x-example": "example" } };
    await using project = await createSmallProject({
      components: { securitySchemes },
      paths: { "/rooms": reads("listRooms", array, [{ key: [] }]) },
    });
    const { code, stderr } = await runHere(project.directory, "verify.ts", ["--server", "http://127.0.0.1:9"]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: V1_KEY can't be sent in a header: /)]);
    expect(stderr).not.toMatch(/half|other/);
  },
);

describe("npm run verify -- --require", () => {
  it("says at the end how much was seen, and fails with less than is required", async () => {
    const { code, stderr } = await verify(respond, "--require", "40%");
    // Of the statuses, a 200 of each operation came, the 401 of two, and no 503. Each operation has the field `id`, and one `data`.
    const line = "Seen: 4 of 4 operations (100%), 6 of 12 listed statuses (50%), 5 of 5 response fields (100%)\n";
    expect([code, stderr]).toEqual([0, expect.stringContaining(line)]);
    const less = await verify(respond, "--require", "40", "--operation", "listPlans", "--operation", "listHalls");
    expect(less.stderr).toContain("Seen: 2 of 2 operations (100%), 3 of 6 listed statuses (50%)");
    const failed = await verify(respond, "--require", "51%");
    expect([failed.code, failed.stderr]).toEqual([
      1,
      expect.stringContaining("Coverage too low: less than 51% of listed statuses\n"),
    ]);
  });

  it.each(["x", "", "101%", "%", " ", "0x50"])("refuses %j", async (percent) => {
    const { code, stderr } = await verify(respond, "--require", percent);
    expect([code, stderr]).toEqual([2, expect.stringContaining("--require must be a percentage from 0% to 100%")]);
  });
});

describe("npm run verify -- --fail-on", () => {
  const withUnlisted: Respond = (request, headers) =>
    request === "GET /notice" ? { status: 200, body: { id: "one", plan: 5 } } : respond(request, headers);

  it("fails with the kinds of findings that it names, and says so as JUnit does", async () => {
    expect((await verify(withUnlisted)).code).toBe(0);
    const { code, stdout } = await verify(withUnlisted, "--fail-on", "doubt, unlisted", "--format", "junit");
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining(`<failure type="unlisted" message="the property /plan isn't listed`),
    ]);
    expect((await verify(withUnlisted, "--fail-on", "untested,doubt")).code).toBe(0);
  });

  it("rejects other kinds", async () => {
    const { code, stderr } = await verify(respond, "--fail-on", "unlisted,doubts");
    expect([code, stderr]).toEqual([
      2,
      'error: --fail-on must be one or more of unlisted, untested, doubt, separated by commas, not "doubts": did you mean doubt?\n',
    ]);
  });
});

describe("npm run verify fails with an error of the server", () => {
  it.each([
    ["that the contract lists", 503],
    ["that the contract does not list", 500],
  ])("%s", async (_, status) => {
    const failing: Respond = (request, headers) =>
      request === "GET /notice" ? { status, body: {} } : respond(request, headers);
    const { code, told } = await verify(failing);
    expect(told).toContain(`server error GET /notice the server failed with an error; received ${status}`);
    expect(told).toContain(`untested GET /notice only failures: ${status}`);
    expect(code).toBe(1);
    const text = (await verify(failing, "--format", "text")).stdout;
    expect(text).toMatch(/\nNot checked, 1: only failures: \d+\n {4}v1 GET \/notice\n/);
    expect(text).toMatch(/\nFailed: 1 server error; 3 of 4 operations tested, 1 unlisted, 1 gap\n$/);
    const junit = '<error type="server error" message="the server failed';
    expect((await verify(failing, "--format", "junit")).stdout).toContain(junit);
    expect((await verify(failing, "--format", "markdown")).stdout).toContain("- **server error** v1 `GET /notice`");
  });

  it("in recorded traffic", async () => {
    const [generation] = generations;
    const operation = generation?.operations.find(({ method }) => method === "get");
    const url = `https://api.example.com${operation?.path.replaceAll(/\{.*?\}/g, "1") ?? ""}`;
    const message = { headers: [], body: undefined };
    const exchange = { method: "GET", url, request: message, response: { ...message, status: 502 } };
    const har = writeHar([exchange]);
    await using project = await createSmallProject(description, { "traffic.har": har });
    const file = `${project.directory}/traffic.har`;
    const { code, stdout } = await runHere(repository, "verify.ts", ["--har", file]);
    expect([code, stdout]).toEqual([1, expect.stringContaining(`server error  v1  ${operation?.name ?? ""}`)]);
  });
});

it("npm run verify sends the wrong requests of --checks, estimates their number, and doubts slow responses", async () => {
  const { code, told, stderr } = await verify(respond, "--checks", "credentials", "--max-time", "0.001");
  expect(stderr).toMatch(/^About 8 requests in 1 s, with a time limit of 300 s$/m);
  expect(told.filter((one) => one.startsWith("contradiction"))).toEqual([
    "contradiction GET /rooms credentials are required; received 200 with a wrong value of apiKey",
    "contradiction GET /plans credentials are required; received 200 with a wrong value of token",
  ]);
  expect(told.join()).toContain("doubt GET /notice a response takes at most 0.001 ms; received ");
  expect(code).toBe(1);
});

it("npm run verify lists each check on a line, and rejects others", async () => {
  const help = await runHere(repository, "verify.ts", ["--help"]);
  for (const [name, { sends: line }] of Object.entries(requestChecks))
    expect(help.stdout).toContain(`  ${name.padEnd(13)}${line}\n`);
  const args = ["--server", "http://127.0.0.1:1", "--checks"];
  const { code, stderr } = await runHere(repository, "verify.ts", [...args, "bodies,everything"]);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining(`one or more of all, ${Object.keys(requestChecks).join(", ")}`),
  ]);
});

/** The elements of a JUnit report by their names, with the names of their attributes. */
function readElements(report: string) {
  const elements = Array.from(report.matchAll(/^ *<([\w-]+) (.+)/gm), ([, name = "", rest = ""]) => ({ name, rest }));
  return (name: string) => elements.filter((one) => one.name === name).map(({ rest }) => rest);
}

it("npm run verify writes a JUnit case for each operation and check, and for each rule that fails", async () => {
  const failing: Respond = (request, headers) => {
    if (request === "GET /rooms") return { status: 200, body: [{ id: 5 }, {}] };
    if (request === "GET /halls") return { status: 500, body: {} };
    if (request === "GET /notice") return { status: 200, body: { id: "one", "a<b": "\uFFFF" } };
    return { status: headers.authorization === "Bearer example-token" ? 200 : 401, body: bodies.get(request) };
  };
  const args = ["--format", "junit", "--checks", "credentials,bodies", "--fail-on", "unlisted"];
  const { code, stdout } = await verify(failing, ...args);
  // No XML may have it.
  expect(stdout).not.toContain("\uFFFF");
  const elements = readElements(stdout);
  const cases = elements("testcase");
  expect(code).toBe(1);
  expect(stdout.match(/ name="[^"]+"/g)?.slice(1)).toEqual([
    ' name="responses: /*/id in the body must be a string"',
    ' name="responses: /* in the body must have all required properties"',
    ' name="credentials: credentials are required"',
    ' name="responses: the server failed with an error"',
    ' name="responses: the body of a failure with 500"',
    ' name="responses"',
    ' name="credentials"',
    ' name="responses: the property /a&lt;b isn\'t listed"',
    ' name="--checks bodies sent nothing: no operation takes a JSON body"',
  ]);
  const { length: errors } = elements("error");
  const counts = `tests="${cases.length}" failures="${elements("failure").length}" errors="${errors}" skipped="0"`;
  expect(elements("testsuite")[0]).toMatch(/^name="verify" timestamp="[-\dT:]{19}" hostname="localhost" /);
  expect(elements("testsuite")[0]).toContain(` ${counts} time="`);
  // As the schema of JUnit's tasks for Ant requires.
  expect(cases.filter((one) => !/^classname="[^"]+" name="[^"]+" time="[\d.]+"\/?>$/.test(one))).toEqual([]);
});

it("npm run verify writes pointers as code in Markdown, with the request, and escapes what servers send", async () => {
  const wrong: Respond = () => ({ status: 200, body: { id: 5, "_<b>_": "@a*" } });
  const { stdout } = await verify(wrong, "--format", "markdown", "--operation", "getNotice");
  const request = ["    ```sh", "    curl 'http://127.0.0.1/notice'", "    ```", ""];
  expect(stdout.replaceAll(/(?<=127\.0\.0\.1):\d+/g, "").split("\n")).toEqual([
    "## Failed: 1 contradiction; 1 of 1 operation tested, 1 unlisted",
    "",
    "- **contradiction** v1 `GET /notice`",
    "  - `/id` in the body must be a string; received 5: `openapi.json:1`",
    ...request,
    "- **unlisted** v1 `GET /notice`",
    `  - the property \`/_<b>_\` isn't listed; received "@\u200ba\\*": \`openapi.json:1\``,
    ...request,
    "Seen: 1 of 1 operation (100%), 1 of 3 listed statuses (33%), 1 of 1 response field (100%)",
    "",
  ]);
});

it("a comment of npm run verify is never longer than GitHub allows, and counts the rest", async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 900 }, (_, index) => [`field-of-a-wide-object-${index}`, 5]),
  );
  const wide: Respond = () => ({ status: 200, body: { id: 5, ...properties } });
  const { stdout } = await verify(wide, "--format", "markdown", "--operation", "getNotice");
  expect(stdout.length).toBeLessThan(65_536);
  const shown = stdout.match(/^ {2}- the property `/gm)?.length ?? 0;
  expect(shown).toBeGreaterThan(50);
  expect(stdout).toContain(`\nAnd ${900 - shown} others: \`npm run verify\` lists them.\n`);
  expect(stdout).toContain("- **contradiction** v1 `GET /notice`\n  - `/id` in the body must be a string; received 5");
});

it.each([
  ["GET", 200, "curl 'URL'"],
  ["PATCH", 58, "curl -X PATCH 'URL'"],
  ["PATCH", 59, "curl -X PATCH \\\n  'URL'"],
])("a command for %s with an address of %i characters has as few lines as 80 columns allow", (method, length, text) => {
  const url = "http://127.0.0.1/".padEnd(length, "a");
  expect(curlCommand({ method, url, headers: {}, body: undefined }, undefined, 74).replace(url, "URL")).toBe(text);
});

it("a command sends dot segments and brackets as they are", () => {
  const urlOf = (path: string) => `http://127.0.0.1/${path}`;
  const options = ["a/../b", "a/.?c", "a.b/..c?[d]"].map(
    (path) => curlCommand({ method: "GET", url: urlOf(path), headers: {} }).split(" 'http")[0],
  );
  expect(options).toEqual(["curl --path-as-is", "curl --path-as-is", "curl -g"]);
});

it("npm run verify shows findings of the same operations and request together, with one curl command", async () => {
  const wrong: Respond = (request, headers) =>
    request === "GET /halls" ? { status: 200, body: { data: [{ id: 5 }, {}] } } : respond(request, headers);
  const { stdout } = await verify(wrong, "--format", "text", "--operation", "listHalls");
  expect(
    stdout
      .replaceAll(/(?<=127\.0\.0\.1):\d+/g, "")
      .split("\n")
      .slice(0, 7),
  ).toEqual([
    "contradiction  v1  GET /halls",
    "    /data/*/id in the body must be a string; received 5 in 2 of 2",
    "      source: openapi.json:1",
    "    /data/* in the body must have all required properties; received an object without id in 2 of 2",
    "      source: openapi.json:1",
    "    curl 'http://127.0.0.1/halls' \\",
    "      -H 'x-key: example-key'",
  ]);
});

const done = { "200": { description: "Done." } };
const plainReads = Object.fromEntries(
  ["/a", "/b", "/c", "/d", "/e", "/f", "/g"].map(
    (path) => [path, { get: { operationId: path.slice(1), responses: done } }] as const,
  ),
);
const namePart = { type: "object", required: ["name"], properties: { name: { type: "string" } } };
const sendable = {
  content: { "application/json": { schema: namePart, examples: { one: { value: { name: "Ada" } } } } },
};

it("npm run verify reports requests that end their connection while others succeed, in all formats", async () => {
  const paths = {
    ...plainReads,
    "/people": {
      post: { operationId: "addPerson", requestBody: sendable, responses: { "201": { description: "Added." } } },
    },
  };
  await using project = await createSmallProject({ paths });
  await using server = await serveHttp((request, response) => {
    void text(request).then((sent) => {
      if (request.url === "/b" || (request.method === "POST" && !isObject(parseJson(sent)))) response.destroy();
      else response.writeHead(request.method === "GET" ? 200 : isObject(parseJson(sent)) ? 201 : 400).end();
    });
  });
  const args = ["--server", server.url, "--rate", "100000", "--allow-changes", "--checks", "bodies"];
  const outputs: Record<string, string> = {};
  for (const format of ["text", "json", "junit"]) {
    const { code, stdout } = await runHere(project.directory, "verify.ts", [...args, "--format", format]);
    expect(code).toBe(1);
    outputs[format] = stdout;
  }
  const found = objectsOf(valueAt(parseJson(outputs["json"] ?? ""), ["findings"]));
  const errors = found.filter(({ kind }) => kind === "server error");
  expect(errors.map(({ operation }) => operation)).toEqual(["GET /b", "POST /people"]);
  expect(errors[0]?.["curl"]).toContain(`${server.url}/b`);
  expect(errors[1]?.["message"]).toContain("for a wrong request: ");
  expect(outputs["text"]).toContain(`server error  v1  GET /b\n    the server sends a whole response; received `);
  expect(outputs["junit"]).toContain(
    '<error type="server error" message="the server sends a whole response; received ',
  );
});

it("npm run verify names the last request before a server stopped answering", async () => {
  await using project = await createSmallProject({ paths: plainReads });
  let isGone = false;
  await using server = await serveHttp((request, response) => {
    if (isGone) response.destroy();
    else response.writeHead(200).end();
    isGone ||= request.url === "/b";
  });
  const args = ["--server", server.url, "--rate", "100000"];
  const { stdout } = await runHere(project.directory, "verify.ts", [...args, "--format", "json"]);
  const report = parseJson(stdout);
  expect(valueAt(report, ["causes"])).toContainEqual(
    expect.stringMatching(/^Ended early: 5 calls in a row had no response .*\. The first was GET \/c, after GET \/b$/),
  );
  const errors = objectsOf(valueAt(report, ["findings"])).filter(({ kind }) => kind === "server error");
  expect(errors.map(({ operation }) => operation)).toEqual(["GET /c"]);
  const junit = await runHere(project.directory, "verify.ts", [...args, "--format", "junit"]);
  expect(junit.stdout).toContain("No result: ");
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { UserError } from "../../scripts/contract/failures.ts";
import { objectsOf, parseJson, valueAt } from "../../scripts/values/json.ts";
import type { Exchange, HeaderField } from "../../scripts/exchange/exchange.ts";
import { exchangeCommand } from "../../scripts/verify/exchangeCommand.ts";
import { readHar } from "../../scripts/verify/har.ts";
import { repository, runHere } from "../pipeline/project.ts";
import { secretsOf } from "../../scripts/exchange/secrets.ts";

const request = { method: "GET", url: "https://api.example.com/v2/teams/7", headers: [] };
const response = { status: 200, headers: [], content: { size: 2, mimeType: "application/json", text: "{}" } };

function read(entry: object): Exchange | undefined {
  return readHar(JSON.stringify({ log: { entries: [entry] } }), "traffic.har").exchanges[0];
}

const textOf = (message: { readonly body: Uint8Array | undefined } | undefined) =>
  message?.body && Buffer.from(message.body).toString();

describe("readHar", () => {
  it("reads methods, addresses, header fields, bodies and statuses", () => {
    const headers = [{ name: "Content-Type", value: "application/json" }];
    const postData = { mimeType: "application/json", text: '{"name":"Ops – Ø"}' };
    const exchange = read({ request: { ...request, method: "post", headers, postData }, response });
    expect(exchange).toMatchObject({ method: "POST", url: request.url, response: { status: 200 } });
    expect(exchange?.request.headers).toEqual([["Content-Type", "application/json"]]);
    expect([textOf(exchange?.request), textOf(exchange?.response)]).toEqual(['{"name":"Ops – Ø"}', "{}"]);
    expect(exchange).not.toHaveProperty("failure");
  });

  it.each([
    ["Base64, as proxies write it", { size: 2, text: "e30=", encoding: "base64" }, "{}"],
    ["none, because the browser threw it away", { size: 2 }, undefined],
    ["an empty text for one that was not kept", { size: 2, text: "" }, undefined],
    ["an empty one", { size: 0, text: "" }, ""],
    ["decoded already, with the header of its coding", { size: 2, compression: -20, text: "{}" }, "{}"],
  ])("takes for a body %s", (_, content, expected) => {
    const headers = [{ name: "content-encoding", value: "gzip" }];
    expect(textOf(read({ request, response: { ...response, headers, content } })?.response)).toBe(expected);
  });

  it.each([
    ["a browser", { status: 0, _error: "net::ERR_CONNECTION_REFUSED" }, "net::ERR_CONNECTION_REFUSED"],
    ["Playwright", { status: -1, _failureText: "Timeout" }, "Timeout"],
    ["others", undefined, "no response was recorded"],
  ])("tells a failure as %s recorded it", (_, failed, failure) => {
    expect(read({ request, response: failed })).toMatchObject({ response: undefined, failure });
  });

  it("leaves out pseudo-header fields, splits Set-Cookie, and skips requests that aren't HTTP", () => {
    const headers = [
      { name: ":status", value: "200" },
      { name: "set-cookie", value: "a=1\nb=2" },
    ];
    expect(read({ request, response: { ...response, headers } })?.response?.headers).toEqual([
      ["set-cookie", "a=1"],
      ["set-cookie", "b=2"],
    ]);
    expect(read({ request: { ...request, url: "wss://api.example.com/" }, response })).toBeUndefined();
  });

  it.each([
    ['\uFEFF{"log": {"entries": [svc_live_1]}}', /^a\.har is not JSON: at line 1, column 22, expected a value$/],
    ['{"log": {', /^a\.har is not JSON: at line 1, column 10, expected a name in double quotes$/],
    ["[]", /^a\.har is not an HTTP Archive \(HAR\): it has no array log\.entries$/],
  ])("says what is wrong with %s", (text, message) => {
    expect(() => readHar(text, "a.har")).toThrow(message);
    expect(() => readHar(text, "a.har")).toThrow(UserError);
  });

  // Regular expressions ran out of stack in such bodies: in escapes always, in letters now and then.
  it.each(["xx", "\\n", "\\\\"])("says where an archive with a large body of %j breaks off", (part) => {
    const text = `{"text":"${part.repeat(2 ** 23)}"`;
    expect(() => readHar(text, "a.har")).toThrow(
      /^a\.har is not JSON: at line 1, column 16777227, expected “,” or “}”$/,
    );
  });
});

const generations = await readBuiltGenerations();
const [generation] = generations;
if (generation === undefined) throw new Error("there is no generation");
const context = {
  ...{ generation, operation: undefined, secrets: secretsOf(generations) },
  ...{ credentials: [], origin: undefined, isRecorded: true, isMade: false },
};

function exchangeOf(part: {
  readonly url?: string;
  readonly headers?: readonly HeaderField[];
  readonly sent?: string;
}): Exchange {
  const headers = [["content-type", "application/json"], ...(part.headers ?? [])] as const;
  const bytes = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text));
  return {
    method: "POST",
    url: part.url ?? "http://localhost:4010/v2/oauth-clients",
    request: { headers, body: bytes(part.sent) },
    response: { status: 201, headers, body: undefined },
  };
}

it.each([
  ["an Authorization header", { headers: [["Authorization", "Bearer SECRET"]] }, "Bearer ***"],
  ["a Proxy-Authorization header", { headers: [["proxy-authorization", "Basic U0VDUkVU SECRET"]] }, "Basic ***"],
  ["query parameters", { url: "http://localhost/v1/attendees?apiKey=SECRET&a=SECRET&b" }, "?apiKey=***&a=***&***"],
  ["cookies", { headers: [["Cookie", "a=SECRET; theme=SECRET"]] }, "a=***; theme=***"],
  ["a header that the contract does not list", { headers: [["x-csrf", "SECRET"]] }, "x-csrf: ***"],
  ["a password in a URL", { url: "http://me:SECRET@localhost/v1/attendees" }, "'http://localhost/v1/attendees'"],
  [
    "what is within a secret property",
    { sent: '{"password":{"old":["SECRET",1234567]}}' },
    '{"password":{"old":["***",0]}}',
  ],
  ["properties that the contract does not list", { sent: '{"pin":1234567,"sid":"SECRET"}' }, '{"pin":0,"sid":"***"}'],
  ["a body that is no JSON", { sent: "key = SECRET" }, "curl -X POST"],
] as const)("a command of a report masks %s", (_, part, shown) => {
  const command = exchangeCommand(exchangeOf(part), context);
  expect(command).not.toMatch(/SECRET|U0VDUkVU|1234567/);
  expect(command).toContain(shown);
});

describe("npm run verify -- --har", () => {
  const entry = (content: object) => ({
    request: { method: "GET", url: "http://localhost:4010/v1/attendees/4711?apiKey=svc_live_0001", headers: [] },
    response: { status: 200, headers: [{ name: "content-type", value: "application/json" }], content },
  });

  const runOn = async (archive: object, ...args: readonly string[]) => {
    const folder = await mkdtemp(join(tmpdir(), "har-"));
    const file = join(folder, "traffic.har");
    await writeFile(file, JSON.stringify(archive));
    const run = await runHere(repository, "verify.ts", ["--har", file, ...args]);
    await rm(folder, { recursive: true });
    return run;
  };

  it("leaves out only entries without a method or a URL, and says so", async () => {
    const { request: asked, response: answered } = entry({ text: "7" });
    const methods = ["GET;$'\\164\\157';#", "GET /", "G\u00cbT", ""].map((method) => ({
      request: { ...asked, method },
    }));
    const run = await runOn({ log: { entries: [...methods, {}, { request: asked, response: answered }, 5] } });
    expect(run.code).toBe(1);
    expect(run.stdout).toContain("contradiction  v1  GET /v1/attendees/{id}\n");
    const notes = run.stdout.replaceAll(/\s+/g, " ");
    expect(notes).toMatch(
      /Left out of \S+: log\.entries\[0\] and 3 others, because the method must be that of HTTP, such as GET /,
    );
    expect(notes).toMatch(
      /Left out of \S+: log\.entries\[4\] and 1 other, because the request must have a method and an absolute URL Seen/,
    );
    expect(run.stdout).not.toContain("164");
  });

  it.each([
    ["contradicts the contract", { text: '{"attendee":7}' }, 1, "/attendee in the body must be an object"],
    ["has a body that was not recorded", { size: 5 }, 0, "the body was not recorded"],
  ])("tells what %s", async (_, content, code, message) => {
    const run = await runOn({ log: { entries: [entry(content)] } });
    expect(run.code, run.stdout + run.stderr).toBe(code);
    expect(run.stdout).toContain(message);
    expect(run.stdout).not.toContain("svc_live_0001");
  });

  it("reports operations and query parameters that the contract doesn't have, with codes for programs", async () => {
    const headers = [{ name: "content-type", value: "application/json" }];
    const operations = generations.flatMap((generation) => generation.operations);
    const attendees = operations.find(({ name }) => name === "GET /v1/attendees");
    const body = attendees?.responses[0]?.content[0]?.examples[0]?.value;
    const get = (url: string, text: string) => ({
      request: { method: "GET", url: `https://${url}`, headers: [] },
      response: { status: 200, headers, content: { text } },
    });
    const entries = [
      get("api.example.com/v1/attendees?sort=asc", JSON.stringify(body)),
      get("api.example.com/v1/rooms", "[]"),
      get("other.example.com/v1/about", "{}"),
    ];
    const run = await runOn({ log: { entries } }, "--server", "https://api.example.com", "--format", "json");
    const findings = objectsOf(valueAt(parseJson(run.stdout), ["findings"]));
    const parameter = { code: "parameter", direction: "request", count: 1 };
    expect(findings.filter(({ kind }) => kind === "unlisted")).toMatchObject([
      {
        ...parameter,
        operation: "GET /v1/attendees",
        message: "the query parameter sort isn't listed, but is accepted",
      },
      { code: "operation", operation: "GET /v1/rooms", message: "the contract doesn't have this operation", count: 1 },
    ]);
    const reason = { code: "no-exchange", text: "no exchange" };
    expect(findings.at(-1)).toMatchObject({ kind: "untested", code: reason.code, message: reason.text, reason });
    expect(run.code).toBe(0);
  });

  it.each([
    ["GET", "v2/organizations/42/schedules?take=abc", [], "", "the query parameter take must be a number"],
    ["DELETE", "v2/event-types/5", [["svc-api-version", "2020-01-01"]], "", "the svc-api-version header must "],
    [
      "PATCH",
      "v1/attendees/7",
      [["content-type", "application/json"]],
      '{"email":1}',
      "/email in the body must be a string",
    ],
  ])("tells of an accepted %s %s what the contract forbids", async (method, path, fields, text, message) => {
    const headers = fields.map(([name, value]) => ({ name, value }));
    const asked = { method, url: `https://api.example.com/${path}`, headers, postData: { text } };
    const run = await runOn({ log: { entries: [{ request: asked, response: entry({ text: "{}" }).response }] } });
    expect(run.stdout).toContain(`in an accepted request, ${message}`);
    expect(run.code).toBe(1);
  });

  it("doubts an identifier in an accepted request that JavaScript rounds", async () => {
    const asked = { method: "GET", url: "https://api.example.com/v2/organizations/9007199254740993/schedules" };
    const { response: answered } = entry({ text: "{}" });
    const archive = { log: { entries: [{ request: { ...asked, headers: [] }, response: answered }] } };
    const run = await runOn(archive, "--format", "json");
    const findings = objectsOf(valueAt(parseJson(run.stdout), ["findings"]));
    const message: unknown = expect.stringMatching(
      /^in an accepted request, the path parameter orgId must be from .* rounded;/,
    );
    const doubt = { kind: "doubt", code: "exactInteger", direction: "request", message };
    expect(findings).toContainEqual(expect.objectContaining(doubt));
  });

  it("reports a server error for a method that the path doesn't have", async () => {
    const { response: answered } = entry({ text: "{}" });
    const asked = { method: "TRACE", url: "https://api.example.com/v1/attendees", headers: [] };
    const run = await runOn({ log: { entries: [{ request: asked, response: { ...answered, status: 500 } }] } });
    expect([run.code, run.stdout]).toEqual([1, expect.stringContaining("server error  v1  TRACE /v1/attendees\n")]);
  });

  it("shows no credential that a response repeats", async () => {
    const { request: asked } = entry({ size: 0, text: "" });
    const headers = [{ name: "Authorization", value: "Bearer svc_live_repeated" }];
    const answer = {
      status: 200,
      headers: [{ name: "content-type", value: "application/json" }],
      content: {
        text: '{"status":"svc_live_repeated","unlisted":"svc_live_repeated","svc_live_repeated":{"svc_live_repeated":1}}',
      },
    };
    for (const format of ["text", "json"]) {
      const archive = { log: { entries: [{ request: { ...asked, headers }, response: answer }] } };
      const run = await runOn(archive, "--format", format);
      expect(run.stdout).toContain("***");
      expect(run.stdout + run.stderr).not.toContain("svc_live_repeated");
    }
  });

  it("takes a conditional request's 304 for no contradiction", async () => {
    const { request: asked, response: answered } = entry({ size: 0, text: "" });
    const notModified = (...headers: readonly object[]) => ({
      request: { ...asked, headers },
      response: { ...answered, status: 304 },
    });
    const conditional = await runOn({ log: { entries: [notModified({ name: "If-None-Match", value: '"a"' })] } });
    expect([conditional.code, conditional.stdout]).toEqual([2, expect.not.stringContaining("contradiction")]);
    expect((await runOn({ log: { entries: [notModified()] } })).code).toBe(1);
  });

  it("survives deep nesting, and prints no control characters", async () => {
    const { request: asked, response: answered } = entry({ text: "7" });
    const headers = [
      { name: "content-type", value: "application/json" },
      { name: "accept", value: "\u001B[2J" },
    ];
    const postData = { text: "[".repeat(60_000) + "]".repeat(60_000) };
    const run = await runOn({ log: { entries: [{ request: { ...asked, headers, postData }, response: answered }] } });
    expect([run.code, run.stderr]).toEqual([1, ""]);
    expect(run.stdout).toContain(String.raw`accept: \u001b[2J`);
    expect(run.stdout).not.toContain("\u001B");
  });

  it("explains why a file isn't an archive", async () => {
    const run = await runHere(repository, "verify.ts", ["--har", "package.json"]);
    expect(run).toMatchObject({
      code: 2,
      stderr: "error: package.json is not an HTTP Archive (HAR): it has no array log.entries\n",
    });
  });
});

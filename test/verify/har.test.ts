import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { UserError } from "../../scripts/contract/failures.ts";
import { objectsOf, parseJson, valueAt } from "../../scripts/spec/json.ts";
import type { Exchange, HeaderField } from "../../scripts/exchange/exchange.ts";
import { exchangeCommand } from "../../scripts/verify/exchangeCommand.ts";
import { readHar, readHarFile } from "../../scripts/verify/har.ts";
import { writeHar } from "./harText.ts";
import { repository, runHere } from "../pipeline/project.ts";
import { secretsOf } from "../../scripts/exchange/secrets.ts";

const request = { method: "GET", url: "https://api.example.com/v2/teams/7", headers: [] };
const response = { status: 200, headers: [], content: { size: 2, mimeType: "application/json", text: "{}" } };

function read(entry: object): Exchange | undefined {
  return readHar(JSON.stringify({ log: { entries: [entry] } }), "traffic.har")[0];
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
    ['{"log":{"entries":[{}]}}', /^a\.har: log\.entries\[0\]\.request must have a method and an absolute URL$/],
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
const secrets = secretsOf(generations);

function exchangeOf(part: {
  readonly url?: string;
  readonly headers?: readonly HeaderField[];
  readonly sent?: string;
  readonly received?: string;
}): Exchange {
  const headers = [["content-type", "application/json"], ...(part.headers ?? [])] as const;
  const bytes = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text));
  return {
    method: "POST",
    url: part.url ?? "http://localhost:4010/v2/oauth-clients",
    request: { headers, body: bytes(part.sent) },
    response: { status: 201, headers, body: bytes(part.received) },
  };
}

it("a command of a report names the variables of credentials, and leaves its body alone", () => {
  const generation = readGeneration("v1", {
    openapi: "3.1.1",
    paths: {},
    components: {
      securitySchemes: {
        login: { type: "http", scheme: "basic" },
        apiKey: { type: "apiKey", in: "query", name: "key" },
      },
    },
  });
  const headers = [["Authorization", "Basic U0VDUkVU"]] as const;
  const exchange = exchangeOf({
    url: "http://localhost/a?b=c&key=SECRET",
    headers,
    sent: `"-H 'Authorization: Basic ***'"`,
  });
  const schemes = generation.securitySchemes.values();
  expect(exchangeCommand(exchange, secretsOf([generation]), "v1", schemes).split(" \\\n  ")).toEqual([
    `curl -X POST 'http://localhost/a?b=c&key='"$V1_API_KEY"`,
    "-H 'content-type: application/json'",
    '-u "$V1_LOGIN"',
    String.raw`--data-raw '"-H '\''Authorization: Basic ***'\''"'`,
  ]);
});

describe("writeHar", () => {
  it.each([
    ["an Authorization header", { headers: [["Authorization", "Bearer SECRET"]] }, "Bearer ***"],
    ["a Proxy-Authorization header", { headers: [["proxy-authorization", "Basic U0VDUkVU SECRET"]] }, "Basic ***"],
    ["the header of a security scheme", { headers: [["x-cal-secret-key", "SECRET"]] }, '"***"'],
    [
      "the query parameter of a security scheme",
      { url: "http://localhost/v1/attendees?apiKey=SECRET&a=b" },
      "?apiKey=***&a=b",
    ],
    ["cookies", { headers: [["Cookie", "a=SECRET; theme=SECRET"]] }, "a=***; theme=***"],
    ["a cookie that is set", { headers: [["Set-Cookie", "sid=SECRET; Path=/"]] }, "sid=***; Path=/"],
    ["a password in a URL", { url: "http://me:SECRET@localhost/v1/attendees" }, "http://localhost/v1/attendees"],
    ["the address of a redirect", { headers: [["location", "/next?access_token=SECRET"]] }, "access_token=***"],
    [
      "a secret field of a response",
      { received: '{"data":{"clientSecret":"SECRET"}}' },
      '{\\"clientSecret\\":\\"***\\"}',
    ],
    ["what is within one", { received: '{"password":{"old":["SECRET",1234567]}}' }, '[\\"***\\",0]'],
    ["a field that the contract does not declare", { sent: '{"sessionToken":"SECRET"}' }, "***"],
    ["a body that is no JSON", { received: "key = SECRET" }, "left out"],
  ] as const)("masks %s", (_, part, shown) => {
    const text = writeHar([exchangeOf(part)], secrets);
    expect(text).not.toMatch(/SECRET|1234567/);
    expect(text).toContain(shown);
  });

  it.each([
    ["Authorization", "Bearer svc_live_0001", "svc_live_0001"],
    ["Authorization", `Basic ${Buffer.from("ada@example.com:correct:horse").toString("base64")}`, "correct:horse"],
    ["Cookie", "theme=dark; __Host-session.id=svc_live_0001", "svc_live_0001"],
  ] as const)("masks a credential of %s: %s that a server repeats without its name", (name, value, secret) => {
    const received = JSON.stringify({ message: `${secret} is not known` });
    expect(writeHar([exchangeOf({ headers: [[name, value]], received })], secrets)).not.toContain(secret);
  });

  it("masks all of a repeated credential with slashes, also after something that looks like its name", () => {
    const received = JSON.stringify({ message: "token=svc/live/0001 is not known" });
    const headers = [
      ["Authorization", "Bearer svc/live/0001"],
      ["location", "/token=svc/live/0001"],
    ] as const;
    const url = "http://localhost/v2/oauth-clients/token=svc/live/0001";
    expect(writeHar([exchangeOf({ url, headers, received })], secrets)).not.toMatch(/live|0001/);
  });

  it("keeps values that aren't secret, so that its own archive reads the same", () => {
    const sent = '{"name":"Rail planner","redirectUris":["https://example.com/a=b"]}';
    const received = '{"accessTokenExpiresAt":1767225600000,"clientId":"abc","credentialId":7}';
    const url = "http://localhost:4010/v2/oauth-clients?take=1&skip=0";
    const exchange = exchangeOf({ url, headers: [["x-request-id", "a/b=c"]], sent, received });
    const [again] = readHar(writeHar([exchange], secrets), "traffic.har");
    expect(again).toEqual(exchange);
  });

  it("keeps failures, and exchanges without bodies", () => {
    const exchange = { ...exchangeOf({}), response: undefined, failure: "the connection was reset" };
    expect(readHar(writeHar([exchange], secrets), "traffic.har")).toEqual([exchange]);
  });
});

/** A ZIP archive without files: the record at its end alone. */
function emptyZip(): Buffer {
  return Buffer.concat([Buffer.from("PK\u0003\u0004PK\u0005\u0006"), Buffer.alloc(18)]);
}

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

  it.each([
    ["contradicts the contract", { text: '{"attendee":7}' }, 1, "/attendee in the body must be an object"],
    ["has a body that was not recorded", { size: 5 }, 0, "the body was not recorded"],
  ])("tells what %s", async (_, content, code, message) => {
    const run = await runOn({ log: { entries: [entry(content)] } });
    expect(run.code, run.stdout + run.stderr).toBe(code);
    expect(run.stdout).toContain(message);
    expect(run.stdout).not.toContain("svc_live_0001");
  });

  it("reports operations and query parameters that the contract doesn't have", async () => {
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
    expect(findings.filter(({ kind }) => kind === "unlisted")).toMatchObject([
      { operation: "GET /v1/attendees", message: "the query parameter sort isn't listed, but is accepted", count: 1 },
      { operation: "GET /v1/rooms", message: "the contract doesn't have this operation", count: 1 },
    ]);
    expect(run.code).toBe(0);
  });

  it("holds requests that were accepted against the contract, as Playwright records them in a ZIP archive", async () => {
    // Playwright wrote it of Chromium, which was at a server that accepts everything.
    const file = join(import.meta.dirname, "fixtures/recorded.har.zip");
    const run = await runHere(repository, "verify.ts", ["--har", file]);
    expect([run.code, run.stderr]).toEqual([1, ""]);
    expect(run.stdout).toMatch(/\nSeen: [^]+\nFailed: 1 contradiction; \d+ of \d+ operations tested[^]*\n$/);
    expect(run.stdout).toContain("in an accepted request, /email in the body must be a string; received 123\n");
    expect(run.stdout).not.toMatch(/accepted bodies had|svc_live_0001/);
  });

  it.each([
    ["a file with nothing behind the beginning", Buffer.from("PK\u0003\u0004"), "isn't a ZIP archive, or is damaged"],
    ["one without an archive of HTTP", emptyZip(), "contains no HTTP Archive (*.har)"],
    ["one with the files of macOS alone", zipOf({ "__MACOSX/._a.har": "" }), "contains no HTTP Archive (*.har)"],
  ])("says in words what is wrong with %s", async (_, content, message) => {
    const folder = await mkdtemp(join(tmpdir(), "har-"));
    await writeFile(join(folder, "a.har.zip"), content);
    const run = await runHere(repository, "verify.ts", ["--har", join(folder, "a.har.zip")]);
    await rm(folder, { recursive: true });
    expect([run.code, run.stderr]).toEqual([2, `error: ${join(folder, "a.har.zip")} ${message}\n`]);
  });

  it.each([
    [
      "is encrypted",
      zipOf({ "a.har": "{}" }, 1),
      "a.har in a.zip can't be read: it is broken, encrypted, or more than",
    ],
    [
      "steers a terminal by its name",
      zipOf({ "\u001b[31m.har": "?" }),
      String.raw`\u001b[31m.har in a.zip is not JSON`,
    ],
    [
      "is larger than what is read",
      bomb(),
      "body-2 in a.zip can't be read: it is broken, encrypted, or more than 512 MiB",
    ],
  ])("refuses a ZIP archive in which a file %s", (_, content, message) => {
    expect(() => readHarFile(content, "a.zip")).toThrow(message);
  });

  it("reads a file in a ZIP archive once, however often it is named", () => {
    const entries = [0, 0, 0].map((body) => entryWith(`body-${body}`));
    const zip = zipOf({ "a.har": JSON.stringify({ log: { entries } }), "body-0": "{}" });
    const [first, ...others] = readHarFile(zip, "a.zip").map((exchange) => exchange.response?.body);
    expect(Buffer.from(first ?? []).toString()).toBe("{}");
    expect(others.every((body) => body === first)).toBe(true);
  });

  it.each([
    ["GET", "v2/organizations/42/schedules?take=abc", [], "the query parameter take must be a number"],
    ["DELETE", "v2/event-types/5", [["svc-api-version", "2020-01-01"]], "the svc-api-version header must "],
  ])("tells of an accepted %s %s what the contract forbids", async (method, path, fields, message) => {
    const headers = fields.map(([name, value]) => ({ name, value }));
    const asked = { method, url: `https://api.example.com/${path}`, headers };
    const run = await runOn({ log: { entries: [{ request: asked, response: entry({ text: "{}" }).response }] } });
    expect(run.stdout).toContain(`in an accepted request, ${message}`);
    expect(run.code).toBe(1);
  });

  it("doubts an identifier in an accepted request that JavaScript rounds", async () => {
    const asked = { method: "GET", url: "https://api.example.com/v2/organizations/9007199254740993/schedules" };
    const { response: answered } = entry({ text: "{}" });
    const run = await runOn({ log: { entries: [{ request: { ...asked, headers: [] }, response: answered }] } });
    expect(run.stdout).toMatch(
      /^doubt .*\n +in an accepted request, the path parameter orgId must be from .* rounded/m,
    );
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
      { name: "x-a", value: "\u001B[2J" },
    ];
    const postData = { text: "[".repeat(60_000) + "]".repeat(60_000) };
    const run = await runOn({ log: { entries: [{ request: { ...asked, headers, postData }, response: answered }] } });
    expect([run.code, run.stderr]).toEqual([1, ""]);
    expect(run.stdout).toContain(String.raw`x-a: \u001b[2J`);
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

/** A ZIP archive with texts, or with what Deflate has made of files, by their names. `flags`: those of each file. */
function zipOf(files: Readonly<Record<string, string | Buffer>>, flags = 0): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let start = 0;
  for (const [name, content] of Object.entries(files)) {
    const [written, title] = [typeof content === "string" ? deflateRawSync(content) : content, Buffer.from(name)];
    const head = Buffer.alloc(30);
    head.write("PK\u0003\u0004", "latin1");
    head.writeUInt16LE(title.length, 26);
    const entry = Buffer.alloc(46);
    entry.write("PK\u0001\u0002", "latin1");
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(written.length, 20);
    entry.writeUInt16LE(title.length, 28);
    entry.writeUInt32LE(start, 42);
    directory.push(entry, title);
    parts.push(head, title, written);
    start += head.length + title.length + written.length;
  }
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", "latin1");
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(start, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

/** An exchange whose response is in another file of the archive. */
function entryWith(file: string) {
  return { request, response: { ...response, content: { mimeType: "application/json", _file: file } } };
}

/** A small archive, which holds 600 MiB in three files. */
function bomb(): Buffer {
  const zeros = deflateRawSync(Buffer.alloc(200 * 2 ** 20), { level: 1 });
  const names = [0, 1, 2].map((index) => `body-${index}`);
  const archive = JSON.stringify({ log: { entries: names.map(entryWith) } });
  return zipOf({ "a.har": archive, ...Object.fromEntries(names.map((name) => [name, zeros])) });
}

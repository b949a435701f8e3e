/* What reports show of requests and responses: commands to paste, variables to set, and no secrets. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { runHere } from "../pipeline/project.ts";
import { createSmallProject, serveJson } from "../fixtures/smallProject.ts";

const formats = ["text", "json", "junit", "markdown"];
const shows = (schema: object) => ({ description: "Done.", content: { "application/json": { schema } } });
const parameter = (name: string, place: string, schema: object = { type: "string" }) => ({ name, in: place, schema });

const room = {
  type: "object",
  properties: {
    id: { type: "integer" },
    label: { type: "string", maxLength: 3 },
    day: { type: "string", enum: ["MON", "TUE"] },
    secretPlace: { type: "string", format: "password", maxLength: 3 },
  },
};

const description = {
  servers: [{ url: "https://api.example.com/base" }],
  security: [{ token: [] }, { other: [] }],
  paths: {
    "/rooms": {
      get: {
        operationId: "listRooms",
        parameters: [
          parameter("code", "query"),
          parameter("floor", "query", { type: "integer" }),
          parameter("x-trace", "header"),
        ],
        responses: { 200: shows(room) },
      },
    },
  },
  components: {
    securitySchemes: { token: { type: "http", scheme: "bearer" }, other: { type: "http", scheme: "bearer" } },
  },
};

const fieldsOf = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

interface Entry {
  readonly url: string;
  readonly method?: string;
  readonly sent?: Readonly<Record<string, string>>;
  readonly came?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status?: number;
}

async function verifyHar(entries: readonly Entry[], ...args: readonly string[]) {
  const recorded = entries.map(({ url, method = "GET", sent = {}, came = {}, body = { id: "7" }, status = 200 }) => ({
    request: { method, url, headers: fieldsOf(sent) },
    response: {
      status,
      headers: fieldsOf({ "content-type": "application/json", ...came }),
      content: { text: JSON.stringify(body) },
    },
  }));
  const har = JSON.stringify({ log: { entries: recorded } });
  await using project = await createSmallProject(description, { "traffic.har": har });
  return await runHere(project.directory, "verify.ts", ["--har", "traffic.har", ...args]);
}

async function verifyLive(contract: object, respond: Parameters<typeof serveJson>[0], ...args: readonly string[]) {
  await using project = await createSmallProject(contract);
  await using server = await serveJson(respond);
  const run = await runHere(project.directory, "verify.ts", ["--server", server.url, "--rate", "1000", ...args]);
  return { ...run, requests: server.requests };
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("a command of a report", () => {
  it("quotes everything, and sends one request", async () => {
    const { stdout } = await verifyHar([
      { url: "https://api.example.com/base/rooms/[1-9]?a={1,2}", method: "GET&reboot" },
    ]);
    expect(stdout).toContain(`curl -X 'GET&REBOOT' -g`);
    expect(stdout).toContain("'https://api.example.com/base/rooms/[1-9]?a=***'");
  });

  it.each([
    ["https://api.example.com", [], `'authorization: Bearer '"$V1_TOKEN"`],
    ["https://evil.example", [], "'authorization: Bearer ***'"],
    ["https://evil.example", ["--server", "https://evil.example/base"], `'authorization: Bearer '"$V1_TOKEN"`],
    ["https://api.example.com.evil.example", [], "'authorization: Bearer ***'"],
  ])("names a variable only for a host that --server or the contract names: %s %j", async (origin, args, shown) => {
    const sent = { authorization: "Bearer recorded-by-somebody" };
    const { stdout } = await verifyHar([{ url: `${origin}/base/rooms`, sent }], ...args);
    expect(stdout).toContain(shown);
    expect(stdout).not.toContain("recorded-by-somebody");
  });

  it("names the variable that the run used, or has the contract's example, and the run says so first", async () => {
    const respond = () => ({ status: 200, body: { id: "7" } });
    vi.stubEnv("V1_OTHER", "the-other-key");
    const set = await verifyLive(description, respond);
    expect(set.stdout).toContain(`'authorization: Bearer '"$V1_OTHER"`);
    expect(set.stderr).toMatch(/^v1 at \S+: 1 operation, 1000 requests per second, with V1_OTHER\n/);
    expect(set.stdout).not.toContain("V1_TOKEN");
    vi.unstubAllEnvs();
    const unset = await verifyLive(description, respond);
    expect(unset.stdout).toContain("'authorization: Bearer example-token'");
    expect(unset.stderr).toContain("with the contract's example credentials\n");
    expect(unset.stdout).not.toContain("$V1");
  });
});

it("a variable of another program is sent to nobody", async () => {
  vi.stubEnv("GITHUB_TOKEN", "ghp_of_the_user");
  const files = { "redocly.yaml": "apis: { github: { root: openapi.json } }" };
  await using project = await createSmallProject(description, files);
  await mkdir(join(project.directory, "generated/github"));
  await writeFile(
    join(project.directory, "generated/github/openapi.json"),
    JSON.stringify({ openapi: "3.1.0", info: { title: "Rooms", version: "1" }, ...description }),
  );
  const keys: unknown[] = [];
  await using server = await serveJson((_, { authorization }) => {
    keys.push(authorization);
    return { status: 200, body: { id: "7" } };
  });
  const run = () => runHere(project.directory, "verify.ts", ["--server", server.url]);
  expect((await run()).stdout).not.toContain("GITHUB_TOKEN");
  expect(keys.every((key) => !String(key).includes("ghp"))).toBe(true);
  vi.stubEnv("CONTRACT_GITHUB_TOKEN", "meant");
  expect((await run()).stdout).toContain(`"$CONTRACT_GITHUB_TOKEN"`);
  expect(keys).toContain("Bearer meant");
});

it.each(formats)("no report as %s shows what could be a secret by its place", async (format) => {
  const secrets = {
    sessionId: "secret-1",
    session: "secret-2",
    pin: "secret-3",
    csrf: "secret-4",
    code: "secret-5",
    nonce: "secret-6",
  };
  const body = {
    id: "secret-7",
    otp: 918273,
    label: "secret-8",
    day: "secret-9",
    secretPlace: "secret-10",
    ...secrets,
  };
  const url = "https://api.example.com/base/rooms?code=secret-11&floor=2&sid=secret-12&secret-13";
  const sent = {
    cookie: "JSESSIONID=secret-14",
    "x-csrf-token": "secret-15",
    "x-trace": "secret-16",
    authorization: "Basic secret-17",
  };
  const came = { "x-session": "secret-18", "set-cookie": "a=secret-19" };
  const redirect = { location: "https://login.example/x?state=secret-20" };
  const run = await verifyHar(
    [
      { url, sent, came, body },
      { url, sent, came: redirect, status: 302 },
    ],
    ...["--format", format, "--fail-on", "doubt,unlisted"],
  );
  const output = run.stdout + run.stderr;
  expect(output).toContain("302 to https://login.example");
  expect(output).toContain("floor=2");
  // Where the contract lists values, or allows no text at all, a text is no secret.
  const shown = ["secret-7", "secret-9"];
  const all = [...output.matchAll(/secret-\d+/g)].map(([text]) => text);
  expect(all.filter((text) => !shown.includes(text))).toEqual([]);
  expect(output).not.toContain("918273");
  for (const text of shown) expect(all).toContain(text);
});

describe("a resource with a secret of its own", () => {
  const client = {
    type: "object",
    properties: { clientId: { type: "string" }, clientSecret: { type: "string", format: "password" } },
  };
  const path = { name: "clientId", in: "path", required: true, schema: { type: "string" } };
  const creates = (operationId: string, security: readonly object[], schema: object) => ({
    ...{ operationId, security, responses: { 201: shows(schema) } },
    requestBody: { content: { "application/json": { schema: { type: "object" }, example: {} } } },
  });
  const contract = {
    paths: {
      "/clients": { post: creates("createClient", [{ apiKey: [] }], client) },
      "/clients/{clientId}": {
        parameters: [path],
        get: { operationId: "getClient", security: [{ apiKey: [] }], responses: { 200: shows(client) } },
      },
      "/clients/{clientId}/users": {
        parameters: [path],
        get: { operationId: "listUsers", security: [{ apiKey: [] }], responses: { 200: shows({ type: "array" }) } },
        post: creates("createUser", [{ secret: [] }], { type: "object", properties: { id: { type: "string" } } }),
      },
    },
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer" },
        secret: { type: "apiKey", in: "header", name: "x-secret" },
      },
    },
  };
  /** Serves one client, after it was created. */
  const respondWith = (created: object): Parameters<typeof serveJson>[0] => {
    let isThere = false;
    return (request, headers) => {
      if (request === "POST /clients") {
        isThere = true;
        return { status: 201, body: created };
      }
      if (request.startsWith("POST ")) {
        const isRight = headers["x-secret"] === "secret-of-mine";
        return isRight ? { status: 201, body: { id: "u" } } : { status: 401, body: {} };
      }
      if (headers.authorization === undefined) return { status: 401, body: {} };
      return isThere && request.endsWith("/mine") ? { status: 200, body: created } : { status: 404, body: {} };
    };
  };

  it("is called with the secret that its creation returned", async () => {
    vi.stubEnv("V1_API_KEY", "key-0001");
    vi.stubEnv("V1_SECRET", "secret-of-another");
    const created = { clientId: "mine", clientSecret: "secret-of-mine" };
    const run = await verifyLive(contract, respondWith(created), "--allow-changes");
    expect(run.requests).toContain("POST /clients/mine/users");
    expect(run.stderr + run.stdout).not.toContain("Refused credentials");
    expect([run.code, run.stdout]).toEqual([0, expect.not.stringContaining("secret-of")]);
  });

  it("is not called with another's secret, and the value to give is named", async () => {
    vi.stubEnv("V1_API_KEY", "key-0001");
    vi.stubEnv("V1_SECRET", "secret-of-another");
    const run = await verifyLive(contract, respondWith({ clientId: "mine" }), "--allow-changes");
    expect(run.requests).not.toContain("POST /clients/mine/users");
    expect(run.stderr + run.stdout).not.toContain("Refused credentials");
    expect(run.stdout).toMatch(/V1_SECRET must be the secret of the resource[^]*clientId/);
  });
});

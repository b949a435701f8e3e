import { spawnSync } from "node:child_process";
import {
  mkdir,
  rmdir,
  lstat,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { valueAt } from "../../scripts/values/json.ts";
import { createFaults } from "../../scripts/mock/rules/faults.ts";
import { createSessions, openSession } from "../../scripts/mock/engine/sessions.ts";
import { exampleRequest, requestTo } from "../fixtures/exampleRequest.ts";
import { startServer, type MockServer, type ServerOptions } from "../../scripts/mock/server/server.ts";

const generations = await readBuiltGenerations();
const team = "/v2/organizations/42/teams/7";

let mock: MockServer;
beforeEach(async () => {
  mock = await startServer({ generations });
});
afterEach(() => mock.close());

async function send(method: string, target: string, body?: unknown, session?: string) {
  const response = await fetch(`${mock.url}${target}`, {
    method,
    headers: {
      authorization: "Bearer svc_key",
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(session !== undefined && { "x-mock-session": session }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const value: unknown = text === "" ? undefined : JSON.parse(text);
  return { status: response.status, value };
}

async function restart(options: Partial<ServerOptions>) {
  await mock.close();
  mock = await startServer({ generations, ...options });
}

async function temporaryFile() {
  const folder = await mkdtemp(join(tmpdir(), "state-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, "state.json");
}

describe("a session", () => {
  test("does not see what another one writes", async () => {
    await send("DELETE", team, undefined, "a");
    const statuses = [
      await send("GET", team, undefined, "a"),
      await send("GET", team, undefined, "b"),
      await send("GET", team),
    ];
    expect(statuses.map(({ status }) => status)).toEqual([404, 200, 200]);
  });

  test("begins anew when it is reset, and others do not", async () => {
    for (const session of ["a", "b"]) await send("DELETE", team, undefined, session);
    expect((await send("POST", "/-/mock/reset", undefined, "a")).status).toBe(204);
    expect((await send("GET", team, undefined, "a")).status).toBe(200);
    expect((await send("GET", team, undefined, "b")).status).toBe(404);
    mock.reset("b");
    expect((await send("GET", team, undefined, "b")).status).toBe(200);
  });

  test("tells which requests there were, without secrets", async () => {
    await send("GET", "/v1/bookings/9002/recordings?apiKey=a-secret", undefined, "a");
    const { value } = await send("GET", "/-/mock/requests", undefined, "a");
    expect([valueAt(value, ["0", "status"]), valueAt(value, ["0", "target"])]).toEqual([
      200,
      expect.stringContaining("recordings"),
    ]);
    expect(JSON.stringify(value)).not.toContain("a-secret");
    expect(mock.requests("a")).toEqual(value);
    expect((await send("GET", "/-/mock/requests")).value).toEqual([]);
  });

  test("does not end while a response in it is delayed", async () => {
    mock.faults.set([{ delay: 200, times: 1 }], "a");
    const delayed = send("GET", team, undefined, "a");
    while (mock.faults.list("a").length > 0) await send("GET", "/-/mock/health");
    expect((await send("DELETE", "/-/mock/sessions/a")).status).toBe(204);
    expect((await delayed).status).toBe(200);
    expect(mock.requests("a")).toHaveLength(1);
  });

  test("ends after an hour without requests", () => {
    const sessions = createSessions(1_000, (budget) => createFaults({}, budget));
    const session = openSession(sessions, "a", 0);
    expect(openSession(sessions, "a", 3_599_000)).toBe(session);
    expect(openSession(sessions, "a", 3_599_000 + 3_601_000)).not.toBe(session);
  });

  test("is not changed by what a program does with its state", async () => {
    await send("PATCH", "/v1/attendees/501?apiKey=k", { name: "Kept" });
    for (const one of Object.values(mock.state().resources).flat())
      Object.assign(valueAt(one, ["properties"]) ?? {}, { name: "Other" });
    expect(valueAt((await send("GET", "/v1/attendees/501")).value, ["attendee", "name"])).toBe("Kept");
  });

  test("is one of a limited number, and those without written data are evicted first", async () => {
    await send("DELETE", team, undefined, "writer");
    for (let n = 0; n < 1_001; n += 1) mock.requests(`reader ${n}`);
    expect((await send("GET", team, undefined, "writer")).status).toBe(404);
    for (let n = 0; n < 998; n += 1) mock.restore(mock.state("writer"), `writer ${n}`);
    expect((await send("GET", team, undefined, "one too many")).status).toBe(200);
    expect((await send("GET", team, undefined, "writer")).status).toBe(404);
    // Of the sessions with written data, the least recently used one was evicted.
    const beginning: unknown = expect.stringContaining("the mock keeps 1000 sessions and had evicted it");
    for (const note of [beginning, undefined]) {
      expect((await send("GET", team, undefined, "writer 0")).status).toBe(200);
      expect(mock.requests("writer 0").at(-1)?.note).toEqual(note);
    }
    expect((await send("GET", team)).status).toBe(200);
  });
});

describe("a snapshot", () => {
  test("can be loaded again, by requests and by programs", async () => {
    await send("DELETE", team);
    const { value } = await send("GET", "/-/mock/state");
    await send("POST", "/-/mock/reset");
    expect((await send("GET", team)).status).toBe(200);
    expect((await send("PUT", "/-/mock/state", value)).status).toBe(200);
    expect((await send("GET", team)).status).toBe(404);
    mock.restore(mock.state(), "copy");
    expect((await send("GET", team, undefined, "copy")).status).toBe(404);
  });

  test("can be loaded again after every operation was called twice", async () => {
    for (const operation of generations.flatMap(({ operations }) => [...operations, ...operations])) {
      await fetch(requestTo(mock.url, exampleRequest(operation)));
    }
    const { value } = await send("GET", "/-/mock/state");
    expect(await send("PUT", "/-/mock/state", value)).toEqual({ status: 200, value });
  });

  test.each([
    ["of which two parts are wrong", { counters: { a: 1 } }, "/resources"],
    ["of a type that there is not", { resources: { Dragon: [] } }, "/resources/Dragon"],
    ["without an identifier", { resources: { Team: [{ properties: {} }] } }, "/resources/Team/0"],
    ["that is a list", [], "/resources"],
  ])("%s is refused, and nothing changes", async (_, snapshot, pointer) => {
    await send("DELETE", team);
    const refused = await send("PUT", "/-/mock/state", snapshot);
    expect([refused.status, valueAt(refused.value, ["violations", "0", "pointer"])]).toEqual([422, pointer]);
    expect(valueAt(refused.value, ["detail"])).toMatch(/^(?:2 problems: \/resources must [^.]*\. )?\/[^.]*\.$/);
    expect((await send("GET", team)).status).toBe(404);
  });
});

describe("the limit", () => {
  test("refuses what is too much, and loses nothing", async () => {
    await restart({ stateLimit: 2_000 / 2 ** 20 });
    const membership = (id: number) => `/v2/organizations/42/teams/7/memberships/${id}`;
    await send("PATCH", membership(1), { role: "OWNER" });
    const role = "x".repeat(2_000);
    const refused = await send("PATCH", membership(2), { role });
    expect([refused.status, valueAt(refused.value, ["detail"])]).toEqual([
      507,
      expect.stringContaining("--state-limit"),
    ]);
    const kept = await send("GET", "/v2/organizations/42/memberships/1");
    expect(valueAt(kept.value, ["data", "role"])).toBe("OWNER");
  });

  test("is one for what requests write and for rules", async () => {
    await restart({ stateLimit: 20_000 / 2 ** 20 });
    const membership = "/v2/organizations/42/teams/7/memberships/1";
    const write = async () => (await send("PATCH", membership, { role: "x".repeat(9_000) }, "writer")).status;
    const body = "x".repeat(15_000);
    const rule = { operation: "deleteTeam", respond: { body, unchecked: true } };
    const add = async () => (await send("POST", "/-/mock/overrides", rule)).status;
    expect([await add(), await write()]).toEqual([200, 507]);
    expect((await send("DELETE", "/-/mock/overrides")).status).toBe(200);
    expect([await write(), await add()]).toEqual([200, 507]);
    expect((await send("POST", "/-/mock/reset", undefined, "writer")).status).toBe(204);
    expect(await add()).toBe(200);
  });

  test("counts the memory that a state takes, which is more than that of its text", async () => {
    await restart({ stateLimit: 20_000 / 2 ** 20 });
    const stateWith = (metadata: unknown) => ({
      resources: { Team: [{ scope: { orgId: "1" }, properties: { id: 7, metadata } }] },
    });
    const put = async (metadata: unknown) => (await send("PUT", "/-/mock/state", stateWith(metadata))).status;
    expect(await put("{},".repeat(500))).toBe(200);
    expect(await put(Array.from({ length: 500 }, () => ({})))).toBe(422);
  });

  test("is not touched by reading", async () => {
    for (let id = 0; id < 500; id += 1) await send("GET", `/v2/organizations/42/memberships/${id}`);
    expect(mock.state()).toEqual({ resources: {}, counters: {} });
  });
});

describe("a state file", () => {
  test("keeps what was written for the next mock, in each session", async () => {
    const stateFile = await temporaryFile();
    await restart({ stateFile });
    await send("DELETE", team, undefined, "a");
    await restart({ stateFile });
    expect((await send("GET", team, undefined, "a")).status).toBe(404);
    expect((await send("GET", team)).status).toBe(200);
  });

  test("keeps what was counted, so that nothing new is like what an earlier mock made", async () => {
    const stateFile = await temporaryFile();
    const save = () => send("POST", "/v2/calendars/ics-feed/save", { urls: ["https://a.example/feed.ics"] });
    const feeds = [];
    for (let n = 0; n < 3; n += 1) {
      await restart({ stateFile });
      feeds.push(valueAt((await save()).value, ["data", "id"]));
    }
    expect(feeds).toEqual([expect.any(Number), Number(feeds[0]) + 1, Number(feeds[0]) + 2]);
  });

  test("is written while the mock runs, for its owner only; an empty one is new", async () => {
    const stateFile = await temporaryFile();
    await writeFile(stateFile, "", { mode: 0o644 });
    // What a killed mock has left.
    await writeFile(`${stateFile}.unfinished`, "{");
    await restart({ stateFile });
    await send("DELETE", team);
    await expect.poll(() => readFile(stateFile, "utf8").catch(() => "")).toContain('"Team"');
    expect((await stat(stateFile)).mode & 0o777).toBe(0o600);
    await mock.close();
    expect(await readdir(dirname(stateFile))).toEqual(["state.json"]);
  });

  test("is written through no link", async () => {
    const stateFile = await temporaryFile();
    const precious = join(dirname(stateFile), "precious");
    await writeFile(precious, "precious");
    await symlink(precious, stateFile);
    await expect(startServer({ generations, stateFile })).rejects.toThrow("it is a link, a folder or a device");
    await rm(stateFile);
    await restart({ stateFile });
    // Somebody else may write to the folder, such as /tmp.
    await symlink(precious, stateFile);
    await symlink(precious, `${stateFile}.unfinished`);
    await send("DELETE", team);
    await mock.close();
    expect(await readFile(precious, "utf8")).toBe("precious");
    expect((await lstat(stateFile)).isFile()).toBe(true);
  });

  test("belongs to one mock until that ends for any reason", async () => {
    const stateFile = await temporaryFile();
    const lock = `${stateFile}.lock`;
    const { pid: ended } = spawnSync(process.execPath, ["--version"]);
    // Left behind by a killed mock.
    await writeFile(lock, String(ended));
    await restart({ stateFile });
    const advice = `stop it, or choose another file. If no mock uses it, remove ${lock}`;
    const inUse = `${stateFile} is in use by another mock, the process ${process.pid}: ${advice}`;
    await expect(startServer({ generations, stateFile })).rejects.toThrow(inUse);
    await mock.close();
    expect(await readdir(dirname(stateFile))).toEqual([]);
    // What may be no lock stays.
    for (const text of ["no number", ""]) {
      await writeFile(lock, text);
      await expect(startServer({ generations, stateFile })).rejects.toThrow(`in use by another mock: ${advice}`);
      expect(await readFile(lock, "utf8")).toBe(text);
    }
    await rm(lock);
    await mkdir(lock);
    await expect(startServer({ generations, stateFile })).rejects.toThrow(advice);
    await rmdir(lock);
    for (const device of ["/dev/null", dirname(stateFile)])
      await expect(startServer({ generations, stateFile: device })).rejects.toThrow(
        "it is a link, a folder or a device",
      );
    await expect(startServer({ generations, stateFile: `${stateFile}/x/y` })).rejects.toThrow(
      "cannot be locked: ENOENT",
    );
    const { port } = new URL((await startServer({ generations })).url);
    await expect(startServer({ generations, stateFile, port: Number(port) })).rejects.toThrow("EADDRINUSE");
    await restart({ stateFile });
  });

  test("keeps what belongs to a generation that is not served", async () => {
    const stateFile = await temporaryFile();
    await restart({ stateFile });
    await send("PATCH", "/v1/attendees/501?apiKey=k", { name: "Kept" });
    await restart({ stateFile, generation: "v2" });
    expect((await send("GET", "/v1/attendees/501?apiKey=k")).status).toBe(404);
    await send("DELETE", team);
    await restart({ stateFile });
    expect(valueAt((await send("GET", "/v1/attendees/501?apiKey=k")).value, ["attendee", "name"])).toBe("Kept");
    expect((await send("GET", team)).status).toBe(404);
  });

  test.each([{ dynamic: true }, { stateless: true }])(
    "is refused beside %j, which would leave it as it is",
    async (option) => {
      const stateFile = await temporaryFile();
      await expect(startServer({ generations, stateFile, ...option })).rejects.toThrow(
        "and --state exclude each other",
      );
    },
  );

  const deepTeam = `{"scope":{"orgId":"1"},"properties":{"id":7,"metadata":${"[".repeat(9e4)}${"]".repeat(9e4)}}}`;
  const deepState = `{"sessions":{"":{"resources":{"Team":[${deepTeam}]}}}}`;

  test.each([
    ["broken", "{", "was not written by the mock"],
    ["of another contract", '{"sessions":{"":{"resources":{"Dragon":[]}}}}', "/resources/Dragon"],
    ["nested deep", deepState, "was not written by the mock"],
  ])("that is %s is refused in words, and left alone", async (_, text, reason) => {
    const stateFile = await temporaryFile();
    await writeFile(stateFile, text);
    await expect(startServer({ generations, stateFile })).rejects.toThrow(reason);
    expect(await readFile(stateFile, "utf8")).toBe(text);
  });

  test("that is too large to be read is refused in words", async () => {
    const stateFile = await temporaryFile();
    await writeFile(stateFile, "");
    await truncate(stateFile, 2 ** 31);
    await expect(startServer({ generations, stateFile })).rejects.toThrow(`${stateFile} cannot be read: `);
  });
});

test("another contract keeps what fits it, and says what it drops", async () => {
  await send("DELETE", team);
  await send("PATCH", "/v1/attendees/501?apiKey=k", { name: "Changed" });
  expect(mock.replace(generations.filter(({ name }) => name === "v2"))).toEqual([expect.stringContaining("Attendee")]);
  expect((await send("GET", team)).status).toBe(404);
});

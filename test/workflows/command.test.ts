import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import type { RequestEntry } from "../../scripts/mock/index.ts";
import { startServer } from "../../scripts/mock/http/server.ts";
import { listArazzoFiles } from "../../scripts/workflows/arazzoFiles.ts";
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
    expect(ids.length).toBeGreaterThan(8);
    expect(stdout.match(/^[\w-]+$/gm)).toEqual(ids);
    expect(stdout).toMatch(new RegExp(`^${ids.length} workflows succeeded$`, "m"));
  });

  it("sends the requests of the named workflows, with the inputs that are given, to a server that is given", async () => {
    const entries: RequestEntry[] = [];
    await using mock = await startServer({ generations, onResponse: (entry) => entries.push(entry) });
    const names = ["page-through-schedules", "remove-webhook-v1"];
    const inputs = ["--input", "orgId=43", "--input", "webhookId=5"];
    const { code } = await runNode(repository, [command, ...names, "--target", `${mock.url}/`, ...inputs]);
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
    const server = createServer(() => undefined).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const args = [command, "fetch-recordings-v1", "--target", `http://127.0.0.1:${port ?? 0}`];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
    const [stderr, code] = await Promise.all([
      text(child.stderr),
      once(child, "close").then(() => child.exitCode),
      once(server, "request").then(() => child.kill("SIGINT")),
    ]);
    server.closeAllConnections();
    server.close();
    expect({ code, stderr }).toEqual({ code: 1, stderr: "error: stopped before the workflows were through\n" });
  });
});

// In this process, so one after the other.
describe("npm run workflows, where something is wrong,", () => {
  it("says which criterion of which step does not hold, as against a mock that forgets", async () => {
    await using mock = await startServer({ generations, stateless: true });
    const names = ["correct-attendee-v1", "remove-team", "remove-webhook-v1"];
    const args = [...names, "--target", mock.url, "--input", "webhookId=abc", "--input", "apiKey=svc_secret"];
    const { code, stdout, stderr } = await runHere(repository, "workflows.ts", args);
    expect(code).toBe(1);
    expect(stderr).toBe("error: 3 of 3 workflows failed\n");
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
        "  ✓ check: GET /v2/organizations/42/teams/7 200",
        "  ✓ delete: DELETE /v2/organizations/42/teams/7 200",
        "  ✗ confirm: GET /v2/organizations/42/teams/7 200",
        "      expected $statusCode >= 400",
        "      but $statusCode is 200",
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

  it("says why the mock rejects a request", async () => {
    const { code, stdout } = await runHere(repository, "workflows.ts", [
      "accept-team-membership",
      "--input",
      "teamId=seven",
    ]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/expected \$statusCode == 200\n {6}but \$statusCode is 422/);
    expect(stdout).toMatch(/the mock says: .*teamId/);
  });

  it("says which operation a workflow asks for in vain", async () => {
    await using project = await copyProject();
    const file = join(project.directory, "openapi/workflows/rooms.arazzo.yaml");
    await mkdir(dirname(file));
    const workflow = { workflowId: "rooms", steps: [{ stepId: "list", operationId: "listHalls" }] };
    const sourceDescriptions = [{ name: "v1", type: "openapi", url: "../v1/openapi.yaml" }];
    const info = { title: "Rooms", version: "1.0.0" };
    await writeFile(file, JSON.stringify({ arazzo: "1.0.1", info, sourceDescriptions, workflows: [workflow] }));
    const lost = await runHere(project.directory, "workflows.ts", ["--target", "http://127.0.0.1:9"]);
    expect(lost.code).toBe(1);
    expect(lost.stdout + lost.stderr).toContain("listHalls");
    expect(lost.stdout + lost.stderr).not.toMatch(/^ {4}at /m);
  });

  it("says what is wrong with workflows that cannot be run", async () => {
    await using project = await copyProject();
    const none = await runHere(project.directory, "workflows.ts", []);
    expect(none).toMatchObject({ code: 1, stdout: "" });
    expect(none.stderr).toContain("there are no workflows: openapi/workflows/ has no *.arazzo.yaml");

    const file = join(project.directory, "openapi/workflows/rooms.arazzo.yaml");
    await mkdir(dirname(file));
    await writeFile(file, "arazzo: [1.0.1");
    const unreadable = await runHere(project.directory, "workflows.ts", []);
    expect(unreadable).toMatchObject({ code: 1, stdout: "" });
    expect(unreadable.stderr).toMatch(/^error: openapi\/workflows\/rooms\.arazzo\.yaml: it cannot be read: [^\n]+\n$/);
  });

  it.each([
    [["nothing"], 'there is no workflow "nothing": there are reschedule-booking, '],
    [["--target", "nowhere"], "--target must be an http or https URL, without a query or a password"],
    [["--target", "http://user:secret@127.0.0.1:1"], "--target must be an http or https URL"],
    [["--target", "http://127.0.0.1:1/#"], "--target must be an http or https URL"],
    [["--input", "secret"], '--input must be NAME=VALUE: one has no "="'],
    [["remove-team", "--input", "team=secret"], 'these workflows have no input "team": they have apiKey, orgId'],
  ])("refuses %j in words", async (args, message) => {
    const { code, stderr } = await runHere(repository, "workflows.ts", args);
    expect(code).toBe(1);
    expect(stderr).toContain(`error: ${message}`);
    expect(stderr).not.toMatch(/secret|\n {4}at /);
  });
});

import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isObject, parseJson } from "../scripts/values/json.ts";
import { serveHttp } from "./fixtures/serveHttp.ts";
import { repository, runHere, type Run } from "./pipeline/project.ts";
import { createSmallProject } from "./fixtures/smallProject.ts";

/** Clears the screen in two ways, and reverses the order of a line. */
const hostile = "a\u001b[2J\u009b2J\u202eb";
/** In JSON, the backslashes of a sentence are escaped, too. */
const shown = /a\\+u001b\[2J\\+u009b2J\\+u202eb/;

const described = (operation: object) => {
  const schema = { type: "object", additionalProperties: { type: "integer" } };
  const responses = { 200: { description: "Listed.", content: { "application/json": { schema } } } };
  const get = { operationId: "list", security: [], responses, ...operation };
  return { openapi: "3.1.0", info: { title: "Rooms", version: "1.0.0" }, paths: { "/rooms": { get } } };
};

async function createHostileProject() {
  const workflow = { workflowId: "rooms", steps: [{ stepId: "list", operationId: "list" }] };
  const sourceDescriptions = [{ name: "v1", type: "openapi", url: "../openapi.json" }];
  const arazzo = { arazzo: "1.0.1", info: { title: "Rooms", version: "1" }, sourceDescriptions, workflows: [workflow] };
  const parameter = { name: hostile, in: "query", required: true, schema: { type: "string" } };
  const project = await createSmallProject(described({}), {
    "new.json": JSON.stringify(described({ parameters: [parameter] })),
    "state.json": JSON.stringify({ [hostile]: {} }),
  });
  await mkdir(join(project.directory, "openapi/workflows"), { recursive: true });
  await writeFile(join(project.directory, "openapi/workflows/rooms.arazzo.yaml"), JSON.stringify(arazzo));
  return project;
}

it("no command prints what others wrote without escaping what controls a terminal", async () => {
  await using project = await createHostileProject();
  await using server = await serveHttp((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ [hostile]: hostile }));
  });
  const run = (script: string, ...args: readonly string[]) => runHere(project.directory, script, args);
  const expectEscaped = ({ stdout, stderr }: Run) => {
    expect(stdout + stderr).toMatch(shown);
    expect(stdout + stderr).not.toMatch(/[\u001b\u009b\u202e]/);
    return stdout;
  };
  expectEscaped(await run("mock.ts", "--seed-state", "state.json"));
  expectEscaped(await run("workflows.ts", "--server", server.url));
  for (const format of ["text", "json", "markdown"]) {
    const report = expectEscaped(await run("diff.ts", "openapi.json", "new.json", "--format", format));
    if (format === "json") expect(JSON.stringify(parseJson(report))).toContain("\u202e");
    const found = expectEscaped(await run("verify.ts", "--server", server.url, "--format", format));
    if (format === "json") expect(isObject(parseJson(found))).toBe(true);
  }
});

it("our own colors stay, also beside escapes of others", async () => {
  await using project = await createHostileProject();
  const args = [join(repository, "scripts/diff.ts"), "openapi.json", "new.json"];
  const env = { ...process.env, FORCE_COLOR: "1", NO_COLOR: undefined };
  const { stdout } = spawnSync(process.execPath, args, { cwd: project.directory, env, encoding: "utf8" });
  expect(stdout).toContain("\u001b[31mBreaking changes\u001b[39m\n");
  expect(stdout).toMatch(shown);
});

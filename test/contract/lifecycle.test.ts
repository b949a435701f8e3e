import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readBundles } from "../../scripts/contract/bundles.ts";
import type { Generation } from "../../scripts/contract/generation.ts";
import { renderSite } from "../../scripts/docs/site/renderSite.ts";
import { startServer } from "../../scripts/mock/server/server.ts";
import { copyProject, type Project } from "../pipeline/project.ts";

let project: Project;
let generations: readonly Generation[];

beforeAll(async () => {
  project = await copyProject();
  // One operation and one property; and a generation as a whole.
  await project.edit(
    "openapi/v2/rooms.yaml",
    "        operationId: createRoom\n",
    "        operationId: createRoom\n        deprecated: true\n        x-deprecated-on: 2026-12-01\n        x-sunset: 2027-06-30\n        x-since: 0.2.0\n",
  );
  await project.edit(
    "openapi/v2/rooms.yaml",
    "          description: How many people it seats.\n",
    "          description: How many people it seats.\n          deprecated: true\n          x-sunset: 2027-06-30\n          x-since: 0.2.0\n",
  );
  await project.edit("openapi/v1/openapi.yaml", "info:\n", "info:\n  x-deprecated-on: 2026-12-01\n");
  expect(await project.buildHere()).toMatchObject({ code: 0 });
  generations = await readBundles(join(project.directory, "generated"), ["v1", "v2"]);
});
afterAll(() => project[Symbol.asyncDispose]());

const generated = (path: string) => readFile(join(project.directory, "generated", path), "utf8");

test("types and functions show deprecations with their dates", async () => {
  expect(await generated("v2/operations.ts")).toMatch(
    /Since 0\.2\.0\.[^/]*@deprecated since 2026-12-01, ends on 2027-06-30/,
  );
  expect(await generated("v2/types.ts")).toMatch(/How many people it seats\.[^/]*Since 0\.2\.0\.[^/]*@deprecated/);
  expect(await generated("v1/operations.ts")).toContain("@deprecated since 2026-12-01");
});

test("docs and Markdown say so", async () => {
  const files = new Map(
    (await Array.fromAsync(renderSite({ generations, packageName: "rooms" }))).map(({ path, content }) => [
      path,
      content,
    ]),
  );
  const page = files.get("v2/rooms/create-room/index.md") ?? "";
  expect(page).toContain("- Lifecycle: since 0.2.0 · *deprecated since 2026-12-01, ends on 2027-06-30*");
  expect(page).toMatch(/`seats` integer · since 0\.2\.0 · \*deprecated, ends on 2027-06-30\*/);
  expect(files.get("v1/rooms/list-rooms/index.html")).toContain("deprecated since 2026-12-01");
});

test("the mock announces it in headers", async () => {
  await using mock = await startServer({ generations });
  const headers = { authorization: "Bearer token", "content-type": "application/json" };
  const created = await fetch(`${mock.url}/v2/rooms`, { method: "POST", headers, body: "{}" });
  expect(Object.fromEntries(created.headers)).toMatchObject({
    deprecation: "@1796083200",
    sunset: "Wed, 30 Jun 2027 00:00:00 GMT",
  });
  const refused = await fetch(`${mock.url}/v1/rooms`);
  expect([refused.status, refused.headers.get("deprecation"), refused.headers.get("sunset")]).toEqual([
    401,
    "@1796083200",
    null,
  ]);
});

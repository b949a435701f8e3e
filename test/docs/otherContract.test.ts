import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copyProject, repository, runNode } from "../pipeline/project.ts";
import { readHtml } from "./htmlPage.ts";

test("the docs of a contract without servers, with a relative one, with Basic credentials and with ten generations", async () => {
  await using project = await copyProject();
  await project.edit("redocly.yaml", "  v1:", "  v10:");
  await project.edit("redocly.yaml", "  v2:", "  v9:");
  await project.edit("redocly.yaml", "rules:\n", "rules:\n  no-empty-servers: off\n  no-server-trailing-slash: off\n");
  const server = "servers:\n  - url: http://127.0.0.1:4010\n";
  await project.edit("openapi/v1/openapi.yaml", server, "servers:\n  - url: /\n");
  await project.edit("openapi/v2/openapi.yaml", server, "");
  await project.edit("openapi/v1/openapi.yaml", "scheme: bearer\n", "scheme: basic\n      x-example: user:password\n");
  await project.edit(
    "openapi/v1/rooms.yaml",
    "    Rooms:\n      get:\n",
    "    Rooms:\n      get:\n        x-security-optional: true\n        security:\n          - {}\n          - bearer: []\n",
  );
  expect(await project.build()).toMatchObject({ code: 0, stderr: "" });

  const docs = [join(repository, "scripts/docs.ts"), "--out", "site"];
  expect(await runNode(project.directory, docs)).toMatchObject({ code: 0, stderr: "" });

  // Guides belong to the contract that they are written for.
  const folders = await readdir(join(project.directory, "site"));
  expect(folders.filter((name) => ["about", "guides", "testing", "typescript"].includes(name))).toEqual([]);
  expect(await readFile(join(project.directory, "site/llms.txt"), "utf8")).not.toContain("TypeScript client");
  const start = await readFile(join(project.directory, "site/index.html"), "utf8");
  expect(start).toContain('<span class="scope">operations, fields</span>');

  const read = async (path: string) =>
    readHtml(await readFile(join(project.directory, "site", path), "utf8")).main.text;
  // Newest is by version: v10 comes after v9.
  expect(await read("index.html")).toContain("curl 'http://127.0.0.1:4010/v1/rooms'");
  expect(await read("v9/rooms/create-room/index.html")).toContain("Requests go to the mock at http://127.0.0.1:4010");
  const operation = await read("v10/rooms/list-rooms/index.html");
  expect(operation).toContain("bearer (optional)");
  expect(operation).toContain("Authorization: Basic dXNlcjpwYXNzd29yZA==");
  expect(operation).toContain('auth: { bearer: "dXNlcjpwYXNzd29yZA==" }');
  const authentication = await read("authentication/index.html");
  expect(authentication).toContain("Authorization: Basic <base64 of user:password>");
  expect(authentication).toMatch(/GET List rooms optional/);
});

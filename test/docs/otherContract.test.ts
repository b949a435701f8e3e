import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copyProject, repository, runNode } from "../pipeline/project.ts";

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
    "      x-path: /v1/rooms\n      get:\n",
    "      x-path: /v1/rooms\n      get:\n        x-security-optional: true\n        security:\n          - {}\n          - bearer: []\n",
  );
  expect(await project.build()).toMatchObject({ code: 0, stderr: "" });

  const docs = [join(repository, "scripts/docs.ts"), "--out", "site"];
  expect(await runNode(project.directory, docs)).toMatchObject({ code: 0, stderr: "" });

  const read = (path: string) => readFile(join(project.directory, "site", path), "utf8");
  // Newest is by version: v10 comes after v9.
  expect(await read("index.html")).toContain("curl &#39;http://127.0.0.1:4010/v1/rooms&#39;");
  expect(await read("v9/reference.js")).toContain("'http://127.0.0.1:4010/v2/rooms'");
  const samples = await read("v10/rooms.md");
  expect(samples).toContain("**Credentials are optional.**");
  expect(samples).toContain("Authorization: Basic dXNlcjpwYXNzd29yZA==");
  expect(samples).toContain('auth: { bearer: "dXNlcjpwYXNzd29yZA==" }');
});

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copyProject, repository, runNode } from "./project.ts";

// The command line brings a copy of Redocly's core of its own; the build uses the published one.
const redocly = join(repository, "node_modules/@redocly/cli/bin/cli.js");

test("redocly bundle gives the document that the build gives", async () => {
  await using project = await copyProject();
  await project.buildHere();
  await runNode(project.directory, [redocly, "bundle", "v1", "--output", "cli.json"]);

  const [ours, theirs] = await Promise.all(
    ["generated/v1/openapi.json", "cli.json"].map(async (path): Promise<unknown> =>
      JSON.parse(await readFile(join(project.directory, path), "utf8")),
    ),
  );
  expect(ours).toEqual(theirs);
});

test("redocly lint finds the mistake that the build finds, in the same place", async () => {
  await using project = await copyProject();
  await project.edit("openapi/v1/rooms.yaml", "name: Attic", "name: 7");

  const [ours, theirs] = await Promise.all([
    project.buildHere(),
    runNode(project.directory, [redocly, "lint", "--format", "checkstyle"]),
  ]);

  expect(theirs.code).toBe(1);
  const place = /line="(\d+)" column="(\d+)".*source="([^"]*)"/.exec(theirs.stdout);
  expect(place).not.toBeNull();
  const [, line = "", column = "", rule = ""] = place ?? [];
  expect(ours.stderr).toContain(`openapi/v1/rooms.yaml:${line}:${column}: error (${rule})`);
});

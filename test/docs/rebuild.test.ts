import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { copyProject, repository, type Project } from "../pipeline/project.ts";

/** Starts the docs and the mock of a project, stops them once they listen, and resolves to what was done before that. */
async function start({ directory }: Project): Promise<string> {
  const child = spawn(process.execPath, [join(repository, "scripts/start.ts"), "--port", "0"], {
    cwd: directory,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const done = text(child.stderr);
  const exit = once(child, "exit");
  await once(createInterface(child.stdout), "line");
  child.kill("SIGINT");
  expect(await exit).toEqual([0, null]);
  return done;
}

it("npm start builds only the changes", async () => {
  await using project = await copyProject();
  expect(await start(project)).toContain("no mistakes in");

  await project.edit("openapi/v1/openapi.yaml", "title: ", "title: Changed ");
  expect(await start(project)).toContain("no mistakes in");
  expect((await project.readGenerated())["generated/v1/openapi.yaml"]).toContain("title: Changed ");

  await project.edit("generated/v1/openapi.yaml", "title: Changed ", "title: Wrong ");
  await start(project);
  expect((await project.readGenerated())["generated/v1/openapi.yaml"]).toContain("title: Changed ");
  expect(await start(project)).not.toContain("no mistakes in");
});

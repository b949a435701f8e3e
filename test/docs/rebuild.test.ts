import { join } from "node:path";
import { expect, it } from "vitest";
import { startProgram } from "../fixtures/program.ts";
import { copyProject, repository, type Project } from "../pipeline/project.ts";

/** Starts the docs and the mock of a project, stops them once they listen, and resolves to what was done before that. */
async function start({ directory }: Project): Promise<string> {
  const program = startProgram([join(repository, "scripts/start.ts"), "--port", "0"], { cwd: directory });
  await program.until(/^Listening on /m);
  const { code, stderr } = await program.stop();
  expect(code).toBe(0);
  return stderr;
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

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundleSources } from "../../scripts/pipeline/bundleSources.ts";
import { readConfiguration } from "../../scripts/pipeline/configuration.ts";
import { copyProject } from "./project.ts";

test("all files of a contract are known, and can be watched, even if references in one lead in a circle", async () => {
  await using project = await copyProject();
  await mkdir(join(project.directory, "openapi/v1/deep"));
  const kinds = join(project.directory, "openapi/v1/deep/kinds.yaml");
  await writeFile(kinds, "components:\n  schemas:\n    Kind:\n      $ref: '#/components/schemas/Kind'\n");
  const target = 'kind:\n          $ref: "#/components/schemas/RoomKind"';
  const elsewhere = "kind:\n          $ref: ../v1/deep/kinds.yaml#/components/schemas/Kind";
  await project.edit("openapi/shared/rooms.yaml", target, elsewhere);

  const { sources } = await readConfiguration(join(project.directory, "redocly.yaml"));
  const [source] = sources;
  const { document, problems, files } = await bundleSources(source ?? expect.fail("there is no generation"));

  expect(document).toBeUndefined();
  expect(problems.map(({ rule, file }) => [rule, file])).toEqual([["reference-cycle", kinds]]);
  expect(files).toContain(kinds);
});

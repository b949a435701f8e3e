import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { createEngine } from "../../scripts/mock/server/engine.ts";
import { bundleSources } from "../../scripts/pipeline/bundleSources.ts";
import { configureFiles, readConfiguration } from "../../scripts/pipeline/configuration.ts";
import { exampleRequest, requestTo } from "../fixtures/exampleRequest.ts";
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

test("the links of examples are kept and not followed, and references are percent-decoded", async () => {
  const folder = await mkdtemp(join(tmpdir(), "links-"));
  const links = ["./logo.png", "./missing.json", "https://127.0.0.1:9/logo.png", "../elsewhere.json"];
  await writeFile(join(folder, "logo.png"), Uint8Array.of(0x89, 0x50, 0xff));
  const examples = Object.fromEntries(links.map((externalValue, index) => [`link${index}`, { externalValue }]));
  await writeFile(join(folder, "my schemas.json"), JSON.stringify({ "an id": { type: "integer" } }));
  const reference = { $ref: "my%20schemas.json#/an%20id" };
  const schema = { type: "object", required: ["id"], properties: { id: reference } };
  const content = { "application/json": { schema, examples } };
  const operation = {
    operationId: "sendLogo",
    requestBody: { required: true, content },
    responses: { "200": { description: "Done.", content } },
  };
  const file = join(folder, "openapi.json");
  const info = { title: "Logos", version: "1" };
  await writeFile(file, JSON.stringify({ openapi: "3.1.1", info, paths: { "/logo": { post: operation } } }));

  const { sources } = await configureFiles([file]);
  const [source] = sources;
  const { document, problems } = await bundleSources(source ?? expect.fail("there is no description"));
  await rm(folder, { recursive: true });

  expect(problems).toEqual([]);
  if (document === undefined) throw new Error("there is no bundle");
  expect(document.paths?.["/logo"]).toMatchObject({
    post: { responses: { "200": { content: { "application/json": { examples } } } } },
  });
  const generation = readGeneration("logos", document);
  const [sendLogo] = generation.operations;
  const request = requestTo("http://mock.example", exampleRequest(sendLogo ?? expect.fail("there is no operation")));
  expect(await request.clone().json()).toEqual({ id: 0 });
  const response = await createEngine({ generations: [generation] }).fetch(request);
  expect([response.status, await response.json()]).toEqual([200, { id: 0 }]);
});

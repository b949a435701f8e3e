import { mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { reportOf } from "../../scripts/contract/failures.ts";
import { readDescriptions } from "../../scripts/pipeline/buildGenerated.ts";
import { copyProject, runHere } from "./project.ts";

/** A description in YAML: each schema is on a line of its own, from line 4 on. */
function describe(schemas: readonly string[], others = "paths: {}"): string {
  const lines = schemas.map((schema, index) => `    S${index}: ${schema}\n`);
  const info = 'info: { title: A, version: "1" }';
  return `openapi: 3.1.1\n${info}\ncomponents: { schemas: {\n${lines.join("").replaceAll("\n", ",\n")}  } }\n${others}\n`;
}

/** The lines of all mistakes, including those that are only listed below another. */
function linesIn(report: string): readonly number[] {
  const lines = Array.from(report.matchAll(/^ *\S+\.(?:yaml|json):(\d+):\d+(?:: error .*)?$/gm), ([, line]) =>
    Number(line),
  );
  return [...new Set(lines)].sort((a, b) => a - b);
}

/** The report of mistakes in a description that is read by its file. Empty if there are none. */
function refusalOf(file: string, allowed?: string): Promise<string> {
  return readDescriptions([file], () => undefined, allowed).then(() => "", reportOf);
}

/** A project with a secret file above `openapi/`, and links to it and to its folder. */
async function projectWithSecret() {
  const project = await copyProject();
  const secret = join(await realpath(project.directory), "secret.yaml");
  await writeFile(secret, "type: string\ndescription: a secret\n");
  await writeFile(join(project.directory, "openapi/shared/allowed.yaml"), "type: integer\n");
  await symlink(secret, join(project.directory, "openapi/shared/link"));
  await symlink(project.directory, join(project.directory, "openapi/shared/folder"));
  return { project, secret };
}

test("references of the contract stay in openapi/, by the real path of the file", async () => {
  const { project, secret } = await projectWithSecret();
  await using _ = project;
  const within = ["{ $ref: ../shared/allowed.yaml }", "{ $ref: '#/components/schemas/S0' }"];
  const outside = [
    ...["../../secret.yaml", "..%2f..%2Fsecret.yaml", "%2e%2e/../secret.yaml#/x", secret, `${secret}#/description`],
    ...["../shared/link", "../shared/folder/secret.yaml", "../v1/../../missing.yaml", "/dev/null"],
    ...[pathToFileURL(secret).href, pathToFileURL(secret).href.replace("file", "FILE"), "https://127.0.0.1:9/a.yaml"],
    ...["data:application/json,{}"],
  ];
  const references = outside.map((reference) => `{ $ref: '${reference}' }`);
  const inMapping = "{ discriminator: { propertyName: p, mapping: { a: ../shared/link.yaml, b: S0 } }, type: object }";
  await symlink(secret, join(project.directory, "openapi/shared/link.yaml"));
  const schemas = [...within, ...references, inMapping];
  await writeFile(join(project.directory, "openapi/v1/openapi.yaml"), describe(schemas));
  const { code, stderr } = await project.lint();
  expect(code).toBe(1);
  expect(new Set(stderr.match(/error \(.*\)$/gm))).toEqual(new Set(["error (outside-reference)"]));
  const first = 4 + within.length;
  const last = 4 + schemas.length;
  expect(linesIn(stderr)).toEqual([...Array.from(references, (_reference, index) => first + index), last - 1]);
  expect(stderr).toContain(`This leads to ${secret}, which isn't a file in openapi/.\n  Copy it there`);
  expect(stderr).toContain("This leads to https://127.0.0.1:9/a.yaml, which isn't a file in openapi/.");
  expect(stderr).not.toContain("a secret");
});

test("a workflow has no references out of openapi/ either", async () => {
  const { project } = await projectWithSecret();
  await using _ = project;
  await mkdir(join(project.directory, "openapi/workflows"));
  const step = "{ stepId: a, operationId: listRooms, successCriteria: [{ condition: $statusCode == 200 }] }";
  const workflow = (reference: string) =>
    `arazzo: 1.0.1\ninfo: { title: A, version: "1" }\nsourceDescriptions: [{ name: v1, type: openapi, url: ../v1/openapi.yaml }]\n` +
    `workflows:\n  - workflowId: a\n    inputs: { $ref: ${reference} }\n    steps: [${step}]\n`;
  const file = join(project.directory, "openapi/workflows/1-a.arazzo.yaml");
  await writeFile(file, workflow("../shared/link"));
  const { stderr } = await project.lint();
  expect(stderr).toContain("openapi/workflows/1-a.arazzo.yaml:6:21: error (outside-reference)");
  await writeFile(file, workflow("../shared/allowed.yaml"));
  expect((await project.lint()).stderr).not.toContain("-ref");
});

test("a description by its file refers to its own folder, and to one that --allow-folder names", async () => {
  const { project, secret } = await projectWithSecret();
  await using _ = project;
  const others = join(project.directory, "others");
  await mkdir(others);
  const file = join(others, "api.yaml");
  await writeFile(file, describe([`{ $ref: ../openapi/shared/allowed.yaml }`, `{ $ref: ../secret.yaml }`]));
  const refused = await refusalOf(file);
  expect(linesIn(refused)).toEqual([4, 5]);
  expect(refused).toContain(`This leads to ${secret}, which isn't a file in `);
  expect(refused).toContain("Copy it there, and refer to the copy, or allow its folder with --allow-folder DIR.");

  const shared = join(project.directory, "openapi");
  const again = await refusalOf(file, shared);
  expect(linesIn(again)).toEqual([5]);
  const content = "{ application/json: { schema: { $ref: ../openapi/shared/allowed.yaml } } }";
  const paths = `paths: { /a: { get: { operationId: getA, responses: { 200: { description: A, content: ${content} } } } } }`;
  await writeFile(file, describe(["{ type: string }"], paths));
  const run = (...args: string[]) => runHere(project.directory, "docs.ts", [file, "--out", "site", ...args]);
  expect(await run("--allow-folder", shared)).toMatchObject({ code: 0 });
  const { code, stderr } = await run("--allow-folder", "nowhere");
  expect([code, stderr]).toEqual([1, "error: --allow-folder: there is no folder nowhere\n"]);
});

test("a reference where OpenAPI has none is refused", async () => {
  const { project } = await projectWithSecret();
  await using _ = project;
  const file = join(project.directory, "openapi/v1/openapi.yaml");
  const wrong = ["{ description: { $ref: ../shared/allowed.yaml } }", "{ title: { $ref: ../shared/allowed.yaml } }"];
  await writeFile(
    file,
    describe(wrong, "paths: { $ref: ../shared/allowed.yaml }\nx-any: { $ref: ../shared/allowed.yaml }"),
  );
  for (const report of [(await project.lint()).stderr, await refusalOf(file, project.directory)]) {
    expect(report).toContain("OpenAPI has no reference here: write the content itself.");
    expect(linesIn(report.split("build/reference-place")[1] ?? "")).toEqual([5, 7]);
  }
});

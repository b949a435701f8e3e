import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { copyProject, type Project, type Run } from "../pipeline/project.ts";

/** A correct description of one workflow for the fixture. */
function arazzo(workflowId: string): string {
  return `arazzo: 1.0.1
info:
  title: Read a room
  version: 1.0.0
sourceDescriptions:
  - name: v1
    type: openapi
    url: ../v1/openapi.yaml
workflows:
  - workflowId: ${workflowId}
    summary: Read a room
    steps:
      - stepId: list
        operationId: listRooms
        successCriteria:
          - condition: $statusCode == 200
        outputs:
          roomId: $response.body#/0/id
      - stepId: read
        operationId: getRoom
        x-security:
          - schemeName: bearer
            values:
              token: abc
        parameters:
          - name: roomId
            in: path
            value: $steps.list.outputs.roomId
        successCriteria:
          - condition: $statusCode == 200
`;
}

/** What is made of the correct text, where lint finds it, and what it says. */
const mistakes: readonly [file: string, from: string, to: string, place: string, says: string][] = [
  ["id", "getRoom", "getRom", "20:22: error (workflow-step)", "v1 has no operation getRom.\n  Did you mean: getRoom?"],
  ["parameter", "- name: roomId", "- name: room", "26:11: error (workflow-step)", "has no parameter room in path"],
  [
    "required",
    "- name: roomId",
    "- name: room",
    "26:11: error (workflow-step)",
    "requires the parameter roomId in path",
  ],
  ["scheme", "schemeName: bearer", "schemeName: bear", "22:11: error (workflow-step)", "Write one of: bearer."],
  ["source", "- name: v1", "- name: v7", "6:11: error (workflow-source)", "v7 is no generation"],
  [
    "url",
    "../v1/openapi.yaml",
    "../v2/openapi.yaml",
    "8:10: error (workflow-source)",
    "not where the generation v1 is",
  ],
  ["output", "outputs.roomId", "outputs.room", "", "(outputs-defined)"],
  ["step", "    operationId: listRooms", "    workflowId: other", "13:17: error (workflow-step)", "names no operation"],
  ["version", "arazzo: 1.0.1", "arazzo: 9.0.0", "1:1: error (root)", 'Begin it with "arazzo: 1.0.1".'],
  ["yaml", "workflows:", "workflows: [", "", "(yaml)"],
  ["repeated-id", "workflowId: repeated-id", "workflowId: id", "10:17: error (workflow-id)", "Another file has"],
];

let project: Project;
let run: Run;

beforeAll(async () => {
  project = await copyProject();
  const folder = join(project.directory, "openapi/workflows");
  await mkdir(folder);
  await writeFile(join(folder, "correct.arazzo.yaml"), arazzo("correct"));
  for (const [file, from, to] of mistakes) {
    expect(arazzo(file)).toContain(from);
    await writeFile(join(folder, `${file}.arazzo.yaml`), arazzo(file).replace(from, to));
  }
  run = await project.lint();
});

afterAll(() => project[Symbol.asyncDispose]());

it.each(mistakes)("npm run lint finds the mistake in %s.arazzo.yaml", (file, _from, _to, place, says) => {
  expect(run.code).toBe(1);
  const problems = run.stderr.split(/\n\n(?=openapi\/)/);
  const found = problems.filter((problem) => problem.startsWith(`openapi/workflows/${file}.arazzo.yaml:${place}`));
  expect(found.join("\n"), run.stderr).toContain(says);
});

it("npm run lint says nothing of a correct workflow, and nothing of any without a folder", async () => {
  expect(run.stderr).not.toContain("correct.arazzo.yaml");
  await using other = await copyProject();
  const { code, stdout } = await other.lint();
  expect(code).toBe(0);
  expect(stdout).not.toContain("workflows");
});

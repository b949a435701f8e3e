import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readTest } from "../../scripts/workflows/expressions.ts";
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
    inputs: { type: object, properties: { token: { type: string, default: abc } } }
    steps:
      - stepId: list
        operationId: listRooms
        successCriteria:
          - condition: $statusCode == 200
        outputs:
          roomId: $response.body#/0/id
        x-security: [{ schemeName: bearer, values: { token: $inputs.token } }]
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
        outputs: { id: $response.body#/id }
`;
}

/** What is made of the correct text, where lint finds it, and what it says. */
const mistakes: readonly [file: string, from: string, to: string, place: string, says: string][] = [
  ["id", "getRoom", "getRom", "22:22: error (workflow-step)", "v1 has no operation getRom.\n  Did you mean: getRoom?"],
  ["parameter", "- name: roomId", "- name: room", "28:13: error (workflow-step)", "has no parameter room in path"],
  [
    "required",
    "- name: roomId",
    "- name: room",
    "28:11: error (workflow-step)",
    "requires the parameter roomId in path",
  ],
  [
    "place",
    "in: path",
    "in: query",
    "28:13: error (workflow-step)",
    "has no parameter roomId in query.\n  Did you mean: roomId in path?\n\n  2",
  ],
  ["scheme", "schemeName: bearer", "schemeName: bear", "20:21: error (workflow-step)", "Did you mean: bearer?"],
  ["source", "- name: v1", "- name: v7", "6:5: error (workflow-source)", "There is no generation v7 there."],
  [
    "url",
    "../v1/openapi.yaml",
    "../v2/openapi.yaml",
    "6:5: error (workflow-source)",
    "There is no generation v1 there.",
  ],
  ["output", "outputs.roomId", "outputs.room", "", "(outputs-defined)"],
  [
    "step",
    "    operationId: listRooms",
    "    workflowId: other",
    "14:17: error (workflow-step)",
    "Name its operation as `operationId`.",
  ],
  ["version", "arazzo: 1.0.1", "arazzo: 9.0.0", "1:1: error (root)", 'Begin it with "arazzo: 1.0.1".'],
  ["yaml", "workflows:", "workflows: [", "", "(yaml)"],
  [
    "input",
    "token: abc",
    "token: $inputs.tokn",
    "26:22: error (workflow-expression)",
    "Nothing here is called $inputs.tokn.\n  Did you mean: $inputs.token?",
  ],
  [
    "inner",
    "token: abc",
    "token: 'Bearer {$inputs.tokn}'",
    "26:22: error (workflow-expression)",
    "called $inputs.tokn.",
  ],
  [
    "order",
    "token: $inputs.token",
    "token: $steps.read.outputs.id",
    "20:61: error (workflow-expression)",
    "called $steps.read.outputs.id.",
  ],
  [
    "source-name",
    "$response.body#/0/id",
    "$respone.body#/0/id",
    "19:19: error (workflow-expression)",
    "called $respone.body.\n  Did you mean: $response.body?",
  ],
  [
    "condition",
    "condition: $statusCode == 200",
    "condition: $statusCode = 200",
    "17:24: error (workflow-expression)",
    "This is not a condition.",
  ],
  [
    "words",
    "condition: $statusCode == 200",
    "condition: the room is there",
    "17:24: error (workflow-expression)",
    "This is not a condition.",
  ],
  [
    "bracket",
    "condition: $statusCode == 200",
    "condition: ($statusCode == 200)",
    "17:24: error (workflow-expression)",
    "This is not a condition.",
  ],
  [
    "query",
    "condition: $statusCode == 200",
    "{ condition: '$[?', type: jsonpath, context: $response.body }",
    "17:26: error (workflow-expression)",
    "This is not a condition.",
  ],
  [
    "operand",
    "condition: $statusCode == 200",
    "condition: $inputs.rom == 200",
    "17:24: error (workflow-expression)",
    "called $inputs.rom.",
  ],
  [
    "context",
    "condition: $statusCode == 200",
    "{ condition: '$[?@.id]', type: jsonpath }",
    "17:26: error (workflow-expression)",
    "the value that it is applied to in `context`",
  ],
  [
    "draft",
    "condition: $statusCode == 200",
    "{ condition: '$[?@.id]', type: { type: jsonpath, version: draft-goessner-dispatch-jsonpath-00 }, context: $response.body }",
    "17:44: error (workflow-expression)",
    "Write `type: jsonpath`.",
  ],
  [
    "regex",
    "condition: $statusCode == 200",
    "{ condition: '[a', type: regex, context: $statusCode }",
    "17:26: error (workflow-expression)",
    "This is not a condition.",
  ],
  [
    "endless",
    "condition: $statusCode == 200",
    "{ condition: '^(a*)*\\1', type: regex, context: $response.body#/0/name }",
    "17:26: error (workflow-expression)",
    "JavaScript may take long for this pattern.",
  ],
  [
    "jump",
    "        outputs:",
    "        onFailure: [{ name: again, type: end }]\n        outputs:",
    "18:20: error (workflow-expression)",
    "Steps run in order",
  ],
  [
    "replacements",
    "        outputs:",
    "        requestBody: { payload: {}, replacements: [{ target: /id, value: 1 }] }\n        outputs:",
    "18:51: error (workflow-expression)",
    "and send their payloads unchanged.",
  ],
  ...(
    [
      "dependsOn: [dependsOn]",
      "successActions: [{ name: stop, type: end }]",
      "failureActions: [{ name: stop, type: end }]",
    ] as const
  ).map((field): (typeof mistakes)[number] => {
    const [name = ""] = field.split(":");
    const place = `13:${7 + name.length}: error (workflow-expression)`;
    return [
      name,
      "    steps:",
      `    ${field}\n    steps:`,
      place,
      "Workflows run in order, and so do their steps, each once.",
    ];
  }),
  ["repeated-id", "workflowId: repeated-id", "workflowId: id", "10:17: error (workflow-id)", "Another file also has"],
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
  // What is said of several files is said once.
  const [position = "", kind = ""] = place.split(/(?=: error)/);
  const found = problems.filter(
    (problem) => problem.includes(`/${file}.arazzo.yaml:${position}`) && problem.includes(kind),
  );
  expect(found.join("\n"), run.stderr).toContain(says);
});

it("npm run lint says nothing of a correct workflow, and nothing of any without a folder", async () => {
  expect(run.stderr).not.toContain("correct.arazzo.yaml");
  await using other = await copyProject();
  const { code, stdout } = await other.lint();
  expect(code).toBe(0);
  expect(stdout).not.toContain("workflows");
});

it("npm run lint tells that a step's operationId may mean operations of several generations", async () => {
  await using other = await copyProject();
  await mkdir(join(other.directory, "openapi/workflows"));
  const both = "sourceDescriptions:\n  - { name: v2, type: openapi, url: ../v2/openapi.yaml }";
  const text = arazzo("rooms").replace("sourceDescriptions:", both);
  await writeFile(join(other.directory, "openapi/workflows/rooms.arazzo.yaml"), text);
  await other.edit("openapi/v2/rooms.yaml", "operationId: createRoom", "operationId: listRooms");
  const { code, stderr } = await other.lint();
  expect(code).toBe(1);
  expect(stderr).toContain("Several generations have an operation listRooms.");
});

it.each([
  [
    "a criterion that the response does not meet",
    "$statusCode == 200",
    "$statusCode >= 400",
    "17:24",
    "$statusCode is 200",
  ],
  [
    "a pattern that the response does not match",
    "condition: $statusCode == 200",
    "{ condition: '^4', context: $statusCode, type: regex }",
    "17:26",
    "$statusCode is 200",
  ],
  [
    "a JSONPath query that finds nothing in the response",
    "condition: $statusCode == 200",
    "{ condition: '$[?count(@[*]) == 0]', context: $response.body, type: jsonpath }",
    "17:26",
    "$response.body is an array of",
  ],
  [
    "an output that the response does not have",
    "#/0/id",
    "#/0/number",
    "19:19",
    "$response.body#/0/number is not there",
  ],
])("npm run build finds %s, and leaves generated/ alone", async (_what, from, to, place, says) => {
  await using other = await copyProject();
  const file = "openapi/workflows/rooms.arazzo.yaml";
  await mkdir(join(other.directory, "openapi/workflows"));
  await writeFile(join(other.directory, file), arazzo("rooms").replace(from, to));
  const { code, stderr } = await other.buildHere();
  expect(code).toBe(1);
  expect(stderr).toContain(`${file}:${place}: error (workflow-response)`);
  expect(stderr).toContain("\n\nerror: 1 mistake in the workflows\n");
  expect(stderr).toContain(says);
  await expect(other.readGenerated()).rejects.toThrow("ENOENT");
});

it.each([
  ["$statusCode == 200 && $response.body#/name == 'ATTIC'", true],
  ["$statusCode >= 200&&$statusCode < 300 && '&& ||' != 'a'", true],
  ["$statusCode <= 200 && $inputs.id != 7", false],
  ["$response.body#/none == null", true],
  ["$response.body#/owner == 'O''Hara'", true],
  ["$response.body#/id <= '8'", true],
])("a simple condition is evaluated: %s", (condition, expected) => {
  const body = { name: "Attic", open: true, id: 8, owner: "O'Hara" };
  const values = { inputs: { id: "7" }, steps: {}, statusCode: 200, response: { header: {}, body } };
  expect(readTest({ condition, context: undefined, type: "simple" })?.(values)).toBe(expected);
});

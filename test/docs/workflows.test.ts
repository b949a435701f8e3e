import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { sampleRequest } from "../../scripts/samples/exampleRequest.ts";
import { isObject, parseJson, valueAt } from "../../scripts/values/json.ts";
import { responseOf } from "../../scripts/spec/openapi.ts";
import { recordResponses } from "../../scripts/workflows/recordResponses.ts";
import {
  readRecordedResponses,
  readWorkflows,
  responsesFile,
  type WorkflowStep,
} from "../../scripts/workflows/readWorkflows.ts";
import { createValidator } from "../contract/validator.ts";

const generations = await readBuiltGenerations();
const responses = await readRecordedResponses("generated/workflows");
const workflows = await readWorkflows("openapi/workflows", generations, responses);
const steps = workflows.flatMap((workflow) => workflow.steps.map((step) => ({ workflow, step })));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "workflows-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("the workflows", () => {
  it("have requests without expressions, and the same responses each time", async () => {
    for (const { step } of steps) expect(JSON.stringify(requestOf(step))).not.toMatch(/\$(?:inputs|steps)/);
    const recorded = parseJson(await readFile(join("generated/workflows", responsesFile), "utf8"));
    expect(await recordResponses("openapi/workflows", generations)).toEqual({ responses: recorded, problems: [] });
  });

  it("have responses that fit their schemas, and failures only where a step expects one", () => {
    const validators = new Map(generations.map(({ name, document }) => [name, createValidator(document)]));
    for (const { workflow, step } of steps) {
      const { generation, operation, response, successCriteria } = step;
      const name = `${workflow.id}, ${step.id}`;
      expect([name, response.status >= 400]).toEqual([
        name,
        successCriteria.some(({ text }) => text === "$statusCode >= 400"),
      ]);
      const { status = "default" } = responseOf(operation.responses, response.status) ?? {};
      if (status === "default") continue;
      expect(validators.get(generation.name)?.ofResponse(operation, status)(response.body), name).toBeUndefined();
    }
  });

  it("pass values of responses to later requests", () => {
    const find = (id: string) => steps.find(({ step }) => step.id === id)?.step;
    const { clientId, clientSecret } = dataOf(find("createClient"));
    expect(clientId).toMatch(/^oac_\w+$/);
    expect(requestOf(find("createUser"))).toMatchObject({
      parameters: { clientId },
      credentials: [{ name: "oauthClientSecret", example: clientSecret }],
    });
    expect(requestOf(find("selectCalendar"))).toMatchObject({
      body: { credentialId: dataOf(find("saveFeed"))["id"] },
      credentials: [{ name: "managedUserAccessToken", example: dataOf(find("createUser"))["accessToken"] }],
    });
    // A later response shows what an earlier request changed.
    expect(dataOf(find("enableEmails"))).toMatchObject({ id: clientId, areEmailsEnabled: true });
    expect(requestOf(find("rescheduleAgain"))?.parameters).toMatchObject({
      bookingUid: dataOf(find("reschedule"))["uid"],
    });
  });

  it("send the credentials that the contract gives as examples, or that a response contained", () => {
    const examples = generations.map(({ name, securitySchemes }) => {
      return [name, Array.from(securitySchemes.values(), ({ example }) => example)] as const;
    });
    for (const { workflow, step } of steps) {
      const known = new Map(examples).get(step.generation.name) ?? [];
      const received = JSON.stringify(workflow.steps.map(({ response }) => response.body));
      for (const { example } of requestOf(step)?.credentials ?? []) {
        expect([step.id, example, known.includes(example) || received.includes(`"${example}"`)]).toEqual([
          step.id,
          example,
          true,
        ]);
      }
    }
  });

  it("have a title, and a description for themselves, their inputs and their steps", () => {
    expect(workflows.length).toBeGreaterThan(0);
    for (const { title, description, inputs } of workflows) {
      expect(title).toMatch(/^[A-Z][^.]+$/);
      for (const text of [description, ...inputs.map((input) => input.description)]) expect(text).toMatch(/\.\n?$/);
      expect(inputs.filter(({ isSecret }) => isSecret).map(({ name }) => name)).toEqual(["apiKey"]);
    }
    for (const { step } of steps) expect(step.description).toMatch(/\.$/);
  });
});

/** What a step sends: its parameters by name. */
function requestOf(step: WorkflowStep | undefined) {
  if (step === undefined) return undefined;
  const { parameters, body, credentials } = sampleRequest(step.example, "");
  return { parameters: Object.fromEntries(parameters.map(({ name, value }) => [name, value])), body, credentials };
}

function dataOf(step: WorkflowStep | undefined): Readonly<Record<string, unknown>> {
  const data = valueAt(step?.response.body, ["data"]);
  return isObject(data) ? data : {};
}

const body = { content: { "application/json": { schema: {} } } };
const generation = readGeneration("halls", {
  openapi: "3.1.1",
  info: { title: "Halls", version: "1" },
  security: [{ login: [] }],
  components: { securitySchemes: { login: { type: "http", scheme: "basic" } } },
  paths: {
    "/halls/{hall}": {
      put: {
        operationId: "put",
        parameters: [
          { name: "hall", in: "path", required: true, schema: { type: "string" } },
          { name: "Color", in: "header", schema: { type: "string" }, example: "red" },
        ],
        requestBody: body,
        responses: { 200: { description: "Done.", ...body } },
      },
    },
  },
});

function arazzo(step: object, workflow: object = {}): string {
  return JSON.stringify({
    arazzo: "1.0.1",
    sourceDescriptions: [{ name: "halls", type: "openapi", url: "halls.yaml" }],
    components: {
      parameters: { hall: { name: "hall", in: "path", value: "$inputs.hall" } },
      inputs: { halls: { type: "object", properties: { hall: { type: "string", default: "a b" } } } },
    },
    workflows: [
      {
        workflowId: "w",
        inputs: { $ref: "#/components/inputs/halls" },
        ...workflow,
        steps: [{ stepId: "s", ...step }],
      },
    ],
  });
}

async function readOnly(text: string, name = "one") {
  const own = await mkdtemp(join(folder, "own-"));
  await writeFile(join(own, `${name}.arazzo.yaml`), text);
  return readWorkflows(own, [generation], () => () => ({ status: 200, headers: { place: "here" }, body: { area: 2 } }));
}

describe("readWorkflows", () => {
  it("follows references, inherits parameters and credentials, and fills bodies of every form", async () => {
    const step = {
      operationPath: "{$sourceDescriptions.halls.url}#/paths/~1halls~1{hall}/put",
      parameters: [{ name: "color", in: "header", value: "$steps.none.outputs.color" }],
      requestBody: { payload: '{ "hall": "{$inputs.hall}", "area": 1 }' },
    };
    const inherited = { parameters: [{ reference: "$components.parameters.hall" }] };
    const [workflow] = await readOnly(arazzo(step, inherited));
    const [read] = workflow?.steps ?? [];
    expect(workflow).toMatchObject({ id: "w", title: "w", inputs: [{ name: "hall", default: "a b" }] });
    expect(read?.operation.name).toBe("PUT /halls/{hall}");
    // In place of an output that no response gives, the contract's own example would be a lie.
    expect(requestOf(read)).toEqual({
      parameters: { hall: "a b" },
      body: { hall: "a b", area: 1 },
      credentials: [],
    });
    const parted = { values: { username: "x", password: "y" }, schemeName: "$sourceDescriptions.halls.login" };
    const payload = { area: 1, list: ["$inputs.hall", "{$inputs.hall}!"] };
    const [other] = await readOnly(
      arazzo({ operationId: "put", ...inherited, "x-security": [parted], requestBody: { payload } }),
    );
    expect(requestOf(other?.steps[0])).toMatchObject({
      body: { area: 1, list: ["a b", "a b!"] },
      credentials: [{ name: "login", example: "eDp5" }],
    });
  });

  it("names the step that no response was recorded for", async () => {
    const none = await readRecordedResponses(folder);
    const reading = readWorkflows("openapi/workflows", generations, none);
    await expect(reading).rejects.toThrow(
      /responses\.json has no response to step \w+ of workflow [\w-]+: run npm run/,
    );
    await expect(reading).rejects.toMatchObject({ name: "UserError" });
  });

  it("reads none where there is no folder", async () => {
    expect(await readWorkflows(join(folder, "nowhere"), generations, responses)).toEqual([]);
  });

  it.each([
    [
      "an operation that is not there",
      arazzo({ operationId: "pot" }),
      "step s of workflow w: halls has no operation pot.",
    ],
    [
      "a path that is not there",
      arazzo({ operationPath: "{$sourceDescriptions.halls.url}#/paths/~1/get" }),
      "step s of",
    ],
    ["no operation", arazzo({ workflowId: "other" }), "step s of workflow w: A step sends a request"],
    ["no Arazzo", "openapi: 3.1.1", "it cannot be read: it is not an Arazzo 1.0 description"],
    ["no YAML", "a: [", "it cannot be read: "],
  ])("names the file of a workflow with %s", async (_, text, message) => {
    await expect(readOnly(text, "broken")).rejects.toThrow(`broken.arazzo.yaml: ${message}`);
    await expect(readOnly(text, "broken")).rejects.toMatchObject({ name: "UserError" });
  });
});

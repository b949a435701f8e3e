import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { exampleRequest, type ExampleRequest } from "../fixtures/exampleRequest.ts";
import { jsonContent, successResponses } from "../../scripts/contract/generation.ts";
import { isObject } from "../../scripts/spec/json.ts";
import type { Mock } from "../../scripts/mock/mockTypes.ts";
import { startServer } from "../../scripts/mock/http/server.ts";
import {
  absentMethod,
  insufficientSchemes,
  namesOf,
  requestSchema,
  responseExamples,
  wrongFields,
  wrongParameters,
} from "./cases.ts";
import { createValidator } from "./validator.ts";

const generations = await readBuiltGenerations();
let mock: Mock;
beforeAll(async () => {
  mock = await startServer({ generations, stateless: true });
  return () => mock.close();
});

describe.each(generations)("$name", ({ name, document, operations }) => {
  const validator = createValidator(document);
  const cases = operations.map((operation) => ({
    operation,
    name: operation.operationId ?? operation.name,
    examples: responseExamples(operation),
    alternatives: operation.security.map((schemes) => ({ schemes, names: namesOf(schemes) })),
    insufficient: insufficientSchemes(operation).map((schemes) => ({ schemes, names: namesOf(schemes) })),
    bodies: jsonContent(operation.requestBody?.content)?.examples ?? [{ name: "none" }],
    fields: wrongFields(operation),
    parameters: wrongParameters(operation),
  }));
  afterAll(() => {
    const count = (list: (operation: (typeof cases)[number]) => readonly unknown[]) => cases.flatMap(list).length;
    console.info(
      `Covered of ${name}: ${cases.length} operations, ${count(({ examples }) => examples)} examples of responses, ` +
        `${count(({ alternatives }) => alternatives)} alternatives of credentials, ` +
        `${count(({ fields }) => fields)} typed fields and ${count(({ parameters }) => parameters)} parameters of requests`,
    );
  });

  describe.each(cases)("$name", ({ operation, examples, alternatives, insufficient, bodies, fields, parameters }) => {
    it.each(examples)("answers $status with the example $example", async ({ code, status, example, value }) => {
      const request = exampleRequest(operation);
      const response = await send({ ...request, headers: { ...request.headers, prefer: `example=${example}` } });

      expect(response.status).toBe(status);
      expect(response.headers.get("content-type")).toContain("application/json");
      const body: unknown = await response.json();
      expect(body).toEqual(value);
      expect(validator.ofResponse(operation, code)(body)).toBeUndefined();
    });

    it.each(bodies)(
      "takes the example $name of its body, and answers what fits the contract",
      async ({ name: body }) => {
        const response = await send(exampleRequest(operation, { body }));
        await expectSuccess(response);
        const [{ status } = { status: "" }] = successResponses(operation);
        expect(validator.ofResponse(operation, status)(await response.json())).toBeUndefined();
      },
    );

    it.each(alternatives)("opens with $names", async ({ schemes }) => {
      await expectSuccess(await send(exampleRequest(operation, { schemes })));
    });

    it.each(insufficient)("refuses with 401 where all that is sent is $names", async ({ schemes }) => {
      await expectProblem(await send(exampleRequest(operation, { schemes })), 401);
    });

    it.each(fields)("refuses $fault of the body", async ({ named, request }) => {
      const response = await send(request);
      if (validator.ofRequest(operation)(request.body) === undefined) {
        // A field may have any type only where an alternative of the body is open.
        expect(requestSchema(operation)?.anyOf).toBeDefined();
        await expectSuccess(response);
      } else {
        expect(JSON.stringify(await expectProblem(response, 422))).toContain(`"pointer":"${named}"`);
      }
    });

    it.each(parameters)("refuses $fault", async ({ named, request }) => {
      expect(JSON.stringify(await expectProblem(await send(request), 422))).toContain(`"name":"${named}"`);
    });
  });

  describe.each(Object.keys(document.paths ?? {}))("%s", (path) => {
    const target = path.replaceAll(/\{[^}]+\}/g, "1");

    it("refuses with 405 a method that it does not have", async () => {
      const method = absentMethod(operations, path);
      const response = await send({ method, target, headers: {}, body: undefined });
      await expectProblem(response, 405);
      for (const operation of operations.filter((candidate) => candidate.path === path)) {
        expect(response.headers.get("allow")).toContain(operation.method.toUpperCase());
      }
    });

    it("refuses with 404 what lies below it", async () => {
      await expectProblem(
        await send({ method: "GET", target: `${target}/nowhere/at/all`, headers: {}, body: undefined }),
        404,
      );
    });
  });
});

function send({ method, target, headers, body }: ExampleRequest): Promise<Response> {
  return fetch(mock.url + target, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

/** Checks that an answer is a refusal in words (RFC 9457), and returns it. */
async function expectProblem(response: Response, status: number): Promise<unknown> {
  expect(response.headers.get("content-type")).toContain("application/problem+json");
  const problem: unknown = await response.json();
  expect(response.status, JSON.stringify(problem)).toBe(status);
  expect(problem).toHaveProperty("status", status);
  expect(isObject(problem) && problem["detail"]).toMatch(/\w+ \w+/);
  return problem;
}

async function expectSuccess(response: Response): Promise<void> {
  expect(response.ok, response.ok ? "" : await response.clone().text()).toBe(true);
}

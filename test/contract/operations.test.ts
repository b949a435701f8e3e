import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isObject, listOperations } from "../../scripts/contract/document.ts";
import { exampleRequest, requestExamples, type ExampleRequest } from "../../scripts/contract/exampleRequest.ts";
import { startMock, type Mock } from "../../scripts/mock/server.ts";
import { readBundles } from "../bundles.ts";
import {
  absentMethod,
  insufficientSchemes,
  requestSchema,
  responseExamples,
  securityAlternatives,
  successCodes,
  wrongFields,
  wrongParameters,
} from "./cases.ts";
import { createValidator } from "./validator.ts";

const bundles = await readBundles();
let mock: Mock;
beforeAll(async () => {
  mock = await startMock({ generations: Object.fromEntries(bundles.map(({ name, document }) => [name, document])) });
});
afterAll(() => mock.close());

describe.each(bundles)("$name", ({ name, document }) => {
  const validator = createValidator(document);
  const operations = listOperations(document);
  const cases = operations.map((entry) => ({
    ...entry,
    entry,
    name: entry.operation.operationId ?? entry.path,
    examples: responseExamples(document, entry),
    alternatives: securityAlternatives(document, entry),
    fields: wrongFields(document, entry),
    parameters: wrongParameters(document, entry),
  }));
  afterAll(() => {
    const count = (list: (operation: (typeof cases)[number]) => readonly unknown[]) => cases.flatMap(list).length;
    console.info(
      `Covered of ${name}: ${cases.length} operations, ${count(({ examples }) => examples)} examples of responses, ` +
        `${count(({ alternatives }) => alternatives)} alternatives of credentials, ` +
        `${count(({ fields }) => fields)} typed fields and ${count(({ parameters }) => parameters)} parameters of requests`,
    );
  });

  describe.each(cases)("$name", ({ entry, examples, alternatives, fields, parameters }) => {
    it.each(examples)("answers $status with the example $example", async ({ code, status, example, value }) => {
      const request = exampleRequest(document, entry);
      const response = await send({ ...request, headers: { ...request.headers, prefer: `example=${example}` } });

      expect(response.status).toBe(status);
      expect(response.headers.get("content-type")).toContain("application/json");
      const body: unknown = await response.json();
      expect(body).toEqual(value);
      expect(validator.ofResponse(entry, code)(body)).toBeUndefined();
    });

    it.each(Object.keys(requestExamples(document, entry.operation) ?? { none: undefined }))(
      "takes the example %s of its body, and answers what fits the contract",
      async (body) => {
        const response = await send(exampleRequest(document, entry, { body }));
        await expectSuccess(response);
        const [code = ""] = successCodes(entry);
        expect(validator.ofResponse(entry, code)(await response.json())).toBeUndefined();
      },
    );

    it.each(alternatives.map((schemes) => ({ schemes })))("opens with $schemes", async ({ schemes }) => {
      await expectSuccess(await send(exampleRequest(document, entry, { schemes })));
    });

    it.each(insufficientSchemes(alternatives).map((schemes) => ({ schemes })))(
      "refuses with 401 where all that is sent is $schemes",
      async ({ schemes }) => {
        await expectProblem(await send(exampleRequest(document, entry, { schemes })), 401);
      },
    );

    it.each(fields)("refuses $fault of the body", async ({ named, request }) => {
      const response = await send(request);
      if (validator.ofRequest(entry)(request.body) === undefined) {
        // A field may have any type only where an alternative of the body is open.
        expect(requestSchema(document, entry)?.anyOf).toBeDefined();
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
      for (const entry of operations.filter((operation) => operation.path === path)) {
        expect(response.headers.get("allow")).toContain(entry.method.toUpperCase());
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

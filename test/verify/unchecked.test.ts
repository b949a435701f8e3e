import { expect, it } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { createVerification } from "../../scripts/verify/findings.ts";

const shows = (schema: object) => ({ description: "Plans", content: { "application/json": { schema } } });

it.each([
  ["a text too long for its pattern", { type: "string", pattern: "^(?:a|b)*$" }, "a".repeat(2 ** 23), "cannot be held"],
  ["a schema with a broken pattern", { type: "string", pattern: "(" }, "a", "cannot be used"],
])("tells that %s was not checked", (_, schema, value, reason) => {
  const operation = { operationId: "readPlan", responses: { "200": shows(schema) } };
  const info = { title: "Plans", version: "1.0.0" };
  const generation = readGeneration("v1", { openapi: "3.1.0", info, paths: { "/plan": { get: operation } } });
  const verification = createVerification([{ generation, server: undefined }], new Set(generation.operations), false);
  verification.add({
    method: "GET",
    url: "http://localhost/plan",
    request: { headers: [], body: undefined },
    response: {
      status: 200,
      headers: [["content-type", "application/json"]],
      body: Buffer.from(JSON.stringify(value)),
    },
  });
  const message: unknown = expect.stringContaining(reason);
  expect(verification.findings()).toMatchObject([{ kind: "untested", message }]);
});

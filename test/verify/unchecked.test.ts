import { expect, it } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { createVerification } from "../../scripts/verify/findings.ts";

const shows = (schema: object) => ({ description: "Plans", content: { "application/json": { schema } } });

/** What is found in one response of an operation that lists a 200 and no other status. */
function findingsOf(schema: object, status: number, value: unknown) {
  const operation = { operationId: "readPlan", responses: { "200": shows(schema) } };
  const info = { title: "Plans", version: "1.0.0" };
  const generation = readGeneration("v1", { openapi: "3.1.0", info, paths: { "/plan": { get: operation } } });
  const verification = createVerification([{ generation, server: undefined }], new Set(generation.operations), false);
  const headers = [["content-type", "application/json"]] as const;
  verification.add({
    method: "GET",
    url: "http://localhost/plan",
    request: { headers: [], body: undefined },
    response: { status, headers, body: Buffer.from(JSON.stringify(value)) },
  });
  return verification.findings();
}

it.each([
  [
    "a text too long for its pattern",
    { type: "string", pattern: "(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)b" },
    "a".repeat(2 ** 23),
    "cannot be checked",
  ],
  ["a schema with a broken pattern", { type: "string", pattern: "(" }, "a", "cannot be used"],
])("tells that %s was not checked", (_, schema, value, reason) => {
  const message: unknown = expect.stringContaining(reason);
  expect(findingsOf(schema, 200, value)).toMatchObject([{ kind: "untested", message }]);
});

it.each([
  ["another success than the one listed", 202, "contradiction", "the status must be 200"],
  ["a redirect in the place of a success", 302, "contradiction", "the status must be 200"],
  ["a failure, where none is listed", 404, "unlisted", "the status of a failure isn't listed"],
])("tells of %s whether the contract leaves it open", (_, status, kind, message) => {
  const [finding] = findingsOf({}, status, {});
  expect(finding).toMatchObject({ kind, message, received: [[String(status), 1]] });
});

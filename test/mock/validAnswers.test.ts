import { expect, test } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { jsonContent, type Operation } from "../../scripts/contract/generation.ts";
import { createEngine } from "../../scripts/mock/engine.ts";
import { exampleRequest } from "../../scripts/samples/exampleRequest.ts";
import { responseOf } from "../../scripts/spec/openapi.ts";
import { createValidator } from "../contract/validator.ts";
import { keywords } from "./fixtures/keywords.ts";

const generations = [keywords, ...(await readBuiltGenerations())];
const mock = createEngine({ generations });
const seeds = Array.from({ length: 200 }, (_, index) => index);

/** Sends the example request of an operation. */
async function send(operation: Operation, headers: Readonly<Record<string, string>>) {
  const request = exampleRequest(operation);
  const body = request.body === undefined ? {} : { body: JSON.stringify(request.body) };
  const init = { method: request.method, headers: { ...request.headers, ...headers }, ...body };
  const response = await mock.fetch(`http://mock.example${request.target}`, init);
  return { status: response.status, text: await response.text() };
}

test.each(generations)("200 random answers of each operation of $name keep the contract", async (generation) => {
  const validator = createValidator(generation.document);
  const broken: string[] = [];
  for (const operation of generation.operations) {
    for (const seed of seeds) {
      const { status, text } = await send(operation, { prefer: `dynamic=true, seed=${seed}` });
      const declared = responseOf(operation.responses, status);
      const fault =
        declared === undefined || declared.status === "default"
          ? `${status} ${text}`
          : text === "" && jsonContent(declared.content) === undefined
            ? undefined
            : validator.ofResponse(operation, declared.status)(JSON.parse(text));
      if (fault !== undefined) broken.push(`${operation.name} with seed ${seed}: ${fault}`);
    }
  }
  expect(broken.slice(0, 5)).toEqual([]);
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { firstAlternative } from "../../scripts/samples/exampleRequest.ts";
import { exampleRequest, requestTo } from "../fixtures/exampleRequest.ts";
import { successResponses, type Operation } from "../../scripts/contract/generation.ts";
import type { SecurityAlternative } from "../../scripts/contract/security.ts";
import type { Mock } from "../../scripts/mock/mockTypes.ts";
import { startServer } from "../../scripts/mock/server/server.ts";
import { insufficientSchemes, listedAnswers, namesOf } from "../contract/cases.ts";
import { exampleCall, exampleCredentials, loadClient } from "./dynamic.ts";
import { startRecorder, type Recorder } from "./recorder.ts";

const generations = await readBuiltGenerations();
let mock: Mock;
let recorder: Recorder;
beforeAll(async () => {
  mock = await startServer({ generations, stateless: true });
  recorder = await startRecorder();
});
beforeEach(() => {
  recorder.arrivals.length = 0;
});
afterAll(async () => {
  await mock.close();
  await recorder[Symbol.asyncDispose]();
});

describe.each(generations)("the client of $name", async ({ name, securitySchemes, operations }) => {
  const { createClient } = await loadClient(name);
  const schemes = [...securitySchemes.values()];
  const cases = operations.map((operation) => ({
    name: operation.operationId ?? operation.name,
    operation,
    alternatives: operation.security.map((given) => ({ given, names: namesOf(given) })),
    insufficient: insufficientSchemes(operation).map((given) => ({ given, names: namesOf(given) })),
  }));

  /** Calls an operation with the contract's examples and the given credentials. */
  const call = (baseUrl: string, operation: Operation, given: SecurityAlternative) =>
    createClient({ baseUrl, auth: exampleCredentials(given) }).request(
      operation.method,
      operation.path,
      exampleCall(operation),
    );

  /** What the recorder has to have got where an operation was authorized with some schemes. */
  const expectArrival = async (operation: Operation, authorizedWith: SecurityAlternative) => {
    const expected = exampleRequest(operation, { schemes: authorizedWith });
    const [arrival, ...others] = recorder.arrivals;
    expect(others).toEqual([]);
    expect(arrival).toMatchObject({ method: expected.method, target: expected.target, headers: expected.headers });
    const { "content-type": type = "" } = arrival?.headers ?? {};
    expect(await readBody(new Response(arrival?.body, { headers: { "content-type": type } }))).toEqual(
      await readBody(requestTo(recorder.url, expected)),
    );
    // Headers that another set of credentials would have brought.
    const all = exampleRequest(operation, { schemes });
    for (const header of Object.keys(all.headers)) {
      if (!(header in expected.headers)) expect(arrival?.headers).not.toHaveProperty([header]);
    }
  };

  describe.each(cases)("$name", ({ operation, alternatives, insufficient }) => {
    it.each(alternatives)("gets the mock's response with $names", async ({ given }) => {
      const { data, error, response } = await call(mock.url, operation, given);
      expect(error).toBeUndefined();
      expect(response.ok).toBe(true);
      expect(data).toEqual(expectedData(operation));
    });

    it.each(alternatives)("sends what the contract says, and no credential but $names", async ({ given }) => {
      await call(recorder.url, operation, given);
      await expectArrival(operation, given);
    });

    it("sends one set of credentials where all are given", async () => {
      await call(recorder.url, operation, schemes);
      await expectArrival(operation, firstAlternative(operation));
    });

    it.each(insufficient)("is not sent with $names", async ({ given }) => {
      const needed = alternatives.map(({ names }) => names).join(", or ");
      await expect(call(recorder.url, operation, given)).rejects.toThrow(
        `${operation.name}: not sent, because "auth" lacks ${needed}`,
      );
      expect(recorder.arrivals).toEqual([]);
    });
  });
});

/** What the client has to give of the first response that the contract lists: nothing, its example, or something. */
function expectedData(operation: Operation): unknown {
  const [first] = listedAnswers({ ...operation, responses: successResponses(operation) });
  if (first === undefined || first.mediaType === undefined) return undefined;
  return first.value ?? expect.anything();
}

/** A body as text, or the fields of a form, whose boundary may be any. */
async function readBody(message: Request | Response): Promise<unknown> {
  const isForm = message.headers.get("content-type")?.startsWith("multipart/form-data") === true;
  if (!isForm) return message.text();
  const fields = [...(await message.formData())].map(async ([name, value]) => {
    return [name, value instanceof File ? { name: value.name, type: value.type, text: await value.text() } : value];
  });
  return Promise.all(fields);
}

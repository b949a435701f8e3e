import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listSchemes } from "../../scripts/client/facts.ts";
import { listOperations, type OperationEntry } from "../../scripts/contract/document.ts";
import { exampleRequest } from "../../scripts/contract/exampleRequest.ts";
import { startMock, type Mock } from "../../scripts/mock/server.ts";
import { readBundles } from "../bundles.ts";
import { insufficientSchemes, responseExamples, securityAlternatives } from "../contract/cases.ts";
import { exampleCall, exampleCredentials, loadClient } from "./dynamic.ts";
import { startRecorder, type Recorder } from "./recorder.ts";

const bundles = await readBundles();
let mock: Mock;
let recorder: Recorder;
beforeAll(async () => {
  mock = await startMock({ generations: Object.fromEntries(bundles.map(({ name, document }) => [name, document])) });
  recorder = await startRecorder();
});
beforeEach(() => {
  recorder.arrivals.length = 0;
});
afterAll(async () => {
  await mock.close();
  await recorder[Symbol.asyncDispose]();
});

describe.each(bundles)("the client of $name", async ({ name, document }) => {
  const { createClient } = await loadClient(name);
  const schemes = listSchemes(document).map(([scheme]) => scheme);
  const operations = listOperations(document).map((entry) => {
    const alternatives = securityAlternatives(document, entry);
    return {
      name: entry.operation.operationId ?? entry.path,
      entry,
      alternatives: alternatives.map((all) => ({ all, given: all.join(" and ") || "nothing" })),
      insufficient: insufficientSchemes(alternatives).map((all) => ({ all, given: all.join(" and ") || "nothing" })),
    };
  });

  /** Calls an operation with the contract's examples and the given credentials. */
  const call = (baseUrl: string, entry: OperationEntry, given: readonly string[]) =>
    createClient({ baseUrl, auth: exampleCredentials(document, given) }).request(
      entry.method,
      entry.path,
      exampleCall(document, entry),
    );

  /** What the recorder has to have got where an operation was authorized with some schemes. */
  const expectArrival = (entry: OperationEntry, authorizedWith: readonly string[]) => {
    const expected = exampleRequest(document, entry, { schemes: authorizedWith });
    const [arrival, ...others] = recorder.arrivals;
    expect(others).toEqual([]);
    expect(arrival).toMatchObject({ method: expected.method, target: expected.target, headers: expected.headers });
    expect(arrival?.body).toBe(expected.body === undefined ? "" : JSON.stringify(expected.body));
    // Headers that another set of credentials would have brought.
    const all = exampleRequest(document, entry, { schemes });
    for (const header of Object.keys(all.headers)) {
      if (!(header in expected.headers)) expect(arrival?.headers).not.toHaveProperty([header]);
    }
  };

  describe.each(operations)("$name", ({ entry, alternatives, insufficient }) => {
    it.each(alternatives)("gets the mock's answer with $given", async ({ all }) => {
      const { data, error, response } = await call(mock.url, entry, all);
      expect(error).toBeUndefined();
      expect(response.ok).toBe(true);
      expect(data).toEqual(responseExamples(document, entry)[0]?.value ?? expect.anything());
    });

    it.each(alternatives)("sends what the contract says, and no credential but $given", async ({ all }) => {
      await call(recorder.url, entry, all);
      expectArrival(entry, all);
    });

    it("sends one set of credentials where all are at hand", async () => {
      await call(recorder.url, entry, schemes);
      expectArrival(entry, alternatives.find(({ all }) => all.length > 0)?.all ?? []);
    });

    it.each(insufficient)("is not sent with $given", async ({ all }) => {
      const needed = alternatives.map(({ given }) => given).join(", or ");
      await expect(call(recorder.url, entry, all)).rejects.toThrow(
        `${entry.method.toUpperCase()} ${entry.path}: not sent, because "auth" lacks ${needed}`,
      );
      expect(recorder.arrivals).toEqual([]);
    });
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import type { Mock } from "../../scripts/mock/mockTypes.ts";
import { startServer } from "../../scripts/mock/server/server.ts";
import { contracts } from "../fixtures/contracts.ts";
import { requestTo, type ExampleRequest } from "../fixtures/exampleRequest.ts";
import { absentMethod } from "./cases.ts";
import { checksOf, failureOf, valueChecksOf } from "./checks.ts";

let mock: Mock;
beforeAll(async () => {
  mock = await startServer({ generations: contracts, stateless: true });
  return () => mock.close();
});

const send = (request: ExampleRequest): Promise<Response> => fetch(requestTo(mock.url, request));

describe.each(contracts)("$name", (generation) => {
  it.each([...checksOf(generation), ...valueChecksOf(generation)])("$subject $title", async (check) => {
    expect(await failureOf(check, send)).toBeUndefined();
  });

  it.each(Object.keys(generation.document.paths ?? {}))("%s names the methods that it has", async (path) => {
    const { operations } = generation;
    const target = path.replaceAll(/\{[^}]+\}/g, "1");
    const response = await send({ method: absentMethod(operations, path), target, headers: {}, body: undefined });
    const allowed = response.headers.get("allow")?.split(", ");
    const present = operations.filter((operation) => operation.path === path).map(({ method }) => method.toUpperCase());
    expect(allowed).toEqual(expect.arrayContaining(present));
  });
});

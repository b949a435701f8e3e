import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import { createHandler } from "../../generated/v2/server.ts";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { readCredentials } from "../../scripts/contract/security.ts";
import type { Permission } from "../../scripts/exchange/dataChanges.ts";
import { createSender } from "../../scripts/exchange/sender.ts";
import { sampleRequest } from "../../scripts/samples/exampleRequest.ts";
import { callOperations } from "../../scripts/verify/runVerification.ts";
import { createVerification } from "../../scripts/verify/findings.ts";
import { planCalls } from "../../scripts/verify/planCalls.ts";
import { isRequestCheck, requestChecks } from "../../scripts/verify/wrongRequests.ts";
import { serveHttp } from "../fixtures/serveHttp.ts";
import { handlers, options } from "../server/servedV2.ts";

it("finds no contradiction in at least ten operations of a server of v2", async () => {
  const [generation] = (await readBuiltGenerations()).filter(({ name }) => name === "v2");
  if (generation === undefined) throw new Error("there is no v2");
  const isKnown = ([scheme, value]: readonly [string, string]) =>
    generation.securitySchemes.get(scheme)?.example === value;
  const open = createHandler({
    ...options,
    authenticate: (credentials) => Object.entries(credentials).every(isKnown) && { owner: "anybody" },
    validateResponses: true,
  });
  await using server = await serveHttp((incoming, outgoing) => {
    void (async () => {
      const content = await buffer(incoming);
      const { method = "", headers } = incoming;
      const fields = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
      const body = content.length > 0 ? { body: new Uint8Array(content) } : {};
      const response = await open(
        new Request(`${server.url}${incoming.url ?? ""}`, { method, headers: fields, ...body }),
      );
      outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
      await once(outgoing, "close");
    })();
  });
  const served = generation.operations.filter(({ operationId = "" }) => operationId in handlers);
  const values = Object.fromEntries(
    served.map((operation) => {
      const needed = operation.parameters.flatMap(({ required, name, example }) =>
        required ? [[name, example] as const] : [],
      );
      const { body } = operation.resource.effect === "none" ? sampleRequest(operation, "") : {};
      return [
        operation.operationId ?? "",
        { ...Object.fromEntries(needed), ...(body !== undefined && { body }) },
      ] as const;
    }),
  );
  const source = { generation, server: server.url, credentials: readCredentials(generation, server.url, {}) };
  const selected = new Set(served);
  const verification = createVerification([source], selected, true);
  const permissions = {
    selected,
    values: { v2: values },
    allowed: new Set<Permission>(["allow-changes", "allow-lasting-changes", "allow-deletes"]),
    checks: new Set(Object.keys(requestChecks).filter(isRequestCheck)),
  };
  const send = createSender({ rate: Infinity, callTime: 30_000 });
  const calls = { ...permissions, send, stop: new AbortController().signal, onExchange: verification.add };
  const { reasons } = await callOperations(planCalls([source], permissions), calls);
  const findings = verification
    .findings(reasons)
    .map(({ kind, operation, message }) => `${kind} ${operation} ${message}`);
  expect(served.length).toBeGreaterThanOrEqual(10);
  expect(findings.filter((line) => /^(?:contradiction|server error|untested)/.test(line))).toEqual([]);
});

import { expect, test } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { exampleRequest, jsonBody, requestTo } from "../fixtures/exampleRequest.ts";
import { startProgram } from "../fixtures/program.ts";

test("the mock serves each operation, and rejects invalid requests, in a process that forbids code generation", async () => {
  const args = ["--disallow-code-generation-from-strings", "scripts/mock.ts", "--port", "0", "--quiet"];
  await using program = startProgram(args);
  const url = await program.until(/^Listening on (\S+)\n/m);
  const generations = await readBuiltGenerations();
  for (const operation of generations.flatMap(({ operations }) => operations)) {
    const example = exampleRequest(operation);
    const request = { ...example, headers: { ...example.headers, prefer: "dynamic=true" } };
    const { status } = await fetch(requestTo(url, request));
    expect([operation.name, status < 300]).toEqual([operation.name, true]);
    if (request.body?.kind !== "json") continue;
    const refused = await fetch(requestTo(url, { ...request, body: jsonBody([]) }));
    expect([operation.name, refused.status]).toEqual([operation.name, 422]);
  }
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import type { Generation } from "../../scripts/contract/generation.ts";
import { exampleRequest, type ExampleRequest } from "../fixtures/exampleRequest.ts";
import { freePort } from "../fixtures/freePort.ts";
import { sendRaw } from "../mock/raw.ts";
import { repository } from "../pipeline/project.ts";
import { checksOf, failureOf } from "./checks.ts";

const generations = await readBuiltGenerations();

/** Starts Prism as it is installed, and resolves when it listens. */
async function startPrism(generation: Generation) {
  const port = await freePort();
  const cli = join(repository, "node_modules/.bin/prism");
  const bundle = join(repository, "generated", generation.name, "openapi.json");
  const args = [cli, "mock", bundle, "--port", String(port)];
  const prism = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  for await (const line of createInterface(prism.stdout)) if (line.includes("is listening")) break;
  prism.stdout.resume();
  return { prism, url: `http://127.0.0.1:${port}` };
}

const started = new Map<Generation, Awaited<ReturnType<typeof startPrism>>>();
// At once, because most of this time is one process's.
beforeAll(() =>
  Promise.all(generations.map(async (generation) => started.set(generation, await startPrism(generation)))),
);
afterAll(async () => {
  for (const { prism } of started.values()) if (prism.exitCode === null && prism.kill()) await once(prism, "close");
});

describe.each(generations)("prism mock, as it is installed, on the bundle of $name", (generation) => {
  let prism: Awaited<ReturnType<typeof startPrism>>["prism"];
  let url = "";
  beforeAll(() => {
    const own = started.get(generation);
    if (own === undefined) throw new Error("Prism has not started");
    ({ prism, url } = own);
  });

  const send = ({ method, target, headers, body }: ExampleRequest) =>
    fetch(url + target, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const [example] = generation.operations.filter(({ method }) => method === "post").map((one) => exampleRequest(one));
  if (example === undefined) throw new Error("no operation has a body");

  it("answers every request with the status and the body that the contract has for it", async () => {
    // At once, because Prism takes 40 ms for the second of two requests on a connection.
    const failures = await Promise.all(
      checksOf(generation).map(async (check) => {
        const failure = await failureOf(check, send, false);
        return failure === undefined ? [] : [`${check.subject} ${check.title}: ${failure}`];
      }),
    );
    expect(failures.length).toBeGreaterThan(100);
    expect(failures.flat()).toEqual([]);
  });

  // Each of these fails as soon as Prism gets it right: then the docs can stop warning of it.
  it.fails("says in a body why it refuses credentials", async () => {
    expect(
      await (await send({ ...example, headers: {}, target: example.target.replace(/\?.*/, "") })).json(),
    ).not.toBeNull();
  });

  it.fails("says in a body why it refuses a body", async () => {
    expect(await (await send({ ...example, body: [] })).json()).not.toBeNull();
  });

  it.fails("refuses a media type that is none", async () => {
    const response = await send({ ...example, headers: { ...example.headers, "content-type": "nonsense" } });
    expect(response.status).toBeLessThan(500);
  });

  it.fails("refuses a path of two slashes", async () => {
    expect(await sendRaw(url, "GET // HTTP/1.1\r\nHost: localhost\r\n\r\n")).not.toHaveProperty("status", 500);
  });

  it.fails("answers a body that is not JSON", async () => {
    const { target, headers } = example;
    const malformed = fetch(url + target, { method: "POST", headers, body: "{" }).catch(() => undefined);
    const next = send(example).then(() => undefined);
    expect(await Promise.race([malformed, next])).toBeDefined();
  });

  // The last, because it ends the process.
  it.fails("survives a path with a broken percent-encoding", async () => {
    const { path = "", method = "" } = generation.operations.find((operation) => operation.path.includes("{")) ?? {};
    const target = path.replaceAll(/\{[^}]+\}/g, "%E0%A4%A");
    await Promise.race([fetch(url + target, { method }), once(prism, "close")]);
    expect(prism.exitCode).toBeNull();
  });
});

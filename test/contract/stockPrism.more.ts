import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { jsonContent, type Generation, type Operation } from "../../scripts/contract/generation.ts";
import { essenceOf, isForm, isJson } from "../../scripts/spec/mediaTypes.ts";
import { resolveSchema } from "../../scripts/spec/openapi.ts";
import { typesOf } from "../../scripts/spec/schemas.ts";
import { contracts } from "../fixtures/contracts.ts";
import { exampleRequest, jsonBody, requestTo, type ExampleRequest } from "../fixtures/exampleRequest.ts";
import { freePort } from "../fixtures/freePort.ts";
import { startProgram } from "../fixtures/program.ts";
import { sendRaw } from "../mock/raw.ts";
import { repository } from "../pipeline/project.ts";
import { checksOf, failureOf, nameOf } from "./checks.ts";

/** Starts Prism as it is installed, with a bundle in a folder, and resolves when it listens. */
async function startPrism({ name, document }: Generation, folder: string) {
  const port = await freePort();
  const cli = join(repository, "node_modules/.bin/prism");
  const bundle = join(folder, `${name}.json`);
  await writeFile(bundle, JSON.stringify(document));
  const args = [cli, "mock", bundle, "--port", String(port)];
  const prism = startProgram(args);
  await prism.until(/is listening/);
  return { prism, url: `http://127.0.0.1:${port}` };
}

/** What Prism (5.16) cannot do with what some operations have. */
const limits: readonly { readonly when: string; readonly hasIt: (operation: Operation) => boolean }[] = [
  {
    when: "a form has a list, whose parts have the same name",
    hasIt: ({ document, requestBody }) =>
      (requestBody?.content ?? [])
        .filter(({ mediaType }) => isForm(essenceOf(mediaType)))
        .flatMap(({ schema }) => Object.values(resolveSchema(document, schema).properties ?? {}))
        .some(
          (property) => typeof property !== "boolean" && typesOf(resolveSchema(document, property)).includes("array"),
        ),
  },
  {
    when: "a response is neither JSON nor text, and its schema is none of a string",
    hasIt: ({ document, responses }) =>
      responses
        .flatMap(({ content }) => content)
        .filter(({ mediaType }) => !isJson(mediaType) && !essenceOf(mediaType).startsWith("text/"))
        .some(({ schema }) => !typesOf(resolveSchema(document, schema)).includes("string")),
  },
];

const started = new Map<Generation, Awaited<ReturnType<typeof startPrism>>>();
let folder: Awaited<ReturnType<typeof mkdtempDisposable>>;
beforeAll(async () => {
  folder = await mkdtempDisposable(join(tmpdir(), "prism-"));
  // At once, because most of this time is one process's.
  await Promise.all(contracts.map(async (one) => started.set(one, await startPrism(one, folder.path))));
});
afterAll(async () => {
  for (const { prism } of started.values()) await prism.stop();
  // Prism watches the bundles.
  await folder.remove();
});

describe.each(contracts)("prism mock, as it is installed, on the bundle of $name", (generation) => {
  let prism: Awaited<ReturnType<typeof startPrism>>["prism"];
  let url = "";
  beforeAll(() => {
    const own = started.get(generation);
    if (own === undefined) throw new Error("Prism has not started");
    ({ prism, url } = own);
  });

  const send = (request: ExampleRequest) => fetch(requestTo(url, request));
  const withJson = generation.operations.filter(({ method, requestBody }) => {
    return method === "post" && jsonContent(requestBody?.content) !== undefined;
  });
  const [example] = withJson.map((operation) => exampleRequest(operation));
  if (example === undefined) throw new Error("no POST has a JSON body");

  /** What fails of the checks that some limits matter to, or of those that none does. */
  const failuresWith = async (someLimits: typeof limits, isHeld: boolean): Promise<readonly string[]> => {
    const limited = generation.operations.filter((operation) => someLimits.some(({ hasIt }) => hasIt(operation)));
    const subjects = new Set(limited.map(nameOf));
    const checks = checksOf(generation).filter(({ subject }) => subjects.has(subject) === isHeld);
    expect(checks.length).toBeGreaterThan(0);
    // At once, because Prism takes 40 ms for the second of two requests on a connection.
    const failures = await Promise.all(
      checks.map(async (check) => {
        const failure = await failureOf(check, send, false);
        return failure === undefined ? [] : [`${check.subject} ${check.title}: ${failure}`];
      }),
    );
    return failures.flat();
  };

  it("answers every request with the status and the body that the contract has for it", async () => {
    expect(await failuresWith(limits, false)).toEqual([]);
  });

  // Each of these fails as soon as Prism gets it right: then the docs can stop warning of it.
  const met = limits.filter(({ hasIt }) => generation.operations.some(hasIt));
  it.fails.for(met)("answers every request where $when", async (limit) => {
    expect(await failuresWith([limit], true)).toEqual([]);
  });

  it.fails("explains in a body why it rejects credentials", async () => {
    expect(
      await (await send({ ...example, headers: {}, target: example.target.replace(/\?.*/, "") })).json(),
    ).not.toBeNull();
  });

  it.fails("explains in a body why it rejects a body", async () => {
    expect(await (await send({ ...example, body: jsonBody([]) })).json()).not.toBeNull();
  });

  it.fails("rejects a malformed media type", async () => {
    const response = await send({ ...example, headers: { ...example.headers, "content-type": "nonsense" } });
    expect(response.status).toBeLessThan(500);
  });

  it.fails("rejects a path of two slashes", async () => {
    expect(await sendRaw(url, "GET // HTTP/1.1\r\nHost: localhost\r\n\r\n")).not.toHaveProperty("status", 500);
  });

  it.fails("responds to a body that isn't JSON", async () => {
    const { target, headers } = example;
    const malformed = fetch(url + target, { method: "POST", headers, body: "{" }).catch(() => undefined);
    const next = send(example).then(() => undefined);
    expect(await Promise.race([malformed, next])).toBeDefined();
  });

  // The last, because it ends the process.
  it.fails("survives a path with a broken percent-encoding", async () => {
    const { path = "", method = "" } = generation.operations.find((operation) => operation.path.includes("{")) ?? {};
    const target = path.replaceAll(/\{[^}]+\}/g, "%E0%A4%A");
    await Promise.race([fetch(url + target, { method }), prism.exit]);
    expect(prism.child.exitCode).toBeNull();
  });
});

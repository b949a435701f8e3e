import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual, promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readBundles } from "../../scripts/contract/bundles.ts";
import { successResponses, type Generation, type Operation } from "../../scripts/contract/generation.ts";
import { isJson } from "../../scripts/spec/mediaTypes.ts";
import { isObject } from "../../scripts/values/json.ts";
import { createEngine } from "../../scripts/mock/server/engine.ts";
import { startServer } from "../../scripts/mock/server/server.ts";
import house from "../../scripts/redocly/plugin.ts";
import { sampleRequest, sentContent } from "../../scripts/samples/exampleRequest.ts";
import { samplesOf } from "../../scripts/samples/samples.ts";
import { bodyInit, serializeRequest } from "../../scripts/samples/serializeRequest.ts";
import { insufficientSchemes, requestSchema, responseExamples, wrongParameters } from "../contract/cases.ts";
import { readPages, readSite } from "../docs/docsSite.ts";
import { brokenLinks } from "../docs/links.ts";
import { newestCompiler } from "../package/project.ts";
import { runNode } from "../pipeline/project.ts";
import { createForeignProject, descriptions } from "./project.ts";

const names = Object.keys(descriptions);
let project: Awaited<ReturnType<typeof createForeignProject>>;
let generations: readonly Generation[];
let report: string;

beforeAll(async () => {
  project = await createForeignProject();
  const { code, stdout, stderr } = await runNode(project.directory, ["scripts/build.ts"]);
  expect([code, stderr]).toEqual([0, ""]);
  report = stdout;
  generations = await readBundles(join(project.directory, "generated"), names);
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
});

describe("contracts of others", () => {
  it("are linted and built with one line for each in redocly.yaml", () => {
    expect(report).toContain("oddments: no mistakes in 19 operations");
    expect(report).not.toContain("(house/");
    expect(report).not.toContain(": error ");
  });

  it("need not follow any rule of this house", async () => {
    const configuration = await readFile(join(project.directory, "redocly.yaml"), "utf8");
    const { off } = house().configs ?? {};
    const rules = Array.from(configuration.matchAll(/^ {2}((?:house|rule)\/\S+?):/gm), ([, rule = ""]) => rule);
    const own = rules.filter(
      (rule) => !/^rule\/(?:workflow|step)-|^house\/(?:name-gaps|add-tags|pass-on-deprecation)$/.test(rule),
    );
    expect(own.length).toBeGreaterThan(20);
    // Of schemas that nothing can be held against, everybody is warned.
    const expected = own.map((rule) => [rule, rule === "house/schema-keywords" ? "warn" : "off"]);
    expect(off?.rules).toMatchObject(Object.fromEntries(expected));
  });

  it("get one warning for each construct that isn't supported, with its number of places", () => {
    const told = report.matchAll(
      /^openapi\/(\w+)\.yaml:\d+:\d+: warning \(build\/profile\)\n {2}(.*): shown at most/gm,
    );
    const constructs = Array.from(told, ([, name = "", construct = ""]) => `${name}: ${construct}`);
    expect(constructs).toEqual(
      expect.arrayContaining([
        "galaxy: Operation `callbacks`",
        "galaxy: Schema `$dynamicRef`",
        "oddments: Response `links`",
        "ferries: Schema `unevaluatedProperties`",
      ]),
    );
    expect(new Set(constructs).size).toBe(constructs.length);
    expect(report).toMatch(/Content `application\/xml`: shown at most, not checked \(\d+ places\)/);
  });

  it("have examples that are typed, also where they are wrong", async () => {
    const wrong = report.match(/^openapi\/oddments\.yaml:\d+:\d+: warning \(no-invalid-media-type-examples\)$/gm);
    expect(wrong).toHaveLength(4);
    const examples = await readFile(join(project.directory, "generated/oddments/examples.ts"), "utf8");
    expect(examples).toContain('wrongType: { count: "many", sort: "a" },');
    expect(examples).toContain('wrongMember: { count: 1, sort: "c", other: true },');
    expect(examples).toContain('fits: { count: 1, sort: "a" },');
  });

  it("are called by their clients as the samples do, and all that is generated compiles", async () => {
    const folder = join(project.directory, "calls");
    await mkdir(folder);
    const failures: string[] = [];
    using _printed = vi.spyOn(console, "log").mockImplementation(() => undefined);
    const files: string[] = [];
    for (const generation of generations) {
      await using mock = await startServer({ generations: [generation], stateless: true });
      const module = `../generated/${generation.name}/client.ts`;
      const isWritable = ({ parameters }: Operation) => parameters.every((one) => one.isText || !one.required);
      const called = generation.operations.filter((one) => successResponses(one).length > 0 && isWritable(one));
      const samples = called.flatMap((operation) => samplesOf(operation, { module, server: mock.url }));
      for (const [index, { source }] of samples.filter(({ language }) => language === "typescript").entries()) {
        const file = join(folder, `${generation.name}-${index}.ts`);
        files.push(file);
        // Files are saved where programs run, which is here.
        await writeFile(file, source.replace(/(?<=await writeFile\(\s*")/, `${folder}/`));
        await import(pathToFileURL(file).href).catch((error: unknown) => {
          failures.push(`${String(error)}\n${source}`);
        });
      }
    }
    expect(failures).toEqual([]);
    const options = [
      "--ignoreConfig",
      "--noEmit",
      "--declaration",
      "--strict",
      "--allowImportingTsExtensions",
      "--skipLibCheck",
      ...["--types", "node"],
      "--target",
      "es2024",
    ];
    const modules = names.flatMap((name) =>
      ["operations", "schemas", "examples"].map((file) => `../generated/${name}/${file}.ts`),
    );
    const args = [...newestCompiler, ...options, ...files, ...modules];
    const compiling = promisify(execFile)(process.execPath, args, { cwd: folder });
    const { stdout } = await compiling.catch((error: unknown) => ({
      stdout: String(isObject(error) && error["stdout"]),
    }));
    expect(stdout.match(/^\S.*error.*$/gm)).toBeNull();
  });

  it("have docs whose links lead somewhere", async () => {
    const { code, stderr } = await runNode(project.directory, ["scripts/docs.ts", "--out", "site"]);
    expect([code, stderr]).toEqual([0, ""]);
    const files = await readSite(join(project.directory, "site"));
    const pages = readPages(files);
    expect(pages.size).toBeGreaterThan(100);
    expect(brokenLinks(files, pages)).toEqual([]);
  });
});

describe.each(names)("the mock of %s", (name) => {
  const operationsOf = (): readonly Operation[] => generations.find((one) => one.name === name)?.operations ?? [];

  // In place of examples that do not fit their schema, the mock sends values that do.
  const replaced = name === "oddments" ? ["GET /wrong wrongType: 200", "GET /wrong wrongMember: 200"] : [];

  it("answers every example", async () => {
    const { mock } = createEngine({ generations: generations.filter((one) => one.name === name), stateless: true });
    const answers: string[] = [];
    for (const operation of operationsOf().filter(({ method }) => method !== "trace")) {
      for (const { status, example, value } of responseExamples(operation)) {
        const prefer = `code=${status}, example=${example}`;
        const response = await send(mock, operation, { headers: { prefer, accept: "*/*;q=0.1, application/json" } });
        if (response.status === status && isDeepStrictEqual(await response.json(), value)) continue;
        answers.push(`${operation.name} ${example}: ${response.status}`);
      }
      const examples = sentContent(operation)?.examples ?? [];
      for (const example of examples.length > 0 ? examples : [undefined]) {
        const response = await send(mock, operation, { example: example?.name });
        const declared = operation.responses.find(({ status }) => status === String(response.status));
        const type = response.headers.get("content-type");
        const types = declared?.content.map(({ mediaType }) => mediaType.split(";", 1).join()) ?? [];
        const isDeclared = type === null ? types.length === 0 : types.includes(type.split(";", 1).join());
        const body = await response.text();
        if (type !== null && isJson(type)) JSON.parse(body);
        // Where no success is declared, the first failure is the response.
        const isExpected = response.status < 400 || successResponses(operation).length === 0;
        if (isExpected && isDeclared) continue;
        answers.push(`${operation.name} ${response.status} ${String(type)} ${body}`);
      }
    }
    expect(answers).toEqual(replaced);
  });

  it("rejects invalid requests", async () => {
    const { mock } = createEngine({ generations: generations.filter((one) => one.name === name), stateless: true });
    const answers: string[] = [];
    for (const operation of operationsOf().filter(({ method }) => method !== "trace")) {
      for (const { request, fault } of wrongParameters(operation)) {
        const response = await mock.fetch(`http://localhost${request.target}`, {
          method: request.method,
          headers: request.headers,
          ...(request.body !== undefined && { body: bodyInit(request.body) }),
        });
        if (response.status !== 422) answers.push(`${operation.name}, ${fault}: ${response.status}`);
      }
      // Without a type, a schema allows numbers, whatever members it lists.
      if (requestSchema(operation)?.type !== undefined) {
        const headers = { "Content-Type": "application/json" };
        const response = await send(mock, operation, { headers, body: "12.5" });
        if (response.status !== 422) answers.push(`${operation.name} with a number: ${response.status}`);
      }
      if (insufficientSchemes(operation).length === 0) continue;
      const response = await send(mock, { ...operation, security: [] });
      if (response.status !== 401) answers.push(`${operation.name} without credentials: ${response.status}`);
    }
    expect(answers).toEqual([]);
  });
});

it("a PUT creates a missing or deleted resource if the contract has a 201 or a 204", async () => {
  const { mock } = createEngine({ generations: generations.filter((one) => one.name === "oddments") });
  const statusOf = async (method: string, path: string, body?: object) => {
    const headers = { authorization: "Basic dTpw", "content-type": "application/json" };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await mock.fetch(`http://localhost${path}`, { method, headers, ...content });
    const value: unknown = response.headers.has("content-type") ? await response.json() : undefined;
    return [response.status, value];
  };
  const elm = { id: 7, name: "Elm" };
  expect(await statusOf("PUT", "/trees/7", elm)).toEqual([200, elm]);
  expect(await statusOf("PUT", "/trees/99", elm)).toEqual([201, { id: 99, name: "Elm" }]);
  expect(await statusOf("PUT", "/trees/99", elm)).toEqual([200, { id: 99, name: "Elm" }]);
  expect(await statusOf("DELETE", "/trees/7")).toEqual([204, undefined]);
  expect((await statusOf("GET", "/trees/7"))[0]).toBe(404);
  expect(await statusOf("PUT", "/trees/7", { name: "Ash" })).toEqual([201, { id: 7, name: "Ash" }]);
  expect(await statusOf("GET", "/trees/7")).toEqual([200, { id: 7, name: "Ash" }]);

  expect((await statusOf("DELETE", "/notes/first"))[0]).toBe(204);
  expect((await statusOf("GET", "/notes/first"))[0]).toBe(404);
  expect(await statusOf("PUT", "/notes/first", { text: "Written" })).toEqual([204, undefined]);
  expect(await statusOf("GET", "/notes/first")).toEqual([200, { id: "first", text: "Written" }]);
});

type InProcess = ReturnType<typeof createEngine>["mock"];

/** Sends the example request of an operation, with the named example of its body, or with another body. */
function send(
  mock: InProcess,
  operation: Operation,
  { example, headers, body }: { example?: string | undefined; headers?: object; body?: string } = {},
): Promise<Response> {
  const written = serializeRequest(sampleRequest(operation, "http://localhost", { body: example }));
  const content = body ?? (written.body && bodyInit(written.body));
  const init = { method: written.method, headers: { ...written.headers, ...headers } };
  return mock.fetch(written.url, { ...init, ...(content !== undefined && { body: content }) });
}

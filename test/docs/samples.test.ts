import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { readGeneration, serverUrl, type Generation, type Operation } from "../../scripts/contract/generation.ts";
import { stringsOf } from "../../scripts/values/json.ts";
import { fileContent } from "../../scripts/samples/sampleFiles.ts";
import { samplesOf, type Sample } from "../../scripts/samples/samples.ts";
import { startServer, type MockServer } from "../../scripts/mock/server/server.ts";
import { generateClient } from "../../scripts/pipeline/clientModule.ts";
import { generateTypes } from "../../scripts/pipeline/typesModule.ts";
import { startRecorder, type Arrival } from "../client/recorder.ts";
import { runCurl, type Outcome } from "../curl.ts";
import { newestCompiler } from "../package/project.ts";
import { contracts as ourContracts } from "../fixtures/contracts.ts";
import { foreign, foreignDocument } from "../fixtures/foreignContract.ts";

/** A sample, the operation it is for, and the file it is written to. */
interface Program extends Sample {
  readonly operation: Operation;
  readonly file: string;
}

const generations = await readBuiltGenerations();
const contracts = [
  { name: "this project's contract", served: generations },
  { name: "a contract with every kind of credential, parameter and body", served: [foreign] },
];
const ourLanguages = ["typescript", "fetch", "curl", "python"];
const python = spawnSync("python3", ["--version"]).status === 0;
const pythonUploads = python && spawnSync("python3", ["-c", "import requests"]).status === 0;
/** The files that samples in curl and Python send, with what those in other languages contain. */
const sentFiles = ["file.pdf", "pictures.png", "photo.png", "photos.png"];

let folder: string;
/** The client module of each generation, by the name that samples import it by. */
let clients: Readonly<Record<string, string>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "samples-"));
  const client = generateClient(foreign).replaceAll(
    "../../scripts/client/index.ts",
    resolve("scripts/client/index.ts"),
  );
  await writeFile(join(folder, "types.ts"), generateTypes(foreignDocument));
  await writeFile(join(folder, "client.ts"), client);
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await Promise.all(sentFiles.map((name) => writeFile(join(folder, name), fileContent)));
  clients = {
    ...Object.fromEntries(generations.map(({ name }) => [moduleOf(name), resolve(`generated/${name}/client.ts`)])),
    [moduleOf(foreign.name)]: join(folder, "client.ts"),
  };
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

function moduleOf(generation: string): string {
  return `some-package/${generation}`;
}

const extensions: Readonly<Record<string, string>> = { typescript: "mts", fetch: "mjs", python: "py" };
let written = 0;

/** The samples of operations for a server, each in a file. */
async function writePrograms({ name }: Generation, operations: readonly Operation[], server: string) {
  const programs = operations.flatMap((operation) =>
    samplesOf(operation, { module: moduleOf(name), server })
      .filter(({ language, source }) => {
        const isLeftOut = language === "python" && !pythonUploads && source.includes("import requests");
        return ourLanguages.includes(language) && !isLeftOut;
      })
      .map((sample): Program => {
        written += 1;
        const file = join(folder, `sample-${written}.${extensions[sample.language] ?? "txt"}`);
        return { ...sample, operation, file };
      }),
  );
  await Promise.all(programs.map(({ file, source }) => writeFile(file, source)));
  return programs;
}

function run(command: string, args: readonly string[]) {
  return new Promise<Outcome>((settle) => {
    // Samples save and read files where they run.
    execFile(command, args, { maxBuffer: 64 * 1_024 * 1_024, cwd: folder }, (error, stdout, stderr) => {
      settle({ code: error?.code ?? 0, output: stdout + stderr });
    });
  });
}

/** What is wrong with programs of one language when they are run. */
async function runPrograms(language: string, programs: readonly Program[]): Promise<readonly string[]> {
  const chosen = programs.filter((program) => program.language === language);
  expect(chosen.length).toBeGreaterThan(0);
  if (language === "curl") {
    // Options that do not change what is sent, only what is printed of the response.
    const results = await Promise.all(
      chosen.map(({ source }) => runCurl(source, String.raw`--silent --write-out '\n%{http_code}'`, folder)),
    );
    return results.flatMap(({ code, output }, index) =>
      code === 0 && /\n2\d\d$/.test(output) ? [] : [`${chosen[index]?.source ?? ""}\n${output}`],
    );
  }
  const files = chosen.map(({ file }) => file);
  const { output } =
    language === "python"
      ? await run("python3", [resolve("test/docs/run_samples.py"), ...files])
      : await run(process.execPath, [resolve("test/docs/runSamples.ts"), JSON.stringify(clients), ...files]);
  const [, report] = output.split("\0");
  if (report === undefined) throw new Error(`the samples did not run to their end:\n${output}`);
  const failures: unknown = JSON.parse(report);
  return Promise.all(
    stringsOf(failures).map(async (failure) => `${failure}\n${await readFile(failure.split(": ", 1).join(), "utf8")}`),
  );
}

describe.each(contracts)("the samples of $name", ({ served }) => {
  let mock: MockServer;
  let programs: readonly Program[];

  beforeAll(async () => {
    mock = await startServer({ generations: served, stateless: true });
    const all = served.map((generation) => writePrograms(generation, generation.operations, mock.url));
    programs = (await Promise.all(all)).flat();
  });
  afterAll(async () => {
    await mock.close();
  });

  it("in curl succeed when they are pasted into a shell", async () => {
    expect(await runPrograms("curl", programs)).toEqual([]);
  });

  it("in TypeScript compile", async () => {
    const tsconfig = join(folder, "tsconfig.json");
    const paths = Object.fromEntries(Object.entries(clients).map(([module, file]) => [module, [file]]));
    const compilerOptions = { typeRoots: [resolve("node_modules/@types")], paths };
    const files = programs.filter(({ language }) => language === "typescript").map(({ file }) => file);
    await writeFile(
      tsconfig,
      JSON.stringify({ extends: resolve("tsconfig.json"), compilerOptions, files, include: [] }),
    );
    expect(await run(process.execPath, [...newestCompiler, "--project", tsconfig])).toEqual({ code: 0, output: "" });
  });

  it("in TypeScript succeed", async () => {
    expect(await runPrograms("typescript", programs)).toEqual([]);
  });

  it("in JavaScript succeed", async () => {
    expect(await runPrograms("fetch", programs)).toEqual([]);
  });

  it("in Python succeed", async ({ skip }) => {
    if (!python) {
      console.warn("The samples in Python were left out: there is no python3 on this machine.");
      skip("there is no python3 on this machine");
    }
    expect(await runPrograms("python", programs)).toEqual([]);
  });
});

describe("the samples of an operation", () => {
  const server = "https://api.example.com";

  it("are there in each language, one for each named example of the body", () => {
    for (const generation of generations) {
      for (const operation of generation.operations) {
        const names = operation.requestBody?.content[0]?.examples.map(({ name }) => name) ?? [];
        const examples = names.length > 0 ? names : [undefined];
        const shown = samplesOf(operation, { module: "m", server });
        expect(shown.map(({ language, example }) => [language, example])).toEqual(
          ourLanguages.flatMap((language) => examples.map((example) => [language, example])),
        );
      }
    }
  });

  it("mark the call after its setup, and have short lines except for long strings", () => {
    for (const generation of ourContracts) {
      for (const operation of generation.operations) {
        for (const { source, callAt, language } of samplesOf(operation, { module: "scheduling/v1", server })) {
          const call = /^(?:const (?:data|response) = )?await |^(?:request|response) = |^curl /;
          const begins = call.test(source.slice(callAt));
          expect([operation.name, language, begins]).toEqual([operation.name, language, true]);
          const long = source.split("\n").filter((line) => line.length > 55 && language !== "curl");
          expect(
            long.filter((line) => !/^ *(?:"[^"]*": |\w+: |data=)?"[^"]*"(?:\.encode\(\))?[,;]?$/.test(line)),
          ).toEqual([]);
        }
      }
    }
  });

  it("carry the name of their language for people and for blocks of code", () => {
    const [operation] = foreign.operations;
    const shown = operation === undefined ? [] : samplesOf(operation, { module: "m", server });
    expect(shown.map(({ label, highlight }) => [label, highlight])).toEqual([
      ["TypeScript", "typescript"],
      ["JavaScript (fetch)", "javascript"],
      ["curl", "bash"],
      ["Python", "python"],
    ]);
  });

  it("are followed by those that the description has", () => {
    const shown = samplesOf(operationAt("GET /open"), { module: "m", server });
    expect(shown.slice(4)).toEqual([
      {
        language: "c",
        label: "C#",
        highlight: "c#",
        example: undefined,
        source: "await client.GetAsync();",
        callAt: 0,
      },
      {
        language: "python-sdk",
        label: "Python (SDK)",
        highlight: "python",
        example: undefined,
        source: "sdk.open()",
        callAt: 0,
      },
      {
        ...{ language: "curl-2", label: "curl", highlight: "curl", example: undefined },
        source: "curl https://api.example.com/open",
        callAt: 0,
      },
    ]);
  });

  it("read no body where the response has none", () => {
    const [, inJavaScript, , inPython] = samplesOf(operationAt("GET /nothing"), { module: "m", server });
    expect(inJavaScript?.source).toContain("console.log(response.status);");
    expect(inPython?.source).toContain("print(response.status)");
  });

  it("leave out languages that can't send the request", () => {
    const languagesOf = (name: string) =>
      samplesOf(operationAt(name), { module: "m", server }).map(({ language }) => language);
    expect(languagesOf("GET /search")).toEqual(["curl", "python"]);
    expect(languagesOf("TRACE /search")).toEqual(["curl", "python"]);
  });

  it("go to the server of the operation, of its path item or of the document, in that order", () => {
    const { operations } = readGeneration("servers", {
      ...foreignDocument,
      paths: {
        "/document": { get: { responses: {} } },
        "/path-item": {
          servers: [{ url: "https://{region}.example.com/", variables: { region: { default: "eu", enum: ["eu"] } } }],
          get: { responses: {} },
          put: { responses: {}, servers: [{ url: "https://put.example.com/base" }] },
        },
      },
    });
    expect(operations.map((operation) => serverUrl(operation))).toEqual([
      "https://api.example.com",
      "https://eu.example.com",
      "https://put.example.com/base",
    ]);
  });

  it("are written by modules that a browser can load", async () => {
    const names = ["typeScriptSample", "fetchSample", "pythonSample", "curlCommand"];
    const build = await rolldown({
      input: names.map((name) => `scripts/samples/${name}.ts`),
      platform: "browser",
    });
    const { output } = await build.generate({ format: "esm" });
    await build.close();
    const chunks = output.filter((file) => file.type === "chunk");
    const modules = chunks.flatMap(({ imports, dynamicImports, moduleIds }) => [
      ...imports,
      ...dynamicImports,
      ...moduleIds,
    ]);
    expect(modules.filter((id) => id.startsWith("node:") || /redocly|stoplight|\/typescript\//.test(id))).toEqual([]);
    expect(chunks.map(({ code }) => code).join("")).not.toMatch(/\b(?:Buffer|process|require)\b/);
  });
});

// That the mock takes a request does not show what the mock did not look at.
describe("the requests of samples", () => {
  const arrivals = new Map<string, readonly Arrival[]>();
  const formWithLists: unknown = expect.stringMatching(/&list=a\+b&list=c%26d/);

  beforeAll(async () => {
    await using recorder = await startRecorder();
    const programs = await writePrograms(foreign, foreign.operations, recorder.url);
    for (const language of ourLanguages.filter((one) => one !== "python" || python)) {
      expect(await runPrograms(language, programs)).toEqual([]);
      arrivals.set(language, recorder.arrivals.splice(0).map(withoutTransport));
    }
  });

  it("is the same in every language", () => {
    const byLanguage = [...arrivals.values()].map((all) => Map.groupBy(all, keyOf));
    const requests = new Set(byLanguage.flatMap((groups) => [...groups.keys()]));
    expect(requests.size).toBe(foreign.operations.length);
    for (const request of requests) {
      const [first, ...others] = byLanguage.flatMap((groups) => {
        const found = groups.get(request);
        return found === undefined ? [] : [found.toSorted((a, b) => a.body.localeCompare(b.body))];
      });
      expect(others.length).toBeGreaterThan(0);
      for (const other of others) expect(other).toEqual(first);
    }
  });

  it.each([
    ["GET /optional", { headers: { authorization: "Bearer example-bearer" } }],
    ["GET /alternatives", { headers: { "x-key": "example-headerKey", "x-second": "example-secondHeader" } }],
    ["GET /basic", { headers: { authorization: `Basic ${btoa("example-basic:example-password")}` } }],
    ["GET /basic-example", { headers: { authorization: "Basic em/DqTpnZWhlaW0=" } }],
    ["GET /certificate", { headers: { "x-key": "example-headerKey" } }],
    ["GET /query", { target: "/query?api%20key=example-queryKey" }],
    ["GET /two-cookies", { headers: { cookie: "session=example-cookieKey; device=example-secondCookie" } }],
    ["GET /cookies", { headers: { cookie: "theme=dark; size=7; session=example-cookieKey" } }],
    ["POST /form-body", { body: formWithLists }],
    ["POST /body-left-out", { headers: { "content-type": "application/json" } }],
  ])("is what the contract says: %s", (name, expected) => {
    const found = arrivals.get("typescript")?.filter((arrival) => keyOf(arrival) === name);
    expect(found).toMatchObject([expected]);
  });
});

describe("the samples of a request that a server redirects", () => {
  it("end with an error, and send nothing to the target", async () => {
    await using target = await startRecorder();
    const redirecting = (status: number) =>
      startRecorder((arrival, response) => {
        response.writeHead(status, { location: target.url + arrival.target }).end();
      });
    // After 302, a GET with the same headers would follow, and after 307 the same request.
    await using first = await redirecting(302);
    await using second = await redirecting(307);
    const operations = ["GET /alternatives", "GET /basic", "POST /form-body", "POST /upload/{id}"].map(operationAt);
    const written = [first, second].map(({ url }) => writePrograms(foreign, operations, url));
    const programs = (await Promise.all(written)).flat();
    // The client has tests of its own.
    for (const language of ["fetch", "curl", ...(python ? ["python"] : [])]) {
      const failures = await runPrograms(language, programs);
      expect([language, failures.length]).toEqual([
        language,
        programs.filter((one) => one.language === language).length,
      ]);
    }
    expect(target.arrivals).toEqual([]);
  });
});

/** The operation that a request is for. */
function keyOf({ method, target }: Arrival): string {
  const [path = ""] = target.split(/[?;]/);
  const operation = foreign.operations.find(
    (one) => one.method.toUpperCase() === method && path.split("/")[1] === one.path.split("/")[1],
  );
  return operation?.name ?? `${method} ${path}`;
}

/** A request without what differs between the languages' ways to send it. */
function withoutTransport({ headers, body, ...arrival }: Arrival): Arrival {
  const { "content-type": contentType = "" } = headers;
  const [mediaType = "", boundary] = contentType.split(/; *(?:charset|boundary)=/);
  const transport = /^(?:accept.*|connection|content-length|host|sec-fetch-mode|user-agent)$/;
  return {
    ...arrival,
    // Some of what a URL cannot have is sent as it is by openapi-fetch.
    target: arrival.target.replaceAll(/[[\]|]/g, encodeURIComponent),
    headers: {
      ...Object.fromEntries(
        // Space may follow the commas of a list (RFC 9110, section 5.6.1).
        Object.entries(headers).flatMap(([name, value]) =>
          transport.test(name) ? [] : [[name, String(value).replaceAll(/, */g, ",")] as const],
        ),
      ),
      ...(contentType !== "" && { "content-type": mediaType }),
    },
    body: mediaType.endsWith("json")
      ? JSON.stringify(JSON.parse(body))
      : mediaType.startsWith("multipart/")
        ? body.replaceAll(boundary ?? "", "boundary").trimEnd()
        : body,
  };
}

function operationAt(name: string): Operation {
  const operation = foreign.operations.find((candidate) => candidate.name === name);
  if (operation === undefined) throw new Error(`there is no ${name}`);
  return operation;
}

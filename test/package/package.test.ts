import * as attw from "@arethetypeswrong/core";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, writeFile, symlink } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join, posix, resolve } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import ownManifest from "../../package.json" with { type: "json" };
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { launchBrowser } from "../launchBrowser.ts";
import { errorCode } from "../../scripts/contract/failures.ts";
import type { Generation } from "../../scripts/contract/generation.ts";
import { bundleScript } from "../../scripts/docs/site/assets.ts";
import { isObject, objectsOf, valueAt } from "../../scripts/values/json.ts";
import type { Mock } from "../../scripts/mock/mockTypes.ts";
import { startServer } from "../../scripts/mock/server/server.ts";
import { bundleModules } from "../../scripts/package/bundleModules.ts";
import { formatLicenses } from "../../scripts/package/licenseTexts.ts";
import { describePackage } from "../../scripts/package/packageManifest.ts";
import { startRecorder } from "../client/recorder.ts";
import { runCurl } from "../curl.ts";
import { allKindsOfRequests } from "../fixtures/allKindsOfRequests.ts";
import { startProgram } from "../fixtures/program.ts";
import { bundle, bundleOfFirstLoad, gzippedSize } from "./bundle.ts";
import { checkBillOfMaterials } from "./cycloneDx.ts";
import { readExamples } from "./docExamples.ts";
import {
  compile,
  compilerSettings,
  createProject,
  mockResults,
  newestCompiler,
  nodes,
  oldestNode,
  runIn,
  strict,
  withDom,
  type Project,
} from "./project.ts";
import { startAgent } from "../fixtures/agent.ts";
import { readBlocks, readPackageTexts } from "./readme.ts";

let mock: Mock;
let browser: Browser;
let project: Project;
let installed: (path: string) => string;
beforeAll(async () => {
  mock = await startServer({ generations: await readBuiltGenerations() });
  [project, browser] = await Promise.all([createProject(), launchBrowser()]);
  installed = (path) => posix.join(project.folder, "node_modules", "scheduling-service-api", path);
  // For recipes, which run in a browser and beside each other.
  await symlink(resolve("node_modules/msw"), installed("../msw"));
  for (const fixture of ["module.ts", "common.cts", "page.ts", "mock.mjs"]) {
    await project.write(fixture, await readFile(`test/package/fixtures/${fixture}`, "utf8"));
  }
}, 120_000);
afterAll(async () => {
  await mock.close();
  await browser.close();
  await project[Symbol.asyncDispose]();
});

async function readManifest(): Promise<Readonly<Record<string, unknown>>> {
  const manifest: unknown = JSON.parse(await readFile(installed("package.json"), "utf8"));
  if (!isObject(manifest)) throw new Error("package.json holds no object");
  return manifest;
}

async function readScripts(): Promise<readonly { readonly file: string; readonly text: string }[]> {
  const files = project.files.filter((file) => file.endsWith(".js"));
  return Promise.all(files.map(async (file) => ({ file, text: await readFile(installed(file), "utf8") })));
}

describe("the tarball", () => {
  it("contains the compiled files, the bundles, README and licenses, and nothing else", () => {
    const expected =
      /^(package\.json|(README|AGENTS|CHANGELOG)\.md|LICENSE|index\.(js|d\.ts)|docs\/([\w/-]+\.md|llms\.txt|search-synonyms\.json)|\w+\/[\w-]+\.(js|d\.ts)|mock\/(THIRD-PARTY-LICENSES\.txt|bom\.cdx\.json|(page|base)\.css|page\.html|mark\.svg|hanken-grotesk\.(woff2|LICENSE\.txt))|v\d\/openapi\.json)$/;
    expect(project.files.filter((file) => !expected.test(file))).toEqual([]);
    expect(project.files).toEqual(
      expect.arrayContaining([
        "README.md",
        "AGENTS.md",
        "CHANGELOG.md",
        "LICENSE",
        "docs/llms.txt",
        "docs/v2/index.md",
      ]),
    );
  });

  it("has a client, operations, queries, schemas, examples, a server and the bundle for each generation in redocly.yaml, all in its exports", async () => {
    const generations = await readBuiltGenerations();
    const { exports } = await readManifest();
    if (!isObject(exports)) throw new Error("package.json has no exports");
    const entries = generations.flatMap(({ name }) =>
      ["", "/operations", "/queries", "/schemas", "/examples", "/server", "/openapi.json"].map(
        (file) => `./${name}${file}`,
      ),
    );
    expect(Object.keys(exports).sort()).toEqual(
      [...entries, ".", "./fetch", "./mock", "./mock/browser", "./mock/connect", "./package.json"].sort(),
    );
    const targets = Object.values(exports).flatMap((target) => (isObject(target) ? Object.values(target) : [target]));
    expect(project.files.map((file) => `./${file}`)).toEqual(expect.arrayContaining(targets));
  });

  it("has a package.json without fields that only this project needs", async () => {
    const manifest = await readManifest();
    const own = [
      "workspaces",
      "allowScripts",
      "devEngines",
      "devDependencies",
      "optionalDependencies",
      "scarfSettings",
    ];
    for (const field of [...own, "overrides", "scripts", "files"]) expect(manifest).not.toHaveProperty(field);
  });

  it("has a version of its own if the contract has changed since the release", async () => {
    const released = ownManifest.version;
    // The first line of each says what it is.
    const read = (file: string) => readFileSync(file, "utf8").replace(/^#.*\n/, "");
    const isReleased = ({ name }: Generation) => {
      const last = `openapi/released/${name}.yaml`;
      return existsSync(last) && read(last) === read(`generated/${name}/openapi.yaml`);
    };
    const isChanged = !(await readBuiltGenerations()).every(isReleased);
    const patch = Number(released.split(".")[2]);
    const next = released.replace(/\d+$/, `${patch + 1}-preview`);
    expect((await readManifest())["version"]).toBe(isChanged ? next : released);
  });

  it("is smaller than 650 kB, and installed than 3 MB", () => {
    expect(project.size).toBeLessThan(650_000);
    expect(project.unpackedSize).toBeLessThan(3_000_000);
  });

  it("depends on openapi-fetch alone, imports nothing else, and runs no scripts", async () => {
    const { dependencies, ...manifest } = await readManifest();
    expect(Object.keys(dependencies ?? {})).toEqual(["openapi-fetch"]);
    expect(manifest).not.toHaveProperty("scripts");
    expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(peer|optional)/)]));
    const imported = (await readScripts()).flatMap(({ text }) =>
      [...text.matchAll(/(?:^(?:import|export) .*from |^import |\bimport\(|\b__require\()"([^."][^"]*)"/gm)].map(
        ([, name = ""]) => name,
      ),
    );
    expect(imported).toContain("node:http");
    expect([...new Set(imported)].filter((name) => !isBuiltin(name))).toEqual(["openapi-fetch"]);
  });

  it("names the oldest Node that it is tested on", async () => {
    const { engines } = await readManifest();
    expect(JSON.stringify(engines)).toContain(`"^${oldestNode} ||`);
  });

  /** The modules that are bundled, by their paths: the bundler names the files of almost all. */
  async function readBundled(): Promise<readonly string[]> {
    const pattern = /^\/\/(?:#region)? (?:.*?\/)??(node_modules\/.+)$/gm;
    return (await readScripts()).flatMap(({ text }) => [...text.matchAll(pattern)].map(([, file = ""]) => file));
  }

  /** The folder of the package that a module is from. */
  const packageOf = (file: string) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? "";

  it("has the licence of each package that is bundled, and no telemetry", async () => {
    const licences = await readFile(installed("mock/THIRD-PARTY-LICENSES.txt"), "utf8");
    const bundled = (await readBundled()).map((file) => packageOf(file).replace(/^.*node_modules\//, ""));
    expect(bundled).toContain("@stoplight/prism-http");
    expect(bundled).not.toContain("@scarf/scarf");
    const described = [...licences.matchAll(/^(\S+) \d+\.\d+\.\S+\n/gm)].map(([, name = ""]) => name);
    expect([...new Set(bundled)].filter((name) => !described.includes(name))).toEqual([]);
    for (const text of ["Apache License", "Douglas Christopher Wilson"]) {
      expect(licences).toContain(text);
    }
  });

  it("bundles no bundles, which may hide other packages", async () => {
    const scripts = (await readBundled()).filter((file) => /\.[cm]?js$/.test(file));
    const opaque = scripts.filter((file) => {
      const text = readFileSync(file, "utf8");
      // Only lists of what modules import and export are as long in readable code.
      const isMinified = text.split("\n").some((line) => line.length > 5_000 && !/^(?:im|ex)port \{/.test(line));
      if (!isMinified && !text.includes("__webpack_require__")) return false;
      // A map tells what is in it.
      const map: unknown = existsSync(`${file}.map`) ? JSON.parse(readFileSync(`${file}.map`, "utf8")) : undefined;
      const sources = isObject(map) && Array.isArray(map["sources"]) ? map["sources"].map(String) : ["node_modules/"];
      return sources.some((source) => source.includes("node_modules/"));
    });
    expect(scripts.length).toBeGreaterThan(100);
    expect(opaque).toEqual([]);
  });

  it("has a CycloneDX bill of materials, which lists each package that is bundled", async () => {
    const bom: unknown = JSON.parse(await readFile(installed("mock/bom.cdx.json"), "utf8"));
    expect(await checkBillOfMaterials(bom)).toBe("");
    const { name, version } = await readManifest();
    expect(bom).toMatchObject({ metadata: { component: { name, version } } });
    const folders = new Set(["node_modules/rolldown", ...(await readBundled()).map(packageOf)]);
    const bundled = [...folders].map((folder) => {
      const own: unknown = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
      return `pkg:npm/${String(valueAt(own, ["name"])).replace("@", "%40")}@${String(valueAt(own, ["version"]))}`;
    });
    expect(bundled.length).toBeGreaterThan(10);
    const listed = objectsOf(valueAt(bom, ["components"])).map(({ purl }) => String(purl));
    expect(bundled.filter((purl) => !listed.includes(purl))).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  });

  it("has modes that don't depend on who made it", async () => {
    const listing = await runIn(".", "tar", ["-tvzf", project.tarball]);
    const modes = new Set(
      listing
        .trimEnd()
        .split("\n")
        .map((line) => line.split(" ")[0]),
    );
    expect([...modes]).toEqual(["-rw-r--r--"]);
  });

  it("has nothing that publint or arethetypeswrong object to", async () => {
    const content = await readFile(project.tarball);
    const tarball = new Uint8Array(content).buffer;
    const linted = await publint({ pack: { tarball }, strict: true });
    expect(linted.messages.map((message) => formatMessage(message, linted.pkg))).toEqual([]);

    const checked = await attw.checkPackage(attw.createPackageFromTarballData(content));
    if (checked.types === false) throw new Error("arethetypeswrong found no types");
    // The package is for ES modules alone, and for `require` of them.
    const problems = checked.problems.filter(
      (problem) => !("resolutionKind" in problem && ["node10", "node16-cjs"].includes(problem.resolutionKind)),
    );
    expect(problems).toEqual([]);
  });
});

describe("package.json", () => {
  const own = { name: "api", version: "1.0.0", scripts: {}, keywords: [], homepage: "", bugs: "", repository: "" };
  const published = {
    keywords: ["scheduling"],
    homepage: "https://x.example",
    bugs: "https://x.example/b",
    repository: "x/y",
  };

  it("is private until the publisher has filled in the missing fields, so that npm rejects it", async () => {
    const { manifest, unfilled } = describePackage({ ...own, ...published, bugs: "" }, ["v1"], []);
    expect(unfilled.map(({ field }) => field)).toEqual(["bugs"]);
    expect(manifest).toMatchObject({ private: true, homepage: "https://x.example" });
    const folder = join(project.folder, "unfilled");
    await mkdir(folder);
    await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
    // The mock in place of a registry: nothing is asked of it.
    // `npm --silent` would pass its log level on.
    const registry = ["--registry", mock.url, `--//${new URL(mock.url).host}/:_authToken=none`];
    const args = ["publish", "--loglevel", "error", ...registry];
    await expect(runIn(folder, "npm", args)).rejects.toThrow(/EPRIVATE/);

    const filled = describePackage({ ...own, ...published, private: true }, ["v1"], []);
    expect(filled).toMatchObject({ manifest: { ...published, version: "1.0.0" }, unfilled: [] });
    expect(filled.manifest).not.toHaveProperty("private");
  });

  it("has an entry for each module of each generation", () => {
    const { manifest } = describePackage(
      own,
      ["v1", "v10"],
      ["v1/client.js", "v10/client.js", "v10/more.js", "client/index.js"],
    );
    expect(Object.keys(manifest["exports"] ?? {}).filter((entry) => !entry.includes("openapi"))).toEqual([
      ...[
        ".",
        "./v1",
        "./v10",
        "./v10/more",
        "./fetch",
        "./mock",
        "./mock/browser",
        "./mock/connect",
        "./package.json",
      ],
    ]);
  });
});

it.each(compilerSettings)("TypeScript 7 compiles a consumer's modules, with $name", async (settings) => {
  expect(await compile(project, newestCompiler, settings)).toBe("");
});

describe("the doc comments", () => {
  it("have an example for each export, and each example compiles", async () => {
    const { exports } = await readManifest();
    const types = Object.entries(exports ?? {}).flatMap(([entry, target]: readonly [string, unknown]) =>
      isObject(target) && entry !== "." ? [[entry, String(target["types"])] as const] : [],
    );
    const { missing, programs } = readExamples(installed(""), "scheduling-service-api", Object.fromEntries(types));
    expect(missing).toEqual([]);
    expect(programs.size).toBeGreaterThan(30);
    const files = await Promise.all(
      [...programs].map((program, index) => project.write(`example${index}.ts`, program)),
    );
    const compilerOptions = { ...strict, ...withDom, types: ["node"], declaration: false, noEmit: true };
    const config = await project.write("tsconfig.examples.json", JSON.stringify({ compilerOptions, files }));
    expect(await runIn(project.folder, process.execPath, [...newestCompiler, "--project", config])).toBe("");
  }, 120_000);
});

describe.each(nodes)("Node $version", ({ version, program }) => {
  it.each([
    ["module", "import"],
    ["commonjs", "require"],
  ])("loads every entry from a %s, calls the mock, and runs the package's own", async (type, load) => {
    const { exports } = await readManifest();
    const entries = Object.entries(exports ?? {}).filter(([name, target]) => name !== "." && isObject(target));
    const code = `(async () => {
      console.log(process.version);
      for (const entry of ${JSON.stringify(entries.map(([name]) => posix.join("scheduling-service-api", name)))})
        if (Object.keys(await ${load}(entry)).length === 0) throw new Error(entry + " exports nothing");
      for (const file of ["./nodenext/module.js", "./nodenext/common.cjs"])
        console.log(await (await ${load}(file)).main(process.env.MOCK));
      console.log(await (await ${load}("./mock.mjs")).main());
      await Promise.resolve().then(() => ${load}("scheduling-service-api"))
        .catch(({ message }) => console.log(message.slice(0, 93)));
    })()`;
    expect(entries.length).toBeGreaterThan(2);
    const output = await runIn(project.folder, program, [`--input-type=${type}`, "-e", code], { MOCK: mock.url });
    const [first = "", ...lines] = output.split("\n");
    expect(first).toMatch(new RegExp(`^v${version}\\b`));
    expect(lines.join("\n")).toBe(
      `Physiotherapy, 9002, true, Scheduling Service API v1, Scheduling Service API v2\nPhysiotherapy\n${mockResults}` +
        "scheduling-service-api has no module at its root: import scheduling-service-api/v1, schedulin\n",
    );
  });
});

describe("a bundle", () => {
  it("has not one byte of the package where only its types are imported", async () => {
    const [withTypes = "", without = ""] = await Promise.all(
      [
        'import { type Team } from "scheduling-service-api/v2"; import type { Booking } from "scheduling-service-api/v1";',
        "type Team = object; type Booking = object;",
      ].map(async (line, index) =>
        bundle(await project.write(`types${index}.ts`, `${line} console.log({} satisfies Partial<Team & Booking>);`)),
      ),
    );
    expect(withTypes).toBe(without);
  });

  it("grows by little for a function that calls an operation", async () => {
    const client = 'export { createClient } from "scheduling-service-api/v2";';
    const sizes = await Promise.all(
      [
        client,
        `${client} export { rescheduleBooking } from "scheduling-service-api/v2/operations";`,
        `${client} export { getOrganizationTeamQuery } from "scheduling-service-api/v2/queries";`,
      ].map(async (code, index) => gzippedSize(await bundle(await project.write(`operations${index}.ts`, code)))),
    );
    const [without = 0, withFunction = 0, withQuery = 0] = sizes;
    expect(withFunction - without).toBeLessThan(100);
    expect(withQuery - without).toBeLessThan(500);
  });

  it("serves with 22 kB and the contract", async () => {
    const entry = await project.write("server.ts", 'export { createHandler } from "scheduling-service-api/v2/server";');
    const size = gzippedSize(await bundleOfFirstLoad(entry));
    const served = (await readBuiltGenerations()).find(({ name }) => name === "v2");
    // Beside what it needs alone, a contract needs a little more in one file with the code.
    const perOperation = 22 * (served?.operations.length ?? 0);
    expect(size - gzippedSize(JSON.stringify(served?.document))).toBeLessThan(22_300 + perOperation);
  });

  it("works in a browser, from another port, and follows no redirect with credentials", async () => {
    const script = await bundle(installed("../../page.ts"));
    const headers = {
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "*",
      "access-control-allow-methods": "*",
    };
    await using elsewhere = await startRecorder((_, response) => {
      response.writeHead(200, headers).end("{}");
    });
    await using empty = await startRecorder((_, response) => {
      response.writeHead(204, headers).end();
    });
    await using redirecting = await startRecorder(({ method, target }, response) => {
      if (method === "OPTIONS") response.writeHead(204, headers).end();
      else response.writeHead(307, { ...headers, location: `${elsewhere.url}${target}` }).end();
    });
    const blocks = [...(await readPackageTexts()).values()].flatMap(readBlocks);
    const recipe = (words: string) => blocks.find(({ code }) => code.includes(words))?.code ?? "";
    const worker = recipe('from "msw/browser"');
    const scripts: Readonly<Record<string, string>> = {
      "/page.js": script,
      "/behind.js": await bundle(await project.write("behind.ts", recipe('baseUrl: "/api"'))),
      "/worker.js": await bundle(await project.write("worker.ts", worker)),
      "/mockServiceWorker.js": await readFile("node_modules/msw/lib/mockServiceWorker.js", "utf8"),
    };
    await using site = await startRecorder(({ target, headers: { authorization, cookie } }, response) => {
      const behind = JSON.stringify({ target, authorization, cookie });
      const text = target.startsWith("/api/") ? behind : scripts[target];
      if (text !== undefined) response.setHeader("content-type", "text/javascript").end(text);
      else response.setHeader("content-type", "text/html").end("<!doctype html><title>Consumer</title>");
    });
    const page = await browser.newPage();
    await page.goto(site.url);
    const run = (name: string, url: string) =>
      page.evaluate(`import("/page.js").then((page) => page[${JSON.stringify(name)}](${JSON.stringify(url)}))`);
    expect(await run("callMock", mock.url)).toEqual(["Physiotherapy", "Physiotherapy", 4711, true, "a/b ü"]);
    expect(await run("deleteTeam", empty.url)).toBe(204);
    expect(await run("followRedirect", redirecting.url)).toContain("do not follow");
    expect(elsewhere.arrivals).toEqual([]);
    // The guide's client for a page with its own backend.
    const callBehind = `import("/behind.js").then(async ({ client }) => {
      document.cookie = "session=1";
      const params = { path: { orgId: 42, teamId: 7 } };
      return (await client.GET("/v2/organizations/{orgId}/teams/{teamId}", { params })).data;
    })`;
    const target = "/api/v2/organizations/42/teams/7";
    expect(await page.evaluate(callBehind)).toEqual({ target, cookie: "session=1" });

    // Where the guide's worker runs, requests to a service that is not there get to the mock.
    const send = (method: string, path: string, body?: string) =>
      page.evaluate(`import("/worker.js")
        .then(() => fetch(${JSON.stringify(`https://api.example${path}`)}, {
          method: "${method}", body: ${JSON.stringify(body)},
          headers: { authorization: "Bearer svc_key", "content-type": "application/json" } }))
        .then((response) => response.status)`);
    expect(await send("GET", "/v2/organizations/42/teams/7")).toBe(200);
    expect(await send("PATCH", "/v2/organizations/42/teams/7/memberships/88", '{"accepted":"no"}')).toBe(422);
    expect(await send("DELETE", "/v2/teams/7")).toBe(200);
    expect(await send("GET", "/v2/organizations/42/teams/7")).toBe(404);
  });
});

describe("the package's mock", () => {
  it("generates the same random responses as the mock in the repository", async () => {
    const options = { dynamic: true, seed: "7" };
    await using own = await startServer({ generations: await readBuiltGenerations(), ...options });
    const code = `import { startMock } from "scheduling-service-api/mock";
      const mock = await startMock(${JSON.stringify(options)});
      console.log(await (await fetch(mock.url + process.env.TARGET)).text());
      await mock.close();`;
    const target = "/v1/attendees/4711?apiKey=example_key";
    const printed = await runIn(project.folder, process.execPath, ["--input-type=module", "-e", code], {
      TARGET: target,
    });
    expect(JSON.parse(printed)).toEqual(await (await fetch(own.url + target)).json());
  });
});

describe("the package's mock in a page", () => {
  /** A page that may load scripts of its own host, and nothing else, with the files of the package. */
  async function serveStrictly() {
    const policy = "default-src 'none'; script-src 'self'; require-trusted-types-for 'script'";
    const read = (target: string) =>
      target === "/answers.mjs" ? "test/package/fixtures/answers.mjs" : installed(target.slice(1));
    return startRecorder(({ target }, response) => {
      response.setHeader("content-security-policy", policy);
      if (target === "/") response.setHeader("content-type", "text/html").end("<!doctype html><title>Mock</title>");
      else response.setHeader("content-type", "text/javascript").end(readFileSync(read(target)));
    });
  }

  it("gives every answer that it gives in Node.js, where nothing but scripts may be loaded", async () => {
    const requests = JSON.stringify(await allKindsOfRequests(await readBuiltGenerations()));
    const program = (mockModule: string, answers: string) =>
      `Promise.all([import(${JSON.stringify(mockModule)}), import(${JSON.stringify(answers)})])
        .then(([{ createMock }, { answersOf }]) => answersOf(createMock, ${requests}))`;
    await project.write("answers.mjs", await readFile("test/package/fixtures/answers.mjs", "utf8"));
    const inNode = program("scheduling-service-api/mock", "./answers.mjs");
    const file = await project.write("answersInNode.mjs", `${inNode}.then((all) => console.log(JSON.stringify(all)));`);
    const own: unknown = JSON.parse(await runIn(project.folder, process.execPath, [file]));

    await using site = await serveStrictly();
    const page = await browser.newPage();
    await page.goto(site.url);
    const theirs = await page.evaluate(program("/mock/browser.js", "/answers.mjs"));
    expect(theirs).toEqual(own);
    // What few answers need was loaded when it was asked for, and nothing else was.
    const loaded = site.arrivals.map(({ target }) => target);
    expect(loaded.filter((target) => !/^\/(?:answers\.mjs|mock\/[\w-]+\.js)?$/.test(target))).toEqual([]);
    await page.close();
  });

  it("rejects unknown options, and warns about a failing listener", async () => {
    await using site = await serveStrictly();
    const page = await browser.newPage();
    const warnings: string[] = [];
    page.on("console", (message) => warnings.push(message.text()));
    await page.goto(site.url);
    const told = await page.evaluate(`import("/mock/browser.js").then(async ({ createMock }) => {
      const refusal = await createMock({ upstream: "http://localhost" }).catch(String);
      const mock = await createMock({ onResponse: () => { throw new Error("broken listener"); } });
      return [refusal, (await mock.fetch("/-/mock/")).status];
    })`);
    expect(told).toEqual([expect.stringContaining("createMock has no option upstream"), 404]);
    expect(warnings).toEqual([expect.stringContaining("onResponse failed: Error: broken listener")]);
    await page.close();
  });

  it("is small, contains the contract, and loads rarely needed code on demand", async () => {
    const line = 'export { createMock } from "scheduling-service-api/mock/browser";';
    const size = gzippedSize(await bundle(await project.write("mockInPage.ts", line)));
    const documents = (await readBuiltGenerations()).map(({ document }) => gzippedSize(JSON.stringify(document)));
    expect(size - documents.reduce((sum, one) => sum + one, 0)).toBeLessThan(70_000);
  });
});

describe("the package's command", () => {
  const start = (program: string, args: readonly string[]) =>
    startProgram([installed("mock/bin.js"), ...args], { cwd: project.folder, program });

  it.each(nodes)("runs the mock until stopped, on Node $version", async ({ program }) => {
    await using mock = start(program, ["mock", "--port", "0", "--generation", "v2"]);
    await mock.until(/^Ready after/m);
    const url = await mock.until(/^Listening on (\S+)\n {2}Mock +\1 {2}v2: \d+ operations\n[^]*\nTry it: curl /);
    expect((await fetch(`${url}/v2/nothing`)).status).toBe(404);
    const script = await fetch(`${url}/-/mock/page/page.js`);
    expect([script.headers.get("content-type"), await script.text()]).toEqual([
      "text/javascript; charset=utf-8",
      await bundleScript("mockPage/mockPage.ts"),
    ]);
    const font = await fetch(`${url}/-/mock/page/hanken-grotesk.woff2`);
    expect(Buffer.from(await font.arrayBuffer())).toEqual(await readFile("scripts/docs/site/hanken-grotesk.woff2"));
    expect(await (await fetch(`${url}/-/mock/`)).text()).toContain(await readFile("openapi/mark.svg", "utf8"));
    mock.child.kill();
    expect((await mock.exit).code).toBe(0);
  });

  it("shows its options, and those of the repository's command but the ones for files of descriptions", async () => {
    const { bin } = await readManifest();
    expect(bin).toEqual({ "scheduling-service-api": "mock/bin.js" });
    const help = await runIn(project.folder, process.execPath, [installed("mock/bin.js"), "--help"]);
    expect(help).toContain("\nUsage: npx scheduling-service-api mock [options]\n");
    expect(help).toContain("\n  npx scheduling-service-api mock\n");
    const optionsIn = (text: string) =>
      text
        .split("\n")
        .filter((line) => /^ {2}-/.test(line))
        .map((line) => line.trim().split("  ")[0]);
    const ownHelp = await runIn(resolve("."), process.execPath, ["scripts/mock.ts", "--help"]);
    const ofFiles = ["--watch", "--allow-folder DIR"];
    const own = optionsIn(ownHelp).filter((option) => !ofFiles.includes(option ?? ""));
    expect(optionsIn(help)).toEqual(own.toSpliced(-1, 0, "--version"));
    const { version } = await readManifest();
    expect(await runIn(project.folder, process.execPath, [installed("mock/bin.js"), "--version"])).toBe(
      `${String(version)}\n`,
    );
  });

  const commands = "the commands are npx scheduling-service-api mock and npx scheduling-service-api mcp";
  it.each([
    [["serve"], `unexpected argument "serve": ${commands}`],
    [[], `a command is missing: ${commands}`],
    [["mock", "now"], `unexpected argument "now": ${commands}`],
    [["mcp", "now"], `unexpected argument "now": ${commands}`],
    [["mcp", "--allow-changes"], "--allow-changes and --allow-deletes need --server: the mock accepts all calls"],
    [
      ["mcp", "--server", "https://a.example/?key=b"],
      "--server must be an http or https URL, without a query or a password",
    ],
    [["mock", "--prot", "1"], "there is no option --prot: did you mean --port? See: npx scheduling-service-api --help"],
    [["mock", "--port", "many"], '--port must be a number from 0 to 65535, not "many"'],
  ])("ends with 1 and one line: %j", async (args, words) => {
    const { code, stderr } = await start(process.execPath, args).exit;
    expect([code, stderr]).toEqual([1, `error: ${words}\n`]);
  });
});

describe("the package for agents", () => {
  it("has docs whose links lead to files in it", () => {
    const texts = project.files.filter((file) => file.startsWith("docs/") && /\.(md|txt)$/.test(file));
    const missing = texts.flatMap((file) => {
      const links = readFileSync(installed(file), "utf8").matchAll(/\]\((?!\w+:)([^)#\s]+)/g);
      const targets = Array.from(links, ([, link = ""]) => posix.join(file, "..", link));
      return targets.filter((target) => !project.files.includes(target)).map((target) => `${file}: ${target}`);
    });
    const named = readFileSync(installed("AGENTS.md"), "utf8").matchAll(/`(docs\/[^`]+)`/g);
    missing.push(...Array.from(named, ([, file = ""]) => file).filter((file) => !project.files.includes(file)));
    expect(texts.length).toBeGreaterThan(100);
    expect(missing).toEqual([]);
  });

  it("serves them over MCP, which no other entry loads", async () => {
    await using agent = await startAgent([installed("mock/bin.js"), "mcp"]);
    const found = await agent.call("search_docs", { query: "create a booking" });
    expect(found).toContain("page: about/not-described/#section/create-a-booking");
    expect(await agent.call("read_docs", { page: "getOrganizationTeam" })).toMatch(/^# Get a team/);
    const read = { operation: "getOrganizationTeam", path: { orgId: 42, teamId: 7 } };
    expect(await agent.call("call_read", read)).toContain("Physiotherapy");
    const { exports } = await readManifest();
    expect(JSON.stringify(exports)).not.toContain("mcp");
    const others = (await readScripts()).filter(
      ({ file, text }) => !file.endsWith("/mcpServer.js") && /^import .*mcpServer/m.test(text),
    );
    expect(others).toEqual([]);
  });
});

describe("a license file contains only known facts", () => {
  it("names a package without a license", async () => {
    const folder = join(project.folder, "node_modules", "unlicensed");
    await mkdir(folder);
    await writeFile(join(folder, "package.json"), JSON.stringify({ name: "unlicensed", version: "1.0.0" }));
    await writeFile(join(folder, "index.js"), "export const value = 1;");
    await project.write("uses.js", "export { value } from 'unlicensed';");
    const { packages } = await bundleModules(project.folder, { uses: "uses.js" });
    await expect(formatLicenses(packages)).rejects.toThrow(
      "unlicensed cannot be bundled: it has no license file, and its license is not MIT",
    );
  });

  it("names a package that isn't installed", async () => {
    await project.write("lacks.js", "export { value } from 'not-installed';");
    await expect(bundleModules(project.folder, { lacks: "lacks.js" })).rejects.toThrow(/not-installed/);
  });
});

describe("the READMEs and the guides to the package", async () => {
  const texts = [...(await readPackageTexts())];
  const blocks = texts.flatMap(([, text]) => readBlocks(text));
  const importing = (name: string) => blocks.filter(({ code }) => code.includes(`from "${name}"`));
  // npm run test:environments has Playwright, and the frameworks of servers.
  const elsewhere = [...importing("@playwright/test"), ...importing("@hono/node-server")];
  const programs = blocks.filter((block) => ["ts", "tsx"].includes(block.language) && !elsewhere.includes(block));
  /** Programs that do not run in Node by themselves. */
  const inRunners = [
    ...[...importing("vitest"), ...importing("msw/browser")],
    ...blocks.filter(({ code }) => code.includes('baseUrl: "/api"')),
  ];

  beforeAll(async () => {
    const libraries = ["@tanstack", "happy-dom", "hono", "openapi-msw", "openapi-react-query", "react", "react-dom"];
    for (const name of [...libraries, "swr", "swr-openapi", "vitest"]) {
      await symlink(resolve("node_modules", name), installed(`../${name}`));
    }
    const files = programs.map(({ language }, index) => `readme${index}.${language}`);
    for (const [index, { code }] of programs.entries()) {
      await project.write(files[index] ?? "", `${code.replaceAll("http://127.0.0.1:4010", mock.url)}\nexport {};\n`);
    }
    // The package's own declarations are checked above, and those of other libraries are not ours.
    const options = { ...strict, skipLibCheck: true, declaration: false };
    const compilerOptions = { ...options, ...withDom, types: ["node"], jsx: "react-jsx", outDir: "readme" };
    const config = await project.write("tsconfig.readme.json", JSON.stringify({ compilerOptions, files }));
    await runIn(project.folder, process.execPath, [...newestCompiler, "--project", config]);
  });

  it("are guides to the client and to its mock, and a README of at most 150 lines", () => {
    const readme = new Map(texts).get("scripts/package/README.md") ?? "";
    expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(150);
    expect(texts.length).toBeGreaterThan(20);
  });

  it("have only code blocks that are run here", () => {
    // Those in JSON are for agents: `test/mcp/mcp.test.ts` starts what the README's says.
    expect(new Set(blocks.map(({ language }) => language))).toEqual(new Set(["sh", "ts", "tsx", "py", "json"]));
    expect(programs.length).toBeGreaterThan(4);
    expect([elsewhere.length, inRunners.length]).toEqual([6, 3]);
  });

  it("have programs with the stated output", async () => {
    // One process for all of them: starting one takes longer than most programs do.
    const printing = programs.flatMap((block, index) =>
      block.language === "ts" && !inRunners.includes(block) ? [{ name: `readme${index}`, prints: block.prints }] : [],
    );
    const imports = printing.map(({ name }) => `console.log("${name}:");\nawait import("./readme/${name}.js");\n`);
    // A program that is a test reports on it, and ends the process with an error if it fails.
    const reporter = ["--test-reporter=spec", "--test-reporter-destination=stderr"];
    const args = [...reporter, "--input-type=module", "-e", imports.join("")];
    const printed = await runIn(project.folder, process.execPath, args);
    expect(printed).toBe(
      printing.map(({ name, prints }) => [`${name}:`, ...prints].map((line) => `${line}\n`).join("")).join(""),
    );
  });

  it("have programs that import only types, of which nothing is left for a bundler", async () => {
    const own = /^import (?!type ).*from "scheduling-service-api/m;
    const typesOnly = programs.flatMap(({ code }, index) =>
      code.includes('from "openapi-fetch"') && !own.test(code) ? [`readme/readme${index}.js`] : [],
    );
    // In both READMEs, and in the guide First steps.
    expect(typesOnly).toHaveLength(3);
    const compiled = await Promise.all(typesOnly.map((file) => readFile(join(project.folder, file), "utf8")));
    expect(compiled.filter((code) => code.includes("scheduling-service-api"))).toEqual([]);
  });

  it("have a Python program with the stated output", async () => {
    const { code = "", prints = [] } = blocks.find(({ language }) => language === "py") ?? {};
    const python = code.replaceAll("http://127.0.0.1:4010", mock.url);
    const advice = "python3 is missing: install it, for example with apt-get install python3 or brew install python";
    const printed = await runIn(project.folder, "python3", ["-c", python]).catch((error: unknown) => {
      throw errorCode(error instanceof Error ? error.cause : error) === "ENOENT" ? new Error(advice) : error;
    });
    expect([prints.length, printed]).toEqual([2, prints.map((line) => `${line}\n`).join("")]);
  });

  it("have a test that passes in Vitest", async () => {
    await project.write("readme.test.ts", importing("vitest")[0]?.code ?? "");
    const args = [resolve("node_modules/vitest/vitest.mjs"), "run", "readme.test.ts"];
    expect(await runIn(project.folder, process.execPath, args)).toMatch(/1 passed/);
  });

  it("have components that show the service's data", async () => {
    const names = programs.flatMap(({ language }, index) => (language === "tsx" ? [`readme${index}`] : []));
    const code = `
      import { Window } from "happy-dom";
      const window = (globalThis.window = new Window());
      globalThis.document = window.document;
      const { createElement } = await import("react");
      const { createRoot } = await import("react-dom/client");
      for (const name of ${JSON.stringify(names)}) {
        const { App } = await import(\`./readme/\${name}.js\`);
        const root = document.createElement("div");
        const shown = new Promise((resolve) =>
          new window.MutationObserver(() => {
            if (root.textContent !== "Loading…") resolve(root.textContent);
          }).observe(root, { childList: true, subtree: true, characterData: true }),
        );
        createRoot(root).render(createElement(App));
        console.log(await shown);
      }
      process.exit(); // React Query keeps what it has for minutes.`;
    const printed = await runIn(project.folder, process.execPath, ["--input-type=module", "-e", code]);
    expect(printed).toBe(
      ["Physiotherapy", "Mara's clinic hours, Jonas's clinic hours", "Physiotherapy", ""].join("\n"),
    );
  });

  const withCommands = texts.flatMap(([file, text]) => {
    const commands = readBlocks(text).flatMap(({ language, code }) =>
      language === "sh" && code.startsWith("curl ") ? [code] : [],
    );
    return commands.length === 0 ? [] : [[file, commands] as const];
  });

  it("have commands", () => {
    expect(withCommands.length).toBeGreaterThan(4);
  });

  it.each(withCommands)("have commands that work: %s", async (_, commands) => {
    // A mock for each text: one ends with fault rules, which the others' requests would meet.
    await using own = await startServer({ generations: await readBuiltGenerations() });
    for (const command of commands) {
      const code = command.replaceAll("http://127.0.0.1:4010", own.url).replaceAll("curl ", "curl --silent --fail ");
      expect(await runCurl(`set -e; ${code}`, "")).toMatchObject({ code: 0 });
    }
  });
});

import * as attw from "@arethetypeswrong/core";
import { readFile } from "node:fs/promises";
import { posix } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { launchBrowser } from "../../scripts/command/launchBrowser.ts";
import { isObject } from "../../scripts/contract/openapi.ts";
import type { Mock } from "../../scripts/mock/mockTypes.ts";
import { startServer } from "../../scripts/mock/server.ts";
import { startRecorder } from "../client/recorder.ts";
import { bundle, gzippedSize } from "./bundle.ts";
import { compilers, createProject, linkPackages, nodes, runIn, type Project } from "./project.ts";
import { readPrograms } from "./readme.ts";

let mock: Mock;
let project: Project;
let installed: (path: string) => string;
beforeAll(async () => {
  mock = await startServer({ generations: await readBuiltGenerations() });
  project = await createProject();
  installed = (path) => posix.join(project.folder, "node_modules", "scheduling-service-api", path);
  for (const fixture of ["module.ts", "common.cts", "page.ts"]) {
    await project.write(fixture, await readFile(`test/package/fixtures/${fixture}`, "utf8"));
  }
}, 120_000);
afterAll(async () => {
  await mock.close();
  await project[Symbol.asyncDispose]();
});

async function readManifest(): Promise<Readonly<Record<string, unknown>>> {
  const manifest: unknown = JSON.parse(await readFile(installed("package.json"), "utf8"));
  if (!isObject(manifest)) throw new Error("package.json holds no object");
  return manifest;
}

describe("the tarball", () => {
  it("holds what is compiled, the bundles, README and licence, and nothing else", () => {
    const expected =
      /^(package\.json|README\.md|LICENSE|generated\/package\/.+\.(js|js\.map|d\.ts)|generated\/[^/]+\/openapi\.(json|yaml))$/;
    expect(project.files.filter((file) => !expected.test(file))).toEqual([]);
    expect(project.files).toEqual(expect.arrayContaining(["package.json", "README.md", "LICENSE"]));
  });

  it("has a client and two bundles for each generation in redocly.yaml, all in its exports", async () => {
    const generations = await readBuiltGenerations();
    const { exports } = await readManifest();
    if (!isObject(exports)) throw new Error("package.json has no exports");
    const entries = generations.flatMap(({ name }) => [
      `./${name}`,
      `./${name}/openapi.json`,
      `./${name}/openapi.yaml`,
    ]);
    expect(Object.keys(exports).sort()).toEqual([...entries, "./mock", "./package.json"].sort());
    const targets = Object.values(exports).flatMap((target) => (isObject(target) ? Object.values(target) : [target]));
    expect(project.files.map((file) => `./${file}`)).toEqual(expect.arrayContaining(targets));
  });

  it("depends on openapi-fetch alone, and what else it imports is an optional peer", async () => {
    const { dependencies, peerDependencies, peerDependenciesMeta } = await readManifest();
    expect(Object.keys(dependencies ?? {})).toEqual(["openapi-fetch"]);
    const scripts = project.files.filter((file) => file.endsWith(".js"));
    const texts = await Promise.all(scripts.map((file) => readFile(installed(file), "utf8")));
    const imported = texts.flatMap((text) =>
      [...text.matchAll(/(?:from |import\()"((?:@[\w-]+\/)?[\w-]+)/g)].map(([, name = ""]) => name),
    );
    const peers = [...new Set(imported)].filter((name) => !["node", "openapi-fetch"].includes(name)).sort();
    expect(Object.keys(peerDependencies ?? {}).sort()).toEqual(peers);
    expect(peerDependenciesMeta).toEqual(Object.fromEntries(peers.map((name) => [name, { optional: true }])));
  });

  it("has source maps that hold their sources", async () => {
    const scripts = project.files.filter((file) => file.endsWith(".js"));
    for (const file of scripts) {
      const text = await readFile(installed(file), "utf8");
      expect(text).toContain(`//# sourceMappingURL=${posix.basename(file)}.map`);
      const map: unknown = JSON.parse(await readFile(installed(`${file}.map`), "utf8"));
      expect(map).toMatchObject({ sources: [expect.any(String)], sourcesContent: [expect.any(String)] });
    }
  });

  it("has nothing that publint or arethetypeswrong object to", async () => {
    const tarball = new Uint8Array(project.tarball).buffer;
    const linted = await publint({ pack: { tarball }, strict: true });
    expect(linted.messages.map((message) => formatMessage(message, linted.pkg))).toEqual([]);

    const checked = await attw.checkPackage(attw.createPackageFromTarballData(project.tarball));
    if (checked.types === false) throw new Error("arethetypeswrong found no types");
    // The package is for ES modules alone, and for `require` of them; YAML has no types.
    const problems = checked.problems.filter(
      (problem) =>
        !("resolutionKind" in problem && ["node10", "node16-cjs"].includes(problem.resolutionKind)) &&
        !("entrypoint" in problem && problem.entrypoint.endsWith(".yaml")),
    );
    expect(problems).toEqual([]);
  });
});

const strict = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  target: "es2022",
  lib: ["es2022", "dom"],
  types: [],
  resolveJsonModule: true,
  declaration: true,
};
const resolutions = [
  { resolution: "nodenext", module: "nodenext", files: ["module.ts", "common.cts"] },
  { resolution: "bundler", module: "esnext", files: ["module.ts"] },
];
const toolchains = compilers.flatMap((compiler) => resolutions.map((resolution) => ({ ...compiler, ...resolution })));

describe.each(toolchains)("TypeScript $version with moduleResolution $resolution", (toolchain) => {
  const { version, script, resolution, module, files } = toolchain;
  const outDir = `${resolution}-${version}`;

  it("compiles a consumer's modules", async () => {
    const compilerOptions = { ...strict, module, moduleResolution: resolution, outDir };
    const config = await project.write(`tsconfig.${outDir}.json`, JSON.stringify({ compilerOptions, files }));
    expect(await runIn(project.folder, process.execPath, [script, "--project", config])).toBe("");
  });
});

describe.each(nodes)("Node $version", ({ version, program }) => {
  it("is the one that is meant", async () => {
    expect(await runIn(project.folder, program, ["--version"])).toMatch(new RegExp(`^v${version}\\.`));
  });

  it.each(["import { main } from './nodenext-5.9/module.js'", "import { main } from './nodenext-7/module.js'"])(
    "runs an ES module: %s",
    async (line) => {
      const code = `${line}; console.log(await main(process.env.MOCK))`;
      const output = await runIn(project.folder, program, ["--input-type=module", "-e", code], { MOCK: mock.url });
      expect(output).toBe("Physiotherapy, 9002, true, Scheduling Service API v1, Scheduling Service API v2\n");
    },
  );

  it("runs a CommonJS module", async () => {
    const code = "require('./nodenext-5.9/common.cjs').main(process.env.MOCK).then(console.log)";
    const output = await runIn(project.folder, program, ["--input-type=commonjs", "-e", code], { MOCK: mock.url });
    expect(output).toBe("Physiotherapy\n");
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

  it.each(["v1", "v2"])("of the client of %s, with openapi-fetch in it, stays small", async (generation) => {
    const line = `export { createClient } from "scheduling-service-api/${generation}";`;
    const entry = await project.write(`${generation}.ts`, line);
    // 2.5 kB of them are openapi-fetch (0.17).
    expect(gzippedSize(await bundle(entry))).toBeLessThanOrEqual(4_200);
  });

  it("works in a browser, from another port, and follows no redirect with credentials", async () => {
    const script = await bundle(installed("../../page.ts"));
    await using elsewhere = await startRecorder((_, response) => {
      response.writeHead(200, { "access-control-allow-origin": "*", "access-control-allow-headers": "*" }).end("{}");
    });
    await using redirecting = await startRecorder(({ method, target }, response) => {
      const headers = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };
      if (method === "OPTIONS") response.writeHead(204, headers).end();
      else response.writeHead(307, { ...headers, location: `${elsewhere.url}${target}` }).end();
    });
    await using site = await startRecorder(({ target }, response) => {
      if (target === "/page.js") response.setHeader("content-type", "text/javascript").end(script);
      else response.setHeader("content-type", "text/html").end("<!doctype html><title>Consumer</title>");
    });
    await using browser = await launchBrowser();
    const page = await browser.newPage();
    await page.goto(site.url);
    const run = (name: string, url: string) =>
      page.evaluate(`import("/page.js").then((page) => page[${JSON.stringify(name)}](${JSON.stringify(url)}))`);
    expect(await run("callMock", mock.url)).toEqual([
      "Physiotherapy",
      "Physiotherapy",
      4711,
      true,
      "4rZt8mQxLw2VbN6kHc1S",
    ]);
    expect(await run("followRedirect", redirecting.url)).toContain("do not follow");
    expect(elsewhere.arrivals).toEqual([]);
  });
});

describe("the package's mock", () => {
  it("says which packages are missing, and starts when they are there, on every Node", async () => {
    const code = `import { startMock } from "scheduling-service-api/mock";
      const mock = await startMock();
      console.log((await fetch(mock.url + "/v1/attendees")).status);
      await mock.close();`;
    const start = (program = process.execPath) => runIn(project.folder, program, ["--input-type=module", "-e", code]);
    const { peerDependencies } = await readManifest();
    const peers = Object.keys(peerDependencies ?? {});
    await expect(start()).rejects.toThrow(
      new RegExp(`The mock needs packages that are not installed: npm install --save-dev .*${peers[0] ?? ""}@`),
    );
    await linkPackages(project.folder, peers);
    for (const { program } of nodes) expect(await start(program)).toBe("200\n");
  });
});

describe("the README", async () => {
  const programs = readPrograms(await readFile("README.md", "utf8"), "Use the client");

  it("has programs for consumers", () => {
    expect(programs.length).toBeGreaterThan(4);
  });

  it("has programs that compile and print what they say", async () => {
    await linkPackages(project.folder, ["msw"]);
    const names = programs.map((_, index) => `readme${index}`);
    const files = names.map((name) => `${name}.ts`);
    for (const [index, { code }] of programs.entries()) {
      await project.write(files[index] ?? "", `${code.replaceAll("http://127.0.0.1:4010", mock.url)}\nexport {};\n`);
    }
    const compilerOptions = { ...strict, module: "nodenext", outDir: "readme" };
    const config = await project.write("tsconfig.readme.json", JSON.stringify({ compilerOptions, files }));
    const { script = "" } = compilers.find(({ version }) => version === "7") ?? {};
    await runIn(project.folder, process.execPath, [script, "--project", config]);
    const printed = names.map((name) => runIn(project.folder, process.execPath, [`readme/${name}.js`]));
    expect(await Promise.all(printed)).toEqual(
      programs.map(({ prints }) => prints.map((line) => `${line}\n`).join("")),
    );
  });
});

import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { launchBrowser } from "../launchBrowser.ts";
import { startServer } from "../../scripts/mock/server/server.ts";
import { startProgram } from "../fixtures/program.ts";
import { serveHttp } from "../fixtures/serveHttp.ts";
import { mockResults, newestCompiler, packPackage, runIn, strict, type Tarball } from "./project.ts";
import { readBlocks, readPackageTexts } from "./readme.ts";

const nodes = ["20.19.0", "22.12.0", "24.21.0"];
const tools = {
  ...Object.fromEntries(nodes.map((version) => [`node-${version}`, `npm:node@${version}`])),
  bun: "1.4.5",
  deno: "2.9.6",
  "@hono/node-server": "2.1.9",
  "@types/express": "5.0.6",
  express: "5.3.0",
  fastify: "5.12.8",
  hono: "4.13.19",
  jest: "30.5.2",
  miniflare: "4.20260730.0",
  npm: "10.9.4",
  pnpm: "12.21.0",
  yarn: "1.22.22",
};
const doms = { jsdom: "31.0.1", "happy-dom": "21.0.4" };
const importing = "import { main } from './mock.mjs'; main().then(console.log)";

let folder: string;
let packed: Tarball;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "environments-"));
  packed = await packPackage(folder);
  await installProject("project", tools);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Makes a folder with a package.json and the program in fixtures/mock.mjs. */
async function createProject(name: string, manifest = {}): Promise<string> {
  const project = join(folder, name);
  await mkdir(project);
  await writeFile(join(project, "package.json"), JSON.stringify({ private: true, type: "module", ...manifest }));
  await writeFile(join(project, "mock.mjs"), await readFile("test/package/fixtures/mock.mjs", "utf8"));
  return project;
}

/** Makes such a folder where some packages are installed, and the project's own. */
async function installProject(name: string, packages: Readonly<Record<string, string>>): Promise<string> {
  const dependencies = { ...packages, "scheduling-service-api": packed.tarball };
  const allowScripts = Object.fromEntries(Object.keys(packages).map((name) => [name, true]));
  const project = await createProject(name, { dependencies, allowScripts });
  await runIn(project, "npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts=false"]);
  return project;
}

/** Runs one of the tools in the project where they are installed, or in another. */
function run(tool: string, args: readonly string[], project = join(folder, "project"), env = {}): Promise<string> {
  return runIn(project, join(folder, "project/node_modules", tool), args, env);
}

describe.each(nodes)("Node %s", (version) => {
  const node = `node-${version}/bin/node`;

  it("is the one that is meant", async () => {
    expect(await run(node, ["--version"])).toBe(`v${version}\n`);
  });

  it("imports the package", async () => {
    expect(await run(node, ["--input-type=module", "-e", importing])).toBe(mockResults);
  });

  it("requires the package", async () => {
    const code = "require('./mock.mjs').main().then(console.log)";
    expect(await run(node, ["--input-type=commonjs", "-e", code])).toBe(mockResults);
  });
});

describe("other runtimes", () => {
  it("Bun", async () => {
    expect(await run(".bin/bun", ["-e", importing])).toBe(mockResults);
  });

  it("Deno", async () => {
    await writeFile(join(folder, "project/deno.mjs"), importing);
    const env = { DENO_NO_UPDATE_CHECK: "1" };
    expect(
      await run(".bin/deno", ["run", "--allow-all", "--node-modules-dir=manual", "deno.mjs"], undefined, env),
    ).toBe(mockResults);
  });
});

const node24 = "node-24.21.0/bin/node";
const onFreePort = ["--import", "./servers/onFreePort.mjs"];
const denoServe = ["serve", "--allow-all", "--node-modules-dir=manual", "--port=0"];

/** The guide's recipes of servers, by the framework. */
const frameworks = ["node:http", "express", "fastify", "hono"];

/** The programs in fixtures/servers/ and the recipes, how they are run, and what they serve: the contract, also under /api, and more. */
const servers: readonly (readonly [program: string, tool: string, args: readonly string[], served: string])[] = [
  ["node_http.js", node24, onFreePort, "/"],
  ["express.js", node24, onFreePort, "/ /health"],
  ["fastify.js", node24, onFreePort, "/ /health"],
  ["hono.js", node24, onFreePort, "/ /health"],
  ["express.mjs", node24, [], "/ /api/ /health"],
  ["hono.mjs", node24, [], "/ /api/ /health"],
  ["fetch.mjs", ".bin/bun", [], "/"],
  ["prefix.mjs", ".bin/bun", [], "/api/"],
  ["fetch.mjs", ".bin/deno", denoServe, "/"],
  ["prefix.mjs", ".bin/deno", denoServe, "/api/"],
  ["fetch.mjs", node24, ["servers/miniflare.mjs"], "/"],
  ["prefix.mjs", node24, ["servers/miniflare.mjs"], "/api/"],
];

describe("the platforms that the guide to servers names", () => {
  const authorization = "Bearer svc_known";
  const post = { method: "POST", headers: { authorization, "content-type": "application/json" } };
  const body = '{"urls":["https://a.example/a.ics"],"readOnly":true}';
  const team = "v2/organizations/42/teams/7";
  const feeds = "v2/calendars/ics-feed/save";
  const calls = [
    [team, { headers: { authorization } }, 200, '{"orgId":42,"teamId":7}'],
    [team, { method: "OPTIONS" }, 204, ""],
    [team, {}, 401, expect.stringContaining("requires credentials")],
    [feeds, { ...post, body }, 200, body],
    [feeds, { ...post, body: "{" }, 400, expect.stringContaining("not JSON")],
  ] as const;

  beforeAll(async () => {
    await cp("test/package/fixtures/servers", join(folder, "project/servers"), { recursive: true });
    const recipes = (await readPackageTexts()).get("openapi/guides/typescript/11-server.md") ?? "";
    const blocks = readBlocks(recipes).filter(({ code }) => code.includes('from "@hono/node-server"'));
    for (const framework of frameworks) {
      const { code = "" } = blocks.find((block) => block.code.includes(`from "${framework}"`)) ?? {};
      const file = join(folder, "project/servers", framework.replace(":", "_"));
      await writeFile(`${file}.ts`, code);
      await writeFile(`${file}.js`, stripTypeScriptTypes(code));
    }
    expect(blocks).toHaveLength(frameworks.length);
    const options = {
      ...strict,
      module: "nodenext",
      allowJs: true,
      noEmit: true,
      skipLibCheck: true,
      types: ["node"],
    };
    const tsconfig = JSON.stringify({ compilerOptions: options, include: ["servers/*.ts"] });
    await writeFile(join(folder, "project/tsconfig.json"), tsconfig);
    await runIn(join(folder, "project"), process.execPath, newestCompiler);
    for (const name of ["fetch.mjs", "prefix.mjs"]) {
      const build = await rolldown({ input: join(folder, "project/servers", name), logLevel: "silent" });
      await build.write({ file: join(folder, "project/workers", name), codeSplitting: false });
      await build.close();
    }
  });

  it.each(servers)("%s in %s %j", async (program, tool, args, served) => {
    const place = args.includes("servers/miniflare.mjs") ? "workers" : "servers";
    await using running = await startTool(tool, [...args, `${place}/${program}`]);
    for (const prefix of served.split(" ")) {
      if (prefix === "/health") {
        expect(await (await fetch(`${running.url}/health`)).text()).toBe("ok");
        continue;
      }
      for (const [path, init, status, text] of calls) {
        const response = await fetch(`${running.url}${prefix}${path}`, init);
        expect([response.status, await response.text()]).toEqual([status, text]);
      }
    }
  });
});

/** Starts a program that prints its URL, until it is disposed of. */
async function startTool(tool: string, args: readonly string[]) {
  const project = join(folder, "project");
  const env = { ...process.env, PORT: "0", DENO_NO_UPDATE_CHECK: "1" };
  const program = startProgram(args, { cwd: project, env, program: join(project, "node_modules", tool) });
  const port = await program.until(/\/\/[\w.]+:(\d+)/);
  return { ...program, url: `http://127.0.0.1:${port}` };
}

describe("the guides' recipes", async () => {
  const blocks = [...(await readPackageTexts()).values()].flatMap(readBlocks);
  const recipes = (name: string) =>
    blocks.flatMap(({ code }) => (code.includes(`from "${name}"`) ? [code.replace("vitest", "@jest/globals")] : []));

  it("Jest", async () => {
    await writeFile(join(folder, "project/recipe.jest.mjs"), stripTypeScriptTypes(recipes("vitest")[0] ?? ""));
    const args = ["--rootDir", ".", "--testMatch", "**/recipe.jest.mjs", "--transform", "{}"];
    await run(".bin/jest", args, undefined, { NODE_OPTIONS: "--experimental-vm-modules" });
  });

  it("Playwright", async () => {
    const project = await installProject("playwright", { "@playwright/test": "1.65.1" });
    const launch = vi.spyOn(chromium, "launch");
    await (await launchBrowser()).close();
    await using mock = await startServer({ generations: await readBuiltGenerations() });
    await using app = await serveHttp((_, response) => {
      response.setHeader("content-type", "text/html").end(`<p></p><script>
        const headers = { authorization: "Bearer svc_key" };
        fetch("${mock.url}/v2/organizations/42/schedules?take=10", { headers })
          .then((response) => response.json())
          .then(({ data }) => (document.querySelector("p").textContent = data.length === 0 ? "No schedules yet" : "Some"));
      </script>`);
    });
    const files = recipes("@playwright/test").map((code) => code.replaceAll("http://127.0.0.1:4010", mock.url));
    for (const [index, name] of ["recipe.ts", "schedules.spec.ts"].entries()) {
      await writeFile(join(project, name), files[index] ?? "");
    }
    const own = JSON.stringify({ use: { baseURL: app.url, launchOptions: launch.mock.lastCall?.[0] } });
    const config = `import config from "./recipe"; export default { ...config, ...${own} };`;
    await writeFile(join(project, "playwright.config.ts"), config);
    expect(await runIn(project, "node_modules/.bin/playwright", ["test"])).toContain("1 passed");
  });
});

describe("test runners", () => {
  const codeOf = (results: string) => `import { main } from "./mock.mjs";
    test("the mock", async () => expect(\`\${await main()}\\n\`).toBe(${JSON.stringify(results)}));`;
  const code = codeOf(mockResults);

  it("Jest with ES modules", async () => {
    await writeFile(join(folder, "project/mock.jest.mjs"), code);
    const args = ["--rootDir", ".", "--testMatch", "**/mock.jest.mjs", "--transform", "{}"];
    await run(".bin/jest", args, undefined, { NODE_OPTIONS: "--experimental-vm-modules" });
  });

  it.each(["2.1.9", "3.2.7"])("Vitest %s with jsdom, whose signals a Request of Node doesn't take", async (version) => {
    const project = await installProject(`vitest-${version}`, { ...doms, vitest: version });
    const results = mockResults.replace("NetworkError: TimeoutError", "NotSentError: TypeError");
    await writeFile(join(project, "mock.test.mjs"), codeOf(results));
    await runIn(project, "node_modules/.bin/vitest", ["run", "--globals", "--environment", "jsdom"]);
  });

  it.each(["4.1.12", "5.1.1"])("Vitest %s with jsdom and happy-dom", async (version) => {
    const project = await installProject(`vitest-${version}`, { ...doms, vitest: version });
    const check = 'if (typeof window.document !== "object") throw new Error("there is no DOM");';
    await writeFile(join(project, "mock.test.mjs"), `${code}\n${check}`);
    for (const environment of Object.keys(doms)) {
      await runIn(project, "node_modules/.bin/vitest", ["run", "--globals", "--environment", environment]);
    }
  });
});

describe.each([
  ["npm", ["install"]],
  ["pnpm", ["add"]],
  ["yarn", ["add"]],
])("%s", (manager, args) => {
  it("installs the package on the oldest Node, without a warning of engines, peers or scripts", async () => {
    const project = await createProject(manager);
    const node = join(folder, `project/node_modules/node-${nodes[0] ?? ""}/bin`);
    const env = { PATH: [node, process.env["PATH"]].join(delimiter) };
    // pnpm and Yarn write warnings to stdout or stderr.
    const command = `${join(folder, "project/node_modules/.bin", manager)} ${args.join(" ")} ${packed.tarball} 2>&1`;
    const output = await runIn(project, "sh", ["-c", command], env);
    expect(output).not.toMatch(/engine|incompatible|peer|scripts|deprecated/i);
    expect(await runIn(project, "node", ["--input-type=module", "-e", importing], env)).toBe(mockResults);
    const help = await runIn(project, "node_modules/.bin/scheduling-service-api", ["mock", "--help"], env);
    expect(help).toContain("Usage: npx scheduling-service-api mock [options]");
  });
});

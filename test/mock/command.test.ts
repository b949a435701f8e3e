import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, open, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startServer } from "../../scripts/mock/server/server.ts";
import { runCurl } from "../curl.ts";
import { startProgram, type Program } from "../fixtures/program.ts";
import { runHere } from "../pipeline/project.ts";
import { parcels, parcelsDocument } from "./fixtures/parcels.ts";
import { readRequestLog } from "./requestLog.ts";

const command = resolve("scripts/mock.ts");
const children = new Set<ChildProcess>();
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "mock-"));
  await mkdir(join(directory, "generated/parcels"), { recursive: true });
  await mkdir(join(directory, "empty"));
  await writeFile(join(directory, "generated/parcels/openapi.json"), JSON.stringify(parcelsDocument));
  await writeFile(join(directory, "redocly.yaml"), "apis:\n  parcels:\n    root: openapi.yaml\n");
  await writeFile(join(directory, "redocly.json"), JSON.stringify({ apis: [] }));
  await writeFile(join(directory, "empty/redocly.yaml"), "apis:\n  parcels:\n    root: openapi.yaml\n");
});
afterEach(() => {
  // A test that failed leaves its process behind.
  for (const child of children) child.kill();
  children.clear();
});
afterAll(async () => {
  await rm(directory, { recursive: true });
});

function start(args: readonly string[], cwd = directory, nodeArgs: readonly string[] = []): Program {
  const program = startProgram([...nodeArgs, command, ...args], { cwd });
  children.add(program.child);
  return program;
}

async function findFreePort(): Promise<string> {
  await using mock = await startServer({ generations: [parcels] });
  return new URL(mock.url).port;
}

describe("npm run mock", () => {
  test("says where it is and how to ask it, logs requests, and ends with 0 on SIGTERM", async () => {
    const { child, exit, until, output: printed } = start(["--port", "0"]);
    const lastLogged = () => readRequestLog(printed()).at(-1);
    const url = await until(/^Listening on (http:\/\/127\.0\.0\.1:\d+)\n/);
    expect(await until(/\n {2}Mock +(\S+ {2}parcels: \d+ operations)\n/)).toBe(`${url}  parcels: 10 operations`);
    const curl = await until(/\nTry it: (curl .*)\n/);
    expect((await runCurl(curl, "--silent --include")).output).toMatch(/^HTTP\/1\.1 200 /);
    expect((await fetch(await until(/\n {2}Mock's page {2}(.*\/-\/mock\/)\n/))).status).toBe(200);
    await until(/\n(Ready after [\d.]+ (?:ms|s))\n/);
    await fetch(`${url}/parcels/seven?apiKey=topsecret`, { headers: { "x-mock-session": "a\tb" } });
    await expect.poll(lastLogged).toMatchObject({
      status: "422",
      method: "GET",
      target: "/parcels/seven?apiKey=***",
      notes: [String.raw`session a\u0009b`],
      details: ['The path parameter parcelId must be a number; received "seven".'],
    });
    const headers = { authorization: "Bearer t", "content-type": "application/json" };
    await fetch(`${url}/parcels?take=none`, { method: "POST", headers, body: '{ "weight": "x", "code": 1, "z": 2 }' });
    await expect.poll(lastLogged).toMatchObject({
      status: "422",
      method: "POST",
      target: "/parcels?take=none",
      notes: ["2 violations"],
      details: [
        '/weight in the body must be a number; received "x".',
        "/code in the body must be a string.",
        'the operation has no query parameter "take", so it is ignored: there are none',
      ],
    });
    child.kill("SIGTERM");
    const { code, output } = await exit;
    // Looking at the mock is not logged.
    expect([code, output.includes("GET /-/mock/")]).toEqual([0, false]);
  });

  test("serves given files, ends with 0 on SIGINT, and logs nothing with --quiet", async () => {
    const files = ["harbor", "library", "museum"].map((name) => resolve(`test/foreign/descriptions/${name}.yaml`));
    const { child, exit, until } = start([...files, "--port", "0", "--quiet"]);
    const url = await until(/^Listening on (\S+)\n[^]*Try it/m);
    expect((await fetch(`${url}/parcels/1`)).status).toBe(404);
    const ships: unknown = await (await fetch(`${url}/ships`)).json();
    expect(ships).toMatchObject([{ name: "Elbe", captain: null, cargo: null }, { name: "Oder" }]);
    child.kill("SIGINT");
    const { code, output } = await exit;
    expect(code).toBe(0);
    expect(output).not.toMatch(/\/parcels\/1 {2}/);
    expect(output).toContain("\nThe base path /v1 of the contract's server isn't served\n");
    expect(output).toContain("test/foreign/descriptions/harbor/parts.yaml:22:11: warning (struct)");
  });

  test.each([
    [
      "an unknown option",
      ["--prot", "1"],
      "there is no option --prot: did you mean --port? See: npm run mock -- --help",
    ],
    ["an option unlike any", ["--zzz"], "there is no option --zzz. See: npm run mock -- --help"],
    ["no value", ["--upstream"], "--upstream needs a value: --upstream URL. See: npm run mock -- --help"],
    ["a negative number", ["--port", "-1"], "Option '--port' argument is ambiguous. See: npm run mock -- --help"],
    ["no port", ["--port", "many"], '--port must be a number from 0 to 65535, not "many"'],
    ["no latency", ["--latency", "400-100"], "--latency must be milliseconds, as in 200, or two of them"],
    ["half a latency", ["--latency", "100-"], 'at most 60000, not "100-"'],
    ["no probability", ["--fail", "5%"], '--fail must be a probability from 0 to 1, as in 0.05, not "5%"'],
    ["no limit", ["--body-limit", "1MB"], '--body-limit must be a whole number of bytes from 1 to 67108864, not "1MB"'],
    ["no host", ["--host", ""], "--host must be a name or an address of this machine"],
    [
      "an unusable host",
      ["--allowed-hosts", "a,b c"],
      '--allowed-hosts must be names or addresses separated by commas, not "b c"',
    ],
    [
      "no origin",
      ["--allow-origin", "http://a.example, b"],
      '--allow-origin must be origins such as http://localhost:5173 separated by commas, not "b"',
    ],
    ["no status", ["--unknown", "Parcel=403"], "--unknown must be 404, or types as in Team=404, separated by commas"],
    [
      "a seed of another contract",
      ["--seed-state", "redocly.json"],
      "redocly.json cannot be used: /apis is not a type of resource: there are parcels",
    ],
    ["an unknown generation", ["--generation", "v9"], 'there is no generation "v9": there are parcels'],
  ])("ends with 1 and one line: %s", async (_, args, words) => {
    const { code, stdout, stderr } = await runHere(directory, "mock.ts", args);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(words);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });

  test("escapes what would control the terminal, in names of others", async () => {
    const file = join(directory, "controls.json");
    await writeFile(file, JSON.stringify({ "\u001b[2J\u009b31m\u202e": {} }));
    const { code, stderr } = await runHere(directory, "mock.ts", ["--seed-state", file]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(String.raw`/\u001b[2J\u009b31m\u202e is not a type of resource`),
    ]);
  });

  test("is slow and fails as --latency and --fail say", async () => {
    const upstream = ["--upstream", "http://127.0.0.1:9"];
    const { until, output } = start(["--port", "0", "--latency", "30-40", "--fail", "1", ...upstream]);
    const url = await until(/^Listening on (\S+)\n[^]*Try it/);
    await until(/\n {2}Upstream {5}http:\/\/127\.0\.0\.1:9 {2}(gets all requests)\n/);
    expect((await fetch(`${url}/parcels/1`)).status).toBe(503);
    const lastLogged = () => readRequestLog(output()).at(-1);
    const details = ["The mock was started to fail requests with a probability of 1."];
    await expect.poll(lastLogged).toMatchObject({ status: "503", target: "/parcels/1", notes: ["fault"], details });
    // A timer may end a fraction of a millisecond early.
    expect(lastLogged()?.milliseconds).toBeGreaterThan(29);
  });

  test("serves the generations of redocly.yaml, and no other that was built", async () => {
    const project = join(directory, "listed");
    for (const name of ["parcels", "former"]) {
      await mkdir(join(project, "generated", name), { recursive: true });
      await writeFile(join(project, "generated", name, "openapi.json"), JSON.stringify(parcelsDocument));
    }
    await writeFile(join(project, "redocly.yaml"), "apis:\n  parcels:\n    root: openapi.yaml\n");
    const { child, exit, until } = start(["--port", "0"], project);
    await until(/\n(Try it)/);
    child.kill("SIGTERM");
    const { output } = await exit;
    expect(output).toMatch(/ {2}parcels: 10 operations\n {2}Mock's page .*\nTry it/);
  });

  test("ends with 1 and one line where the port is in use", async () => {
    await using mock = await startServer({ generations: [parcels] });
    const { port } = new URL(mock.url);
    const { code, output } = await start(["--port", port]).exit;
    expect(code).toBe(1);
    expect(output).toMatch(new RegExp(`^error: port ${port} of 127\\.0\\.0\\.1 is in use: .*\n$`));
  });

  test("ends with 1 and one line where nothing has been built", async () => {
    const { code, output } = await start([], join(directory, "empty")).exit;
    expect(code).toBe(1);
    expect(output).toMatch(/^error: .*openapi\.json does not exist: run npm run build first\n$/);
  });
});

describe("npm run mock -- --watch", () => {
  const root = "openapi.yaml";
  const part = "parts/word.yaml";
  const description = (reference = part) =>
    [
      "openapi: 3.1.1",
      "info: { title: Words, version: 1.0.0 }",
      "paths:",
      "  /word:",
      `    $ref: ${reference}#/components/pathItems/Word`,
      "",
    ].join("\n");
  const pathItem = (example: string) =>
    [
      "components:",
      "  pathItems:",
      "    Word:",
      "      get:",
      "        responses:",
      '          "200":',
      "            description: A word.",
      "            content:",
      "              application/json:",
      `                example: ${example}`,
      "",
    ].join("\n");

  /** A folder of sources that says a word. */
  async function writeSources(folder: string, word: string): Promise<void> {
    await mkdir(join(folder, "parts"), { recursive: true });
    await writeFile(join(folder, root), description());
    await writeFile(join(folder, part), pathItem(word));
  }

  async function writeProject(name: string, word: string): Promise<string> {
    const project = join(directory, name);
    await writeSources(join(project, "openapi"), word);
    const configuration = [
      "apis: { words: { root: openapi/openapi.yaml } }",
      "extends: [minimal]",
      `plugins: [${resolve("scripts/redocly/plugin.ts")}]`,
      "rules: { house/unused-source: error }",
    ];
    await writeFile(join(project, "redocly.yaml"), configuration.join("\n"));
    return project;
  }

  /** Asks until the answer is this word. */
  async function expectWord(url: string, word: string): Promise<void> {
    await expect.poll(async (): Promise<unknown> => (await fetch(`${url}/word`)).json()).toBe(word);
  }

  async function startWatching(project: string) {
    const started = start(["--watch", "--port", "0"], project);
    const url = await started.until(/^Listening on (\S+)\n[^]*Try it/);
    return {
      ...started,
      says: (word: string) => expectWord(url, word),
      untilRefused: () => started.until(/last valid contract is still served/),
    };
  }

  test("reloads saved sources, and keeps serving if they are broken", async () => {
    const project = await writeProject("watched", "first");
    const file = join(project, "openapi", part);
    const { child, exit, until, says } = await startWatching(project);
    await says("first");

    await writeFile(file, pathItem("second"));
    await until(/\n(\d\d:\d\d:\d\d Reloaded in [\d.]+ m?s: words: 1 operation\n)/);
    await says("second");

    await writeFile(file, pathItem("[broken"));
    await until(/(word\.yaml:\d+:\d+: error[^]*last valid contract is still served)/);
    await says("second");

    // An older commit may have followed rules that are gone.
    await appendFile(join(project, "redocly.yaml"), "\ndecorators:\n  house/no-longer-there: on\n");
    await writeFile(file, pathItem("third"));
    await until(/(redocly\.yaml:\d+:\d+: warning .*\n.*has no rule or decorator house\/no-longer-there)/);
    await says("third");

    child.kill("SIGTERM");
    expect((await exit).code).toBe(0);
  });

  // What is full is a device of Linux.
  test.skipIf(!existsSync("/dev/full")).each(["its readers have left", "the disk is full"])(
    "keeps running when it cannot print because %s",
    async (reason) => {
      const project = await writeProject(reason, "first");
      // Each time that the sources are loaded, there is a warning to print on stderr, and on stdout that they were.
      await writeFile(join(project, "openapi/unused.yaml"), pathItem("unused"));
      const port = await findFreePort();
      await using full = await open("/dev/full", "w");
      const output = reason === "the disk is full" ? full.fd : "pipe";
      const child = spawn(process.execPath, [command, "--watch", "--port", port], {
        cwd: project,
        stdio: ["ignore", output, output],
      });
      children.add(child);
      child.stdout?.destroy();
      child.stderr?.destroy();
      for (const word of ["first", "second", "third"]) {
        await writeFile(join(project, "openapi", part), pathItem(word));
        await expectWord(`http://127.0.0.1:${port}`, word);
      }
      child.kill("SIGTERM");
      expect(await once(child, "exit")).toEqual([0, null]);
    },
  );

  describe("notices each time that", () => {
    let project: string;
    let watching: Awaited<ReturnType<typeof startWatching>>;

    beforeAll(async () => {
      project = await writeProject("changing", "first");
      watching = await startWatching(project);
      // These tests share a process, so that each begins with what the others left.
      children.delete(watching.child);
    });
    afterAll(async () => {
      watching.child.kill("SIGTERM");
      expect((await watching.exit).code).toBe(0);
    });

    test.each<[string, (folder: string, word: string) => Promise<void>]>([
      [
        "a file is written aside and renamed",
        async (folder, word) => {
          await writeFile(join(folder, `${part}~`), pathItem(word));
          await rename(join(folder, `${part}~`), join(folder, part));
        },
      ],
      [
        "a file is moved away as a backup, and written again",
        async (folder, word) => {
          await rename(join(folder, part), join(folder, `${part}~`));
          await writeFile(join(folder, part), pathItem(word));
          await rm(join(folder, `${part}~`));
        },
      ],
      [
        "a file is emptied, and later written",
        async (folder, word) => {
          await writeFile(join(folder, part), "");
          await watching.untilRefused();
          await writeFile(join(folder, part), pathItem(word));
        },
      ],
      [
        "a file is deleted, and later created",
        async (folder, word) => {
          await rm(join(folder, part));
          await watching.untilRefused();
          await writeFile(join(folder, part), pathItem(word));
        },
      ],
      [
        "a folder inside is deleted, and later created",
        async (folder, word) => {
          await rm(join(folder, "parts"), { recursive: true });
          await watching.untilRefused();
          await writeSources(folder, word);
        },
      ],
      [
        "the whole folder is deleted, and created at once",
        async (folder, word) => {
          await rm(folder, { recursive: true });
          await writeSources(folder, word);
        },
      ],
      [
        "the whole folder is deleted, and later created",
        async (folder, word) => {
          await rm(folder, { recursive: true });
          await watching.untilRefused();
          await writeSources(folder, word);
        },
      ],
      [
        "the whole folder is replaced by another",
        async (folder, word) => {
          await writeSources(join(directory, word), word);
          await rename(folder, join(directory, `before ${word}`));
          await rename(join(directory, word), folder);
        },
      ],
      [
        "the whole folder is replaced by a link, and that by another",
        async (folder, word) => {
          await writeSources(join(directory, word), word);
          await rm(folder, { recursive: true });
          await symlink(join(directory, word), folder);
        },
      ],
      [
        "a folder is created that a reference already leads to",
        async (folder, word) => {
          await writeFile(join(folder, root), description(`${word}/deep/word.yaml`));
          await watching.untilRefused();
          await mkdir(join(folder, word, "deep"), { recursive: true });
          await rename(join(folder, part), join(folder, word, "deep/word.yaml"));
          await writeFile(join(folder, word, "deep/word.yaml"), pathItem(word));
          await watching.says(word);
          await rm(join(folder, word), { recursive: true });
          await writeSources(folder, word);
        },
      ],
      [
        "a file is deleted that nothing refers to",
        async (folder, word) => {
          await writeFile(join(folder, "parts/unused.yaml"), pathItem("unused"));
          await writeFile(join(folder, part), pathItem(word));
          await watching.until(/(Nothing refers to \S*parts\/unused\.yaml)/);
          await rm(join(folder, "parts/unused.yaml"));
        },
      ],
    ])("%s", async (name, change) => {
      const folder = join(project, "openapi");
      // Twice: a watcher may be deaf only after it has reported a change.
      for (const time of ["once", "again"]) {
        const word = `${name} ${time}`.replaceAll(/\W+/g, "-");
        watching.forget();
        await change(folder, word);
        await watching.says(word);
        await writeFile(join(folder, part), pathItem(`${word}-and-saved`));
        await watching.says(`${word}-and-saved`);
      }
    });
  });
});

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startServer } from "../../scripts/mock/server.ts";
import { runCurl } from "../curl.ts";
import { parcels, parcelsDocument } from "./fixtures/parcels.ts";

const command = resolve("scripts/mock.ts");
const children = new Set<ChildProcess>();
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "mock-"));
  await mkdir(join(directory, "generated/parcels"), { recursive: true });
  await mkdir(join(directory, "empty"));
  await writeFile(join(directory, "generated/parcels/openapi.json"), JSON.stringify(parcelsDocument));
  await writeFile(join(directory, "redocly.yaml"), "apis:\n  parcels:\n    root: openapi.yaml\n");
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

function start(args: readonly string[], cwd = directory) {
  const child = spawn(process.execPath, [command, ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] });
  children.add(child);
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  const exit = once(child, "exit").then(([code]) => ({ code: Number(code), output }));
  const until = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const found = pattern.exec(output);
      if (found !== null) return found[1] ?? "";
      await Promise.race([once(child.stdout, "data"), once(child.stderr, "data"), exit]);
      if (child.exitCode !== null) throw new Error(`it ended: ${output}`);
    }
  };
  return { child, exit, until };
}

describe("npm run mock", () => {
  test("says where it is and how to ask it, logs requests, and ends with 0 on SIGTERM", async () => {
    const { child, exit, until } = start(["--port", "0"]);
    const url = await until(/^Listening on (http:\/\/127\.0\.0\.1:\d+)\n/);
    expect(await until(/\n\s+(parcels: \d+ operations)\n/)).toBe("parcels: 10 operations");
    const curl = await until(/\nTry it: (curl .*)\n/);
    expect((await runCurl(curl, "--silent --include")).output).toMatch(/^HTTP\/1\.1 200 /);
    await fetch(`${url}/parcels/seven?apiKey=topsecret`);
    expect(await until(/\n(GET \/parcels\/seven\?.*)\n/)).toMatch(
      /^GET \/parcels\/seven\?apiKey=\*\*\* 422 [\d.]+ ms The path parameter parcelId must be a number; received "seven"\.$/,
    );
    child.kill("SIGTERM");
    expect((await exit).code).toBe(0);
  });

  test("ends with 0 on SIGINT, and logs nothing with --quiet", async () => {
    const { child, exit, until } = start(["--port", "0", "--quiet"]);
    const url = await until(/^Listening on (\S+)\n[^]*Try it/);
    await fetch(`${url}/parcels/1`);
    child.kill("SIGINT");
    const { code, output } = await exit;
    expect(code).toBe(0);
    expect(output).not.toContain("/parcels/1 200");
  });

  test.each([
    ["an unknown option", ["--prot", "1"], "Unknown option '--prot'"],
    ["no port", ["--port", "many"], '--port must be a number from 0 to 65535, not "many"'],
    ["no latency", ["--latency", "400-100"], "--latency must be milliseconds, as in 200, or two of them"],
    ["half a latency", ["--latency", "100-"], 'at most 60000, not "100-"'],
    ["no probability", ["--fail", "5%"], '--fail must be a probability from 0 to 1, as in 0.05, not "5%"'],
    ["an unknown generation", ["--generation", "v9"], 'there is no generation "v9": there are parcels'],
  ])("ends with 1 and one line: %s", async (_, args, words) => {
    const { code, output } = await start(args).exit;
    expect(code).toBe(1);
    expect(output).toContain(words);
    expect(output.trim().split("\n")).toHaveLength(1);
  });

  test("is slow and fails as --latency and --fail say", async () => {
    const { until } = start(["--port", "0", "--latency", "30-40", "--fail", "1"]);
    const url = await until(/^Listening on (\S+)\n[^]*Try it/);
    expect((await fetch(`${url}/parcels/1`)).status).toBe(503);
    const milliseconds = await until(
      /GET \/parcels\/1 503 ([\d.]+) ms The mock fails requests with a probability of 1/,
    );
    // A timer may end a fraction of a millisecond early.
    expect(Number(milliseconds)).toBeGreaterThan(29);
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
    expect(output).toMatch(/\n {2}parcels: 10 operations\nTry it/);
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
  const source = (example: string) =>
    [
      "openapi: 3.1.1",
      "info: { title: Words, version: 1.0.0 }",
      "paths:",
      "  /word:",
      "    get:",
      "      responses:",
      '        "200":',
      "          description: A word.",
      "          content:",
      "            application/json:",
      `              example: ${example}`,
      "",
    ].join("\n");

  test("takes over what is saved, and keeps serving where that is broken", async () => {
    const project = join(directory, "watched");
    const file = join(project, "openapi/words.yaml");
    await mkdir(join(project, "openapi"), { recursive: true });
    await writeFile(
      join(project, "redocly.yaml"),
      "apis:\n  words:\n    root: openapi/words.yaml\nextends: [minimal]\n",
    );
    await writeFile(file, source("first"));

    const { child, exit, until } = start(["--watch", "--port", "0"], project);
    const url = await until(/^Listening on (\S+)\n[^]*Try it/);
    const word = async (): Promise<unknown> => (await fetch(`${url}/word`)).json();
    expect(await word()).toBe("first");

    await writeFile(file, source("second"));
    await until(/(Reloaded in \d+ ms: words: 1 operations\n)/);
    expect(await word()).toBe("second");

    await writeFile(file, source("[broken"));
    await until(/(words\.yaml:\d+:\d+: error[^]*last valid contract is still served)/);
    expect(await word()).toBe("second");

    // As editors do: written aside, then renamed.
    await writeFile(`${file}~`, source("third"));
    await rename(`${file}~`, file);
    await until(/Reloaded[^]*still served[^]*(Reloaded)/);
    expect(await word()).toBe("third");

    child.kill("SIGTERM");
    expect((await exit).code).toBe(0);
  });
});

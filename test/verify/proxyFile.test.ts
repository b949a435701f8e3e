import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, vi } from "vitest";
import { secretsOf } from "../../scripts/exchange/secrets.ts";
import { isObject, objectsOf, parseJson, valueAt } from "../../scripts/spec/json.ts";
import { writeHar } from "./harText.ts";
import { repository, runHere } from "../pipeline/project.ts";
import { serveJson } from "./smallProject.ts";

/** Lets the proxy forward one request, does something, and stops it. Returns the output of the proxy. */
async function record(file: string, args: readonly string[] = [], meanwhile = () => Promise.resolve()) {
  await using server = await serveJson(() => ({ status: 200, body: {} }));
  const command = [
    join(repository, "scripts/verify.ts"),
    "--proxy",
    "--server",
    server.url,
    "--har-out",
    file,
    ...args,
  ];
  const child = spawn(process.execPath, command, { cwd: repository, stdio: ["ignore", "ignore", "pipe"] });
  const lines: string[] = [];
  const reading = createInterface(child.stderr);
  const ended = once(child, "close");
  for await (const line of reading) {
    lines.push(line);
    const url = /^Listening on (\S+),/.exec(line)?.[1];
    if (url === undefined) continue;
    await (await fetch(`${url}/v2/event-types/1?token=svc_live_0001`)).text();
    await meanwhile();
    child.kill("SIGINT");
  }
  await ended;
  return { code: child.exitCode, stderr: lines.join("\n") };
}

async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), "har-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

/** The number of exchanges in a recording; `undefined` if a file is none. */
async function entriesIn(file: string): Promise<unknown> {
  const log = valueAt(parseJson(await readFile(file, "utf8")), ["log"]);
  return isObject(log) && Array.isArray(log["entries"]) ? log["entries"].length : undefined;
}

const foreign = JSON.stringify({ log: { version: "1.2", creator: { name: "a browser", version: "1" }, entries: [] } });

/** Starts the proxy where it refuses to start. */
function refused(file: string, args: readonly string[] = []) {
  return runHere(repository, "verify.ts", ["--proxy", "--server", "http://127.0.0.1:9", "--har-out", file, ...args]);
}

// In this process, so one after the other.
describe("npm run verify -- --proxy, before it listens,", () => {
  it.each([
    ["a recording of another program", foreign],
    ["notes", "# Do not lose this"],
    ["an empty file", ""],
  ])("refuses to replace %s", async (_, content) => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "traffic.har");
    await writeFile(file, content);
    const { code, stderr } = await refused(file);
    const message = `error: ${file} already exists, and this command didn't write it`;
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).toMatch(/replace it with --force\n$/);
    expect(await readFile(file, "utf8")).toBe(content);
    expect(await readdir(folder.path)).toEqual(["traffic.har"]);
  });

  it("rejects names that aren't files or can't be written, with all permissions", async () => {
    await using folder = await temporaryFolder();
    const isFolder = await refused(folder.path, ["--force"]);
    expect([isFolder.code, isFolder.stderr]).toEqual([
      2,
      expect.stringContaining(`error: ${folder.path} isn't a file`),
    ]);
    const file = join(folder.path, "absent/traffic.har");
    const isAbsent = await refused(file, ["--force"]);
    expect([isAbsent.code, isAbsent.stderr]).toEqual([2, expect.stringContaining(`error: ${file} can't be written`)]);
    const hasNoName = await refused("", ["--force"]);
    expect([hasNoName.code, hasNoName.stderr]).toEqual([
      2,
      expect.stringContaining("error: --har-out needs a file name"),
    ]);
    expect(isFolder.stderr + isAbsent.stderr + hasNoName.stderr).not.toContain("    at ");
  });

  it("doesn't replace a link to a missing file, or a read-only file", async () => {
    await using folder = await temporaryFolder();
    const [link, file] = [join(folder.path, "link.har"), join(folder.path, "traffic.har")];
    await symlink("absent.har", link);
    await writeFile(file, writeHar([], secretsOf([])), { mode: 0o400 });
    for (const [name, reason] of [
      [link, "is a link to a missing file"],
      [file, "is read-only"],
    ] as const) {
      const { code, stderr } = await refused(name);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`error: ${name} ${reason}`)]);
    }
    expect(await readlink(link)).toBe("absent.har");
  });
});

describe.concurrent("npm run verify -- --proxy", () => {
  it("replaces its own recording, and with --force any file, also through a link", async () => {
    await using folder = await temporaryFolder();
    const [file, link] = [join(folder.path, "traffic.har"), join(folder.path, "link.har")];
    await writeFile(file, foreign);
    await symlink(file, link);
    expect((await record(link, ["--force"])).stderr).toContain(`Wrote 1 exchange to ${link}`);
    expect(await entriesIn(file)).toBe(1);
    expect((await record(file)).stderr).toContain(`Wrote 1 exchange to ${file}`);
    expect(await entriesIn(link)).toBe(1);
    expect((await stat(file)).mode & 0o077).toBe(0);
    expect(await readdir(folder.path)).toEqual(["link.har", "traffic.har"]);
  });

  it("saves exchanges as they end, masked and with their times", async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "traffic.har");
    const before = Date.now();
    await record(file, [], async () => {
      const [aside = ""] = await readdir(folder.path);
      await vi.waitFor(async () => {
        expect(await entriesIn(join(folder.path, aside))).toBe(1);
      });
      const text = await readFile(join(folder.path, aside), "utf8");
      expect(text).toContain("token=***");
      expect(text).not.toContain("svc_live_0001");
      const [entry] = objectsOf(valueAt(parseJson(text), ["log", "entries"]));
      const startedAt = Date.parse(String(entry?.["startedDateTime"]));
      expect(startedAt).toBeGreaterThanOrEqual(before);
      expect(startedAt).toBeLessThanOrEqual(Date.now());
    });
    expect(await readdir(folder.path)).toEqual(["traffic.har"]);
    expect(await entriesIn(file)).toBe(1);
  });

  it("keeps a file that is saved there in the meantime, and names the recording", async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "traffic.har");
    const { code, stderr } = await record(file, [], () => writeFile(file, "saved meanwhile"));
    expect(code).toBe(2);
    expect(await readFile(file, "utf8")).toBe("saved meanwhile");
    const [, aside = ""] = /The recording is in (\S+)/.exec(stderr) ?? [];
    expect(await entriesIn(aside)).toBe(1);
  });
});

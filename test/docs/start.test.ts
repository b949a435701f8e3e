import { mkdtempDisposable, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect } from "vitest";
import { responseOf } from "../../scripts/spec/openapi.ts";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { exampleRequest, requestTo } from "../fixtures/exampleRequest.ts";
import { errorCode } from "../../scripts/contract/failures.ts";
import { defaultMockUrl } from "../../scripts/contract/defaultAddress.ts";
import type { Generation } from "../../scripts/contract/generation.ts";
import { readAddresses } from "../../scripts/docs/model/addresses.ts";
import { runCurl } from "../curl.ts";
import { freePort } from "../fixtures/freePort.ts";
import { patience, startProgram } from "../fixtures/program.ts";
import { startServer } from "../../scripts/mock/server/server.ts";
import { sendRaw } from "../mock/raw.ts";
import { readBlocks } from "../package/readme.ts";
import { it } from "./it.ts";
import type { Docs } from "./start.ts";

let docs: Docs;
let generations: readonly Generation[];

it.beforeAll(async ({ docs: started }) => {
  docs = started;
  generations = await readBuiltGenerations();
});

describe("npm start", () => {
  it("serves the site at / and each generation's mock beside it", async () => {
    expect((await fetch(docs.url)).headers.get("content-type")).toBe("text/html; charset=utf-8");
    for (const { name, document } of generations) {
      expect((await fetch(`${docs.url}/${name}/`)).headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(await (await fetch(`${docs.url}/${name}/openapi.json`)).json()).toMatchObject({ paths: document.paths });
      const unknown = await fetch(`${docs.url}/${name}/no-such-path`);
      expect([unknown.status, unknown.headers.get("content-type")]).toEqual([404, "application/problem+json"]);
    }
    expect(await (await fetch(`${docs.url}/-/mock/faults`)).json()).toEqual([]);
    const page = await fetch(`${docs.url}/-/mock`, { headers: { accept: "text/html" } });
    expect([page.url, await page.text()]).toEqual([`${docs.url}/-/mock/`, expect.stringContaining("<h1>Mock")]);
  });

  it("serves the requests of the README's commands", async () => {
    const blocks = readBlocks(await readFile("README.md", "utf8")).filter(({ language }) => language === "sh");
    // The mock runs already.
    const commands = blocks.flatMap(({ code }) => {
      const lines = code.split("\n").filter((line) => !line.includes("npm start"));
      return code.includes(defaultMockUrl) ? [lines.join("\n")] : [];
    });
    // What it starts here is stateless, which verify would notice.
    await using mock = await startServer({ generations });
    const [team, verified, ...others] = await Promise.all(
      commands.map((code) => {
        const options = code.includes("verify") ? "--rate 100" : "";
        return runCurl(code.trim().replaceAll(defaultMockUrl, mock.url), options);
      }),
    );
    expect([team?.code, team?.output]).toEqual([0, expect.stringContaining('"Physiotherapy"')]);
    expect([verified?.code, verified?.output]).toEqual([0, expect.stringContaining("\nNo contradictions: ")]);
    expect(others).toEqual([]);
  });

  it("serves the site to this machine alone", async () => {
    const { status, body } = await sendRaw(docs.url, "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    expect([status, JSON.parse(body)]).toMatchObject([421, { violations: [{ name: "Host" }] }]);
  });

  it("keeps serving after the reader of its first line has left", async () => {
    for (const target of ["/v2/no-such-path", "/v2/neither"]) {
      expect((await fetch(docs.url + target)).status).toBe(404);
    }
    expect((await fetch(docs.url)).status).toBe(200);
  });

  it("has samples that send their requests to it, on any port", async () => {
    for (const generation of generations) {
      const addresses = readAddresses(generation);
      for (const operation of generation.operations) {
        const page = await (await fetch(`${docs.url}/${addresses.operations.get(operation) ?? ""}`)).text();
        expect([operation.name, page.includes(docs.url), page.includes("127.0.0.1:4010")]).toEqual([
          operation.name,
          true,
          false,
        ]);
      }
    }
  });

  it("starts even if nobody reads stderr, and makes early requests wait for the docs", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "docs-"));
    const port = await freePort();
    await using program = start(["--port", String(port), "--docs", join(folder.path, "site")]);
    program.child.stderr?.destroy();
    const response = await fetchOnceReachable(`http://127.0.0.1:${port}/`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await program.until(/^Listening on (\S+)\n/)).toBe(`http://127.0.0.1:${port}`);
    program.child.kill("SIGTERM");
    expect((await program.exit).code).toBe(0);
  });

  it("stops with an explanation if the docs can't be written", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "docs-"));
    await writeFile(join(folder.path, "notes.txt"), "mine");
    const { code, stdout, stderr } = await start(["--port", "0", "--docs", folder.path, "--stateless"]).exit;
    expect([stdout, code]).toEqual(["", 1]);
    expect(stderr).toMatch(/error: \S+ contains other files/);
    expect(stderr).not.toContain("    at ");
  });

  it("leads browsers from a folder's name to the folder, and others to the mock", async () => {
    for (const { name } of generations) {
      const browser = await fetch(`${docs.url}/${name}?x=1`, { redirect: "manual", headers: { accept: "text/html" } });
      expect([browser.status, browser.headers.get("location")]).toEqual([308, `/${name}/?x=1`]);
      const other = await fetch(`${docs.url}/${name}`, { redirect: "manual" });
      expect([other.status, other.headers.get("content-type")]).toEqual([404, "application/problem+json"]);
    }
  });

  it("lets the mock respond to every operation, for any client and next to any file of the docs", async () => {
    const operations = generations.flatMap((generation) => generation.operations);
    for (const operation of operations) {
      const request = exampleRequest(operation);
      const accept = { ...request.headers, accept: "text/html, */*" };
      const response = await fetch(requestTo(docs.url, { ...request, headers: accept }));
      const declared = responseOf(operation.responses, response.status)?.content.map(({ mediaType }) => mediaType);
      const type = response.headers.get("content-type");
      expect([operation.name, type, declared]).toEqual([operation.name, declared?.[0] ?? null, declared]);
    }
  });

  it("serves every file of the site, and shows no other", async () => {
    const entries = await readdir(docs.folder, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    expect(paths.length).toBeGreaterThan(10);
    for (const path of paths) {
      const { pathname } = new URL(relative(docs.folder, path).replaceAll(sep, "/"), `${docs.url}/`);
      const response = await fetch(docs.url + pathname);
      if (pathname.includes("/.")) expect(response.status).toBe(404);
      else expect([path, (await readFile(path)).equals(await response.bytes())]).toEqual([path, true]);
    }
  });

  it.each([
    "/nothing",
    "/assets/nothing.html",
    "/../package.json",
    "/..%2fpackage.json",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/assets/../../package.json",
    String.raw`/..\package.json`,
    "//etc/passwd",
    "//",
    "/%00",
    "/%E0%A4%A",
    "/index.html/",
    "/.made-from",
    "/assets/",
    "/assets",
    "/__proto__",
    "/constructor",
    `/${"a".repeat(8000)}`,
    "/%3f/../../package.json&",
  ])("answers 404 with the site's page for %s, which is outside the site", async (target) => {
    const { status, body } = await sendRaw(docs.url, `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    expect([status, body]).toEqual([404, await readFile(join(docs.folder, "404.html"), "utf8")]);
  });

  it("has a policy in each page, and by HTTP lets no page frame another", async () => {
    for (const target of ["/", "/nothing", ...generations.map(({ name }) => `/${name}/`)]) {
      const response = await fetch(docs.url + target);
      expect(await response.text()).toContain('<meta http-equiv="content-security-policy" content="default-src ');
      expect(response.headers.get("content-security-policy")).toBe("frame-ancestors 'none'");
    }
  });

  it("lets browsers cache immutable files", async () => {
    const [, styles = ""] = /href="(?:\.\/)?(assets\/[^"]+\.css)"/.exec(await (await fetch(docs.url)).text()) ?? [];
    const { headers } = await fetch(`${docs.url}/${styles}`);
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  });
});

function start(options: readonly string[]) {
  return startProgram(["scripts/start.ts", ...options]);
}

/** Requests a URL again and again until something listens there. */
async function fetchOnceReachable(url: string): Promise<globalThis.Response> {
  const signal = AbortSignal.timeout(patience);
  for (;;) {
    const response = await fetch(url, { signal }).catch((error: unknown) => {
      if (error instanceof Error && errorCode(error.cause) === "ECONNREFUSED") return undefined;
      throw error;
    });
    if (response !== undefined) return response;
    await setImmediate();
  }
}

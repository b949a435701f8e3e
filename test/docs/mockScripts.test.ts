import { mkdir, mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { makeMockScripts, type MockScripts } from "../../scripts/docs/site/mockScripts.ts";
import { createEngine } from "../../scripts/mock/server/engine.ts";
import { valueAt } from "../../scripts/spec/json.ts";
import { allKindsOfRequests } from "../fixtures/allKindsOfRequests.ts";
import { gzippedSize } from "../package/bundle.ts";
import { answersOf } from "../package/fixtures/answers.mjs";
import { serveFolder, watch } from "./browser.ts";
import { it } from "./it.ts";
import { siteUrl } from "./sharedDocs.ts";

const generations = await readBuiltGenerations();
const requests = await allKindsOfRequests(generations);
const policy = "default-src 'none'; script-src 'self'";
/** A page as the site has them, two folders deep. */
const path = "v2/teams/index.html";
const markup = `<!doctype html><meta charset="utf-8"><meta http-equiv="content-security-policy" content="${policy}"><title>Mock</title>`;

let scripts: MockScripts;
let folder: Awaited<ReturnType<typeof mkdtempDisposable>>;
beforeAll(async () => {
  [scripts, folder] = await Promise.all([makeMockScripts(generations), mkdtempDisposable(join(tmpdir(), "mock-"))]);
  const all = [scripts.engine, ...scripts.libraries, ...scripts.documents.values(), { path, content: markup }];
  for (const file of all) {
    await mkdir(dirname(join(folder.path, file.path)), { recursive: true });
    await writeFile(join(folder.path, file.path), file.content);
  }
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
});

/** Loads the engine and the contract into a page as a form would: by elements. */
async function loadMock(page: Page): Promise<void> {
  for (const file of [...scripts.documents.values(), scripts.engine]) {
    await page.evaluate(`new Promise((resolve, reject) => {
      const script = Object.assign(document.createElement("script"), { src: "../../${file.path}" });
      script.onload = resolve;
      script.onerror = reject;
      document.head.append(script);
    })`);
  }
}

describe.each(["a sub-path of a host", "file://"])("the mock in a page of %s", (place) => {
  const isServed = place !== "file://";

  it("gives every answer that it gives in Node.js", { timeout: 60_000 }, async ({ browser }) => {
    const address = isServed ? siteUrl : `${pathToFileURL(folder.path).href}/`;
    await using watched = await watch(browser, address);
    const { page, faults } = watched;
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(request.url().slice(address.length)));
    if (isServed) await serveFolder(page, siteUrl, folder.path);
    await page.goto(address + path);
    await loadMock(page);
    expect(loaded).toHaveLength(2 + scripts.documents.size);

    const program = (await readFile("test/package/fixtures/answers.mjs", "utf8")).replace("export async", "async");
    await page.evaluate(`window.answersOf = (() => { ${program}; return answersOf; })()`);
    const theirs: unknown = await page.evaluate(`answersOf(createDocsMock, ${JSON.stringify(requests)})`);
    const createMock = (options: { readonly seed: string }) => createEngine({ ...options, generations });
    const own: unknown = await answersOf(createMock, requests);
    expect(theirs).toEqual(own);
    // Random values and XML were asked for, and nothing else.
    expect(loaded.slice(2 + scripts.documents.size).sort()).toEqual(
      scripts.libraries
        .map((file) => file.path)
        .filter((file) => loaded.includes(file))
        .sort(),
    );
    expect(loaded).toContain(scripts.libraries[0]?.path);
    expect(faults).toEqual([]);
  });
});

it("takes over what it remembered on another page, and says why it reads no more of a body", async ({ browser }) => {
  const mock = createEngine({ generations });
  for (const { method, target, headers, body } of requests) {
    const content = body !== "" && { body: Buffer.from(body, "base64") };
    await mock.fetch(`http://localhost${target}`, { method, headers, ...content });
  }
  const state = mock.state();
  expect(Object.keys(state.resources)).not.toEqual([]);

  await using watched = await watch(browser, siteUrl);
  const { page } = watched;
  await serveFolder(page, siteUrl, folder.path);
  await page.goto(siteUrl + path);
  await loadMock(page);
  const { target, headers } = requests.find(({ method, body }) => method === "POST" && body !== "") ?? failure();
  const program = `(async () => {
    const mock = createDocsMock({ bodyLimit: 65536 });
    mock.restore(${JSON.stringify(state)});
    const init = { method: "POST", headers: ${JSON.stringify(headers)}, body: "x".repeat(65537) };
    const refusal = await mock.fetch(${JSON.stringify(target)}, init);
    return { state: mock.state(), status: refusal.status, text: await refusal.text() };
  })()`;
  const outcome = await page.evaluate(program);
  expect(outcome).toMatchObject({ state, status: 413 });
  expect(valueAt(outcome, ["text"])).toContain("The body is larger than 65536 bytes");
});

function failure(): never {
  throw new Error("no operation takes a body");
}

it("is small when it's loaded first", () => {
  expect(gzippedSize(scripts.engine.content)).toBeLessThan(66_000);
  const sizes = [scripts.engine, ...scripts.documents.values()].map(({ content }) => gzippedSize(content));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000);
});

import { mkdir, mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import type { TextFile } from "../../scripts/command/files.ts";
import { partsOfPath } from "../../scripts/docs/browser/mockPartList.ts";
import { allScripts, makeMockScripts, scriptNames, type MockScripts } from "../../scripts/docs/site/mockScripts.ts";
import { createEngine } from "../../scripts/mock/server/engine.ts";
import { valueAt } from "../../scripts/values/json.ts";
import { allKindsOfRequests } from "../fixtures/allKindsOfRequests.ts";
import { growContract } from "../fixtures/growContract.ts";
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
/** The same contract in as many parts as possible. */
let divided: MockScripts;
let folder: Awaited<ReturnType<typeof mkdtempDisposable>>;
beforeAll(async () => {
  [scripts, divided, folder] = await Promise.all([
    makeMockScripts(generations),
    makeMockScripts(generations, 1),
    mkdtempDisposable(join(tmpdir(), "mock-")),
  ]);
  for (const file of [...allScripts(scripts), ...allScripts(divided), { path, content: markup }]) {
    await mkdir(dirname(join(folder.path, file.path)), { recursive: true });
    await writeFile(join(folder.path, file.path), file.content);
  }
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
});

/** Loads scripts into a page as a form would: by elements. */
async function loadFiles(page: Page, files: readonly TextFile[]): Promise<void> {
  for (const file of files) {
    await page.evaluate(`new Promise((resolve, reject) => {
      const script = Object.assign(document.createElement("script"), { src: "../../${file.path}" });
      script.onload = resolve;
      script.onerror = reject;
      document.head.append(script);
    })`);
  }
}

/** What a form loads for any operation of a small contract. */
function firstFiles({ list, parts, engine }: MockScripts): readonly TextFile[] {
  return [list, ...parts.map(({ file }) => file), engine];
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
    // From disk, it loads each part when a request needs it.
    const files = isServed ? firstFiles(scripts) : [divided.list, divided.engine];
    await loadFiles(page, files);
    expect(loaded).toHaveLength(1 + files.length);

    const program = (await readFile("test/package/fixtures/answers.mjs", "utf8")).replace("export async", "async");
    await page.evaluate(`window.answersOf = (() => { ${program}; return answersOf; })()`);
    const theirs: unknown = await page.evaluate(`answersOf(createDocsMock, ${JSON.stringify(requests)})`);
    const createMock = (options: { readonly seed: string }) => createEngine({ ...options, generations });
    const own: unknown = await answersOf(createMock, requests);
    expect(theirs).toEqual(own);
    // Random values were asked for, and nothing else.
    const more = [...scripts.libraries, ...(isServed ? [] : divided.parts.map(({ file }) => file))];
    const asked = more.map((file) => file.path).filter((file) => loaded.includes(file));
    expect(loaded.slice(1 + files.length).sort()).toEqual(asked.sort());
    expect(loaded).toContain(scripts.libraries[0]?.path);
    expect(faults).toEqual([]);
  });
});

it("reads the state of another page, and explains why it rejects a large body", async ({ browser }) => {
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
  await loadFiles(page, firstFiles(scripts));
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

it("is small when it's loaded first, with 1,000 operations too", async () => {
  expect(gzippedSize(scripts.engine.content)).toBeLessThan(71_000);
  const operations = generations.flatMap((generation) => generation.operations);
  const grown = growContract(generations, Math.ceil(1_000 / operations.length));
  const large = await makeMockScripts(grown);
  expect(large.parts.length).toBeGreaterThan(5);
  const list = large.parts.map(({ listed }) => listed);
  const [first = failure()] = list.flatMap(({ paths }) => paths);
  expect(partsOfPath(list, first)).toEqual(list.slice(0, 1));
  // The mock names a similar path.
  expect(partsOfPath(list, "/nowhere")).toEqual(list);
  const sizes = new Map(allScripts(large).map(({ path: file, content }) => [basename(file), gzippedSize(content)]));
  for (const operation of grown.flatMap((generation) => generation.operations)) {
    const { engine, documents } = scriptNames(large, operation);
    const total = [engine, ...documents].reduce((sum, name) => sum + (sizes.get(name) ?? Infinity), 0);
    expect(total).toBeLessThan(150_000);
  }
});

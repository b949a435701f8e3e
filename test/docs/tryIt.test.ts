import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { changeFolder, compareFolder } from "../../scripts/command/files.ts";
import { readGeneration, type Generation, type Operation } from "../../scripts/contract/generation.ts";
import { readAddresses } from "../../scripts/docs/model/addresses.ts";
import { renderSite } from "../../scripts/docs/site/renderSite.ts";
import { startServer } from "../../scripts/mock/http/server.ts";
import { foreign } from "../fixtures/foreignContract.ts";
import { findViolations, watch } from "./browser.ts";
import { it } from "./it.ts";
import type { Started } from "./start.ts";

/** A body that is one of two forms, of which one contains itself. */
const shapes = readGeneration("shapes", {
  openapi: "3.1.1",
  info: { title: "Shapes", version: "1.0.0" },
  paths: {
    "/nodes": {
      post: {
        requestBody: {
          required: true,
          content: {
            "application/json": { schema: { $ref: "#/components/schemas/Node" }, example: { kind: "leaf", size: 0 } },
          },
        },
        responses: {},
      },
    },
  },
  components: {
    schemas: {
      Node: { oneOf: [{ $ref: "#/components/schemas/Leaf" }, { $ref: "#/components/schemas/Branch" }] },
      Common: {
        type: "object",
        required: ["kind"],
        properties: { kind: { type: "string" }, note: { anyOf: [{ type: "string" }, { type: "null" }] } },
      },
      Leaf: {
        allOf: [{ $ref: "#/components/schemas/Common" }],
        required: ["size"],
        properties: { kind: { const: "leaf" }, size: { type: "integer" }, id: { type: "string", readOnly: true } },
      },
      Branch: {
        allOf: [{ $ref: "#/components/schemas/Common" }],
        required: ["children"],
        properties: {
          kind: { const: "branch" },
          children: { type: "array", items: { $ref: "#/components/schemas/Node" } },
          labels: { type: "object", additionalProperties: { type: "integer" } },
        },
      },
    },
  },
});

let browser: Browser;
let docs: Started;
let generations: readonly Generation[];
let temporary: string;

it.beforeAll(async ({ browser: launched, docs: started }) => {
  [browser, docs] = [launched, started];
  temporary = await mkdtemp(join(tmpdir(), "try-it-"));
  generations = await readBuiltGenerations();
  return () => rm(temporary, { recursive: true });
});

function pagesOf(generation: Generation): readonly { readonly operation: Operation; readonly path: string }[] {
  const { operations } = readAddresses(generation);
  return generation.operations.map((operation) => ({ operation, path: operations.get(operation) ?? "" }));
}

/** Writes a site of some generations alone, whose requests go to a server. */
async function writeFiles(folder: string, served: readonly Generation[], server: string): Promise<void> {
  const files = await renderSite({ generations: served, packageName: "some-package", mockUrl: server });
  await changeFolder(folder, await compareFolder(folder, files));
}

/** The page of an operation on the site that `npm start` serves. */
function addressOf(operationId: string): string {
  const pages = generations.flatMap(pagesOf);
  const path = pages.find(({ operation }) => operation.operationId === operationId)?.path;
  if (path === undefined) throw new Error(`there is no operation ${operationId}`);
  return `${docs.url}/${path}`;
}

/** A page whose form is open. */
async function openForm(address: string, options: Parameters<typeof watch>[2] = {}) {
  const watched = await watch(browser, "", options);
  await watched.page.goto(address);
  await watched.page.getByRole("button", { name: "Try it" }).click();
  await watched.page.locator(".try-it form").waitFor();
  return watched;
}

/** Sends what the form has, and resolves to what the form says of the answer. */
async function send(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Send", exact: true }).click();
  return answerOf(page);
}

async function answerOf(page: Page): Promise<string> {
  const status = page.locator(".try-it .progress");
  await status.filter({ hasNotText: /^(?:Sending…)?$/ }).waitFor();
  return status.innerText();
}

/** Each part of a list in a page of its own, four at a time. */
async function inPages<Item>(items: readonly Item[], visit: (page: Page, item: Item) => Promise<void>) {
  const left = [...items];
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      await using watched = await watch(browser, "");
      for (let item = left.shift(); item !== undefined; item = left.shift()) await visit(watched.page, item);
    }),
  );
}

async function tryPage(page: Page, address: string): Promise<string> {
  await page.goto(address);
  await page.getByRole("button", { name: "Try it" }).click();
  return send(page);
}

/** Operations that try nothing that others do not try. */
const alike =
  /^\/(?:(?:header|basic|bearer|oauth|openid|two-cookies|alternatives|open|form|form-object|form-members|space|pipe|deep|headers|styles|merge-patch|flat-form|generated-form|words|unknown)$|simple|matrix-object)/;

const kept = /^Received 2\d\d [A-Z].*\. The response keeps the contract\.$/;

describe("the form that tries an operation", { timeout: 60_000 }, () => {
  it("sends every operation's example as it is, and gets an answer that keeps the contract", async () => {
    const answers = new Map<string, string>();
    await inPages(generations.flatMap(pagesOf), async (page, { operation, path }) => {
      answers.set(operation.name, await tryPage(page, `${docs.url}/${path}`));
    });
    expect(answers.size).toBe(generations.flatMap(({ operations }) => operations).length);
    expect([...answers].filter(([, answer]) => !kept.test(answer))).toEqual([]);
  });

  it("works for every kind of credential, parameter and body", async () => {
    await using server = await startServer({ generations: [foreign], port: 0 });
    const folder = join(temporary, "foreign");
    await writeFiles(folder, [foreign], server.url);
    const answers = new Map<string, string>();
    const pages = pagesOf(foreign).filter(({ operation }) => !alike.test(operation.path));
    await inPages(pages, async (page, { operation, path }) => {
      answers.set(operation.name, await tryPage(page, `${pathToFileURL(folder).href}/${path}index.html`));
    });
    // What browsers do not let pages send.
    const unsendable = (name: string) =>
      /cookie|everywhere/.test(name)
        ? /^Received 4\d\d .* The mock refused/
        : /^(?:GET|TRACE) \/search/.test(name)
          ? /^The browser cannot make this request/
          : undefined;
    const unexpected = [...answers].filter(([name, answer]) => !(unsendable(name) ?? kept).test(answer));
    expect(unexpected).toEqual([]);
    expect(answers.size).toBe(pages.length);
    expect(pages.length).toBeGreaterThan(25);
  });

  it("is opened, filled, sent and closed by keyboard", async () => {
    await using watched = await watch(browser, docs.url);
    const { page, faults } = watched;
    await page.goto(addressOf("updateAttendee"));
    const pressUntil = async (key: string, condition: string) => {
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press(key);
        if (await page.evaluate<boolean>(condition)) return;
      }
      throw new Error(`${key} did not lead to where ${condition}`);
    };
    const focused = (text: string) => `document.activeElement.textContent === ${JSON.stringify(text)}`;
    await pressUntil("Tab", focused("Try it"));
    await page.keyboard.press("Enter");
    await page.locator(".try-it form").waitFor();
    expect(await page.evaluate(focused("Try it"))).toBe(true);
    await pressUntil("Tab", "document.activeElement.dataset.place === 'body:/name'");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("Typed By Keyboard");
    await page.keyboard.press("Enter");
    expect(await answerOf(page)).toMatch(kept);
    await pressUntil("Shift+Tab", focused("Close"));
    await page.keyboard.press("Enter");
    expect(await page.locator(".try-it").isVisible()).toBe(false);
    expect(await page.evaluate("document.activeElement.dataset.open")).toBe("try-it");
    await page.keyboard.press("Enter");
    expect(await page.locator("[data-place='body:/name']").inputValue()).toBe("Typed By Keyboard");
    expect(faults).toEqual([]);
  });

  it("marks the field that a refusal names, and goes to the first", async () => {
    await using watched = await openForm(addressOf("rescheduleBooking"));
    const { page } = watched;
    const version = page.getByLabel("svc-api-version");
    await version.selectOption("not sent");
    expect(await send(page)).toBe(
      "Received 422 Unprocessable Entity. The mock refused the request, because it does not keep the contract.",
    );
    await expectMarked(page, "header:svc-api-version", /svc-api-version/);
    expect(await page.locator(".try-it .summary").innerText()).toContain("svc-api-version");

    await version.selectOption("2024-08-13");
    expect(await send(page)).toMatch(kept);
    expect(await page.locator(".try-it [aria-invalid], .try-it .complaint:visible").count()).toBe(0);

    await page.goto(addressOf("updateOutOfOfficeEntry"));
    await page.getByRole("button", { name: "Try it" }).click();
    await page.getByLabel("orgId").fill("many");
    await page.getByRole("textbox", { name: "toUserId" }).fill("nobody");
    expect(await send(page)).toMatch(/^Received 4\d\d/);
    await expectMarked(page, "path:orgId", /orgId/);
    await page.getByLabel("orgId").fill("7");
    expect(await send(page)).toMatch(/^Received 422/);
    await expectMarked(page, "body:/toUserId", /toUserId/);
    await page.getByRole("button", { name: "Text", exact: true }).click();
    expect(await send(page)).toMatch(/^Received 422/);
    await expectMarked(page, "body:", /toUserId/);
  });

  it("sends nothing while something is missing that a request cannot do without", async () => {
    await using watched = await openForm(addressOf("updateAttendee"));
    const { page } = watched;
    const sent: string[] = [];
    page.on("request", (request) => sent.push(request.url()));
    const press = page.getByRole("button", { name: "Send", exact: true });
    await page.getByLabel("id (required)").fill("");
    await press.click();
    await expectMarked(page, "path:id", /Enter id/);
    await page.getByLabel("id (required)").fill("..");
    await press.click();
    await expectMarked(page, "path:id", /another path/);
    await page.getByLabel("id (required)").fill("1");
    const server = page.getByLabel("Server");
    for (const address of [
      "javascript:alert(1)",
      "file:///etc/passwd",
      "nowhere",
      "http://user:password@127.0.0.1",
      "",
    ]) {
      await server.fill(address);
      await press.click();
      await expectMarked(page, "server:", /^Enter/);
    }
    expect(sent).toEqual([]);
  });

  it("keeps the body's fields and its text in step", async () => {
    await using watched = await openForm(addressOf("saveIcsFeed"));
    const { page } = watched;
    const view = (name: string) => page.getByRole("button", { name, exact: true }).click();
    const text = page.getByLabel("Request body as JSON");
    const read = async (): Promise<unknown> => JSON.parse(await text.inputValue());

    await page.getByRole("textbox", { name: "urls 1" }).fill("https://one.example/feed.ics");
    await page.getByRole("button", { name: "Add an item to urls" }).click();
    expect(await page.evaluate("document.activeElement.dataset.place")).toMatch(/^body:\/urls\/\d$/);
    await page.keyboard.type("https://two.example/feed.ics");
    const count = await page.locator("[data-place^='body:/urls/']").count();
    await page.getByRole("button", { name: "Remove readOnly" }).click();
    await view("Text");
    const written = await read();
    expect(JSON.stringify(written)).toContain('"https://two.example/feed.ics"');
    expect(written).not.toHaveProperty("readOnly");
    expect(count).toBeGreaterThan(1);

    await text.fill('{ "urls": ["https://three.example/feed.ics"], "readOnly": true, "__proto__": 1 }');
    await view("Fields");
    expect(await page.getByRole("textbox", { name: "urls 1" }).inputValue()).toBe("https://three.example/feed.ics");
    expect(await page.locator("[data-place='body:/urls/1']").count()).toBe(0);
    await page.getByRole("combobox", { name: "readOnly" }).selectOption("false");
    await view("Text");
    expect(await text.inputValue()).toBe(
      JSON.stringify(JSON.parse('{"urls":["https://three.example/feed.ics"],"readOnly":false,"__proto__":1}'), null, 2),
    );
    await text.fill('{ "urls": [');
    await view("Fields");
    expect(await page.getByRole("alert").innerText()).toMatch(/^This is not JSON/);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expectMarked(page, "body:", /^This is not JSON/);
    await text.fill('{ "urls": ["https://three.example/feed.ics"] }');
    expect(await send(page)).toMatch(kept);
    const curl = await page.getByLabel("This request in curl").innerText();
    expect(curl).toContain(`-d '{"urls":["https://three.example/feed.ics"]}'`);
  });

  it("has fields for bodies of every shape", async () => {
    await using stub = await startStub(() => [200, "application/json", "true"]);
    const folder = join(temporary, "shapes");
    await writeFiles(folder, [shapes], stub.url);
    const [path = ""] = readAddresses(shapes).operations.values();
    await using watched = await openForm(`${pathToFileURL(folder).href}/${path}index.html`);
    const { page, faults } = watched;
    const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
    const add = async (field: string, to: string) => {
      const adder = page.locator(`[data-adds="${to}"]`);
      const label = await adder
        .locator("option")
        .filter({ hasText: new RegExp(`^${field}\\b`) })
        .innerText();
      await adder.selectOption(label);
      await adder.locator("xpath=following-sibling::button").click();
    };
    const body = async (): Promise<unknown> => {
      await press("Text");
      const text = await page.getByLabel("Request body as JSON").inputValue();
      await press("Fields");
      return JSON.parse(text);
    };
    expect(await body()).toEqual({ kind: "leaf", size: 0 });
    await page.getByRole("textbox", { name: /^size/ }).fill("12345");
    await add("note", "body:");
    await page.keyboard.type("words");
    expect(await body()).toEqual({ kind: "leaf", size: 12_345, note: "words" });
    await press("Set to null: note");
    expect(await body()).toEqual({ kind: "leaf", size: 12_345, note: null });

    await page.getByRole("combobox", { name: "Option", exact: true }).selectOption("Branch");
    expect(await body()).toEqual({ kind: "branch", children: [] });
    await press("Add an item to children");
    await page.getByRole("combobox", { name: "Option", exact: true }).last().selectOption("Branch");
    await page.locator('[data-adds="body:/children/0/children"]').click();
    await add("labels", "body:");
    await page.locator('[data-adds="body:/labels"]').fill("a key");
    await press("Add a field to labels");
    await page.keyboard.type("3");
    expect(await body()).toEqual({
      kind: "branch",
      children: [{ kind: "branch", children: [{ kind: "leaf", size: 0 }] }],
      labels: { "a key": 3 },
    });
    await page.getByRole("button", { name: "Remove children 1", exact: true }).last().click();
    expect(await body()).toEqual({ kind: "branch", children: [], labels: { "a key": 3 } });
    expect(faults).toEqual([]);
  });

  it("offers the named examples of a body, and the forms that it can have", async () => {
    await using watched = await openForm(addressOf("updateOrganizationTeamMembership"));
    const { page } = watched;
    const example = page.getByLabel("Example", { exact: true });
    const code = page.getByLabel("This request in TypeScript");
    const before = await code.innerText();
    await example.selectOption({ index: 1 });
    expect(await code.innerText()).not.toBe(before);
    expect(await page.locator("datalist option").count()).toBeGreaterThan(0);
    await page.goto(addressOf("rescheduleBooking"));
    await page.getByRole("button", { name: "Try it" }).click();
    await page.getByLabel("Option", { exact: true }).selectOption({ index: 1 });
    await page.getByLabel("Name of a field to add to", { exact: false }).fill("seatUid");
    await page.getByRole("button", { name: /^Add a field to/ }).click();
    await page.keyboard.type("abc");
    expect(await code.innerText()).toContain('body: { seatUid: "abc" }');
  });

  it("says that a status is not in the contract", async () => {
    await using stub = await startStub(() => [404, "application/json", "{}"]);
    const folder = join(temporary, "stubbed");
    await writeFiles(folder, [foreign], stub.url);
    const path = pagesOf(foreign).find(({ operation }) => operation.path === "/open")?.path ?? "";
    await using watched = await openForm(`${pathToFileURL(folder).href}/${path}index.html`);
    expect(await send(watched.page)).toMatch(/^Received 404 Not Found. The response does not keep/);
    expect(await watched.page.locator(".verdict").innerText()).toContain(
      "The status 404 is not in the contract, which lists 200.",
    );
  });

  it("says where an answer does not keep the contract", async () => {
    const wrong = new Map<string, readonly [status: number, type: string, body: string]>([
      ["1", [418, "application/json", "{}"]],
      ["0", [404, "application/problem+json", "{}"]],
      ["2", [201, "text/html", "<b>no</b>"]],
      ["3", [201, "application/json", "{"]],
      ["4", [201, "application/json", ""]],
      ["5", [201, "application/json", '{"attendee":{"id":"five","email":7}}']],
    ]);
    await using stub = await startStub((path) => wrong.get(path.split("/").at(-1) ?? "") ?? [500, "text/plain", "?"]);
    await using watched = await openForm(addressOf("updateAttendee"));
    const { page } = watched;
    await page.getByLabel("Server").fill(stub.url);
    expect(await page.getByText("This is not the mock").isVisible()).toBe(true);
    const verdicts: string[] = [];
    for (const id of wrong.keys()) {
      await page.getByLabel("id (required)").fill(id);
      expect(await send(page)).toMatch(/^Received/);
      await page.locator(".response-view .status", { hasText: String(wrong.get(id)?.[0]) }).waitFor();
      verdicts.push(await page.locator(".verdict").innerText());
    }
    expect(verdicts).toMatchInlineSnapshot(`
      [
        "The response keeps the contract.

      The contract doesn't specify this body.",
        "The response does not keep the contract:

      The media type application/problem+json is not in the contract, which has application/json.",
        "The response does not keep the contract:

      The media type text/html is not in the contract, which has application/json.",
        "The response does not keep the contract:

      The body is not JSON.",
        "The response does not keep the contract:

      The body is empty; the contract has application/json.",
        "The response does not keep the contract:

      attendee: The value does not have required property "bookingId".
      attendee.id: The type "string" is invalid. Expected "integer".
      attendee.email: The type "number" is invalid. Expected "string".",
      ]
    `);
    await page.getByText("Headers (1)").click();
    expect(await page.getByText("comes from another origin").isVisible()).toBe(true);
    await stub[Symbol.asyncDispose]();
    expect(await send(page)).toMatch(/^There is no answer from .* \(CORS\)/);
  });

  it("shows what was answered as text, however it looks, and not more than fits", async () => {
    const long = JSON.stringify({ long: `<img src=x onerror="document.title='run'">${"x".repeat(300_000)}` });
    await using stub = await startStub(() => [200, "application/json", long]);
    await using watched = await openForm(addressOf("createCredential"));
    const { page, faults } = watched;
    await page.getByLabel("Server").fill(stub.url);
    expect(await send(page)).toMatch(kept);
    expect(await page.locator(".verdict").innerText()).toContain("The contract doesn't specify this body.");
    const shown = await page.getByLabel("Body of the response").innerText();
    expect(shown).toContain("<img src=x onerror=");
    expect(shown.length).toBe(100_000);
    expect(await page.getByText(/The first 100,000 of 300,\d+ characters/).isVisible()).toBe(true);
    expect(faults).toEqual([]);
  });

  it.each([
    ["JSON that is nested too deep", 200, "application/json", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
    [
      "JSON that would be endless if it were indented",
      200,
      "application/json",
      `${"[".repeat(3000)}${"1,".repeat(200_000)}1${"]".repeat(3000)}`,
    ],
    [
      "a violation in a place without end",
      422,
      "application/problem+json",
      JSON.stringify({ violations: [{ in: "body", pointer: "/a".repeat(200_000), message: "No." }] }),
    ],
    [
      "violations without end",
      422,
      "application/problem+json",
      JSON.stringify({
        violations: Array.from({ length: 50_000 }, () => ({ in: "query", name: "q", message: "No." })),
      }),
    ],
  ] as const)("goes on after %s", async (_, status, contentType, body) => {
    await using stub = await startStub(() => [status, contentType, body]);
    await using watched = await openForm(addressOf("createCredential"));
    const { page } = watched;
    await page.getByLabel("Server").fill(stub.url);
    expect(await send(page)).not.toBe("Sending…");
    expect(await page.getByRole("button", { name: "Send", exact: true }).isEnabled()).toBe(true);
  });

  it("can be canceled while it waits", async () => {
    await using stub = await startStub(() => undefined);
    await using watched = await openForm(addressOf("listAttendees"));
    const { page } = watched;
    await page.getByLabel("Server").fill(stub.url);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("Sending…").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(await answerOf(page)).toBe("Canceled.");
  });

  it("keeps credentials nowhere but in the page's memory", async () => {
    const secret = "typed-by-a-reader";
    await using watched = await openForm(addressOf("listOrganizationSchedules"));
    const { page } = watched;
    const history = await page.evaluate("history.length");
    for (const input of await page.locator("fieldset:has(legend:text-is('Credentials')) input").all())
      await input.fill(secret);
    const sent = page.waitForRequest((request) => JSON.stringify(request.headers()).includes(secret));
    expect(await send(page)).toMatch(kept);
    expect((await sent).headers()).not.toHaveProperty("cookie");
    expect(await page.getByLabel("This request in curl").innerText()).toContain(secret);
    const traces = await page.evaluate<unknown>(`(async () => JSON.stringify([
      { ...localStorage }, { ...sessionStorage }, document.cookie, document.title, location.href, history.state,
      (await indexedDB.databases()), (await caches.keys()), performance.getEntries().map(({ name }) => name),
    ]))()`);
    expect(traces).not.toContain(secret);
    expect(await page.evaluate("history.length")).toBe(history);
    expect(JSON.stringify(await page.context().storageState())).not.toContain(secret);
    await page.reload();
    await page.getByRole("button", { name: "Try it" }).click();
    await page.locator(".try-it form").waitFor();
    const values = await page
      .locator("input")
      .evaluateAll((inputs) => inputs.map((input) => (input instanceof HTMLInputElement ? input.value : "")));
    expect(values).not.toContain(secret);
  });

  it("sends from a file on disk to a mock on another origin", async () => {
    const folder = join(temporary, "files");
    await writeFiles(folder, generations, docs.url);
    const [newest] = generations.toReversed();
    const [first] = newest === undefined ? [] : pagesOf(newest);
    await using watched = await openForm(`${pathToFileURL(folder).href}/${first?.path ?? ""}index.html`);
    expect(await send(watched.page)).toMatch(kept);
    expect(watched.faults).toEqual([]);
  });

  it("has nothing that axe finds fault with", async () => {
    await using watched = await openForm(addressOf("rescheduleBooking"));
    const { page } = watched;
    await send(page);
    const found = [await findViolations(page)];
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByLabel("svc-api-version").selectOption("not sent");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.locator("[aria-invalid]").waitFor();
    found.push(await findViolations(page));
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    expect(found).toEqual([[], []]);
  });

  it("is not there without scripts", async () => {
    await using watched = await watch(browser, docs.url, { javaScriptEnabled: false });
    await watched.page.goto(addressOf("rescheduleBooking"));
    expect(await watched.page.getByRole("button", { name: "Try it" }).isVisible()).toBe(false);
    expect(await watched.page.locator(".try-it").count()).toBe(0);
  });
});

/** A control that has the focus, and is described by a message. */
async function expectMarked(page: Page, place: string, message: RegExp): Promise<void> {
  await page.locator(`[data-place="${place}"][aria-invalid="true"]`).waitFor();
  const [focused, described] = await page.evaluate<readonly [string, string]>(`[
    document.activeElement.dataset.place,
    (document.activeElement.getAttribute("aria-describedby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent).join(" "),
  ]`);
  expect(focused).toBe(place);
  expect(described).toMatch(message);
}

/** A server that lets pages of any origin read its answers; `undefined` never comes. */
async function startStub(answer: (path: string) => readonly [status: number, type: string, body: string] | undefined) {
  const server = createServer((request, response) => {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "*, authorization");
    response.setHeader("access-control-allow-methods", "*");
    if (request.method === "OPTIONS") {
      response.writeHead(204).end();
      return;
    }
    const given = answer((request.url ?? "").split("?")[0] ?? "");
    if (given !== undefined) response.writeHead(given[0], { "content-type": given[1] }).end(given[2]);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = addressOfServer(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function addressOfServer(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address;
}

import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { replaceFolder } from "../../scripts/command/files.ts";
import { readGeneration, type Generation, type Operation } from "../../scripts/contract/generation.ts";
import { readAddresses } from "../../scripts/docs/model/addresses.ts";
import { renderSite } from "../../scripts/docs/site/renderSite.ts";
import { startServer } from "../../scripts/mock/server/server.ts";
import { serveHttp } from "../fixtures/serveHttp.ts";
import { foreign } from "../fixtures/foreignContract.ts";
import { findViolations, openTryIt, serveFolder, watch } from "./browser.ts";
import { it } from "./it.ts";
import type { Docs } from "./start.ts";

/** A body with two alternatives, of which one contains itself. */
const shapes = readGeneration("shapes", {
  openapi: "3.1.1",
  info: { title: "Shapes", version: "1.0.0" },
  paths: {
    "/kinds": {
      post: {
        requestBody: {
          content: {
            "application/json": {
              schema: {
                oneOf: [{ $ref: "#/components/schemas/Leaf" }, { $ref: "#/components/schemas/Branch" }],
                discriminator: {
                  propertyName: "kind",
                  mapping: { leaf: "#/components/schemas/Leaf", branch: "#/components/schemas/Branch" },
                },
              },
              example: { kind: "twig", size: 0 },
            },
          },
        },
        responses: {},
      },
    },
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
        },
        additionalProperties: false,
      },
    },
  },
});

/** What is wider than a phone, and content in several media types. */
const wide = readGeneration("wide", {
  openapi: "3.1.1",
  info: { title: "Wide", version: "1.0.0" },
  paths: {
    "/wide": {
      get: {
        responses: {
          "200": {
            description: "",
            content: {
              "application/json": { schema: { $ref: "#/components/schemas/Wide" } },
              "application/xml": { schema: { $ref: "#/components/schemas/Wide" } },
              "text/plain": { schema: { type: "string" } },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Wide: {
        oneOf: [
          { title: "CODE", description: `\`\`\`\n${"long ".repeat(40)}\n\`\`\``, properties: { a: {} } },
          { title: "A_NAME_WITHOUT_ANY_SPACES_THAT_IS_LONGER_THAN_A_LINE", properties: { b: {} } },
        ],
      },
    },
  },
});

/** Parameters of several types at once, and of values that are listed. */
const choices = readGeneration("choices", {
  openapi: "3.1.1",
  info: { title: "Choices", version: "1.0.0" },
  paths: {
    "/things": {
      get: {
        parameters: [
          {
            ...{ name: "ids", in: "query" },
            schema: { anyOf: [{ type: "integer" }, { type: "array", items: { type: "integer" } }] },
          },
          { name: "parts", in: "query", schema: { type: "array", items: { type: "string" } } },
          {
            ...{ name: "filter", in: "query", style: "deepObject" },
            schema: { type: "object", properties: { from: { type: "string" } } },
          },
          {
            ...{ name: "state", in: "query" },
            schema: { anyOf: [{ enum: ["open"] }, { const: "closed" }, { type: "null" }] },
          },
          { name: "kind", in: "query", schema: { type: "string", ...{ "x-extensible-enum": ["one", "two"] } } },
          { name: "old", in: "query", schema: { type: "boolean" } },
        ],
        responses: { "200": { description: "", content: { "application/json": { schema: { type: "boolean" } } } } },
      },
    },
  },
});

let browser: Browser;
let docs: Docs;
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
  await replaceFolder(folder, renderSite({ generations: served, packageName: "some-package", mockUrl: server }));
}

/** The page of an operation on the site that `npm start` serves. */
function addressOf(operationId: string): string {
  return `${docs.url}/${pathOf(operationId)}`;
}

function pathOf(operationId: string): string {
  const pages = generations.flatMap(pagesOf);
  const path = pages.find(({ operation }) => operation.operationId === operationId)?.path;
  if (path === undefined) throw new Error(`there is no operation ${operationId}`);
  return path;
}

/** A page whose form is open. */
async function openForm(address: string, options: Parameters<typeof watch>[2] = {}) {
  const watched = await watch(browser, "", options);
  await openFormOf(watched.page, address);
  return watched;
}

async function openFormOf(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await openTryIt(page);
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

/** Sends the examples of operations from one page, whose form gets the data of each, and resolves to what it says of them. */
async function sendExamples(site: string, pages: ReturnType<typeof pagesOf>, index = "") {
  await using watched = await openForm(`${site}/${pages[0]?.path ?? ""}${index}`);
  const scripts = pages.map(({ path }) => `${site}/${path}try-it.js`);
  const answers = await watched.page.evaluate<string[]>(`(async () => {
    const answers = [];
    for (const src of ${JSON.stringify(scripts)}) {
      await new Promise((onload) => {
        document.head.append(Object.assign(document.createElement("script"), { src, onload }));
      });
      const progress = document.querySelector(".try-it .progress");
      document.querySelector(".try-it [type=submit]").click();
      answers.push(await new Promise((resolve) => {
        const look = () => /^(?:Sending…)?$/.test(progress.textContent) || resolve(progress.textContent);
        new MutationObserver(look).observe(progress, { childList: true });
        look();
      }));
    }
    return answers;
  })()`);
  return new Map(pages.map(({ operation }, index) => [operation.name, answers[index] ?? ""]));
}

/** Operations that try nothing that others do not try. */
const alike =
  /^\/(?:header|basic|bearer|oauth|openid|two-cookies|alternatives|open|list-and-name|merge-patch|flat-form|generated-form|words|unknown)$/;

const kept = /^Received 2\d\d [A-Z].*\. The response follows the contract\.$/;

describe("the form that tries an operation", { timeout: 60_000 }, () => {
  it("sends every operation's example as it is, and gets a response that follows the contract", async () => {
    const answers = await sendExamples(docs.url, generations.flatMap(pagesOf));
    expect(answers.size).toBe(generations.flatMap(({ operations }) => operations).length);
    const sent = [...answers].map(([name, answer]) => [
      name,
      answer.replace(" Browsers don't let pages send Cookie.", ""),
    ]);
    expect(sent.filter(([, answer = ""]) => !kept.test(answer))).toEqual([]);
  });

  it("works for every kind of credential, parameter and body", async () => {
    await using server = await startServer({ generations: [foreign], port: 0 });
    const folder = join(temporary, "foreign");
    await writeFiles(folder, [foreign], server.url);
    const pages = pagesOf(foreign).filter(({ operation }) => !alike.test(operation.path));
    const answers = await sendExamples(pathToFileURL(folder).href, pages, "index.html");
    // Requests that browsers don't let pages send.
    const unsendable = (name: string) =>
      /cookie|everywhere/.test(name)
        ? /^Received 4\d\d .* The mock made this error/
        : /^(?:GET|TRACE) \/search/.test(name)
          ? /^The request wasn't sent/
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
    const focused = (text: string) => `document.activeElement.textContent.trim() === ${JSON.stringify(text)}`;
    // The link that leads past the menu.
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await pressUntil("Tab", focused("Try it"));
    await page.keyboard.press("Enter");
    await page.locator(".try-it form").waitFor();
    expect(await page.evaluate(focused("Try it"))).toBe(true);
    await pressUntil("Tab", "document.activeElement instanceof HTMLTextAreaElement");
    await page.keyboard.press("Control+A");
    await page.keyboard.type('{ "name": "Typed By Keyboard" }');
    await pressUntil("Tab", focused("Send"));
    await page.keyboard.press("Enter");
    expect(await answerOf(page)).toMatch(kept);
    await pressUntil("Shift+Tab", focused("Close"));
    await page.keyboard.press("Enter");
    expect(await page.locator(".try-it").isVisible()).toBe(false);
    expect(await page.evaluate("document.activeElement.dataset.open")).toBe("try-it");
    await page.keyboard.press("Enter");
    expect(await page.getByLabel("Request body as JSON").inputValue()).toBe('{ "name": "Typed By Keyboard" }');
    expect(faults).toEqual([]);
  });

  it("marks the field that a refusal names, and goes to the first", async () => {
    await using watched = await openForm(addressOf("rescheduleBooking"));
    const { page } = watched;
    const version = page.getByLabel(/^svc-api-version/);
    await version.selectOption("not sent");
    expect(await send(page)).toBe(
      "Received 422 Unprocessable Entity. The mock made this error. The contract doesn't describe it.",
    );
    await expectMarked(page, "header:svc-api-version", /svc-api-version/);
    // Right below the control, although its label has two lines.
    const control = await version.boundingBox();
    const message = await page.locator(".violations").filter({ hasText: "svc-api-version" }).boundingBox();
    expect((message?.y ?? 0) - (control?.y ?? 0) - (control?.height ?? 0)).toBeLessThan(8);
    expect(await page.locator(".try-it .summary").innerText()).toContain("svc-api-version");

    await version.selectOption("2024-08-13");
    expect(await send(page)).toMatch(kept);
    expect(await page.locator(".try-it [aria-invalid], .try-it .violations:visible").count()).toBe(0);

    await page.getByLabel("Request body as JSON").fill('{ "start": 5 }');
    const open = "Is valid only as Seated booking, whose fields aren't specified; as Regular booking, /start";
    await page.getByText(open).waitFor();
    expect(await send(page)).toMatch(kept);
    const boxes = page.locator(".response-view .verdict");
    expect(await boxes.first().innerText()).toMatch(
      /^The request is valid only as Seated booking, .*\/start must be a string\.$/,
    );
    expect([await boxes.count(), await page.locator(".verdict.good").count()]).toEqual([2, 0]);

    await openFormOf(page, addressOf("updateOutOfOfficeEntry"));
    await page.getByLabel(/^orgId/).fill("many");
    await page.getByLabel("Request body as JSON").fill('{\n  "reason": "vacation",\n  "toUserId": "nobody"\n}');
    expect(await send(page)).toMatch(/^Received 4\d\d/);
    await expectMarked(page, "path:orgId", /orgId/);
    await page.getByLabel(/^orgId/).fill("7");
    expect(await send(page)).toMatch(/^Received 422/);
    await expectMarked(page, "body:", /^Line 3 .*toUserId/);
  });

  it("says in a line where the request goes and as whom, above the fold with the body", async () => {
    await using watched = await watch(browser, docs.url, { viewport: { width: 1280, height: 800 } });
    const { page, faults } = watched;
    const receiver = page.locator(".receiver");
    const line = receiver.locator("summary");
    for (const id of ["rescheduleBooking", "updateOrganizationTeamMembership", "updateOutOfOfficeEntry"]) {
      await page.goto(addressOf(id));
      await page.getByRole("button", { name: "Try it" }).click();
      const [editor, actions] = [page.locator(".try-it .editor"), page.locator(".try-it .actions")];
      await expect
        .poll(async () => (await editor.boundingBox())?.y)
        .toBeLessThan((await actions.boundingBox())?.y ?? 0);
      expect(await receiver.evaluate((details) => details.hasAttribute("open"))).toBe(false);
    }
    const { host } = new URL(docs.url);
    expect(await line.innerText()).toBe(`${host} · apiKey svc_ex… · Change`);
    await line.click();
    const key = page.getByLabel("apiKey", { exact: true });
    for (const [value, said] of [
      ["", "is missing"],
      ["key-of-a-reader", "as entered"],
      [await key.inputValue(), "svc_ex…"],
    ] as const) {
      await key.fill(value);
      expect(await line.innerText()).toBe(`${host} · apiKey ${said} · Change`);
    }
    await page.getByLabel("Server").fill("https://api.example/base/");
    expect(await line.innerText()).toBe("api.example/base · apiKey svc_ex… · Change");
    await page.getByLabel("Server").fill("nowhere");
    await line.click();
    // It opens where something in it is wrong.
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expectMarked(page, "server:", /^Enter/);
    expect(faults).toEqual([]);
  });

  it("sends nothing while a required value is missing", async () => {
    await using watched = await openForm(addressOf("updateAttendee"));
    const { page } = watched;
    const sent: string[] = [];
    page.on("request", (request) => sent.push(request.url()));
    const press = page.getByRole("button", { name: "Send", exact: true });
    await page.getByLabel("id required").fill("");
    await press.click();
    await expectMarked(page, "path:id", /Enter id/);
    await page.getByLabel("id required").fill("..");
    await press.click();
    await expectMarked(page, "path:id", /another path/);
    await page.getByLabel("id required").fill("1");
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

  it("sends the body as typed, and shows where it isn't JSON", async () => {
    await using watched = await openForm(addressOf("saveIcsFeed"));
    const { page } = watched;
    const body = page.getByLabel("Request body as JSON");
    const curl = page.getByLabel("This request, curl");
    await body.fill('{\n  "urls": [\n}');
    await page.getByRole("button", { name: "Send", exact: true }).click();
    const colors = page.locator(".editor pre");
    expect(await colors.textContent()).toBe('{\n  "urls": [\n}\n ');
    expect(await colors.locator("span").allTextContents()).toEqual(['"urls"']);
    await expectMarked(page, "body:", /^Line 3, column 1 This is not JSON: expected a value\./);
    expect(await page.locator(".request-code").innerText()).toContain("The request is incomplete.");
    await body.fill('{ "urls": ["https://one.example/feed.ics"], "readOnly": true, "__proto__": 1 }');
    expect((await curl.innerText()).replaceAll(/\s/g, "")).toContain(
      `-d'{"urls":["https://one.example/feed.ics"],"readOnly":true,"__proto__":1}'`,
    );
    // However long, the text is where its colors are; very long, it has none.
    for (const [length, count] of [
      [400, 4],
      [20_000, 0],
    ] as const) {
      await body.fill(`{ "urls": ["https://one.example/feed.ics"], "x": "${"y".repeat(length)}" }`);
      expect(await colors.locator("span").count()).toBe(count);
      expect(await colors.boundingBox()).toEqual(await body.boundingBox());
      const scrolled = await body.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      expect(scrolled).toBe(0);
    }
    await body.fill('{ "urls": ["https://one.example/feed.ics"] }');
    expect(await send(page)).toMatch(kept);
    expect(await page.locator(".try-it [aria-invalid]").count()).toBe(0);
  });

  it("shows violations beside the body when typing pauses", async () => {
    await using stub = await startStub(() => [200, "application/json", "true"]);
    const folder = join(temporary, "shapes");
    await writeFiles(folder, [shapes], stub.url);
    const [path = "", ofKinds = ""] = pagesOf(shapes)
      .map((one) => one.path)
      .toReversed();
    await using watched = await openForm(`${pathToFileURL(folder).href}/${ofKinds}index.html`);
    const { page, faults } = watched;
    // The closest alternative isn't the one that is meant.
    expect(await page.locator(".violations li").innerText()).toBe('Line 1 The body must have kind "leaf" or "branch".');
    await openFormOf(page, `${pathToFileURL(folder).href}/${path}index.html`);
    const body = page.getByLabel("Request body as JSON");
    const outcome = page.locator(".editor ~ [role=status]");
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const violationsOf = async (text: string) => {
      const before = await outcome.innerText();
      await body.fill(text);
      await page.clock.runFor(100);
      expect(await outcome.innerText()).toBe(before);
      await page.clock.runFor(1000);
      return page.locator(".violations li").allInnerTexts();
    };
    expect(await outcome.innerText()).toBe("The value is valid.");
    expect(await violationsOf('{\n  "kind": "leaf",\n  "size": "12",\n  "note": 1\n}')).toEqual([
      "Line 3 size must be an integer.",
      "Line 4 note must match an alternative.",
    ]);
    expect(await outcome.innerText()).toBe("2 violations:");
    expect(await describedBy(page, "body:")).toContain("Line 3 size");
    await page.getByRole("button", { name: "Line 3" }).click();
    const selected = "(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))";
    expect(await page.evaluate(`${selected}(document.activeElement)`)).toBe('  "size": "12",');
    const children =
      '{ "kind": "branch",\n"children": [\n{ "kind": "leaf", "size": 0 },\n{ "kind": "branch" }\n], "more": 1 }';
    expect(await violationsOf(children)).toEqual([
      "Line 4 children[1] must have required property 'children'.",
      "Line 5 more isn't allowed.",
    ]);
    expect(await violationsOf('"text"')).toEqual(["Line 1 The body must match exactly one alternative."]);
    // What only responses have.
    expect(await violationsOf('{ "kind": "leaf", "size": 1, "id": "a" }')).toEqual([]);
    expect(await page.locator("[aria-invalid]").count()).toBe(0);
    // What the contract refuses is sent nevertheless.
    await body.fill("7");
    expect(await send(page)).toMatch(/^Received 200/);
    expect(await page.locator(".violations li").count()).toBe(1);
    expect(faults).toEqual([]);
  });

  it("finds where a body ceases to be JSON", async () => {
    await using watched = await openForm(addressOf("saveIcsFeed"));
    const { page, faults } = watched;
    const cases = [
      ["", "Line 1, column 1", "a value"],
      ['{\n  "a": 1,\n  b: 2\n}', "Line 3, column 3", "a name in double quotes"],
      ['{ "a": 1, }', "Line 1, column 11", "a name in double quotes"],
      ['{ "a" 1 }', "Line 1, column 7", "“:”"],
      ['{ "a": 1 "b": 2 }', "Line 1, column 10", "“,” or “}”"],
      ["[1, 2", "Line 1, column 6", "“,” or “]”"],
      ["[1\n2]", "Line 2, column 1", "“,” or “]”"],
      ["[1, 02]", "Line 1, column 5", "a value"],
      ['["a\nb"]', "Line 1, column 2", "a value"],
      ["[TRUE]", "Line 1, column 2", "a value"],
      ['{} "', "Line 1, column 4", "the end of the text"],
      ["[".repeat(100_000), "Line 1, column 502", "fewer brackets"],
    ] as const;
    await page.clock.install();
    const messages: string[] = [];
    for (const [text] of cases) {
      await page.getByLabel("Request body as JSON").fill(text);
      await page.clock.runFor(1000);
      messages.push(await page.locator(".violations li").innerText());
    }
    expect(messages).toEqual(cases.map(([, place, expected]) => `${place} This is not JSON: expected ${expected}.`));
    expect(faults).toEqual([]);
  });

  it("shows the line of each violation that a server names", async () => {
    const pointers = ["", "/a~1b", "/a~1b/1", "/a~1b/1/~0", "/", "//x", "/é", "/é/0", "/missing"];
    const violations = pointers.map((pointer) => ({ in: "body", pointer, message: `at “${pointer}”` }));
    const answer = JSON.stringify({ violations: [...violations, { in: "body", message: "No." }] });
    await using stub = await startStub(() => [422, "application/problem+json", answer]);
    await using watched = await openForm(addressOf("saveIcsFeed"));
    const { page } = watched;
    await page.getByLabel("Server").fill(stub.url);
    await page
      .getByLabel("Request body as JSON")
      .fill(` { "a/b":\n[1,\n{"~": "\\"]\\u00e9"}],\n"": {"x":\nnull},\n"\\u00e9": [] } `);
    expect(await send(page)).toMatch(/^Received 422 Unprocessable Entity\. /);
    expect(await page.locator(".editor ~ [role=status]").innerText()).toBe("10 violations:");
    expect(await page.locator(".violations li").allInnerTexts()).toEqual([
      "Line 1 at “”",
      "Line 1 at “/missing”",
      "Line 1 No.",
      "Line 2 at “/a~1b”",
      "Line 3 at “/a~1b/1”",
      "Line 3 at “/a~1b/1/~0”",
      "Line 4 at “/”",
      "Line 5 at “//x”",
      "Line 6 at “/é”",
      "Line 6 at “/é/0”",
    ]);
  });

  it("puts named examples into the body, and restores the typed text", async () => {
    await using watched = await openForm(addressOf("updateOrganizationTeamMembership"));
    const { page } = watched;
    const example = page.getByLabel("Example", { exact: true });
    const body = page.getByLabel("Request body as JSON");
    const code = page.getByLabel("This request, TypeScript");
    const [first, codeOfFirst] = [await body.inputValue(), await code.innerText()];
    await example.selectOption({ index: 1 });
    const second = await body.inputValue();
    expect(second).not.toBe(first);
    expect(await code.innerText()).not.toBe(codeOfFirst);
    await body.fill('{ "role": "TYPED" }');
    expect(await example.locator("option:checked").innerText()).toBe("Your text");
    await example.selectOption({ index: 0 });
    expect(await body.inputValue()).toBe(first);
    expect(await code.innerText()).toBe(codeOfFirst);
    await example.selectOption("Your text");
    expect(await code.innerText()).toContain('role: "TYPED"');
    const sent = page.getByLabel("Request body required");
    await sent.selectOption("not sent");
    expect(await body.count()).toBe(0);
    expect(await code.innerText()).not.toContain("TYPED");
    await sent.selectOption("application/json");
    expect(await code.innerText()).toContain('role: "TYPED"');
  });

  it("is on a page whose alternatives fit on a phone, with media types above their own fields", async () => {
    const folder = join(temporary, "wide");
    await writeFiles(folder, [wide], "https://wide.example");
    const [path = ""] = readAddresses(wide).operations.values();
    await using watched = await watch(browser, pathToFileURL(folder).href);
    const { page } = watched;
    await page.goto(`${pathToFileURL(folder).href}/${path}index.html`);
    const first = await page.getByText("application/xml", { exact: true }).boundingBox();
    const second = await page.getByText("text/plain", { exact: true }).boundingBox();
    expect(second?.y).toBeGreaterThan(first?.y ?? Infinity);
    await page.setViewportSize({ width: 390, height: 900 });
    await page.goto(`${pathToFileURL(folder).href}/wide/schemas/wide/index.html`);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  });

  it("asks for parameters by their types, and says these in the page's words", async () => {
    const folder = join(temporary, "parameters");
    await using stub = await startStub(() => [200, "application/json", "true"]);
    await writeFiles(folder, [choices], stub.url);
    const [path = ""] = readAddresses(choices).operations.values();
    await using watched = await openForm(`${pathToFileURL(folder).href}/${path}index.html`);
    const { page, faults } = watched;
    const curl = page.getByLabel("This request, curl");
    const row = page.locator(".input", { has: page.getByLabel("ids", { exact: true }) });
    expect(await row.locator("span.hint").innerText()).toContain("integer or array of integer, as JSON");
    expect(await page.locator(".reference .type").first().innerText()).toBe("integer or array of integer");
    await page.getByLabel("ids", { exact: true }).fill("[1, 2]");
    expect(await curl.innerText()).toContain("ids=1&ids=2");
    await page.getByLabel("ids", { exact: true }).fill("7");
    expect(await curl.innerText()).toContain("ids=7");
    await page.getByLabel("parts", { exact: true }).fill("[1,");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expectMarked(page, "query:parts", /^Line 1, column 4 This is not JSON: expected a value\./);
    await page.getByLabel("parts", { exact: true }).fill("[1]");
    expect(await curl.innerText()).toContain("parts=1");
    await page.getByText("must be a string").waitFor();
    await page.getByLabel("parts", { exact: true }).fill("");
    // It is on the page only.
    expect(await page.getByLabel("filter", { exact: true }).count()).toBe(0);
    expect(await page.locator(".reference").first().innerText()).toContain("filter");
    await page.getByLabel("state", { exact: true }).selectOption("closed");
    await page.getByLabel("kind", { exact: true }).fill("other");
    expect(await page.locator("datalist option").count()).toBe(2);
    await page.getByLabel("old", { exact: true }).selectOption("false");
    expect(await curl.innerText()).toContain("?ids=7&state=closed&kind=other&old=false'");
    expect(await send(page)).toMatch(kept);
    expect(faults).toEqual([]);
  });

  it("sends the files that are chosen, and saves those that come", async () => {
    await using server = await startServer({ generations: [foreign], port: 0 });
    const folder = join(temporary, "uploads");
    await writeFiles(folder, [foreign], server.url);
    const open = async (path: string) => {
      const page = pagesOf(foreign).find(({ operation }) => operation.path === path)?.path ?? "";
      return openForm(`${pathToFileURL(folder).href}/${page}index.html`);
    };
    await using upload = await open("/upload/{id}");
    const { page } = upload;
    const file = (name: string, mimeType: string) => ({ name, mimeType, buffer: Buffer.from([0xff, 0]) });
    await page.getByLabel("file", { exact: true }).setInputFiles(file("plan.txt", "text/plain"));
    expect(await send(page)).toMatch(/^Received 422/);
    expect(await page.locator(".input:has([data-place='body:/file']) .violations").innerText()).toContain(
      'must be application/pdf; its Content-Type is "text/plain"',
    );
    await page.getByLabel("file", { exact: true }).setInputFiles(file("plan.pdf", "application/pdf"));
    await page
      .getByLabel("pictures", { exact: true })
      .setInputFiles([file("a.png", "image/png"), file("b.jpg", "image/jpeg")]);
    expect(await send(page)).toMatch(kept);
    const curl = page.getByLabel("This request, curl");
    expect(await curl.innerText()).toContain(
      "-F 'file=@plan.pdf' \\\n  -F 'pictures=@a.png' \\\n  -F 'pictures=@b.jpg'",
    );
    await using download = await open("/invoice");
    expect(await send(download.page)).toMatch(/^Received 200 OK. The response follows the contract/);
    const saving = download.page.waitForEvent("download");
    await download.page.getByRole("link", { name: "Save inv-7.pdf" }).click();
    expect((await saving).suggestedFilename()).toBe("inv-7.pdf");
    expect(await download.page.locator(".response-view").innerText()).not.toContain("%PDF");
    expect(download.faults).toEqual([]);
  });

  it("says of a status that the contract doesn't list whether it leaves that open", async () => {
    let status = 0;
    await using stub = await startStub(() => [status, "application/json", "{}"]);
    const folder = join(temporary, "stubbed");
    await writeFiles(folder, [choices], stub.url);
    const [path = ""] = readAddresses(choices).operations.values();
    await using watched = await openForm(`${pathToFileURL(folder).href}/${path}index.html`);
    const verdict = watched.page.locator(".verdict");
    const verdicts = [
      [404, "Nothing to compare: the contract doesn't list the status 404.", "It lists 200.", "verdict "],
      [202, "The response violates the contract:", "The status must be 200; received 202.", "verdict bad"],
    ] as const;
    for (const [one, said, listed, className] of verdicts) {
      status = one;
      expect(await send(watched.page)).toMatch(new RegExp(`^Received ${one} .*\\. ${said}`));
      expect(await verdict.innerText()).toContain(listed);
      expect(await verdict.getAttribute("class")).toBe(className);
    }
  });

  it("takes a missing field for no violation where it isn't specified whether fields are always present", async () => {
    await using stub = await startStub(() => [
      201,
      "application/json",
      '{"attendee":{"id":5,"bookingId":1,"name":"A"}}',
    ]);
    await using watched = await openForm(addressOf("updateAttendee"));
    const { page } = watched;
    await page.getByLabel("Server").fill(stub.url);
    expect(await send(page)).toMatch(kept);
    expect(await page.locator(".verdict").innerText()).toContain(
      "It lacks attendee.email, attendee.timeZone. The contract doesn't specify whether each field is always present.",
    );
    const folder = join(temporary, "strict");
    const strict = readGeneration("strict", {
      openapi: "3.1.1",
      info: { title: "Strict", version: "1" },
      paths: {
        "/thing": {
          get: {
            responses: { 200: { description: "", content: { "application/json": { schema: { required: ["id"] } } } } },
          },
        },
      },
    });
    await using other = await startStub(() => [200, "application/json", "{}"]);
    await writeFiles(folder, [strict], other.url);
    const [path = ""] = readAddresses(strict).operations.values();
    await openFormOf(page, `${pathToFileURL(folder).href}/${path}index.html`);
    expect(await send(page)).toMatch(/The response violates the contract:$/);
  });

  it("judges a response as the commands do", async () => {
    const answers = new Map<string, StubAnswer>([
      ["charset", [200, "application/json; charset=latin1", "{}", { "x-total": "5" }]],
      ["total", [200, "application/json", "{}", { "x-total": "many" }]],
      // Another origin may send it without exposing it.
      ["hidden", [200, "application/json", "{}"]],
      ["body", [202, "text/plain", "none"]],
      ["failure", [404, "text/html", "<b>no</b>"]],
    ]);
    await using stub = await startStub((path) => answers.get(path.split("/").at(-1) ?? "") ?? "break");
    const json = { content: { "application/json": { schema: { type: "object" } } } } as const;
    const total = { "X-Total": { required: true, schema: { type: "integer" } } } as const;
    const judged = readGeneration("judged", {
      openapi: "3.1.1",
      info: { title: "Judged", version: "1" },
      paths: {
        "/things/{id}": {
          get: {
            parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
            responses: {
              200: { description: "", headers: total, ...json },
              202: { description: "" },
              404: { description: "", content: { "application/json": {} } },
            },
          },
        },
      },
    });
    const folder = join(temporary, "judged");
    await writeFiles(folder, [judged], stub.url);
    const site = "https://docs.example/";
    const [path = ""] = readAddresses(judged).operations.values();
    await using watched = await openForm(`${pathToFileURL(folder).href}/${path}index.html`);
    const { page } = watched;
    const verdicts: string[] = [];
    const judge = async (id: string) => {
      await page.getByLabel("id required").fill(id);
      expect(await send(page)).toMatch(/^Received/);
      verdicts.push((await page.locator(".verdict").innerText()).replaceAll(/\s+/g, " "));
    };
    for (const id of answers.keys()) await judge(id);
    await serveFolder(page, site, folder);
    await page.route(`${site}things/*`, (route) => route.fulfill({ body: "{}", contentType: "application/json" }));
    await openFormOf(page, site + path);
    await page.getByLabel("Server").fill(site);
    await judge("own");
    expect(verdicts).toEqual([
      "The response violates the contract: The charset of JSON is UTF-8; received latin1.",
      "The response violates the contract: The header X-Total must be an integer.",
      "The response follows the contract.",
      "The response violates the contract: There is no body; received 4 bytes.",
      "The response follows the contract. The contract doesn't specify this body.",
      "The response violates the contract: The header X-Total is required; received none.",
    ]);
  });

  it("marks a response once the request is another, and sends with Ctrl+Enter", async () => {
    let count = 0;
    await using stub = await startStub(() => {
      count += 1;
      return [count === 1 ? 429 : 200, "application/json", "{}", { "retry-after": "30" }];
    });
    await using watched = await openForm(addressOf("updateAttendee"));
    const { page } = watched;
    await page.getByLabel("Server").fill(stub.url);
    await page.getByLabel("id required").press("Control+Enter");
    expect(await answerOf(page)).toMatch(/^Received 429/);
    const response = page.locator(".response-view");
    expect(await response.innerText()).toContain("The server asks to wait 30 seconds (Retry-After).");
    const note = page.getByText("This is the response to the previous request");
    expect(await note.isVisible()).toBe(false);
    const body = page.getByLabel("Request body as JSON");
    const text = await body.inputValue();
    await body.fill("{}");
    expect(await note.isVisible()).toBe(true);
    await body.fill(text);
    expect(await note.isVisible()).toBe(false);
    await body.fill("{}");
    await body.press("Meta+Enter");
    await page.locator(".response-view .status", { hasText: "200" }).waitFor();
    expect(await note.isVisible()).toBe(false);
    expect(count).toBe(2);
  });

  it("says that a request may have arrived if its connection breaks", async () => {
    await using stub = await startStub(() => "break");
    await using watched = await openForm(addressOf("updateAttendee"));
    const { page } = watched;
    await page.getByLabel("Server").fill(stub.url);
    expect(await send(page)).toBe("There is no response.");
    await expectMarked(page, "server:", /^The connection broke before the response.*It may have received/);
  });

  it("says where a response violates the contract", async () => {
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
    expect(await page.getByText("This isn't the mock").isVisible()).toBe(true);
    const verdicts: string[] = [];
    for (const id of wrong.keys()) {
      await page.getByLabel("id required").fill(id);
      expect(await send(page)).toMatch(/^Received/);
      await page.locator(".response-view .status", { hasText: String(wrong.get(id)?.[0]) }).waitFor();
      verdicts.push(await page.locator(".verdict").innerText());
    }
    expect(verdicts).toMatchInlineSnapshot(`
      [
        "Nothing to compare: the contract specifies neither this status nor its body.",
        "Nothing to compare: the contract specifies neither this status nor its body.",
        "The response violates the contract:

      The media type is application/json; received text/html.",
        "The response violates the contract:

      The body is JSON; received a body that is not JSON: at line 1, column 2, expected a name in double quotes.",
        "The response violates the contract:

      The body is JSON; received no body.",
        "The response violates the contract:

      attendee.id must be an integer.
      attendee.email must be a string.",
      ]
    `);
    await page.getByText("Headers (1)").click();
    expect(await page.getByText("comes from another origin").isVisible()).toBe(true);
    await stub[Symbol.asyncDispose]();
    expect(await send(page)).toBe("There is no response.");
    await expectMarked(page, "server:", /^No server responds at /);
    expect(await page.locator(".response-view").isVisible()).toBe(false);
  });

  it("shows any response as text, and truncates long ones", async () => {
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

  it("goes on after responses that are too deep, too long or too wrong to show", async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const endlessIndented = `${"[".repeat(3000)}${"1,".repeat(200_000)}1${"]".repeat(3000)}`;
    const longPlace = [{ in: "body", pointer: "/a".repeat(200_000), message: "No." }];
    const many = Array.from({ length: 50_000 }, () => ({ in: "query", name: "q", message: "No." }));
    const answers: StubAnswer[] = [
      [200, "application/json", deep],
      [201, "application/json", endlessIndented],
      [422, "application/problem+json", JSON.stringify({ violations: longPlace })],
      [400, "application/problem+json", JSON.stringify({ violations: many })],
    ];
    const sent = answers.values();
    await using stub = await startStub(() => sent.next().value);
    await using watched = await openForm(addressOf("createCredential"));
    const { page } = watched;
    await page.getByLabel("Server").fill(stub.url);
    for (const status of [200, 201, 422, 400]) {
      expect(await send(page)).toMatch(new RegExp(`^Received ${status} `));
      expect(await page.getByRole("button", { name: "Send", exact: true }).isEnabled()).toBe(true);
    }
  });

  it("explains at the field why a request can't be sent, and hides the earlier response", async () => {
    await using watched = await openForm(addressOf("rescheduleBooking"));
    const { page } = watched;
    const response = page.locator(".response-view");
    expect(await send(page)).toMatch(kept);
    expect(await response.isVisible()).toBe(true);
    await page.getByLabel("apiKey", { exact: true }).fill("key😀");
    expect(await send(page)).toBe("The request wasn't sent.");
    await expectMarked(page, "header:Authorization", /^A header can't contain “😀”\./);
    expect(await response.isVisible()).toBe(false);
    await page.getByLabel("apiKey", { exact: true }).fill("key");
    // It answers, but without CORS.
    await using silent = await serveHttp((_, answer) => answer.end());
    await page.getByLabel("Server").fill(silent.url);
    expect(await send(page)).toBe("There is no response.");
    await expectMarked(page, "server:", /doesn't let pages of other origins read its responses \(CORS\)/);
    const button = page.getByRole("button", { name: "Send", exact: true });
    await page.evaluate("scrollTo(0, 300)");
    expect(await button.evaluate((shown) => shown.getBoundingClientRect().bottom <= window.innerHeight)).toBe(true);
  });

  it("deletes at the mock of the docs at once, and asks before it deletes elsewhere", async () => {
    await using mock = await startServer({ generations });
    await using watched = await openForm(addressOf("deleteTeam"));
    const { page } = watched;
    const questions: string[] = [];
    page.on("dialog", (dialog) => {
      questions.push(dialog.message());
      void (questions.length === 1 ? dialog.dismiss() : dialog.accept());
    });
    expect(await send(page)).toMatch(kept);
    expect(questions).toEqual([]);
    await page.getByLabel("Server").fill(mock.url);
    expect(await send(page)).toBe("The request wasn't sent.");
    expect(await send(page)).toMatch(kept);
    // The contract allows any status, so an error is no breach of it.
    expect(await send(page)).toMatch(/^Received 404 Not Found\./);
    const question = `${mock.url} isn't the mock of these docs. Do you want to delete its data?`;
    expect(questions).toEqual(Array.from({ length: 3 }, () => question));
    expect(await page.getByRole("button", { name: "Reset the mock" }).count()).toBe(0);
  });

  it("can be canceled while it waits", async () => {
    await using stub = await startStub(() => undefined);
    await using watched = await openForm(addressOf("listAttendees"));
    const { page } = watched;
    await page.getByLabel("Server").fill(stub.url);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("Sending…").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(await answerOf(page)).toBe("Canceled. The server may have received the request.");
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
    expect(await page.getByLabel("This request, curl").innerText()).toContain(secret);
    const traces = await page.evaluate<unknown>(`(async () => JSON.stringify([
      { ...localStorage }, { ...sessionStorage }, document.cookie, document.title, location.href, history.state,
      (await indexedDB.databases()), (await caches.keys()), performance.getEntries().map(({ name }) => name),
    ]))()`);
    expect(traces).not.toContain(secret);
    expect(await page.evaluate("history.length")).toBe(history);
    expect(JSON.stringify(await page.context().storageState())).not.toContain(secret);
    await page.reload();
    await openTryIt(page);
    const values = await page
      .locator("input")
      .evaluateAll((inputs) => inputs.map((input) => (input instanceof HTMLInputElement ? input.value : "")));
    expect(values).not.toContain(secret);
  });

  it("keeps address and credentials, if the reader wants that, for the pages of one generation of one site", async () => {
    await using watched = await watch(browser, "");
    const { page } = watched;
    const [own, other] = ["https://docs.example/own/", "https://docs.example/other/"];
    await serveFolder(page, own, docs.folder);
    await serveFolder(page, other, docs.folder);
    const secret = "typed-by-a-reader";
    const kept = page.getByLabel("Keep address and credentials");
    await openFormOf(page, own + pathOf("getOrganizationTeam"));
    await kept.check();
    await page.getByLabel("Server").fill("https://staging.example");
    await page.getByLabel("Authenticate with").selectOption({ index: 1 });
    await page.getByLabel("oauthClientId").fill(secret);
    await openFormOf(page, own + pathOf("deleteOrganizationTeam"));
    expect(await page.getByLabel("oauthClientId").inputValue()).toBe(secret);
    expect(await page.locator(".request-code").textContent()).toContain("https://staging.example");
    for (const elsewhere of [own + pathOf("deleteTeam"), other + pathOf("deleteOrganizationTeam")]) {
      await openFormOf(page, elsewhere);
      expect(await page.getByLabel("Server").inputValue()).toBe(docs.url);
      expect(await page.locator(".request-code").textContent()).not.toContain(secret);
      expect(await kept.isChecked()).toBe(false);
    }
    await openFormOf(page, own + pathOf("deleteOrganizationTeam"));
    await kept.uncheck();
    expect(await page.evaluate("JSON.stringify({ ...localStorage, ...sessionStorage })")).not.toContain(secret);
    await openFormOf(page, own + pathOf("deleteOrganizationTeam"));
    expect(await page.getByLabel("Server").inputValue()).toBe(docs.url);
  });

  it("sends credentials only to the origin that they were typed for, and follows no redirect", async () => {
    const arrived: string[] = [];
    await using elsewhere = await startStub((_, headers) => {
      arrived.push(JSON.stringify(headers));
      return [200, "application/json", "{}"];
    });
    await using first = await startStub((path) => [307, "text/plain", "", { location: elsewhere.url + path }]);
    await using watched = await openForm(addressOf("getOrganizationTeam"));
    const { page } = watched;
    const secret = "typed-by-a-reader";
    const server = page.getByLabel("Server");
    const clientId = page.getByLabel("oauthClientId");
    await server.fill(first.url);
    await page.getByLabel("Authenticate with").selectOption({ index: 1 });
    const example = await clientId.inputValue();
    await clientId.fill(secret);
    expect(await send(page)).toBe("There is no response to show.");
    await expectMarked(page, "server:", /^The server redirects the request, and this form doesn't follow/);
    expect(arrived).toEqual([]);
    await server.fill(`${elsewhere.url}/base`);
    expect(await clientId.inputValue()).toBe(example);
    expect(await send(page)).toMatch(/^Received 200/);
    expect(arrived.length).toBe(1);
    expect(arrived.join()).not.toContain(secret);
    await server.fill(`${first.url}/base`);
    expect(await clientId.inputValue()).toBe(secret);
    expect(await page.getByRole("group", { name: "Credentials" }).innerText()).toContain(`only for ${first.url}.`);
  });

  it("sends from a file on disk to a mock on another origin", async () => {
    const [newest] = generations.toReversed();
    const [first] = newest === undefined ? [] : pagesOf(newest);
    await using watched = await openForm(`${pathToFileURL(docs.folder).href}/${first?.path ?? ""}index.html`);
    expect(await send(watched.page)).toMatch(kept);
    expect(watched.faults).toEqual([]);
  });

  it("has nothing that axe finds fault with, in any state", async () => {
    await using watched = await openForm(addressOf("rescheduleBooking"));
    const { page } = watched;
    const findInForm = () => findViolations(page, undefined, ".try-it");
    // Each look at the page takes a second, so one has several states: the response to an earlier request beside a body that
    // isn't JSON, then what remains of a request without a response.
    await send(page);
    await page.getByText(/^Headers \(/).click();
    await page.getByLabel("Request body as JSON").fill('{\n  "start": 1,\n');
    await page.getByRole("button", { name: "Line" }).waitFor();
    const found = [await findInForm()];
    await page.getByLabel("Request body as JSON").fill("{}");
    await page.getByLabel("Server").fill("http://127.0.0.1:9");
    expect(await send(page)).toBe("There is no response.");
    found.push(await findInForm());
    await page.getByLabel("Server").fill(docs.url);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByLabel(/^svc-api-version/).selectOption("not sent");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.locator("[aria-invalid]").waitFor();
    found.push(await findViolations(page));
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    expect(found.flat()).toEqual([]);
  });

  it("is absent without scripts", async () => {
    await using watched = await watch(browser, docs.url, { javaScriptEnabled: false });
    await watched.page.goto(addressOf("rescheduleBooking"));
    expect(await watched.page.getByRole("button", { name: "Try it" }).isVisible()).toBe(false);
    expect(await watched.page.locator(".try-it").count()).toBe(0);
  });
});

/** A control that has the focus, and is described by a message. */
async function expectMarked(page: Page, place: string, message: RegExp): Promise<void> {
  await page.locator(`[data-place="${place}"][aria-invalid="true"]`).waitFor();
  expect(await page.evaluate("document.activeElement.dataset.place")).toBe(place);
  expect(await describedBy(page, place)).toMatch(message);
}

/** What describes a control to those who do not see it. */
function describedBy(page: Page, place: string): Promise<string> {
  return page.evaluate<string>(`
    [...document.querySelectorAll('[data-place="${place}"]')].at(-1).getAttribute("aria-describedby").split(" ")
      .map((id) => document.getElementById(id).textContent).join(" ").trim()
  `);
}

type StubAnswer =
  | readonly [status: number, type: string, body: string, headers?: Readonly<Record<string, string>>]
  | "break"
  | undefined;

/** A server that lets pages of any origin read its answers; `undefined` never comes, and `break` ends the connection. */
async function startStub(answer: (path: string, headers: IncomingHttpHeaders) => StubAnswer) {
  return serveHttp((request, response) => {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "*, authorization");
    response.setHeader("access-control-allow-methods", "*");
    if (request.method === "OPTIONS") {
      response.writeHead(204).end();
      return;
    }
    const given = answer((request.url ?? "").split("?")[0] ?? "", request.headers);
    if (given === "break") {
      if (request.method === "HEAD") response.end();
      else request.socket.destroy();
      return;
    }
    if (given === undefined) return;
    const [status, type, body, headers = {}] = given;
    response.setHeader("access-control-expose-headers", Object.keys(headers));
    // Without a reason phrase, as in HTTP/2.
    response.writeHead(status, "", { "content-type": type, ...headers }).end(body);
  });
}

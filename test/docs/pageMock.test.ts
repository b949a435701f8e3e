import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { replaceFolder } from "../../scripts/command/files.ts";
import type { Generation } from "../../scripts/contract/generation.ts";
import { readAddresses } from "../../scripts/docs/model/addresses.ts";
import { renderSite } from "../../scripts/docs/site/renderSite.ts";
import { fillRequest } from "../../scripts/docs/browser/fillRequest.ts";
import { readRunnableStep } from "../../scripts/docs/model/stepsData.ts";
import { sampleRequest } from "../../scripts/samples/exampleRequest.ts";
import { readRecordedResponses, readWorkflows } from "../../scripts/workflows/readWorkflows.ts";
import { readOutcome } from "../../scripts/workflows/stepValues.ts";
import { foreign } from "../fixtures/foreignContract.ts";
import { findViolations, openTryIt, serveFolder, watch } from "./browser.ts";
import { it } from "./it.ts";
import { large, siteUrl } from "./sharedDocs.ts";

const generations = await readBuiltGenerations();
const responses = await readRecordedResponses("generated/workflows");
const workflows = await readWorkflows("openapi/workflows", generations, responses);

/** The address of an operation's page, from the root of the site. */
function pathOf(operationId: string, served: readonly Generation[] = generations): string {
  for (const generation of served.toReversed()) {
    for (const [operation, path] of readAddresses(generation).operations)
      if (operation.operationId === operationId) return path;
  }
  throw new Error(`there is no operation ${operationId}`);
}

async function openForm(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await openTryIt(page);
}

async function send(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const status = page.locator(".try-it .progress");
  await status.filter({ hasNotText: /^(?:|Sending…|Waiting for the mock in this page…)$/ }).waitFor();
  return status.innerText();
}

/** Writes a site of other generations, or with servers. */
async function writeOther(options: Pick<Parameters<typeof renderSite>[0], "generations" | "servers">) {
  const made = await mkdtempDisposable(join(tmpdir(), "page-mock-"));
  const folder = join(made.path, "site");
  await replaceFolder(folder, renderSite({ ...options, packageName: "some-package" }));
  return { folder, url: `${pathToFileURL(folder).href}/`, [Symbol.asyncDispose]: () => made[Symbol.asyncDispose]() };
}

const kept = /^Received 2\d\d [A-Z].*\. The response follows the contract\.$/;

describe("the mock in the pages of a published site", { timeout: 60_000 }, () => {
  it.for(["a host", "disk"])(
    "answers on a page from %s, with what was changed on others",
    async (place, { browser, published }) => {
      const isServed = place !== "disk";
      const site = isServed ? siteUrl : `${pathToFileURL(published).href}/`;
      const addressOf = (id: string) => `${site}${pathOf(id)}${isServed ? "" : "index.html"}`;
      await using watched = await watch(browser, site);
      const { page, faults } = watched;
      if (isServed) await serveFolder(page, siteUrl, published);
      const loaded: string[] = [];
      page.on("request", (request) => loaded.push(request.url().slice(site.length)));
      const isOfMock = (path: string) => /^assets\/mock-/.test(path);

      await openForm(page, addressOf("createOAuthClient"));
      expect(await page.getByLabel("Send to").locator("option:checked").innerText()).toBe("the mock in this page");
      expect(await page.getByText("A mock in your browser responds").isVisible()).toBe(true);
      expect(await page.getByLabel("Server").count()).toBe(0);
      expect(loaded.filter(isOfMock)).toEqual([]);
      const secret = "typed-by-a-reader";
      for (const input of await page.locator("fieldset:has(legend:text-is('Credentials')) input").all())
        await input.fill(secret);
      await page
        .getByLabel("Request body as JSON")
        .fill(
          (await page.getByLabel("Request body as JSON").inputValue()).replace(
            /"name": "[^"]*"/,
            '"name": "<b>Mine</b>"',
          ),
        );
      expect(await send(page)).toMatch(kept);
      // The engine, the list of parts, and the operation's part.
      expect(loaded.filter(isOfMock)).toHaveLength(3);
      const response = page.locator(".response-view");
      expect(
        await response
          .getByText("The response comes from the mock in this page. Nothing went over the network.")
          .count(),
      ).toBe(1);
      expect(await page.evaluate("JSON.stringify({ ...sessionStorage })")).not.toContain(secret);
      const created = await page.getByLabel("Body of the response").innerText();
      const id = /"clientId": "([^"]+)"/.exec(created)?.[1] ?? "";
      expect(id).not.toBe("");

      // Update what another page has created; read what was deleted on a third.
      await openForm(page, addressOf("updateOAuthClient"));
      expect(await page.locator(".memory").innerText()).toMatch(
        /^In this tab: 1 resource changed, .*OAuthClient \(1\)\.$/,
      );
      await page.getByLabel("clientId required").fill(id);
      await page.getByLabel("Request body as JSON").fill('{ "logo": "https://example.com/new.png" }');
      expect(await send(page)).toMatch(kept);
      const updated = await page.getByLabel("Body of the response").innerText();
      expect(updated).toContain("https://example.com/new.png");
      expect(updated).toContain("<b>Mine</b>");
      expect(faults).toEqual([]);
      // The state is in the tab, wherever the page is from.
      if (!isServed) return;

      const team = page.getByLabel("teamId required");
      const loadedAhead = page.waitForEvent("requestfinished", (request) => isOfMock(request.url().slice(site.length)));
      await openForm(page, addressOf("deleteOrganizationTeam"));
      await loadedAhead;
      await team.fill("7");
      expect(await send(page)).toMatch(kept);
      await openForm(page, addressOf("getOrganizationTeam"));
      await team.fill("7");
      expect(await send(page)).toMatch(/^Received 404/);
      await page.reload();
      await openTryIt(page);
      await team.fill("7");
      expect(await page.locator(".memory").innerText()).toContain("2 resources changed");
      expect(await send(page)).toMatch(/^Received 404/);
      await page.locator(".memory summary").click();
      expect(await page.locator(".memory pre").innerText()).toContain("<b>Mine</b>");

      await page.getByRole("button", { name: "Reset the mock" }).first().click();
      await page.getByText("The mock is back to its initial resources.").waitFor();
      expect(await page.locator(".memory").innerText()).toBe("In this tab, no resource has changed.");
      expect(await send(page)).toMatch(kept);
      expect(await page.evaluate("JSON.stringify({ ...sessionStorage })")).toBe("{}");
      expect(faults).toEqual([]);
    },
  );

  it("loads the parts of a large contract for a request and for the state", async ({ browser, largeDocs }) => {
    const url = `${pathToFileURL(largeDocs).href}/`;
    await using watched = await watch(browser, url);
    const { page, faults } = watched;
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(/assets\/mock-part-(\d+)/.exec(request.url())?.[1] ?? ""));
    const partsLoaded = () => loaded.splice(0).filter((part) => part !== "");
    const addressOf = (id: string) => `${url}${pathOf(id, [large])}index.html`;

    await openForm(page, addressOf("createResource0"));
    expect(await send(page)).toMatch(kept);
    expect(partsLoaded()).toEqual(["0"]);
    await openForm(page, addressOf("updateResource49"));
    expect(await send(page)).toMatch(kept);
    expect(partsLoaded().sort()).toEqual(["0", "1"]);
    expect(await page.locator(".memory").innerText()).toContain("2 resources changed");

    await openForm(page, addressOf("readResource0"));
    expect(await send(page)).toMatch(kept);
    expect(await page.locator(".memory").innerText()).toContain(
      "2 resources changed, large Resource0 (1), large Resource49 (1).",
    );
    expect(partsLoaded().sort()).toEqual(["0", "1"]);
    await page.getByRole("button", { name: "Reset the mock" }).first().click();
    await page.getByText("The mock is back to its initial resources.").waitFor();
    await openForm(page, addressOf("readResource0"));
    expect(await send(page)).toMatch(kept);
    expect(partsLoaded()).toEqual(["0"]);
    expect(faults).toEqual([]);
  });

  it("gets the failures that are asked for, and waits as long", async ({ browser, published }) => {
    await using watched = await watch(browser, siteUrl);
    const { page, faults } = watched;
    await serveFolder(page, siteUrl, published);
    await openForm(page, siteUrl + pathOf("getOrganizationTeam"));
    const answers = page.getByLabel("It responds");
    for (const status of [429, 500, 503]) {
      await answers.selectOption({ label: await labelOf(page, status) });
      expect(await send(page)).toMatch(new RegExp(`^Received ${status} `));
    }
    expect(await page.locator(".response-view").innerText()).toContain("The mock in this page asks to wait 1 second");
    await answers.selectOption("after 2 seconds");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("Waiting for the mock in this page…").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    const canceled = "Canceled. The mock in this page may have received the request.";
    await page.locator(".progress", { hasText: canceled }).waitFor();
    await answers.selectOption("as usual");
    expect(await send(page)).toMatch(kept);
    expect(faults).toEqual([]);
  });

  it("explains rejected requests, discarded changes, and failed loading", async ({ browser, published }) => {
    await using watched = await watch(browser, siteUrl);
    const { page } = watched;
    await serveFolder(page, siteUrl, published);
    const isOfMock = (url: URL) => url.pathname.includes("/assets/mock-");
    await page.route(isOfMock, (route) => route.abort());
    await openForm(page, siteUrl + pathOf("createOAuthClient"));
    expect(await send(page)).toBe("There is no response.");
    expect(await page.locator(".violations").filter({ hasText: "couldn't be loaded" }).count()).toBe(1);
    await page.unroute(isOfMock);
    expect(await send(page)).toMatch(kept);

    await page.getByLabel("Request body as JSON").fill(JSON.stringify({ name: "x".repeat(65_536) }));
    expect(await send(page)).toMatch(/^Received 413/);
    expect(await page.locator(".response-view").innerText()).toContain("The body is larger than 65536 bytes");

    await page.evaluate(`for (const key of Object.keys(sessionStorage))
      sessionStorage[key] = '{"resources":{"<img src=x onerror=alert(1)>":[{}]},"counters":{}}'`);
    await openForm(page, siteUrl + pathOf("getOrganizationTeam"));
    expect(await page.locator(".memory").innerText()).toContain("<img src=x onerror=alert(1)> (1)");
    expect(await send(page)).toMatch(kept);
    expect(await page.locator(".memory").innerText()).toContain("were discarded, because they don't fit the contract");
    expect(await page.locator(".memory img").count()).toBe(0);
    expect(await page.evaluate("JSON.stringify({ ...sessionStorage })")).toBe("{}");
  });

  it("is offered beside the site's server, and the choice stays for the tab", async ({ browser }) => {
    const server = "http://127.0.0.1:9";
    await using site = await writeOther({ generations: [foreign], servers: new Map([[foreign.name, server]]) });
    await using watched = await watch(browser, site.url);
    const { page, faults } = watched;
    // The server gets no request of the pages that are no form.
    await page.goto(fileOf(site.folder, ""));
    expect(await page.locator(".first-call .target").last().innerText()).toContain(server);
    expect(await runStep(page, 1)).toBe("Received 200 OK. The response follows the contract.");
    expect(faults).toEqual([]);
    const path = [...readAddresses(foreign).operations].find(([operation]) => operation.path === "/open")?.[1] ?? "";
    await openForm(page, `${site.url}${path}index.html`);
    const choice = page.getByLabel("Send to");
    expect(await choice.locator("option:checked").innerText()).toBe("a server");
    expect(await page.getByLabel("Server").inputValue()).toBe(server);
    expect(await send(page)).toBe("There is no response.");
    const advice = page.locator(".violations", { hasText: "The mock in this page needs no server." });
    expect(await advice.isVisible()).toBe(true);
    faults.length = 0;
    await choice.selectOption("the mock in this page");
    expect(await send(page)).toMatch(kept);
    // The code goes to the server nevertheless.
    expect(await page.locator(".request-code").textContent()).toContain(server);
    const previous = page.getByText("This is the response to the previous request. The form has changed since.");
    expect(await previous.isVisible()).toBe(false);
    await choice.selectOption("a server");
    expect(await previous.isVisible()).toBe(true);
    await choice.selectOption("the mock in this page");
    expect(await previous.isVisible()).toBe(false);
    await openForm(page, `${site.url}${path}index.html`);
    expect(await choice.locator("option:checked").innerText()).toBe("the mock in this page");
    // The choice is open where the credentials are only those of an example, which the mock takes.
    const bearer =
      [...readAddresses(foreign).operations].find(([operation]) => operation.path === "/bearer")?.[1] ?? "";
    for (const [answerer, isOpen] of [
      ["the mock in this page", false],
      ["a server", true],
    ] as const) {
      await choice.selectOption(answerer);
      await page.goto(`${site.url}${bearer}index.html`);
      await page.getByRole("button", { name: "Try it" }).click();
      await page.locator(".receiver").waitFor();
      expect(await page.locator(".receiver").evaluate((details) => details.hasAttribute("open"))).toBe(isOpen);
      if (!isOpen) await page.locator(".receiver > summary").click();
    }
    expect(faults).toEqual([]);
  });

  it("has nothing that axe finds fault with, and fits on a phone", async ({ browser, published }) => {
    await using watched = await watch(browser, siteUrl, { viewport: { width: 390, height: 844 } });
    const { page } = watched;
    await serveFolder(page, siteUrl, published);
    await openForm(page, siteUrl + pathOf("deleteOrganizationTeam"));
    await send(page);
    await page.locator(".memory summary").click();
    expect(await findViolations(page, undefined, ".try-it")).toEqual([]);
    const shown = page.locator(".try-it :is(select, .memory, .memory pre, .reset)");
    const ends = await shown.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
    expect(Math.max(...ends)).toBeLessThan(390);
  });
});

/** The address of a page in a folder. */
function fileOf(folder: string, path: string): string {
  return `${pathToFileURL(folder).href}/${path}index.html`;
}

/** Presses the button of a step. Resolves to what has come of it. */
async function runStep(page: Page, number: number): Promise<string> {
  const bar = page.locator(".run").nth(number - 1);
  await bar.getByRole("button").click();
  const outcome = bar.locator(".progress").filter({ hasNotText: /(?:^|…)$/ });
  await outcome.waitFor();
  return outcome.innerText();
}

/** A step of a guide, with the response that the page got. */
function stepOf(page: Page, number: number) {
  const step = page.locator(".step").nth(number - 1);
  return { step, response: step.locator(".response-view"), body: step.getByLabel("Body of the response") };
}

const onboarding = "guides/onboard-platform-customer/";

describe("the steps of guides in a published site", { timeout: 60_000 }, () => {
  it("send the requests that the pages show", () => {
    const server = "http://127.0.0.1";
    const site = { packageName: "some-package", serverOf: () => ({ url: server, isMock: true }) };
    for (const { inputs, steps } of workflows) {
      const context = { inputs: Object.fromEntries(inputs.map((input) => [input.name, input.default])), steps: {} };
      for (const [index, step] of steps.entries()) {
        const { credentials, ...shown } = sampleRequest(step.example, server);
        expect(fillRequest(readRunnableStep(site, step, index + 1), context)).toMatchObject({
          ...shown,
          credentials: credentials.map(({ name, example }) => ({ name, example })),
        });
        const { outputs } = readOutcome(step, context, step.response);
        Object.assign(context.steps, { [step.id]: { outputs } });
      }
    }
  });

  it("succeed on pages from disk, with the responses that the pages show", async ({ browser, published }) => {
    await using watched = await watch(browser, "file:");
    const { page, faults } = watched;
    const firsts = generations.flatMap(
      ({ name }) => workflows.find((one) => one.steps[0]?.generation.name === name) ?? [],
    );
    expect(firsts.length).toBeGreaterThan(0);
    for (const { id, steps } of firsts) {
      const [path, count] = [`guides/${id}/`, steps.length];
      await page.goto(fileOf(published, path));
      // It runs those before it, too.
      expect(await runStep(page, count), path).toMatch(new RegExp(`Step ${count} succeeded\\.$`));
      const outcomes = await page.locator(".run .progress").allInnerTexts();
      expect([path, outcomes.filter((text) => !text.endsWith(" succeeded."))]).toEqual([path, []]);
      for (const step of await page.locator(".step").all()) {
        const [recorded, own] = await Promise.all(
          [".payload pre", ".response-view .panel pre"].map((selector) => step.locator(selector).allTextContents()),
        );
        expect(own, path).toEqual(recorded);
      }
    }
    expect(faults).toEqual([]);
  });

  it("send the outputs of earlier responses, and load nothing before the first run", async ({ browser, published }) => {
    await using watched = await watch(browser, siteUrl);
    const { page, faults } = watched;
    await serveFolder(page, siteUrl, published);
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(request.url().slice(siteUrl.length)));
    await page.goto(siteUrl + onboarding);
    expect(await page.getByText("A mock in this page responds. Nothing goes over the network.").count()).toBe(1);
    expect(loaded.filter((path) => /steps|mock/.test(path))).toEqual([]);
    await runStep(page, 1);
    expect(await runStep(page, 1)).toBe("Received 201 Created. Step 1 succeeded.");
    const [, clientId = ""] = /"clientId": "([^"]+)"/.exec(await stepOf(page, 1).body.innerText()) ?? [];
    expect(await runStep(page, 3)).toBe("Step 2 ran first. Received 201 Created. Step 3 succeeded.");
    const { step, body, response } = stepOf(page, 3);
    expect(await page.locator(":focus").innerText()).toContain("Run this step");
    await step.getByText("Values of this step").click();
    expect(await step.getByLabel("clientId").inputValue()).toBe(clientId);
    await step.getByText("The request as code").click();
    expect(await step.locator("details .sample.chosen").innerText()).toContain(clientId);

    const email = step.getByLabel("userEmail");
    await email.fill("<img src=x>@example.com");
    expect(await response.innerText()).toContain(
      "This is the response to the previous request. The values have changed since.",
    );
    expect(await step.locator("img").count()).toBe(0);
    await email.fill("reader@example.com");
    await email.press("Enter");
    await body.getByText("reader@example.com").waitFor();
    expect(await response.innerText()).not.toContain("This is the response to the previous request");
    await email.fill("");
    expect(await runStep(page, 3)).toBe("Not run, because a value is missing.");
    expect(await step.getByText("Enter a value for userEmail.").isVisible()).toBe(true);
    await runStep(page, 1);
    await stepOf(page, 1).step.getByText("Values of this step").click();
    await stepOf(page, 1).step.getByLabel("apiKey").fill("typed-by-a-reader");
    await runStep(page, 1);
    expect(await page.evaluate("JSON.stringify({ ...sessionStorage })")).not.toContain("typed-by-a-reader");
    // The form has the same mock.
    await openForm(page, siteUrl + pathOf("updateOAuthClient"));
    await page.getByLabel("clientId required").fill(clientId);
    await page.getByLabel("Request body as JSON").fill("{}");
    expect(await send(page)).toMatch(kept);
    expect(faults).toEqual([]);
  });

  it("explain failures, and start again after a reset", async ({ browser, published }) => {
    await using watched = await watch(browser, "file:", { viewport: { width: 390, height: 844 } });
    const { page } = watched;
    await page.goto(fileOf(published, "guides/remove-team/"));
    const { step, response } = stepOf(page, 2);
    const recorded = step.locator(".payload");
    expect(await runStep(page, 3)).toMatch(/^Step 1 and step 2 ran first\. .* Step 3 succeeded\.$/);
    expect(await recorded.isVisible()).toBe(false);
    expect(await runStep(page, 2)).toBe("Received 404 Not Found. Step 2 failed.");
    expect(await step.getByText("It expects $statusCode == 200, but $statusCode is 404.").isVisible()).toBe(true);
    expect(await recorded.isVisible()).toBe(true);
    expect(await runStep(page, 3)).toBe("Not run, because step 2 has to succeed first.");
    expect(await findViolations(page, undefined, ".steps")).toEqual([]);
    const shown = page.locator(".in-step, .in-step :is(input, .panel, .summary)");
    const ends = await shown.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
    expect(Math.max(...ends)).toBeLessThan(390);
    await response.getByRole("button", { name: "Reset the mock" }).click();
    await response.getByText("The mock is back to its initial resources.").waitFor();
    expect(await runStep(page, 2)).toBe("Step 1 ran first. Received 200 OK. Step 2 succeeded.");
    await page.evaluate(`for (const key of Object.keys(sessionStorage))
      sessionStorage[key] = '{"resources":' + "[".repeat(5000) + "]".repeat(5000) + "}"`);
    await page.reload();
    expect(await runStep(page, 1)).toMatch(/^Received 20/);
  });

  it("say that they couldn't be loaded, and are absent without scripts", async ({ browser, published }) => {
    await using watched = await watch(browser, siteUrl);
    const { page } = watched;
    await serveFolder(page, siteUrl, published);
    await page.goto(siteUrl + onboarding);
    for (const [pattern, said] of [
      [/assets\/steps-/, "Couldn't be loaded"],
      [/\/steps\.js$/, "It couldn't be loaded. Run it again to retry."],
    ] as const) {
      await page.route(pattern, (route) => route.abort());
      await page.locator(".run button").first().click();
      await page.locator(".run").first().getByText(said).waitFor();
      await page.unroute(pattern);
    }
    expect(await runStep(page, 1)).toBe("Received 201 Created. Step 1 succeeded.");
    await using plain = await watch(browser, "file:", { javaScriptEnabled: false });
    await plain.page.goto(fileOf(published, onboarding));
    expect(await plain.page.getByText("Run this step").count()).toBeGreaterThan(1);
    expect(await plain.page.locator(".run:visible").count()).toBe(0);
  });

  it("include the first call of the start page, and are absent beside a real mock", async ({
    browser,
    docs,
    published,
  }) => {
    const served = await (await fetch(docs.url)).text();
    expect(served).toContain('class="first-call"');
    expect(served).not.toContain("data-run");
    await using watched = await watch(browser, "file:");
    const { page, faults } = watched;
    await page.goto(fileOf(published, ""));
    expect(await runStep(page, 1)).toBe("Received 200 OK. The response follows the contract.");
    const call = page.locator(".first-call");
    expect(await call.innerText()).toContain(
      "The response comes from the mock in this page. Nothing went over the network.",
    );
    expect(await call.locator(".payload").isVisible()).toBe(false);
    expect(await findViolations(page, undefined, ".first-call")).toEqual([]);
    expect(faults).toEqual([]);
  });
});

function labelOf(page: Page, status: number): Promise<string> {
  return page
    .getByLabel("It responds")
    .locator("option", { hasText: String(status) })
    .innerText();
}

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { startServer, type MockServer } from "../../scripts/mock/server/server.ts";
import { runCurl } from "../curl.ts";
import { findViolations, layoutRules, serveFolder, watch } from "../docs/browser.ts";
import { it as test } from "../docs/it.ts";
import { sendRaw } from "./raw.ts";

const team = "/v2/organizations/42/teams/7";
const membership = `${team}/memberships/88`;
const markup = "<img src=x onerror=alert(1)>";

let mock: MockServer;
test.beforeAll(async () => {
  mock = await startServer({ generations: await readBuiltGenerations() });
  return () => mock.close();
});

interface SendOptions extends RequestInit {
  readonly session?: string;
  readonly to?: string;
}

function send(target: string, { session, to = mock.url, ...init }: SendOptions = {}) {
  const headers = {
    authorization: "Bearer svc_key",
    "content-type": "application/json",
    ...(session !== undefined && { "x-mock-session": session }),
  };
  return fetch(to + target, { redirect: "manual", headers, ...init });
}

test("the page's files are its own, and nothing else may frame it or add to them", async () => {
  const redirect = await send("/-/mock");
  expect([redirect.status, redirect.headers.get("location")]).toEqual([308, "/-/mock/"]);
  for (const [path, type] of [
    ["", "text/html; charset=utf-8"],
    ["page/page.css", "text/css; charset=utf-8"],
    ["page/base.css", "text/css; charset=utf-8"],
    ["page/page.js", "text/javascript; charset=utf-8"],
    ["page/mark.svg", "image/svg+xml"],
    ["page/hanken-grotesk.woff2", "font/woff2"],
  ]) {
    const { status, headers } = await send(`/-/mock/${path ?? ""}`);
    expect([status, headers.get("content-type"), headers.get("x-content-type-options")]).toEqual([
      200,
      type,
      "nosniff",
    ]);
    const policy = headers.get("content-security-policy");
    expect(policy).toMatch(/^default-src 'none'; .*frame-ancestors 'none'/);
    expect(policy).not.toContain("unsafe");
  }
  for (const name of ["pageFiles.ts", "mockPage.ts", "CHANGELOG.md", "..%2Fserver.ts"])
    expect((await send(`/-/mock/page/${name}`)).status).toBe(404);
  // Another page can't use what the page uses, even with a form or with a name that leads to this machine.
  for (const [method, path] of [
    ["GET", ""],
    ["GET", "requests?sessions=all"],
    ["POST", "reset"],
    ["POST", "overrides"],
    ["DELETE", "overrides/1"],
  ]) {
    for (const origin of ["https://evil.example", "null", "http://127.0.0.1:1"])
      expect(
        (await fetch(`${mock.url}/-/mock/${path ?? ""}`, { method: method ?? "", headers: { origin } })).status,
      ).toBe(403);
  }
});

test(
  "the page shows a session's requests, rules and resources as text, and resets it",
  { timeout: 120_000 },
  async ({ browser }) => {
    await using watched = await watch(browser, mock.url);
    const { page, faults } = watched;
    const lists: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/requests")) lists.push(request.url());
    });
    const rows = (list: string) => page.locator(`#${list} summary`);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${mock.url}/-/mock`);
    await page.getByText("No requests yet").waitFor();
    const check = async (widths: readonly number[]) => {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        expect([width, await findViolations(page, width === 1440 ? undefined : layoutRules)]).toEqual([width, []]);
        expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(width);
      }
    };

    // A row stays open, and keeps the focus, while others come.
    await send(team);
    await rows("requests").focus();
    await page.keyboard.press("Enter");
    await page.locator(".operation", { hasText: "getOrganizationTeam of v2" }).waitFor();
    mock.overrides.add({
      id: "missing",
      operation: "getOrganizationTeam",
      when: { path: { teamId: 7 } },
      respond: { status: 404 },
    });
    mock.overrides.add({ operation: "deleteTeam", respond: () => undefined });
    mock.faults.add({ operation: "deleteTeam", status: 503, times: 2 });
    await send(team);
    await send("/v2/teams/7", { method: "DELETE" });
    await send(membership, { method: "PATCH", body: JSON.stringify({ role: markup }) });
    await send(membership, { method: "PATCH", body: JSON.stringify({ accepted: markup }) });
    await send(`/v2/${markup}?q=${markup}`, { headers: { "x-markup": markup } });
    await rows("requests").nth(5).waitFor();
    expect(await page.locator("#requests [open]").count()).toBe(1);
    expect(lists.at(-1)).toMatch(/\/requests\?after=\d+$/);
    expect(await page.evaluate('document.activeElement.closest("details").open')).toBe(true);

    const texts = async (list: string) =>
      (await page.locator(`#${list} > li > details > summary`).allInnerTexts()).map((text) =>
        text.replaceAll(/\s+/g, " "),
      );
    expect(await texts("requests")).toEqual([
      expect.stringMatching(/^GET 404 \/v2\/%3Cimg.*\?q=.*No operation has the path/),
      expect.stringContaining('1 violation · /accepted in the body must be a boolean; received "<img'),
      expect.stringMatching(/^PATCH 200 .* updateOrganizationTeamMembership \S+ ms \d\d:\d\d:\d\d$/),
      expect.stringMatching(/^DELETE 503 .* deleteTeam fault \d /),
      expect.stringMatching(/^GET 404 .* getOrganizationTeam override missing /),
      expect.stringMatching(/^GET 200 \/v2\/organizations\/42\/teams\/7 getOrganizationTeam \S+ ms \d\d:\d\d:\d\d$/),
    ]);
    expect(await texts("rules")).toEqual([
      'override missing getOrganizationTeam status: 404, if path: {"teamId":7} 1 use',
      "override 1 deleteTeam a function of the program 0 uses",
      "fault 1 deleteTeam status: 503 1 use, 1 left",
    ]);
    expect(await texts("resources")).toEqual([expect.stringContaining(`role: ${markup}`)]);
    await page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true');
    await page.locator("#requests pre", { hasText: markup }).first().waitFor();
    expect(await page.locator("#requests mark").innerText()).toContain("must be a boolean");
    expect(await page.locator("#requests dl", { hasText: "svc_key" }).count()).toBe(0);
    await check([390, 1440]);
    await page.setViewportSize({ width: 390, height: 900 });
    await page.evaluate('for (const details of document.querySelectorAll("details")) details.open = false');
    // Even a phone shows a fault by more than its color.
    const [fault = ""] = (await texts("requests")).filter((text) => text.startsWith("DELETE"));
    expect(fault).toMatch(/^DELETE 503 .*s\/7 deleteTeam fault \d \S+ ms$/);
    // Two lines each, of which neither is cut at its start, with notes below the operation in wide windows.
    const requests = page.locator("#requests > li > details > summary");
    const rowHeights = () =>
      requests.evaluateAll((found) => new Set(found.map(({ clientHeight }) => clientHeight)).size);
    expect(await rowHeights()).toBe(1);
    await page.setViewportSize({ width: 1440, height: 900 });
    const places = await requests.evaluateAll((found) =>
      found.map((row) =>
        [".target", ".operation", ".remark"].map((part) => row.querySelector(part)?.getBoundingClientRect()),
      ),
    );
    expect(new Set(places.map(([target]) => target?.x)).size).toBe(1);
    expect(new Set(places.map(([, operation]) => operation?.x)).size).toBe(1);
    for (const [target, operation, remark] of places) {
      if (operation?.height) expect(operation.y).toBeCloseTo(target?.y ?? 0, 0);
      if (remark?.width) expect(remark.y).toBeGreaterThanOrEqual(operation?.bottom ?? 0);
    }

    await send(team, { session: markup });
    await page.getByLabel("Session", { exact: true }).selectOption(markup);
    await expect.poll(() => texts("requests")).toHaveLength(1);
    expect(await texts("rules")).toEqual([]);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Reset" }).click();
    await page.getByText("It loses 1 request, 0 rules and 0 resources.").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(mock.requests(markup)).toHaveLength(1);
    await page.getByRole("button", { name: "Reset" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Reset" }).click();
    await page.getByText("No requests yet").waitFor();
    expect([mock.requests(markup).length, mock.requests().length]).toEqual([0, 6]);
    await page.getByRole("button", { name: "Resume" }).click();
    expect(faults).toEqual([]);

    // A response that no client got isn't green, and a body of which not everything is known isn't shown as if it were.
    const controller = new AbortController();
    const headers = { authorization: "Bearer svc_key", prefer: "delay=60000", "x-mock-session": "left" };
    const gone = send(team, { headers, signal: controller.signal }).catch(() => "gone");
    await expect.poll(() => mock.sessions.list().map(({ name }) => name)).toContain("left");
    controller.abort();
    expect(await gone).toBe("gone");
    const urls = Array.from({ length: 30 }, (_, index) => index + 1);
    await send("/v2/calendars/ics-feed/save", { session: "left", method: "POST", body: JSON.stringify({ urls }) });
    await page.goto(`${mock.url}/-/mock/?session=left`);
    await rows("requests").nth(1).click();
    await page.getByText("The client left before the response.").waitFor();
    await rows("requests").first().click();
    await page.getByText("At least 30 violations of the contract").waitFor();
    await page.getByText("Can't be copied or sent again: the mock hides its texts and numbers").waitFor();
    const marks = await page.locator("#requests > li").first().locator("mark").allInnerTexts();
    expect([await page.locator("summary .status").allInnerTexts(), marks.length]).toEqual([["422", "left"], 20]);

    const many = Array.from({ length: 501 }, (_, id) => ({ scope: {}, properties: { id }, isDeleted: true }));
    mock.restore({ resources: { EventType: many }, counters: {} }, "many");
    await page.goto(`${mock.url}/-/mock/?session=many`);
    await page.getByText("There are too many to show.").waitFor();
    expect([await page.locator("#resources-title").innerText(), await texts("resources")]).toEqual([
      "Resources 501",
      [],
    ]);

    // Looking at a session neither begins it nor, as the mock ends, holds it up.
    await using brief = await startServer({ generations: await readBuiltGenerations() });
    await page.goto(`${brief.url}/-/mock/?session=none%20yet`);
    await page.getByText("No requests yet").waitFor();
    expect(await (await send("/-/mock/sessions", { to: brief.url })).text()).not.toContain("none yet");
    await brief.close();
    await page.getByText("Nothing new from the mock: Failed to fetch.").waitFor();
  },
);

test("the docs and the mock's page lead to each other's operations", async ({ docs }) => {
  const operation = "getOrganizationTeam";
  const docsOf = (query: string) => fetch(`${docs.url}/-/mock/docs?${query}`);
  const page = await docsOf(`generation=v2&operation=${operation}`);
  expect(new URL(page.url).pathname).not.toContain("mock");
  expect(await page.text()).toContain(`${docs.url}/-/mock/?sessions=all&amp;operation=${operation}`);
  expect((await docsOf(`generation=v2&operation=getNothing`)).status).toBe(404);
  expect(await (await fetch(`${docs.url}/-/mock/surroundings`)).json()).toMatchObject({ hasDocs: true });
  expect(await (await send("/-/mock/surroundings")).json()).toEqual({ hasDocs: false, hasUpstream: false });
});

test("the docs show whether their mock runs, and lead to its page, whose mark leads back", async ({
  browser,
  docs,
  published,
}) => {
  await using watched = await watch(browser, docs.url);
  const { page, faults } = watched;
  await page.goto(docs.url);
  const link = page.getByRole("link", { name: "Mock is running", exact: true });
  await link.click();
  await page.getByRole("link", { name: "Docs", exact: true }).click();
  await link.waitFor();
  expect(page.url()).toBe(`${docs.url}/`);
  expect(faults).toEqual([]);
  await page.route("**/-/mock/health", (route) => route.abort());
  await page.reload();
  await page.getByRole("link", { name: "Mock", exact: true }).waitFor();
  expect(await page.locator(".places .dot").isVisible()).toBe(false);
  // Elsewhere, nothing is asked. A site that isn't served with a mock has no link to one.
  await using elsewhere = await watch(browser, "https://docs.example/");
  await serveFolder(elsewhere.page, "https://docs.example/", docs.folder);
  await elsewhere.page.goto("https://docs.example/");
  await elsewhere.page.getByRole("link", { name: "Mock", exact: true }).waitFor();
  expect(elsewhere.faults).toEqual([]);
  expect(await readFile(join(published, "index.html"), "utf8")).not.toContain("/-/mock/");
  await page.goto(`${mock.url}/-/mock/`);
  await page.getByText("No requests yet").or(page.locator("#requests li").first()).waitFor();
  expect(await page.locator("#home").getAttribute("href")).toBe(null);
});

test(
  "a request can be found, copied, sent again and answered alike, and a proxy shows violations of its server",
  { timeout: 120_000 },
  async ({ browser }) => {
    const generations = await readBuiltGenerations();
    await using real = await startServer({ generations });
    const to = real.url;
    real.faults.add({ id: "cut", operation: "deleteTeam", delivery: "reset", times: 1 });
    await send(team, { to });
    await expect(send("/v2/teams/8", { to, method: "DELETE" })).rejects.toThrow("fetch failed");
    await send(`${membership}?q[x]={a}`, { to, method: "PATCH", body: '{"accepted":"it\'s","password":"p"}' });
    await sendRaw(to, "POST /v2/x/../../-/mock/reset HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
    await send(team, { to, session: "other" });
    const permissions = ["clipboard-read", "clipboard-write"];
    await using watched = await watch(browser, to, { permissions });
    const { page, faults } = watched;
    const rows = page.locator("#requests > li > details > summary");
    const press = (name: string) => page.getByRole("button", { name, exact: true }).click();

    // A filter is in the address, which a link can have too.
    await page.goto(`${to}/-/mock/?problems=only&text=422%20memberships%20"it's".`);
    await page.getByText("1 of 4").waitFor();
    await page.getByLabel("Only problems").uncheck();
    await page.getByLabel("Text in").fill("");
    await rows.nth(3).waitFor();
    expect(page.url()).toBe(`${to}/-/mock/`);
    expect(await page.locator(".status.fault").innerText()).toBe("reset");
    await page.getByLabel("Operation").selectOption("deleteTeam");
    await expect.poll(() => rows.count()).toBe(1);
    expect(page.url()).toBe(`${to}/-/mock/?operation=deleteTeam`);
    await page.getByLabel("Operation").selectOption("");
    await page.getByText("1 other session, active", { exact: true }).waitFor();
    await page.getByLabel("Session", { exact: true }).selectOption("All sessions");
    await rows.nth(4).waitFor();
    expect(await page.locator("#others.active").count()).toBe(0);
    expect(await rows.first().innerText()).toContain("session other");
    expect(page.url()).toBe(`${to}/-/mock/?sessions=all`);
    await page.getByLabel("Session", { exact: true }).selectOption("(none)");
    await expect.poll(() => rows.count()).toBe(4);
    await page.getByText("1 other session", { exact: true }).waitFor();

    // Arrow keys move between rows. A browser would send the first one to the mock itself.
    await rows.first().focus();
    await page.keyboard.press("Enter");
    await page.getByText("Can't be copied or sent again: browsers would change its path.").waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await press("Copy as curl");
    await page.getByText("Copied. Set API_KEY and SECRET_PASSWORD first: the mock keeps no secrets.").waitFor();
    const command = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(command).toContain(`-H 'authorization: Bearer '"$API_KEY"`);
    await runCurl(`API_KEY=k; ${command}`, "-s");
    await press("Send again");
    await page.getByText("Sent again: 422.").waitFor();
    expect(real.requests({ status: 422 }).map(({ body }) => body)).toEqual(
      Array(3).fill({ accepted: "it's", password: "***" }),
    );

    // Later rows would move the last one while it is clicked.
    await expect.poll(() => rows.count()).toBe(6);
    // An override is made from a response, and struck through once it has answered.
    await page.keyboard.press("Escape");
    await rows.last().click();
    await page.locator("#requests > li").last().getByRole("button", { name: "Answer like this next time" }).click();
    const edited = page.getByLabel("JSON");
    const rule = await edited.inputValue();
    await edited.fill(rule.replace('"status": 200', '"status": 777'));
    await press("Add the override");
    await page.getByText("/respond/status must be at most 599").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await edited.fill(rule.replace("Physiotherapy", "Radiology"));
    await press("Add the override");
    await page.locator("#rules [open]", { hasText: "1 left" }).waitFor();
    expect(await (await send(team, { to })).text()).toContain("Radiology");
    // It stays open as it changes.
    await page.locator("#rules .used-up[open]", { hasText: "override 1" }).waitFor();
    // The row of the response may come after its body.
    await rows.filter({ hasText: "override 1" }).first().click();
    await page.locator(".applied").getByRole("button", { name: "override 1" }).click();
    expect(await page.evaluate("document.activeElement.textContent")).toContain("override 1");
    // Among all sessions, a row leads to its session and rule.
    await fetch(to + team);
    await page.goto(`${to}/-/mock/?sessions=all`);
    await expect.poll(() => rows.first().innerText()).toMatch(/1 violation · This operation requires credentials\./);
    await rows.nth(1).click();
    await page.getByRole("link", { name: "override 1" }).click();
    await page.locator("#rules [open]", { hasText: "override 1" }).waitFor();
    await page.goto(`${to}/-/mock/?sessions=all`);
    await rows.last().click();
    await press("Answer like this next time");
    await press("Add the override");
    await page.locator("#rules [open]", { hasText: "override 2" }).waitFor();
    real.overrides.set([{ id: "a/b", operation: "deleteTeam", respond: {} }]);
    await send(team, { to });
    await page.locator("#rules summary", { hasText: "a/b" }).click();
    await press("Remove");
    await expect.poll(() => real.overrides.list()).toEqual([]);
    // Browsers log the statuses that the test asked for.
    expect(faults.filter((text) => !text.includes("status of 422"))).toEqual([]);

    const wrong = { body: { status: "success", data: { id: "x" } }, unchecked: true } as const;
    const oneWrong = { body: { data: [{ name: "5" }, { name: 5 }] }, unchecked: true } as const;
    real.overrides.set([
      { operation: "getOrganizationTeam", respond: wrong },
      { operation: "listOrganizationSchedules", respond: oneWrong },
    ]);
    await using proxy = await startServer({ generations, upstream: to });
    await send(team, { to: proxy.url });
    await page.goto(`${proxy.url}/-/mock/`);
    await rows.first().click();
    await page.getByText(/^\d violations? of the contract in the response$/).waitFor();
    expect(await page.locator(".status.s2").count()).toBe(0);
    expect(await page.locator("mark", { hasText: '"id": "x"' }).innerText()).toContain("must be an integer");
    await page.getByText("Can't be sent again: this mock forwards requests").waitFor();
    await send("/v2/organizations/42/schedules", { to: proxy.url });
    await rows.nth(1).waitFor();
    await rows.first().click();
    const marks = await page.locator("#requests > li").first().locator("mark").allInnerTexts();
    const lack = "lacks id, ownerId, timeZone, availability, isDefault, overrides (presence isn't specified)";
    expect(marks.map((text) => text.trim())).toEqual([
      "{  ← lacks status, error (presence isn't specified)",
      `{  ← ${lack}`,
      `{  ← ${lack}`,
      '"name": 5  ← must be a string',
    ]);
    expect(await page.getByRole("button", { name: "Send again" }).count()).toBe(0);
  },
);

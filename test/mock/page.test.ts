import { expect } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { startServer, type MockServer } from "../../scripts/mock/server/server.ts";
import { findViolations, watch } from "../docs/browser.ts";
import { it as test } from "../docs/it.ts";

const team = "/v2/organizations/42/teams/7";
const membership = `${team}/memberships/88`;
const markup = "<img src=x onerror=alert(1)>";

let mock: MockServer;
test.beforeAll(async () => {
  mock = await startServer({ generations: await readBuiltGenerations() });
  return () => mock.close();
});

function send(target: string, { session, ...init }: RequestInit & { session?: string } = {}) {
  const headers = {
    authorization: "Bearer svc_key",
    "content-type": "application/json",
    ...(session !== undefined && { "x-mock-session": session }),
  };
  return fetch(mock.url + target, { redirect: "manual", headers, ...init });
}

test("the page has three files of its own, which nothing else may frame or add to", async () => {
  const redirect = await send("/-/mock");
  expect([redirect.status, redirect.headers.get("location")]).toEqual([308, "/-/mock/"]);
  for (const [path, type] of [
    ["", "text/html; charset=utf-8"],
    ["page/page.css", "text/css; charset=utf-8"],
    ["page/page.js", "text/javascript; charset=utf-8"],
    ["page/mark.svg", "image/svg+xml"],
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
  expect((await send("/-/mock/page/pageFiles.ts")).status).toBe(404);
  expect((await fetch(`${mock.url}/-/mock/`, { headers: { origin: "https://evil.example" } })).status).toBe(403);
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
    await page.goto(`${mock.url}/-/mock`);
    await page.getByText("No requests yet").waitFor();
    const check = async (widths: readonly number[]) => {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        expect([width, await findViolations(page)]).toEqual([width, []]);
        expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(width);
      }
    };
    await check([1440]);

    // A row stays open, and keeps the focus, while others come.
    await send(team);
    await rows("requests").focus();
    await page.keyboard.press("Enter");
    await page.locator("dd", { hasText: "getOrganizationTeam of v2" }).waitFor();
    mock.overrides.add({ operation: "getOrganizationTeam", when: { path: { teamId: 7 } }, respond: { status: 404 } });
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
      (await rows(list).allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "));
    expect(await texts("requests")).toEqual([
      expect.stringMatching(/^GET \/v2\/%3Cimg.* 404 No operation has the path/),
      expect.stringContaining('422 /accepted in the body must be a boolean; received "<img'),
      expect.stringContaining("200 updateOrganizationTeamMembership"),
      expect.stringContaining('503 The fault rule {"operation":"deleteTeam","status":503'),
      expect.stringContaining("404 override /0 for getOrganizationTeam applies"),
      expect.stringMatching(/^GET \/v2\/organizations\/42\/teams\/7 200 \d\d:\d\d:\d\d$/),
    ]);
    expect(await texts("rules")).toEqual([
      'override /0 getOrganizationTeam status: 404, if path: {"teamId":7} 1 used',
      "override /1 deleteTeam a function of the program 0 used",
      "fault /0 deleteTeam status: 503 1 used, 1 left",
    ]);
    expect(await texts("resources")).toEqual([expect.stringContaining(`role: ${markup}`)]);
    await page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true');
    await page.locator("#requests pre", { hasText: markup }).first().waitFor();
    expect(await page.locator("main").innerText()).toContain("not kept: it violates the contract");
    expect(await page.locator("#requests dl", { hasText: "svc_key" }).count()).toBe(0);
    await check([390, 1440]);

    await send(team, { session: markup });
    await page.getByLabel("Session").selectOption(markup);
    await expect.poll(() => texts("requests")).toHaveLength(1);
    expect(await texts("rules")).toEqual([]);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Reset" }).click();
    await page.getByText("No requests yet").waitFor();
    expect([mock.requests(markup).length, mock.requests().length]).toEqual([0, 6]);
    await page.getByRole("button", { name: "Resume" }).click();
    expect(faults).toEqual([]);

    const many = Array.from({ length: 501 }, (_, id) => ({ scope: {}, properties: { id }, isDeleted: true }));
    mock.restore({ resources: { EventType: many }, counters: {} }, "many");
    await page.goto(`${mock.url}/-/mock/?session=many`);
    await page.getByText("There are too many to show.").waitFor();
    expect([await page.locator("#resources-title").innerText(), await texts("resources")]).toEqual([
      "Resources 501",
      [],
    ]);

    // Looking at a session neither begins it nor, as the mock ends, holds it up.
    await page.goto(`${mock.url}/-/mock/?session=none%20yet`);
    await page.getByText("No requests yet").waitFor();
    expect(await (await send("/-/mock/sessions")).text()).not.toContain("none yet");
    await mock.close();
    await page.getByText("Nothing new from the mock: Failed to fetch.").waitFor();
  },
);

import { http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createClient, NetworkError, unwrap } from "../../generated/v2/client.ts";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { createEngine } from "../../scripts/mock/server/engine.ts";

const mock = createEngine({ generations: await readBuiltGenerations() });
const baseUrl = "https://api.example";
// The way that the guide shows.
const handler = http.all(`${baseUrl}/*`, ({ request }) => mock.fetch(request).catch(() => Response.error()));
const server = setupServer(handler);
const client = createClient({ baseUrl, auth: { apiKey: "svc_key" } });

beforeAll(() => {
  server.listen({ onUnhandledFrame: "error" });
});
afterAll(() => {
  server.close();
});
beforeEach(() => {
  mock.faults.clear();
});

function getTeam(signal?: AbortSignal) {
  const params = { path: { orgId: 42, teamId: 7 } };
  return client.GET("/v2/organizations/{orgId}/teams/{teamId}", { params, ...(signal && { signal }) });
}

test("answers calls that msw intercepts, with bodies and without", async () => {
  const { data, response } = await getTeam();
  expect([data?.data.name, response.url]).toEqual(["Physiotherapy", `${baseUrl}/v2/organizations/42/teams/7`]);
  const body = { start: "2026-03-17T13:00:00Z" };
  const params = { path: { bookingUid: "abc" } };
  expect((await client.POST("/v2/bookings/{bookingUid}/reschedule", { params, body })).response.status).toBe(201);
  expect((await fetch(`${baseUrl}/v2/nowhere`, { method: "DELETE" })).status).toBe(404);
  const head = { method: "HEAD", headers: { authorization: "Bearer svc_key" } };
  const without = await fetch(`${baseUrl}/v2/organizations/42/teams/7`, head);
  expect([without.status, await without.text()]).toEqual([200, ""]);
});

test("lets calls fail as its fault rules say", async () => {
  const operation = "getOrganizationTeam";
  mock.faults.set([{ operation, status: 503, retryAfter: 1 }]);
  const { response } = await getTeam();
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
  for (const delivery of ["reset", "truncated"] as const) {
    mock.faults.set([{ operation, delivery }]);
    await expect(unwrap(getTeam())).rejects.toBeInstanceOf(NetworkError);
  }
  mock.faults.set([{ operation, delivery: "none" }]);
  await expect(unwrap(getTeam(AbortSignal.timeout(50)))).rejects.toMatchObject({ cause: { name: "TimeoutError" } });
  mock.faults.set([{ operation, bytesPerSecond: 10_000 }]);
  expect((await unwrap(getTeam())).data.name).toBe("Physiotherapy");
});

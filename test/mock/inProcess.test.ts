import { expect, test } from "vitest";
import { createClient, unwrap } from "../../generated/v2/client.ts";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { createEngine } from "../../scripts/mock/engine.ts";

const mock = createEngine({ generations: await readBuiltGenerations(), bodyLimit: 1_000 });
const url = "http://nowhere.example/v2/teams/7";
const headers = { authorization: "Bearer svc_key" };

test("a client gets its responses without a port", async () => {
  const client = createClient({ baseUrl: "http://nowhere.example", auth: { apiKey: "svc_key" }, fetch: mock.fetch });
  const body = { start: "2026-03-17T13:00:00Z" };
  const params = { path: { bookingUid: "abc" } };
  const { data } = await unwrap(client.POST("/v2/bookings/{bookingUid}/reschedule", { params, body }));
  expect(data.rescheduledFromUid).toEqual(expect.any(String));
});

test("a request is refused in the same words as over a connection", async () => {
  const response = await mock.fetch(url, { method: "DELETE" });
  expect([response.status, response.headers.get("content-type")]).toEqual([401, "application/problem+json"]);
  expect(await response.text()).toContain("requires credentials");
  const large = {
    method: "POST",
    body: " ".repeat(1_001),
    headers: { ...headers, "content-type": "application/json" },
  };
  expect((await mock.fetch("http://nowhere.example/v2/oauth-clients", large)).status).toBe(413);
});

test("HEAD has no content, and an aborted call rejects with the signal's reason", async () => {
  const head = { method: "HEAD", headers };
  const response = await mock.fetch("http://nowhere.example/v2/organizations/42/teams/7", head);
  expect([response.status, await response.text()]).toEqual([200, ""]);
  const reason = new Error("enough");
  await expect(mock.fetch(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

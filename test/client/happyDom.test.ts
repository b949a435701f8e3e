// @vitest-environment happy-dom
import nodeConsole from "node:console";
import { expect, it, vi } from "vitest";
import * as v1 from "../../generated/v1/client.ts";
import * as v2 from "../../generated/v2/client.ts";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { createEngine } from "../../scripts/mock/server/engine.ts";
import { startRecorder } from "./recorder.ts";

const cors = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "*",
  "access-control-allow-methods": "*",
};

it("sends calls with method, body, headers and credentials, and reads their responses", async () => {
  await using server = await startRecorder((_, response) => {
    response.writeHead(200, { ...cors, "content-type": "application/json" }).end('{"attendee":{},"status":"success"}');
  });
  const client1 = v1.createClient({ baseUrl: server.url, auth: { apiKey: "key" } });
  const client2 = v2.createClient({ baseUrl: server.url, auth: { apiKey: "svc_key" } });
  const headers = { "x-trace": "1" };
  const results = [
    await client1.PATCH("/v1/attendees/{id}", { params: { path: { id: 4711 } }, body: { name: "Noor" }, headers }),
    await client2.POST("/v2/calendars/ics-feed/save", { body: { urls: [] }, headers }),
  ];
  expect(results.map(({ data }) => data)).toEqual(results.map(() => ({ attendee: {}, status: "success" })));
  const json = { "content-type": "application/json", "x-trace": "1" };
  expect(server.arrivals.filter(({ method }) => method !== "OPTIONS")).toMatchObject([
    { method: "PATCH", target: "/v1/attendees/4711?apiKey=key", headers: json, body: '{"name":"Noor"}' },
    { method: "POST", headers: { ...json, authorization: "Bearer svc_key" }, body: '{"urls":[]}' },
  ]);
});

it("distinguishes a timeout from an abort", async () => {
  // As `AbortSignal.timeout()` does, once the request is there: happy-dom misses what aborts during the preflight.
  const timeout = new AbortController();
  await using server = await startRecorder(({ method }, response) => {
    if (method === "OPTIONS") response.writeHead(204, cors).end();
    else timeout.abort(new DOMException("Too late", "TimeoutError"));
  });
  const client = v2.createClient({ baseUrl: server.url, auth: { apiKey: "svc_key" } });
  // happy-dom prints the end of a connection that an abort has broken off, to the console that it was started with.
  const printed = vi.spyOn(nodeConsole, "error").mockReturnValue();
  const call = (signal: AbortSignal) =>
    client.DELETE("/v2/teams/{teamId}", { params: { path: { teamId: 7 } }, signal }).catch((error: unknown) => error);
  const late = await call(timeout.signal);
  expect(late).toBeInstanceOf(v2.NetworkError);
  expect(late).toMatchObject({ cause: { name: "TimeoutError" } });
  await vi.waitFor(() => {
    expect(printed.mock.calls).toMatchObject([[{ code: "ECONNRESET" }]]);
  });
  const reason = new Error("the user left");
  expect(await call(AbortSignal.abort(reason))).toBe(reason);
});

it("is answered by a mock in the same process", async () => {
  const { fetch } = createEngine({ generations: await readBuiltGenerations() });
  const client = v2.createClient({ baseUrl: "http://mock.example", auth: { apiKey: "svc_key" }, fetch });
  const { data } = await client.GET("/v2/organizations/{orgId}/teams/{teamId}", {
    params: { path: { orgId: 42, teamId: 7 } },
  });
  expect(data?.data.id).toBe(7);
});

it("takes the page's own origin for an empty baseUrl, whatever the page's query", () => {
  history.replaceState(null, "", "?page=2");
  expect(() => v2.createClient({ baseUrl: "" })).not.toThrow();
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { createEngine } from "../../scripts/mock/server/engine.ts";
import { parseJson, valueAt } from "../../scripts/values/json.ts";
import type { OpenApiDocument } from "../../scripts/spec/openapi.ts";
import { startProgram, type Program } from "../fixtures/program.ts";
import { writeBundle } from "../fixtures/writeBundle.ts";

const example = { id: 7, start: "2026-03-17T13:00:00Z", end: "2026-03-17T13:30:00Z", title: "To the sea" };
const time = { type: "string", format: "date-time" } as const;
const properties = { id: { type: "integer" }, start: time, end: time, title: {} } as const;
const trip = { type: "object", properties, "x-resource": { name: "Trip" } } as const;
const responses = { "200": { description: "", content: { "application/json": { schema: trip, example } } } };
const requestBody = { content: { "application/json": { schema: { type: "object" } } } };
const moves = { end: "start" };

const document: OpenApiDocument = {
  openapi: "3.1.1",
  paths: {
    "/trips/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      get: { responses, ...{ "x-sunset": "2026-06-30", "x-deprecated-on": "30 June 2026" } },
      patch: { requestBody, responses, ...{ "x-resource": { moves } } },
    },
    "/trips/{id}/copies": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      post: { requestBody, responses, ...{ "x-resource": { effect: "create", copies: "id", moves } } },
    },
  },
};

/** Sends a request with JSON, and returns the body of the response. */
async function send(ask: typeof fetch, url: string, method: string, body: object) {
  const response = await ask(url, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return parseJson(await response.text());
}

const zones = ["America/Los_Angeles", "UTC", "Asia/Kolkata"];
const programs: Program[] = [];
let folder: string;
let mocks: readonly string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "times-"));
  await writeBundle(folder, "trips", document);
  mocks = await Promise.all(
    zones.map(async (TZ) => {
      const args = [resolve("scripts/mock.ts"), "--port", "0", "--quiet"];
      const env = { ...process.env, TZ, NO_COLOR: "1" };
      const program = startProgram(args, { cwd: folder, env });
      programs.push(program);
      return program.until(/^Listening on (\S+)\n/m);
    }),
  );
});
afterAll(async () => {
  await Promise.all(programs.map(({ stop }) => stop()));
  await rm(folder, { recursive: true });
});

const { start, end } = example;

test.each([
  ["a time without an offset", { start: "2026-03-17T14:00" }, { start, end }, "start"],
  ["a number", { start: "5" }, { start, end }, "start"],
  ["a day that does not exist", { start: "2026-02-30T10:00:00Z" }, { start, end }, "start"],
  ["words", { start: "17 March 2026, 14:00" }, { start, end }, "start"],
  ["a null", { start: null }, { start, end }, "start"],
  ["an end that is no time", { end: "noon" }, { start, end }, "end"],
  ["an end before the start", { end: "2026-03-17T12:59:59Z" }, { start, end }, "end"],
  [
    "both, the end before the start",
    { start: "2027-03-17T14:00:00Z", end: "2027-03-17T15:59:59+02:00" },
    { start: "2027-03-17T14:00:00Z", end: "2027-03-17T14:30:00Z" },
    "end",
  ],
  [
    "both, in order",
    { start: "2027-03-17T14:00:00Z", end: "2027-03-17T16:00:00+02:00" },
    { start: "2027-03-17T14:00:00Z", end: "2027-03-17T16:00:00+02:00" },
    undefined,
  ],
  [
    "a start with an offset",
    { start: "2026-03-17T15:00:00.25+05:30" },
    { start: "2026-03-17T15:00:00.25+05:30", end: "2026-03-17T10:00:00.250Z" },
    undefined,
  ],
  [
    "a leap second",
    { start: "2026-12-31t23:59:60z" },
    { start: "2026-12-31t23:59:60z", end: "2027-01-01T00:30:00Z" },
    undefined,
  ],
  ["a leap second in the middle of a month", { start: "2026-12-30T23:59:60Z" }, { start, end }, "start"],
  [
    "a start at the end of time",
    { start: "9999-12-31T23:45:00Z" },
    { start: "9999-12-31T23:45:00Z", end: "9999-12-31T23:45:00Z" },
    undefined,
  ],
])("%s is answered alike in each time zone, and no end is before its start", async (name, sent, times, noted) => {
  for (const [method, path] of [
    ["PATCH", "/trips/7"],
    ["POST", "/trips/7/copies"],
  ] as const) {
    const answers = await Promise.all(
      mocks.map(async (mock) => {
        const session = { "x-mock-session": Buffer.from(`${method} ${name}`).toString("hex") };
        const inSession: typeof fetch = (url, init = {}) =>
          fetch(url, { ...init, headers: { "content-type": "application/json", ...session } });
        const body = await send(inSession, mock + path, method, sent);
        const requests = parseJson(await (await inSession(`${mock}/-/mock/requests`)).text());
        const note = String(valueAt(requests, ["0", "note"]));
        return {
          start: valueAt(body, ["start"]),
          end: valueAt(body, ["end"]),
          noted: /show the request's (\w+), because a time/.exec(note)?.[1],
        };
      }),
    );
    expect(answers).toEqual(zones.map(() => ({ ...times, noted })));
  }
});

test("only days as in RFC 3339 are announced", async () => {
  const headers = await Promise.all(mocks.map(async (mock) => (await fetch(`${mock}/trips/7`)).headers));
  expect(headers.map((one) => [one.get("sunset"), one.get("deprecation")])).toEqual(
    zones.map(() => ["Tue, 30 Jun 2026 00:00:00 GMT", null]),
  );
});

test("what is sent in place of a time leaves what was written before", async () => {
  const mock = createEngine({ generations: [readGeneration("trips", document)] });
  const url = "http://mock.example/trips/7";
  const earlier = { start: "2020-01-01T10:00:00Z", end: "2020-01-01T11:00:00Z" };
  await send(mock.fetch, url, "PATCH", earlier);
  expect(await send(mock.fetch, url, "PATCH", { start: "soon" })).toMatchObject(earlier);
  expect(await send(mock.fetch, `${url}/copies`, "POST", { start: "soon" })).toMatchObject(earlier);
  expect(parseJson(await (await mock.fetch(url)).text())).toMatchObject(earlier);
});

test("a seeded start without its end has the example's length", async () => {
  const seedState = { Trip: [{ id: 7, start: "2030-01-01T10:00:00Z" }] };
  const mock = createEngine({ generations: [readGeneration("trips", document)], seedState });
  const read = parseJson(await (await mock.fetch("http://mock.example/trips/7")).text());
  expect(read).toMatchObject({ start: "2030-01-01T10:00:00Z", end: "2030-01-01T10:30:00Z" });
});

test("a seeded end before its start is refused", () => {
  const seedState = { Trip: [{ id: 7, start: "2030-01-01T10:00:00Z", end: "2030-01-01T10:30:00+01:00" }] };
  expect(() => createEngine({ generations: [readGeneration("trips", document)], seedState })).toThrow(
    "seedState cannot be used: /Trip/0/end is before start, 2030-01-01T10:00:00Z",
  );
});

test("an earlier state whose end is before its start is set right by the next change", async () => {
  const mock = createEngine({ generations: [readGeneration("trips", document)] });
  const [url, title] = ["http://mock.example/trips/7", "Home"];
  await send(mock.fetch, url, "PATCH", { title });
  const state = JSON.stringify(mock.state()).replace('"title"', '"start":"2030-01-01T10:00:00Z","title"');
  await mock.fetch("http://mock.example/-/mock/state", { method: "PUT", body: state });
  expect(await send(mock.fetch, url, "PATCH", { title })).toMatchObject({ title, end: "2030-01-01T10:30:00Z" });
});

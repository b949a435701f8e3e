import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { createEngine } from "../../scripts/mock/server/engine.ts";
import { syntheticDocument } from "../fixtures/syntheticContract.ts";

const mock = createEngine({ generations: [readGeneration("many", syntheticDocument(2_000))] });

/** In milliseconds. Compiling and collecting garbage may take as long, but not each time that a request is sent. */
const limit = 100;
const attempts = 10;

/** The most processor time that the event loop is busy in one go, in milliseconds: what others do does not count. */
async function longestWait(begin: () => Promise<unknown>): Promise<number> {
  const state = { isDone: false };
  let start = process.cpuUsage();
  let longest = 0;
  const done = begin().finally(() => (state.isDone = true));
  do {
    await setImmediate();
    longest = Math.max(longest, process.cpuUsage(start).user / 1_000);
    start = process.cpuUsage();
  } while (!state.isDone);
  await done;
  return longest;
}

/** Sends a request until it keeps no other waiting, and resolves to its statuses and whether it did. */
async function sendRepeatedly(
  send: () => Promise<Response>,
): Promise<readonly [statuses: Set<number>, isShort: boolean]> {
  const statuses = new Set<number>();
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const wait = await longestWait(async () => statuses.add((await send()).status));
    if (wait < limit) return [statuses, true];
  }
  return [statuses, false];
}

test.each<[what: string, target: string, init?: RequestInit]>([
  ["a path of thousands of segments", "/a".repeat(7_500)],
  ["a path of thousands of empty segments", "/".repeat(15_000)],
  ["a long segment", `/${"a".repeat(15_000)}`],
  ["a query of thousands of parameters", `/a?${"a=b&".repeat(3_700)}`],
  ["a long Accept", "/a", { headers: { accept: "a/b,".repeat(3_500) } }],
])("a request with %s keeps no other waiting", async (_, target, init = {}) => {
  const sent = await sendRepeatedly(() => mock.fetch(`http://nowhere.example${target}`, init));
  expect(sent).toEqual([new Set([404]), true]);
});

test("a request with a content type of thousands of spaces keeps no other waiting", async () => {
  const headers = { "content-type": `a/b${" ".repeat(14_000)}x`, authorization: "Bearer t" };
  const init = { method: "POST", body: "{}", headers };
  const sent = await sendRepeatedly(() => mock.fetch("http://nowhere.example/api/Resource0", init));
  expect(sent).toEqual([new Set([415]), true]);
});

import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { createEngine } from "../../scripts/mock/server/engine.ts";
import { syntheticDocument } from "../fixtures/syntheticContract.ts";

const mock = createEngine({ generations: [readGeneration("many", syntheticDocument(2_000))] });

/** The most processor time that the event loop is busy in one go, in milliseconds: what others do does not count. */
async function longestWait(begin: () => Promise<unknown>): Promise<number> {
  const state = { isDone: false };
  let start = process.cpuUsage();
  let longest = 0;
  const work = begin().finally(() => (state.isDone = true));
  do {
    await setImmediate();
    longest = Math.max(longest, process.cpuUsage(start).user / 1_000);
    start = process.cpuUsage();
  } while (!state.isDone);
  await work;
  return longest;
}

test.each<[what: string, target: string, init?: RequestInit]>([
  ["a path of thousands of segments", "/a".repeat(7_500)],
  ["a path of thousands of empty segments", "/".repeat(15_000)],
  ["a long segment", `/${"a".repeat(15_000)}`],
  ["a query of thousands of parameters", `/a?${"a=b&".repeat(3_700)}`],
  ["a long Accept", "/a", { headers: { accept: "a/b,".repeat(3_500) } }],
])("a request with %s keeps no other waiting", async (_, target, init = {}) => {
  const send = () => mock.fetch(`http://nowhere.example${target}`, init);
  await send();
  const wait = await longestWait(async () => {
    expect((await send()).status).toBe(404);
  });
  expect(wait).toBeLessThan(100);
});

test("a request with a content type of thousands of spaces keeps no other waiting", async () => {
  const headers = { "content-type": `a/b${" ".repeat(14_000)}x` };
  const send = () =>
    mock.fetch("http://nowhere.example/api/Resource0", {
      method: "POST",
      body: "{}",
      headers: { ...headers, authorization: "Bearer t" },
    });
  await send();
  const wait = await longestWait(async () => {
    expect((await send()).status).toBe(415);
  });
  expect(wait).toBeLessThan(100);
});

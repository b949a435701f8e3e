import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attackedDocument, attacks, longestWait, sendAttack } from "../fixtures/attacks.ts";
import { startProgram, type Program } from "../fixtures/program.ts";
import { sendRaw } from "./raw.ts";

/** How long another request may wait, in milliseconds: less than 150 with nothing else to do, more beside browsers. */
const deadline = 3_000;
const atATime = 4;
let directory: string;
let program: Program;
let url: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "mock-"));
  await mkdir(join(directory, "generated/large"), { recursive: true });
  await writeFile(join(directory, "generated/large/openapi.json"), JSON.stringify(attackedDocument));
  await writeFile(join(directory, "redocly.yaml"), "apis:\n  large:\n    root: openapi.yaml\n");
  const args = ["--max-old-space-size=256", resolve("scripts/mock.ts"), "--port", "0", "--quiet"];
  program = startProgram(args, { cwd: directory });
  url = await program.until(/^Listening on (\S+)\n/m);
});
afterAll(async () => {
  await program.stop();
  await rm(directory, { recursive: true });
});

describe(`with a heap of 256 MB, ${atATime} at a time keep no other request waiting:`, () => {
  test.each(Object.keys(attacks))("%s", async (name) => {
    const all = sendAttack(url, name, atATime);
    const wait = await longestWait(url, all);
    expect(wait).toBeLessThan(deadline);
    const refused = (await all).map(([status, text]) => [status, text.length < 50_000]);
    expect(refused).toEqual(Array.from({ length: atATime }, () => [422, true]));
  });

  test("bodies of 350,000 chunks", async () => {
    const chunks = `1\r\n"\r\n${"1\r\nx\r\n".repeat(350_000)}1\r\n"\r\n0\r\n\r\n`;
    const head =
      "POST /chunks HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked";
    const request = `${head}\r\n\r\n${chunks}`;
    const sent = Promise.all(Array.from({ length: atATime }, () => sendRaw(url, request, { limit: 60_000 })));
    expect(await longestWait(url, sent)).toBeLessThan(deadline);
    const refused = (await sent).map(({ status, body }) => [status, body.includes("more than 5000 chunks")]);
    expect(refused).toEqual(Array.from({ length: atATime }, () => [413, true]));
  });

  test("a state of 25,000 chunks, which may be so large that a network parts it", async () => {
    const body = `11\r\n{"resources": {}}\r\n${"1\r\n \r\n".repeat(25_000)}0\r\n\r\n`;
    const head = "PUT /-/mock/state HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json";
    const sent = sendRaw(url, `${head}\r\nTransfer-Encoding: chunked\r\n\r\n${body}`, { limit: 60_000 });
    expect(await longestWait(url, sent)).toBeLessThan(deadline);
    expect(await sent).toMatchObject({ status: 200 });
  });

  test("rules of more objects than the memory has room for", async () => {
    let deep: unknown = Array.from({ length: 200_000 }, () => 1);
    for (let level = 0; level < 150; level += 1) deep = [deep];
    const objects = Array.from({ length: 330_000 }, () => ({}));
    const [first = "", other = ""] = [deep, objects].map((body) =>
      JSON.stringify({ operation: "other", when: { headers: { a: "b" } }, respond: { body, unchecked: true } }),
    );
    const statuses: number[] = [];
    for (const body of [first, ...Array.from({ length: 12 }, () => other)]) {
      const added = await fetch(`${url}/-/mock/overrides`, { method: "POST", body });
      statuses.push(added.status);
      await added.arrayBuffer();
    }
    expect([statuses.slice(0, 2), statuses.slice(-5)]).toEqual([
      [200, 200],
      [507, 507, 507, 507, 507],
    ]);
    expect((await fetch(`${url}/-/mock/overrides`, { method: "DELETE" })).status).toBe(200);
    expect((await fetch(`${url}/other`)).status).toBe(200);
  });

  test("a state of more objects than the memory has room for", async () => {
    const body = `{"resources":{"a":[${"{},".repeat(8_400_000)}{}]}}`;
    const sent = fetch(`${url}/-/mock/state`, { method: "PUT", headers: { "content-type": "application/json" }, body });
    expect(await longestWait(url, sent)).toBeLessThan(deadline);
    const response = await sent;
    expect([response.status, await response.text()]).toEqual([413, expect.stringContaining("8388608 objects")]);
  });
});
